// The button of the search in the header, and its key.
import { ActionIcon, Button, Kbd } from '@mantine/core'
import { useDisclosure, useWindowEvent } from '@mantine/hooks'
import { IconSearch } from '../icons/icons.tsx'
import { lazily } from '../parts/lazily.tsx'
import { texts } from '../texts/texts.ts'

const SearchDialog = lazily(
  async () => (await import('./search/search-dialog.tsx')).SearchDialog,
)

const isApple = /mac|iphone|ipad/i.test(navigator.userAgent)
const shortcut = isApple ? '⌘K' : 'Ctrl K'

export function SearchButton() {
  const [isOpen, { open, close }] = useDisclosure(false)
  useWindowEvent(
    'keydown',
    (event) => {
      if (!isShortcut(event)) return
      event.preventDefault()
      if (isOpen) close()
      // Another dialog keeps the focus.
      else if (!document.querySelector('[aria-modal=true]')) open()
    },
    { capture: true },
  )
  const button = {
    onClick: open,
    'aria-haspopup': 'dialog',
    'aria-keyshortcuts': isApple ? 'Meta+K' : 'Control+K',
  } as const
  const icon = <IconSearch size={18} aria-hidden="true" />
  return (
    <>
      <Button
        {...button}
        visibleFrom="md"
        variant="default"
        px="sm"
        leftSection={icon}
        rightSection={<Kbd size="xs">{shortcut}</Kbd>}
      >
        {texts.search.title}
      </Button>
      <ActionIcon
        {...button}
        aria-label={texts.search.title}
        hiddenFrom="md"
        variant="default"
        size="lg"
        radius="xl"
      >
        {icon}
      </ActionIcon>
      {isOpen && <SearchDialog onClose={close} />}
    </>
  )
}

const isShortcut = ({
  key,
  ctrlKey,
  metaKey,
  altKey,
  shiftKey,
  isComposing,
}: KeyboardEvent) =>
  key.toLowerCase() === 'k' &&
  (ctrlKey || metaKey) &&
  !altKey &&
  !shiftKey &&
  !isComposing

// The bot of the page in the header, and behind it the other bots of the workspace.
import { Button, Popover } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useMay } from '../api/session.ts'
import { IconSelector } from '../icons/icons.tsx'
import { lazily } from '../parts/lazily.tsx'
import { Loading } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { BotPicture } from './bot-picture.tsx'

const BotChoice = lazily(
  async () => (await import('./search/bot-choice.tsx')).BotChoice,
  <Loading />,
)
const CreateBot = lazily(
  async () => (await import('../pages/bots/create-bot.tsx')).CreateBot,
)

/** `name` is undefined on pages of the workspace, and while the bot loads. */
export function BotSwitcher({ name }: { name: string | undefined }) {
  const may = useMay()
  const [isOpen, { close, toggle }] = useDisclosure(false)
  const [isCreating, creating] = useDisclosure(false)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a created bot has another address
  useEffect(creating.close, [pathname])
  if (!may('bots.list')) return null
  const create = () => {
    close()
    creating.open()
  }
  return (
    <>
      <Popover
        opened={isOpen}
        onDismiss={close}
        position="bottom-start"
        width={320}
        trapFocus
        returnFocus
        shadow="md"
      >
        <Popover.Target>
          <Button
            className="bot-switcher"
            variant="subtle"
            color="gray"
            px={6}
            leftSection={name !== undefined && <BotPicture name={name} />}
            rightSection={<IconSelector size={16} aria-hidden="true" />}
            onClick={toggle}
          >
            {name === undefined ? (
              <span className="one-line">{texts.shell.chooseBot}</span>
            ) : (
              <>
                <span className="foreign one-line">{name}</span>
                <span className="unseen">{texts.shell.switchBot}</span>
              </>
            )}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={texts.shell.chooseBot} p="xs">
          <BotChoice onClose={close} onCreate={may('bots.create') ? create : undefined} />
        </Popover.Dropdown>
      </Popover>
      {isCreating && <CreateBot onClose={creating.close} />}
    </>
  )
}

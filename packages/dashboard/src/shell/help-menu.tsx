// Help in the header: pages of the documentation, which the server serves at /docs. On a phone they are in
// the account's menu.
import { ActionIcon, Menu } from '@mantine/core'
import { IconHelp } from '../icons/icons.tsx'
import { texts } from '../texts/texts.ts'

const t = texts.shell.help

const pages = [
  { path: 'dashboard#find-your-way', label: t.findYourWay },
  { path: 'getting-started', label: t.gettingStarted },
  { path: '', label: texts.common.documentation },
  { path: 'api/', label: t.api },
]

export const HelpMenu = () => (
  <Menu position="bottom-end" width={240} withinPortal={false}>
    <Menu.Target>
      <ActionIcon
        visibleFrom="sm"
        variant="default"
        size="lg"
        radius="xl"
        aria-label={t.title}
      >
        <IconHelp size={18} aria-hidden="true" />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <HelpItems />
    </Menu.Dropdown>
  </Menu>
)

/** Entries of a menu. */
export const HelpItems = () =>
  pages.map(({ path, label }) => (
    <Menu.Item key={path} component="a" href={`/docs/${path}`} target="_blank">
      {label}
    </Menu.Item>
  ))

// The pages that the navigation and the search name: those of a workspace, and in groups those of a bot.
// Each is shown only to roles that may open it.
import type { Permission } from '@botstead/contract'
import { useIsOperator, useMay } from '../api/session.ts'
import {
  type Icon,
  IconAdjustments,
  IconAlertTriangle,
  IconArchive,
  IconBell,
  IconBook,
  IconBox,
  IconChartBar,
  IconFileText,
  IconGauge,
  IconHistory,
  IconInbox,
  IconKey,
  IconLock,
  IconMessageCircle,
  IconMessages,
  IconPlug,
  IconRobot,
  IconSend,
  IconServer,
  IconShieldLock,
  IconSitemap,
  IconTable,
  IconUser,
  IconUsers,
} from '../icons/icons.tsx'
import { texts } from '../texts/texts.ts'

const t = texts.shell

/** A page with an entry in the navigation. */
export interface PageEntry {
  page: keyof typeof t.nav
  /** Below the address of the bot or the workspace; empty for the overview of a bot. */
  path: string
  icon: Icon
  permission: Permission
  /** Only for the operator of the installation. */
  operator?: boolean
}

/** From people to machines: owners of small companies begin at the top. */
const botGroups: { title: string; entries: PageEntry[] }[] = [
  {
    title: t.groups.talk,
    entries: [
      { page: 'inbox', path: 'inbox', icon: IconInbox, permission: 'conversations.read' },
      {
        page: 'conversations',
        path: 'conversations',
        icon: IconMessages,
        permission: 'conversations.read',
      },
      { page: 'users', path: 'users', icon: IconUser, permission: 'data.read' },
      { page: 'broadcasts', path: 'broadcasts', icon: IconBell, permission: 'data.read' },
    ],
  },
  {
    title: t.groups.build,
    entries: [
      { page: 'flows', path: 'flows', icon: IconSitemap, permission: 'texts.read' },
      {
        page: 'knowledge',
        path: 'knowledge',
        icon: IconBook,
        permission: 'answers.read',
      },
      { page: 'tables', path: 'tables', icon: IconTable, permission: 'tables.read' },
      { page: 'chat', path: 'chat', icon: IconMessageCircle, permission: 'bots.read' },
      {
        page: 'integrations',
        path: 'integrations',
        icon: IconPlug,
        permission: 'bots.read',
      },
      { page: 'versions', path: 'versions', icon: IconBox, permission: 'bots.read' },
    ],
  },
  {
    title: t.groups.watch,
    entries: [
      { page: 'overview', path: '', icon: IconChartBar, permission: 'insights.read' },
      {
        page: 'issues',
        path: 'issues',
        icon: IconAlertTriangle,
        permission: 'bots.read',
      },
      { page: 'deliveries', path: 'deliveries', icon: IconSend, permission: 'data.read' },
      { page: 'logs', path: 'logs', icon: IconFileText, permission: 'bots.read' },
    ],
  },
  {
    title: t.groups.settings,
    entries: [
      {
        page: 'settings',
        path: 'settings',
        icon: IconAdjustments,
        permission: 'bots.read',
      },
      { page: 'privacy', path: 'privacy', icon: IconShieldLock, permission: 'bots.read' },
      { page: 'access', path: 'access', icon: IconLock, permission: 'bots.allowlist' },
    ],
  },
]

const workspacePages: PageEntry[] = [
  { page: 'bots', path: 'bots', icon: IconRobot, permission: 'bots.list' },
  { page: 'members', path: 'members', icon: IconUsers, permission: 'members.read' },
  { page: 'tokens', path: 'tokens', icon: IconKey, permission: 'workspace.read' },
  { page: 'audit', path: 'audit', icon: IconHistory, permission: 'audit.read' },
  { page: 'usage', path: 'usage', icon: IconGauge, permission: 'usage.read' },
  {
    page: 'archives',
    path: 'archives',
    icon: IconArchive,
    permission: 'workspace.archive',
  },
  {
    page: 'installation',
    path: 'installation',
    icon: IconServer,
    permission: 'workspace.read',
    operator: true,
  },
  {
    page: 'serverSettings',
    path: 'server-settings',
    icon: IconAdjustments,
    permission: 'workspace.read',
    operator: true,
  },
]

/** Returns the pages that the member may open; groups without any are left out. */
export function usePermittedPages() {
  const may = useMay()
  const isOperator = useIsOperator()
  const permitted = (entries: PageEntry[]) =>
    entries.filter(
      ({ permission, operator }) => may(permission) && (isOperator || !operator),
    )
  return {
    groups: botGroups
      .map(({ title, entries }) => ({ title, entries: permitted(entries) }))
      .filter(({ entries }) => entries.length > 0),
    ofWorkspace: permitted(workspacePages),
  }
}

/** Returns the address of a page of the bot, or without one of the workspace. */
export function toAddress(
  { path }: Pick<PageEntry, 'path'>,
  workspaceId: string,
  botId?: string,
) {
  const ids = ['w', workspaceId, ...(botId ? ['bots', botId] : [])].map(
    encodeURIComponent,
  )
  return ['', ...ids, ...(path ? [path] : [])].join('/')
}

/** Returns the page that an address is of, or is below of; undefined for others. */
export function findPage(
  path: string,
  workspaceId: string,
  botId: string,
): PageEntry | undefined {
  const isBelow = (address: string) => `${path}/`.startsWith(`${address}/`)
  // The overview of no bot would have the address of the workspace.
  const ofBot = botId ? botGroups.flatMap(({ entries }) => entries) : []
  const found = [
    ...workspacePages.map((entry) => ({ entry, address: toAddress(entry, workspaceId) })),
    ...ofBot.map((entry) => ({ entry, address: toAddress(entry, workspaceId, botId) })),
  ].filter(({ address }) => isBelow(address))
  return found.toSorted((one, other) => other.address.length - one.address.length)[0]
    ?.entry
}

// The navigation: the workspace's pages, and below a bot its own. An entry is shown only to roles
// that may open its page.
import type { Permission } from '@botstead/contract'
import { Divider, ScrollArea, Stack, Text, UnstyledButton } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useIsOperator, useMay, useMembership } from '../api/session.ts'
import {
  type Icon,
  IconAdjustments,
  IconAlertTriangle,
  IconArchive,
  IconArrowLeft,
  IconBell,
  IconBook,
  IconBox,
  IconChartBar,
  IconChevronDown,
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
  IconTable,
  IconUser,
  IconUsers,
} from '../icons/icons.tsx'
import { texts } from '../texts/texts.ts'
import { useLastBot } from './last-bot.ts'
import { useRemembered } from './remembered.ts'
import { WaitingCount } from './waiting-count.tsx'

type Page = keyof typeof texts.shell.nav
interface Entry {
  page: Page
  to: string
  icon: Icon
  permission: Permission
  /** Only for the operator of the installation. */
  operator?: boolean
}

const workspacePages: Entry[] = [
  { page: 'bots', to: '/w/$workspaceId/bots', icon: IconRobot, permission: 'bots.list' },
  { page: 'members', to: '/w/$workspaceId/members', icon: IconUsers, permission: 'members.read' },
  { page: 'tokens', to: '/w/$workspaceId/tokens', icon: IconKey, permission: 'workspace.read' },
  { page: 'audit', to: '/w/$workspaceId/audit', icon: IconHistory, permission: 'audit.read' },
  { page: 'usage', to: '/w/$workspaceId/usage', icon: IconGauge, permission: 'usage.read' },
  {
    page: 'archives',
    to: '/w/$workspaceId/archives',
    icon: IconArchive,
    permission: 'workspace.archive',
  },
  {
    page: 'installation',
    to: '/w/$workspaceId/installation',
    icon: IconServer,
    permission: 'workspace.read',
    operator: true,
  },
]
const botPages: Entry[] = [
  {
    page: 'overview',
    to: '/w/$workspaceId/bots/$botId',
    icon: IconChartBar,
    permission: 'insights.read',
  },
  {
    page: 'inbox',
    to: '/w/$workspaceId/bots/$botId/inbox',
    icon: IconInbox,
    permission: 'conversations.read',
  },
  {
    page: 'conversations',
    to: '/w/$workspaceId/bots/$botId/conversations',
    icon: IconMessages,
    permission: 'conversations.read',
  },
  {
    page: 'broadcasts',
    to: '/w/$workspaceId/bots/$botId/broadcasts',
    icon: IconBell,
    permission: 'data.read',
  },
  {
    page: 'users',
    to: '/w/$workspaceId/bots/$botId/users',
    icon: IconUser,
    permission: 'data.read',
  },
  {
    page: 'knowledge',
    to: '/w/$workspaceId/bots/$botId/knowledge',
    icon: IconBook,
    permission: 'answers.read',
  },
  {
    page: 'deliveries',
    to: '/w/$workspaceId/bots/$botId/deliveries',
    icon: IconSend,
    permission: 'data.read',
  },
  {
    page: 'issues',
    to: '/w/$workspaceId/bots/$botId/issues',
    icon: IconAlertTriangle,
    permission: 'bots.read',
  },
  {
    page: 'logs',
    to: '/w/$workspaceId/bots/$botId/logs',
    icon: IconFileText,
    permission: 'bots.read',
  },
  {
    page: 'tables',
    to: '/w/$workspaceId/bots/$botId/tables',
    icon: IconTable,
    permission: 'tables.read',
  },
  {
    page: 'chat',
    to: '/w/$workspaceId/bots/$botId/chat',
    icon: IconMessageCircle,
    permission: 'bots.read',
  },
  {
    page: 'integrations',
    to: '/w/$workspaceId/bots/$botId/integrations',
    icon: IconPlug,
    permission: 'bots.read',
  },
  {
    page: 'versions',
    to: '/w/$workspaceId/bots/$botId/versions',
    icon: IconBox,
    permission: 'bots.read',
  },
  {
    page: 'privacy',
    to: '/w/$workspaceId/bots/$botId/privacy',
    icon: IconShieldLock,
    permission: 'bots.read',
  },
  {
    page: 'settings',
    to: '/w/$workspaceId/bots/$botId/settings',
    icon: IconAdjustments,
    permission: 'bots.read',
  },
  {
    page: 'access',
    to: '/w/$workspaceId/bots/$botId/access',
    icon: IconLock,
    permission: 'bots.allowlist',
  },
]

export const pages = [...workspacePages, ...botPages]

interface NavigationProps {
  hasBot: boolean
  /** Undefined while it loads. */
  botName: string | undefined
  onNavigate: () => void
}

export function Navigation({ hasBot, botName, onNavigate }: NavigationProps) {
  const may = useMay()
  const isOperator = useIsOperator()
  const workspace = useMembership()
  const shown = (entries: Entry[]) =>
    entries.filter(({ permission, operator }) => may(permission) && (isOperator || !operator))
  return (
    <ScrollArea h="100%" type="hover" scrollbarSize={6}>
      <Stack component="nav" gap={1} p="sm" aria-label={texts.shell.navigation}>
        {hasBot && (
          <>
            <NavSection name="bot" title={botName ?? ''}>
              {shown(botPages).map((entry) => (
                <NavEntry key={entry.page} entry={entry} onNavigate={onNavigate} />
              ))}
            </NavSection>
            <Divider my="xs" />
          </>
        )}
        {!hasBot && <LastBot onNavigate={onNavigate} />}
        <NavSection name="workspace" title={workspace?.name ?? ''}>
          {shown(workspacePages).map((entry) => (
            <NavEntry key={entry.page} entry={entry} onNavigate={onNavigate} />
          ))}
        </NavSection>
      </Stack>
    </ScrollArea>
  )
}

/** Leads back to the bot from other pages of its workspace than the list of bots. */
function LastBot({ onNavigate }: { onNavigate: () => void }) {
  const { workspaceId = '' } = useParams({ strict: false })
  const bot = useLastBot(workspaceId)
  const { pathname } = useLocation()
  if (!bot || pathname.endsWith('/bots')) return null
  return (
    <>
      <Link
        to="/w/$workspaceId/bots/$botId"
        params={{ workspaceId, botId: bot.id }}
        className="nav-link"
        aria-label={texts.shell.backToBot(bot.name)}
        onClick={onNavigate}
      >
        <IconArrowLeft size={18} aria-hidden="true" />
        <span className="foreign one-line">{bot.name}</span>
      </Link>
      <Divider my="xs" />
    </>
  )
}

interface NavSectionProps {
  /** For the memory of the browser. */
  name: string
  title: string
  children: ReactNode
}

/** Entries below a title that hides them. */
function NavSection({ name, title, children }: NavSectionProps) {
  const [isClosed, setClosed] = useRemembered(`navigation-${name}-closed`)
  const id = useId()
  return (
    <>
      <UnstyledButton
        className="nav-title"
        aria-expanded={!isClosed}
        aria-controls={id}
        onClick={() => setClosed(!isClosed)}
      >
        <Text span size="sm" c="dimmed" className="foreign one-line" title={title}>
          {title}
        </Text>
        <IconChevronDown size={14} aria-hidden="true" />
      </UnstyledButton>
      <Stack id={id} gap={1} hidden={isClosed} display={isClosed ? 'none' : undefined}>
        {children}
      </Stack>
    </>
  )
}

function NavEntry({
  entry: { page, to, icon: PageIcon },
  onNavigate,
}: {
  entry: Entry
  onNavigate: () => void
}) {
  const params = useParams({ strict: false })
  const exact = page === 'overview' || page === 'bots'
  return (
    <Link
      to={to as '/'}
      params={params as never}
      className="nav-link"
      activeOptions={{ exact, includeSearch: false }}
      activeProps={{ className: 'link-active', 'aria-current': 'page' }}
      onClick={onNavigate}
    >
      <PageIcon size={18} aria-hidden="true" />
      {texts.shell.nav[page]}
      {page === 'inbox' && <WaitingCount key={params.botId} />}
    </Link>
  )
}

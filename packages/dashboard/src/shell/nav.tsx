// The navigation: the pages of a bot in groups, and below them those of the workspace.
import { Divider, ScrollArea, Stack, UnstyledButton } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMembership } from '../api/session.ts'
import { IconArrowLeft, IconChevronDown } from '../icons/icons.tsx'
import { texts } from '../texts/texts.ts'
import { useLastBot } from './last-bot.ts'
import { WaitingCount } from './notices/waiting-count.tsx'
import { type PageEntry, toAddress, usePermittedPages } from './pages.ts'
import { useRemembered } from './remembered.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

interface NavigationProps {
  hasBot: boolean
  onNavigate: () => void
}

export function Navigation({ hasBot, onNavigate }: NavigationProps) {
  const { workspaceId = '', botId } = useParams({ strict: false })
  const { groups, ofWorkspace } = usePermittedPages()
  const toEntry = (entry: PageEntry, bot?: string) => (
    <NavEntry
      key={entry.page}
      entry={entry}
      address={toAddress(entry, workspaceId, bot)}
      onNavigate={onNavigate}
    />
  )
  return (
    <ScrollArea h="100%" type="hover" scrollbarSize={6}>
      <Stack component="nav" gap={1} p="sm" aria-label={texts.shell.navigation}>
        <div className="narrow-only">
          <WorkspaceMenu />
        </div>
        {hasBot ? (
          groups.map(({ title, entries }) => (
            <NavGroup key={title} title={title}>
              {entries.map((entry) => toEntry(entry, botId))}
            </NavGroup>
          ))
        ) : (
          <LastBot onNavigate={onNavigate} />
        )}
        {hasBot && <Divider my="xs" />}
        <WorkspaceGroup folds={hasBot}>
          {ofWorkspace.map((entry) => toEntry(entry))}
        </WorkspaceGroup>
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

/** Entries below a heading, which screen readers list. */
function NavGroup({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <Stack gap={1} role="group" aria-labelledby={id}>
      <h2 id={id} className="nav-title foreign one-line" title={title}>
        {title}
      </h2>
      {children}
    </Stack>
  )
}

/**
 * The pages of the workspace. They fold only beside those of a bot: without a bot they are the whole
 * navigation.
 */
function WorkspaceGroup({ folds, children }: { folds: boolean; children: ReactNode }) {
  const [isRemembered, setClosed] = useRemembered('navigation-workspace-closed')
  const name = useMembership()?.name ?? ''
  const id = useId()
  if (!folds) return <NavGroup title={name}>{children}</NavGroup>
  return (
    <Stack gap={1} role="group" aria-label={name}>
      <h2 className="nav-heading">
        <UnstyledButton
          className="nav-title nav-fold"
          aria-expanded={!isRemembered}
          aria-controls={id}
          onClick={() => setClosed(!isRemembered)}
        >
          <span className="foreign one-line" title={name}>
            {name}
          </span>
          <IconChevronDown size={14} aria-hidden="true" />
        </UnstyledButton>
      </h2>
      <Stack
        id={id}
        gap={1}
        hidden={isRemembered}
        display={isRemembered ? 'none' : undefined}
      >
        {children}
      </Stack>
    </Stack>
  )
}

interface NavEntryProps {
  entry: PageEntry
  address: string
  onNavigate: () => void
}

function NavEntry({
  entry: { page, icon: PageIcon },
  address,
  onNavigate,
}: NavEntryProps) {
  const { botId } = useParams({ strict: false })
  const exact = page === 'overview' || page === 'bots'
  return (
    <Link
      to={address as '/'}
      className="nav-link"
      activeOptions={{ exact, includeSearch: false }}
      activeProps={{ className: 'link-active', 'aria-current': 'page' }}
      onClick={onNavigate}
    >
      <PageIcon size={18} aria-hidden="true" />
      {texts.shell.nav[page]}
      {page === 'inbox' && <WaitingCount key={botId} />}
    </Link>
  )
}

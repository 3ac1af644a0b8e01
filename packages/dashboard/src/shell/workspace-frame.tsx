// The frame around the pages of a workspace: header, navigation, emulator, live updates.

import { AppShell, Box, Burger, Button, Group, Image } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  Link,
  Outlet,
  useLocation,
  useNavigate,
  useParams,
  useSearch,
} from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useBotQuery } from '../api/bot-query.ts'
import { LiveUpdates, OfflineBanner } from '../api/live.tsx'
import { sessionQuery, useMay, useMembership } from '../api/session.ts'
import { Failed, isMissing, Kept, Loading } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { AccountMenu } from './account-menu.tsx'
import { rememberWorkspace } from './last-workspace.ts'
import { Missing } from './missing.tsx'
import { Navigation } from './nav.tsx'
import { WorkspaceMenu } from './workspace-menu.tsx'

const Emulator = lazy(() =>
  import('../pages/emulator/emulator.tsx').then((module) => ({ default: module.Emulator })),
)

export function WorkspaceFrame() {
  const session = useQuery(sessionQuery)
  const membership = useMembership()
  const may = useMay()
  if (session.isPending) return <Loading />
  if (session.data === undefined)
    return <Failed error={session.error} retry={() => void session.refetch()} />
  if (session.data === null) return <ToSignIn />
  if (!membership) return <Missing />
  return (
    <LiveUpdates key={membership.id} workspaceId={membership.id} isAllowed={may('bots.read')}>
      <Frame workspaceId={membership.id} />
    </LiveUpdates>
  )
}

/** Navigates once: while the sign-in page loads, this component stays. */
function ToSignIn() {
  const navigate = useNavigate()
  const { href } = useLocation()
  const returnTo = useRef(href)
  useEffect(() => {
    void navigate({ to: '/sign-in', search: { returnTo: returnTo.current }, replace: true })
  }, [navigate])
  return <Loading />
}

function Frame({ workspaceId }: { workspaceId: string }) {
  const [isMenuOpen, menu] = useDisclosure(false)
  const [isEmulatorOpen, emulator] = useDisclosure(false)
  const { botId } = useParams({ strict: false })
  const may = useMay()
  const bot = useBotQuery()
  const hasBot = botId !== undefined && (bot.data !== undefined || !isMissing(bot.error))
  const hasEmulator = hasBot && may('data.write')
  useEffect(() => rememberWorkspace(workspaceId), [workspaceId])
  const { emulator: wanted } = useSearch({ strict: false })
  const { open: openEmulator } = emulator
  useEffect(() => {
    if (wanted === 'open') openEmulator()
  }, [wanted, openEmulator])
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isMenuOpen } }}
      aside={{
        width: { base: '100%', sm: 380 },
        breakpoint: 'sm',
        collapsed: {
          mobile: !hasEmulator || !isEmulatorOpen,
          desktop: !hasEmulator || !isEmulatorOpen,
        },
      }}
    >
      <AppShell.Header bg="var(--surface)" px="md">
        <Group h="100%" justify="space-between" wrap="nowrap" gap="xs">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger
              opened={isMenuOpen}
              onClick={menu.toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.shell.menu}
            />
            <Link to="/" aria-label={texts.shell.product}>
              <Image src="/favicon.svg" alt="" w={28} h={28} />
            </Link>
            <WorkspaceMenu />
          </Group>
          <Group gap="xs" wrap="nowrap">
            {hasEmulator && (
              <Button
                variant={isEmulatorOpen ? 'filled' : 'default'}
                px="sm"
                leftSection={<IconMessages size={18} aria-hidden="true" />}
                onClick={emulator.toggle}
                aria-pressed={isEmulatorOpen}
                aria-label={texts.shell.emulator}
              >
                <span className="wide-only">{texts.shell.emulator}</span>
                <span className="narrow-only">{texts.shell.emulatorShort}</span>
              </Button>
            )}
            <AccountMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar bg="var(--mantine-color-body)">
        <Navigation hasBot={hasBot} botName={bot.data?.bot.name} onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main h="100dvh">
        <OfflineBanner />
        <Box id="content" tabIndex={-1} h="100%" style={{ overflow: 'auto', outline: 'none' }}>
          <Kept error={bot.data && bot.error}>
            <Suspense fallback={<Loading />}>
              {botId !== undefined && !hasBot ? <Missing /> : <Outlet />}
            </Suspense>
          </Kept>
        </Box>
      </AppShell.Main>
      {hasEmulator && isEmulatorOpen && (
        <AppShell.Aside bg="var(--mantine-color-body)" aria-label={texts.shell.emulator}>
          <Suspense fallback={<Loading />}>
            <Emulator key={botId} onClose={emulator.close} />
          </Suspense>
        </AppShell.Aside>
      )}
    </AppShell>
  )
}

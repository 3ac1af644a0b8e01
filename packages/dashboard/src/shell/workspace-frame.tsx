// The frame around the pages of a workspace: header, navigation, emulator, live updates.

import { ActionIcon, AppShell, Box, Burger, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useBotName } from '../api/bot-query.ts'
import { LiveUpdates, OfflineBanner } from '../api/live.tsx'
import { sessionQuery, useMay, useMembership } from '../api/session.ts'
import { IconLayoutSidebar, IconMessages } from '../icons/icons.tsx'
import { Failed, Kept, Loading } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { AllowedPage } from './allowed-page.tsx'
import { Header, headerHeight } from './header.tsx'
import { useRememberBot } from './last-bot.ts'
import { rememberWorkspace } from './last-workspace.ts'
import { Missing } from './missing.tsx'
import { Navigation } from './nav.tsx'
import { useRemembered } from './remembered.ts'
import { useEscape } from './use-escape.ts'
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
    <LiveUpdates key={membership.id} workspaceId={membership.id} isAllowed={may('bots.list')}>
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
  const [isEmulatorOpen, emulator] = useEmulatorPanel()
  const [isNavigationHidden, setNavigationHidden] = useRemembered('navigation-hidden')
  useEscape(isMenuOpen, menu.close)
  const { botId } = useParams({ strict: false })
  const may = useMay()
  const bot = useBotName()
  const hasBot = botId !== undefined && !bot.isAbsent
  const hasEmulator = hasBot && may('data.write')
  useEffect(() => rememberWorkspace(workspaceId), [workspaceId])
  useRememberBot(workspaceId, bot.data, bot.isAbsent)
  return (
    <AppShell
      header={{ height: headerHeight }}
      navbar={{
        width: 220,
        breakpoint: 'sm',
        collapsed: { mobile: !isMenuOpen, desktop: isNavigationHidden },
      }}
      aside={{
        width: { base: '100%', sm: 380 },
        breakpoint: 'sm',
        collapsed: {
          mobile: !hasEmulator || !isEmulatorOpen,
          desktop: !hasEmulator || !isEmulatorOpen,
        },
      }}
    >
      <Header
        menu={
          <NavigationButtons
            isOpen={isMenuOpen}
            toggle={() => {
              emulator.uncover()
              menu.toggle()
            }}
            isHidden={isNavigationHidden}
            setHidden={setNavigationHidden}
          />
        }
        actions={
          hasEmulator && (
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
          )
        }
      >
        <WorkspaceMenu />
      </Header>
      <AppShell.Navbar
        bg="var(--mantine-color-body)"
        className={isNavigationHidden ? 'hidden-when-wide' : undefined}
      >
        <Navigation hasBot={hasBot} botName={bot.data?.name} onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main h="100dvh">
        <OfflineBanner />
        <Box id="content" tabIndex={-1} h="100%" style={{ overflow: 'auto', outline: 'none' }}>
          <Kept error={bot.data && bot.error}>
            <Suspense fallback={<Loading />}>
              {botId !== undefined && !hasBot ? <Missing /> : <AllowedPage />}
            </Suspense>
          </Kept>
        </Box>
      </AppShell.Main>
      {hasEmulator && isEmulatorOpen && (
        <AppShell.Aside
          className="emulator"
          bg="var(--mantine-color-body)"
          aria-label={texts.shell.emulator}
          onClick={({ target }) => isPageLink(target) && emulator.uncover()}
        >
          <Suspense fallback={<Loading />}>
            <Emulator key={botId} onClose={emulator.close} />
          </Suspense>
        </AppShell.Aside>
      )}
    </AppShell>
  )
}

function useEmulatorPanel() {
  const [isOpen, { open, close, toggle }] = useDisclosure(false)
  const { emulator: wanted } = useSearch({ strict: false })
  useEscape(isOpen, close)
  useEffect(() => {
    if (wanted === 'open') open()
  }, [wanted, open])
  /** Closes the panel on a phone, where it covers the navigation and the pages. */
  const uncover = () => {
    if (matchMedia('(max-width: 47.99em)').matches) close()
  }
  return [isOpen, { close, toggle, uncover }] as const
}

/** Links of messages open another tab. */
const isPageLink = (target: EventTarget) =>
  target instanceof Element && target.closest('a[href^="/"]:not([target])') !== null

interface NavigationButtonsProps {
  isOpen: boolean
  toggle: () => void
  isHidden: boolean
  setHidden: (isHidden: boolean) => void
}

/** On a phone the navigation opens above the page; beside it, it is visible until it is hidden. */
const NavigationButtons = ({ isOpen, toggle, isHidden, setHidden }: NavigationButtonsProps) => (
  <>
    <Burger
      opened={isOpen}
      onClick={toggle}
      hiddenFrom="sm"
      size="sm"
      aria-label={texts.shell.menu}
    />
    <ActionIcon
      visibleFrom="sm"
      variant="subtle"
      color="gray"
      size="lg"
      aria-expanded={!isHidden}
      aria-label={texts.shell.showNavigation}
      onClick={() => setHidden(!isHidden)}
    >
      <IconLayoutSidebar size={20} aria-hidden="true" />
    </ActionIcon>
  </>
)

// The frame around the pages of a workspace: header, navigation, emulator, live updates.

import { ActionIcon, AppShell, Box, Burger, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate, useParams } from '@tanstack/react-router'
import { type RefObject, Suspense, useEffect, useRef } from 'react'
import { useBotName } from '../api/bot-query.ts'
import { useFilter } from '../api/filters.ts'
import { LiveUpdates, OfflineBanner } from '../api/live.tsx'
import { sessionQuery, useMay, useMembership } from '../api/session.ts'
import { IconLayoutSidebar, IconMessages } from '../icons/icons.tsx'
import { lazily } from '../parts/lazily.tsx'
import { Failed, Kept, Loading } from '../parts/states.tsx'
import { texts } from '../texts/texts.ts'
import { AllowedPage } from './allowed-page.tsx'
import { BotSwitcher } from './bot-switcher.tsx'
import { Header, headerHeight } from './header.tsx'
import { useRememberBot } from './last-bot.ts'
import { rememberWorkspace } from './last-workspace.ts'
import { Missing } from './missing.tsx'
import { Navigation } from './nav.tsx'
import { useRemembered } from './remembered.ts'
import { SearchButton } from './search-button.tsx'
import { useEscape } from './use-escape.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

const Emulator = lazily(
  async () => (await import('../pages/emulator/emulator.tsx')).Emulator,
  <Loading />,
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
    <LiveUpdates
      key={membership.id}
      workspaceId={membership.id}
      isAllowed={may('bots.list')}
    >
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
    void navigate({
      to: '/sign-in',
      search: { returnTo: returnTo.current },
      replace: true,
    })
  }, [navigate])
  return <Loading />
}

function Frame({ workspaceId }: { workspaceId: string }) {
  const [isMenuOpen, menu] = useDisclosure(false)
  const [isNavigationHidden, setNavigationHidden] = useRemembered('navigation-hidden')
  const burger = useRef<HTMLButtonElement>(null)
  const emulatorButton = useRef<HTMLButtonElement>(null)
  useEscape(isMenuOpen, () => {
    menu.close()
    burger.current?.focus()
  })
  const [isEmulatorOpen, emulator] = useEmulatorPanel(emulatorButton)
  const toggleMenu = () => {
    emulator.close()
    menu.toggle()
  }
  const { botId } = useParams({ strict: false })
  const may = useMay()
  const bot = useBotName()
  const hasBot = botId !== undefined && !bot.isAbsent
  const hasEmulator = hasBot && may('data.write')
  const showsEmulator = hasEmulator && isEmulatorOpen
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
        collapsed: { mobile: !showsEmulator, desktop: !showsEmulator },
      }}
    >
      <Header
        menu={
          <NavigationButtons
            burger={burger}
            isOpen={isMenuOpen}
            toggle={toggleMenu}
            isHidden={isNavigationHidden}
            setHidden={setNavigationHidden}
          />
        }
        actions={
          <HeaderActions
            emulatorButton={hasEmulator ? emulatorButton : null}
            isOpen={isEmulatorOpen}
            toggle={emulator.toggle}
          />
        }
      >
        <div className="wide-only">
          <WorkspaceMenu />
        </div>
        <BotSwitcher name={hasBot ? bot.data?.name : undefined} />
      </Header>
      <AppShell.Navbar
        bg="var(--mantine-color-body)"
        className={isNavigationHidden ? 'hidden-when-wide' : undefined}
      >
        <Navigation hasBot={hasBot} onNavigate={menu.close} />
      </AppShell.Navbar>
      <AppShell.Main h="100dvh">
        <OfflineBanner />
        <Content
          error={bot.data && bot.error}
          isMissing={botId !== undefined && !hasBot}
        />
      </AppShell.Main>
      {showsEmulator && (
        <EmulatorAside
          key={botId}
          onClose={emulator.closeByKey}
          onLeave={emulator.uncover}
        />
      )}
    </AppShell>
  )
}

interface HeaderActionsProps {
  /** Null without an emulator. */
  emulatorButton: RefObject<HTMLButtonElement | null> | null
  isOpen: boolean
  toggle: () => void
}

const HeaderActions = ({ emulatorButton, ...panel }: HeaderActionsProps) => (
  <>
    <SearchButton />
    {emulatorButton && <EmulatorButton ref={emulatorButton} {...panel} />}
  </>
)

interface EmulatorAsideProps {
  onClose: () => void
  /** A link leads to a page. */
  onLeave: () => void
}

const EmulatorAside = ({ onClose, onLeave }: EmulatorAsideProps) => (
  <AppShell.Aside
    className="emulator"
    bg="var(--mantine-color-body)"
    aria-label={texts.shell.emulator}
    onClick={({ target }) => isPageLink(target) && onLeave()}
  >
    <Emulator onClose={onClose} />
  </AppShell.Aside>
)

interface ContentProps {
  error: unknown
  isMissing: boolean
}

const Content = ({ error, isMissing }: ContentProps) => (
  <Box id="content" tabIndex={-1} h="100%" style={{ overflow: 'auto', outline: 'none' }}>
    <Kept error={error}>
      <Suspense fallback={<Loading />}>
        {isMissing ? <Missing /> : <AllowedPage />}
      </Suspense>
    </Kept>
  </Box>
)

/** A link with `emulator=open` opens it, also once more after it was closed. */
function useEmulatorPanel(button: RefObject<HTMLButtonElement | null>) {
  const [isOpen, panel] = useDisclosure(false)
  const [wanted, setWanted] = useFilter('emulator')
  const close = () => {
    panel.close()
    if (wanted) setWanted('')
  }
  const toggle = () => (isOpen ? close() : panel.open())
  const closeByKey = () => {
    const hadFocus = document.querySelector('.emulator')?.contains(document.activeElement)
    close()
    if (hadFocus) button.current?.focus()
  }
  useEscape(isOpen, closeByKey)
  useEffect(() => {
    if (wanted === 'open') panel.open()
  }, [wanted, panel.open])
  /** Closes the panel on a phone, where it covers the page that a link of it opens. */
  const uncover = () => {
    if (matchMedia('(max-width: 47.99em)').matches) panel.close()
  }
  return [isOpen, { close, closeByKey, toggle, uncover }] as const
}

/** Links of messages open another tab. */
const isPageLink = (target: EventTarget) =>
  target instanceof Element && target.closest('a[href^="/"]:not([target])') !== null

interface EmulatorButtonProps {
  ref: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  toggle: () => void
}

const EmulatorButton = ({ ref, isOpen, toggle }: EmulatorButtonProps) => (
  <Button
    ref={ref}
    className="emulator-button"
    variant={isOpen ? 'filled' : 'default'}
    px="sm"
    leftSection={<IconMessages size={18} aria-hidden="true" />}
    onClick={toggle}
    aria-pressed={isOpen}
    aria-label={texts.shell.emulator}
  >
    <span className="wide-only">{texts.shell.emulator}</span>
  </Button>
)

interface NavigationButtonsProps {
  burger: RefObject<HTMLButtonElement | null>
  isOpen: boolean
  toggle: () => void
  isHidden: boolean
  setHidden: (isHidden: boolean) => void
}

/** On a phone the navigation opens above the page; beside it, it is visible until it is hidden. */
const NavigationButtons = ({
  burger,
  isOpen,
  toggle,
  isHidden,
  setHidden,
}: NavigationButtonsProps) => (
  <>
    <Burger
      ref={burger}
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

// Addresses of the pages. Each page is loaded when it is opened first. Filters are in the query.
import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { Failed } from './parts/states.tsx'
import { botRoutes } from './routes/bot-routes.ts'
import { preloadSession, root, workspace } from './routes/frames.ts'
import { Home } from './shell/home.tsx'
import { Missing } from './shell/missing.tsx'
import { WorkspaceHome } from './shell/workspace-home.tsx'

const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(
    () => import('./features/sign-in/sign-in-page.tsx'),
    'SignInPage',
  ),
})
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(
    () => import('./features/sign-in/invitation-page.tsx'),
    'InvitationPage',
  ),
})
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  loader: preloadSession,
  component: lazyRouteComponent(
    () => import('./features/sign-in/account-page.tsx'),
    'AccountPage',
  ),
})

const workspaceHome = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  component: WorkspaceHome,
})
const bots = createRoute({
  getParentRoute: () => workspace,
  path: '/bots',
  component: lazyRouteComponent(() => import('./pages/bots/bots-page.tsx'), 'BotsPage'),
})

const members = createRoute({
  getParentRoute: () => workspace,
  path: '/members',
  component: lazyRouteComponent(
    () => import('./pages/workspace/members-page.tsx'),
    'MembersPage',
  ),
})
const tokens = createRoute({
  getParentRoute: () => workspace,
  path: '/tokens',
  component: lazyRouteComponent(
    () => import('./pages/workspace/tokens-page.tsx'),
    'TokensPage',
  ),
})
const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/usage',
  component: lazyRouteComponent(
    () => import('./pages/usage/usage-page.tsx'),
    'UsagePage',
  ),
})
const archives = createRoute({
  getParentRoute: () => workspace,
  path: '/archives',
  component: lazyRouteComponent(
    () => import('./features/archive/archives-page.tsx'),
    'ArchivesPage',
  ),
})
const audit = createRoute({
  getParentRoute: () => workspace,
  path: '/audit',
  component: lazyRouteComponent(
    () => import('./pages/workspace/audit-page.tsx'),
    'AuditPage',
  ),
})

const installation = createRoute({
  getParentRoute: () => workspace,
  path: '/installation',
  component: lazyRouteComponent(
    () => import('./features/operator/installation-page.tsx'),
    'InstallationPage',
  ),
})

const serverSettings = createRoute({
  getParentRoute: () => workspace,
  path: '/server-settings',
  component: lazyRouteComponent(
    () => import('./features/server-settings/server-settings-page.tsx'),
    'ServerSettingsPage',
  ),
})

const routeTree = root.addChildren([
  home,
  signIn,
  invitation,
  account,
  workspace.addChildren([
    workspaceHome,
    bots,
    members,
    tokens,
    audit,
    usage,
    archives,
    installation,
    serverSettings,
    botRoutes,
  ]),
])

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultErrorComponent: ({ error, reset }) => <Failed error={error} retry={reset} />,
  defaultNotFoundComponent: Missing,
  scrollRestoration: true,
  // The pages scroll in it, not in the window.
  scrollToTopSelectors: ['#content'],
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

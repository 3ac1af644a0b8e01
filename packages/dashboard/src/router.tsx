// Addresses of the pages. Each page is loaded when it is opened first. Filters are in the query.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { Filters } from './api/filters.ts'
import { queryClient } from './api/queries.ts'
import { sessionQuery } from './api/session.ts'
import { preloadSchemaForm } from './parts/forms/later-schema-form.tsx'
import { Failed } from './parts/states.tsx'
import { Home } from './shell/home.tsx'
import { Missing } from './shell/missing.tsx'
import { Root } from './shell/root.tsx'
import { WorkspaceHome } from './shell/workspace-home.tsx'
import { loadDocumentTexts } from './texts/of-document.ts'

const validateSearch = (search: Record<string, unknown>): Filters =>
  Object.fromEntries(
    Object.entries(search).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, toText(value)]],
    ),
  )

/** The router has parsed texts that are JSON. */
const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** Loads the session beside the file of a page. The page itself reports a failure. */
function preloadSession() {
  void queryClient.prefetchQuery(sessionQuery)
}

const root = createRootRoute({ component: Root, validateSearch })
const home = createRoute({ getParentRoute: () => root, path: '/', component: Home })
const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./features/sign-in/sign-in-page.tsx'), 'SignInPage'),
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
  component: lazyRouteComponent(() => import('./features/sign-in/account-page.tsx'), 'AccountPage'),
})

const workspace = createRoute({
  getParentRoute: () => root,
  path: '/w/$workspaceId',
  loader: preloadSession,
  component: lazyRouteComponent(() => import('./shell/workspace-frame.tsx'), 'WorkspaceFrame'),
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
  component: lazyRouteComponent(() => import('./pages/workspace/members-page.tsx'), 'MembersPage'),
})
const tokens = createRoute({
  getParentRoute: () => workspace,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./pages/workspace/tokens-page.tsx'), 'TokensPage'),
})
const usage = createRoute({
  getParentRoute: () => workspace,
  path: '/usage',
  component: lazyRouteComponent(() => import('./pages/usage/usage-page.tsx'), 'UsagePage'),
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
  component: lazyRouteComponent(() => import('./pages/workspace/audit-page.tsx'), 'AuditPage'),
})

const bot = createRoute({ getParentRoute: () => workspace, path: '/bots/$botId' })
const overview = createRoute({
  getParentRoute: () => bot,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/bot/overview-page.tsx'), 'OverviewPage'),
})
const versions = createRoute({
  getParentRoute: () => bot,
  path: '/versions',
  component: lazyRouteComponent(
    () => import('./features/versions/versions-page.tsx'),
    'VersionsPage',
  ),
})
const flows = createRoute({
  getParentRoute: () => bot,
  path: '/flows',
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import('./features/studio/studio-page.tsx'),
      loadDocumentTexts(),
    ])
    return page
  }, 'StudioPage'),
})
const chat = createRoute({
  getParentRoute: () => bot,
  path: '/chat',
  component: lazyRouteComponent(() => import('./pages/chat/chat-page.tsx'), 'ChatPage'),
})
const privacy = createRoute({
  getParentRoute: () => bot,
  path: '/privacy',
  component: lazyRouteComponent(() => import('./features/privacy/privacy-page.tsx'), 'PrivacyPage'),
})
const settings = createRoute({
  getParentRoute: () => bot,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/bot/settings-page.tsx'), 'SettingsPage'),
})

const inbox = createRoute({
  getParentRoute: () => bot,
  path: '/inbox',
  component: lazyRouteComponent(() => import('./features/handoffs/inbox-page.tsx'), 'InboxPage'),
})
const handoff = createRoute({
  getParentRoute: () => bot,
  path: '/inbox/$handoffId',
  component: lazyRouteComponent(
    () => import('./features/handoffs/handoff-page.tsx'),
    'HandoffPage',
  ),
})
const conversations = createRoute({
  getParentRoute: () => bot,
  path: '/conversations',
  component: lazyRouteComponent(
    () => import('./pages/conversations/conversations-page.tsx'),
    'ConversationsPage',
  ),
})
const conversation = createRoute({
  getParentRoute: () => bot,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(
    () => import('./pages/conversations/conversation-page.tsx'),
    'ConversationPage',
  ),
})
const broadcasts = createRoute({
  getParentRoute: () => bot,
  path: '/broadcasts',
  component: lazyRouteComponent(
    () => import('./features/broadcasts/broadcasts-page.tsx'),
    'BroadcastsPage',
  ),
})
const broadcast = createRoute({
  getParentRoute: () => bot,
  path: '/broadcasts/$broadcastId',
  component: lazyRouteComponent(
    () => import('./features/broadcasts/broadcast-page.tsx'),
    'BroadcastPage',
  ),
})
const users = createRoute({
  getParentRoute: () => bot,
  path: '/users',
  component: lazyRouteComponent(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
})
const user = createRoute({
  getParentRoute: () => bot,
  path: '/users/$userId',
  component: lazyRouteComponent(() => import('./pages/users/user-page.tsx'), 'UserPage'),
})
const knowledge = createRoute({
  getParentRoute: () => bot,
  path: '/knowledge',
  component: lazyRouteComponent(
    () => import('./features/knowledge/knowledge-frame.tsx'),
    'KnowledgeFrame',
  ),
})
const documents = createRoute({
  getParentRoute: () => knowledge,
  path: '/',
  component: lazyRouteComponent(
    () => import('./features/knowledge/knowledge-page.tsx'),
    'KnowledgePage',
  ),
})
const knowledgeSearch = createRoute({
  getParentRoute: () => knowledge,
  path: '/search',
  component: lazyRouteComponent(() => import('./features/knowledge/search-page.tsx'), 'SearchPage'),
})
const knowledgeFile = createRoute({
  getParentRoute: () => knowledge,
  path: '/files/$fileId',
  component: lazyRouteComponent(() => import('./features/knowledge/file-page.tsx'), 'FilePage'),
})
const curatedAnswers = createRoute({
  getParentRoute: () => knowledge,
  path: '/answers',
  component: lazyRouteComponent(
    () => import('./features/knowledge/curated/answers-page.tsx'),
    'AnswersPage',
  ),
})
const checks = createRoute({
  getParentRoute: () => knowledge,
  path: '/checks',
  component: lazyRouteComponent(
    () => import('./features/knowledge/checks/checks-page.tsx'),
    'ChecksPage',
  ),
})
const unanswered = createRoute({
  getParentRoute: () => knowledge,
  path: '/unanswered',
  component: lazyRouteComponent(
    () => import('./features/knowledge/unanswered/unanswered-page.tsx'),
    'UnansweredPage',
  ),
})
const websites = createRoute({
  getParentRoute: () => knowledge,
  path: '/websites',
  component: lazyRouteComponent(
    () => import('./features/knowledge/websites/websites-page.tsx'),
    'WebsitesPage',
  ),
})
const website = createRoute({
  getParentRoute: () => knowledge,
  path: '/websites/$sourceId',
  component: lazyRouteComponent(
    () => import('./features/knowledge/websites/website-page.tsx'),
    'WebsitePage',
  ),
})
const deliveries = createRoute({
  getParentRoute: () => bot,
  path: '/deliveries',
  component: lazyRouteComponent(() => import('./pages/bot/deliveries-page.tsx'), 'DeliveriesPage'),
})
const issues = createRoute({
  getParentRoute: () => bot,
  path: '/issues',
  component: lazyRouteComponent(() => import('./features/insights/issues-page.tsx'), 'IssuesPage'),
})
const logs = createRoute({
  getParentRoute: () => bot,
  path: '/logs',
  component: lazyRouteComponent(() => import('./pages/bot/logs-page.tsx'), 'LogsPage'),
})
const tables = createRoute({
  getParentRoute: () => bot,
  path: '/tables',
  component: lazyRouteComponent(() => import('./pages/tables/tables-page.tsx'), 'TablesPage'),
})
const table = createRoute({
  getParentRoute: () => bot,
  path: '/tables/$tableId',
  component: lazyRouteComponent(() => import('./pages/tables/table-page.tsx'), 'TablePage'),
})
const access = createRoute({
  getParentRoute: () => bot,
  path: '/access',
  component: lazyRouteComponent(() => import('./pages/bot/access-page.tsx'), 'AccessPage'),
})

const integrations = createRoute({
  getParentRoute: () => bot,
  path: '/integrations',
  component: lazyRouteComponent(
    () => import('./pages/integrations/integrations-page.tsx'),
    'IntegrationsPage',
  ),
})
const integration = createRoute({
  getParentRoute: () => bot,
  path: '/integrations/$alias',
  loader: preloadSchemaForm,
  component: lazyRouteComponent(
    () => import('./pages/integrations/integration-page.tsx'),
    'IntegrationPage',
  ),
})

const channel = createRoute({
  getParentRoute: () => bot,
  path: '/channels/$channelName',
  component: lazyRouteComponent(
    () => import('./features/channels/channel-page.tsx'),
    'ChannelPage',
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
    bot.addChildren([
      overview,
      inbox,
      handoff,
      conversations,
      conversation,
      broadcasts,
      broadcast,
      users,
      user,
      knowledge.addChildren([
        documents,
        knowledgeSearch,
        curatedAnswers,
        unanswered,
        checks,
        knowledgeFile,
        websites,
        website,
      ]),
      integrations,
      integration,
      channel,
      deliveries,
      issues,
      logs,
      tables,
      table,
      versions,
      flows,
      chat,
      privacy,
      settings,
      access,
    ]),
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

// Addresses of the pages of a bot.
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { beginFirstRead } from '../features/studio/draft/first-read.ts'
import { preloadSchemaForm } from '../parts/forms/later-schema-form.tsx'
import { loadDocumentTexts } from '../texts/of-document.ts'
import { bot } from './frames.ts'

const overview = createRoute({
  getParentRoute: () => bot,
  path: '/',
  component: lazyRouteComponent(
    () => import('../pages/bot/overview-page.tsx'),
    'OverviewPage',
  ),
})
const versions = createRoute({
  getParentRoute: () => bot,
  path: '/versions',
  component: lazyRouteComponent(
    () => import('../features/versions/versions-page.tsx'),
    'VersionsPage',
  ),
})
const flows = createRoute({
  getParentRoute: () => bot,
  path: '/flows',
  loader: ({ cause, params }) => {
    if (cause === 'enter') beginFirstRead(params)
  },
  component: lazyRouteComponent(async () => {
    const [page] = await Promise.all([
      import('../features/studio/studio-page.tsx'),
      loadDocumentTexts(),
    ])
    return page
  }, 'StudioPage'),
})
const chat = createRoute({
  getParentRoute: () => bot,
  path: '/chat',
  component: lazyRouteComponent(() => import('../pages/chat/chat-page.tsx'), 'ChatPage'),
})
const privacy = createRoute({
  getParentRoute: () => bot,
  path: '/privacy',
  component: lazyRouteComponent(
    () => import('../features/privacy/privacy-page.tsx'),
    'PrivacyPage',
  ),
})
const settings = createRoute({
  getParentRoute: () => bot,
  path: '/settings',
  component: lazyRouteComponent(
    () => import('../pages/bot/settings-page.tsx'),
    'SettingsPage',
  ),
})

const inbox = createRoute({
  getParentRoute: () => bot,
  path: '/inbox',
  component: lazyRouteComponent(
    () => import('../features/handoffs/inbox-page.tsx'),
    'InboxPage',
  ),
})
const handoff = createRoute({
  getParentRoute: () => bot,
  path: '/inbox/$handoffId',
  component: lazyRouteComponent(
    () => import('../features/handoffs/handoff-page.tsx'),
    'HandoffPage',
  ),
})
const conversations = createRoute({
  getParentRoute: () => bot,
  path: '/conversations',
  component: lazyRouteComponent(
    () => import('../pages/conversations/conversations-page.tsx'),
    'ConversationsPage',
  ),
})
const conversation = createRoute({
  getParentRoute: () => bot,
  path: '/conversations/$conversationId',
  component: lazyRouteComponent(
    () => import('../pages/conversations/conversation-page.tsx'),
    'ConversationPage',
  ),
})
const broadcasts = createRoute({
  getParentRoute: () => bot,
  path: '/broadcasts',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/broadcasts-page.tsx'),
    'BroadcastsPage',
  ),
})
const broadcast = createRoute({
  getParentRoute: () => bot,
  path: '/broadcasts/$broadcastId',
  component: lazyRouteComponent(
    () => import('../features/broadcasts/broadcast-page.tsx'),
    'BroadcastPage',
  ),
})
const users = createRoute({
  getParentRoute: () => bot,
  path: '/users',
  component: lazyRouteComponent(
    () => import('../pages/users/users-page.tsx'),
    'UsersPage',
  ),
})
const user = createRoute({
  getParentRoute: () => bot,
  path: '/users/$userId',
  component: lazyRouteComponent(() => import('../pages/users/user-page.tsx'), 'UserPage'),
})
const knowledge = createRoute({
  getParentRoute: () => bot,
  path: '/knowledge',
  component: lazyRouteComponent(
    () => import('../features/knowledge/knowledge-frame.tsx'),
    'KnowledgeFrame',
  ),
})
const documents = createRoute({
  getParentRoute: () => knowledge,
  path: '/',
  component: lazyRouteComponent(
    () => import('../features/knowledge/knowledge-page.tsx'),
    'KnowledgePage',
  ),
})
const knowledgeSearch = createRoute({
  getParentRoute: () => knowledge,
  path: '/search',
  component: lazyRouteComponent(
    () => import('../features/knowledge/search-page.tsx'),
    'SearchPage',
  ),
})
const knowledgeFile = createRoute({
  getParentRoute: () => knowledge,
  path: '/files/$fileId',
  component: lazyRouteComponent(
    () => import('../features/knowledge/file-page.tsx'),
    'FilePage',
  ),
})
const curatedAnswers = createRoute({
  getParentRoute: () => knowledge,
  path: '/answers',
  component: lazyRouteComponent(
    () => import('../features/knowledge/curated/answers-page.tsx'),
    'AnswersPage',
  ),
})
const checks = createRoute({
  getParentRoute: () => knowledge,
  path: '/checks',
  component: lazyRouteComponent(
    () => import('../features/knowledge/checks/checks-page.tsx'),
    'ChecksPage',
  ),
})
const unanswered = createRoute({
  getParentRoute: () => knowledge,
  path: '/unanswered',
  component: lazyRouteComponent(
    () => import('../features/knowledge/unanswered/unanswered-page.tsx'),
    'UnansweredPage',
  ),
})
const websites = createRoute({
  getParentRoute: () => knowledge,
  path: '/websites',
  component: lazyRouteComponent(
    () => import('../features/knowledge/websites/websites-page.tsx'),
    'WebsitesPage',
  ),
})
const website = createRoute({
  getParentRoute: () => knowledge,
  path: '/websites/$sourceId',
  component: lazyRouteComponent(
    () => import('../features/knowledge/websites/website-page.tsx'),
    'WebsitePage',
  ),
})
const deliveries = createRoute({
  getParentRoute: () => bot,
  path: '/deliveries',
  component: lazyRouteComponent(
    () => import('../pages/bot/deliveries-page.tsx'),
    'DeliveriesPage',
  ),
})
const issues = createRoute({
  getParentRoute: () => bot,
  path: '/issues',
  component: lazyRouteComponent(
    () => import('../features/insights/issues-page.tsx'),
    'IssuesPage',
  ),
})
const logs = createRoute({
  getParentRoute: () => bot,
  path: '/logs',
  component: lazyRouteComponent(() => import('../pages/bot/logs-page.tsx'), 'LogsPage'),
})
const tables = createRoute({
  getParentRoute: () => bot,
  path: '/tables',
  component: lazyRouteComponent(
    () => import('../pages/tables/tables-page.tsx'),
    'TablesPage',
  ),
})
const table = createRoute({
  getParentRoute: () => bot,
  path: '/tables/$tableId',
  component: lazyRouteComponent(
    () => import('../pages/tables/table-page.tsx'),
    'TablePage',
  ),
})
const access = createRoute({
  getParentRoute: () => bot,
  path: '/access',
  component: lazyRouteComponent(
    () => import('../pages/bot/access-page.tsx'),
    'AccessPage',
  ),
})

const integrations = createRoute({
  getParentRoute: () => bot,
  path: '/integrations',
  component: lazyRouteComponent(
    () => import('../pages/integrations/integrations-page.tsx'),
    'IntegrationsPage',
  ),
})
const integration = createRoute({
  getParentRoute: () => bot,
  path: '/integrations/$alias',
  loader: preloadSchemaForm,
  component: lazyRouteComponent(
    () => import('../pages/integrations/integration-page.tsx'),
    'IntegrationPage',
  ),
})

const channel = createRoute({
  getParentRoute: () => bot,
  path: '/channels/$channelName',
  component: lazyRouteComponent(
    () => import('../features/channels/channel-page.tsx'),
    'ChannelPage',
  ),
})

export const botRoutes = bot.addChildren([
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
])

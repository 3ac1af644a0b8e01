export { changeBot, makeBot } from './admin/bot-changes.ts'
export { codeTrials, tryCode } from './admin/code-trials.ts'
export { toAccount } from './admin/serializers.ts'
export { toBotLog } from './bot-logs.ts'
export { serveExtras } from './chat/extras.ts'
export { acceptWebSockets } from './chat/web-socket.ts'
export { fileAccess, writing } from './files/access.ts'
export { serveContent } from './files/content.ts'
export { toFile } from './files/serializers.ts'
export { foreignCookies, tunneledHeaders } from './foreign-headers.ts'
export { handlers } from './handlers.gen.ts'
export { messageOperations } from './message-operations.ts'
export { momentOf } from './moments.ts'
export { countedAs, quotaOfFeature } from './newer/features.ts'
export { serveOpenApi } from './open-api.ts'
export { originOf } from './origin.ts'
export { serveAssets } from './package-assets.ts'
export {
  creationPosition,
  type PagedQuery,
  type PageRequest,
  pageOf,
  parsePage,
  textPosition,
  timePosition,
} from './paging.ts'
export { attemptShown } from './platform/dead-letters.ts'
export { describeDeployment } from './platform/deployments.ts'
export { feedback } from './platform/feedback.ts'
export { operated, operatedByPerson } from './platform/operator.ts'
export { operatorPage } from './platform/paging.ts'
export { events } from './runtime/events.ts'
export { participants } from './runtime/participants.ts'
export { viewerOf } from './runtime/viewer.ts'
export { jobShown } from './tables/tables.ts'
export { forwardToIntegration, sendResponse, type WebhookResponse } from './webhooks/forward.ts'
export { addressIn, type ReceivedRequest, sandboxHeader } from './webhooks/received.ts'
export {
  installationAt,
  noIntegrationAtAddress,
  readWebhook,
  type WebhookRequest,
} from './webhooks/request.ts'
export { serveWebhooks, type WebhookRoute } from './webhooks/routes.ts'

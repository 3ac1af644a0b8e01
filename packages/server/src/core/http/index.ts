export { performAudited, recordRejection } from './audit.ts'
export { admit, callerInOtherBot, chatUserCaller } from './authenticate.ts'
export { rejectEncodings } from './body/body.ts'
export { createBodyCapacity, type Reservation } from './body/body-capacity.ts'
export { readAll } from './body/body-reader.ts'
export { parseJsonInSlices } from './body/json.ts'
export { inTurns, piecesSent } from './body/large-response.ts'
export { chunksOf, drain } from './drain.ts'
export type { FirstSteps } from './endpoint.ts'
export { reportHealth } from './health.ts'
export { createHooks, type ForwardedRequest, type Hooks, type Relocator } from './hooks.ts'
export type { MessageOperation } from './input/idempotency-key.ts'
export { partsOf } from './input/request-target.ts'
export { compileLargeSchemas, schemaTest } from './input/validation.ts'
export { isHosted, nameConnection, principalOf } from './limits/connections.ts'
export { rejectFullDisk } from './limits/full-disk.ts'
export {
  countChatUser,
  countConversation,
  countSharedWebhook,
  countUpload,
  countWebhook,
  lookUpGuarded,
  RateLimited,
} from './limits/rate-limits.ts'
export { defaultTimeouts, type Timeouts } from './limits/timeouts.ts'
export { isLocal, serveMetrics } from './metrics-endpoint.ts'
export { mountFamilies } from './mount.ts'
export { inRequest } from './observe.ts'
export { admitOperator, requireOperator } from './operators.ts'
export { byteRange } from './pages/byte-range.ts'
export { type DashboardOptions, serveDashboard } from './pages/dashboard.ts'
export { serveDocumentation } from './pages/documentation.ts'
export { etagOf, hasTag } from './pages/entity-tags.ts'
export type { FindPageBuild } from './pages/page-builds.ts'
export { servePage } from './pages/static.ts'
export { errorBody, openAiError, toApiError } from './reply-error.ts'
export { createServer } from './server.ts'
export type {
  AccountCaller,
  BotCaller,
  ChatCaller,
  ChatUserCaller,
  Context,
  Contexts,
  Invalidation,
  Services,
  TokenCaller,
  WorkspaceCaller,
} from './services.ts'
export {
  addressOf,
  announceProof,
  clearSession,
  cookieIn,
  findRequestSession,
  requireCredential,
  startSession,
  toCookie,
} from './session.ts'
export { bytesOf, EventStream, jsonOf, openStreams } from './streams/event-stream.ts'
export type { Handshake } from './streams/handshake.ts'
export { sendLines } from './streams/line-stream.ts'
export { ListenerLimits } from './streams/listener-limits.ts'
export { isVisibleBot, LiveStream } from './streams/live-stream.ts'
export { serveUpgrades, type UpgradeRoute } from './streams/upgrades.ts'
export { surviveExceptions } from './uncaught.ts'

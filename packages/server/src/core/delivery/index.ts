import { handlers } from './api/handlers.gen.ts'
import { serveWebhooks } from './api/webhooks/routes.ts'
import type { DeliveryHooks } from './hooks.ts'
import { bindings } from './services.ts'
import { startTasks } from './tasks.ts'

export const deliveryModule = {
  name: 'delivery',
  bindings,
  handlers,
  serveWebhooks,
  startTasks,
  createHooks: (): DeliveryHooks => ({
    completeMessage: [],
    ownCode: new Map(),
    actionCalled: [],
    findRemoteAction: [],
    webhookForwarded: [],
  }),
}
export { foreignCookies, tunneledHeaders } from './api/webhooks/foreign-headers.ts'
export {
  forwardToIntegration,
  sendResponse,
  type WebhookResponse,
} from './api/webhooks/forward.ts'
export {
  addressIn,
  type ReceivedRequest,
  sandboxHeader,
} from './api/webhooks/received.ts'
export { type WebhookRequest, webhooks } from './api/webhooks/request.ts'
export type { WebhookRoute } from './api/webhooks/routes.ts'
export { createActionCache } from './calls/action-cache.ts'
export { callAction } from './calls/actions.ts'
export { openHosting } from './calls/hosting.ts'
export { otherWorkspacesRejected } from './calls/hosting-trust.ts'
export type { Invoker } from './calls/invoker.ts'
export { type OwnCall, type OwnCode, toOwnCodeUrl } from './calls/own-code.ts'
export { openTargets, type Targets } from './calls/targets.ts'
export type { DeliveryHooks, DueMessage, ForwardedRequest } from './hooks.ts'
export { openDeliveries } from './open-deliveries.ts'
export type { DeliveryServices } from './services.ts'
export type { Task } from './tasks.ts'

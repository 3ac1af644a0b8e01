import type { WebhookRequest } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { type SharedServices, serveShared } from './api/webhooks/shared.ts'

type Knock = WebhookRequest<SharedServices>

export const sharedAddresses = {
  name: 'shared-addresses',
  handlers,
  webhookRoutes: [
    { urls: ['/integration/global/*'], answer: (knock: Knock) => serveShared(knock, 2) },
    { urls: ['/webhooks/integration/global/*'], answer: (knock: Knock) => serveShared(knock, 3) },
  ],
} satisfies Feature
export { checkScripts } from './script-rules.ts'
export { listScriptWarnings } from './script-warnings.ts'
export { type ScriptServices, scriptBindings } from './services.ts'
export { openVrl } from './vrl/vrl.ts'

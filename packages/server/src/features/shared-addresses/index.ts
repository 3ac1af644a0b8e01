import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveShared } from './api/webhooks/shared.ts'

export const sharedAddresses: Feature = {
  name: 'shared-addresses',
  handlers,
  webhookRoutes: [
    { urls: ['/integration/global/*'], answer: (knock) => serveShared(knock, 2) },
    { urls: ['/webhooks/integration/global/*'], answer: (knock) => serveShared(knock, 3) },
  ],
}
export { checkScripts } from './script-rules.ts'
export { listScriptWarnings } from './script-warnings.ts'
export type { ScriptServices } from './services.ts'
export { openVrl } from './vrl/vrl.ts'

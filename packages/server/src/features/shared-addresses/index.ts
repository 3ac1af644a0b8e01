import type { CatalogHooks } from '../../core/catalog/index.ts'
import type { WebhookRequest } from '../../core/delivery/index.ts'
import type { Feature } from '../../core/feature.ts'
import { handlers } from './api/handlers.gen.ts'
import { type SharedServices, serveShared } from './api/webhooks/shared.ts'
import { checkScripts } from './script-rules.ts'
import { bindings, type ScriptServices } from './services.ts'
import { tables } from './table-rules.ts'
import { openVrl } from './vrl/vrl.ts'

type Knock = WebhookRequest<SharedServices>

export const sharedAddresses = {
  name: 'shared-addresses',
  tables,
  bindings,
  handlers,
  /** Runs the scripts of integrations. */
  open: (): { services: ScriptServices; close(): Promise<void> } => {
    const vrl = openVrl()
    return { services: { vrl }, close: () => vrl.close() }
  },
  hooks: (hooks: CatalogHooks, { vrl }: ScriptServices) =>
    hooks.checkScripts.push((...what) => checkScripts(vrl, ...what)),
  webhookRoutes: [
    { urls: ['/integration/global/*'], answer: (knock: Knock) => serveShared(knock, 2) },
    {
      urls: ['/webhooks/integration/global/*'],
      answer: (knock: Knock) => serveShared(knock, 3),
    },
  ],
} satisfies Feature
export { readScriptWarnings } from './script-warnings.ts'

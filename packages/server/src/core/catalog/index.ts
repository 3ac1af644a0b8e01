import type { Services } from '../http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveAssets } from './api/package-assets.ts'
import { endForgottenRegistrations } from './installations/registration-rows.ts'
import { removeOldIntegrationLogs } from './integrations/integration-logs.ts'
import { bindings, type CatalogHooks } from './services.ts'
import { tables } from './table-rules.ts'

export const catalogModule = {
  name: 'catalog',
  tables,
  bindings,
  handlers,
  routes: serveAssets,
  createHooks: (): CatalogHooks => ({ checkScripts: [] }),
  tasks: ({ db, config: { logDays } }: Services) => [
    { everyMs: 60_000, run: () => endForgottenRegistrations(db) },
    { everyMs: 600_000, run: () => removeOldIntegrationLogs(db, logDays) },
  ],
}
export { toInstallation, toPluginInstallation } from './api/admin/installation-serializers.ts'
export { reportBotLoadError } from './api/admin/load-errors.ts'
export { describeDeployment } from './api/platform/deployments.ts'
export { type CallerCache, createCallerCache } from './installations/callers.ts'
export type {
  Equipment,
  InstallationChanges,
  RegistrationCall,
} from './installations/installation-plan.ts'
export {
  claimDueRegistrations,
  configureInstallation,
} from './installations/installation-settings.ts'
export {
  changeInstallations,
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
  type Installation,
  installDefaults,
  listChatAliases,
  listInstallations,
  listNotInstallable,
  openConfiguration,
  type PendingRegistrations,
  type ShownInstallation,
} from './installations/installations.ts'
export { findChannelOwner, findOwner, type OwningIntegration } from './installations/owners.ts'
export {
  type Attempt,
  recordRegistration,
  recordWorking,
  removeLeaving,
} from './installations/registration-rows.ts'
export { createUserKeys } from './installations/user-keys.ts'
export { type Declaration, findAliases, findDeclaration } from './integrations/declarations.ts'
export {
  type EquippedRow,
  findEquipped,
  findVersionsBeside,
  hostedIntegrationKey,
  processVersion,
} from './integrations/hosted-code.ts'
export {
  findInstallable,
  findInstallableByName,
  type HubIntegration,
  isChat,
  seedHub,
} from './integrations/hub.ts'
export { findActionName, listImplementingByName } from './integrations/implementations.ts'
export { findIntegrationCode } from './integrations/integration-code.ts'
export { listKeyHashes } from './integrations/integration-keys.ts'
export { createIntegrationLogWriter } from './integrations/integration-log-writer.ts'
export { findSecrets, findSigningSecrets } from './integrations/integration-secrets.ts'
export { findIntegration } from './integrations/integrations.ts'
export { removePrivatePackages } from './packages/removal.ts'
export {
  changePlugins,
  type InstalledPlugin,
  listInstalledPlugins,
  listNotInstallablePlugins,
  listRecurringEvents,
} from './plugins/installed-plugins.ts'
export type { PluginChanges } from './plugins/plugin-plan.ts'
export { findInstallablePlugins } from './plugins/plugins.ts'
export type { CatalogHooks, CatalogServices } from './services.ts'

import type { AccountHooks } from '../accounts/index.ts'
import type { Services } from '../http/index.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveAssets } from './api/package-assets.ts'
import { endForgottenRegistrations } from './installations/registration-rows.ts'
import { registerDue } from './installations/registrations.ts'
import { createUserKeys } from './installations/user-keys.ts'
import { removeOldIntegrationLogs } from './integrations/integration-logs.ts'
import { removePrivatePackages } from './packages/removal.ts'
import { bindings, type CatalogHooks } from './services.ts'
import { tables } from './table-rules.ts'

export const catalogModule = {
  name: 'catalog',
  tables,
  bindings,
  handlers,
  routes: serveAssets,
  open: ({ chatKey }: { chatKey: string }) => ({
    services: { userKeys: createUserKeys(chatKey) },
  }),
  createHooks: (): CatalogHooks => ({ checkScripts: [] }),
  hooks: (hooks: AccountHooks) => {
    hooks.workspaceEmptied.push(removePrivatePackages)
  },
  tasks: (services: Services & Parameters<typeof registerDue>[0]) => [
    { everyMs: 1_000, run: () => registerDue(services) },
    { everyMs: 60_000, run: () => endForgottenRegistrations(services.db) },
    { everyMs: 600_000, run: () => removeOldIntegrationLogs(services.db, services.config.logDays) },
  ],
}
export { toInstallation, toPluginInstallation } from './api/admin/installation-serializers.ts'
export { reportBotLoadError } from './api/admin/load-errors.ts'
export { describeDeployment } from './api/platform/deployments.ts'
export { type CallerCache, createCallerCache } from './installations/callers.ts'
export type { Equipment, InstallationChanges } from './installations/installation-plan.ts'
export { configureInstallation } from './installations/installation-settings.ts'
export {
  changeInstallations,
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
  type Installation,
  installDefaults,
  listChatAliases,
  listInstallations,
  openConfiguration,
  type ShownInstallation,
} from './installations/installations.ts'
export { findChannelOwner, findOwner, type OwningIntegration } from './installations/owners.ts'
export { recordWorking } from './installations/registration-rows.ts'
export { registerBot, settleInstallations, unregisterLast } from './installations/registrations.ts'
export { findAction } from './integrations/actions.ts'
export { findAliases, findDeclaration } from './integrations/declarations.ts'
export { findVersionsBeside, hostedIntegrationKey } from './integrations/hosted-code.ts'
export {
  findInstallable,
  findInstallableByName,
  type HubIntegration,
  isChat,
  seedHub,
} from './integrations/hub.ts'
export { listImplementingByName } from './integrations/implementations.ts'
export { findIntegrationCode } from './integrations/integration-code.ts'
export { listKeyHashes } from './integrations/integration-keys.ts'
export { createIntegrationLogWriter } from './integrations/integration-log-writer.ts'
export { findSecrets } from './integrations/integration-secrets.ts'
export { findIntegrationTarget, type IntegrationTarget } from './integrations/integration-target.ts'
export { findIntegration } from './integrations/integrations.ts'
export { rejectPrivatePackages } from './packages/transfers.ts'
export {
  type BotPluginRow,
  listBotPlugins,
  openBotPlugin,
  withPlugins,
} from './plugins/bot-plugins.ts'
export {
  changePlugins,
  type InstalledPlugin,
  listInstalledPlugins,
  listRecurringEvents,
} from './plugins/installed-plugins.ts'
export type { PluginChanges } from './plugins/plugin-plan.ts'
export { findInstallablePlugins } from './plugins/plugins.ts'
export type { CatalogHooks, CatalogServices } from './services.ts'

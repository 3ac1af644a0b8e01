import type { AccountHooks } from '../accounts/index.ts'
import type { Db } from '../db/index.ts'
import type { Services } from '../http/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { integrationTrials } from './api/admin/code-trials.ts'
import { handlers } from './api/handlers.gen.ts'
import { serveAssets } from './api/package-assets.ts'
import { createCallerCache } from './installations/callers.ts'
import { endForgottenRegistrations } from './installations/registration-rows.ts'
import { registerDue } from './installations/registrations.ts'
import { removeOldIntegrationLogs } from './integrations/integration-logs.ts'
import { removePrivatePackages } from './packages/removal.ts'
import { bindings, type CatalogHooks } from './services.ts'
import { tables } from './table-rules.ts'

export const catalogModule = {
  name: 'catalog',
  tables,
  bindings,
  handlers,
  firstSteps: integrationTrials,
  routes: serveAssets,
  open: ({ db, secrets }: Deps) => ({
    services: { callers: createCallerCache(db, secrets) },
  }),
  createHooks: (): CatalogHooks => ({ checkScripts: [] }),
  hooks: (hooks: AccountHooks) => {
    hooks.workspaceEmptied.push(removePrivatePackages)
  },
  tasks: (services: Services & Parameters<typeof registerDue>[0]) => [
    { everyMs: 1_000, run: () => registerDue(services) },
    { everyMs: 60_000, run: () => endForgottenRegistrations(services.db) },
    {
      everyMs: 600_000,
      run: () => removeOldIntegrationLogs(services.db, services.config.logDays),
    },
  ],
}

interface Deps {
  db: Db
  secrets: Secrets
}

export { viewBot } from './api/admin/bot-view.ts'
export { reportBotLoadError } from './api/admin/load-errors.ts'
export { describeDeployment } from './api/platform/deployments.ts'
export { changePackages, type PackageChanges } from './installations/bot-packages.ts'
export type { Equipment } from './installations/installation-plan.ts'
export { configureInstallation } from './installations/installation-settings.ts'
export { type Installation, installationStore } from './installations/installations.ts'
export { type OwningIntegration, owningIntegrations } from './installations/owners.ts'
export { recordWorking } from './installations/registration-rows.ts'
export { registrations } from './installations/registrations.ts'
export { findAction } from './integrations/actions.ts'
export { findAliases, findDeclaration } from './integrations/declarations.ts'
export { hostedIntegrationKey } from './integrations/hosted-code.ts'
export { hub } from './integrations/hub.ts'
export { listImplementingByName } from './integrations/implementations.ts'
export { findIntegrationCode } from './integrations/integration-code.ts'
export { listKeyHashes } from './integrations/integration-keys.ts'
export { createIntegrationLogWriter } from './integrations/integration-log-writer.ts'
export { findSecrets } from './integrations/integration-secrets.ts'
export {
  findIntegrationTarget,
  type IntegrationTarget,
} from './integrations/integration-target.ts'
export { rejectPrivatePackages } from './packages/transfers.ts'
export { withInstalledPlugins } from './plugins/bot-plugins.ts'
export { type InstalledPlugin, installedPlugins } from './plugins/installed-plugins.ts'
export { findInstallablePlugins } from './plugins/plugins.ts'
export type { CatalogHooks } from './services.ts'

export { toInstallation, toPluginInstallation } from './api/admin/installation-serializers.ts'
export { reportBotLoadError } from './api/admin/load-errors.ts'
export { handlers as catalogHandlers } from './api/handlers.gen.ts'
export { serveAssets } from './api/package-assets.ts'
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
  endForgottenRegistrations,
  recordRegistration,
  recordWorking,
  removeLeaving,
} from './installations/registration-rows.ts'
export {
  deleteShareableId,
  findLinkedInstallation,
  findShareableId,
  type InstallationRef,
  type IntegrationName,
  linkConversation,
  listSandboxConversations,
  makeShareableId,
  unlinkConversation,
  unlinkConversations,
} from './installations/sandbox-conversations.ts'
export { createUserKeys } from './installations/user-keys.ts'
export { type Declaration, findAliases, findDeclaration } from './integrations/declarations.ts'
export type {
  IntegrationDefinition,
  IntegrationDefinitionChange,
} from './integrations/definition.ts'
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
export { removeOldIntegrationLogs } from './integrations/integration-logs.ts'
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
export { type CatalogHooks, type CatalogServices, catalogBindings } from './services.ts'
export { tables } from './table-rules.ts'

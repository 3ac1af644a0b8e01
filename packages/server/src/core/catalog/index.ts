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
export { findInstallable, findInstallableByName, isChat, seedHub } from './integrations/hub.ts'
export {
  findActionName,
  isImplemented,
  listImplementingByName,
} from './integrations/implementations.ts'
export { findIntegrationCode, findIntegrationDeployment } from './integrations/integration-code.ts'
export {
  createIntegrationKey,
  deleteIntegrationKey,
  listIntegrationKeys,
  listKeyHashes,
} from './integrations/integration-keys.ts'
export {
  countView,
  findHubFacts,
  type IntegrationListing,
  type IntegrationOwner,
  type ListedIntegration,
  listIntegrations,
  matchesOf,
} from './integrations/integration-listings.ts'
export { createIntegrationLogWriter } from './integrations/integration-log-writer.ts'
export {
  appendIntegrationLogs,
  type IntegrationLogRow,
  listIntegrationLogs,
  removeOldIntegrationLogs,
} from './integrations/integration-logs.ts'
export {
  findSecrets,
  findSigningSecrets,
  rotateSigningSecret,
} from './integrations/integration-secrets.ts'
export {
  createIntegration,
  deleteIntegration,
  type FoundIntegration,
  findIntegration,
  findIntegrationByName,
  noIntegration,
  requireIntegration,
  updateIntegration,
  validateCreation,
  validateUpdate,
} from './integrations/integrations.ts'
export type { InterfaceDefinition } from './interfaces/definition.ts'
export {
  createInterface,
  deleteInterface,
  type IsUsed,
  updateInterface,
} from './interfaces/interfaces.ts'
export { findAsset } from './packages/assets.ts'
export {
  findPackage,
  findPackageByName,
  type HeadedTable,
  listPackages,
  type Package,
  type PackageHead,
} from './packages/heads.ts'
export { noPackage } from './packages/publishing.ts'
export { removePrivatePackages } from './packages/removal.ts'
export type { Scope } from './packages/versions.ts'
export { findDependencies, isDependedOn } from './plugins/dependencies.ts'
export {
  changePlugins,
  type InstalledPlugin,
  listInstalledPlugins,
  listNotInstallablePlugins,
  recurringOf,
} from './plugins/installed-plugins.ts'
export type { PluginChanges } from './plugins/plugin-plan.ts'
export {
  createPlugin,
  deletePlugin,
  dereferencePlugin,
  findInstallablePlugins,
  findPluginCode,
  type Plugin,
  updatePlugin,
} from './plugins/plugins.ts'
export { tables } from './table-rules.ts'

export { type Config, readConfig } from './config.ts'
export { ConfigError } from './environment.ts'
export {
  type FloodLimit,
  floodLimits,
  type LimitName,
  type Limits,
  listLimitSettings,
  rejectTooLarge,
  rejectTooMany,
  rejectTooManyTags,
} from './limits.ts'
export type {
  MailSettings,
  ModelSettings,
  OpenIdSettings,
  S3Settings,
} from './provider-settings.ts'
export type { DatabaseSection } from './sections/database.ts'
export type { HostingSection } from './sections/hosting.ts'
export type { HttpSection } from './sections/http.ts'
export type { KeySection } from './sections/keys.ts'
export type { LimitSection } from './sections/limits.ts'
export { isSender } from './sections/mail.ts'
export type { ModelSection } from './sections/models.ts'
export type { OperationSection } from './sections/operation.ts'
export type { SignInSection } from './sections/sign-in.ts'
export type { StorageSection } from './sections/storage.ts'

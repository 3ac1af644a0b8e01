export { type Config, readConfig, type Section } from './config.ts'
export { ConfigError } from './environment.ts'
export {
  type FloodLimit,
  floodLimits,
  type LimitName,
  type Limits,
  limitRules,
} from './limits.ts'
export type {
  MailSettings,
  ModelSettings,
  OpenIdSettings,
  S3Settings,
} from './provider-settings.ts'
export { isSender } from './sections/mail.ts'

export { type Config, ConfigError, readConfig } from './config.ts'
export {
  type FloodLimit,
  floodLimits,
  type LimitName,
  type Limits,
  limitNames,
  rejectTooLarge,
  rejectTooMany,
  rejectTooManyTags,
  settingOf,
} from './limits.ts'
export type { ModelSettings, OpenIdSettings } from './provider-settings.ts'

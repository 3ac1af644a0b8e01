export { nextTick } from './cron.ts'
export { earliestId, newId, newUuid, timeOfId, ulid } from './ids.ts'
export { createPageTokens, type PageTokens } from './page-tokens.ts'
export { checkProcessLimits, readProcessLimits, tooLow } from './process/process-limits.ts'
export { tagKey } from './tag-key.ts'
export { readYaml } from './text/read-yaml.ts'
export {
  isDeeper,
  maxJsonDepth,
  rejectUnstorable,
  rejectUnstorableAddress,
} from './text/storable.ts'

export { nextTick } from './cron.ts'
export { earliestId, newId, newUuid, timeOfId, ulid } from './ids.ts'
export { checkProcessLimits, findLowLimit } from './process/process-limits.ts'
export { tagKey } from './tag-key.ts'
export {
  isDeeper,
  maxJsonDepth,
  rejectUnstorable,
  rejectUnstorableAddress,
} from './text/storable.ts'

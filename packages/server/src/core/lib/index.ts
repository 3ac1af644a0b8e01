export { nextTick } from './cron.ts'
export { earliestId, newId } from './ids.ts'
export { tagKey } from './tag-key.ts'
export { rejectUnstorable, rejectUnstorableAddress } from './text/storable.ts'

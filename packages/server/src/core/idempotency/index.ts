export type { KeyedResponses, Perform } from './keyed-responses.ts'
// Idempotency keys: the first response to each request with a key, for a day.
export {
  claimKey,
  findKey,
  giveUpKey,
  type KeyedRequest,
  lookUpKey,
  purgeKeys,
  removeOldKeys,
  type StoredKey,
  type StoredResponse,
  settleKey,
  storeResponse,
} from './keys.ts'
export {
  insertKeys,
  isExpiredKey,
  isUnusedKey,
  type KeyedMessage,
  KeyTaken,
  type MessageKey,
} from './message-keys.ts'
export { tables } from './table-rules.ts'

export type { KeyedResponses } from './keyed-responses.ts'
export { purgeKeys, removeOldKeys } from './keys.ts'
export {
  insertKeys,
  isExpiredKey,
  isUnusedKey,
  type KeyedMessage,
  KeyTaken,
  type MessageKey,
} from './message-keys.ts'
export { openTransactions } from './open.ts'
export type { TransactionServices } from './request-transaction.ts'
export { tables } from './table-rules.ts'

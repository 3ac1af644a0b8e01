import type { Db } from '../db/index.ts'
import { removeOldKeys } from './keys.ts'
import { openTransactions } from './open.ts'
import { tables } from './table-rules.ts'

export const idempotencyModule = {
  name: 'idempotency',
  tables,
  open: openTransactions,
  tasks: ({ db }: { db: Db }) => [{ everyMs: 60_000, run: () => removeOldKeys(db) }],
}
export type { KeyedResponses } from './keyed-responses.ts'
export { purgeKeys } from './keys.ts'
export {
  type KeyedMessage,
  KeyTaken,
  type MessageKey,
  messageKeys,
} from './message-keys.ts'
export type { TransactionServices } from './request-transaction.ts'

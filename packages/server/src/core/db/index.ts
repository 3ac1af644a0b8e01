import { tables } from './table-rules.ts'

export const dbModule = { name: 'db', tables }
export type { Bindings, Inside } from './bindings.ts'
export { type ClientSettings, DatabaseClient } from './connection/client.ts'
export { isConflict, isDeadlock, isMissing } from './connection/conflicts.ts'
export { connections } from './connection/connect.ts'
export { DatabaseError } from './connection/database-error.ts'
export { parseHosts, targets } from './connection/hosts.ts'
export { lockDataFolder } from './connection/lock.ts'
export { findTimeoutMs, lazyOptions } from './connection/sessions.ts'
export { Undo } from './connection/start-steps.ts'
export { outages } from './connection/unavailable.ts'
export type { ConnectionSettings, Database, Db } from './database.ts'
export { hasHash } from './hashed-ids.ts'
export { type Json, toJson } from './json.ts'
export { schemaMigrations } from './migrating/migrate.ts'
export {
  type PlannedMigration,
  planMigrations,
} from './migrating/migration-plan.ts'
export { openDatabase } from './open.ts'
export { removeExcess } from './retention.ts'
export type { Schema } from './schema.ts'
export {
  type BoundStatement,
  type ColumnArrays,
  statement,
  toArrays,
} from './statement.ts'

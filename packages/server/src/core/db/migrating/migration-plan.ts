// Plans the pending migrations of a database without changing it: their statements, the locks, and
// the time that these take on tables of this size.
import type pg from 'pg'
import { findPendingMigrations } from './migrate.ts'
import { type Effect, parseStatements } from './migration-statements.ts'
import { parseSteps } from './migration-steps.ts'

interface PlannedEffect extends Effect {
  /** Of the table with its indexes; 0 for one that an earlier pending migration creates. */
  bytes: number
  /** Rough, and 0 for a moment. */
  seconds: number
}
export interface PlannedMigration {
  name: string
  /** Its statements commit one by one; otherwise all locks last until its end. */
  inSteps: boolean
  statements: { text: string; effects: PlannedEffect[] }[]
}

/**
 * Measured on a small machine whose disk is as fast as its processor; a large table may take
 * longer.
 */
const bytesPerSecond = {
  catalog: Infinity,
  scan: 200e6,
  index: 30e6,
  rewrite: 15e6,
  change: 5e6,
}

/**
 * Changes nothing and takes no lock. Throws DatabaseError for a newer database or changed files.
 */
export async function planMigrations(
  client: pg.Client,
  folder?: URL,
): Promise<PlannedMigration[]> {
  const pending = await findPendingMigrations(client, folder)
  const sizes = await readSizes(client)
  const toPlanned = (effect: Effect): PlannedEffect => {
    const bytes = sizes.get(effect.table) ?? 0
    return { ...effect, bytes, seconds: Math.round(bytes / bytesPerSecond[effect.work]) }
  }
  return pending.map(({ name, sql }) => ({
    name,
    inSteps: parseSteps(sql) !== null,
    statements: parseStatements(sql).map(({ text, effects }) => ({
      text,
      effects: effects.map(toPlanned),
    })),
  }))
}

async function readSizes(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: string }>(
    `select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`,
  )
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]))
}

// Tables with a limited age: which rows are old, and which of them stay because work on them has not ended.
// Every condition on `t` has an index, so a statement reads only old rows.
import type { RetentionKind } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'

/** Rows per statement: writers of the same rows wait for it. */
export const batchSize = 500

type Condition = RawBuilder<unknown>

export interface Age {
  botId: string
  /** Older rows are deleted. */
  at: Date
}

export interface AgeRule {
  kind: RetentionKind
  /** Place in the order of deletion. Sweeps store an index into this order: add at the end. */
  step: number
  old: (age: Age) => Condition
  /** Of the old rows, deletes only these. */
  isFree?: (age: Age) => Condition
  /**
   * Column that, with `id`, gives the order in which a sweep walks through the old rows, because rows
   * that are not free stay. Without it, no old row stays.
   */
  walk?: string
  /** Order of a batch: that of the index which the condition uses. */
  order?: Condition
  /** Rows of a batch, by default 500. */
  size?: number
  /** Deletes the rows that the condition selects; returns whether all of them are deleted. */
  remove?: (db: Db, botId: string, selected: Selected) => Promise<Removed>
}

/** Rows of a walk by their ids, or a condition on `t` with a limit. */
export interface Selected {
  ids: string[]
  where: Condition
}

export interface Removed {
  count: number
  /** Rows of the batch are left; the next batch begins with them. */
  hasMore?: boolean
}

export const isBefore =
  (column: string) =>
  ({ botId, at }: Age): Condition =>
    sql`t.bot_id = ${botId} and ${sql.ref(`t.${column}`)} < ${at}`

/** Deletes at most 500 of the rows that the condition on `t` selects. Returns their number. */
export async function deleteSome(
  db: Db,
  table: string,
  selected: Condition,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t where ${selected} limit ${batchSize}
    ))`.execute(db)
  return Number(numAffectedRows)
}

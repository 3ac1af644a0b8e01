// Deletes excess rows, in batches, so that other writers wait only briefly.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'

const batch = 10_000

interface RetentionBound {
  table: string
  /** The column of the owner; with `id`, which grows with time, it is the key of the table. */
  owner: string
  /** Rows to keep per owner. */
  max: number
  /**
   * Also delete older rows. `at` is their time column; it needs an index that begins with the
   * owner.
   */
  older?: { at: string; days: number }
}

/**
 * Deletes a batch of excess rows. Steps through the owners along the key, and computes each owner's
 * cut once.
 */
export async function removeExcess(
  db: Db,
  { table, owner: column, max, older }: RetentionBound,
): Promise<void> {
  const [name, owner] = [sql.table(table), sql.ref(column)]
  const cuts: RawBuilder<unknown>[] = [
    sql`select id from ${name} t where t.${owner} = holder.owner order by id desc offset ${max} limit 1`,
  ]
  if (older) {
    const at = sql.ref(older.at)
    cuts.push(
      sql`select id from ${name} t where t.${owner} = holder.owner
        and ${at} < now() - ${older.days} * interval '1 day' order by ${at} desc limit 1`,
    )
  }
  await sql`
    with recursive holder as (
      (select ${owner} as owner from ${name} order by ${owner} limit 1)
      union all
      select (select t.${owner} from ${name} t where t.${owner} > holder.owner order by t.${owner} limit 1)
        from holder where holder.owner is not null
    ),
    cut as materialized (
      select owner, greatest(${sql.join(cuts.map((one) => sql`(${one})`))}) as newest from holder
        where owner is not null
    )
    delete from ${name} where ctid = any(array(
      select t.ctid from ${name} t join cut on cut.owner = t.${owner} and t.id <= cut.newest limit ${batch}
    ))`.execute(db)
}

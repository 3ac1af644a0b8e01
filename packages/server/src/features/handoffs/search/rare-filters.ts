// Filters that few rows meet: their index gives the ids, up to a limit. Queries with a limit follow
// the order of an index, because the planner might otherwise read the table until the limit.
import { type RawBuilder, sql } from 'kysely'
import { tagKey } from '../../../core/lib/index.ts'

/** Rows of an index up to which a filter counts as rare. */
export const maxRare = 5_000

/** Limits a query so that it shows whether its filter is rare. */
export const limited = (rows: RawBuilder<unknown>) => sql`(${rows} limit ${maxRare + 1})`

export const idsWithTag = (
  botId: string,
  kind: 'conversation' | 'user',
  name: string,
  value: string,
) =>
  limited(sql`select subject_id as id from tag_value
    where bot_id = ${botId} and kind = ${kind} and key = ${tagKey(name)} and value = ${value}
    order by subject_id`)

/** An expression for the ids of a limited query as JSON, or null if the filter is not rare. */
export const rareIds = (rows: RawBuilder<unknown> | null) =>
  rows === null
    ? sql`null`
    : sql`(select case when count(*) > ${maxRare} then null
        else coalesce(jsonb_agg(distinct rare.id), '[]') end
      from ${rows} rare)`

/** Returns the ids in all sets; null without a set. */
export function intersection(sets: string[][]): string[] | null {
  const [first, ...others] = sets.sort((one, other) => one.length - other.length)
  if (!first) return null
  const rest = others.map((set) => new Set(set))
  return first.filter((id) => rest.every((set) => set.has(id)))
}

/** Rows that a page reads for each result, if most rows meet the conditions. */
export const readPerResult = 4

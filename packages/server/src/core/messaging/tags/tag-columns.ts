// Tags and properties as columns: jsonb objects of text.
import { type RawBuilder, sql } from 'kysely'
import type { Json } from '../../db/index.ts'
import type { TagChange, Tags } from './tags.ts'

export const json = <T>(value: T): RawBuilder<Json<T>> =>
  sql`${JSON.stringify(value)}::jsonb`

/** Merges in the database, so that of two concurrent updates neither loses the other's keys. */
export const mergedTags = (
  column: 'tags' | 'properties' | 'attributes',
  { set, removed }: TagChange,
): RawBuilder<Json<Tags>> =>
  sql`(coalesce(${sql.ref(column)}, '{}') || ${JSON.stringify(set)}::jsonb) - ${removed}::text[]`

export const hasTags = (tags: Tags): RawBuilder<boolean> =>
  sql`tags @> ${JSON.stringify(tags)}::jsonb`

/** The rows `wanted (tags, ord)` of a statement that looks for many objects by their tags. */
export const listWanted = (wanted: Tags[]): RawBuilder<unknown> =>
  sql`unnest(${wanted.map((tags) => JSON.stringify(tags))}::jsonb[]) with ordinality as wanted (tags, ord)`

/** Returns the row for each of the wanted tags; undefined without one. */
export function toWantedOrder<Row extends object>(
  wanted: unknown[],
  rows: (Row & { ord: string })[],
): (Row | undefined)[] {
  const found = new Map(
    rows.map(({ ord, ...row }) => [Number(ord), row as unknown as Row]),
  )
  return wanted.map((_, at) => found.get(at + 1))
}

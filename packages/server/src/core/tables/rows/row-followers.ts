// Determines the dependent computed columns, which become stale after a change.
import { sql } from 'kysely'
import type { TableRow } from '../tables.ts'
import { isComputed } from './row-input.ts'

/** Ids of all computed columns: a new row needs all of them. */
export const computedIds = (table: Pick<TableRow, 'columns' | 'compute_enabled'>) =>
  table.columns.filter((column) => isComputed(table, column)).map(({ id }) => id)

/** Marks the dependents of changed cells as stale. `t` is the old row, `p` the change. */
export function staleAfter(table: TableRow) {
  if (computedIds(table).length === 0) return sql`t.stale`
  const followers = Object.fromEntries(
    table.columns.map(({ id }) => [id, findFollowers(table, id)]),
  )
  return sql`array(
    select unnest(t.stale) union
    select jsonb_array_elements_text(${JSON.stringify(followers)}::jsonb -> k.id)
      from (select jsonb_object_keys(p.data) union select unnest(p.cleared)) k (id)
        where t.data -> k.id is distinct from p.data -> k.id)`
}

/**
 * Returns the ids of computed columns that depend on a column, directly or indirectly. A computed
 * column without dependencies depends on all columns.
 */
export function findFollowers(
  table: Pick<TableRow, 'columns' | 'compute_enabled'>,
  changed: string,
): string[] {
  const computed = table.columns.filter(
    (column) => isComputed(table, column) && column.id !== changed,
  )
  const reached = new Set([changed])
  const names = () =>
    table.columns.filter(({ id }) => reached.has(id)).map(({ name }) => name)
  for (let before = 0; before < reached.size; ) {
    before = reached.size
    const known = names()
    for (const { id, computed: how } of computed)
      if (
        !how?.dependencies?.length ||
        how.dependencies.some((name) => known.includes(name))
      )
        reached.add(id)
  }
  reached.delete(changed)
  return [...reached]
}

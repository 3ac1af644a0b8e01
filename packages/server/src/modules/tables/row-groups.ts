// Groups and aggregates rows: {"status": "key", "price": ["sum", "max"]} returns statusKey,
// priceSum, priceMax. Rows without a key value form one group; aggregates ignore empty cells.
// Without a key, all rows are one group.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../infra/db/open.ts'
import type { Column } from './columns.ts'
import { type Condition, type FieldPath, filterError, parsePath, typeAt } from './filter.ts'
import { cellAt, conditionSql, ofTable, textAt } from './filter-sql.ts'
import type { RowWindow } from './row-finder.ts'
import { readRows } from './table-cache.ts'
import type { FoundTable } from './tables.ts'

const operations = ['key', 'count', 'sum', 'avg', 'min', 'max', 'unique'] as const
type Operation = (typeof operations)[number]

/** One result per group: its name in responses, and its source. */
interface GroupResult {
  name: string
  field: string
  operation: Operation
  at: FieldPath
}

const maxResults = 50

/** Throws InvalidQuery. */
export function parseGroup(group: Record<string, unknown>, columns: Column[]): GroupResult[] {
  const results = Object.entries(group).flatMap(([field, wanted]) => {
    const at = parsePath(field, columns, `group.${field}`)
    return [...new Set([wanted].flat())].map((operation) => resultOf(field, operation, at))
  })
  if (results.length === 0 || results.length > maxResults)
    throw filterError('group', `must specify 1 to ${maxResults} results`)
  return results
}

function resultOf(field: string, operation: unknown, at: FieldPath): GroupResult {
  const known = operations.find((one) => one === operation)
  if (!known) throw filterError(`group.${field}`, `must be one or more of ${operations.join(', ')}`)
  const type = typeAt(at)
  if ((known === 'sum' || known === 'avg') && type && type !== 'number')
    throw filterError(`group.${field}`, 'must refer to a number column')
  return {
    name: `${field}${known[0]!.toUpperCase()}${known.slice(1)}`,
    field,
    operation: known,
    at,
  }
}

interface RowGroup {
  /** Number of the oldest row in the group. */
  first: number
  /** In the order of the results. */
  values: unknown[]
}

/**
 * Returns the result that sorts the groups: by its name, or by the field of a key. Null sorts by
 * the oldest row. Throws InvalidQuery.
 */
export function groupOrder(results: GroupResult[], by: string): GroupResult | null {
  if (by === 'id') return null
  const result =
    results.find(({ name }) => name === by) ??
    results.find(({ field, operation }) => field === by && operation === 'key')
  if (!result) throw filterError('orderBy', 'must be `id` or one of the results of `group`')
  return result
}

/** Returns one group more than the limit if there are more. */
export async function findGroups(
  db: Db,
  table: FoundTable,
  condition: Condition,
  results: GroupResult[],
  {
    by,
    direction,
    limit,
    offset,
  }: RowWindow & { by: GroupResult | null; direction: 'asc' | 'desc' },
): Promise<RowGroup[]> {
  // Compute the keys in a subquery: a path is a parameter, and PostgreSQL does not know that two
  // parameters are equal.
  const keys = results.map((result, i) => ({ ...result, as: sql.ref<unknown>(`key_${i}`) }))
  const grouped = keys.filter(({ operation }) => operation === 'key')
  const value = (result: GroupResult) =>
    grouped.find(({ name }) => name === result.name)?.as ?? resultSql(result)
  const to = sql.raw(direction)
  const order = by ? sql`${ordered(by, value(by))} ${to} nulls last, ` : sql``
  return readRows(
    db,
    table,
    sql<RowGroup>`
    select min(row_id)::float8 as first, jsonb_build_array(${sql.join(results.map(value))}) as values
    from (
      select ${sql.join([
        sql`row_id, data, created_at, updated_at`,
        ...grouped.map(({ at, as }) => sql`${keySql(at)} as ${as}`),
      ])}
      from table_row where ${ofTable(table)} and ${conditionSql(condition, table)}
    ) r
    ${grouped.length > 0 ? sql`group by ${sql.join(grouped.map(({ as }) => as))}` : sql`having count(*) > 0`}
    order by ${order}min(row_id) ${to} limit ${limit + 1} offset ${offset}`,
  )
}

/** Objects may contain JSON null; a cell is missing instead. */
const keySql = (at: FieldPath): RawBuilder<unknown> =>
  at.kind === 'deep' && at.steps.length > 0 ? sql`nullif(${cellAt(at)}, 'null'::jsonb)` : cellAt(at)
/** Ignores values of other types. */
const numberSql = (at: FieldPath): RawBuilder<unknown> =>
  at.kind === 'deep'
    ? sql`case when jsonb_typeof(${cellAt(at)}) = 'number' then (${cellAt(at)})::numeric end`
    : sql`(${cellAt(at)})::numeric`

function resultSql({ operation, at }: GroupResult): RawBuilder<unknown> {
  switch (operation) {
    case 'key':
      return keySql(at)
    case 'count':
      return at.kind === 'plain'
        ? sql`count(*) filter (where data ? ${at.id})`
        : sql`count(${keySql(at)})`
    case 'unique':
      return sql`count(distinct ${keySql(at)})`
    case 'sum':
    case 'avg':
      return sql`${sql.raw(operation)}(${numberSql(at)})::float8`
    case 'min':
    case 'max':
      return extreme(operation, at)
  }
}

/** Returns jsonb. Inside objects: of the numbers, or of the texts if there are no numbers. */
function extreme(operation: 'min' | 'max', at: FieldPath): RawBuilder<unknown> {
  const which = sql.raw(operation)
  const type = typeAt(at)
  const ofTexts = sql`to_jsonb(${which}(${textAt(at)} collate "C"))`
  if (type === 'boolean') return sql`to_jsonb(${which}(${textAt(at)}) = 'true')`
  if (type === 'string' || type === 'date') return ofTexts
  const ofNumbers = sql`to_jsonb(${which}(${numberSql(at)}))`
  if (type === 'number') return ofNumbers
  return sql`coalesce(${ofNumbers},
    to_jsonb(${which}(case when jsonb_typeof(${cellAt(at)}) = 'string' then ${textAt(at)} end collate "C")))`
}

/** Sorts texts by code points, as everywhere; jsonb would sort by the locale of the database. */
const ordered = ({ operation }: GroupResult, value: RawBuilder<unknown>) =>
  operation === 'key' || operation === 'min' || operation === 'max'
    ? sql`cell_key(${value}) collate "C"`
    : value

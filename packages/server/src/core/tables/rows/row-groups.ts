// Groups and aggregates rows: {"status": "key", "price": ["sum", "max"]} returns statusKey,
// priceSum, priceMax. Rows without a key value form one group; aggregates ignore empty cells.
// Without a key, all rows are one group.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Column } from '../columns.ts'
import { readRows } from '../table-cache.ts'
import type { FoundTable } from '../tables.ts'
import {
  type Condition,
  type FieldPath,
  filterError,
  parsePath,
  typeAt,
} from './filter.ts'
import { cellAt, conditionSql, idLiteral, ofTable, textAt } from './filter-sql.ts'
import type { RowWindow } from './row-finder.ts'

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
export function parseGroup(
  group: Record<string, unknown>,
  columns: Column[],
): GroupResult[] {
  const results = Object.entries(group).flatMap(([field, wanted]) => {
    const at = parsePath(field, columns, `group.${field}`)
    return [...new Set([wanted].flat())].map((operation) =>
      parseResult(field, operation, at),
    )
  })
  if (results.length === 0 || results.length > maxResults)
    throw filterError('group', `must specify 1 to ${maxResults} results`)
  return results
}

function parseResult(field: string, operation: unknown, at: FieldPath): GroupResult {
  const known = operations.find((one) => one === operation)
  if (!known)
    throw filterError(`group.${field}`, `must be one or more of ${operations.join(', ')}`)
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
  if (!result)
    throw filterError('orderBy', 'must be `id` or one of the results of `group`')
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
  const sources = new Sources()
  const columns = results.map((result) => toGroupColumn(result, sources))
  const grouped = columns.flatMap(({ key }) => (key ? [key] : []))
  const to = sql.raw(direction)
  const order = by
    ? sql`${columns[results.indexOf(by)]!.ordering} ${to} nulls last, `
    : sql``
  return readRows(
    db,
    table,
    sql<RowGroup>`
    select min(row_id)::float8 as first,
      jsonb_build_array(${sql.join(columns.map(({ value }) => value))}) as values
    from (
      select ${sql.join([sql`row_id`, ...sources.columns()])}
      from table_row where ${ofTable(table)} and ${conditionSql(condition, table)} offset 0
    ) r
    ${grouped.length > 0 ? sql`group by ${sql.join(grouped)}` : sql`having count(*) > 0`}
    order by ${order}min(row_id) ${to} limit ${limit + 1} offset ${offset}`,
  )
}

/** How a cell is read: as JSON, or faster if its type is known. */
type Form = 'cell' | 'number' | 'text'

/**
 * The cells of the subquery, each once. A subquery is needed because a path is a parameter, and
 * PostgreSQL does not know that two parameters are equal. With `offset 0` PostgreSQL also knows
 * nothing about the number of their values; otherwise it assumes that every row is its own group,
 * and sorts all rows.
 */
class Sources {
  readonly #sources = new Map<
    string,
    { as: RawBuilder<unknown>; cell: RawBuilder<unknown> }
  >()

  of({ field, at }: GroupResult, form: Form): RawBuilder<unknown> {
    const name = `${form} ${field}`
    const known = this.#sources.get(name)
    if (known) return known.as
    const as = sql.ref<unknown>(`source_${this.#sources.size}`)
    this.#sources.set(name, { as, cell: sourceSql(at, form) })
    return as
  }

  columns(): RawBuilder<unknown>[] {
    return [...this.#sources.values()].map(({ as, cell }) => sql`${cell} as ${as}`)
  }
}

function sourceSql(at: FieldPath, form: Form): RawBuilder<unknown> {
  if (form === 'cell') return keySql(at)
  if (form === 'number') return numberSql(at)
  return at.kind === 'plain'
    ? sql`(data ->> ${idLiteral(at.id)} collate "C")`
    : sql`(${textAt(at)} collate "C")`
}

/** One result in the outer query. */
interface GroupColumn {
  /** JSON. */
  value: RawBuilder<unknown>
  /** What sorts the groups. */
  ordering: RawBuilder<unknown>
  /** What groups the rows, if the result is a key. */
  key?: RawBuilder<unknown>
}

function toGroupColumn(result: GroupResult, sources: Sources): GroupColumn {
  if (result.operation === 'key') return toKeyColumn(result, sources)
  const value = resultSql(result, sources)
  const isCell = result.operation === 'min' || result.operation === 'max'
  return { value, ordering: isCell ? sortedAsCell(value) : value }
}

function toKeyColumn(result: GroupResult, sources: Sources): GroupColumn {
  const form = keyForm(result.at)
  const key = sources.of(result, form)
  if (form === 'cell') return { key, value: key, ordering: sortedAsCell(key) }
  const isBoolean = typeAt(result.at) === 'boolean'
  return {
    key,
    value: isBoolean ? sql`to_jsonb(${key} = 'true')` : sql`to_jsonb(${key})`,
    ordering: key,
  }
}

function keyForm(at: FieldPath): Form {
  const type = at.kind === 'plain' ? typeAt(at) : null
  if (type === 'number') return 'number'
  return type === 'string' || type === 'date' || type === 'boolean' ? 'text' : 'cell'
}

/** Objects may contain JSON null; a cell is missing instead. */
const keySql = (at: FieldPath): RawBuilder<unknown> =>
  at.kind === 'deep' && at.steps.length > 0
    ? sql`nullif(${cellAt(at)}, 'null'::jsonb)`
    : cellAt(at)
/** Ignores values of other types. */
const numberSql = (at: FieldPath): RawBuilder<unknown> =>
  at.kind === 'deep'
    ? sql`case when jsonb_typeof(${cellAt(at)}) = 'number' then (${cellAt(at)})::numeric end`
    : sql`(${cellAt(at)})::numeric`

function resultSql(result: GroupResult, sources: Sources): RawBuilder<unknown> {
  const { operation, at } = result
  switch (operation) {
    case 'key':
      return sources.of(result, keyForm(at))
    case 'count':
      return sql`count(${sources.of(result, 'cell')})`
    case 'unique':
      return sql`count(distinct ${sources.of(result, keyForm(at))})`
    case 'sum':
    case 'avg':
      return sql`${sql.raw(operation)}(${sources.of(result, 'number')})::float8`
    case 'min':
    case 'max':
      return extreme(result, sources)
  }
}

/** Returns jsonb. Inside objects: of the numbers, or of the texts if there are no numbers. */
function extreme(result: GroupResult, sources: Sources): RawBuilder<unknown> {
  const which = sql.raw(result.operation)
  const type = typeAt(result.at)
  if (type === 'boolean')
    return sql`to_jsonb(${which}(${sources.of(result, 'text')}) = 'true')`
  if (type === 'string' || type === 'date')
    return sql`to_jsonb(${which}(${sources.of(result, 'text')}))`
  const ofNumbers = sql`to_jsonb(${which}(${sources.of(result, 'number')}))`
  if (type === 'number') return ofNumbers
  const [cell, text] = [sources.of(result, 'cell'), sources.of(result, 'text')]
  return sql`coalesce(${ofNumbers},
    to_jsonb(${which}(case when jsonb_typeof(${cell}) = 'string' then ${text} end)))`
}

/** Sorts texts by code points, as everywhere; jsonb would sort by the locale of the database. */
const sortedAsCell = (value: RawBuilder<unknown>) => sql`cell_key(${value}) collate "C"`

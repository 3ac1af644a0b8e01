// Turns conditions (filter.ts) into SQL over table_row. Values are bound parameters; only our own
// column ids become part of the statement.
//
// SQL has a third truth value, null, which most conditions return for empty cells. It counts as
// false: `and` and `or` preserve that, and `not` is written `is not true`. So every condition has
// two outcomes, and indexed conditions keep the form that the indexes need.
//
// Equality, order and ranges use cell_key (migration 0035): a text that sorts like the cell. It is
// exact except for long texts, of which it keeps the beginning; these are also compared in full.
// Columns after the twentieth have no index and are compared directly: that costs less, and for a
// containment the planner assumes few rows.
import { type RawBuilder, sql } from 'kysely'
import type { Column } from '../columns.ts'
import type { CellType } from './cells.ts'
import {
  type Condition,
  type FieldPath,
  parseFilter,
  type Sign,
  typeAt,
} from './filter.ts'
import { hasLiterals, indexableLiterals, type TableWithTexts } from './row-texts.ts'

type Sql = RawBuilder<boolean>

/** Number of characters of a text that cell_key keeps. */
export const keyLength = 64

/** Patterns use an index of `table`, if it has one. */
export function conditionSql(condition: Condition, table?: TableWithTexts): Sql {
  switch (condition.op) {
    case 'all':
    case 'any':
      return joined(condition.of, condition.op, table)
    case 'not':
      return sql`(${conditionSql(condition.of, table)} is not true)`
    case 'equals':
      return equals(condition.at, condition.value)
    case 'in':
      return equalsAny(condition.at, condition.values)
    case 'compare':
      return compare(condition.at, condition.sign, condition.value)
    case 'exists':
      return exists(condition.at)
    case 'mod':
      return ifType(
        condition.at,
        'number',
        sql`mod(trunc(${numberAt(condition.at)}), ${condition.divisor}::numeric) =
          ${condition.remainder}::numeric`,
      )
    case 'size':
      return sql`case when jsonb_typeof(${cellAt(condition.at)}) = 'array' then
        jsonb_array_length(${cellAt(condition.at)}) = ${condition.size} end`
    case 'matches':
      return matches(condition, table)
  }
}

/** Condition on the table; the hash is the first column of its indexes. */
export const ofTable = ({
  bot_id,
  bot_table_id,
}: {
  bot_id: string
  bot_table_id: string
}): Sql =>
  sql`bot_id = ${bot_id} and bot_table_id = ${bot_table_id}
    and hashtext(bot_table_id) = hashtext(${bot_table_id})`

/** Condition on `table_row`: the rows of a table that a filter selects. Throws InvalidQuery. */
export const matchesRows = (
  table: TableWithTexts & { bot_id: string; bot_table_id: string; columns: Column[] },
  filter: Record<string, unknown>,
): Sql =>
  sql`${ofTable(table)} and ${conditionSql(parseFilter(filter, table.columns), table)}`

const never: Sql = sql`false`
const always: Sql = sql`true`

function joined(of: Condition[], op: 'all' | 'any', table?: TableWithTexts): Sql {
  if (of.length === 0) return always
  if (of.length === 1) return conditionSql(of[0]!, table)
  const each = of.map((one) => conditionSql(one, table))
  return sql`(${sql.join(each, op === 'all' ? sql` and ` : sql` or `)})`
}

function matches(
  { at, pattern, literals, ignoreCase }: Extract<Condition, { op: 'matches' }>,
  table?: TableWithTexts,
): Sql {
  const itself = ifType(
    at,
    'string',
    ignoreCase ? sql`${textAt(at)} ~* ${pattern}` : sql`${textAt(at)} ~ ${pattern}`,
  )
  if (at.kind !== 'plain' || !table?.text_columns.includes(at.id)) return itself
  const indexed = indexableLiterals(literals, ignoreCase)
  return indexed.length === 0
    ? itself
    : sql`(${hasLiterals(table, at.id, indexed, ignoreCase)} and ${itself})`
}

/**
 * Our own column id as a literal: with a parameter the planner would not match the expression
 * index.
 */
export function idLiteral(id: string): RawBuilder<string> {
  if (!/^[a-z]{1,3}\d{1,9}$/.test(id)) throw new Error('This is no id of a column')
  return sql.lit(id)
}

const columnCell = (id: string): RawBuilder<unknown> => sql`data -> ${idLiteral(id)}`

/** As JSON. */
export function cellAt(at: FieldPath): RawBuilder<unknown> {
  if (at.kind === 'system')
    return at.name === 'id' ? sql`to_jsonb(row_id)` : sql`to_jsonb(${timeText(at.name)})`
  if (at.kind === 'plain' || at.steps.length === 0) return sql`(${columnCell(at.id)})`
  return sql`(${columnCell(at.id)} #> ${at.steps}::text[])`
}

export const keyAt = (id: string): RawBuilder<string> =>
  sql`(cell_key(${columnCell(id)}) collate "C")`
export const timeAt = (name: 'createdAt' | 'updatedAt'): RawBuilder<Date> =>
  name === 'createdAt' ? sql`created_at` : sql`updated_at`
const timeText = (name: 'createdAt' | 'updatedAt') =>
  sql`to_char(${timeAt(name)}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
export const textAt = (at: FieldPath): RawBuilder<string> => sql`(${cellAt(at)} #>> '{}')`
const numberAt = (at: FieldPath): RawBuilder<number> =>
  at.kind === 'system' ? sql`row_id::numeric` : sql`(${cellAt(at)})::numeric`

const ofJson = {
  string: 'string',
  date: 'string',
  number: 'number',
  boolean: 'boolean',
} as const

/** Where the type varies by row, evaluates a condition only for rows with the right type. */
function ifType(at: FieldPath, type: CellType, condition: Sql): Sql {
  return typeAt(at)
    ? condition
    : sql`case when jsonb_typeof(${cellAt(at)}) = ${ofJson[type]} then ${condition} end`
}

/**
 * Number of columns with an index (migration 0035). Ids above it occur after columns were deleted.
 */
const indexedColumns = 20
const isIndexed = (id: string) => Number(id.slice(1)) <= indexedColumns

/** The column contains one of these values, which have its type. */
const contains = (id: string, values: unknown[]): Sql => {
  const rows = values.map((value) => JSON.stringify({ [id]: value }))
  return rows.length === 1
    ? sql`data @> ${rows[0]}::jsonb`
    : sql`data @> any(${rows}::jsonb[])`
}

/**
 * Uses the exact expression of the index, which contains the non-empty cells. `exactly` compares
 * long texts in full.
 */
function indexed(
  id: string,
  byKey: RawBuilder<unknown>,
  exactly: RawBuilder<unknown> | false,
): Sql {
  return sql`(${columnCell(id)} is not null
    and ${keyAt(id)} ${byKey}${exactly ? sql` and ${exactly}` : sql``})`
}

const toCellKey = (value: unknown) => sql`cell_key(${JSON.stringify(value)}::jsonb)`
const isLong = (value: unknown) =>
  typeof value === 'string' && [...value.slice(0, 2 * keyLength)].length >= keyLength

function exists(at: FieldPath): Sql {
  if (at.kind === 'system') return always
  return at.kind === 'plain'
    ? sql`${columnCell(at.id)} is not null`
    : sql`coalesce(${cellAt(at)}, 'null') <> 'null'::jsonb`
}

function equals(at: FieldPath, value: unknown): Sql {
  if (value === null) return sql`(${exists(at)} is not true)`
  if (at.kind === 'system')
    return at.name === 'id'
      ? oneOfIds([value as number])
      : sql`${timeAt(at.name)} = ${value as string}::timestamptz`
  if (at.kind === 'plain' && !isIndexed(at.id)) return contains(at.id, [value])
  if (at.kind === 'plain')
    return indexed(
      at.id,
      sql`= ${toCellKey(value)}`,
      isLong(value) && sql`${textAt(at)} = ${value as string}`,
    )
  const json = sql`${JSON.stringify(value)}::jsonb`
  const itself = sql<boolean>`${cellAt(at)} = ${json}`
  return typeof value === 'object'
    ? itself
    : sql`(${itself} or ${cellAt(at)} @> jsonb_build_array(${json}))`
}

function equalsAny(at: FieldPath, values: unknown[]): Sql {
  const some = values.filter((value) => value !== null)
  const found = some.length === 0 ? never : oneOfSome(at, some)
  return some.length < values.length ? sql`(${found} or ${equals(at, null)})` : found
}

/** `values` is not empty and contains no null. */
function oneOfSome(at: FieldPath, values: unknown[]): Sql {
  if (at.kind !== 'deep') return oneOfPlain(at, values)
  const each = values.map((value) => equals(at, value))
  return sql<boolean>`(${sql.join(each, sql` or `)})`
}

function oneOfPlain(at: Exclude<FieldPath, { kind: 'deep' }>, values: unknown[]): Sql {
  if (at.kind === 'plain' && !isIndexed(at.id)) return contains(at.id, values)
  if (at.kind === 'plain') {
    const exactly =
      values.some(isLong) && sql`${textAt(at)} = any(${values.map(String)}::text[])`
    return indexed(at.id, sql`in (${sql.join(values.map(toCellKey))})`, exactly)
  }
  return at.name === 'id'
    ? oneOfIds(values as number[])
    : sql`${timeAt(at.name)} = any(${values}::timestamptz[])`
}

const oneOfIds = (ids: number[]) =>
  sql<boolean>`row_id = any(${ids.filter(Number.isSafeInteger)}::bigint[])`

function compare(at: FieldPath, sign: Sign, value: string | number | boolean): Sql {
  const is = sql.raw(sign)
  if (at.kind === 'system')
    return at.name === 'id'
      ? compareIds(sign, value as number)
      : sql`${timeAt(at.name)} ${is} ${value as string}::timestamptz`
  if (at.kind === 'plain' && isIndexed(at.id)) {
    if (!isLong(value)) return indexed(at.id, sql`${is} ${toCellKey(value)}`, false)
    return indexed(
      at.id,
      sql`${sql.raw(`${sign[0]}=`)} ${toCellKey(value)}`,
      sql`${textAt(at)} collate "C" ${is} ${value as string}`,
    )
  }
  if (typeof value === 'number')
    return ifType(at, 'number', sql`${numberAt(at)} ${is} ${String(value)}::numeric`)
  if (typeof value === 'string')
    return ifType(at, 'string', sql`${textAt(at)} collate "C" ${is} ${value}`)
  return ifType(at, 'boolean', sql`(${cellAt(at)})::boolean ${is} ${value}`)
}

/** Ids are integers: a bound between two of them is rounded. */
function compareIds(sign: Sign, value: number): Sql {
  const whole = sign === '>' || sign === '<=' ? Math.floor(value) : Math.ceil(value)
  const most = Number.MAX_SAFE_INTEGER
  return sql`row_id ${sql.raw(sign)} ${Math.min(most, Math.max(-most, whole))}::bigint`
}

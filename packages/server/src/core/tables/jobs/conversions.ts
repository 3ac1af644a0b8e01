// Converts a column's values to another type, and previews it. An empty text becomes an empty
// cell, unless the column becomes text. A value that cannot be converted becomes an empty cell, too;
// the preview counts these separately, and the job lists them.
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import type { Column, ConvertibleType } from '../columns.ts'
import { parseExactJson } from '../files/json-records.ts'
import { coerceCell } from '../rows/cells.ts'
import type { TableRow } from '../tables.ts'

/** `null` empties the cell; `problem` is the reason for a failure. */
type Converted = { value: unknown } | { problem: string }

export function convertValue(type: ConvertibleType, value: unknown): Converted {
  if (type === 'string')
    return { value: typeof value === 'object' ? JSON.stringify(value) : String(value) }
  if (typeof value === 'string' && value.trim() === '') return { value: null }
  if (type === 'object' || type === 'array') return toJsonCell(type, value)
  const cell = coerceCell(type, plainFor(type, value))
  return 'wrong' in cell ? { problem: cell.wrong } : cell
}

const truths: Record<string, boolean> = { yes: true, no: false, '1': true, '0': false }

/** What people write for the type. */
function plainFor(type: 'number' | 'boolean' | 'date', value: unknown): unknown {
  if (type === 'number' && typeof value === 'boolean') return Number(value)
  if (type === 'date') return typeof value === 'string' ? value.trim() : value
  if (type !== 'boolean' || (typeof value !== 'string' && typeof value !== 'number'))
    return value
  const text = String(value).trim().toLowerCase()
  return Object.hasOwn(truths, text) ? truths[text] : text
}

function toJsonCell(type: 'object' | 'array', value: unknown): Converted {
  const parsed = typeof value === 'string' ? parseExactJson(value) : { value }
  const found = 'value' in parsed ? parsed.value : undefined
  const isFit =
    type === 'array'
      ? Array.isArray(found)
      : typeof found === 'object' && found !== null && !Array.isArray(found)
  if (isFit) return { value: found }
  return {
    problem: type === 'array' ? 'must be a list in JSON' : 'must be an object in JSON',
  }
}

interface Example {
  row: number
  before: unknown
  after: unknown
  problem?: string
}

interface ConversionPreview {
  /** Rows that were read; fewer than the table has if it is very large. */
  read: number
  isComplete: boolean
  converted: number
  /** Values with an empty text. */
  emptied: number
  failed: number
  examples: { converted: Example[]; emptied: Example[]; failed: Example[] }
}

const maxExamples = 5
const maxPreviewMs = 8_000
/** Rows per statement. */
const previewBatch = 10_000
const maxExampleCharacters = 500

/** Converts the values without storing them, as many as fit into some seconds. */
export async function previewConversion(
  db: Db,
  table: TableRow,
  column: Column,
  type: ConvertibleType,
): Promise<ConversionPreview> {
  const until = performance.now() + maxPreviewMs
  const preview: ConversionPreview = {
    read: 0,
    isComplete: false,
    converted: 0,
    emptied: 0,
    failed: 0,
    examples: { converted: [], emptied: [], failed: [] },
  }
  for (let after = 0; !preview.isComplete && performance.now() < until; ) {
    const values = await valuesAfter(db, table, column.id, after, previewBatch)
    for (const { id, value } of values)
      if (value !== null) count(preview, type, id, value)
    preview.read += values.length
    preview.isComplete = values.length < previewBatch
    after = values.at(-1)?.id ?? after
  }
  return preview
}

/** Of one column, by row number. */
export async function valuesAfter(
  db: Db,
  { bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>,
  columnId: string,
  after: number,
  limit: number,
): Promise<{ id: number; value: unknown }[]> {
  const { rows } = await sql<{ id: number; value: unknown }>`
    select row_id::float8 as id, data -> ${columnId}::text as value from table_row
    where bot_id = ${bot_id} and bot_table_id = ${bot_table_id} and row_id > ${after}::bigint
    order by row_id limit ${limit}`.execute(db)
  return rows
}

function count(
  preview: ConversionPreview,
  type: ConvertibleType,
  row: number,
  before: unknown,
) {
  const converted = convertValue(type, before)
  const outcome = toOutcome(converted)
  preview[outcome]++
  const examples = preview.examples[outcome]
  if (examples.length >= maxExamples) return
  examples.push({
    row,
    before: shortened(before),
    ...('problem' in converted
      ? { after: null, problem: converted.problem }
      : { after: shortened(converted.value) }),
  })
}

function toOutcome(converted: Converted): 'converted' | 'emptied' | 'failed' {
  if ('problem' in converted) return 'failed'
  return converted.value === null ? 'emptied' : 'converted'
}

function shortened(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  if (text.length <= maxExampleCharacters) return value
  return `${text.slice(0, maxExampleCharacters).replace(/[\ud800-\udbff]$/, '')}…`
}

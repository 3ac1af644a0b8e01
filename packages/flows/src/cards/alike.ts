// The filters of `alike`: texts that users typed, in any spelling.
import { type Spelling, toSpelling } from '../captures/spellings.ts'
import type { FlowDocument } from '../document/document.ts'
import type { Json } from '../engine/platform.ts'

interface AlikeSearch {
  /** Filter of the texts as they are typed. */
  exact: Json
  /** Filter of all rows that may fit; null if other spellings mean nothing else. */
  spelled: Json | null
  fits: (row: Json) => boolean
}

interface AlikeDeps {
  table: NonNullable<FlowDocument['tables']>[string] | undefined
  /** Country of phone numbers. */
  region: string | undefined
}

interface AlikeColumn {
  exact: unknown
  spelling: Spelling | null
}

/** Returns null if no row fits: a value is missing, or is not a number in a column of numbers. */
export function toAlikeSearch(
  alike: Json,
  { table, region }: AlikeDeps,
): AlikeSearch | null {
  const numbers = listNumberColumns(table)
  const columns = Object.entries(alike).map(
    ([name, value]) => [name, toColumn(value, numbers.has(name), region)] as const,
  )
  const known = columns.flatMap(([name, column]) =>
    column ? [[name, column] as const] : [],
  )
  if (known.length < columns.length) return null
  const toFilter = (toCondition: (column: AlikeColumn) => unknown) =>
    Object.fromEntries(known.map(([name, column]) => [name, toCondition(column)]))
  return {
    exact: toFilter(({ exact }) => exact),
    spelled: known.every(([, { spelling }]) => spelling === null)
      ? null
      : toFilter(({ exact, spelling }) =>
          spelling ? { $regex: spelling.pattern, $options: 'i' } : exact,
        ),
    fits: (row) =>
      known.every(
        ([name, { spelling }]) => !spelling || spelling.fits(String(row[name] ?? '')),
      ),
  }
}

/** A table may be described by a JSON Schema, or by its properties alone. */
function listNumberColumns(table: AlikeDeps['table']): Set<string> {
  const schema = (table?.schema ?? {}) as Json
  const properties = (schema.type === 'object' ? schema.properties : schema) as
    | Json
    | undefined
  const isNumber = (column: unknown) => (column as Json | null)?.type === 'number'
  return new Set(
    Object.keys(properties ?? {}).filter((name) => isNumber(properties![name])),
  )
}

/** A number with signs around it, such as `#1001`. */
const number = /^[^\p{L}\p{N}]*([0-9]{1,15})[^\p{L}\p{N}]*$/u

function toColumn(
  value: unknown,
  isNumber: boolean,
  region: string | undefined,
): AlikeColumn | null {
  if (typeof value === 'number' && isNumber) return { exact: value, spelling: null }
  const typed =
    typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  if (typed === '') return null
  if (isNumber) {
    const digits = number.exec(typed)?.[1]
    return digits === undefined ? null : { exact: Number(digits), spelling: null }
  }
  const exact = { $in: [...new Set([typed, typed.toUpperCase(), typed.toLowerCase()])] }
  return { exact, spelling: toSpelling(typed, region) }
}

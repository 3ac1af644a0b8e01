// The columns of a file, and those of the table into which they are imported.
import type { Output, platform, Table } from '@botstead/contract'
import { texts } from '../../../texts/texts.ts'
import { type ColumnType, toColumns } from '../columns.ts'

const t = texts.tables.import

export type Preview = Output<typeof platform.tableImports.previewTableImport> & {
  fileId: string
  fileName: string
}

/** `column`: of the table; null leaves the column out. */
export interface Mapped {
  source: string
  column: string | null
  isNew: boolean
  type: ColumnType
  example: string
}

/** Of a row, which every table has besides its columns. */
const ownNames = ['id', 'createdAt', 'updatedAt', 'computed', 'stale', 'similarity']
/**
 * Columns of files of rejected rows: the reason, and cells without a column. The same in all languages, as
 * people may import the file in another one.
 */
export const problemColumn = 'Problem'
export const toExtraColumn = (n: number | '') => `Extra cell ${n}`
const isExtra = (name: string) => name.startsWith(toExtraColumn('')) && /\d$/.test(name)
const isOfRejected = (name: string) => name === problemColumn || isExtra(name)
export const maxColumns = 20

/** Columns with the same name belong together; the others become new ones. */
export function initialMapping(
  { columns, rows }: Preview,
  table: Table | undefined,
): Mapped[] {
  const known = table ? toColumns(table) : []
  let free = maxColumns - known.length
  return columns.map(({ name, type }) => {
    const values = rows.map((row) => row[name]).filter((value) => value !== undefined)
    const example = values.slice(0, 3).map(toText).join(' · ')
    const same = known.find((column) => column.name.toLowerCase() === name.toLowerCase())
    if (same)
      return {
        source: name,
        isNew: false,
        type: same.type,
        example,
        column: same.isComputed ? null : same.name,
      }
    const isImported = !isOfRejected(name) && !table?.frozen && free-- > 0
    return {
      source: name,
      column: isImported ? newName(name) : null,
      isNew: true,
      type,
      example,
    }
  })
}

/** Of the column that a column of a file becomes. */
export const newName = (source: string) =>
  ownNames.includes(source) ? `${source}InFile` : source

/** Counts the rows of the preview with cells beyond the columns, which the import leaves out. */
export function extraRows({ rows }: Preview, mapping: Mapped[]): number {
  const left = mapping.filter(({ source, column }) => column === null && isExtra(source))
  const isGiven = (value: unknown) =>
    value !== undefined && value !== null && value !== ''
  return rows.filter((row) => left.some(({ source }) => isGiven(row[source]))).length
}

/** Returns why a new column cannot have its name, or undefined. */
export function wrongName(
  { source, column, isNew }: Mapped,
  mapping: Mapped[],
): string | undefined {
  if (column === null || !isNew) return undefined
  if (column.trim() === '') return t.nameMissing
  if (ownNames.includes(column)) return t.nameReserved
  const isTaken = mapping.some(
    (other) => other.source !== source && other.column === column,
  )
  return isTaken ? t.nameTaken : undefined
}

export const toText = (value: unknown) =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/** `Orders 2026.csv` becomes the name of a table. */
export const nameOfFile = (file: string) => {
  const [name = ''] = file.split('.')
  return name.replace(/^[^A-Za-z_]+/, '').replaceAll(/\W+/g, '_')
}

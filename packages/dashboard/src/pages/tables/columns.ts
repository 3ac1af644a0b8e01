// Columns of a table as the pages show them.
import type { Table } from '@botstead/contract'

export const columnTypes = [
  'string',
  'number',
  'boolean',
  'date',
  'object',
  'array',
] as const
export type ColumnType = (typeof columnTypes)[number]

/** Cells are shown and edited as JSON; filters have paths into them. */
export const isJsonType = (type: ColumnType) => type === 'object' || type === 'array'

export interface GridColumn {
  name: string
  type: ColumnType
  /** The server computes the values. */
  isComputed: boolean
  isSearchable: boolean
  /** In pixels. */
  width: number
}

const widths: Record<ColumnType, number> = {
  string: 220,
  number: 130,
  boolean: 110,
  date: 180,
  object: 240,
  array: 200,
}

export function toColumns({ schema, isComputeEnabled }: Table): GridColumn[] {
  return Object.entries(schema.properties).map(
    ([name, { type, format, 'x-zui': notes }]) => {
      const shown = toColumnType(type, format)
      return {
        name,
        type: shown,
        isComputed:
          isComputeEnabled !== false &&
          !!notes.computed &&
          notes.computed.enabled !== false,
        isSearchable: notes.searchable === true,
        width: Math.min(600, Math.max(80, notes.width ?? widths[shown])),
      }
    },
  )
}

/** A column of the type `null` has no values. */
function toColumnType(type: string, format: string | undefined): ColumnType {
  if (type === 'string' && format === 'date-time') return 'date'
  return columnTypes.find((known) => known === type) ?? 'string'
}

/** Returns the JSON Schema of a column. */
export const toSchema = (type: ColumnType) =>
  type === 'date' ? { type: 'string', format: 'date-time' } : { type }

/** Table names end in `Table`. */
export const toTableName = (name: string) => {
  const plain = name.trim().replaceAll(/\W+/g, '_')
  return /Table$/.test(plain) || plain === '' ? plain : `${plain}Table`
}

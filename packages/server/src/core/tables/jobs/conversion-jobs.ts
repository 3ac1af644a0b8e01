// Starts the conversion of a column's values to another type. convert-column.ts converts them.
import { ApiError } from '@botstead/contract'
import type { Db } from '../../db/index.ts'
import { type Column, type ConvertibleType, columnNamed } from '../columns.ts'
import { isComputed } from '../rows/row-input.ts'
import { reserveColumn, type TableRow } from '../tables.ts'
import { createJob, type JobRow, type TableTasks } from './jobs.ts'

/** Throws ResourceNotFound, and InvalidPayload for a computed column. */
export function convertibleColumn(table: TableRow, name: string): Column {
  const column = columnNamed(table.columns, name)
  if (!column)
    throw new ApiError('ResourceNotFound', `Column "${name.slice(0, 100)}" was not found`)
  if (isComputed(table, column))
    throw new ApiError(
      'InvalidPayload',
      `The server computes the column "${column.name}"`,
    )
  return column
}

/** The column's schema with another type. Notes that fit any type stay. */
function convertedSchema(
  { schema, nullable }: Column,
  type: ConvertibleType,
): Record<string, unknown> {
  const { searchable, hidden, order, width, userId } = schema['x-zui']
  const notes = { hidden, order, width, ...(type === 'string' && { searchable, userId }) }
  return {
    ...(type === 'date' ? { type: 'string', format: 'date-time' } : { type }),
    ...(schema.description !== undefined && { description: schema.description }),
    ...(!nullable && { nullable }),
    'x-zui': Object.fromEntries(
      Object.entries(notes).filter(([, note]) => note !== undefined),
    ),
  }
}

/** Reserves the id of the new column. The caller holds the lock of the table. */
export async function createConversion(
  trx: Db,
  table: TableRow,
  column: Column,
  type: ConvertibleType,
): Promise<JobRow> {
  const to = await reserveColumn(trx, table)
  const task: TableTasks['convert_column'] = {
    column: column.id,
    name: column.name,
    to,
    type,
    schema: convertedSchema(column, type),
  }
  return createJob(trx, table, { type: 'convert_column', task })
}

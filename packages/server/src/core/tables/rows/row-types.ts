// Rows of tables as the database returns them.
import type { Selectable } from 'kysely'
import type { Schema } from '../../db/index.ts'

export type StoredRow = Selectable<Schema['table_row']> & {
  data: Record<string, unknown>
  computed: Record<string, RowComputed>
}

interface RowComputed {
  status: string
  error?: string
  updatedBy?: string
  updatedAt?: string
}

/** The fields of a stored row that responses contain. */
export type OutputRow = Pick<
  StoredRow,
  'row_id' | 'data' | 'created_at' | 'updated_at'
> & {
  computed: StoredRow['computed'] | null
  stale: StoredRow['stale'] | null
}

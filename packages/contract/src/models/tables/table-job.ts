import { type Static, Type as T } from 'typebox'
import { closed, nullable, Timestamp } from '../../fields.ts'

export const TableJobType = T.Enum([
  'export',
  'import',
  'clear_column',
  'clear_vectors',
  'delete_rows',
  'duplicate_table',
])
export type TableJobType = Static<typeof TableJobType>

export const TableJobStatus = T.Enum([
  'pending',
  'in_progress',
  'finalizing',
  'completed',
  'failed',
])

const job = {
  id: T.String(),
  botId: T.String(),
  tableId: T.String(),
  type: TableJobType,
  status: TableJobStatus,
  /** Percentage. */
  progress: T.Optional(T.Number()),
  inputFileId: nullable(T.String()),
  outputFileId: nullable(T.String()),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

/** A background job on a table. @component */
export const TableJob = closed(job)
export type TableJob = Static<typeof TableJob>

/**
 * A job with its result. `leftOut` counts the skipped items; `warnings` describe the first of them.
 * @component
 */
export const ListedTableJob = T.Object({
  ...job,
  failureReason: T.Optional(T.String()),
  warnings: T.Optional(T.Array(T.String())),
  leftOut: T.Optional(T.Integer()),
})

/** A job that the request started. */
export const BegunJob = closed({ id: T.String(), status: T.String() })

/** With the types that only the platform's operations create. */
const platformJob = {
  ...job,
  type: T.Enum([
    'export',
    'import',
    'clear_column',
    'clear_vectors',
    'delete_rows',
    'duplicate_table',
    'update_rows',
    'convert_column',
  ]),
}

/** @component */
export const PlatformTableJob = closed(platformJob)
export type PlatformTableJob = Static<typeof PlatformTableJob>

/**
 * `changed` counts the changed, deleted or imported rows so far; `fileName` is the name of the imported
 * file.
 * @component
 */
export const ListedPlatformTableJob = closed({
  ...platformJob,
  failureReason: T.Optional(T.String()),
  warnings: T.Optional(T.Array(T.String())),
  leftOut: T.Optional(T.Integer()),
  changed: T.Optional(T.Integer()),
  fileName: T.Optional(T.String()),
})

import { type Static, Type as T } from 'typebox'
import { closed, dictionary, nullable, Timestamp } from '../../fields.ts'

const columnTypes = ['string', 'number', 'boolean', 'object', 'array', 'null'] as const

/** The definition of a computed column: its source and the columns on which it depends. */
export const Computed = closed({
  action: T.Enum(['ai', 'code', 'workflow']),
  dependencies: T.Optional(T.Array(T.String())),
  prompt: T.Optional(T.String()),
  code: T.Optional(T.String()),
  model: T.Optional(T.String({ maxLength: 80 })),
  workflowId: T.Optional(T.String({ maxLength: 20 })),
  enabled: T.Optional(T.Boolean()),
})
export type Computed = Static<typeof Computed>

/**
 * Metadata of a column. `index` numbers all columns that the table ever had, including deleted
 * ones.
 */
export const ColumnNotes = closed({
  index: T.Integer(),
  id: T.Optional(T.String()),
  searchable: T.Optional(T.Boolean()),
  hidden: T.Optional(T.Boolean()),
  order: T.Optional(T.Number()),
  width: T.Optional(T.Number()),
  schemaId: T.Optional(T.String()),
  computed: T.Optional(Computed),
  typings: T.Optional(T.String()),
  /** The column contains ids of users: an erasure of a user deletes the rows with its id. */
  userId: T.Optional(T.Boolean()),
})
export type ColumnNotes = Static<typeof ColumnNotes>

/** The schema of a nested value. Only `type` is required; everything else is accepted. */
const nestedSchema = T.Object(
  { type: T.Enum([...columnTypes]) },
  { additionalProperties: true },
)

/** @component */
export const ColumnSchema = closed({
  type: T.Enum([...columnTypes]),
  format: T.Optional(T.Enum(['date-time'])),
  description: T.Optional(T.String()),
  pattern: T.Optional(T.String()),
  enum: T.Optional(T.Array(T.String())),
  items: T.Optional(nestedSchema),
  nullable: T.Optional(T.Boolean()),
  properties: T.Optional(dictionary(nestedSchema)),
  'x-zui': ColumnNotes,
})
export type ColumnSchema = Static<typeof ColumnSchema>

export const TableSchema = closed({
  $schema: T.Optional(T.String()),
  properties: dictionary(ColumnSchema),
  additionalProperties: T.Literal(true),
  required: T.Optional(T.Array(T.String())),
  type: T.Enum(['object']),
})

export const TableTags = dictionary(T.String())

/** The row size limit in units of 4 kB. A row counts as this many rows in quotas. */
export const Factor = T.Number({ minimum: 1, maximum: 30 })

/** @component */
export const Table = closed({
  id: T.String(),
  name: T.String({ minLength: 1 }),
  factor: T.Optional(Factor),
  frozen: T.Optional(T.Boolean()),
  keyColumn: T.Optional(nullable(T.String())),
  schema: TableSchema,
  tags: T.Optional(TableTags),
  isComputeEnabled: T.Optional(T.Boolean()),
  createdAt: T.Optional(Timestamp),
  updatedAt: T.Optional(Timestamp),
})
export type Table = Static<typeof Table>

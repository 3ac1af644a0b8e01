// Reads a table's columns from a JSON Schema of a row, or from its properties alone, as written by
// zod and by people. Invariant: a column keeps its id while its values keep their meaning.
// Responses show the part of a schema that fits the contract; the rest stays in the stored schema.
import {
  ApiError,
  type ColumnNotes,
  type ColumnSchema,
  type Computed,
} from '@botstead/contract'
import { checkColumnName } from './column-names.ts'
import { columnNotes } from './column-notes.ts'

type ColumnType = 'string' | 'number' | 'boolean' | 'date' | 'object' | 'array' | 'null'
/** A type to which the values of a column can be converted. */
export type ConvertibleType = Exclude<ColumnType, 'null'>

export interface Column {
  /** Key of the column's values in a row: `c1`. */
  id: string
  name: string
  type: ColumnType
  nullable: boolean
  /** Whether a new row must have a value. */
  required: boolean
  searchable: boolean
  computed?: Computed
  /** As shown to callers. */
  schema: ColumnSchema
}

/** A schema as it was written, its columns by name. */
export interface TableDocument {
  $schema?: string
  properties: Record<string, Json>
  required?: string[]
}

/** The columns of a table. `next` is the number of the next new column. */
export interface Columns {
  document: TableDocument
  columns: Column[]
  next: number
}

type Json = Record<string, unknown>

export const maxColumns = 20
const maxSchemaBytes = 100_000
export const noColumns: Columns = { document: { properties: {} }, columns: [], next: 1 }

/**
 * Returns the columns after a change. Unnamed columns stay; null deletes a column; a new type makes
 * it a different column with a new id. Throws InvalidJsonSchema, InvalidIdentifier, and
 * LimitExceeded for too many columns.
 */
export function changeColumns(before: Columns, given: Json): Columns {
  if (Buffer.byteLength(JSON.stringify(given)) > maxSchemaBytes)
    throw new ApiError(
      'LimitExceeded',
      `A schema may have at most ${maxSchemaBytes} bytes`,
    )
  const { properties, ...rest } = readDocument(given)
  const document: TableDocument = {
    ...before.document,
    ...rest,
    properties: merged(before.document.properties, properties),
  }
  const names = Object.keys(document.properties)
  if (names.length > maxColumns)
    throw new ApiError(
      'LimitExceeded',
      `A table may have at most ${maxColumns} columns, not ${names.length}`,
    )
  let { next } = before
  const columns = names.map((name) => {
    const known = before.columns.find((column) => column.name === name)
    if (known && !Object.hasOwn(properties, name))
      return { ...known, required: isRequired(document, name) }
    const column = readColumn(document, name, {
      index: known?.schema['x-zui'].index ?? next - 1,
    })
    const keeps = known && keepsValues(known, column)
    return { ...column, id: keeps ? known.id : `c${next++}` }
  })
  checkDependencies(columns)
  return { document, columns, next }
}

/**
 * Renames a column and keeps its values. Throws the errors of `changeColumns`, and AlreadyExists.
 */
export function renameColumn(before: Columns, from: string, to: string): Columns {
  if (from !== to && before.columns.some(({ name }) => name === to))
    throw new ApiError('AlreadyExists', `A column named "${to}" already exists`)
  checkColumnName(to)
  const renamed = (name: string) => (name === from ? to : name)
  const { properties, required } = before.document
  return {
    document: {
      ...before.document,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, written]) => [renamed(name), written]),
      ),
      ...(required && { required: required.map(renamed) }),
    },
    columns: before.columns.map((column) =>
      withDependencies({ ...column, name: renamed(column.name) }, renamed),
    ),
    next: before.next,
  }
}

export function columnNamed(columns: Column[], name: string): Column | undefined {
  return columns.find((column) => column.name === name)
}

/** Returns whether any column is searchable by words. */
export const isSearchable = ({ columns }: Pick<Columns, 'columns'>) =>
  columns.some(({ searchable }) => searchable)

/** Accepts a JSON Schema of an object with properties, or the properties alone. */
function readDocument(given: Json): TableDocument {
  if (given.type !== 'object' || !isObject(given.properties))
    return { properties: given as TableDocument['properties'] }
  const { $schema, properties, required } = given
  const names = Array.isArray(required)
    ? required.filter((name) => typeof name === 'string')
    : undefined
  return {
    ...(typeof $schema === 'string' && { $schema }),
    properties: properties as TableDocument['properties'],
    ...(names && { required: names }),
  }
}

function merged(
  before: TableDocument['properties'],
  given: Record<string, unknown>,
): TableDocument['properties'] {
  for (const name of Object.keys(given)) checkColumnName(name)
  const all = { ...before, ...given } as Record<string, unknown>
  return Object.fromEntries(
    Object.entries(all).filter(([, written]) => written !== null),
  ) as TableDocument['properties']
}

function readColumn(
  document: TableDocument,
  name: string,
  fallback: { index: number },
): Omit<Column, 'id'> {
  const written = plain(document.properties[name], name)
  const type = toType(written, name)
  const notes: ColumnNotes = { ...fallback, ...columnNotes(written, name) }
  const isNullable = written.nullable !== false
  return {
    name,
    type: type === 'string' && written.format === 'date-time' ? ('date' as const) : type,
    nullable: isNullable,
    required: isRequired(document, name),
    searchable: notes.searchable === true,
    ...(notes.computed && { computed: notes.computed }),
    schema: {
      type,
      ...(type === 'string' &&
        written.format === 'date-time' && { format: 'date-time' as const }),
      ...(typeof written.description === 'string' && {
        description: written.description,
      }),
      ...(typeof written.pattern === 'string' && { pattern: written.pattern }),
      ...(isTexts(written.enum) && { enum: written.enum }),
      ...(isObject(written.items) && { items: toInnerSchema(written.items) }),
      ...(typeof written.nullable === 'boolean' && { nullable: written.nullable }),
      ...(isObject(written.properties) && {
        properties: mapped(written.properties, toInnerSchema),
      }),
      'x-zui': notes,
    },
  }
}

const isRequired = ({ required }: TableDocument, name: string) =>
  required?.includes(name) === true

/** Removes the forms that only add "or null" to a type. */
function plain(written: unknown, name: string): Json {
  if (!isObject(written))
    throw new ApiError('InvalidJsonSchema', `The column "${name}" must be a JSON Schema`)
  const { anyOf, oneOf, ...rest } = written
  const variants = (anyOf ?? oneOf) as unknown
  if (Array.isArray(variants)) {
    const [one, ...others] = variants.filter(
      (variant) => isObject(variant) && variant.type !== 'null',
    )
    if (!isObject(one) || others.length > 0)
      throw new ApiError(
        'InvalidJsonSchema',
        `The column "${name}" must have exactly one type`,
      )
    return { ...one, nullable: variants.length > 1, ...rest }
  }
  if (!Array.isArray(written.type)) return written
  const types = written.type.filter((type) => type !== 'null')
  return {
    ...written,
    type: types.length === 1 ? types[0] : undefined,
    nullable: types.length < written.type.length,
  }
}

function toType({ type }: Json, name: string): ColumnSchema['type'] {
  const known = typeNamed(type)
  if (!known)
    throw new ApiError(
      'InvalidJsonSchema',
      `The column "${name}" must have a type: string, number, boolean, object, array or null`,
    )
  return known
}

function typeNamed(type: unknown): ColumnSchema['type'] | undefined {
  if (type === 'integer') return 'number'
  return (['string', 'number', 'boolean', 'object', 'array', 'null'] as const).find(
    (known) => known === type,
  )
}

/** Shows a nested schema with exactly one type, regardless of the author's schema. */
function toInnerSchema(written: unknown): NonNullable<ColumnSchema['items']> {
  if (!isObject(written)) return { type: 'object' }
  const types = [
    written.type,
    ...(Array.isArray(written.anyOf)
      ? written.anyOf.map((variant) => isObject(variant) && variant.type)
      : []),
  ].flat()
  const type = types
    .map(typeNamed)
    .find((known) => known !== undefined && known !== 'null')
  return { ...written, type: type ?? typeNamed(written.type) ?? 'object' }
}

/**
 * Returns whether existing values fit the new type: the types are equal, and a date does not become
 * plain text.
 */
const keepsValues = (before: Pick<Column, 'type'>, after: Pick<Column, 'type'>) =>
  before.type === after.type

function withDependencies(column: Column, renamed: (name: string) => string): Column {
  const { computed } = column
  if (!computed?.dependencies) return column
  const changed = { ...computed, dependencies: computed.dependencies.map(renamed) }
  return {
    ...column,
    computed: changed,
    schema: {
      ...column.schema,
      'x-zui': { ...column.schema['x-zui'], computed: changed },
    },
  }
}

function checkDependencies(columns: Omit<Column, 'id'>[]) {
  const names = columns.map(({ name }) => name)
  for (const { name, computed } of columns) {
    const lost = computed?.dependencies?.find(
      (dependency) => dependency === name || !names.includes(dependency),
    )
    if (lost !== undefined)
      throw new ApiError(
        'InvalidJsonSchema',
        `The column "${name}" depends on the unknown column "${lost}"`,
      )
  }
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')
const mapped = <T>(object: Json, make: (value: unknown) => T) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, make(value)]))

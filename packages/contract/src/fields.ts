// Schemas that models and operations share.
import {
  type Static,
  Type as T,
  type TObject,
  type TProperties,
  type TSchema,
} from 'typebox'
import { momentForms } from './moment.ts'

/**
 * Describes an object without further properties: requests with others are rejected, responses omit
 * them.
 */
export const closed = <P extends TProperties>(properties: P): TObject<P> =>
  T.Object(properties, { additionalProperties: false })

/**
 * Describes a map with any keys. T.Record would not check the values of keys that contain a line
 * break.
 */
export const dictionary = <S extends TSchema>(value: S) =>
  T.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })

/** Any JSON object. */
export const Json = T.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
})

export const nullable = <S extends TSchema>(schema: S) => T.Union([schema, T.Null()])

/** An id: `<prefix>_` and a ULID, or a UUID for an object that another server created. */
export const id = (prefix: string) =>
  T.String({
    minLength: 28,
    maxLength: 36,
    examples: [`${prefix}_01KAJ0ZP5S8V3N7Q4XW2R9TDHM`],
  })

/**
 * A time in a response: ISO 8601 with milliseconds and Z. The official chat client accepts no
 * offset.
 */
export const Timestamp = T.String({ format: 'date-time' })

/** A time in a request, parsed by `parseMoment`. The server's validator implements the format. */
export const Moment = T.String({
  format: 'moment',
  description: `Must be ${momentForms}.`,
})

/** A count, up to the maximum of a 32-bit database integer. */
export const Count = T.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** Tags in a response. */
export const Tags = dictionary(T.String())

/** Tags to set. */
export const NewTags = dictionary(T.String({ maxLength: 500 }))

/** Tags to merge into the existing ones; null or an empty string removes one. */
export const TagChanges = dictionary(nullable(T.String({ maxLength: 500 })))

/** Properties that the bot and all its integrations share. */
export const Properties = dictionary(T.String({ maxLength: 200 }))
export const PropertyChanges = dictionary(nullable(T.String({ maxLength: 200 })))

/**
 * Query parameters of every list operation. A page may be shorter than `pageSize` (clients after
 * 1.82).
 */
export const paging = {
  nextToken: T.Optional(T.String()),
  pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
}

/** The paging part of every list response. `nextToken` is absent on the last page. */
export const Meta = closed({ nextToken: T.Optional(T.String()) })

/** Part of every get-or-create response. */
export const CreatedMeta = closed({ created: T.Boolean() })

/** Describes the sort parameters of a list operation. By default, the newest comes first. */
export const sorting = <const Field extends string>(...fields: Field[]) => ({
  sortField: T.Optional(T.Enum<Field[]>(fields)),
  sortDirection: T.Optional(T.Enum(['asc', 'desc'])),
})

/** An empty success response. */
export const Done = closed({})

export const byId = T.Object({ id: T.String() })

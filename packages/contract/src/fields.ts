// The small pieces that models and operations are made of.
import { type Static, Type as T, type TObject, type TProperties, type TSchema } from 'typebox'
import { momentForms } from './moment.ts'

/** An object that has these properties and no others: an unknown one is refused on the way in, and never sent on the way out. */
export const closed = <P extends TProperties>(properties: P): TObject<P> =>
  T.Object(properties, { additionalProperties: false })

/** Any names, one kind of value. Not T.Record, whose pattern lets a name with a line break escape the check. */
export const mapOf = <S extends TSchema>(value: S) =>
  T.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value })

/** An object of which we know nothing but that it is one. */
export const Json = T.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })

export const nullable = <S extends TSchema>(schema: S) => T.Union([schema, T.Null()])

/** An id that we make: `<prefix>_` and a ULID. UUIDs are as good, where something was made elsewhere. */
export const id = (prefix: string) =>
  T.String({ minLength: 28, maxLength: 36, examples: [`${prefix}_01KAJ0ZP5S8V3N7Q4XW2R9TDHM`] })

/** A moment, ISO 8601 in UTC with milliseconds, ending in Z (the official chat client accepts no offset). */
export const Timestamp = T.String({ format: 'date-time' })

/** A moment as callers write one; `parseMoment` reads it. The server's validator knows the format. */
export const Moment = T.String({ format: 'moment', description: `Must be ${momentForms}.` })

/** How many; the database counts no further. */
export const Count = T.Integer({ minimum: 0, maximum: 2_147_483_647 })

/** Labels on a thing, as the caller sees them. */
export const Tags = mapOf(T.String())

/** Labels to set. */
export const NewTags = mapOf(T.String({ maxLength: 500 }))

/** Labels to merge into those that are there; null or the empty text removes one. */
export const TagChanges = mapOf(nullable(T.String({ maxLength: 500 })))

/** Small facts about a thing that the bot and all its integrations share. */
export const Properties = mapOf(T.String({ maxLength: 200 }))
export const PropertyChanges = mapOf(nullable(T.String({ maxLength: 200 })))

/** What every listing takes. `pageSize` is a wish of clients newer than 1.82: a page may be shorter. */
export const paging = {
  nextToken: T.Optional(T.String()),
  pageSize: T.Optional(T.Integer({ minimum: 1, maximum: 1000 })),
}

/** What every listing answers with: `nextToken` is absent on the last page. */
export const Meta = closed({ nextToken: T.Optional(T.String()) })

/** What a get-or-create answers with. */
export const CreatedMeta = closed({ created: T.Boolean() })

/** By what a listing can be sorted; newest first unless said. */
export const sorting = <const Field extends string>(...fields: Field[]) => ({
  sortField: T.Optional(T.Enum<Field[]>(fields)),
  sortDirection: T.Optional(T.Enum(['asc', 'desc'])),
})

/** The answer that says nothing but that it worked. */
export const Done = closed({})

export const byId = T.Object({ id: T.String() })

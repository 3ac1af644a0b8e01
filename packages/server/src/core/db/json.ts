// JSON as it is written to json and jsonb columns. The driver would send an array as a PostgreSQL
// array and a string as it is, so every value is serialised before.
declare const value: unique symbol

/** The JSON text of a T. */
export type Json<T> = string & { readonly [value]: T }

/** Serialises a value for a json or jsonb column. */
export const toJson = <T>(value: T): Json<T> => JSON.stringify(value) as Json<T>

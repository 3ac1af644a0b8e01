// Columns with encrypted values, and the context that each value is bound to: decryption needs its key and
// its context. A transfer to another installation decrypts and encrypts each value again, and keeps the
// other text of the row.

export interface SealedValue {
  /** The value in the row's JSON. */
  text: string
  encoding: 'hex' | 'base64'
  location: string
}
// biome-ignore lint/suspicious/noExplicitAny: a row of any table, as JSON
type Row = any

export interface SealedColumn {
  /** The replacement in an archive without secrets. */
  empty: string
  /** Generates the value on import of an archive without secrets; null keeps `empty`. */
  fresh: (() => string) | null
  values(row: Row): SealedValue[]
}

/** Marks an omitted value; real encrypted values are longer. */
const mark = Buffer.from('left out')
const leftOutBytes = `'\\x${mark.toString('hex')}'::bytea`
export const leftOutText = `\\x${mark.toString('hex')}`

interface BytesOptions {
  /** An archive without secrets has null. */
  isNullable?: boolean
  fresh?: () => string
}

/** Describes a column with the bytes of an encrypted value. */
export const sealedBytes = (
  column: string,
  toLocation: (row: Row) => string,
  { isNullable = false, fresh }: BytesOptions = {},
): SealedColumn => ({
  empty: isNullable ? 'null::bytea' : leftOutBytes,
  fresh: fresh ?? null,
  values: (row) =>
    row[column] === null
      ? []
      : [{ text: row[column], encoding: 'hex', location: toLocation(row) }],
})

/** Describes a column with an object of encrypted values, each in base64 under its name. */
export const sealedObject = (
  column: string,
  toLocation: (row: Row) => string,
): SealedColumn => ({
  empty: "'{}'::jsonb",
  fresh: null,
  values: (row) =>
    Object.entries<string>(row[column]).map(([name, text]) => ({
      text,
      encoding: 'base64',
      location: `${toLocation(row)}/${name}`,
    })),
})

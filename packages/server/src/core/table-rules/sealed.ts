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
export const leftOutBytes = `'\\x${mark.toString('hex')}'::bytea`
export const leftOutText = `\\x${mark.toString('hex')}`

export const toBytes = (text: string | null, location: string): SealedValue[] =>
  text === null ? [] : [{ text, encoding: 'hex', location }]

export const toNamed = (values: Record<string, string>, location: string): SealedValue[] =>
  Object.entries(values).map(([name, text]) => ({
    text,
    encoding: 'base64',
    location: `${location}/${name}`,
  }))

export const configuration = (table: string): SealedColumn => ({
  empty: leftOutBytes,
  fresh: () => '{}',
  values: (row) => toBytes(row.configuration, `${table}.configuration/${row.bot_id}/${row.alias}`),
})

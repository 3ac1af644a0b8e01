// Prepared statements with named parameters: `:botId` in the text, and the value under the same
// name.

/** The arguments of `Database.run` and `Database.lazily`. */
export type BoundStatement = [name: string, text: string, values: unknown[]]

/**
 * A parameter: one colon before a name, which begins with a small letter. Two colons are a cast;
 * a capital letter belongs to a time format, such as `HH24:MI`.
 */
const parameter = /(?<!:):([a-z]\w*)/g

/** A statement as it is sent: parameters have numbers. */
interface Declared {
  name: string
  text: string
  /** The names of the parameters, in the order of their numbers. */
  parameters: string[]
}

let declaring: (declared: Declared) => void = () => {}

/** Calls `listener` with each statement that is declared from now on: `npm run generate` lists them. */
export function onDeclaration(listener: (declared: Declared) => void): void {
  declaring = listener
}

/**
 * Returns a function that binds values to the statement. `Values` has one property for each
 * parameter of the text. Throws if a parameter has no value.
 */
export function statement<Values extends object>(
  name: string,
  text: string,
): (values: Values) => BoundStatement {
  const names = [...new Set([...text.matchAll(parameter)].map(([, found]) => found!))]
  const numbered = text.replaceAll(
    parameter,
    (_, found: string) => `$${names.indexOf(found) + 1}`,
  )
  declaring({ name, text: numbered, parameters: names })
  return (values) => [name, numbered, names.map((name) => requireValue(values, name))]
}

function requireValue(values: object, name: string): unknown {
  const value = (values as Record<string, unknown>)[name]
  if (value === undefined)
    throw new Error(`The statement's parameter ${name} has no value; use null for none`)
  return value
}

/** One array for each property of a record, for `unnest`. */
export type ColumnArrays<Row> = { [Name in keyof Row]: Row[Name][] }

/** Turns records, at least one, into one array for each property. */
export function toArrays<Row extends object>(rows: Row[]): ColumnArrays<Row> {
  const names = Object.keys(rows[0]!) as (keyof Row)[]
  const arrays = names.map((name) => [name, rows.map((row) => row[name])])
  return Object.fromEntries(arrays) as ColumnArrays<Row>
}

// Secret fields of a configuration, by its schema: the mark of the official SDK (`x-zui.secret`),
// and `writeOnly` and `format: password` of JSON Schema.
type Json = Record<string, unknown>

/** Returns the data without secret fields. */
export function withoutSecrets(schema: unknown, data: Json): Json {
  const properties = getProperties(schema)
  const kept = Object.entries(data).flatMap(([name, value]) => {
    const part = properties.get(name)
    if (isSecret(part)) return []
    return [[name, isObject(value) ? withoutSecrets(part, value) : value] as const]
  })
  return Object.fromEntries(kept)
}

/** Adds secret fields that only `before` has. */
export function keepSecrets(schema: unknown, data: Json, before: unknown): Json {
  if (!isObject(before)) return data
  const result = new Map(Object.entries(data))
  const had = new Map(Object.entries(before))
  for (const [name, part] of getProperties(schema)) {
    const value = result.get(name)
    if (isSecret(part) && value === undefined && had.has(name))
      result.set(name, had.get(name))
    else if (isObject(value)) result.set(name, keepSecrets(part, value, had.get(name)))
  }
  return Object.fromEntries(result)
}

const getProperties = (schema: unknown) =>
  new Map(
    Object.entries(
      isObject(schema) && isObject(schema.properties) ? schema.properties : {},
    ),
  )

function isSecret(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { writeOnly, format, 'x-zui': zui } = schema
  return (
    writeOnly === true || format === 'password' || (isObject(zui) && zui.secret === true)
  )
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

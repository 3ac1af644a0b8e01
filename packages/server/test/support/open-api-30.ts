// Converts our OpenAPI documents from 3.1 to 3.0 for generators that read only 3.0.

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Json = any

/**
 * Returns the document with one tag per operation, because generators write a class for each tag, and with
 * names for the bodies, as newer generators have them: `CreateMessageBody`, `CreateMessageResult`.
 */
export function toOpenApi30(document: Json): Json {
  for (const operation of Object.values<Json>(document.paths).flatMap(Object.values) as Json[]) {
    operation.tags.length = 1
    const name = operation.operationId[0].toUpperCase() + operation.operationId.slice(1)
    entitle(operation.requestBody, `${name}Body`)
    for (const [status, response] of Object.entries(operation.responses))
      if (Number(status) < 300) entitle(response, `${name}Result`)
  }
  return convert({ ...document, openapi: '3.0.3' })
}

function entitle(content: Json, title: string) {
  const schema = content?.content['application/json']?.schema
  if (schema?.properties) schema.title = title
}

const isNull = ({ type }: Json) => type === 'null'

function convert(value: Json): Json {
  if (Array.isArray(value)) return value.map(convert)
  if (typeof value !== 'object' || value === null) return value
  const { const: only, anyOf, additionalProperties, examples, ...rest } = value
  const inside = anyOf?.filter((one: Json) => !isNull(one))
  const converted = {
    ...rest,
    ...('const' in value && { enum: [only] }),
    ...(examples && { example: examples[0] }),
    ...(inside && (inside.length === 1 ? inside[0] : { anyOf: inside })),
    ...(anyOf?.some(isNull) && { nullable: true }),
    // The default in both, but not for this generator
    ...(additionalProperties !== undefined &&
      additionalProperties !== true && { additionalProperties }),
  }
  return Object.fromEntries(Object.entries(converted).map(([key, one]) => [key, convert(one)]))
}

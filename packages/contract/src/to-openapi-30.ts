// Converts a document to OpenAPI 3.0, for generators that do not read 3.1. Converts the keywords of 3.1
// that our schemas have: `const`, `examples` and the type `null`. A test validates the result, so that it
// fails for a new keyword.
import type { OpenApiDocument, OpenApiOperation, OpenApiResponse } from './to-openapi.ts'

type Schema = Record<string, unknown>
type Content = Record<string, { schema: unknown }>

export interface OpenApi30Operation extends OpenApiOperation {
  'x-stability'?: string
}

export interface OpenApi30Document
  extends Omit<OpenApiDocument, 'openapi' | 'tags' | 'paths'> {
  openapi: '3.0.3'
  paths: Record<string, Record<string, OpenApi30Operation>>
}

/**
 * Returns the document as OpenAPI 3.0. Operations have one tag, because generators of that time write a class
 * for each tag, and cannot leave one out. The second tag becomes `x-stability`. Bodies get names, for example
 * `CreateMessageBody` and `CreateMessageResult`: these generators number them otherwise.
 */
export function toOpenApi30(document: OpenApiDocument): OpenApi30Document {
  const { openapi: _version, tags: _stability, ...rest } = document
  const { schemas, responses } = document.components
  return {
    openapi: '3.0.3',
    ...rest,
    paths: mapValues(document.paths, (methods) => mapValues(methods, toOperation)),
    components: {
      ...document.components,
      schemas: mapValues(schemas, toSchema),
      responses: mapValues(responses, (one) => toResponse(one)),
    },
  }
}

function mapValues<From, To>(
  object: Record<string, From>,
  convert: (value: From, key: string) => To,
): Record<string, To> {
  const entries = Object.entries(object).map(([key, value]) => [key, convert(value, key)])
  return Object.fromEntries(entries)
}

function toOperation(operation: OpenApiOperation): OpenApi30Operation {
  const { operationId, parameters, requestBody, responses } = operation
  const [group, stability] = operation.tags
  const name = operationId[0]!.toUpperCase() + operationId.slice(1)
  return {
    ...operation,
    tags: [group!],
    ...(stability && { 'x-stability': stability }),
    ...(parameters && {
      parameters: parameters.map((one) => ({ ...one, schema: toSchema(one.schema) })),
    }),
    ...(requestBody && {
      requestBody: {
        ...requestBody,
        content: toContent(requestBody.content, `${name}Body`),
      },
    }),
    responses: mapValues(responses, (one) => toResponse(one, `${name}Result`)),
  }
}

const toResponse = <Response extends OpenApiResponse | { $ref: string }>(
  response: Response,
  title?: string,
): Response =>
  'content' in response
    ? { ...response, content: toContent(response.content, title) }
    : response

const toContent = (content: Content, title?: string) =>
  mapValues(content, ({ schema }) => ({ schema: withTitle(toSchema(schema), title) }))

/** Other schemas have a name, or no class in generated code. */
const withTitle = (schema: Schema, title?: string): Schema =>
  title && schema.properties ? { title, ...schema } : schema

const isNull = (schema: unknown) => (schema as Schema).type === 'null'

function toSchema(value: unknown): Schema {
  const { const: only, examples, anyOf, ...rest } = value as Schema
  const schema = mapValues(rest, (part, key) => toPart(key, part))
  if (isNull(schema))
    return { ...schema, type: 'object', nullable: true, maxProperties: 0 }
  // The default, but these generators write a map in place of the class.
  if (schema.additionalProperties === true) delete schema.additionalProperties
  if (only !== undefined) schema.enum = [only]
  if (examples) schema.example = (examples as unknown[])[0]
  return anyOf ? toChoice(anyOf as unknown[], schema) : schema
}

/** Other keywords have no schemas: `enum`, `default` and `required` have values and names. */
function toPart(key: string, part: unknown): unknown {
  if (key === 'properties') return mapValues(part as Schema, toSchema)
  const isSchema = ['items', 'not', 'additionalProperties'].includes(key)
  return isSchema && typeof part === 'object' ? toSchema(part) : part
}

function toChoice(choices: unknown[], siblings: Schema): Schema {
  const [first, ...others] = choices.filter((one) => !isNull(one)).map(toSchema)
  if (others.length + 1 === choices.length)
    return { ...siblings, anyOf: [first, ...others] }
  const chosen = toNullable(first!)
  if (others.length === 0) return { ...chosen, ...siblings }
  return { ...siblings, nullable: true, anyOf: [chosen, ...others] }
}

/**
 * Permits null. In 3.0, keywords beside `$ref` have no effect. An `enum` would need the value null, for which
 * some generators fail or write the text "null", so its values become a description.
 */
function toNullable({ enum: values, ...schema }: Schema): Schema {
  if (schema.$ref) return { nullable: true, allOf: [schema] }
  if (Array.isArray(schema.anyOf)) {
    const [first, ...others] = schema.anyOf
    return { ...schema, nullable: true, anyOf: [toNullable(first), ...others] }
  }
  if (!Array.isArray(values)) return { ...schema, nullable: true }
  const description = `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}`
  return { type: typeof values[0], description, ...schema, nullable: true }
}

// Converts a family to an OpenAPI 3.1 document. Unserved operations have 501 as their only
// response. The output is deterministic: a test compares the committed documents byte for byte.
import { Type as T, type TSchema } from 'typebox'
import { type ErrorType, errors } from './errors.ts'
import { apiVersion, type Family } from './family.ts'
import { models } from './models.gen.ts'
import {
  type Access,
  mentionsBot,
  namesBot,
  namesWorkspace,
  type Operation,
  type UnservedOperation,
} from './operation.ts'
import { permissionFor, permissions } from './permissions.ts'
import { type FamilyName, families } from './registry.gen.ts'

export interface OpenApiResponse {
  description: string
  content: Record<string, { schema: unknown }>
}

export interface OpenApiOperation {
  operationId: string
  summary?: string
  description?: string
  tags: string[]
  security?: Record<string, never[]>[]
  parameters?: {
    name: string
    in: 'path' | 'query' | 'header'
    required: boolean
    schema: unknown
  }[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  responses: Record<string, OpenApiResponse | { $ref: string }>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  tags?: { name: string }[]
  servers: {
    url: string
    variables?: Record<string, { default: string; description: string }>
  }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components: {
    schemas: Record<string, unknown>
    responses: Record<string, OpenApiResponse>
    securitySchemes: Record<string, unknown>
  }
}

export function toOpenApi(name: FamilyName): OpenApiDocument {
  const family: Family = families[name]
  const components = new Components()
  return {
    openapi: '3.1.0',
    info: {
      title: `Botstead ${family.title} API`,
      version: apiVersion,
      description: toBodyLimit(family.bodyLimit),
    },
    ...(family.stability && { tags: family.stability.map((tag) => ({ name: tag })) }),
    servers: [toServer(family)],
    paths: toPaths(name, components),
    components: {
      ...components.used(),
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
  }
}

const toBodyLimit = (bytes: number) => `The maximum body size is ${bytes} bytes.`

function toServer({ prefix }: Family) {
  if (prefix === '') return { url: '/' }
  return {
    url: prefix,
    variables: {
      webhookId: {
        default: 'webhookId',
        description: "Webhook id of the bot's chat integration",
      },
    },
  }
}

function toPaths(name: FamilyName, components: Components) {
  const family: Family = families[name]
  const paths: OpenApiDocument['paths'] = {}
  const add = ({ method, path }: UnservedOperation, converted: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: converted }
  }
  for (const [group, operations] of Object.entries(family.served)) {
    for (const [id, operation] of Object.entries(operations))
      add(
        operation,
        toOperation(
          id,
          [group, ...stabilityTags(family, operation)],
          { ...operation, permission: permissionFor(name, operation) },
          components,
        ),
      )
  }
  for (const [id, operation] of Object.entries(family.unserved))
    add(operation, toUnservedOperation(id, operation, components))
  return paths
}

const stabilityTags = ({ stability }: Family, { experimental }: Operation) =>
  stability ? [experimental ? 'experimental' : 'documented'] : []

function toOperation(
  operationId: string,
  tags: string[],
  operation: Operation,
  components: Components,
): OpenApiOperation {
  const description = toDescription(operation)
  const parameters = toParameters(operation, components)
  return {
    operationId,
    summary: operation.summary,
    ...(description && { description }),
    tags,
    ...(bearerAccess.has(operation.access) && { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: toRequestBody(operation.body, components) }),
    responses: {
      ...toSuccessResponse(operation, components),
      ...toErrorResponses(allErrors(operation), components),
    },
  }
}

function toDescription({ description, permission, bodyLimit }: Operation) {
  const sentences = [
    description,
    bodyLimit && toBodyLimit(bodyLimit),
    permission && `Personal access tokens require the permission \`${permission}\`.`,
    permission && `Roles with it: ${permissions[permission].join(', ')}.`,
  ].filter(Boolean)
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

function toUnservedOperation(
  operationId: string,
  { path }: UnservedOperation,
  components: Components,
): OpenApiOperation {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const parameters = names.map((name) => ({
    name,
    in: 'path' as const,
    required: true,
    schema: { type: 'string' },
  }))
  return {
    operationId,
    tags: ['not served yet'],
    ...(parameters.length > 0 && { parameters }),
    responses: toErrorResponses(['NotImplemented'], components),
  }
}

/** Kinds of access that require a bearer token. Chat users send `x-user-key` instead. */
const bearerAccess = new Set<Access>(['token', 'account', 'workspace', 'bot'])

const optionalBot = T.Object({ 'x-bot-id': T.Optional(T.String()) })
const optionalWorkspace = T.Object({ 'x-workspace-id': T.Optional(T.String()) })

const accessHeaders: Partial<Record<Access, TSchema>> = {
  workspace: T.Object({ 'x-workspace-id': T.String() }),
  bot: T.Object({
    'x-bot-id': T.String(),
    'x-integration-id': T.Optional(T.String()),
    'x-integration-alias': T.Optional(T.String()),
  }),
  chatUser: T.Object({ 'x-user-key': T.String() }),
}

/**
 * Accepted by every POST: a request with the same key within one day gets the first response again.
 */
const keyHeader = T.Object({
  'idempotency-key': T.Optional(
    T.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' }),
  ),
})

function toAccessHeaders(operation: Operation): TSchema | undefined {
  const { path, access, workspaceOptional, botOptional } = operation
  if (namesWorkspace({ path }) || namesBot({ access, path })) return undefined
  if (botOptional) return optionalBot
  return workspaceOptional ? optionalWorkspace : accessHeaders[access]
}

function toParameters(operation: Operation, components: Components) {
  const { method, params, query, headers, stream } = operation
  const sources = [
    ['path', params],
    ['query', query],
    ['header', toAccessHeaders(operation)],
    ['header', headers],
    ['header', method === 'POST' && !stream ? keyHeader : undefined],
  ] as const
  const all = sources.flatMap(([location, schema]) =>
    listFields(schema).map((field) => ({ ...field, in: location })),
  )
  const seen = new Set<string>()
  const unique = all.filter(
    (one) => !seen.has(`${one.in} ${one.name}`) && seen.add(`${one.in} ${one.name}`),
  )
  return unique.map((one) => ({
    name: one.name,
    in: one.in,
    required: one.required,
    schema: components.refer(one.schema),
  }))
}

function listFields(schema: TSchema | undefined) {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, TSchema>
    required?: string[]
  }
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field,
  }))
}

/** The body is optional if an empty object would be valid. */
const toRequestBody = (body: TSchema, components: Components) => ({
  required: ((body as { required?: string[] }).required ?? []).length > 0,
  content: content(components.refer(body)),
})

const content = (schema: unknown, type = 'application/json') => ({ [type]: { schema } })

const streams = {
  'text/event-stream': 'A stream of signals',
  'application/x-ndjson': 'A stream of lines',
  'application/json': 'A file',
  'application/gzip': 'A file',
}

function toSuccessResponse(
  operation: Operation,
  components: Components,
): OpenApiOperation['responses'] {
  const { response, stream, mediaType = 'text/event-stream' } = operation
  const status = operation.status ?? 200
  const schema = components.refer(response)
  if (stream)
    return {
      [status]: {
        description: streams[mediaType],
        content: content(schema, mediaType),
      },
    }
  return { [status]: { description: 'Success', content: content(schema) } }
}

/** Returns the errors that the operation declares and those that its access and input imply. */
function allErrors(operation: Operation): ErrorType[] {
  const { method, access, body, query, errors: declared = [] } = operation
  const implied: ErrorType[] = [
    'InvalidPayload',
    'PayloadTooLarge',
    'RateLimited',
    'Internal',
    'Unavailable',
  ]
  if (access !== 'public' && access !== 'chat') implied.push('Unauthorized')
  const isChat = access === 'chat' || access === 'chatUser'
  // A chat may limit the origins of pages.
  if (access === 'workspace' || access === 'bot' || isChat) implied.push('Forbidden')
  if (access === 'bot' || isChat) implied.push('ResourceNotFound')
  if (body) implied.push('RequestTimeout')
  if (query) implied.push('InvalidQuery')
  // The idempotency key belongs to a different request, or to one that is still in progress.
  if (method === 'POST') implied.push('RelationConflict', 'ResourceLockedConflict')
  const unknownBot =
    access === 'workspace' && mentionsBot(operation) ? 'ResourceNotFound' : []
  return [...new Set([...implied, ...declared].concat(unknownBot))]
}

function toErrorResponses(types: ErrorType[], components: Components) {
  const statuses = [...new Set(types.map((type) => errors[type]))].sort()
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      components.errorResponse(types.filter((type) => errors[type] === status)),
    ]),
  )
}

/**
 * Collects the models and error responses of a document, so that each is written once and
 * referenced elsewhere. Identifies a model by object identity, not by its structure.
 */
class Components {
  readonly #names = new Map<unknown, string>(
    Object.entries(models).map(([name, model]) => [model, name]),
  )
  readonly #used = new Map<string, unknown>()
  readonly #errorResponses = new Map<string, OpenApiResponse>()

  refer(schema: unknown): unknown {
    const name = this.#names.get(schema)
    if (name === undefined) return this.#copy(schema)
    if (!this.#used.has(name)) {
      this.#used.set(name, undefined)
      this.#used.set(name, this.#copy(schema))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /**
   * Returns a reference to the response that covers all these types, which have the same status.
   */
  errorResponse(types: ErrorType[]) {
    const sorted = types.toSorted()
    const name = sorted.join('.')
    this.#errorResponses.set(name, {
      description: sorted.join(', '),
      content: content(this.refer(models.ErrorReply)),
    })
    return { $ref: `#/components/responses/${name}` }
  }

  used() {
    return {
      schemas: sortedByKey(this.#used),
      responses: sortedByKey(this.#errorResponses),
    }
  }

  #copy(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.refer(one))
    if (typeof schema !== 'object' || schema === null) return schema
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, this.refer(value)]),
    )
  }
}

const sortedByKey = <Value>(map: Map<string, Value>) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))

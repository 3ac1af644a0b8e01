// A family as an OpenAPI 3.1 document. Served operations are described whole; the others as answering 501.
// The same contract gives the same text, always: the committed documents are compared with it byte for byte.
import { Type as T, type TSchema } from 'typebox'
import { type ErrorType, errors } from './errors.ts'
import { apiVersion, type Family, type FamilyName, families } from './families.ts'
import { models } from './models.ts'
import { type Access, namesWorkspace, type Operation, type UnservedOperation } from './operation.ts'
import { permissionFor, permissions } from './permissions.ts'

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
  parameters?: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: unknown }[]
  requestBody?: { required: boolean; content: Record<string, { schema: unknown }> }
  responses: Record<string, OpenApiResponse | { $ref: string }>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string }
  tags?: { name: string }[]
  servers: { url: string; variables?: Record<string, { default: string; description: string }> }[]
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
      description: `Bodies may have up to ${family.bodyLimit} bytes.`,
    },
    ...(family.stability && { tags: family.stability.map((tag) => ({ name: tag })) }),
    servers: [serverOf(family)],
    paths: pathsOf(name, components),
    components: { ...components.used(), securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function serverOf({ prefix }: Family) {
  if (prefix === '') return { url: '/' }
  return {
    url: prefix,
    variables: {
      webhookId: { default: 'webhookId', description: "The webhook id of the bot's chat integration" },
    },
  }
}

function pathsOf(name: FamilyName, components: Components) {
  const family: Family = families[name]
  const paths: OpenApiDocument['paths'] = {}
  const add = ({ method, path }: UnservedOperation, described: OpenApiOperation) => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: described }
  }
  for (const [group, operations] of Object.entries(family.served)) {
    for (const [id, operation] of Object.entries(operations))
      add(
        operation,
        describe(
          id,
          [group, ...stabilityOf(family, operation)],
          { ...operation, permission: permissionFor(name, operation) },
          components,
        ),
      )
  }
  for (const [id, operation] of Object.entries(family.unserved))
    add(operation, describeUnserved(id, operation, components))
  return paths
}

const stabilityOf = ({ stability }: Family, { experimental }: Operation) =>
  stability ? [experimental ? 'experimental' : 'documented'] : []

function describe(
  operationId: string,
  tags: string[],
  operation: Operation,
  components: Components,
): OpenApiOperation {
  const { permission } = operation
  const parameters = parametersOf(operation, components)
  return {
    operationId,
    summary: operation.summary,
    ...(permission && {
      description: `Of people, this takes the permission ${permission}: ${permissions[permission].join(', ')}.`,
    }),
    tags,
    ...(bearing.has(operation.access) && { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.body && { requestBody: bodyOf(operation.body, components) }),
    responses: { ...successOf(operation, components), ...failuresOf(errorsOf(operation), components) },
  }
}

function describeUnserved(
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
    responses: failuresOf(['NotImplemented'], components),
  }
}

/** Who must show a token; chat users show a key instead. */
const bearing = new Set<Access>(['token', 'account', 'workspace', 'bot'])

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

/** Every POST takes it: the first answer is given again for a day to who repeats the request with the same key. */
const keyHeader = T.Object({
  'idempotency-key': T.Optional(T.String({ minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' })),
})

function accessHeadersOf({ path, access, workspaceOptional }: Operation): TSchema | undefined {
  if (namesWorkspace({ path })) return undefined
  return workspaceOptional ? optionalWorkspace : accessHeaders[access]
}

function parametersOf(operation: Operation, components: Components) {
  const { method, params, query, headers } = operation
  const places = [
    ['path', params],
    ['query', query],
    ['header', accessHeadersOf(operation)],
    ['header', headers],
    ['header', method === 'POST' ? keyHeader : undefined],
  ] as const
  const all = places.flatMap(([place, schema]) => fieldsOf(schema).map((field) => ({ ...field, in: place })))
  const known = new Set<string>()
  const fresh = all.filter((one) => !known.has(`${one.in} ${one.name}`) && known.add(`${one.in} ${one.name}`))
  return fresh.map((one) => ({
    name: one.name,
    in: one.in,
    required: one.required,
    schema: components.refer(one.schema),
  }))
}

function fieldsOf(schema: TSchema | undefined) {
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

/** None is as good as an empty one, where that would do. */
const bodyOf = (body: TSchema, components: Components) => ({
  required: ((body as { required?: string[] }).required ?? []).length > 0,
  content: content(components.refer(body)),
})

const content = (schema: unknown, type = 'application/json') => ({ [type]: { schema } })

function successOf(operation: Operation, components: Components): OpenApiOperation['responses'] {
  const { response, stream } = operation
  const status = operation.status ?? 200
  const schema = components.refer(response)
  if (stream)
    return { [status]: { description: 'A stream of signals', content: content(schema, 'text/event-stream') } }
  return { [status]: { description: 'Done', content: content(schema) } }
}

/** What an operation says it can fail with, and what goes without saying. */
function errorsOf({ method, access, body, query, errors: own = [] }: Operation): ErrorType[] {
  const implied: ErrorType[] = ['InvalidPayload', 'PayloadTooLarge', 'RateLimited', 'Internal', 'Unavailable']
  if (access !== 'public' && access !== 'chat') implied.push('Unauthorized')
  if (access === 'workspace' || access === 'bot') implied.push('Forbidden')
  if (access === 'bot' || access === 'chat' || access === 'chatUser') implied.push('ResourceNotFound')
  if (body) implied.push('RequestTimeout')
  if (query) implied.push('InvalidQuery')
  // what an idempotency-key can run into: another request's key, and one that is being answered
  if (method === 'POST') implied.push('RelationConflict', 'ResourceLockedConflict')
  return [...new Set([...implied, ...own])]
}

function failuresOf(types: ErrorType[], components: Components) {
  const statuses = [...new Set(types.map((type) => errors[type]))].sort()
  return Object.fromEntries(
    statuses.map((status) => [status, components.failure(types.filter((type) => errors[type] === status))]),
  )
}

/** Writes each model and each kind of failure once, and refers to it everywhere else. A model is known by identity: the object itself, not its looks. */
class Components {
  readonly #names = new Map<unknown, string>(Object.entries(models).map(([name, model]) => [model, name]))
  readonly #used = new Map<string, unknown>()
  readonly #failures = new Map<string, OpenApiResponse>()

  refer(schema: unknown): unknown {
    const name = this.#names.get(schema)
    if (name === undefined) return this.#copy(schema)
    if (!this.#used.has(name)) {
      this.#used.set(name, undefined)
      this.#used.set(name, this.#copy(schema))
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** One answer for all types of one status. */
  failure(types: ErrorType[]) {
    const sorted = types.toSorted()
    const name = sorted.join('.')
    this.#failures.set(name, {
      description: sorted.join(', '),
      content: content(this.refer(models.ErrorReply)),
    })
    return { $ref: `#/components/responses/${name}` }
  }

  used() {
    return { schemas: inOrder(this.#used), responses: inOrder(this.#failures) }
  }

  #copy(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map((one) => this.refer(one))
    if (typeof schema !== 'object' || schema === null) return schema
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, this.refer(value)]))
  }
}

const inOrder = <Value>(map: Map<string, Value>) =>
  Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)))

// Messages as the protocol's library reads them. Libraries of Go, Java and C# write absent members
// as null, and the library answers invalid parameters with the raw text of its validator.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'

export type Json = Record<string, unknown>
export type Id = string | number | null

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const withoutNulls = (members: Json): Json =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null))

/** The id for the response; null if the message has no valid one. */
export const getId = (message: unknown): Id => {
  const id = isObject(message) ? message.id : null
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : null
}

/** Throws McpError for a message that is no request, notification or response. */
export function toMessage(sent: unknown): Json {
  if (!isObject(sent)) throw invalidRequest('A message must be an object')
  const { id, params, ...message } = sent
  if (message.jsonrpc !== '2.0') throw invalidRequest('`jsonrpc` must be "2.0"')
  const hasParams = (params ?? null) !== null || hasRules(message.method)
  const isResponse = 'result' in message || 'error' in message
  if (!isResponse && typeof message.method !== 'string')
    throw invalidRequest('`method` must be a text')
  return {
    ...message,
    ...(isNotification(message, id) ? {} : { id: checkedId(sent) }),
    ...(hasParams && { params: toParams(message.method, params ?? {}) }),
  }
}

const isNotification = ({ method }: Json, id: unknown) =>
  id === undefined || (id === null && String(method).startsWith('notifications/'))

function checkedId(message: Json): Id {
  const id = getId(message)
  if (id === null) throw invalidRequest('`id` must be a text or an integer')
  return id
}

type Rule = [name: string, type: 'text' | 'object', required: boolean]

const cursor: Rule[] = [['cursor', 'text', false]]
/** Parameters by method. */
const rules: Record<string, Rule[]> = {
  'tools/list': cursor,
  'resources/list': cursor,
  'resources/templates/list': cursor,
  'tools/call': [
    ['name', 'text', true],
    ['arguments', 'object', false],
  ],
  'resources/read': [['uri', 'text', true]],
}

function toParams(method: unknown, sent: unknown): Json {
  if (!isObject(sent)) throw invalidParams('`params` must be an object')
  const params = withoutNulls(sent)
  if (params._meta !== undefined && !isObject(params._meta))
    throw invalidParams('`_meta` must be an object')
  if (isObject(params._meta)) params._meta = withoutNulls(params._meta)
  checkParams(method, params)
  return method === 'initialize' ? { ...unnamedClient, ...params } : params
}

const hasRules = (method: unknown) =>
  typeof method === 'string' && Object.hasOwn(rules, method)

/** Clients may leave out who they are. */
const unnamedClient = { capabilities: {}, clientInfo: { name: 'unknown', version: '0' } }

/** Throws McpError for parameters of another form than those of the method. */
export function checkParams(method: unknown, params: Json): void {
  const own = hasRules(method) ? rules[method as string]! : []
  for (const [name, type, required] of own) {
    const value = params[name]
    const fits = type === 'text' ? typeof value === 'string' : isObject(value)
    if (!fits && (required || value !== undefined))
      throw invalidParams(
        `\`${name}\` must be ${type === 'text' ? 'a text' : 'an object'}`,
      )
  }
}

/** `McpError` begins its message with its code. */
export const toError = ({ code, message, data }: McpError) => ({
  code,
  message: message.replace(/^MCP error -?\d+: /, ''),
  ...(data !== undefined && { data }),
})

export const invalidRequest = (message: string) =>
  new McpError(ErrorCode.InvalidRequest, message)
export const invalidParams = (message: string) =>
  new McpError(ErrorCode.InvalidParams, message)

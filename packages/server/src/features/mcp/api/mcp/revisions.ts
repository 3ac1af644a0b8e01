// The revisions of the protocol at one address. The library speaks those with a handshake
// (`initialize`). Since 2026-07-28 there is none: each request has its revision in `_meta`, headers
// repeat parts of it, `server/discover` describes the server, and results have a type.
import {
  ErrorCode,
  McpError,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { invalidParams, isObject, type Json } from './requests.ts'

const stateless = '2026-07-28'
const revisions = [stateless, ...SUPPORTED_PROTOCOL_VERSIONS]

const prefix = 'io.modelcontextprotocol'
const headerMismatch = -32_020
const unsupportedRevision = -32_022

type Headers = Record<string, string | string[] | undefined>

/** Batches are part of the protocol up to 2025-03-26. Its clients send no header. */
export const hasBatches = (headers: Headers) =>
  ['2025-03-26', '2024-11-05', '2024-10-07', undefined].includes(revisionIn(headers))

const revisionIn = (headers: Headers) =>
  headers['mcp-protocol-version'] as string | undefined

/** Throws McpError for a revision that the server does not speak. */
function checkRevision(requested: unknown): void {
  if (typeof requested === 'string' && revisions.includes(requested)) return
  const data = { supported: revisions, requested }
  const shown = JSON.stringify(requested)?.slice(0, 60)
  throw new McpError(unsupportedRevision, `The revision ${shown} is not supported`, data)
}

/**
 * Returns whether the message is one without a handshake. Throws McpError if it is not complete, or
 * if its headers contradict it.
 */
export function isStateless(headers: Headers, { method, params, id }: Json): boolean {
  const inHeader = revisionIn(headers)
  if (inHeader !== undefined) checkRevision(inHeader)
  const meta = isObject(params) && isObject(params._meta) ? params._meta : {}
  const requested = meta[`${prefix}/protocolVersion`]
  if (requested === undefined && inHeader !== stateless) return false
  if (id === undefined || method === undefined) return true
  if (requested === undefined)
    throw invalidParams(`\`_meta\` must have "${prefix}/protocolVersion"`)
  checkRevision(requested)
  if (inHeader !== undefined && inHeader !== requested)
    throw mismatch('MCP-Protocol-Version', inHeader)
  if (requested !== stateless) return false
  if (!isObject(meta[`${prefix}/clientCapabilities`]))
    throw invalidParams(`\`_meta\` must have "${prefix}/clientCapabilities"`)
  checkCopies(headers, method, params as Json)
  return true
}

/** The headers for proxies. Absent ones do no harm. */
function checkCopies(headers: Headers, method: unknown, params: Json): void {
  const named = headers['mcp-method'] as string | undefined
  if (named !== undefined && named !== method) throw mismatch('Mcp-Method', named)
  const name = headers['mcp-name'] as string | undefined
  const own = method === 'resources/read' ? params.uri : params.name
  if (name !== undefined && own !== undefined && decoded(name) !== own)
    throw mismatch('Mcp-Name', name)
}

const decoded = (value: string) => {
  const [, base64] = /^=\?base64\?([\w+/]*={0,2})\?=$/i.exec(value) ?? []
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString()
}

const mismatch = (header: string, value: string) =>
  new McpError(
    headerMismatch,
    `The header ${header} "${value.slice(0, 100)}" is not that of the body`,
  )

const methods = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
]

/** Throws McpError for a method that the revision does not have, such as `initialize`. */
export function checkMethod(method: unknown): void {
  if (methods.includes(String(method))) return
  const shown = String(method).slice(0, 100)
  throw new McpError(ErrorCode.MethodNotFound, `There is no method "${shown}"`)
}

interface About {
  serverInfo: { name: string; version: string }
  capabilities: object
}

export const toDiscovery = (about: About) =>
  withType(
    { supportedVersions: revisions, ...about, ttlMs: 0, cacheScope: 'private' },
    about,
  )

/** The protocol's error of older revisions for an unknown resource. */
const resourceNotFound = -32_002

/** The response of the library in the form of the revision without a handshake. */
export function toStateless(response: Json, method: unknown, about: About): Json {
  const { result, error } = response
  if (isObject(error) && error.code === resourceNotFound)
    return { ...response, error: { ...error, code: ErrorCode.InvalidParams } }
  if (!isObject(result)) return response
  // Tools and files may change at any time.
  const caching = method === 'tools/call' ? {} : { ttlMs: 0, cacheScope: 'private' }
  return { ...response, result: withType({ ...result, ...caching }, about) }
}

function withType(result: Json, { serverInfo }: About): Json {
  const meta = isObject(result._meta) ? result._meta : {}
  const _meta = { ...meta, [`${prefix}/serverInfo`]: serverInfo }
  return { resultType: 'complete', ...result, _meta }
}

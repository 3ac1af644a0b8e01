// Calls a server of the Model Context Protocol, which may be hostile: every exchange has a deadline
// and a maximum number of bytes, ends with the awaited answer, follows no redirects, and connects
// only where the workspace may. Loaded on demand, because it imports the protocol's library.
import { ApiError, apiVersion } from '@botstead/contract'
import { withoutSecrets } from '@botstead/lib'
import { InvocationFailed } from '@botstead/sandbox'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  CallToolResultSchema,
  ListToolsResultSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { type Outgoing, toUnreachable } from '../../core/outgoing/index.ts'

type Send = Awaited<ReturnType<Outgoing['for']>>
type Answer = Awaited<ReturnType<Send>>

export interface RemoteServer {
  url: string
  headers: Record<string, string>
  send: Send
}

interface ExchangeOptions {
  timeoutMs: number
  /** Of all answers together. */
  maxBytes: number
  /** The server has announced other tools. */
  onToolsChanged: () => void
}

export interface ListedTool {
  name: string
  title?: string | undefined
  description?: string | undefined
  inputSchema: Record<string, unknown>
  outputSchema?: Record<string, unknown> | undefined
}

/**
 * Lists tools until there are more than `maxTools`, and not with `client.listTools`, which compiles
 * every schema without a time limit.
 */
export function listTools(
  server: RemoteServer,
  {
    maxTools,
    maxPages,
    ...options
  }: ExchangeOptions & { maxTools: number; maxPages: number },
): Promise<ListedTool[]> {
  return exchange(server, options, async (client, limits) => {
    const tools: ListedTool[] = []
    let cursor: string | undefined
    for (let page = 0; page < maxPages; page++) {
      const params = cursor === undefined ? {} : { cursor }
      const request = { method: 'tools/list' as const, params }
      const listed = await client.request(request, ListToolsResultSchema, limits)
      tools.push(...listed.tools)
      cursor = listed.nextCursor
      if (tools.length > maxTools || cursor === undefined) break
    }
    return tools
  })
}

export interface ToolResult {
  content: { type: string; text?: unknown }[]
  structuredContent?: Record<string, unknown> | undefined
  isError?: boolean | undefined
}

/** Returns the tool's result, also if it is an error. */
export const callRemoteTool = (
  server: RemoteServer,
  options: ExchangeOptions,
  name: string,
  input: Record<string, unknown>,
): Promise<ToolResult> =>
  exchange(server, options, (client, limits) =>
    client.request(
      { method: 'tools/call', params: { name, arguments: input } },
      CallToolResultSchema,
      limits,
    ),
  )

/**
 * Connects, runs the work and disconnects. Throws ApiError: OperationTimeout past the deadline,
 * otherwise Runtime with the reason.
 */
async function exchange<Result>(
  server: RemoteServer,
  options: ExchangeOptions,
  work: (client: Client, options: { timeout: number }) => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(options.timeoutMs)
  const fetch = createFetch(server, options, signal)
  const transport = new StreamableHTTPClientTransport(new URL(server.url), { fetch })
  const client = new Client(
    { name: 'botstead', version: apiVersion },
    { jsonSchemaValidator },
  )
  // The signal ends the calls; this only keeps the library's own default from doing so earlier.
  const limits = { timeout: options.timeoutMs + 1_000 }
  try {
    await client.connect(transport as Transport, limits)
    return await work(client, limits)
  } catch (error) {
    throw toFailure(error, signal, { ...options, ...server })
  } finally {
    void transport
      .terminateSession()
      .catch(() => {})
      .then(() => client.close())
  }
}

/** Unused: results are validated with a time limit (core/compute/text/json-schemas.ts). */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

const maxReasonLength = 500

function toFailure(
  error: unknown,
  { aborted }: AbortSignal,
  { timeoutMs, headers }: ExchangeOptions & RemoteServer,
): ApiError {
  if (aborted)
    return new ApiError(
      'OperationTimeout',
      `The MCP server did not answer within ${timeoutMs} ms`,
    )
  const text = error instanceof Error ? error.message : String(error)
  const reason = quotable(text, headers, maxReasonLength)
  return new ApiError('Runtime', `The MCP server failed: ${reason}`, {
    cause: new Error(reason),
  })
}

/** Returns a text of a server without the key in `headers`, which the server may quote. */
export const quotable = (
  text: string,
  headers: RemoteServer['headers'],
  maxLength: number,
) =>
  withoutSecrets(
    text,
    Object.values(headers).map((value) => value.replace(/^Bearer /, '')),
    maxLength,
  )

/**
 * Returns a `fetch` that reads each answer to its end, or to the message that answers the request,
 * and then closes the connection. So the library never waits for a stream.
 */
function createFetch(
  { headers: own, send }: RemoteServer,
  { maxBytes, onToolsChanged }: ExchangeOptions,
  signal: AbortSignal,
): FetchLike {
  let left = maxBytes
  async function* bounded(body: Answer['body']): AsyncGenerator<Buffer, void> {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      left -= chunk.length
      if (left < 0)
        throw new InvocationFailed('too-large', `its answers exceed ${maxBytes} bytes`)
      yield chunk
    }
  }
  return async (url, { method = 'GET', headers, body } = {}) => {
    // A stream for messages of the server's own. Without one, servers need not be remembered.
    if (method === 'GET') return new Response(null, { status: 405 })
    const answer = await send(String(url), {
      method: method as 'POST',
      headers: { ...Object.fromEntries(new Headers(headers)), ...own },
      body: typeof body === 'string' ? body : null,
      signal,
    }).catch((error) => {
      throw toUnreachable(error, String(url))
    })
    const id = idIn(body)
    if (id === undefined) return withoutBody(answer)
    const chunks = bounded(answer.body)
    const isStream = /^text\/event-stream\b/i.test(getHeader(answer, 'content-type'))
    const text = isStream
      ? await answerIn(messagesIn(chunks), id, onToolsChanged)
      : await readText(chunks)
    return toResponse(answer, text, isStream)
  }
}

const getHeader = ({ headers }: Answer, name: string) =>
  [headers[name] ?? ''].flat()[0] ?? ''

function toResponse(answer: Answer, text: string, isStream: boolean): Response {
  const status = answer.statusCode
  const session = getHeader(answer, 'mcp-session-id')
  return new Response(status === 204 || status === 205 || status === 304 ? null : text, {
    status,
    headers: {
      'content-type': isStream ? 'application/json' : getHeader(answer, 'content-type'),
      ...(session !== '' && { 'mcp-session-id': session }),
    },
  })
}

async function readText(chunks: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString()
}

interface Message {
  id?: unknown
  method?: unknown
}

/** Undefined without a request: in notifications, and at the end of a session. */
const idIn = (body: unknown) =>
  typeof body === 'string' ? (JSON.parse(body) as Message).id : undefined

function withoutBody({ body, statusCode: status }: Answer): Response {
  body.on('error', () => {}).destroy()
  return new Response(null, { status })
}

/** Returns the message that answers the request; other messages of the server are dropped. */
async function answerIn(
  messages: AsyncIterable<string>,
  id: unknown,
  onToolsChanged: () => void,
): Promise<string> {
  for await (const text of messages) {
    const message = parsed(text)
    if (message.method === 'notifications/tools/list_changed') onToolsChanged()
    if (message.method === undefined && message.id === id) return text
  }
  throw new InvocationFailed('unreachable', 'its stream ended without an answer')
}

function parsed(text: string): Message {
  try {
    return (JSON.parse(text) ?? {}) as Message
  } catch {
    return {}
  }
}

/** Yields the data of the events. Other fields are of no use: streams are not resumed. */
async function* messagesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let data: string[] = []
  for await (const chunk of chunks) {
    // A line ends with CR, LF or both; after a CR at the end, LF may follow in the next chunk.
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(
      /\r\n|\n|\r(?!$)/,
    )
    rest = lines.pop()!
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      if (line !== '' || data.length === 0) continue
      yield data.join('\n')
      data = []
    }
  }
}

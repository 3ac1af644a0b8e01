// Answers one message of the Model Context Protocol. Loaded on demand (messages.ts), because it
// imports the protocol's library: only the parts that serve, without express.
import { setTimeout as pause } from 'node:timers/promises'
import { apiVersion } from '@botstead/contract'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { sendLines } from '../../http/line-stream.ts'
import type { BotCaller, Context } from '../../http/services.ts'
import { protocolErrors } from './failures.ts'
import { listResources, readResource, resourceTemplates } from './resources.ts'
import { callTool, listTools } from './tools.ts'

type Caller = Context<BotCaller>
type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>
type Json = Record<string, unknown>

/** Writes the response. A client that disconnects ends its request, not the action that runs. */
export async function answerMessage(context: Caller, message: Json): Promise<void> {
  const { request, reply } = context
  const isStream = asksForProgress(message) && accepts(context, 'text/event-stream')
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: !isStream })
  const server = openServer(context)
  await server.connect(transport)
  const closed = new Promise<null>((resolve) => {
    reply.raw.once('close', () => {
      resolve(null)
      void server.close()
    })
  })
  const response = await Promise.race([
    transport.handleRequest(toRequest(context), { parsedBody: message }),
    closed,
  ])
  if (!response) return
  if (isStream && response.ok && response.body)
    return sendLines(request, reply, 'text/event-stream', textOf(response.body), () => '')
  const type = response.headers.get('content-type')
  if (type !== null) reply.type(type)
  reply.code(response.status).send(await response.text())
}

/** The validator is for inputs that a server asks of its client. This server asks for none. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

function openServer(context: Caller): Server {
  const server = new Server(
    { name: `botstead-${context.caller.botId}`, version: apiVersion },
    { capabilities: { tools: {}, resources: {} }, jsonSchemaValidator },
  )
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    protocolErrors(context, () => listTools(context, params?.cursor)),
  )
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    withProgress(extra, () =>
      protocolErrors(context, () => callTool(context, params.name, params.arguments ?? {})),
    ),
  )
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    protocolErrors(context, () => listResources(context, params?.cursor)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [...resourceTemplates],
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    protocolErrors(context, () => readResource(context, params.uri)),
  )
  return server
}

/** Many clients give up after a minute without progress. */
const progressMs = 10_000

/** Notifies a client that asked for it of the seconds that its call takes. */
async function withProgress<Result>(extra: Extra, work: () => Promise<Result>): Promise<Result> {
  const progressToken = extra._meta?.progressToken
  if (progressToken === undefined) return work()
  const done = new AbortController()
  const report = async () => {
    for (let seconds = 0; ; seconds += progressMs / 1_000) {
      await extra.sendNotification({
        method: 'notifications/progress',
        params: { progressToken, progress: seconds },
      })
      await pause(progressMs, undefined, { signal: done.signal })
    }
  }
  report().catch(() => {}) // the call ended, or the client disconnected
  try {
    return await work()
  } finally {
    done.abort()
  }
}

const asksForProgress = ({ params }: Json) =>
  (params as { _meta?: { progressToken?: unknown } } | undefined)?._meta?.progressToken !==
  undefined

const accepts = ({ request }: Caller, type: string) =>
  request.headers.accept?.includes(type) === true

/**
 * The request as the library reads it. It demands that clients accept both kinds of answers; this
 * server also answers clients that accept only JSON.
 */
function toRequest({ request }: Caller): Request {
  const version = request.headers['mcp-protocol-version']
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    },
  })
}

async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
}

// Answers messages of the Model Context Protocol. Loaded on demand (messages.ts), because it
// imports the protocol's library: only the parts that serve, without express.
import { setTimeout as pause } from 'node:timers/promises'
import { apiVersion } from '@botstead/contract'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv'
import { sendLines } from '../../../../core/http/index.ts'
import type { McpContext, Offer } from './caller.ts'
import { protocolErrors } from './failures.ts'
import {
  checkParams,
  getId,
  type Id,
  invalidRequest,
  type Json,
  toError,
  toMessage,
} from './requests.ts'
import {
  checkMethod,
  hasBatches,
  isStateless,
  toDiscovery,
  toStateless,
} from './revisions.ts'

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

const maxBatch = 100

/** Writes the response to one message, or to a batch. */
export async function answerMessage(
  context: McpContext,
  offer: Offer,
  body: unknown,
): Promise<void> {
  if (!Array.isArray(body)) return answerOne(context, offer, body)
  const { request, reply } = context
  const isBatch =
    hasBatches(request.headers) && body.length > 0 && body.length <= maxBatch
  if (!isBatch)
    return sendError(
      reply,
      null,
      invalidRequest(
        `A batch must have 1 to ${maxBatch} messages, of a revision up to 2025-03-26`,
      ),
    )
  const responses: Json[] = []
  for (const message of body) {
    const response = await respondInBatch(context, offer, message)
    if (response) responses.push(response)
  }
  if (responses.length === 0) reply.code(202).send()
  else reply.type('application/json').send(JSON.stringify(responses))
}

async function respondInBatch(
  context: McpContext,
  offer: Offer,
  sent: unknown,
): Promise<Json | null> {
  try {
    const message = toMessage(sent)
    if (message.method === 'initialize')
      throw invalidRequest('`initialize` must not be part of a batch')
    const text = await (await exchange(context, offer, message, false)).text()
    return text === '' ? null : JSON.parse(text)
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    return { jsonrpc: '2.0', id: getId(sent), error: toError(error) }
  }
}

/** A client that disconnects ends its request, not the action that runs. */
async function answerOne(
  context: McpContext,
  offer: Offer,
  sent: unknown,
): Promise<void> {
  const { request, reply } = context
  try {
    const message = toMessage(sent)
    const isNew = isStateless(request.headers, message)
    if (isNew && message.method === 'server/discover') {
      const result = toDiscovery(toAbout(offer))
      return void reply.send({ jsonrpc: '2.0', id: message.id, result })
    }
    if (isNew && message.id !== undefined) checkNew(message)
    const isStream = asksForProgress(message) && accepts(context, 'text/event-stream')
    const response = await exchange(context, offer, message, isStream)
    const convert = (one: Json) =>
      isNew ? toStateless(one, message.method, toAbout(offer)) : one
    await send(context, response, isStream, convert)
  } catch (error) {
    if (!(error instanceof McpError)) throw error
    sendError(reply, getId(sent), error)
  }
}

function checkNew({ method, params }: Json): void {
  checkMethod(method)
  checkParams(method, (params ?? {}) as Json)
}

function sendError(reply: McpContext['reply'], id: Id, error: McpError): void {
  const isUnknown = error.code === ErrorCode.MethodNotFound
  reply.code(isUnknown ? 404 : 400).send({ jsonrpc: '2.0', id, error: toError(error) })
}

/** Never resolves if the client disconnects. */
async function exchange(
  context: McpContext,
  offer: Offer,
  message: Json,
  isStream: boolean,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: !isStream,
  })
  const server = openServer(context, offer)
  await server.connect(transport)
  const closed = new Promise<Response>((resolve) => {
    context.reply.raw.once('close', () => {
      resolve(new Response(null, { status: 202 }))
      void server.close()
    })
  })
  return Promise.race([
    transport.handleRequest(toRequest(context), { parsedBody: message }),
    closed,
  ])
}

type Convert = (response: Json) => Json

async function send(
  { request, reply }: McpContext,
  response: Response,
  isStream: boolean,
  convert: Convert,
): Promise<void> {
  if (reply.raw.destroyed) return
  if (isStream && response.ok && response.body) {
    const frames = convertFrames(decodeText(response.body), convert)
    return sendLines(request, reply, 'text/event-stream', frames, () => '')
  }
  const type = response.headers.get('content-type')
  if (type !== null) reply.type(type)
  const text = await response.text()
  const isJson = text !== '' && type?.includes('json') === true
  reply
    .code(response.status)
    .send(isJson ? JSON.stringify(convert(JSON.parse(text))) : text)
}

/** The responses in a stream, in the form of the revision. */
async function* convertFrames(
  texts: AsyncGenerator<string, void>,
  convert: Convert,
): AsyncGenerator<string, void> {
  let rest = ''
  const convertData = (_: string, json: string) =>
    `data: ${JSON.stringify(convert(JSON.parse(json)))}`
  for await (const text of texts) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop()!
    for (const frame of frames)
      yield `${frame.replace(/^data: (\{.*)$/m, convertData)}\n\n`
  }
  if (rest !== '') yield rest
}

const toAbout = ({ name, instructions, resources }: Offer) => ({
  serverInfo: { name, version: apiVersion },
  capabilities: { tools: {}, ...(resources && { resources: {} }) },
  ...(instructions !== undefined && { instructions }),
})

/** The validator is for inputs that a server asks of its client. This server asks for none. */
const jsonSchemaValidator = new AjvJsonSchemaValidator()

function openServer(context: McpContext, offer: Offer): Server {
  const { serverInfo, ...about } = toAbout(offer)
  const server = new Server(serverInfo, { ...about, jsonSchemaValidator })
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    protocolErrors(context, () => offer.listTools(params?.cursor)),
  )
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    withProgress(extra, () =>
      protocolErrors(context, () => offer.callTool(params.name, params.arguments ?? {})),
    ),
  )
  const { resources } = offer
  if (!resources) return server
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    protocolErrors(context, () => resources.list(params?.cursor)),
  )
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: resources.templates,
  }))
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    protocolErrors(context, () => resources.read(params.uri)),
  )
  return server
}

/** Many clients give up after a minute without progress. */
const progressMs = 10_000

/** Notifies a client that asked for it of the seconds that its call takes. */
async function withProgress<Result>(
  extra: Extra,
  work: () => Promise<Result>,
): Promise<Result> {
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
  (params as { _meta?: { progressToken?: unknown } } | undefined)?._meta
    ?.progressToken !== undefined

const accepts = ({ request }: McpContext, type: string) =>
  request.headers.accept?.includes(type) === true

/**
 * The request as the library reads it. It demands that clients accept both kinds of answers; this
 * server also answers clients that accept only JSON.
 */
function toRequest({ request }: McpContext): Request {
  const sent = request.headers['mcp-protocol-version']
  const version = SUPPORTED_PROTOCOL_VERSIONS.includes(String(sent)) ? sent : undefined
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(typeof version === 'string' && { 'mcp-protocol-version': version }),
    },
  })
}

async function* decodeText(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  for await (const chunk of body) yield decoder.decode(chunk, { stream: true })
}

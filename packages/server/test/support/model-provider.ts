// A stand-in for providers of models, in the test's own process. It speaks the wire formats of
// OpenAI (also of compatible servers), Anthropic and Google, with whole responses and streams, and
// misbehaves as the test says.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

export interface Reply {
  /** The pieces of a stream; a whole response joins them. */
  text?: string[]
  reasoning?: string
  toolCalls?: { id: string; name: string; input: string }[]
  stopReason?: 'stop' | 'length'
  inputTokens?: number
  outputTokens?: number
  /** An error response. */
  status?: number
  headers?: Record<string, string>
  error?: string
  /** Before the response begins. */
  delayMs?: number
  /** Between pieces. */
  pieceMs?: number
  /** Ends the connection after this many pieces. */
  cutAfter?: number
  /** Ends the stream after the pieces, without its last event. */
  noEnd?: boolean
  garbage?: boolean
}

export interface ProviderRequest {
  path: string
  headers: IncomingMessage['headers']
  // biome-ignore lint/suspicious/noExplicitAny: the body of any provider
  body: any
  raw: string
  /** In the time of `performance.now()`; null while the connection is open. */
  closedAt: number | null
}

export interface ModelProvider {
  /** Without a path. */
  url: string
  requests: ProviderRequest[]
  close(): Promise<void>
}

type Answer = (request: ProviderRequest) => Reply | Promise<Reply>

export async function openModelProvider(answer: Answer): Promise<ModelProvider> {
  const requests: ProviderRequest[] = []
  const server = createServer(async (incoming, response) => {
    const request = await received(incoming)
    requests.push(request)
    response.on('close', () => (request.closedAt = performance.now()))
    await respond(request, response, await answer(request)).catch(() =>
      response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function received(incoming: IncomingMessage): Promise<ProviderRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString('latin1')
  const isJson = incoming.headers['content-type']?.includes('json')
  const body = isJson ? JSON.parse(Buffer.concat(chunks).toString()) : undefined
  return { path: incoming.url!, headers: incoming.headers, body, raw, closedAt: null }
}

async function respond(request: ProviderRequest, response: ServerResponse, reply: Reply) {
  if (reply.delayMs) await pause(reply.delayMs)
  const format = detectFormat(request.path)
  if (reply.status !== undefined && reply.status !== 200)
    return send(response, reply.status, format.error(reply), reply.headers)
  if (reply.garbage) return send(response, 200, '{"nonsense": [1, 2', reply.headers)
  const other = otherResponse(request, reply)
  if (other) return send(response, 200, other.body, { 'content-type': other.type })
  const isStream = request.body?.stream === true || request.path.includes(':stream')
  return isStream
    ? stream(response, format, reply)
    : send(response, 200, JSON.stringify(format.whole(reply)), reply.headers)
}

function send(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

async function stream(response: ServerResponse, format: Format, reply: Reply) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const { before, pieces, after } = format.stream(reply)
  for (const frame of before) response.write(frame)
  for (const [at, frame] of pieces.entries()) {
    if (reply.cutAfter === at) return response.destroy()
    if (response.destroyed) return undefined
    if (!response.write(frame)) await once(response, 'drain')
    if (reply.pieceMs) await pause(reply.pieceMs)
  }
  if (reply.cutAfter !== undefined) return response.destroy()
  if (!reply.noEnd) for (const frame of after) response.write(frame)
  return response.end()
}

interface Format {
  whole(reply: Reply): object
  stream(reply: Reply): { before: string[]; pieces: string[]; after: string[] }
  error(reply: Reply): string
}

function detectFormat(path: string): Format {
  if (path.includes('/messages')) return anthropic
  return path.includes('enerateContent') ? google : openAi
}

const toText = ({ text = ['Hello'] }: Reply) => text.join('')
const countTokens = ({ inputTokens = 10, outputTokens = 5 }: Reply) => ({
  inputTokens,
  outputTokens,
})
const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`

const openAi: Format = {
  whole: (reply) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: 'stand-in',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: reply.toolCalls ? (reply.text?.join('') ?? null) : toText(reply),
          ...(reply.reasoning && { reasoning_content: reply.reasoning }),
          ...(reply.toolCalls && { tool_calls: reply.toolCalls.map(toOpenAiCall) }),
        },
        finish_reason: reply.toolCalls ? 'tool_calls' : (reply.stopReason ?? 'stop'),
      },
    ],
    usage: openAiUsage(reply),
  }),
  stream(reply) {
    const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
      data({
        id: 'chatcmpl-1',
        object: 'chat.completion.chunk',
        created: 1,
        model: 'stand-in',
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...more,
      })
    const calls = reply.toolCalls?.map((call, index) =>
      chunk({ tool_calls: [{ index, ...toOpenAiCall(call) }] }),
    )
    return {
      before: [chunk({ role: 'assistant', content: '' })],
      pieces: [
        ...(reply.reasoning ? [chunk({ reasoning_content: reply.reasoning })] : []),
        ...(reply.text ?? (calls ? [] : ['Hello'])).map((content) => chunk({ content })),
        ...(calls ?? []),
      ],
      after: [
        chunk({}, calls ? 'tool_calls' : (reply.stopReason ?? 'stop'), {
          usage: openAiUsage(reply),
        }),
        'data: [DONE]\n\n',
      ],
    }
  },
  error: ({ error = 'it went wrong' }) =>
    JSON.stringify({ error: { message: error, type: 'error', code: null, param: null } }),
}

const toOpenAiCall = ({ id, name, input }: NonNullable<Reply['toolCalls']>[0]) => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

function openAiUsage(reply: Reply) {
  const { inputTokens, outputTokens } = countTokens(reply)
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  }
}

const anthropic: Format = {
  whole: (reply) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'stand-in',
    content: reply.toolCalls
      ? reply.toolCalls.map(({ id, name, input }) => ({
          type: 'tool_use',
          id,
          name,
          input: JSON.parse(input),
        }))
      : [{ type: 'text', text: toText(reply) }],
    stop_reason: anthropicStop(reply),
    stop_sequence: null,
    usage: anthropicUsage(reply),
  }),
  stream(reply) {
    const event = (type: string, more: object) =>
      `event: ${type}\n${data({ type, ...more })}`
    const block = (index: number, content_block: object, delta: object) => [
      event('content_block_start', { index, content_block }),
      event('content_block_delta', { index, delta }),
      event('content_block_stop', { index }),
    ]
    const calls = reply.toolCalls?.flatMap(({ id, name, input }, index) =>
      block(
        index,
        { type: 'tool_use', id, name, input: {} },
        { type: 'input_json_delta', partial_json: input },
      ),
    )
    const pieces = (reply.text ?? ['Hello']).map((text) =>
      event('content_block_delta', { index: 0, delta: { type: 'text_delta', text } }),
    )
    return {
      before: [
        event('message_start', {
          message: {
            id: 'msg_1',
            type: 'message',
            role: 'assistant',
            model: 'stand-in',
            content: [],
            stop_reason: null,
            stop_sequence: null,
            usage: { ...anthropicUsage(reply), output_tokens: 0 },
          },
        }),
        ...(calls
          ? []
          : [
              event('content_block_start', {
                index: 0,
                content_block: { type: 'text', text: '' },
              }),
            ]),
      ],
      pieces: calls ?? pieces,
      after: [
        ...(calls ? [] : [event('content_block_stop', { index: 0 })]),
        event('message_delta', {
          delta: { stop_reason: anthropicStop(reply), stop_sequence: null },
          usage: { output_tokens: countTokens(reply).outputTokens },
        }),
        event('message_stop', {}),
      ],
    }
  },
  error: ({ error = 'it went wrong' }) =>
    JSON.stringify({ type: 'error', error: { type: 'api_error', message: error } }),
}

const anthropicStop = ({ toolCalls, stopReason }: Reply) =>
  toolCalls ? 'tool_use' : stopReasons[stopReason ?? 'stop']
const stopReasons = { stop: 'end_turn', length: 'max_tokens' }

function anthropicUsage(reply: Reply) {
  const { inputTokens, outputTokens } = countTokens(reply)
  return { input_tokens: inputTokens, output_tokens: outputTokens }
}

const google: Format = {
  whole: (reply) =>
    googleChunk(
      reply,
      reply.toolCalls
        ? reply.toolCalls.map(({ name, input }) => ({
            functionCall: { name, args: JSON.parse(input) },
          }))
        : [{ text: toText(reply) }],
      true,
    ),
  stream: (reply) => ({
    before: [],
    pieces: reply.toolCalls
      ? reply.toolCalls.map(({ name, input }) =>
          data(
            googleChunk(
              reply,
              [{ functionCall: { name, args: JSON.parse(input) } }],
              false,
            ),
          ),
        )
      : (reply.text ?? ['Hello']).map((text) =>
          data(googleChunk(reply, [{ text }], false)),
        ),
    after: [data(googleChunk(reply, [{ text: '' }], true))],
  }),
  error: ({ error = 'it went wrong', status }) =>
    JSON.stringify({ error: { code: status, message: error, status: 'ERROR' } }),
}

function googleChunk(reply: Reply, parts: object[], isLast: boolean) {
  const { inputTokens, outputTokens } = countTokens(reply)
  return {
    candidates: [
      {
        content: { role: 'model', parts },
        ...(isLast && {
          finishReason: reply.stopReason === 'length' ? 'MAX_TOKENS' : 'STOP',
        }),
      },
    ],
    ...(isLast && {
      usageMetadata: {
        promptTokenCount: inputTokens,
        candidatesTokenCount: outputTokens,
        totalTokenCount: inputTokens + outputTokens,
      },
    }),
  }
}

/** Embeddings, audio and images in the formats of OpenAI. */
function otherResponse(
  { path, body }: ProviderRequest,
  reply: Reply,
): { type: string; body: string | Buffer } | null {
  const json = (value: object) => ({
    type: 'application/json',
    body: JSON.stringify(value),
  })
  if (path.endsWith('/embeddings')) {
    const input = [body.input].flat() as string[]
    const embedding = (text: string, index: number) => ({
      object: 'embedding',
      index,
      embedding: [text.length, 1, 0.5],
    })
    return json({
      object: 'list',
      model: 'stand-in',
      data: input.map(embedding),
      usage: { prompt_tokens: input.length, total_tokens: input.length },
    })
  }
  if (path.endsWith('/audio/speech'))
    return { type: 'audio/mpeg', body: Buffer.from(`speech of ${body.input}`) }
  if (path.endsWith('/audio/transcriptions'))
    return json({ text: toText(reply), language: 'english', duration: 90, segments: [] })
  if (path.endsWith('/images/generations'))
    return json({
      created: 1,
      data: [{ b64_json: Buffer.from('an image').toString('base64') }],
    })
  return null
}

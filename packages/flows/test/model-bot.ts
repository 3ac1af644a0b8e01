// A bot with cards that call models, for tests: with a stand-in for the model.
import { checkDocument, isFlowDocument } from '../src/check/check.ts'
import { compileScripts } from '../src/document/scripts.ts'
import { handleEvent } from '../src/engine/engine.ts'
import { openMemory } from '../src/engine/memory.ts'
import {
  type Json,
  type PlatformCall,
  PlatformRejection,
  PlatformUnreachable,
} from '../src/engine/platform.ts'
import { openMemoryPlatform } from '../src/testing/memory-platform.ts'
import type { TurnTrace } from '../src/tracing/trace.ts'

/** A function returns the reply when the request arrives. */
type Reply = string | object | Error | (() => object)
type Request = {
  systemPrompt: string
  messages: { role: string; content: string }[]
} & Json

/** Notes of the trace. */
export const listNotes = ({ steps }: TurnTrace) =>
  steps.flatMap((step) => (step.kind === 'note' ? [step.text] : []))
type Passage = {
  content: string
  score: number
  title?: string
  url?: string
  page?: number
}

const noAnswers = () => ({
  answers: [] as object[],
  suggestions: [] as object[],
  language: 'english',
  bestScore: 0,
})

/** The stand-in for the model and the search: its replies in order, and the requests that it received. */
export const model = {
  replies: [] as Reply[],
  requests: [] as Request[],
  passages: [] as Passage[],
  searches: [] as URLSearchParams[],
  answers: noAnswers(),
  /** The curated answer that the server finds, and the requests for one. */
  curated: undefined as Json | undefined,
  asked: [] as Json[],
}
export const resetModel = () =>
  void Object.assign(model, {
    replies: [],
    requests: [],
    passages: [],
    searches: [],
    answers: noAnswers(),
    curated: undefined,
    asked: [],
  })

export const rejection = (status: number, type: string) =>
  new PlatformRejection(status, type, `no ${type}`)

function modelReply({ body }: PlatformCall): Json {
  model.requests.push(structuredClone(body) as Request)
  const next = model.replies.shift() ?? rejection(400, 'ReferenceNotFound')
  const reply = typeof next === 'function' ? next() : next
  if (reply instanceof Error) throw reply
  const output = typeof reply === 'string' ? reply : JSON.stringify(reply)
  const usage = {
    inputTokens: 100,
    inputCost: 0.001,
    outputTokens: 20,
    outputCost: 0.0005,
  }
  return { output, metadata: { provider: 'p', model: 'p:m', usage, cost: 0.0015 } }
}

function answerCall(call: PlatformCall): Json | undefined {
  const { path } = call
  if (path === '/v2/cognitive/generate-text') return modelReply(call)
  if (path === '/v1/platform/curated-answers/find') {
    model.asked.push(call.body as Json)
    return model.curated ? { match: model.curated } : {}
  }
  if (path.startsWith('/v1/files/knowledge-bases'))
    return { knowledgeBases: [{ id: 'kb_1', name: 'docs' }], meta: {} }
  const isAnswers = path.startsWith('/v1/platform/files/answers')
  if (!isAnswers && !path.startsWith('/v1/files/search')) return undefined
  model.searches.push(new URLSearchParams(path.split('?')[1]))
  if (isAnswers) return model.answers
  return {
    passages: model.passages.map(({ content, score, title, url, page }, index) => ({
      content,
      score,
      meta: page ? { pageNumber: page } : {},
      file: {
        id: `file_${index}`,
        key: `docs/${index}.md`,
        tags: { ...(title && { title }), ...(url && { url }) },
      },
    })),
  }
}

export const city = {
  type: 'object',
  properties: { city: { type: 'string' }, nights: { type: 'integer', minimum: 1 } },
  required: ['city', 'nights'],
  additionalProperties: false,
}

function toProgram(cards: unknown[], more: Json) {
  const document = checkDocument({
    kind: 'bot',
    version: 2,
    knowledgeBases: { docs: {} },
    variables: {
      configuration: { secret: { type: 'string', default: 'S3CRET' } },
      user: { locale: { type: 'string' } },
    },
    flows: {
      main: {
        variables: {
          trip: { type: 'object' },
          text: { type: 'string' },
          age: { type: 'number' },
          any: { type: 'any' },
        },
        nodes: {
          start: { type: 'start', cards },
          failed: { type: 'standard', cards: [send('failed: {{ turn.error.reason }}')] },
          a: { type: 'standard', cards: [send('node a')] },
          b: { type: 'standard', cards: [send('node b')] },
          c: { type: 'standard', cards: [send('node c')] },
          ...(more.nodes as Json | undefined),
        },
      },
    },
    ...(more.settings !== undefined && { settings: more.settings }),
  })
  if (!isFlowDocument(document)) throw new Error('no flows')
  return { document, scripts: compileScripts(document).scripts }
}

export function openBot(cards: unknown[], more: Json = {}) {
  let time = Date.parse('2026-03-04T12:00:00Z')
  const server = openMemoryPlatform({ now: () => time, others: answerCall })
  const state = {
    cutAt: Number.POSITIVE_INFINITY,
    made: 0,
    count: 0,
    trace: {} as TurnTrace,
  }
  const platform = async (call: PlatformCall) => {
    const answer = await server.platform(call)
    // The server has run the call, but the engine does not receive the answer.
    if (++state.made === state.cutAt) throw new PlatformUnreachable('cut off')
    return answer
  }
  const engine = {
    program: toProgram(cards, more),
    botId: 'bot_1',
    platform,
    memory: openMemory(platform),
    now: () => time,
    createHost: () => ({}),
    log: () => {},
    onTraced: (_turn: unknown, trace: TurnTrace) => {
      state.trace = trace
    },
  }
  const handle = async (text: string, id: string) => {
    const message = { id: 'msg_u', type: 'text', payload: { text }, tags: {} }
    const payload = { message, conversation: { tags: {} }, user: { tags: {} } }
    const before = server.sent.length
    await handleEvent(
      engine,
      {
        id,
        type: 'message_created',
        payload,
        createdAt: new Date(time).toISOString(),
        conversationId: 'conv_1',
        userId: 'user_1',
        messageId: 'msg_u',
      },
      {},
    )
    return server.sent.slice(before).map(({ payload }) => payload.text)
  }
  return {
    server,
    state,
    handle,
    say: (text: string) => handle(text, `evt_${++state.count}`),
    pass: (ms: number) => {
      time += ms
    },
  }
}

export const send = (message: string) => ({ type: 'send', message })

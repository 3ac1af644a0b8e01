// A bot with an agent, for tests: in process, against an in-memory server and a scripted model.
import type { TextResponse, ToolCall } from '@botstead/contract'
import { checkDocument, isFlowDocument } from '../src/check/check.ts'
import { compileScripts } from '../src/document/scripts.ts'
import { handleEvent } from '../src/engine/engine.ts'
import type { DeliveredEvent } from '../src/engine/event-types.ts'
import { openMemory } from '../src/engine/memory.ts'
import {
  type Json,
  type PlatformCall,
  PlatformUnreachable,
} from '../src/engine/platform.ts'
import type { CognitiveRequest } from '../src/models/models.ts'
import { openMemoryPlatform } from '../src/testing/memory-platform.ts'
import type { TurnTrace } from '../src/tracing/trace.ts'

/** A text, or calls by the name of the tool. */
export type Reply =
  | string
  | { text?: string; calls: [name: string, input: Json][]; cost?: number }
export type Model = (request: CognitiveRequest) => Reply | Promise<Reply>

interface Options {
  model: Model
  others?: (call: PlatformCall) => Json | undefined
}

let callCount = 0
const toResponse = (reply: Reply): TextResponse => {
  const {
    text = '',
    calls,
    cost = 0.001,
  } = typeof reply === 'string' ? { text: reply, calls: [] } : reply
  const toolCalls = calls.map(
    ([name, input]): ToolCall => ({ id: `call_${++callCount}`, name, input }),
  )
  return {
    output: text,
    ...(toolCalls.length && { toolCalls }),
    metadata: {
      provider: 'stand-in',
      model: 'stand-in:one',
      cost,
      usage: { inputTokens: 100, inputCost: 0, outputTokens: 20, outputCost: 0 },
    },
  }
}

const toMessageEvent = (id: string, text: string): DeliveredEvent => ({
  id,
  createdAt: '2026-01-02T03:04:05Z',
  type: 'message_created',
  payload: { message: { id: 'msg_u', type: 'text', payload: { text }, tags: {} } },
  conversationId: 'conv_1',
  userId: 'user_1',
  messageId: 'msg_u',
})

export function openBot(given: Json, { model, others }: Options) {
  const document = checkDocument({ kind: 'bot', version: 2, ...given })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const requests: CognitiveRequest[] = []
  const server = openMemoryPlatform({
    now: Date.now,
    async others(call) {
      if (call.path !== '/v2/cognitive/generate-text') return others?.(call)
      const request = structuredClone(call.body) as CognitiveRequest
      requests.push(request)
      return toResponse(await model(request)) as unknown as Json
    },
  })
  const state = {
    made: 0,
    count: 0,
    traces: [] as TurnTrace[],
    cutAt: Number.POSITIVE_INFINITY,
    /** No call after the next effect reaches the server. */
    cutsInEffect: false,
  }
  const platform = async (call: PlatformCall) => {
    if (++state.made > state.cutAt) throw new PlatformUnreachable('cut off')
    // Without its key, a repeated call of the model has another reply.
    const { key, ...keyless } = call
    const answer = await server.platform(call.path.startsWith('/v2/') ? keyless : call)
    // The server has run the call, but the engine does not receive the answer.
    if (state.made === state.cutAt) throw new PlatformUnreachable('cut off')
    return answer
  }
  const engine = {
    botId: 'bot_1',
    platform,
    memory: openMemory(platform),
    now: Date.now,
    program: { document, scripts: compileScripts(document).scripts },
    createHost: () => ({
      async effect(name: string) {
        effects.push(name)
        if (state.cutsInEffect)
          Object.assign(state, { cutsInEffect: false, cutAt: state.made })
      },
    }),
    log: () => {},
    onTraced: (_turn: unknown, trace: TurnTrace) => void state.traces.push(trace),
  }
  const effects: string[] = []
  const createMessage = (text: string) => toMessageEvent(`evt_${++state.count}`, text)
  const handle = async (event: DeliveredEvent, signal?: AbortSignal) => {
    const before = server.sent.length
    await handleEvent(engine, event, {}, signal)
    return server.sent.slice(before).map(({ payload }) => payload.text)
  }
  return {
    server,
    state,
    requests,
    effects,
    createMessage,
    handle,
    say: (text: string, signal?: AbortSignal) => handle(createMessage(text), signal),
    /** Results of tools in the last request, as the model sees them. */
    results: () =>
      requests
        .at(-1)!
        .messages.filter(({ type }) => type === 'tool_result')
        .map(({ content }) => JSON.parse(String(content))),
    memory: () =>
      server.states.get('conversation/conv_1/flows.conversation')!.payload as Json,
  }
}

export const definition = { input: { schema: {} }, output: { schema: {} } }
export const send = (message: string) => ({ type: 'send', message })
export const agent = (fields: Json) => ({
  type: 'agent',
  instructions: 'Help.',
  ...fields,
})
/** A document with an agent `help`, which every conversation reaches at once. */
export const withAgent = (fields: Json, more: Json = {}, nodes: Json = {}) => ({
  ...more,
  flows: {
    main: {
      variables: { city: { type: 'string' }, count: { type: 'number' } },
      nodes: {
        start: { type: 'start', next: 'help' },
        help: agent(fields),
        after: {
          type: 'standard',
          cards: [send('after {{ workflow.city }} {{ workflow.count }}')],
        },
        failed: { type: 'standard', cards: [send('failed: {{ turn.error.reason }}')] },
        ...nodes,
      },
    },
    ...((more.flows as Json) ?? {}),
  },
})
/** Replies with these in turn, and repeats the last one. */
export const inTurn = (...replies: Reply[]): Model => {
  let next = 0
  return () => replies[Math.min(next++, replies.length - 1)]!
}

export const exits = {
  found: {
    description: 'The city is known',
    when: 'outputs.count > 1',
    outputs: {
      city: { type: 'string', into: 'workflow.city' },
      count: { type: 'number', into: 'workflow.count' },
    },
    to: 'after',
  },
}

export const asking = {
  inputs: { what: { type: 'string' } },
  outputs: { answer: { type: 'string' } },
  description: 'Asks the user',
  nodes: {
    in: {
      type: 'entry',
      cards: [
        {
          type: 'capture',
          kind: 'text',
          into: 'workflow.answer',
          question: 'Your {{ workflow.what }}?',
        },
        {
          type: 'code',
          code: 'if (workflow.answer === "bad") throw new Error("not that")',
        },
      ],
    },
  },
}

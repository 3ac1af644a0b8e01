// A bot with flows, for tests: in process, against an in-memory server.
import { expect } from 'vitest'
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
import {
  type MemoryPlatformDeps,
  openMemoryPlatform,
} from '../src/testing/memory-platform.ts'
import type { TurnTrace } from '../src/tracing/trace.ts'

export type Given = { flows: Json; [part: string]: unknown }

export function openBot(
  given: Given,
  { others, env = {} }: { others?: MemoryPlatformDeps['others']; env?: Json } = {},
) {
  let time = Date.parse('2026-01-02T03:04:05Z')
  const server = openMemoryPlatform({ now: () => time, others })
  const state = {
    program: toProgram(given),
    cutAt: Number.POSITIVE_INFINITY,
    traces: [] as TurnTrace[],
    logs: [] as string[],
    made: 0,
    count: 0,
  }
  const platform = async (call: PlatformCall) => {
    if (++state.made > state.cutAt) throw new PlatformUnreachable('cut off')
    const answer = await server.platform(call)
    // The server has run the call, but the engine does not receive the answer.
    if (state.made === state.cutAt) throw new PlatformUnreachable('cut off')
    return answer
  }
  const engine = {
    botId: 'bot_1',
    platform,
    memory: openMemory(platform),
    now: () => time,
    createHost: () => ({ console }),
    get program() {
      return state.program
    },
    log: (level: string, text: string) => void state.logs.push(`${level} ${text}`),
    onTraced: (_turn: unknown, trace: TurnTrace) => void state.traces.push(trace),
  }
  const createEvent = (type: string, payload: Json, more: Partial<DeliveredEvent> = {}) =>
    toEvent(`evt_${++state.count}`, {
      createdAt: new Date(time).toISOString(),
      type,
      payload,
      ...more,
    })
  const createMessage = (text: string, more: Partial<DeliveredEvent> = {}) =>
    createEvent('message_created', toMessagePayload(text), {
      messageId: 'msg_u',
      ...more,
    })
  /** Handles the event and returns the messages that the bot sent. */
  const handle = async (event: DeliveredEvent, signal?: AbortSignal) => {
    const before = server.sent.length
    await handleEvent(engine, event, env, signal)
    return server.sent
      .slice(before)
      .map(({ type, payload }) => (type === 'text' ? String(payload.text) : `[${type}]`))
  }
  return {
    server,
    state,
    engine,
    createEvent,
    createMessage,
    handle,
    say: (text: string, more?: Partial<DeliveredEvent>) =>
      handle(createMessage(text, more)),
    deliver: (type: string, payload: Json = {}, more?: Partial<DeliveredEvent>) =>
      handle(createEvent(type, payload, more)),
    async pass(ms: number) {
      time += ms
    },
    memory: () => server.states.get('conversation/conv_1/flows.conversation')!.payload,
    change: (given: Given) => {
      state.program = toProgram(given)
    },
  }
}

const toEvent = (
  id: string,
  fields: Pick<DeliveredEvent, 'createdAt' | 'type' | 'payload'> &
    Partial<DeliveredEvent>,
): DeliveredEvent => ({ id, conversationId: 'conv_1', userId: 'user_1', ...fields })

const toMessagePayload = (text: string) => ({
  message: { id: 'msg_u', type: 'text', payload: { text }, tags: {} },
  user: { id: 'user_1', tags: { vip: 'yes' } },
  conversation: { id: 'conv_1', tags: {} },
})

function toProgram(given: Given) {
  const document = checkDocument({ kind: 'bot', version: 2, ...given })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const { scripts, problems } = compileScripts(document)
  expect(problems).toEqual([])
  return { document, scripts }
}

export const text = (words: string) => ({ type: 'send', message: words })
export const node = (type: string, cards: unknown[], next?: unknown) => ({
  type,
  cards,
  ...(next !== undefined && { next }),
})
export const main = (cards: unknown[], more: Json = {}, next?: unknown) => ({
  main: { nodes: { start: node('start', cards, next), ...more } },
})
export const strings = { type: 'string' }

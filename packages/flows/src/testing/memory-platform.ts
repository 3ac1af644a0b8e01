// An in-memory server for tests of bots, with the operations that the engine uses. Like the real
// server, it runs a call with the same key only once.
import { setTimeout as pause } from 'node:timers/promises'
import type { DeliveredEvent } from '../engine/event-types.ts'
import {
  type Json,
  type Platform,
  type PlatformCall,
  PlatformRejection,
} from '../engine/platform.ts'

export interface SentMessage {
  id: string
  conversationId: string
  type: string
  payload: Json
  tags: Record<string, string>
}

export interface MemoryPlatform {
  platform: Platform
  sent: SentMessage[]
  /** Scheduled events; `at` in milliseconds. */
  scheduled: (DeliveredEvent & { at: number })[]
  /** States by `type/id/name`. `expiresAt` in milliseconds; infinite without expiry. */
  states: Map<string, { payload: Json; expiresAt: number; expiryMs: number | null }>
  handoffs: MemoryHandoff[]
  calls: PlatformCall[]
}

/** A conversation has one open handoff at most. */
export interface MemoryHandoff {
  id: string
  conversationId: string
  reason?: string
  summary?: string
  botReceives: 'nothing' | 'everything'
  isOpen: boolean
}

export interface MemoryPlatformDeps {
  now: () => number
  /**
   * Handles other operations: actions of integrations, tables, knowledge bases. Undefined gives
   * 404.
   */
  others?:
    | ((call: PlatformCall) => Json | undefined | Promise<Json | undefined>)
    | undefined
}

export function openMemoryPlatform({ now, others }: MemoryPlatformDeps): MemoryPlatform {
  const sent: SentMessage[] = []
  const scheduled: MemoryPlatform['scheduled'] = []
  const states: MemoryPlatform['states'] = new Map()
  const handoffs: MemoryHandoff[] = []
  const calls: PlatformCall[] = []
  let count = 0

  const perform = async (call: PlatformCall): Promise<Json> => {
    const { path } = call
    const body = (call.body ?? {}) as Json
    if (path.startsWith(statesPath)) return performOnState(states, call, now())
    if (path === '/v1/chat/messages') {
      const message = { id: `msg_${++count}`, ...(body as Omit<SentMessage, 'id'>) }
      sent.push(message)
      return { message }
    }
    if (path === '/v1/chat/events') {
      const event = toScheduledEvent(`evt_later_${++count}`, body, now())
      scheduled.push(event)
      return { event: { id: event.id } }
    }
    if (path === '/v1/platform/handoffs')
      return { handoff: requestHandoff(handoffs, body) }
    if (path.startsWith('/v1/platform/handoffs?state=open&'))
      return { handoffs: handoffs.filter(({ isOpen }) => isOpen) }
    if (hasNoEffectHere(call)) return {}
    const answer = await others?.(call)
    if (answer === undefined)
      throw new PlatformRejection(404, 'ResourceNotFound', `${path} does not exist`)
    return answer
  }

  const performOnce = oncePerKey(perform)
  return {
    sent,
    scheduled,
    states,
    handoffs,
    calls,
    async platform(call) {
      // Asynchronous like a network, so that tests find a missing `await`.
      await pause(0)
      calls.push(call)
      return performOnce(call)
    },
  }
}

/** Returns the first answer for a repeated key. */
function oncePerKey(perform: Platform): Platform {
  const answers = new Map<string, { request: string; answer: Json }>()
  return async (call) => {
    const request = JSON.stringify([call.path, call.body])
    const known = call.key === undefined ? undefined : answers.get(call.key)
    if (known && known.request !== request)
      throw new PlatformRejection(
        409,
        'RelationConflict',
        'The key was used for another request',
      )
    if (known) return known.answer
    const answer = await perform(call)
    if (call.key !== undefined) answers.set(call.key, { request, answer })
    return answer
  }
}

const statesPath = '/v1/chat/states/'

function performOnState(
  states: MemoryPlatform['states'],
  { method, path, body }: PlatformCall,
  now: number,
): Json {
  const key = decodeURIComponent(path.slice(statesPath.length))
  const { payload, expiry } = (body ?? {}) as Json
  const found = states.get(key)
  const state = found && found.expiresAt > now ? found : null
  if (method === 'GET' && !state)
    throw new PlatformRejection(
      404,
      'ResourceNotFound',
      `The state ${key} does not exist`,
    )
  const expiryMs =
    expiry === undefined ? (state?.expiryMs ?? null) : (expiry as number | null)
  let next = method === 'GET' ? state!.payload : copy(payload as Json)
  if (method === 'PATCH') next = { ...state?.payload, ...next }
  states.set(key, {
    payload: next,
    expiryMs,
    expiresAt: expiryMs === null ? Number.POSITIVE_INFINITY : now + expiryMs,
  })
  return { state: { payload: copy(next) } }
}

function toScheduledEvent(
  id: string,
  body: Json,
  now: number,
): MemoryPlatform['scheduled'][number] {
  const { type, payload, conversationId, schedule } = body as {
    type: string
    payload: Json
    conversationId?: string
    schedule?: { delay?: number; dateTime?: string }
  }
  const at = schedule?.dateTime
    ? Date.parse(schedule.dateTime)
    : now + (schedule?.delay ?? 0)
  return { id, createdAt: new Date(at).toISOString(), type, payload, conversationId, at }
}

/** Returns the open handoff of the conversation, or opens one. */
function requestHandoff(handoffs: MemoryHandoff[], body: Json): MemoryHandoff {
  const open = handoffs.find(
    ({ conversationId, isOpen }) => isOpen && conversationId === body.conversationId,
  )
  if (open) return open
  const id = `handoff_${handoffs.length + 1}`
  const handoff = { botReceives: 'nothing', ...body, id, isOpen: true } as MemoryHandoff
  handoffs.push(handoff)
  return handoff
}

const hasNoEffectHere = ({ method, path }: PlatformCall) =>
  path === '/v1/chat/observations' ||
  (method === 'PUT' && /^\/v1\/chat\/(conversations|users|messages)\//.test(path))

const copy = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value

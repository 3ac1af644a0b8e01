// What the operations carry that bring messages and events to bots: how large it may be, how often it may come, and when the bot has too much
// waiting already. Decided here for all of them, before any of them does anything.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Limits, refuseLarge, refuseManyTags } from '../limits.ts'
import type { BotCaller, ChatUserCaller, Services } from '../services.ts'
import { countMessage, RateLimited } from './rate-limits.ts'

type Json = Record<string, unknown>

interface Carried {
  /** Limit of its payload. */
  size: 'messageBytes' | 'eventBytes'
  /** Where payloads and tags lie in the body; by itself, in the body itself. */
  parts?: (body: Json) => unknown[]
  /** A change of what is there, or of what was said elsewhere long ago: it reaches nobody, and is not counted. */
  silent?: true
}

const carried: Record<string, Carried> = {
  'chat.createMessage': { size: 'messageBytes' },
  'chat.createEvent': { size: 'eventBytes' },
  'runtime.createMessage': { size: 'messageBytes' },
  'runtime.getOrCreateMessage': { size: 'messageBytes' },
  'runtime.updateMessage': { size: 'messageBytes', silent: true },
  'runtime.initializeIncomingMessage': {
    size: 'messageBytes',
    parts: ({ user, conversation, message }) => [user, conversation, message],
  },
  'runtime.importMessages': {
    size: 'messageBytes',
    parts: ({ messages }) => (Array.isArray(messages) ? messages : []),
    silent: true,
  },
  'runtime.createEvent': { size: 'eventBytes' },
}

export type TrafficCheck = (services: Services, request: FastifyRequest, reply: FastifyReply) => void

/** Throws LimitExceeded, RateLimited. Null for operations of which there is nothing to check. */
export function trafficCheck(operation: string): TrafficCheck | null {
  const known = Object.hasOwn(carried, operation) ? carried[operation]! : null
  const takesTags = operation.startsWith('runtime.')
  if (!known && !takesTags) return null
  return (services, request, reply) => {
    const body = isObject(request.body) ? request.body : {}
    const parts = (known?.parts?.(body) ?? [body]).filter(isObject)
    if (takesTags) for (const { tags } of parts) if (isObject(tags)) refuseManyTags(services.limits, tags)
    if (!known) return
    if (mayBeLarge(services.limits[known.size], request))
      for (const { payload } of parts) refuseLarge(services.limits, known.size, payload)
    if (known.silent) return
    const caller = request.caller as BotCaller | ChatUserCaller
    refuseBacklog(services, caller, known.size === 'eventBytes')
    countMessage(services, caller, reply)
  }
}

/** Written anew, JSON is never six times as long (`1e20` comes nearest): most bodies need no measuring. */
const mayBeLarge = (limit: Limits['messageBytes'], { headers }: FastifyRequest) =>
  !(Number(headers['content-length']) * 6 <= limit)

/** Seconds after which it is worth another try. */
const comeBackMs = 2_000

/**
 * Users' messages are always taken, and wait. Integrations can wait themselves: they are asked to, and so is an operator's script that makes events.
 * What the bot itself says is how it works its backlog off.
 */
function refuseBacklog({ limits, backlog }: Services, caller: BotCaller | ChatUserCaller, isEvent: boolean) {
  if ('claim' in caller || !(caller.integration || (caller.account && isEvent))) return
  const { count, bytes } = backlog.of(caller.botId)
  if (count < limits.queuedPerBot && bytes < limits.queuedBytesPerBot) return
  const standing = { passed: false, limit: limits.queuedPerBot, remaining: 0, msUntilFree: comeBackMs }
  throw new RateLimited(standing, 'Too much waits for this bot already: try again later')
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

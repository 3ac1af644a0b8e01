// Checks operations that bring messages and events to bots: size, rate, and the bot's backlog,
// before the operation changes anything.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Limits, limitRules } from '../../config/index.ts'
import type { BotCaller, ChatCaller, ChatUserCaller } from '../callers/callers.ts'
import type { HttpServices } from '../services.ts'
import { countChatUser, countMessage, RateLimited } from './rate-limits.ts'

type Json = Record<string, unknown>

interface Carried {
  /** Limit of its payload. */
  size: 'messageBytes' | 'eventBytes'
  /** Returns the objects with payloads and tags in the body; by default, the body itself. */
  parts?: (body: Json) => unknown[]
  /** A change by bots and integrations, or an import of old messages: it is not counted. */
  silent?: true
}

const carried: Record<string, Carried> = {
  'chat.createMessage': { size: 'messageBytes' },
  'chat.createEvent': { size: 'eventBytes' },
  'webchat.createMessage': { size: 'messageBytes' },
  'webchat.updateMessage': { size: 'messageBytes' },
  'webchat.createEvent': { size: 'eventBytes' },
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
  'platform.importHistory': {
    size: 'messageBytes',
    parts: ({ messages }) => (Array.isArray(messages) ? messages : []),
    silent: true,
  },
  'runtime.createEvent': { size: 'eventBytes' },
}

type TrafficCheck = (
  services: HttpServices,
  request: FastifyRequest,
  reply: FastifyReply,
) => void

/** Throws LimitExceeded, RateLimited. Returns null for operations without checks. */
export function trafficCheck(operation: string): TrafficCheck | null {
  if (operation === 'chat.createUser' || operation === 'webchat.createUser')
    return (services, request, reply) =>
      countChatUser(services, request.caller as ChatCaller, request, reply)
  const known = Object.hasOwn(carried, operation) ? carried[operation]! : null
  const takesTags = operation.startsWith('runtime.')
  if (!known && !takesTags) return null
  return (services, request, reply) => {
    const body = isObject(request.body) ? request.body : {}
    const parts = (known?.parts?.(body) ?? [body]).filter(isObject)
    if (takesTags)
      for (const { tags } of parts)
        if (isObject(tags)) limitRules.rejectTooManyTags(services.limits, tags)
    if (!known) return
    if (mayBeLarge(services.limits[known.size], request))
      for (const { payload } of parts)
        limitRules.rejectTooLarge(services.limits, known.size, payload)
    if (known.silent) return
    const caller = request.caller as BotCaller | ChatUserCaller
    checkBacklog(services, caller, known.size === 'eventBytes')
    countMessage(services, caller, request, reply)
  }
}

/**
 * Serialized again, JSON is never six times as long (`1e20` comes nearest), so most bodies need no
 * measuring.
 */
const mayBeLarge = (limit: Limits['messageBytes'], { headers }: FastifyRequest) =>
  !(Number(headers['content-length']) * 6 <= limit)

/** Milliseconds after which a retry is useful. */
const retryMs = 2_000

/**
 * Accepts users' messages always, and queues them. Rejects integrations, which can retry, and
 * operators' scripts that create events. Accepts the bot's own calls, because the bot makes them
 * while it works off its backlog.
 */
function checkBacklog(
  { limits, backlog }: HttpServices,
  caller: BotCaller | ChatUserCaller,
  isEvent: boolean,
) {
  if ('claim' in caller || !(caller.integration || (caller.account && isEvent))) return
  const { count, bytes } = backlog.of(caller.botId)
  if (count < limits.queuedPerBot && bytes < limits.queuedBytesPerBot) return
  const standing = {
    passed: false,
    limit: limits.queuedPerBot,
    remaining: 0,
    msUntilFree: retryMs,
  }
  throw new RateLimited(standing, 'The bot has too many pending deliveries: retry later')
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

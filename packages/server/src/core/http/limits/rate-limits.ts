// Rate limits. A limited request is rejected before it changes anything. The response contains the
// delay before a retry: official clients wait exactly that long. If the operator limits requests,
// every response has the current state of the limit.
import { isIP } from 'node:net'
import { ApiError } from '@botstead/contract'
import { clientAddress, isPublic } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FloodLimit } from '../../config/index.ts'
import type { BotCaller, ChatCaller, ChatUserCaller } from '../callers/callers.ts'
import type { RateStatus } from '../rates/rate.ts'
import type { HttpServices } from '../services.ts'
import { getPrincipal } from './connections.ts'

export class RateLimited extends ApiError {
  readonly standing: RateStatus
  constructor(standing: RateStatus, message: string) {
    super('RateLimited', message)
    this.standing = standing
  }
}

/** Whole seconds, at least 1: with 0, a client would retry at once. */
const toSeconds = ({ msUntilFree }: RateStatus) =>
  Math.max(1, Math.ceil(msUntilFree / 1_000))

const toHeaders = (standing: RateStatus) => ({
  'ratelimit-limit': String(standing.limit),
  'ratelimit-remaining': String(standing.remaining),
  'ratelimit-reset': String(toSeconds(standing)),
})

export const rateLimitHeaders = (standing: RateStatus) => ({
  ...toHeaders(standing),
  'retry-after': String(toSeconds(standing)),
})

type Deps = Pick<HttpServices, 'config' | 'rates'>
type Arrived = Pick<FastifyRequest, 'raw'>

/** Counts a request after authentication. Throws RateLimited. */
export function countRequest(deps: Deps, request: FastifyRequest, reply: FastifyReply) {
  const requests = deps.rates.of('requests')
  if (requests)
    pass(
      requests.take(request.credential ?? getPrincipal(deps.config, request.raw)),
      reply,
      'requests per second',
    )
}

/**
 * Counts a message, its change or an event, per bot and direction, and per chat user and address that
 * write it.
 * Throws RateLimited.
 */
export function countMessage(
  deps: Deps,
  caller: BotCaller | ChatUserCaller,
  request: Arrived,
  reply: FastifyReply,
) {
  const messages = deps.rates.of('messages')
  if ('claim' in caller)
    countFlood(deps, { caller, request, reply }, [
      ['userMessagesPerMinute', 1],
      ['addressMessagesPerMinute', 1],
    ])
  const isIncoming = 'claim' in caller || caller.integration !== null
  if (messages)
    pass(
      messages.take(`${caller.botId} ${isIncoming ? 'in' : 'out'}`),
      reply,
      'messages per minute',
    )
}

/**
 * Counts a new chat user per bot and address, because users without a key have no other identity.
 * Throws RateLimited.
 */
export function countChatUser(
  deps: Deps,
  caller: ChatCaller,
  request: Arrived,
  reply: FastifyReply,
) {
  // The operation rejects a wrong secret.
  const isAdmin =
    caller.adminSecret !== '' && request.raw.headers['x-admin-secret'] !== undefined
  if (!isAdmin) countFlood(deps, { caller, request, reply }, [['chatUsersPerMinute', 1]])
}

/** Counts a new conversation per chat user and per address. Throws RateLimited. */
const countConversation = (deps: Deps, visit: Visit) =>
  countFlood(deps, visit, [
    ['userConversationsPerMinute', 1],
    ['addressConversationsPerMinute', 1],
  ])

/** Counts a file and its bytes per chat user and per address. Throws RateLimited. */
const countUpload = (deps: Deps, visit: Visit, bytes: number) =>
  countFlood(deps, visit, [
    ['userUploadsPerHour', 1],
    ['addressUploadsPerHour', 1],
    ['userUploadBytesPerHour', bytes],
    ['addressUploadBytesPerHour', bytes],
  ])

/** A request of a visitor. */
interface Visit {
  caller: ChatCaller | ChatUserCaller
  request: Arrived
  reply: FastifyReply
}

const floodUnits: Record<FloodLimit, string> = {
  userMessagesPerMinute: 'messages of one user per minute',
  addressMessagesPerMinute: 'messages of one address per minute',
  chatUsersPerMinute: 'new chat users of one address per minute',
  userConversationsPerMinute: 'new conversations of one user per minute',
  addressConversationsPerMinute: 'new conversations of one address per minute',
  userUploadsPerHour: 'files of one user per hour',
  addressUploadsPerHour: 'files of one address per hour',
  userUploadBytesPerHour: 'bytes of files of one user per hour',
  addressUploadBytesPerHour: 'bytes of files of one address per hour',
}

/** Counts in all limits that apply, or in none if one of them is exceeded. Throws RateLimited. */
function countFlood(
  { config, rates }: Deps,
  { caller, request: { raw }, reply }: Visit,
  counts: [limit: FloodLimit, amount: number][],
) {
  const claim = 'claim' in caller ? caller.claim : null
  // The owner of the bot knows the users of keys that the owner signed.
  const isSigned = 'isIssued' in caller && !caller.isIssued
  const address = clientAddress(raw, config.trustProxy)
  // Hosted processes have no address.
  const isOpen = isIP(address) !== 0 && isPublic(address)
  const applying = counts.flatMap(([limit, amount]) => {
    const rate = rates.of(limit)
    if (!rate || (!isOpen && config.publicLimits.has(limit))) return []
    const isOfUser = limit.startsWith('user')
    if (isSigned && !isOfUser) return []
    const of = isOfUser ? claim : getPrincipal(config, raw)
    return [
      {
        rate,
        key: JSON.stringify([caller.webhookId, of]),
        amount,
        unit: floodUnits[limit],
      },
    ]
  })
  for (const { rate, key, amount, unit } of applying)
    rejectOver(rate.look(key, amount), unit)
  for (const { rate, key, amount, unit } of applying)
    pass(rate.take(key, amount), reply, unit)
}

/**
 * Counts a call of a third party: to an integration of a bot, by the id of the bot, or at an address that
 * many bots share, by its name, before the bot is known. Throws RateLimited.
 */
function countWebhook(
  { rates }: Pick<Deps, 'rates'>,
  called: string | { shared: string },
  reply: FastifyReply,
) {
  const key = typeof called === 'string' ? called : `shared ${called.shared}`
  const webhooks = rates.of('webhooks')
  if (webhooks) pass(webhooks.take(key), reply, 'calls per second')
}

/** Of several limits, the response reports the one with the fewest remaining requests. */
function pass(standing: RateStatus, reply: FastifyReply, unit: string) {
  rejectOver(standing, unit)
  const current = reply.getHeader('ratelimit-remaining')
  if (current === undefined || standing.remaining < Number(current))
    reply.headers(toHeaders(standing))
}

function rejectOver(standing: RateStatus, unit: string) {
  if (!standing.passed)
    throw new RateLimited(
      standing,
      `More than ${standing.limit} ${unit}: retry in ${toSeconds(standing)} s`,
    )
}

/**
 * Looks a credential up, and counts invalid ones per principal of the connection. A valid one is
 * always accepted. Past the limit, invalid ones get 429 instead of 401, and credentials that are
 * not in `known` are looked up in turns, so that guessing occupies few database connections and
 * never delays other principals. Throws RateLimited.
 */
export async function lookUpGuarded<Found>(
  deps: Deps & Pick<HttpServices, 'lookUpTurns'>,
  request: Arrived,
  lookUp: () => Promise<Found | null>,
  known?: () => Found | null | undefined,
): Promise<Found | null> {
  const failures = deps.rates.of('failures')
  if (!failures) return lookUp()
  const isOver =
    !failures.isQuiet && !failures.look(getPrincipal(deps.config, request.raw)).passed
  const remembered = isOver ? known?.() : undefined
  const lookUpNow = isOver && known ? () => lookUpInTurn(deps, request, lookUp) : lookUp
  const found = remembered !== undefined ? remembered : await lookUpNow()
  if (found !== null) return found
  const counted = failures.take(getPrincipal(deps.config, request.raw))
  if (!counted.passed)
    throw new RateLimited(
      counted,
      'Too many invalid credentials: check the one that you send',
    )
  return null
}

async function lookUpInTurn<Found>(
  { config, lookUpTurns }: Deps & Pick<HttpServices, 'lookUpTurns'>,
  { raw }: Arrived,
  lookUp: () => Promise<Found>,
): Promise<Found> {
  const turn = lookUpTurns.take(getPrincipal(config, raw))
  try {
    await turn.admitted
    return await lookUp()
  } finally {
    turn.leave()
  }
}

/**
 * Notes a limited call of hosted code by its cause: a delivery that fails because of a 429 is
 * postponed (delivery/deliver.ts).
 */
export function noteLimitedCall(
  { limitedCalls }: Pick<HttpServices, 'limitedCalls'>,
  thrown: unknown,
  request: FastifyRequest,
) {
  const cause = request.headers[causeHeader]
  if (thrown instanceof RateLimited && typeof cause === 'string')
    limitedCalls.note(parseCause(cause).cause, thrown.standing.msUntilFree)
}

export const causeHeader = 'x-botstead-cause'

/**
 * Parses the cause header of hosted code's call-backs: `<event or message>;<run>`, with a run only
 * if an earlier run may have begun.
 */
export function parseCause(value: string): { cause: string; run: string | null } {
  const [cause = '', run = null] = value.split(';')
  return { cause, run }
}

/** Limits of the rates of requests. */
export const rateLimits = {
  countChatUser,
  countConversation,
  countUpload,
  countWebhook,
  lookUpGuarded,
}

// How often one may call. What is refused here is refused before anything was done, and the answer says when to come back: official clients
// wait exactly as long. Where the operator limits requests, every answer says how things stand.
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BotCaller, ChatUserCaller, Services, Standing } from '../services.ts'
import { principalOf } from './connections.ts'

export class RateLimited extends ApiError {
  readonly standing: Standing
  constructor(standing: Standing, message: string) {
    super('RateLimited', message)
    this.standing = standing
  }
}

/** Whole seconds, and one at least: a client that is told 0 would hurry. */
const secondsOf = ({ msUntilFree }: Standing) => Math.max(1, Math.ceil(msUntilFree / 1_000))

const headersOf = (standing: Standing) => ({
  'ratelimit-limit': String(standing.limit),
  'ratelimit-remaining': String(standing.remaining),
  'ratelimit-reset': String(secondsOf(standing)),
})

export const refusalHeaders = (standing: Standing) => ({
  ...headersOf(standing),
  'retry-after': String(secondsOf(standing)),
})

type Means = Pick<Services, 'config' | 'rates'>
type Arrived = Pick<FastifyRequest, 'raw'>

/** Counts a request once it is known who calls. Throws RateLimited. */
export function countRequest(means: Means, request: FastifyRequest, reply: FastifyReply) {
  const requests = means.rates.of('requests')
  if (requests)
    pass(
      requests.take(request.credential ?? principalOf(means.config, request.raw)),
      reply,
      'requests in a second',
    )
}

/** Counts a message or an event, by the bot that it goes to or comes from, and by the chat user who writes it. Throws RateLimited. */
export function countMessage({ rates }: Means, caller: BotCaller | ChatUserCaller, reply: FastifyReply) {
  const messages = rates.of('messages')
  const ofUser = rates.of('userMessages')
  if (ofUser && 'claim' in caller)
    pass(
      ofUser.take(JSON.stringify([caller.webhookId, caller.claim])),
      reply,
      'messages of one user in a minute',
    )
  const isIncoming = 'claim' in caller || caller.integration !== null
  if (messages)
    pass(messages.take(`${caller.botId} ${isIncoming ? 'in' : 'out'}`), reply, 'messages in a minute')
}

/** Counts a call of a third party to an integration of this bot. Throws RateLimited. */
export function countWebhook({ rates }: Pick<Means, 'rates'>, botId: string, reply: FastifyReply) {
  const webhooks = rates.of('webhooks')
  if (webhooks) pass(webhooks.take(botId), reply, 'calls in a second')
}

/** The same at an address that many bots share, before it is known whose it is. */
export function countSharedWebhook({ rates }: Pick<Means, 'rates'>, name: string, reply: FastifyReply) {
  const webhooks = rates.of('webhooks')
  if (webhooks) pass(webhooks.take(`shared ${name}`), reply, 'calls in a second')
}

/** Of several limits, the answer shows the one that is nearest. */
function pass(standing: Standing, reply: FastifyReply, what: string) {
  if (!standing.passed) throw new RateLimited(standing, `More than ${standing.limit} ${what}`)
  const shown = reply.getHeader('ratelimit-remaining')
  if (shown === undefined || standing.remaining < Number(shown)) reply.headers(headersOf(standing))
}

/**
 * Looks a credential up, and counts wrong ones by the principal of the connection. A valid one is always accepted: past the limit, wrong ones are
 * answered 429 instead of 401, and what `known` does not know is looked up in turn, so that guessing keeps few database connections busy and
 * nobody waits behind another principal's guesses. Throws RateLimited.
 */
export async function lookUpGuarded<Found>(
  means: Means & Pick<Services, 'lookUpTurns'>,
  request: Arrived,
  lookUp: () => Promise<Found | null>,
  known?: () => Found | null | undefined,
): Promise<Found | null> {
  const failures = means.rates.of('failures')
  if (!failures) return lookUp()
  const isOver = !failures.isQuiet && !failures.look(principalOf(means.config, request.raw)).passed
  const remembered = isOver ? known?.() : undefined
  const found =
    remembered !== undefined
      ? remembered
      : await (isOver && known ? lookUpInTurn(means, request, lookUp) : lookUp())
  if (found !== null) return found
  const counted = failures.take(principalOf(means.config, request.raw))
  if (!counted.passed)
    throw new RateLimited(counted, 'Too many wrong credentials: check the one that you send')
  return null
}

async function lookUpInTurn<Found>(
  { config, lookUpTurns }: Means & Pick<Services, 'lookUpTurns'>,
  { raw }: Arrived,
  lookUp: () => Promise<Found>,
): Promise<Found> {
  const turn = lookUpTurns.take(principalOf(config, raw))
  try {
    await turn.admitted
    return await lookUp()
  } finally {
    turn.leave()
  }
}

/** A delivery that fails because of a 429 is postponed (delivery/deliver.ts): what limits hosted code is noted by its cause. */
export function noteLimitedCall(
  { limitedCalls }: Pick<Services, 'limitedCalls'>,
  thrown: unknown,
  request: FastifyRequest,
) {
  const cause = request.headers[causeHeader]
  if (thrown instanceof RateLimited && typeof cause === 'string')
    limitedCalls.note(parseCause(cause).cause, thrown.standing.msUntilFree)
}

export const causeHeader = 'x-botstead-cause'

/** What hosted code marks its call-backs with: `<event or message>;<run>`, the run only where a run before may have begun. */
export function parseCause(value: string): { cause: string; run: string | null } {
  const [cause = '', run = null] = value.split(';')
  return { cause, run }
}

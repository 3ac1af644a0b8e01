// How often one may call. What is refused here is refused before anything was done, and the answer says when to come back: official clients
// wait exactly as long. Where the operator limits requests, every answer says how things stand.
import { ApiError } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientAddress, networkOf } from '../lib/addresses.ts'
import type { BotCaller, ChatUserCaller, Services, Standing } from '../services.ts'

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

const addressOf = ({ config }: Means, { raw }: Arrived) => networkOf(clientAddress(raw, config.trustProxy))

/** Counts a request once it is known who calls. Throws RateLimited. */
export function countRequest(means: Means, request: FastifyRequest, reply: FastifyReply) {
  const requests = means.rates.of('requests')
  if (requests)
    pass(requests.take(request.credential ?? addressOf(means, request)), reply, 'requests in a second')
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
 * Looks a credential up, and counts those that are not good by address. Past the limit only what `mayBeGood` lets through is looked up at all: who
 * guesses learns nothing more, and who holds a good one is not locked out by a neighbour. Throws RateLimited.
 */
export async function lookUpGuarded<Found>(
  means: Means,
  request: Arrived,
  mayBeGood: () => boolean,
  lookUp: () => Promise<Found | null>,
): Promise<Found | null> {
  const failures = means.rates.of('failures')
  if (!failures) return lookUp()
  const before = failures.isQuiet ? null : failures.look(addressOf(means, request))
  if (before && !before.passed && !mayBeGood()) throw tooManyFailures(before)
  const found = await lookUp()
  if (found !== null) return found
  const counted = failures.take(addressOf(means, request))
  if (!counted.passed) throw tooManyFailures(counted)
  return null
}

const tooManyFailures = (standing: Standing) =>
  new RateLimited(standing, 'Too many wrong credentials came from this address')

// Requests of Meta to this server: the question whether the address is right, and signed notifications
// (https://developers.facebook.com/docs/graph-api/webhooks/getting-started).
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  ChannelError,
  type Configuration,
  type ProviderRequest,
  type Received,
} from '../channel.ts'
import { readJson } from '../provider-calls.ts'

/** One of the entries of a notification, as its sender wrote it. */
export type Entry = Record<string, unknown>

/**
 * Answers the question of Meta, or returns the entries of a notification. Throws ChannelError ("forged") if
 * the request is not from Meta. `secretPlace`: where people copy the app secret.
 */
export function readWebhook(
  { verifyToken, clientSecret }: Configuration,
  secretPlace: string,
  request: ProviderRequest,
): { answer: Received } | { entries: Entry[] } {
  if (request.method === 'GET')
    return { answer: answerChallenge(String(verifyToken).trim(), request) }
  checkSignature(String(clientSecret).trim(), secretPlace, request)
  const { entry } = readJson(request.body)
  return { entries: (Array.isArray(entry) ? entry : []).filter(isObject) }
}

const isObject = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null

function answerChallenge(verifyToken: string, { query }: ProviderRequest): Received {
  const parameters = new URLSearchParams(query)
  const challenge = parameters.get('hub.challenge') ?? ''
  if (!isEqual(parameters.get('hub.verify_token') ?? '', verifyToken))
    throw new ChannelError(
      'forged',
      'The verify token is another one. Copy the one below into the field at Meta ("Enter the webhook").',
    )
  if (!/^[\w-]{1,200}$/.test(challenge))
    throw new ChannelError('rejected', 'The request has no `hub.challenge`')
  const headers = { 'content-type': 'text/plain; charset=utf-8' }
  return { arrivals: [], response: { status: 200, headers, body: challenge } }
}

/** The signature is over the bytes of the body, before anything is read. */
function checkSignature(
  secret: string,
  secretPlace: string,
  { headers, body }: ProviderRequest,
): void {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  if (!isEqual(headers['x-hub-signature-256'] ?? '', expected))
    throw new ChannelError(
      'forged',
      'A message was not taken, because its signature is wrong. If it came from Meta, the app secret ' +
        `in the settings is wrong: copy it again from ${secretPlace}. Otherwise, a stranger sent it.`,
    )
}

/** Takes the same time wherever the texts differ. */
function isEqual(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => Buffer.from(text))
  return one!.length === other!.length && timingSafeEqual(one!, other!)
}

// Requests of the gateway: messages of people, and states of the bot's messages.
import { createHash, timingSafeEqual } from 'node:crypto'
import {
  type Arrival,
  ChannelError,
  type Configuration,
  type Context,
  type ProviderRequest,
} from '../channel.ts'
import { readJson } from '../provider-calls.ts'
import { findField, readField } from './fields.ts'

/** As tags of the server. */
const maxId = 500
const maxMessages = 100

type Configured = Pick<Context, 'configuration'>

/** Throws ChannelError ("forged") for a request without the secret, and "rejected" for one that is unreadable. */
export function readRequest(context: Configured, request: ProviderRequest): Arrival[] {
  checkSecret(context, request)
  const { configuration } = context
  const fields = readFields(request)
  const path = String(configuration.listField ?? '')
  const list = path === '' ? [fields] : findField(fields, path)
  if (!Array.isArray(list) || list.length > maxMessages)
    throw new ChannelError(
      'rejected',
      `The request has no list of at most ${maxMessages} messages in "${path}"`,
    )
  return list.flatMap((one, i) => toArrival(context, one, toDigest(request, i)))
}

function checkSecret(
  { configuration }: Configured,
  { query, headers }: ProviderRequest,
): void {
  const given =
    headers['x-webhook-secret'] ?? new URLSearchParams(query).get('secret') ?? ''
  const hash = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(hash(given), hash(String(configuration.webhookSecret))))
    throw new ChannelError(
      'forged',
      'The request has no secret, or another one than the configuration: end the webhook address in the ' +
        'gateway with ?secret= and the secret of the webhook.',
    )
}

function readFields({
  method,
  query,
  headers,
  body,
}: ProviderRequest): Record<string, unknown> {
  if (method === 'GET') return Object.fromEntries(new URLSearchParams(query))
  if (/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? ''))
    return Object.fromEntries(new URLSearchParams(body))
  return readJson(body)
}

/** Identifies a message without an id: a repeated request has the same content. */
const toDigest = ({ query, body }: ProviderRequest, index: number) =>
  createHash('sha256').update(`${index} ${query} ${body}`).digest('hex')

function toArrival(
  { configuration }: Configured,
  fields: unknown,
  digest: string,
): Arrival[] {
  const read = (name: string) =>
    readField(fields, String(configuration[`${name}Field`] ?? name)).slice(0, maxId)
  const [from, to, id] = [read('from'), read('to'), read('id')]
  const text = readField(fields, String(configuration.textField ?? 'text'))
  const state = states[read('status').toLowerCase()]
  if (state !== undefined && text === '' && id !== '')
    return toState(state, { id, userPhone: to, activePhone: from })
  if (read('status') === '') requireFields(configuration, fields)
  if (from === '' || text === '') return []
  const place = toPlace({
    userPhone: from,
    activePhone: to || String(configuration.sender ?? ''),
  })
  return place
    ? [
        {
          ...place,
          message: {
            type: 'text',
            payload: { text },
            tags: { id: id || digest },
            by: ['id'],
          },
        },
      ]
    : []
}

/** Otherwise, a field name with a mistake would lose all messages. Throws ChannelError ("rejected"). */
function requireFields(configuration: Configuration, fields: unknown): void {
  for (const [setting, title] of [
    ['from', 'Number of the person'],
    ['text', 'Text'],
  ] as const) {
    const path = String(configuration[`${setting}Field`] ?? setting)
    if (findField(fields, path) !== undefined) continue
    const names = Object.keys(Object(fields)).slice(0, 20)
    throw new ChannelError(
      'rejected',
      `A message was not taken, because it has no field "${path}", which the setting "${title}" names. Its ` +
        `fields: ${names.join(', ').slice(0, 300) || 'none'}.`,
    )
  }
}

function toPlace(tags: { userPhone: string; activePhone: string }) {
  const { userPhone, activePhone } = tags
  if (userPhone === '' || activePhone === '') return null
  return {
    conversation: { channel: 'channel', tags, by: ['userPhone', 'activePhone'] },
    user: { tags: { userPhone }, by: ['userPhone'], name: userPhone.slice(0, 200) },
  }
}

/** As gateways name them; SMPP's short names among them. */
const states: Record<string, 'delivered' | 'failed' | undefined> = {
  ...Object.fromEntries(
    ['delivered', 'delivrd', 'delivery_success'].map((one) => [one, 'delivered']),
  ),
  ...Object.fromEntries(
    [
      'failed',
      'undelivered',
      'undeliv',
      'undeliverable',
      'rejected',
      'rejectd',
      'expired',
      'error',
      'delivery_failed',
    ].map((one) => [one, 'failed']),
  ),
}

function toState(
  state: 'delivered' | 'failed',
  { id, ...phones }: { id: string; userPhone: string; activePhone: string },
): Arrival[] {
  const place = toPlace(phones)
  if (!place) return []
  if (state === 'delivered') return [{ ...place, receipt: { state, tags: { id } } }]
  const error = 'The gateway could not deliver the SMS'
  const event = {
    type: 'messageFailed',
    payload: { messageTags: { id }, error },
    once: true,
  }
  return [{ ...place, event, failure: error }]
}

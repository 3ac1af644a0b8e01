// Requests of Slack to this server: events, interactions and commands, each with a signature.
import { createHmac, timingSafeEqual } from 'node:crypto'
import {
  ChannelError,
  type Context,
  type ProviderRequest,
  type Received,
} from '../channel.ts'
import { readJson } from '../provider-calls.ts'
import { toArrivals } from './arrivals.ts'
import { toCommand, toPresses } from './interactions.ts'
import type { EventCallback, Interaction, SlashCommand } from './types.ts'

/** A recorded request is worth nothing later. */
const maxAgeSeconds = 300

/** Throws ChannelError ("forged") for a request that is not from Slack, or too old. */
export async function readRequest(
  context: Context,
  { headers, body }: ProviderRequest,
): Promise<Received> {
  checkSignature(context, headers, body)
  if (/urlencoded/.test(headers['content-type'] ?? '')) return readForm(context, body)
  const event = readJson(body)
  if (event.type === 'url_verification') return toChallenge(event.challenge)
  if (typeof event.event !== 'object' || event.event === null) return { arrivals: [] }
  return { arrivals: await toArrivals(context, event as unknown as EventCallback) }
}

/** Slack sends this when a developer enters the address in its console. */
const toChallenge = (challenge: unknown): Received => ({
  arrivals: [],
  response: {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    body: String(challenge),
  },
})

async function readForm(context: Context, body: string): Promise<Received> {
  const form = Object.fromEntries(new URLSearchParams(body))
  if (form.payload !== undefined) {
    const interaction = readJson(form.payload) as unknown as Interaction
    return { arrivals: await toPresses(context, interaction) }
  }
  if (!form.command) return { arrivals: [] }
  return { arrivals: await toCommand(context, form as unknown as SlashCommand) }
}

function checkSignature(
  { configuration }: Context,
  headers: Record<string, string>,
  body: string,
): void {
  const secret = configuration.signingSecret
  const timestamp = headers['x-slack-request-timestamp'] ?? ''
  const age = Math.abs(Date.now() / 1_000 - Number(timestamp || Number.NaN))
  const isRecent = age <= maxAgeSeconds
  const given = Buffer.from(headers['x-slack-signature'] ?? '')
  const hmac = createHmac('sha256', String(secret ?? '')).update(
    `v0:${timestamp}:${body}`,
  )
  const expected = Buffer.from(`v0=${hmac.digest('hex')}`)
  const isEqual = given.length === expected.length && timingSafeEqual(given, expected)
  if (secret && isRecent && isEqual) return
  throw new ChannelError(
    'forged',
    'A message was not taken, because its signature is wrong or too old. If it came from Slack, the ' +
      'signing secret in the settings is wrong: copy it again from "Basic Information"; or the clock ' +
      'of this server is wrong. Otherwise, a stranger sent it.',
  )
}

// `botstead trace`: prints the trace of a flow bot's turns in a conversation; with --follow also
// new ones.
import { setTimeout as pause } from 'node:timers/promises'
import { CliError } from '../failure.ts'
import { type Admin, getBotId, openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'
import { createTraceReader, toTrace } from '../server/traces.ts'
import { parseLimit } from '../terminal/whole-number.ts'

interface Options extends Connecting {
  bot?: string
  follow?: boolean
  limit?: string
  json?: boolean
}

const pollMs = 1_000

export async function trace(
  conversationId: string,
  { bot, follow, limit, json, ...connecting }: Options,
): Promise<void> {
  const botId = getBotId(bot, connecting)
  const maximum = parseLimit(limit)
  const admin = openAdmin(connecting)
  const read = createTraceReader(admin, botId, conversationId)
  const first = await read()
  if (!first.length && !follow)
    throw new CliError(
      `no traces of the conversation ${conversationId} of the bot ${botId}: ` +
        (await explainAbsence(admin, botId, conversationId)),
    )
  for (let turns = first.slice(-maximum); ; turns = await read()) {
    for (const turn of turns)
      console.log(json ? JSON.stringify(turn) : `${toTrace(turn)}\n`)
    if (!follow) return
    await pause(pollMs)
  }
}

/** Throws for a conversation or a bot that does not exist. */
async function explainAbsence(
  admin: Admin,
  botId: string,
  conversationId: string,
): Promise<string> {
  const { runtime } = admin.as(botId)
  await runtime.getConversation({ params: { id: conversationId } })
  const document = await admin.client.admin.getBotJson({ params: { id: botId } })
  if (!('flows' in document)) return 'only flow bots have traces'
  const query = { conversationId, status: 'pending' as const }
  const { events } = await runtime.listEvents({ query })
  return events.length > 0
    ? 'its first turn still runs; --follow prints the trace when it ends'
    : 'the bot has handled no message in it yet; --follow prints new traces'
}

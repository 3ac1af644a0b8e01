// `botstead trace`: prints the trace of a flow bot's turns in a conversation; with --follow also
// new ones.
import { setTimeout as pause } from 'node:timers/promises'
import { botOf, openAdmin } from '../admin.ts'
import type { Connecting } from '../connection.ts'
import { CliError } from '../failure.ts'
import { createTraceReader, toTrace } from '../traces.ts'
import { limitOf } from '../whole-number.ts'

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
  const botId = botOf(bot, connecting)
  const maximum = limitOf(limit)
  const read = createTraceReader(openAdmin(connecting), botId, conversationId)
  const first = await read()
  if (!first.length && !follow)
    throw new CliError(
      `no traces of the conversation ${conversationId} of the bot ${botId}: only flow bots have traces`,
    )
  for (let turns = first.slice(-maximum); ; turns = await read()) {
    for (const turn of turns) console.log(json ? JSON.stringify(turn) : `${toTrace(turn)}\n`)
    if (!follow) return
    await pause(pollMs)
  }
}

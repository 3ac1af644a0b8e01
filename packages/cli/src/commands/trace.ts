// `botstead trace`: what a bot made of flows did in a conversation; with --follow, as it does it.
import { setTimeout as pause } from 'node:timers/promises'
import { openAdmin } from '../admin.ts'
import { type Connecting, readCredentials } from '../credentials.ts'
import { Failure } from '../failure.ts'
import { shownTrace, traceReader } from '../traces.ts'

interface Options extends Connecting {
  bot?: string
  follow?: boolean
  json?: boolean
}

const lookEveryMs = 1_000

export async function trace(
  conversationId: string,
  { bot, follow, json, ...connecting }: Options,
): Promise<void> {
  const botId = bot ?? readCredentials()?.botId
  if (!botId) throw new Failure('say which bot: --bot <id> ("botstead bots" lists them)')
  const read = traceReader(openAdmin(connecting), botId, conversationId)
  const first = await read()
  if (!first.length && !follow)
    throw new Failure(
      `the bot ${botId} left no trace of the conversation ${conversationId}: only bots made of flows do`,
    )
  for (let turns = first; ; turns = await read()) {
    for (const one of turns) console.log(json ? JSON.stringify(one) : `${shownTrace(one)}\n`)
    if (!follow) return
    await pause(lookEveryMs)
  }
}

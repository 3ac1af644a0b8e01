// Sends an export to the server, and makes a draft of the answer.
import type { Client } from '@botstead/client'
import { InputError } from '../../parts/forms/input-error.ts'
import { texts } from '../../texts/texts.ts'

const t = texts.bots.builders

/** Of the server. */
const maxBytes = 10_000_000
/** Of `String.fromCharCode` at once. */
const slice = 0x8000

/** Throws InputError for a file that is empty or too large. */
export async function readConversion(client: Client, file: File) {
  if (file.size === 0) throw new InputError(t.empty(file.name))
  if (file.size > maxBytes) throw new InputError(t.tooLarge(file.name))
  const bytes = new Uint8Array(await file.arrayBuffer())
  let binary = ''
  for (let at = 0; at < bytes.length; at += slice)
    binary += String.fromCharCode(...bytes.subarray(at, at + slice))
  const body = { fileName: file.name.slice(-300) || 'bot', content: btoa(binary) }
  return client.platform.convertBot({ body })
}

/** Creates a bot with the draft. The bot exists only if it has the draft. */
export async function createDraft(client: Client, name: string, text: string) {
  const { bot } = await client.admin.createBot({ body: { name } })
  try {
    const params = { botId: bot.id }
    await client.platform.saveBotDraft({
      params,
      body: { baseRevision: 0, text, format: 'JSON' },
    })
    return bot
  } catch (error) {
    await client.admin.deleteBot({ params: { id: bot.id } })
    throw error
  }
}

// Runs turns in the code of a bot, and writes the CPU time of each to stdout:
// `node bot-code-process.js <bundle> <turns> [hosted]`; `hosted`: with the replacements of the bot host.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { evaluate } from '../../../packages/sandbox/dist/host/code.js'
import { settings } from '../../../packages/sandbox/dist/host/settings.js'

interface Request {
  method: string
  path: string
  query: string
  headers: Record<string, string>
  body: string
}
type Handler = (
  request: Request,
) => Promise<{ status?: number; body?: string } | undefined>

const [bundle = '', turns = '', hosted = ''] = process.argv.slice(2)
settings.apiOrigin = new URL(String(process.env.BP_API_URL)).origin
// biome-ignore lint/suspicious/noExplicitAny: the exports of the bundle.
const exported: any = hosted
  ? evaluate([await readFile(bundle)], true)
  : createRequire(import.meta.url)(bundle)
const handler: Handler = exported.handler ?? exported.default.handler

const now = new Date().toISOString()
const dates = { createdAt: now, updatedAt: now, tags: {} }
const message = {
  id: 'msg_1',
  type: 'text',
  payload: { text: 'What time is it over there?' },
  direction: 'incoming',
  userId: 'user_1',
  conversationId: 'conv_1',
  ...dates,
}
const payload = {
  message,
  conversation: { id: 'conv_1', channel: 'channel', integration: 'chat', ...dates },
  user: { id: 'user_1', ...dates },
}
const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const request: Request = {
  method: 'POST',
  path: '/',
  query: '',
  headers: {
    'x-bp-operation': 'event_received',
    'x-bp-type': 'message_created',
    'x-bot-id': 'bot_1',
    'x-bot-user-id': 'bot_1',
    'x-bp-configuration': base64({ id: 'bot_1', ...dates, type: 'bot', payload: '{}' }),
    'x-bp-tags': base64({}),
  },
  body: JSON.stringify({
    event: {
      id: 'evt_1',
      type: 'message_created',
      createdAt: now,
      payload,
      messageId: 'msg_1',
    },
  }),
}

async function run(count: number): Promise<void> {
  let started = 0
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      while (started++ < count) {
        const reply = await handler({ ...request, headers: { ...request.headers } })
        if ((reply?.status ?? 200) >= 300)
          throw new Error(`The bot failed: ${reply?.body}`)
      }
    }),
  )
}

await run(Number(turns))
const before = process.cpuUsage()
await run(Number(turns))
const { user, system } = process.cpuUsage(before)
console.log(JSON.stringify({ microseconds: (user + system) / Number(turns) }))
process.exit(0)

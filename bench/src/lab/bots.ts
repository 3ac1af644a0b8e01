// The bots of the laboratory: a hosted one, and one at a URL in this process. Both send each text
// back. The one at a URL is not covered by the server's suppression of repeated messages, so it
// sends an Idempotency-Key, and it records each delivery.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { adminHeaders, deployBot, type RunningServer } from '../botstead-server.ts'
import { call, demand } from './http.ts'

export interface Bots {
  all: { botId: string; chatPath: string }[]
  /** Ids of the events that the bot at a URL received, with repetitions. */
  received: string[]
  close(): void
}

const attempts = 4

export async function openBots(server: RunningServer, origins: string[]): Promise<Bots> {
  const { token } = server.credentials
  const code = await readFile(
    fileURLToPath(new URL('../../bots/plain-bot.cjs', import.meta.url)),
    'utf8',
  )
  const hosted = await deployBot(server, 'hosted', code)
  const remote = await deployBot(server, 'at a URL', code)
  const received: string[] = []
  const listener = createServer(async (request, reply) => {
    const status = await handle(request, {
      origins,
      token,
      botId: remote.botId,
      received,
    })
    reply.writeHead(status, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const adminUrl = `${server.http.origin}/v1/admin/bots/${remote.botId}`
  await demand('PUT', adminUrl, adminHeaders(server.credentials), { url })
  const toBot = ({ botId, chatUrl }: typeof hosted) => ({
    botId,
    chatPath: new URL(chatUrl).pathname,
  })
  return {
    all: [toBot(hosted), toBot(remote)],
    received,
    close: () => void listener.close().closeAllConnections(),
  }
}

interface Remote {
  origins: string[]
  token: string
  botId: string
  received: string[]
}

/** Returns the status of the response: 500 if no server accepted the answer. */
async function handle(
  request: IncomingMessage,
  { origins, token, botId, received }: Remote,
) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  if (request.headers['x-bp-operation'] !== 'event_received') return 200
  const { event } = JSON.parse(text)
  if (event.type !== 'message_created') return 200
  received.push(event.id)
  const { conversationId, payload } = event.payload.message
  const headers = {
    authorization: `Bearer ${token}`,
    'x-bot-id': botId,
    'idempotency-key': event.id,
  }
  const body = {
    conversationId,
    userId: botId,
    type: 'text',
    payload: { text: payload.text },
    tags: {},
  }
  for (let attempt = 0; attempt < attempts; attempt++) {
    const url = `${origins[attempt % origins.length]}/v1/chat/messages`
    const { status } = await call('POST', url, headers, body)
    if (status === 201) return 200
    await pause(200)
  }
  return 500
}

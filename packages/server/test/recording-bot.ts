// A bot at a URL, in the test's own process: it outlives every kill of the server, and remembers what it was told.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Told {
  eventId: string
  conversationId: string
  /** Of the message that the event is about. */
  messageId: string
  text: string
  /** Milliseconds, of this process's monotonic clock: when it was told, and when it answered. */
  at: number
  answeredAt: number | null
  status: number | null
}

export interface RecordingBot {
  url: string
  /** In the order in which it was told. */
  told: Told[]
  /** The status with which it answers; 200 when nothing is said. */
  behave(how: (told: Told) => number | Promise<number>): void
  close(): Promise<void>
}

export async function openRecordingBot(): Promise<RecordingBot> {
  const told: Told[] = []
  let behaviour: (told: Told) => number | Promise<number> = () => 200
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    if (request.headers['x-bp-operation'] !== 'event_received') return void response.end('{}')
    const { event } = JSON.parse(text)
    const { message } = event.payload
    const one: Told = {
      eventId: event.id,
      conversationId: event.conversationId,
      messageId: event.messageId ?? message?.id ?? '',
      text: message?.payload?.text ?? '',
      at: performance.now(),
      answeredAt: null,
      status: null,
    }
    told.push(one)
    const status = await behaviour(one)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(status < 300 ? '{}' : JSON.stringify({ id: 'err_x', code: status, type: 'Runtime', message: `status ${status}` }), () => {
      one.answeredAt = performance.now()
      one.status = status
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told,
    behave(how) {
      behaviour = how
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

// Time until the last of many listeners receives a message, and memory of an idle listener.
import { setTimeout as pause } from 'node:timers/promises'
import type { OpenChatServer } from './chat.ts'
import { residentKb } from './processes.ts'
import {
  digits,
  median,
  printTable,
  progress,
  ratio,
  shuffled,
  spread,
} from './report.ts'

interface Audience {
  server: OpenChatServer
  /** Posts a message; resolves when all listeners have received it. */
  post(): Promise<void>
  close(): void
}

export async function measureFanOut(
  servers: OpenChatServer[],
  plan: { listeners: number[]; rounds: number; messages: number },
) {
  const rows: (string | number)[][] = []
  for (const listeners of plan.listeners) {
    progress(`fan-out to ${listeners}`)
    const audiences = await Promise.all(
      servers.map((server) => openAudience(server, listeners)),
    )
    const times = new Map<Audience, number[]>(audiences.map((audience) => [audience, []]))
    for (let round = 0; round < plan.rounds; round++)
      for (const audience of shuffled(audiences))
        times.get(audience)!.push(...(await postTimes(audience, plan.messages)))
    const base = median(times.get(audiences[0]!)!)
    for (const audience of audiences) {
      const middle = median(times.get(audience)!)
      rows.push([
        audience.server.name,
        listeners.toLocaleString('en'),
        spread(times.get(audience)!),
        ratio(middle, base),
        digits((listeners * 1000) / middle),
      ])
      audience.close()
    }
  }
  printTable(
    'Fan-out: from the post until the last listener receives it',
    [
      '',
      'listeners',
      'ms, median (range)',
      `relative to ${servers[0]!.name}`,
      'deliveries/s',
    ],
    rows,
  )
}

async function openAudience(
  server: OpenChatServer,
  listeners: number,
): Promise<Audience> {
  const conversation = await server.openConversation()
  let missing = 0
  let onAllReceived = () => {}
  const streams: { close(): void }[] = []
  for (let opened = 0; opened < listeners; opened++) {
    streams.push(
      await conversation.listen((frame) => {
        if (frame.includes('"isBot":true') && --missing === 0) onAllReceived()
      }),
    )
  }
  await pause(100) // A server may delay messages right after a stream opens.
  return {
    server,
    async post() {
      missing = listeners
      const received = new Promise<void>((resolve) => {
        onAllReceived = resolve
      })
      await Promise.all([conversation.postAsBot('To all of you'), received])
    },
    close: () => {
      for (const stream of streams) stream.close()
    },
  }
}

async function postTimes(audience: Audience, messages: number): Promise<number[]> {
  const times: number[] = []
  for (let message = 0; message < messages; message++) {
    const from = performance.now()
    await audience.post()
    times.push(performance.now() - from)
  }
  return times
}

/**
 * Measures the server's resident memory before and after. One server after another, because memory
 * does not shrink.
 */
export async function measureIdle(servers: OpenChatServer[], listeners: number) {
  progress(`${listeners} idle listeners`)
  const rows: (string | number)[][] = []
  for (const server of servers) {
    const conversation = await server.openConversation()
    const warm = await Promise.all(
      Array.from({ length: 50 }, () => conversation.listen(() => {})),
    )
    await pause(500)
    const before = residentKb(server.pids[0]!)
    const streams = [...warm]
    while (streams.length < listeners + warm.length)
      streams.push(
        ...(await Promise.all(
          Array.from({ length: 50 }, () => conversation.listen(() => {})),
        )),
      )
    await pause(1000)
    rows.push([
      server.name,
      listeners.toLocaleString('en'),
      digits((residentKb(server.pids[0]!) - before) / listeners),
    ])
    for (const stream of streams) stream.close()
  }
  printTable('Idle listeners', ['', 'listeners', 'KB of resident memory each'], rows)
}

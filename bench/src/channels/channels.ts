// A channel at a steady rate beside the chat at the same rate: the difference is what the channel adds. Then
// many bots that wait for messages of Telegram.
import { setTimeout as pause } from 'node:timers/promises'
import { adminHeaders, deployBot, type RunningServer } from '../botstead-server.ts'
import type { ChatServer, Talk } from '../chat.ts'
import { ownCpuMs, residentKb } from '../processes.ts'
import { digits, printTable, progress, quantile } from '../report.ts'
import { Telegram } from './telegram.ts'

interface Plan {
  perSecond: number
  seconds: number
  /** Bots that wait. */
  bots: number
  idleMs: number
}

const chats = 50
const warmSeconds = 3
/** After the start of the server, and after the installations with their first connections. */
const settleMs = 30_000

export async function measureChannels(
  server: RunningServer,
  chat: ChatServer,
  { code, botId }: { code: string; botId: string },
  plan: Plan,
) {
  const telegram = new Telegram()
  await telegram.open()
  try {
    await measureRate(server, chat, telegram, botId, plan)
    await measureWaiting(server, telegram, code, plan)
  } finally {
    await telegram.close()
  }
}

async function measureRate(
  server: RunningServer,
  chat: ChatServer,
  telegram: Telegram,
  botId: string,
  { perSecond, seconds }: Plan,
) {
  progress(`channels: ${perSecond} messages a second`)
  const token = '1:bench'
  await installTelegram(server, botId, telegram, token)
  await atRate(perSecond, warmSeconds, (nth) => telegram.write(token, 1 + (nth % chats)))
  await until(() => telegram.unanswered === 0)
  telegram.times.length = 0
  await atRate(perSecond, seconds, (nth) => telegram.write(token, 1 + (nth % chats)))
  await until(() => telegram.unanswered === 0)
  const talks = await Promise.all(Array.from({ length: chats }, () => chat.openTalk()))
  const times: number[] = []
  const running = new Set<Promise<void>>()
  const say = (nth: number) => {
    const run = timeTurn(talks[nth % chats]!, nth, times).finally(() =>
      running.delete(run),
    )
    running.add(run)
  }
  await atRate(perSecond, warmSeconds, say)
  await Promise.all(running)
  times.length = 0
  await atRate(perSecond, seconds, say)
  await Promise.all(running)
  for (const talk of talks) talk.close()
  const shares = [0.5, 0.95, 0.99]
  const [ofTelegram, ofChat] = [telegram.times, times].map((all) =>
    shares.map((share) => quantile(all, share)),
  ) as [number[], number[]]
  printTable(
    `A channel at ${perSecond} messages a second, from the message to the answer, ms`,
    ['', 'p50', 'p95', 'p99'],
    [
      ['Telegram, by long polling', ...ofTelegram.map(digits)],
      ['Chat API, with a stream', ...ofChat.map(digits)],
      ['added by the channel', ...ofTelegram.map((ms, i) => digits(ms - ofChat[i]!))],
    ],
  )
}

async function timeTurn(talk: Talk, nth: number, times: number[]) {
  const from = performance.now()
  await talk.turn(`message-${nth}.`)
  times.push(performance.now() - from)
}

async function measureWaiting(
  server: RunningServer,
  telegram: Telegram,
  code: string,
  { bots, idleMs }: Plan,
) {
  progress(`channels: ${bots} bots that wait`)
  const { pid } = server.program
  // Without the database, which is a child of the server.
  const rest = async () => {
    await pause(settleMs)
    const [cpu, polls] = [ownCpuMs(pid), telegram.polledAt.length]
    await pause(idleMs)
    return {
      cpu: (100 * (ownCpuMs(pid) - cpu)) / idleMs,
      polls: (1_000 * (telegram.polledAt.length - polls)) / idleMs,
      megabytes: residentKb(pid) / 1024,
    }
  }
  const before = await rest()
  for (let nth = 0; nth < bots; nth++) {
    const { botId } = await deployBot(server, `waiting ${nth}`, code)
    await installTelegram(server, botId, telegram, `${nth + 2}:bench`)
  }
  const after = await rest()
  printTable(
    `${bots} bots that wait for messages of Telegram`,
    ['', 'without them', 'with them'],
    [
      [
        'resident memory of the server, MB',
        digits(before.megabytes),
        digits(after.megabytes),
      ],
      ['CPU of the server at rest, % of a core', digits(before.cpu), digits(after.cpu)],
      ['requests to Telegram a second', digits(before.polls), digits(after.polls)],
    ],
  )
}

/** Installs Telegram in a bot. */
export async function installTelegram(
  server: RunningServer,
  botId: string,
  { url }: Telegram,
  botToken: string,
) {
  const headers = adminHeaders(server.credentials)
  const hub = await server.http.call<{ integrations: { id: string }[] }>(
    'GET',
    '/v1/admin/hub/integrations?name=telegram',
    headers,
  )
  const configuration = { botToken, apiUrl: url }
  const integrationId = hub.integrations[0]!.id
  await server.http.call('PUT', `/v1/admin/bots/${botId}`, headers, {
    integrations: { telegram: { integrationId, enabled: true, configuration } },
  })
}

/** Calls a function so often per second, also if a call is slow. */
export async function atRate(
  perSecond: number,
  seconds: number,
  work: (nth: number) => void,
) {
  const from = performance.now()
  for (let nth = 0; nth < perSecond * seconds; nth++) {
    const dueMs = from + (1_000 * nth) / perSecond - performance.now()
    if (dueMs > 1) await pause(dueMs)
    work(nth)
  }
}

async function until(isOver: () => boolean) {
  for (const end = Date.now() + 60_000; Date.now() < end; await pause(20))
    if (isOver()) return
  throw new Error('The bot did not answer all messages within a minute')
}

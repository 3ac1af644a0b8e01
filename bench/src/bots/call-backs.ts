// Two bots of one server: one floods the API with concurrent requests, the other chats. The flood
// should hardly slow the turns of the other bot.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  deployBot,
  firstBot,
  type RunningServer,
  startServer,
  toChatServer,
} from '../botstead-server.ts'
import type { Talk } from '../chat.ts'
import { digits, median, printTable, progress, quantile, ratio } from '../report.ts'

interface CallBacksPlan {
  rounds: number
  roundMs: number
}

const parallel = 50
/** Users of the measured bot, with pauses between their turns. */
const people = 3

/**
 * The bot that floods: the message contains the duration in milliseconds and the number of
 * concurrent requests.
 */
const floodingCode = `
const headers = {
  authorization: 'Bearer ' + process.env.BP_TOKEN,
  'x-bot-id': process.env.BP_BOT_ID,
  'content-type': 'application/json',
}
const post = async (body) => {
  const url = process.env.BP_API_URL + '/v1/chat/messages'
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.arrayBuffer()
}
exports.handler = async ({ headers: received, body }) => {
  if (received['x-bp-operation'] !== 'event_received') return
  const { payload } = JSON.parse(body).event
  const [ms, parallel] = JSON.parse(payload.message?.payload.text ?? '[0, 0]')
  const until = Date.now() + ms
  const message = {
    conversationId: payload.conversation.id,
    userId: process.env.BP_BOT_ID,
    type: 'text',
    payload: { text: 'x' },
    tags: {},
  }
  const flood = async () => { while (Date.now() < until) await post(message) }
  await Promise.all(Array.from({ length: parallel }, flood))
}`

export async function measureCallBacks({ rounds, roundMs }: CallBacksPlan) {
  progress('API requests of another bot')
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  const server = await startServer(folder)
  try {
    const talks = await openTalks(server)
    const flooding = await deployBot(server, 'flooding', floodingCode)
    const other = await toChatServer('flooding', server, flooding).openConversation()
    const rows = [
      { name: 'no other bot', flood: 0, rounds: [] as number[][] },
      {
        name: `a bot with ${parallel} concurrent API requests`,
        flood: parallel,
        rounds: [] as number[][],
      },
    ]
    await talkFor(talks, roundMs)
    for (let i = 0; i < rounds; i++)
      for (const { flood, rounds } of rows) {
        await other.post(JSON.stringify([flood ? roundMs + 500 : 0, flood]))
        await pause(300)
        rounds.push(await talkFor(talks, roundMs))
        await pause(700)
      }
    print(rows)
    for (const talk of talks) talk.close()
  } finally {
    await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function openTalks(server: RunningServer): Promise<Talk[]> {
  const measured = toChatServer('measured', server, firstBot(server))
  const talks: Talk[] = []
  while (talks.length < people) talks.push(await measured.openTalk())
  return talks
}

/** Returns the duration of each turn in milliseconds. */
async function talkFor(talks: Talk[], ms: number): Promise<number[]> {
  const times: number[] = []
  const until = performance.now() + ms
  const talkOn = async (talk: Talk) => {
    while (performance.now() < until) {
      const begin = performance.now()
      await talk.turn('hello')
      times.push(performance.now() - begin)
      await pause(50)
    }
  }
  await Promise.all(talks.map(talkOn))
  return times
}

function print(rows: { name: string; rounds: number[][] }[]) {
  const at = (q: number) => (times: number[]) => quantile(times, q)
  const base = median(rows[0]!.rounds.map(at(0.99)))
  printTable(
    `Turns of ${people} users with one bot, concurrent with`,
    ['', 'p50 ms, median of rounds', 'p99 ms', 'p99 relative to no other bot'],
    rows.map(({ name, rounds }) => {
      const p99 = median(rounds.map(at(0.99)))
      return [name, digits(median(rounds.map(at(0.5)))), digits(p99), ratio(p99, base)]
    }),
  )
}

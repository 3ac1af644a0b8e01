// Two bots of one server: one keeps many call-backs going at a time, the other is talked to. What the first does must hardly be felt by the second.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Talk } from './chat.ts'
import { digits, median, progress, quantile, ratio, table } from './report.ts'
import { deployBot, firstBot, type RunningServer, serverPlace, startServer } from './server-place.ts'

export interface CallBacksPlan {
  rounds: number
  roundMs: number
}

const parallel = 50
/** Of the bot that is measured, each with pauses in between. */
const people = 3

/** While it handles a message it has so many calls under way, for as many milliseconds as the message says. */
const floodingCode = `
const headers = { authorization: 'Bearer ' + process.env.BP_TOKEN, 'x-bot-id': process.env.BP_BOT_ID, 'content-type': 'application/json' }
const post = async (body) => {
  const reply = await fetch(process.env.BP_API_URL + '/v1/chat/messages', { method: 'POST', headers, body: JSON.stringify(body) })
  await reply.arrayBuffer()
}
exports.handler = async ({ headers: asked, body }) => {
  if (asked['x-bp-operation'] !== 'event_received') return
  const { payload } = JSON.parse(body).event
  const [ms, parallel] = JSON.parse(payload.message?.payload.text ?? '[0, 0]')
  const until = Date.now() + ms
  const message = { conversationId: payload.conversation.id, userId: process.env.BP_BOT_ID, type: 'text', payload: { text: 'x' }, tags: {} }
  await Promise.all(Array.from({ length: parallel }, async () => { while (Date.now() < until) await post(message) }))
}`

export async function measureCallBacks({ rounds, roundMs }: CallBacksPlan) {
  progress('call-backs of another bot')
  const folder = await mkdtemp(join(tmpdir(), 'botstead-bench-'))
  const server = await startServer(folder)
  try {
    const talks = await openTalks(server)
    const flooding = await deployBot(server, 'flooding', floodingCode)
    const other = await serverPlace('flooding', server, flooding).openConversation()
    const rows = [
      { name: 'nobody', flood: 0, rounds: [] as number[][] },
      { name: `a bot with ${parallel} call-backs at a time`, flood: parallel, rounds: [] as number[][] },
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
  const place = serverPlace('measured', server, firstBot(server))
  const talks: Talk[] = []
  while (talks.length < people) talks.push(await place.openTalk())
  return talks
}

/** How long each turn took, in milliseconds. */
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
  table(
    `Turns of ${people} people with one bot, beside`,
    ['', 'p50 ms, median of the rounds', 'p99 ms', 'p99 of nobody’s'],
    rows.map(({ name, rounds }) => {
      const p99 = median(rounds.map(at(0.99)))
      return [name, digits(median(rounds.map(at(0.5)))), digits(p99), ratio(p99, base)]
    }),
  )
}

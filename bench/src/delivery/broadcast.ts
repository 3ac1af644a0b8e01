// A broadcast to many people of a channel: the memory of the server, the time until it has stopped, and how
// many messages it writes.
import { setTimeout as pause } from 'node:timers/promises'
import type { RunningServer } from '../botstead-server.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import { residentKb } from '../processes.ts'
import { digits, printTable, progress } from '../report.ts'

interface Plan {
  people: number
  stops: number
  sendMs: number
}

interface Shown {
  broadcast: { id: string; state: string }
  report: { total: number; sent: number; waiting: number }
}

const perMinute = 30_000

export async function measureBroadcast(
  server: RunningServer,
  database: DatabaseSettings,
  botId: string,
  { people, stops, sendMs }: Plan,
) {
  progress(`a broadcast to ${people} people`)
  await addPeople(database, botId, people)
  const memory = watchMemory(server.program.pid)
  const call = <Reply = Shown>(method: 'GET' | 'POST', path: string, body?: object) =>
    server.http.call<Reply>(
      method,
      `/v1/platform/broadcasts${path}`,
      { authorization: `Bearer ${server.credentials.token}`, 'x-bot-id': botId },
      body,
    )
  const audience = { integration: 'chat', channel: 'channel' }
  const message = { type: 'text', payload: { text: 'Hello {{ user.name ?? "friend" }}' } }
  const begin = performance.now()
  await call('POST', '/preview', { audience, message })
  const previewMs = performance.now() - begin
  const from = performance.now()
  const created = await call('POST', '', { name: 'bench', audience, message, perMinute })
  const { id } = created.broadcast
  while ((await call('GET', `/${id}`)).broadcast.state !== 'sending') await pause(50)
  const resolveMs = performance.now() - from
  const stopMs: number[] = []
  for (let nth = 0; nth < stops; nth++) {
    await pause(300)
    stopMs.push(await measureStop(database, botId, () => call('POST', `/${id}/stop`, {})))
    await call('POST', `/${id}/resume`, {})
  }
  const before = (await call('GET', `/${id}`)).report.sent
  await pause(sendMs)
  const { report } = await call('GET', `/${id}`)
  await call('POST', `/${id}/stop`, {})
  printTable(
    `A broadcast to ${people.toLocaleString('en')} people`,
    ['', 'value'],
    [
      ['more resident memory than before, at most, MB', digits(memory.end() / 1024)],
      [`until it has stopped, at most of ${stops}, ms`, digits(Math.max(...stopMs))],
      ['dry run, ms', digits(previewMs)],
      ['until all recipients are listed, ms', digits(resolveMs)],
      [
        `messages a minute, of ${perMinute}`,
        digits(((report.sent - before) / sendMs) * 60_000),
      ],
    ],
  )
}

/** Returns the milliseconds until the response. Throws if messages follow. */
async function measureStop(
  database: DatabaseSettings,
  botId: string,
  stop: () => Promise<unknown>,
): Promise<number> {
  const begin = performance.now()
  await stop()
  const ms = performance.now() - begin
  const count = () =>
    withClient(database, async (client) => {
      const text = `select count(*)::int as count from message where bot_id = $1 and tags ? 'broadcast'`
      return (await client.query<{ count: number }>(text, [botId])).rows[0]!.count
    })
  const stored = await count()
  await pause(300)
  const later = await count()
  if (later !== stored)
    throw new Error(`${later - stored} messages followed after the stop`)
  return ms
}

function watchMemory(pid: number) {
  const before = residentKb(pid)
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentKb(pid))
  }, 50)
  return {
    /** Returns KB. */
    end() {
      clearInterval(timer)
      return most - before
    },
  }
}

const addPeople = (database: DatabaseSettings, botId: string, count: number) =>
  withClient(database, async (client) => {
    await client.query(
      `insert into "user" (bot_id, id, integration, name)
       select $1, 'user_' || n, 'chat', 'Person ' || n from generate_series(1, $2::int) n`,
      [botId, count],
    )
    await client.query(
      `insert into conversation (bot_id, id, integration, channel, owner_id)
       select $1, 'conv_' || n, 'chat', 'channel', 'user_' || n from generate_series(1, $2::int) n`,
      [botId, count],
    )
    await client.query(
      `insert into participant (bot_id, conversation_id, user_id)
       select $1, 'conv_' || n, 'user_' || n from generate_series(1, $2::int) n`,
      [botId, count],
    )
    await client.query('analyze "user", conversation, participant')
  })

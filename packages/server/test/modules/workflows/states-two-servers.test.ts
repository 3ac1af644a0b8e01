// Two server processes look for states whose time is over, one of them is killed at it, and both are away for a while: each state is told once.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CodeAtUrl, openCode } from '../../support/code-at-url.ts'
import { cloneDatabase, type TestDatabase } from '../../support/database.ts'
import { drained, look } from '../../support/delivery-audit.ts'
import { type RunningServer, runServer, settingsOfMany } from '../../support/running-server.ts'

let database: TestDatabase
let one: RunningServer
let other: RunningServer
let bot: CodeAtUrl
/** Of every call about an expired state: which event it was, and what the state held. */
const told: { eventId: string; value: unknown }[] = []
let headers: Record<string, string>

beforeAll(async () => {
  database = await cloneDatabase()
  bot = await openCode(({ headers, body }) => {
    if (headers['x-bp-type'] === 'state_expired')
      told.push({ eventId: body.event.id, value: body.event.payload.state.payload.value })
    return {}
  })
  const env = settingsOfMany(database)
  one = await runServer(env)
  const { url, token, workspaceId, botId } = one.credentials
  headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'x-bot-id': botId }
  const update = {
    method: 'PUT',
    headers: { ...headers, 'x-workspace-id': workspaceId },
    body: JSON.stringify({ url: bot.url }),
  }
  expect((await fetch(`${url}/v1/admin/bots/${botId}`, update)).status).toBe(200)
  other = await runServer(env)
}, 90_000)
afterAll(async () => {
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
  await bot?.close()
}, 60_000)

async function remember(at: RunningServer, value: number, expiry: number) {
  const reply = await fetch(`${at.credentials.url}/v1/chat/states/bot/any/state-${value}`, {
    ...{ method: 'POST', headers },
    body: JSON.stringify({ payload: { value }, expiry }),
  })
  expect(reply.status).toBe(200)
}

const events = () =>
  look<{ id: string; value: string }>(
    database.settings,
    "select id, payload #>> '{state,payload,value}' as value from event where type = 'state_expired' order by 2",
  )

async function allTold(values: number[]) {
  await expect
    .poll(() => new Set(told.map(({ value }) => value)).size, { timeout: 30_000, interval: 100 })
    .toBe(values.length)
  await drained(database.settings, 20_000)
  const made = await events()
  expect(made.map(({ value }) => Number(value)).sort((a, b) => a - b)).toEqual(values)
  // What was being told when a process was killed is told again, and it is the same event then.
  expect(new Set(told.map(({ eventId }) => eventId))).toEqual(new Set(made.map(({ id }) => id)))
}

const values = Array.from({ length: 600 }, (_, i) => i)

test('one is killed while both are at it', { timeout: 90_000 }, async () => {
  for (let i = 0; i < values.length; i += 20) {
    await Promise.all(
      values
        .slice(i, i + 20)
        .map((value) => remember(value % 2 ? one : other, value, 500 + 10 * (600 - value))),
    )
  }
  await expect.poll(() => told.length, { timeout: 20_000, interval: 5 }).toBeGreaterThan(50)
  await one.stop('SIGKILL')
  await one.start()
  await allTold(values)
})

test('nobody is there when the time is over: it is told when one is back', { timeout: 60_000 }, async () => {
  await remember(other, 600, 300)
  await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')])
  const before = told.length
  await pause(500)
  await Promise.all([one.start(), other.start()])
  await allTold([...values, 600])
  await pause(2_500)
  expect(told.slice(before).filter(({ value }) => value === 600)).toHaveLength(1)
})

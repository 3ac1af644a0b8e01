// Two server processes expire states; one is killed meanwhile, then both are down for a while. Each
// state has one event.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CodeAtUrl, openCodeServer } from '../../../../test/support/code-at-url.ts'
import { cloneDatabase, type TestDatabase } from '../../../../test/support/database.ts'
import { runQuery, waitUntilDrained } from '../../../../test/support/delivery-audit.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../../../../test/support/running-server.ts'

let database: TestDatabase
let one: RunningServer
let other: RunningServer
let bot: CodeAtUrl
/** The event id and state value of every delivery of an expired state. */
const deliveries: { eventId: string; value: unknown }[] = []
let headers: Record<string, string>

beforeAll(async () => {
  database = await cloneDatabase()
  bot = await openCodeServer(({ headers, body }) => {
    if (headers['x-bp-type'] === 'state_expired')
      deliveries.push({
        eventId: body.event.id,
        value: body.event.payload.state.payload.value,
      })
    return {}
  })
  const env = settingsOfMany(database)
  one = await runServer(env)
  const { token, botId } = one.credentials
  headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-bot-id': botId,
  }
  await setBotUrl(one, bot.url)
  other = await runServer(env)
}, 90_000)
afterAll(async () => {
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
  await bot?.close()
}, 60_000)

async function createState(at: RunningServer, value: number, expiry: number) {
  const reply = await fetch(
    `${at.credentials.url}/v1/chat/states/bot/any/state-${value}`,
    {
      method: 'POST',
      headers,
      body: JSON.stringify({ payload: { value }, expiry }),
    },
  )
  expect(reply.status).toBe(200)
}

const events = () =>
  runQuery<{ id: string; value: string }>(
    database.settings,
    `select id, payload #>> '{state,payload,value}' as value
     from event where type = 'state_expired' order by 2`,
  )

async function expectAllDelivered(values: number[]) {
  await expect
    .poll(() => new Set(deliveries.map(({ value }) => value)).size, {
      timeout: 30_000,
      interval: 100,
    })
    .toBe(values.length)
  await waitUntilDrained(database.settings, 20_000)
  const made = await events()
  expect(made.map(({ value }) => Number(value)).sort((a, b) => a - b)).toEqual(values)
  // A delivery that a kill interrupted is repeated with the same event.
  expect(new Set(deliveries.map(({ eventId }) => eventId))).toEqual(
    new Set(made.map(({ id }) => id)),
  )
}

const values = Array.from({ length: 600 }, (_, i) => i)

test('sends one event for each state when one server is killed during the sweep', {
  timeout: 90_000,
}, async () => {
  for (let i = 0; i < values.length; i += 20) {
    await Promise.all(
      values
        .slice(i, i + 20)
        .map((value) =>
          createState(value % 2 ? one : other, value, 500 + 10 * (600 - value)),
        ),
    )
  }
  await expect
    .poll(() => deliveries.length, { timeout: 20_000, interval: 5 })
    .toBeGreaterThan(50)
  await one.stop('SIGKILL')
  await one.start()
  await expectAllDelivered(values)
})

test('sends one event after a restart when no server ran at the expiry', {
  timeout: 60_000,
}, async () => {
  await createState(other, 600, 300)
  await Promise.all([one.stop('SIGKILL'), other.stop('SIGKILL')])
  const before = deliveries.length
  await pause(500)
  await Promise.all([one.start(), other.start()])
  await expectAllDelivered([...values, 600])
  await pause(2_500)
  expect(deliveries.slice(before).filter(({ value }) => value === 600)).toHaveLength(1)
})

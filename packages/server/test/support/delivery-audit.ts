// Compares the responses to chat users, the database and the deliveries to the bot.
import pg from 'pg'
import { expect } from 'vitest'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import type { Person } from './chat-people.ts'
import type { ReceivedEvent } from './recording-bot.ts'

/** Runs a query on a new connection, because tests kill the database. */
export async function runQuery<Row extends pg.QueryResultRow>(
  settings: ConnectionSettings,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Waits until no delivery is pending; returns the elapsed time. */
export async function waitUntilDrained(
  settings: ConnectionSettings,
  withinMs: number,
): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const [row] = await runQuery<{ waiting: number }>(
      settings,
      'select count(*)::int as waiting from delivery where dead_at is null',
    )
    const ms = performance.now() - begun
    if (row!.waiting === 0) return ms
    if (ms > withinMs)
      throw new Error(`${row!.waiting} deliveries still wait after ${Math.round(ms)} ms`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

export interface Tally {
  acknowledged: number
  refused: number
  unanswered: number
  statuses: Record<string, number>
  stored: number
  lost: string[]
  twice: string[]
  /** Messages that were stored although the response was an error. */
  effects: string[]
  undelivered: string[]
  inversions: string[]
  redelivered: number
  dead: number
}

export async function auditDeliveries(
  settings: ConnectionSettings,
  people: Person[],
  told: ReceivedEvent[],
): Promise<Tally> {
  const rows = await runQuery<{
    id: string
    conversation_id: string
    number: string
    text: string
    event_id: string | null
    status: string | null
    dead: number
  }>(
    settings,
    `select m.id, m.conversation_id, m.number, m.payload ->> 'text' as text, e.id as event_id, e.status
     from message m left join event e on e.bot_id = m.bot_id and e.message_id = m.id
     where m.direction = 'incoming' and m.conversation_id = any($1) order by m.conversation_id, m.number`,
    [people.map(({ conversationId }) => conversationId)],
  )
  const said = people.flatMap((person) =>
    person.said.map((one) => ({ ...one, place: `${person.conversationId} ${one.text}` })),
  )
  const copies = new Map<string, number>()
  for (const row of rows)
    copies.set(
      `${row.conversation_id} ${row.text}`,
      (copies.get(`${row.conversation_id} ${row.text}`) ?? 0) + 1,
    )
  const statuses: Record<string, number> = {}
  for (const { status } of said)
    statuses[String(status)] = (statuses[String(status)] ?? 0) + 1
  const heard = new Map<string, number>()
  for (const { eventId } of told) heard.set(eventId, (heard.get(eventId) ?? 0) + 1)
  const [{ dead }] = (await runQuery<{ dead: number }>(
    settings,
    'select count(*)::int as dead from delivery where dead_at is not null',
  )) as [{ dead: number }]
  const acknowledged = said.filter(({ status }) => status !== null && status < 300)
  const refused = said.filter(({ status }) => status !== null && status >= 300)
  return {
    acknowledged: acknowledged.length,
    refused: refused.length,
    unanswered: said.filter(({ status }) => status === null).length,
    statuses,
    stored: rows.length,
    lost: acknowledged
      .filter(
        ({ messageId, place }) =>
          !rows.some(({ id }) => id === messageId) || !copies.has(place),
      )
      .map(({ place }) => place),
    twice: [...copies].filter(([, count]) => count > 1).map(([place]) => place),
    effects: refused
      .filter(({ status, place }) => status !== 500 && copies.has(place))
      .map(({ status, place }) => `${status} ${place}`),
    undelivered: rows
      .filter(
        ({ event_id, status }) =>
          !event_id || !heard.has(event_id) || status !== 'processed',
      )
      .map(({ text, status }) => `${text} ${status}`),
    inversions: findInversions(rows, told),
    redelivered: told.length - heard.size,
    dead,
  }
}

/** Compares the order of first deliveries with the message numbers. */
function findInversions(
  rows: {
    id: string
    event_id: string | null
    conversation_id: string
    number: string
  }[],
  told: ReceivedEvent[],
): string[] {
  const numbers = new Map(rows.map((row) => [row.event_id, row]))
  const last = new Map<string, number>()
  const seen = new Set<string>()
  const inversions: string[] = []
  for (const { eventId, text } of told) {
    const row = numbers.get(eventId)
    if (!row || seen.has(eventId)) continue
    seen.add(eventId)
    if (Number(row.number) < (last.get(row.conversation_id) ?? 0))
      inversions.push(`${row.conversation_id} ${text}`)
    last.set(
      row.conversation_id,
      Math.max(Number(row.number), last.get(row.conversation_id) ?? 0),
    )
  }
  return inversions
}

/** Expects no lost, duplicate or rejected messages, and deliveries of all messages in order. */
export function expectNothingLost(tally: Tally) {
  const { lost, twice, effects, undelivered, inversions, dead } = tally
  expect(
    { lost, twice, effects, undelivered, inversions, dead },
    JSON.stringify(tally),
  ).toEqual({
    lost: [],
    twice: [],
    effects: [],
    undelivered: [],
    inversions: [],
    dead: 0,
  })
}

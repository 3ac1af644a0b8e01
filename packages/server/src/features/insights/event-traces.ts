// Owns the table event_trace: calls of the API that code makes while it handles an event, and the
// states that it changes. Neither calls nor commits wait for it: entries are written twice a second,
// and a crash loses those since the last time. Flow bots write their own traces (observations.ts).

import { createBatchedWrites, storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { GetRedactors } from '../../core/compute/index.ts'
import { type Database, type Db, statement } from '../../core/db/index.ts'
import { newId } from '../../core/lib/index.ts'

/** Times are in milliseconds; `at` counts since 1970. */
export interface TracedCall {
  at: number
  ms: number
  operation: string
  /** Names the object: ids of the path, or the type in the body. */
  subject: string
  /** Alias of the integration whose code called; null for the bot. */
  integration: string | null
  status: number
  error: string | null
}

/** A key of a state. `from` and `to` are JSON; null for a missing key. */
export interface TracedChange {
  at: number
  state: string
  key: string
  from: string | null
  to: string | null
}

interface TracedEntries {
  calls: TracedCall[]
  changes: TracedChange[]
}

/** The handling of an event by a bot. */
interface Handling {
  botId: string
  eventId: string
}

type Entry = Handling & ({ call: TracedCall } | { change: TracedChange })

export interface EventTraces {
  called(handling: Handling, call: TracedCall): void
  /** Adds each changed key of a state; `before` is null for a new one. */
  changed(handling: Handling, state: string, change: StateChange): void
  close(): Promise<void>
}

interface StateChange {
  before: Record<string, unknown> | null
  after: Record<string, unknown>
}

interface Deps {
  database: Database
  log: Logger
  getRedactors: GetRedactors
  /** Called after entries of the bot were written. */
  written: (botId: string) => void
}

const gatherMs = 500
/** Entries of all events that are not written yet; further ones are dropped. */
const maxWaiting = 20_000
/** Entries of an event in one batch. */
const maxEntries = 200
const maxTextLength = 300
/** More than a match that begins within `maxTextLength` needs to be found. */
const maxReadLength = 2_000
const maxKeys = 50

export function openEventTraces({
  database,
  log,
  getRedactors,
  written,
}: Deps): EventTraces {
  const writes = createBatchedWrites<Entry>(
    async (_, entries) => {
      const stored = entries.map(async (entry) =>
        toStorable(await redacted(entry, getRedactors)),
      )
      const rows = toRows(await Promise.all(stored))
      await database.lazily(...insertAll({ rows: JSON.stringify(rows) }))
      for (const botId of new Set(rows.map((row) => row.bot_id))) written(botId)
    },
    (error) => log.warn({ err: error }, 'traces of events were not recorded'),
    { gatherMs, maxKeys: 1, maxItems: maxWaiting, drops: 'newest' },
  )
  const add = (entry: Entry) => {
    if (isEventId(entry.eventId)) writes.add('entries', entry)
  }
  return {
    called: (handling, call) => add({ ...handling, call: toBounded(call) }),
    changed(handling, state, change) {
      for (const changed of listChanges(change))
        add({
          ...handling,
          change: { at: Date.now(), state: bounded(state), ...changed },
        })
    },
    close: () => writes.close(),
  }
}

/** Code may send any text as its cause; messages cause calls, too. */
const isEventId = (id: string) => /^evt_[0-9A-Z]{26}$/.test(id)

const bounded = (text: string) => text.slice(0, maxReadLength)

const toBounded = ({ subject, error, ...call }: TracedCall): TracedCall => ({
  ...call,
  subject: bounded(subject),
  error: error && bounded(error),
})

/** Redacts texts before they are cut, so that no part of a match stays. */
async function redacted(entry: Entry, getRedactors: GetRedactors): Promise<Entry> {
  const { logs } = await getRedactors(entry.botId)
  if (!logs) return entry
  if ('call' in entry) {
    const { subject, error } = entry.call
    return {
      ...entry,
      call: { ...entry.call, ...(await logs.value({ subject, error })) },
    }
  }
  const { state, key, from, to } = entry.change
  return {
    ...entry,
    change: { ...entry.change, ...(await logs.value({ state, key, from, to })) },
  }
}

function toStorable(entry: Entry): Entry {
  const short = (text: string) => storableText(text, maxTextLength)
  if ('call' in entry) {
    const { subject, error } = entry.call
    return {
      ...entry,
      call: { ...entry.call, subject: short(subject), error: error && short(error) },
    }
  }
  const { state, key, from, to } = entry.change
  const texts = {
    state: short(state),
    key: short(key),
    from: from && short(from),
    to: to && short(to),
  }
  return { ...entry, change: { ...entry.change, ...texts } }
}

function listChanges({ before, after }: StateChange) {
  const keys = new Set([...Object.keys(before ?? {}), ...Object.keys(after)])
  const changes = []
  for (const key of keys) {
    const [from, to] = [jsonIn(before ?? {}, key), jsonIn(after, key)]
    if (from === to) continue
    changes.push({
      key: bounded(key),
      from: from && bounded(from),
      to: to && bounded(to),
    })
    if (changes.length === maxKeys) break
  }
  return changes
}

const jsonIn = (payload: Record<string, unknown>, key: string): string | null =>
  Object.hasOwn(payload, key) ? (JSON.stringify(payload[key]) ?? null) : null

type Row = TracedEntries & { bot_id: string; id: string; event_id: string }

function toRows(entries: Entry[]): Row[] {
  const rows = new Map<string, Row>()
  for (const { botId, eventId, ...entry } of entries) {
    const key = `${botId} ${eventId}`
    const row = rows.get(key) ?? {
      bot_id: botId,
      id: newId('eventTrace'),
      event_id: eventId,
      calls: [],
      changes: [],
    }
    rows.set(key, row)
    if (row.calls.length + row.changes.length >= maxEntries) continue
    if ('call' in entry) row.calls.push(entry.call)
    else row.changes.push(entry.change)
  }
  return [...rows.values()]
}

/** Traces of deleted bots are dropped. */
const insertAll = statement<{ rows: string }>(
  'record-event-traces',
  `insert into event_trace (bot_id, id, event_id, calls, changes)
   select bot.id, trace.id, trace.event_id, trace.calls, trace.changes
   from jsonb_to_recordset(:rows::jsonb) as trace (
     bot_id text, id text, event_id text, calls jsonb, changes jsonb
   ) join bot on bot.id = trace.bot_id`,
)

/** Rows that one trace shows. Each has up to `maxEntries` entries. */
const maxRows = 20

/** Returns the entries of an event, oldest first. */
export async function listTracedEntries(
  db: Db,
  botId: string,
  eventId: string,
  limit: number,
): Promise<TracedEntries> {
  const rows = (await db
    .selectFrom('event_trace')
    .select(['calls', 'changes'])
    .where('bot_id', '=', botId)
    .where('event_id', '=', eventId)
    .where(sql<boolean>`hashtextextended(event_id, 0) = hashtextextended(${eventId}, 0)`)
    .orderBy('id')
    .limit(maxRows)
    .execute()) as TracedEntries[]
  const byTime = (a: { at: number }, b: { at: number }) => a.at - b.at
  return {
    calls: rows
      .flatMap(({ calls }) => calls)
      .sort(byTime)
      .slice(0, limit),
    changes: rows
      .flatMap(({ changes }) => changes)
      .sort(byTime)
      .slice(0, limit),
  }
}

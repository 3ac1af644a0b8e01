// Tells the other processes on the same database: by NOTIFY, after the commit, gathered for a few milliseconds (inside a transaction it
// would make all commits wait for each other). What is told may be lost with a connection; who listens is told when that has happened.

import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

export interface Bus {
  /** Asked for the note only if there is anybody to tell: without line breaks; one of more than 7,000 bytes is not told (only passing signals can be so long). */
  tell(note: () => string): void
  /** Says that we are there, whoever thinks to be alone. */
  greet(): void
  close(): Promise<void>
}

export interface BusOptions {
  log: Logger
  /** Nobody else is there: telling is skipped. */
  alone: () => boolean
  heard: (note: string) => void
  /** Another process is there. */
  met: () => void
  /** From now on notes may be missed: what is remembered of other processes' rows is in doubt. */
  lost: () => void
  /** Listening again; what was told meanwhile was missed. */
  missed: () => void
}

const channel = 'botstead'
const hello = 'hello'
const gatherMs = 4
const mostBytes = 7_000

export async function openBus(
  database: Database,
  { log, alone, heard, met, lost, missed }: BusOptions,
): Promise<Bus> {
  const self = `${process.pid}.${Math.random().toString(36).slice(2, 10)}`
  let notes: string[] = []
  let timer: NodeJS.Timeout | null = null
  let client: Client | null = null
  let closed = false

  const listen = async () => {
    const opened = await database.connect()
    try {
      opened.on('notification', ({ payload = '' }) => hear(payload))
      await opened.query(`listen ${channel}`)
      // Before anything is read: who thought to be alone tells from now on.
      await opened.query('select pg_notify($1, $2)', [channel, `${self}\n${hello}`])
    } catch (error) {
      await opened.end().catch(() => {})
      throw error
    }
    client = opened
    opened.once('end', () => void relisten())
    if (closed) await opened.end()
  }
  const relisten = async () => {
    client = null
    while (!closed) {
      lost()
      try {
        await listen()
        return missed()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 300)) // the database is restarting, as the lost requests say
      }
    }
  }
  const hear = (payload: string) => {
    const [from, ...notes] = payload.split('\n')
    if (from === self) return
    met()
    for (const note of notes) if (note !== hello) hearOne(note)
  }
  const hearOne = (note: string) => {
    try {
      heard(note)
    } catch (error) {
      log.warn({ err: error }, 'a note of another process could not be understood')
    }
  }
  const flush = async () => {
    timer = null
    const payloads = gather(self, notes)
    notes = []
    if (closed) return
    try {
      await database.lazily('notify', `select pg_notify('${channel}', note) from unnest($1::text[]) note`, [
        payloads,
      ])
    } catch (error) {
      log.warn({ err: error }, 'other processes could not be told')
    }
  }

  await listen()
  return {
    tell(make) {
      if (alone() || closed) return
      const note = make()
      if (Buffer.byteLength(note) > mostBytes) return
      notes.push(note)
      timer ??= setTimeout(() => void flush(), gatherMs)
    },
    greet() {
      notes.push(hello)
      timer ??= setTimeout(() => void flush(), gatherMs)
    },
    async close() {
      if (timer) await flush()
      closed = true
      await client?.end()
    },
  }
}

/** As few payloads as the limit of NOTIFY (8,000 bytes) allows; each begins with who tells. */
function gather(self: string, notes: string[]): string[] {
  const payloads: string[] = []
  let payload = self
  for (const note of notes) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(note) + 1 > mostBytes && payload !== self) {
      payloads.push(payload)
      payload = self
    }
    payload += `\n${note}`
  }
  payloads.push(payload)
  return payloads
}

// Sends notes to the other processes on the same database by NOTIFY, after the commit, gathered for a few
// milliseconds. (Inside the transaction, NOTIFY would serialize all commits.) Notes may be lost with a
// connection; listeners are notified when that has happened.

import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

export interface Bus {
  /**
   * Sends a note, which must not contain line breaks. `note` is called only if there are other processes.
   * Notes over 7,000 bytes are dropped; only transient signals can be that long.
   */
  tell(note: () => string): void
  /** Notifies the other processes that this one exists. */
  greet(): void
  close(): Promise<void>
}

export interface BusOptions {
  log: Logger
  /** Returns whether no other process exists; then sending is skipped. */
  alone: () => boolean
  heard: (note: string) => void
  /** Called when another process exists. */
  met: () => void
  /**
   * Called when the connection is lost. Notes may be missed from now on, so cached rows of other processes
   * are invalid.
   */
  lost: () => void
  /** Called when listening again. Notes sent meanwhile were missed. */
  missed: () => void
}

const channel = 'botstead'
const hello = 'hello'
const gatherMs = 4
const maxBytes = 7_000

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
      opened.on('notification', ({ payload = '' }) => receive(payload))
      await opened.query(`listen ${channel}`)
      // Before any read: a process that believed to be alone sends notes from now on.
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
        // The database is restarting; the other connections report that.
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
    }
  }
  const receive = (payload: string) => {
    const [from, ...notes] = payload.split('\n')
    if (from === self) return
    met()
    for (const note of notes) if (note !== hello) receiveOne(note)
  }
  const receiveOne = (note: string) => {
    try {
      heard(note)
    } catch (error) {
      log.warn({ err: error }, 'cannot process a note of another process')
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
      log.warn({ err: error }, 'cannot notify the other processes')
    }
  }

  await listen()
  return {
    tell(make) {
      if (alone() || closed) return
      const note = make()
      if (Buffer.byteLength(note) > maxBytes) return
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

/** Gathers notes into few payloads within the limit of NOTIFY (8,000 bytes). Each begins with the sender. */
function gather(self: string, notes: string[]): string[] {
  const payloads: string[] = []
  let payload = self
  for (const note of notes) {
    if (Buffer.byteLength(payload) + Buffer.byteLength(note) + 1 > maxBytes && payload !== self) {
      payloads.push(payload)
      payload = self
    }
    payload += `\n${note}`
  }
  payloads.push(payload)
  return payloads
}

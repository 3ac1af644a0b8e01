// Sends notes to the other processes on the same database by NOTIFY, after the commit, gathered for
// a few milliseconds. (Inside the transaction, NOTIFY would serialize all commits.) Notes may be
// lost with a connection; listeners are notified when that has happened.

import type { Client } from 'pg'
import type { Logger } from 'pino'
import type { Database } from '../db/open.ts'

interface BusOptions {
  log: Logger
  /** Returns whether no other process exists; then sending is skipped. */
  isAlone: () => boolean
}

interface BusListeners {
  onNote: (note: string) => void
  /** Called when another process exists. */
  onOther: () => void
  /**
   * Called when the connection is lost. Notes may be missed from now on, so cached rows of other
   * processes are invalid.
   */
  onConnectionLost: () => void
  /** Called when listening again. Notes sent meanwhile were missed. */
  onMissed: () => void
}

interface NoteOptions {
  /** Makes a note to send if the note exceeds 7,000 bytes. Without it, such a note is dropped. */
  shorter?: () => string
}

/** Sends a note without line breaks. `make` is called only if there are other processes. */
export type Publish = (make: () => string, options?: NoteOptions) => void

const channel = 'botstead'
const hello = 'hello'
const gatherMs = 4
const retryMs = 300
const maxBytes = 7_000

export class Bus {
  readonly #self = `${process.pid}.${Math.random().toString(36).slice(2, 10)}`
  readonly #database: Database
  readonly #log: Logger
  readonly #isAlone: () => boolean
  #notes: string[] = []
  #timer: NodeJS.Timeout | null = null
  #client: Client | null = null
  #closed = false

  constructor(database: Database, { log, isAlone }: BusOptions) {
    this.#database = database
    this.#log = log
    this.#isAlone = isAlone
  }

  /**
   * Receives notes from now on, also after the connection is lost. Throws if the first connection
   * fails.
   */
  async listen(listeners: BusListeners): Promise<void> {
    const client = await this.#database.connect()
    try {
      client.on('notification', ({ payload = '' }) => this.#receive(payload, listeners))
      await client.query(`listen ${channel}`)
      // Before any read: a process that believed to be alone sends notes from now on.
      await client.query('select pg_notify($1, $2)', [channel, `${this.#self}\n${hello}`])
    } catch (error) {
      await client.end().catch(() => {})
      throw error
    }
    this.#client = client
    client.once('end', () => void this.#listenAgain(listeners))
    if (this.#closed) await client.end()
  }

  async #listenAgain(listeners: BusListeners): Promise<void> {
    this.#client = null
    while (!this.#closed) {
      listeners.onConnectionLost()
      try {
        await this.listen(listeners)
        return listeners.onMissed()
      } catch {
        // The database is restarting; the other connections report that.
        await new Promise((resolve) => setTimeout(resolve, retryMs))
      }
    }
  }

  #receive(payload: string, { onOther, onNote }: BusListeners): void {
    const [from, ...notes] = payload.split('\n')
    if (from === this.#self) return
    onOther()
    for (const note of notes) if (note !== hello) this.#receiveOne(note, onNote)
  }

  #receiveOne(note: string, onNote: BusListeners['onNote']): void {
    try {
      onNote(note)
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot process a note of another process')
    }
  }

  readonly publish: Publish = (make, { shorter } = {}) => {
    if (this.#isAlone() || this.#closed) return
    let note = make()
    if (isTooLong(note) && shorter) note = shorter()
    if (!isTooLong(note)) this.#send(note)
  }

  /** Notifies the other processes that this one exists. */
  announce(): void {
    this.#send(hello)
  }

  #send(note: string): void {
    this.#notes.push(note)
    this.#timer ??= setTimeout(() => void this.#flush(), gatherMs)
  }

  async #flush(): Promise<void> {
    this.#timer = null
    const payloads = gather(this.#self, this.#notes)
    this.#notes = []
    if (this.#closed) return
    try {
      await this.#database.lazily(
        'notify',
        `select pg_notify('${channel}', note) from unnest($1::text[]) note`,
        [payloads],
      )
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot notify the other processes')
    }
  }

  async close(): Promise<void> {
    if (this.#timer) await this.#flush()
    this.#closed = true
    await this.#client?.end()
  }
}

const isTooLong = (note: string) => Buffer.byteLength(note) > maxBytes

/**
 * Gathers notes into few payloads within the limit of NOTIFY (8,000 bytes). Each begins with the
 * sender.
 */
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

// Sends notes to the other processes on the same database, after the commit. At a high rate they are
// gathered for a few milliseconds. PostgreSQL carries them by NOTIFY. (Inside the transaction, NOTIFY
// would serialize all commits.) With NATS_URL, NATS carries them, while it is connected; see
// counted-channel.ts. Notes may be lost with a connection; listeners are notified when that has
// happened.

import { randomBytes } from 'node:crypto'
import { Pace } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Channel } from './channel.ts'
import { CountedChannel, missedNote } from './counted-channel.ts'

interface BusOptions {
  postgres: Channel
  /** Null without NATS_URL. */
  nats: Channel | null
  log: Logger
  /** Returns whether no other process exists; then sending is skipped. */
  isAlone: () => boolean
}

interface BusListeners {
  onNote: (note: string) => void
  /** Called when another process exists. */
  onOther: () => void
  /**
   * Called when the connection to PostgreSQL is lost. Notes may be missed from now on, so cached
   * rows of other processes are invalid.
   */
  onConnectionLost: () => void
  /** Called after notes were missed. */
  onMissed: () => void
}

interface NoteOptions {
  /** Makes a note to send if the note exceeds 7,000 bytes. Without it, such a note is dropped. */
  shorter?: () => string
  /**
   * PostgreSQL carries the note in any case, because a receiver could not find out what it missed.
   * Receivers may get it twice.
   */
  isVital?: boolean
}

/** Sends a note without line breaks. `make` is called only if there are other processes. */
export type Publish = (make: () => string, options?: NoteOptions) => void

const hello = 'hello'
/** Above this many notes per second, notes are gathered. */
const busyPerSecond = 500
const gatherMs = 4
/** The limit of NOTIFY is 8,000 bytes, with the header. */
const maxBytes = 7_000

export class Bus {
  readonly #self = randomBytes(12).toString('hex')
  readonly #postgres: Channel
  readonly #counted: CountedChannel
  readonly #log: Logger
  readonly #isAlone: () => boolean
  #notes: string[] = []
  #vital: string[] = []
  #timer: NodeJS.Timeout | null = null
  #flushing: Promise<void> | null = null
  readonly #pace = new Pace(busyPerSecond)
  #closed = false

  constructor({ postgres, nats, log, isAlone }: BusOptions) {
    this.#postgres = postgres
    this.#log = log
    this.#isAlone = isAlone
    const notify = (payload: string) => void this.#try(() => postgres.send([payload]))
    this.#counted = new CountedChannel({ self: this.#self, nats, notify, log })
  }

  /**
   * Receives notes from now on, also after a connection is lost. Throws if the first connection to
   * PostgreSQL fails.
   */
  async listen(listeners: BusListeners): Promise<void> {
    const { onConnectionLost, onMissed } = listeners
    try {
      await this.#counted.listen({
        onNotes: (notes) => this.#receiveAll(notes, listeners),
        onMissed,
      })
      await this.#postgres.listen({
        onPayload: (payload) => this.#receive(payload, listeners),
        onLost: onConnectionLost,
        onRestored: () => void this.#try(() => this.#greet()).finally(onMissed),
      })
      await this.#greet()
    } catch (error) {
      await this.close()
      throw error
    }
  }

  /** Before any read: a process that believed to be alone sends notes from now on. */
  #greet(): Promise<void> {
    return this.#postgres.send([`${this.#counted.header}\n${hello}`])
  }

  /** Receives a payload of PostgreSQL. */
  #receive(payload: string, listeners: BusListeners): void {
    const [header = '', ...notes] = payload.split('\n')
    const [from = '', sent] = header.split(' ')
    if (from === this.#self) return
    listeners.onOther()
    if (sent) this.#counted.confirm(from, Number(sent))
    this.#receiveAll(notes, listeners)
  }

  #receiveAll(notes: string[], { onNote }: BusListeners): void {
    for (const note of notes)
      if (note === hello) this.#counted.announce()
      else if (note === missedNote(this.#self)) this.#counted.pause()
      else if (note.startsWith('{')) this.#receiveOne(note, onNote)
  }

  #receiveOne(note: string, onNote: BusListeners['onNote']): void {
    try {
      onNote(note)
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot process a note of another process')
    }
  }

  readonly publish: Publish = (make, { shorter, isVital = false } = {}) => {
    if (this.#isAlone() || this.#closed) return
    let note = make()
    if (isTooLong(note) && shorter) note = shorter()
    if (!isTooLong(note)) this.#send(note, isVital)
  }

  /** Notifies the other processes that this one exists. */
  announce(): void {
    void this.#try(() => this.#greet())
  }

  #send(note: string, isVital: boolean): void {
    this.#pace.count()
    this.#notes.push(note)
    if (isVital) this.#vital.push(note)
    this.#schedule()
  }

  /** One flush at a time: a second one could use another connection and overtake the first. */
  #schedule(): void {
    if (this.#flushing || this.#notes.length === 0) return
    this.#timer ??= setTimeout(
      () => {
        this.#timer = null
        this.#flushing = this.#flush().finally(() => {
          this.#flushing = null
          this.#schedule()
        })
      },
      this.#pace.isBusy ? gatherMs : 0,
    )
  }

  async #flush(): Promise<void> {
    const [notes, vital] = [gather(this.#notes), gather(this.#vital)]
    this.#notes = []
    this.#vital = []
    await this.#try(async () => {
      const isSent = await this.#counted.send(notes).catch(() => false)
      await this.#postgres.send(
        (isSent ? vital : notes).map((body) => `${this.#self}\n${body}`),
      )
    })
  }

  #try(send: () => Promise<void>): Promise<void> {
    return send().catch((error) =>
      this.#log.warn({ err: error }, 'cannot notify the other processes'),
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#flushing
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#notes.length > 0) await this.#flush()
    await this.#counted.close()
    await this.#postgres.close()
  }
}

const isTooLong = (note: string) => Buffer.byteLength(note) > maxBytes

/** Gathers notes into few bodies of payloads. */
function gather(notes: string[]): string[] {
  const bodies: string[] = []
  let body = ''
  for (const note of notes) {
    if (body !== '' && isTooLong(`${body}\n${note}`)) {
      bodies.push(body)
      body = ''
    }
    body += body === '' ? note : `\n${note}`
  }
  if (body !== '') bodies.push(body)
  return bodies
}

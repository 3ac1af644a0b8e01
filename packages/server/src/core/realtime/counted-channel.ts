// Makes losses of NATS known. Each payload contains the number of payloads that its sender sent
// before. PostgreSQL also carries that number: with the first note of a process, and half a second
// after payloads were sent. A receiver that has received fewer catches up, and asks the sender to
// use PostgreSQL for a while. So it does not matter why payloads are missing: a lost connection, a
// divided cluster, missing permissions, or a server without NATS_URL.
//
// Payloads of senders that PostgreSQL has not announced are ignored: they use another database.

import { performance } from 'node:perf_hooks'
import type { Logger } from 'pino'
import type { Channel } from './channel.ts'

interface CountedOptions {
  /** Id of this process. */
  self: string
  /** Null in a process without NATS_URL. It still detects that others use it. */
  nats: Channel | null
  /** Sends a payload by PostgreSQL. */
  notify: (payload: string) => void
  log: Logger
}

interface CountedListeners {
  onNotes: (notes: string[]) => void
  onMissed: () => void
}

/** The note of a process that has missed payloads of `sender`. */
export const missedNote = (sender: string) => `missed ${sender}`

const confirmMs = 500
/** Time for payloads of NATS that PostgreSQL overtook. */
const graceMs = 400
const pauseMs = 10_000
const maxSenders = 1_000

export class CountedChannel {
  readonly #self: string
  readonly #nats: Channel | null
  readonly #notify: (payload: string) => void
  readonly #log: Logger
  #listeners: CountedListeners | null = null
  #sent = 0
  #confirming: NodeJS.Timeout | null = null
  #pausedUntil = 0
  /** The number of payloads of each sender that were received, or reported as missed. */
  readonly #received = new Map<string, number>()

  constructor({ self, nats, notify, log }: CountedOptions) {
    this.#self = self
    this.#nats = nats
    this.#notify = notify
    this.#log = log
  }

  async listen(listeners: CountedListeners): Promise<void> {
    this.#listeners = listeners
    await this.#nats?.listen({
      onPayload: (payload) => this.#receive(payload),
      // Perhaps a sender's machine failed with its NATS server. It will not confirm its last payloads.
      onLost: listeners.onMissed,
      onRestored: () => {},
    })
  }

  /** Begins payloads that PostgreSQL carries, and confirms what NATS carried before. */
  get header(): string {
    return `${this.#self} ${this.#sent}`
  }

  /** Returns false if the caller must send by PostgreSQL. */
  async send(bodies: string[]): Promise<boolean> {
    if (!this.#nats?.isOpen || performance.now() < this.#pausedUntil) return false
    const payloads = bodies.map((body) => `${this.#self} ${this.#sent++}\n${body}`)
    this.#confirmSoon()
    await this.#nats.send(payloads)
    return true
  }

  #confirmSoon(): void {
    const sent = this.#sent
    this.#confirming ??= setTimeout(() => {
      this.#confirming = null
      this.#notify(`${this.#self} ${sent}`)
      if (this.#sent > sent) this.#confirmSoon()
    }, confirmMs)
  }

  /** Lets a new process accept the payloads of this one. */
  announce(): void {
    if (this.#nats) this.#notify(this.header)
  }

  /** Another process has missed payloads: uses PostgreSQL for a while. */
  pause(): void {
    if (performance.now() >= this.#pausedUntil)
      this.#log.warn(
        { seconds: pauseMs / 1_000 },
        'another server does not receive all notes by NATS: using PostgreSQL for a while',
      )
    this.#pausedUntil = performance.now() + pauseMs
  }

  #receive(payload: string): void {
    const [header = '', ...notes] = payload.split('\n')
    const [from = '', before] = header.split(' ')
    const count = Number(before)
    const received = this.#received.get(from)
    // A payload that was reported as missed may arrive late, and an attacker may repeat one.
    if (received === undefined || count < received) return
    this.#received.set(from, count + 1)
    if (count > received) this.#missed(from)
    this.#listeners!.onNotes(notes)
  }

  /** Checks that the payloads which another process has sent have arrived. */
  confirm(from: string, sent: number): void {
    if (this.#received.has(from))
      setTimeout(() => this.#check(from, sent), graceMs).unref()
    else this.#meet(from, sent)
  }

  #meet(from: string, sent: number): void {
    if (this.#received.size >= maxSenders)
      this.#received.delete(this.#received.keys().next().value!)
    this.#received.set(from, sent)
    if (sent > 0) this.#listeners!.onMissed()
  }

  #check(from: string, sent: number): void {
    if ((this.#received.get(from) ?? 0) >= sent) return
    this.#received.set(from, sent)
    this.#missed(from)
  }

  #missed(from: string): void {
    this.#listeners!.onMissed()
    this.#notify(`${this.#self}\n${missedNote(from)}`)
  }

  async close(): Promise<void> {
    await this.#nats?.close()
    if (!this.#confirming) return
    clearTimeout(this.#confirming)
    this.#notify(this.header)
  }
}

// Who listens to which conversation. A listener hears every numbered signal after where it began, once, in order: from the database
// what it missed, then live. Numbers of a conversation have no gaps when they are made, so a gap means that something came by another
// way (another process, another connection) and is read back.
import type { Logger } from 'pino'
import { Listening, pageSize } from './listening.ts'

export interface Signal {
  /** Position in the conversation; null for what has none. */
  number: string | null
  /** What has none of its own but is kept with a numbered one goes out just before it, and is read back with it. Anything else without a number passes. */
  before?: string
  type: string
  data: unknown
}

export interface Listener {
  /** Whose ears these are, to be cut when that user leaves. */
  userId: string
  send(signal: Signal): void
  /** When there is room for more; what is read back waits for it. */
  ready?(): Promise<void> | undefined
  /** No more will come. Called once, also when the listener itself closed. */
  end(): void
}

export type Reader = (
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
) => Promise<Signal[]>

type Note = { kind: 'signal'; botId: string; conversationId: string } & (
  | { number: string }
  | { transient: Signal }
)

/** In all conversations of the bot, when `conversationId` is null. */
type Cut = { kind: 'cut'; botId: string; conversationId: string | null; userId: string | null }

/** For how long after a cut answers wait for the listeners, and how long they wait, in milliseconds. */
const cutMatters = 3_000
const settleMs = 30
const mostCuts = 1_000

export class Signals {
  readonly #conversations = new Map<string, Set<Listening>>()
  /** When listeners of a conversation were cut last. */
  readonly #cuts = new Map<string, number>()
  readonly #read: Reader
  readonly #tell: (note: () => string) => void
  readonly #log: Logger
  /** Reads under way, by conversation and place: listeners who wish for the same share them. */
  readonly #reads = new Map<string, { begunAt: number; signals: Promise<Signal[]> }>()
  #clock = 0
  /** Told of every signal that this process publishes, whether anybody listens or not. */
  onPublished: ((botId: string, conversationId: string, signal: () => Signal) => void) | null = null

  constructor(options: { read: Reader; tell: (note: () => string) => void; log: Logger }) {
    this.#read = options.read
    this.#tell = options.tell
    this.#log = options.log
  }

  get listeners() {
    let count = 0
    for (const set of this.#conversations.values()) count += set.size
    return count
  }

  isHeard(botId: string, conversationId: string) {
    return this.#conversations.has(`${botId} ${conversationId}`)
  }

  /** Hears everything after `after`. Returns how to stop. */
  listen(botId: string, conversationId: string, after: string, listener: Listener): () => void {
    const name = `${botId} ${conversationId}`
    const listening: Listening = new Listening(listener, after, {
      read: (from, wishedAt) => this.#readShared(botId, conversationId, from, wishedAt),
      stamp: () => ++this.#clock,
      failed: (error) =>
        this.#log.warn(
          { err: error, botId, conversationId },
          'a listener could not be served from the database',
        ),
      giveUp: () => this.#remove(name, listening),
    })
    const set = this.#conversations.get(name) ?? new Set()
    this.#conversations.set(name, set.add(listening))
    listening.catchUp()
    return () => this.#remove(name, listening)
  }

  #remove(name: string, listening: Listening) {
    const set = this.#conversations.get(name)
    if (!set?.delete(listening)) return
    if (set.size === 0) this.#conversations.delete(name)
    listening.end()
  }

  #readShared(botId: string, conversationId: string, after: string, wishedAt: number): Promise<Signal[]> {
    const name = `${botId} ${conversationId} ${after}`
    const known = this.#reads.get(name)
    if (known && known.begunAt > wishedAt) return known.signals
    const read = { begunAt: ++this.#clock, signals: this.#read(botId, conversationId, after, pageSize) }
    this.#reads.set(name, read)
    const forget = () => this.#reads.get(name) === read && this.#reads.delete(name)
    read.signals.then(forget, forget)
    return read.signals
  }

  /**
   * Hands on a signal that was just committed. `make` is called only if somebody wants it. With `before`, the number of the signal that
   * follows it and that it is kept with.
   */
  publish(
    botId: string,
    conversationId: string,
    number: string | null,
    make: () => { type: string; data: unknown },
    before?: string,
  ) {
    let made: Signal | null = null
    const signal = () => (made ??= { number, ...(before !== undefined && { before }), ...make() })
    const set = this.#conversations.get(`${botId} ${conversationId}`)
    if (set) for (const listening of set) listening.hear(signal())
    this.onPublished?.(botId, conversationId, signal)
    // Other processes read back what is kept: its number is all they need.
    if (before !== undefined) return
    this.#tell(() =>
      JSON.stringify(
        number === null
          ? { kind: 'signal', botId, conversationId, transient: signal() }
          : { kind: 'signal', botId, conversationId, number },
      ),
    )
  }

  /** Ends the listeners of a user in a conversation (of all users when null), after what was published already. Other processes follow. */
  cut(botId: string, conversationId: string, userId: string | null) {
    this.#cutHere(botId, conversationId, userId)
    this.#tell(() => JSON.stringify({ kind: 'cut', botId, conversationId, userId }))
  }

  /** Ends all listeners of a user of the bot, who is no more; or of the bot itself, when null. */
  cutEverywhere(botId: string, userId: string | null) {
    this.#cutEverywhereHere(botId, userId)
    this.#tell(() => JSON.stringify({ kind: 'cut', botId, conversationId: null, userId }))
  }

  #cutEverywhereHere(botId: string, userId: string | null) {
    for (const name of this.#conversations.keys()) {
      const [bot, conversationId] = name.split(' ') as [string, string]
      if (bot === botId) this.#cutHere(botId, conversationId, userId)
    }
  }

  /**
   * Clients hear on one connection and get answers on another. After somebody was cut, a client that compares the two would see them
   * in either order; then, and only then, an answer waits a moment for what listeners hear.
   */
  settled(botId: string, conversationId: string): Promise<void> | undefined {
    const name = `${botId} ${conversationId}`
    const cutAt = this.#cuts.get(name)
    if (cutAt === undefined) return undefined
    if (cutAt + cutMatters < performance.now()) return void this.#cuts.delete(name)
    return new Promise((resolve) => setTimeout(resolve, settleMs))
  }

  #cutHere(botId: string, conversationId: string, userId: string | null) {
    const name = `${botId} ${conversationId}`
    if (this.#conversations.has(name)) this.#cuts.set(name, performance.now())
    if (this.#cuts.size > mostCuts) this.#cuts.delete(this.#cuts.keys().next().value!)
    for (const listening of [...(this.#conversations.get(name) ?? [])]) {
      if (userId === null || listening.listener.userId === userId) this.#remove(name, listening)
    }
  }

  /** What another process told. */
  heard(note: Note | Cut) {
    if (note.kind === 'cut')
      return note.conversationId === null
        ? this.#cutEverywhereHere(note.botId, note.userId)
        : this.#cutHere(note.botId, note.conversationId, note.userId)
    const set = this.#conversations.get(`${note.botId} ${note.conversationId}`)
    for (const listening of set ?? []) {
      if ('transient' in note) listening.hear(note.transient)
      else listening.want(BigInt(note.number))
    }
  }

  /** Notes were missed: every listener reads what it may not have heard. */
  missed() {
    for (const set of this.#conversations.values()) for (const listening of set) listening.catchUp()
  }

  close() {
    for (const [name, set] of this.#conversations)
      for (const listening of [...set]) this.#remove(name, listening)
  }
}

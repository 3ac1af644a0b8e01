// Listeners of conversations. A listener receives every numbered signal after its start position
// once, in order: first the missed ones from the database, then live. The notes of other processes
// contain the signals, if they are short. The numbers of a conversation are created without gaps, so
// a gap means that a note was lost or is late, and that signals must be read.
import type { Logger } from 'pino'
import type { Publish } from './bus.ts'
import { ListenerCursor, pageSize } from './listener-cursor.ts'
import type { Listener, Signal } from './signal.ts'

type SignalReader = (
  botId: string,
  conversationId: string,
  after: string,
  limit: number,
) => Promise<Signal[]>

type Signalled =
  | {
      number: string
      /** All signals that are stored with this number. Missing if they are long. */
      signals?: Signal[]
    }
  | { transient: Signal }

type Note = { kind: 'signal'; botId: string; conversationId: string } & Signalled

type Content = Pick<Signal, 'type' | 'data'>

/** Ends listeners; in all conversations of the bot when `conversationId` is null. */
type Cut = {
  kind: 'cut'
  botId: string
  conversationId: string | null
  userId: string | null
}

/**
 * For `cutWindowMs` after a cut, responses wait for `settleMs` so that listeners get their signals
 * first.
 */
const cutWindowMs = 3_000
const settleMs = 30
const maxCuts = 1_000

/** A note of another process. */
type SignalNote = Note | Cut

export class Signals {
  readonly #conversations = new Map<string, Set<ListenerCursor>>()
  /** Time of the last cut of each conversation. */
  readonly #cuts = new Map<string, number>()
  readonly #read: SignalReader
  readonly #notify: Publish
  readonly #log: Logger
  readonly #changed: (botId: string, conversationId: string) => void
  /** Reads in progress by conversation and position, which listeners at the same position share. */
  readonly #reads = new Map<string, { begunAt: number; signals: Promise<Signal[]> }>()
  #clock = 0
  /** Called for all signals that this process publishes, even without listeners. */
  onPublished:
    | ((botId: string, conversationId: string, signals: () => Signal[]) => void)
    | null = null

  constructor(options: {
    read: SignalReader
    notify: Publish
    log: Logger
    /** Called for each numbered signal that this process publishes. */
    changed?: (botId: string, conversationId: string) => void
  }) {
    this.#read = options.read
    this.#notify = options.notify
    this.#log = options.log
    this.#changed = options.changed ?? (() => {})
  }

  get listeners() {
    let count = 0
    for (const set of this.#conversations.values()) count += set.size
    return count
  }

  hasListener(botId: string, conversationId: string) {
    return this.#conversations.has(`${botId} ${conversationId}`)
  }

  /** Starts a listener after the number `after`. Returns a function that stops it. */
  listen(
    botId: string,
    conversationId: string,
    after: string,
    listener: Listener,
  ): () => void {
    const name = `${botId} ${conversationId}`
    const listening: ListenerCursor = new ListenerCursor(listener, after, {
      read: (from, wishedAt) => this.#readShared(botId, conversationId, from, wishedAt),
      stamp: () => ++this.#clock,
      failed: (error) =>
        this.#log.warn(
          { err: error, botId, conversationId },
          'cannot read the signals for a listener',
        ),
      giveUp: () => this.#remove(name, listening),
    })
    const set = this.#conversations.get(name) ?? new Set()
    this.#conversations.set(name, set.add(listening))
    listening.catchUp()
    return () => this.#remove(name, listening)
  }

  #remove(name: string, listening: ListenerCursor) {
    const set = this.#conversations.get(name)
    if (!set?.delete(listening)) return
    if (set.size === 0) this.#conversations.delete(name)
    listening.end()
  }

  #readShared(
    botId: string,
    conversationId: string,
    after: string,
    wishedAt: number,
  ): Promise<Signal[]> {
    const name = `${botId} ${conversationId} ${after}`
    const known = this.#reads.get(name)
    if (known && known.begunAt > wishedAt) return known.signals
    const read = {
      begunAt: ++this.#clock,
      signals: this.#read(botId, conversationId, after, pageSize),
    }
    this.#reads.set(name, read)
    const forget = () => this.#reads.get(name) === read && this.#reads.delete(name)
    read.signals.then(forget, forget)
    return read.signals
  }

  /**
   * Publishes a committed signal. `make` is called only if there is a receiver. `makeBefore` makes a
   * signal that is stored with it and sent just before it.
   */
  publish(
    botId: string,
    conversationId: string,
    number: string | null,
    make: () => Content,
    makeBefore?: () => Content,
  ) {
    let made: Signal[] | null = null
    const signals = () => (made ??= toSignals(number, make, makeBefore))
    const set = this.#conversations.get(`${botId} ${conversationId}`)
    if (set) receiveAll(set, signals())
    this.onPublished?.(botId, conversationId, signals)
    if (number !== null) this.#changed(botId, conversationId)
    const toNote = (signalled: Signalled) =>
      JSON.stringify({
        kind: 'signal',
        botId,
        conversationId,
        ...signalled,
      } satisfies Note)
    if (number === null) this.#notify(() => toNote({ transient: signals()[0]! }))
    else
      this.#notify(() => toNote({ number, signals: signals() }), {
        shorter: () => toNote({ number }),
      })
  }

  /**
   * Ends the listeners of a user in a conversation (of all users when null), after the signals
   * published before. Applies to other processes too.
   */
  cut(botId: string, conversationId: string, userId: string | null) {
    this.#cutHere(botId, conversationId, userId)
    this.#notifyOfCut({ kind: 'cut', botId, conversationId, userId })
  }

  /** Ends all listeners of a deleted user of the bot; of the whole bot when null. */
  cutEverywhere(botId: string, userId: string | null) {
    this.#cutEverywhereHere(botId, userId)
    this.#notifyOfCut({ kind: 'cut', botId, conversationId: null, userId })
  }

  #notifyOfCut(cut: Cut) {
    this.#notify(() => JSON.stringify(cut), { isVital: true })
  }

  #cutEverywhereHere(botId: string, userId: string | null) {
    for (const name of this.#conversations.keys()) {
      const [bot, conversationId] = name.split(' ') as [string, string]
      if (bot === botId) this.#cutHere(botId, conversationId, userId)
    }
  }

  /**
   * Clients receive signals on one connection and responses on another. After a cut, a client that
   * compares the two could see them in either order. Only then does a response wait a moment, so
   * that listeners receive their signals first.
   */
  settled(botId: string, conversationId: string): Promise<void> | undefined {
    const name = `${botId} ${conversationId}`
    const cutAt = this.#cuts.get(name)
    if (cutAt === undefined) return undefined
    if (cutAt + cutWindowMs < performance.now()) return void this.#cuts.delete(name)
    return new Promise((resolve) => setTimeout(resolve, settleMs))
  }

  #cutHere(botId: string, conversationId: string, userId: string | null) {
    const name = `${botId} ${conversationId}`
    if (this.#conversations.has(name)) this.#cuts.set(name, performance.now())
    if (this.#cuts.size > maxCuts) this.#cuts.delete(this.#cuts.keys().next().value!)
    for (const listening of [...(this.#conversations.get(name) ?? [])]) {
      if (userId === null || listening.listener.userId === userId)
        this.#remove(name, listening)
    }
  }

  /** Handles a note of another process. */
  receive(note: SignalNote) {
    if (note.kind === 'cut')
      return note.conversationId === null
        ? this.#cutEverywhereHere(note.botId, note.userId)
        : this.#cutHere(note.botId, note.conversationId, note.userId)
    const set = this.#conversations.get(`${note.botId} ${note.conversationId}`)
    if (!set) return
    if ('transient' in note) receiveAll(set, [note.transient])
    else if (note.signals) receiveAll(set, note.signals)
    else for (const listening of set) listening.want(BigInt(note.number))
  }

  /** Makes every listener read, because notes were missed. */
  catchUpAll() {
    for (const set of this.#conversations.values())
      for (const listening of set) listening.catchUp()
  }

  close() {
    for (const [name, set] of this.#conversations)
      for (const listening of [...set]) this.#remove(name, listening)
  }
}

function receiveAll(listeners: Set<ListenerCursor>, signals: Signal[]) {
  for (const signal of signals)
    for (const listening of listeners) listening.receive(signal)
}

/** Makes the signals that are stored with one number, in order. */
export function toSignals(
  number: string | null,
  make: () => Content,
  makeBefore?: () => Content,
): Signal[] {
  const signal = { number, ...make() }
  if (!makeBefore || number === null) return [signal]
  return [{ number: null, before: number, ...makeBefore() }, signal]
}

// Who listens to which conversation. A listener hears every numbered signal after where it began, once, in order: from the database
// what it missed, then live. Numbers of a conversation have no gaps when they are made, so a gap means that something came by another
// way (another process, another connection) and is read back.
import type { Logger } from 'pino'

export interface Signal {
  /** Position in the conversation; null for what is not kept (stream deltas). */
  number: string | null
  type: string
  data: unknown
}

export interface Listener {
  /** Whose ears these are, to be cut when that user leaves. */
  userId: string
  send(signal: Signal): void
  /** No more will come. Called once, also when the listener itself closed. */
  end(): void
}

export type Reader = (botId: string, conversationId: string, after: string, limit: number) => Promise<Signal[]>

interface Listening {
  listener: Listener
  /** Number of the last signal sent. */
  at: bigint
  reading: boolean
  /** What came while it was reading. */
  heard: Signal[]
}

type Note = { kind: 'signal'; botId: string; conversationId: string } & ({ number: string } | { transient: Signal })

/** In all conversations of the bot, when `conversationId` is null. */
type Cut = { kind: 'cut'; botId: string; conversationId: string | null; userId: string | null }

const page = 500
/** For how long after a cut answers wait for the listeners, and how long they wait, in milliseconds. */
const cutMatters = 3_000
const settleMs = 8
const mostCuts = 1_000
/** Past this a listener has to read back rather than hold what it could not place. */
const mostHeard = 1_000
/** Half a second apart. */
const mostTries = 60

export class Signals {
  readonly #conversations = new Map<string, Set<Listening>>()
  /** When listeners of a conversation were cut last. */
  readonly #cuts = new Map<string, number>()
  readonly #read: Reader
  readonly #tell: (note: string) => void
  readonly #log: Logger
  /** Told of every signal that this process publishes, whether anybody listens or not. */
  onPublished: ((botId: string, conversationId: string, signal: () => Signal) => void) | null = null

  constructor(options: { read: Reader; tell: (note: string) => void; log: Logger }) {
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
    const listening: Listening = { listener, at: BigInt(after), reading: false, heard: [] }
    const set = this.#conversations.get(name) ?? new Set()
    this.#conversations.set(name, set.add(listening))
    void this.#catchUp(botId, conversationId, listening)
    return () => this.#remove(name, listening)
  }

  #remove(name: string, listening: Listening) {
    const set = this.#conversations.get(name)
    if (!set?.delete(listening)) return
    if (set.size === 0) this.#conversations.delete(name)
    listening.listener.end()
  }

  /** Hands on a signal that was just committed. `make` is called only if somebody wants it. */
  publish(botId: string, conversationId: string, number: string | null, make: () => { type: string; data: unknown }) {
    let made: Signal | null = null
    const signal = () => (made ??= { number, ...make() })
    const set = this.#conversations.get(`${botId} ${conversationId}`)
    if (set) for (const listening of set) this.#hear(botId, conversationId, listening, signal())
    this.onPublished?.(botId, conversationId, signal)
    this.#tell(
      JSON.stringify(number === null ? { kind: 'signal', botId, conversationId, transient: signal() } : { kind: 'signal', botId, conversationId, number }),
    )
  }

  #hear(botId: string, conversationId: string, listening: Listening, signal: Signal) {
    if (listening.reading) {
      if (listening.heard.length < mostHeard) listening.heard.push(signal)
      return
    }
    if (signal.number === null) return listening.listener.send(signal)
    const number = BigInt(signal.number)
    if (number <= listening.at) return
    if (number > listening.at + 1n) return void this.#catchUp(botId, conversationId, listening)
    listening.at = number
    listening.listener.send(signal)
  }

  async #catchUp(botId: string, conversationId: string, listening: Listening) {
    if (listening.reading) return
    listening.reading = true
    for (let tries = 1; !(await this.#readAll(botId, conversationId, listening)); tries++) {
      // It resumes by itself, from where it was: that is what the ids of the frames are for.
      if (tries === mostTries) return this.#remove(`${botId} ${conversationId}`, listening)
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
    listening.reading = false
    const heard = listening.heard
    listening.heard = []
    // Mostly what was read already. What is left is placed as if it came now; a gap makes it read again.
    for (const signal of heard) this.#hear(botId, conversationId, listening, signal)
  }

  /** False when the database did not answer: it may be restarting, and its listeners stay. */
  async #readAll(botId: string, conversationId: string, listening: Listening) {
    try {
      while (true) {
        const signals = await this.#read(botId, conversationId, String(listening.at), page)
        for (const signal of signals) this.#send(listening, signal)
        if (signals.length < page) return true
      }
    } catch (error) {
      this.#log.warn({ err: error, botId, conversationId }, 'a listener could not be served from the database')
      return false
    }
  }

  #send(listening: Listening, signal: Signal) {
    if (signal.number !== null) {
      const number = BigInt(signal.number)
      if (number <= listening.at) return
      listening.at = number
    }
    listening.listener.send(signal)
  }

  /** Ends the listeners of a user in a conversation (of all users when null), after what was published already. Other processes follow. */
  cut(botId: string, conversationId: string, userId: string | null) {
    this.#cutHere(botId, conversationId, userId)
    this.#tell(JSON.stringify({ kind: 'cut', botId, conversationId, userId }))
  }

  /** Ends all listeners of a user of the bot, who is no more. */
  cutUser(botId: string, userId: string) {
    this.#cutUserHere(botId, userId)
    this.#tell(JSON.stringify({ kind: 'cut', botId, conversationId: null, userId }))
  }

  #cutUserHere(botId: string, userId: string) {
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
    if (cutAt + cutMatters < Date.now()) return void this.#cuts.delete(name)
    return new Promise((resolve) => setTimeout(resolve, settleMs))
  }

  #cutHere(botId: string, conversationId: string, userId: string | null) {
    const name = `${botId} ${conversationId}`
    if (this.#conversations.has(name)) this.#cuts.set(name, Date.now())
    if (this.#cuts.size > mostCuts) this.#cuts.delete(this.#cuts.keys().next().value!)
    for (const listening of [...(this.#conversations.get(name) ?? [])]) {
      if (userId === null || listening.listener.userId === userId) this.#remove(name, listening)
    }
  }

  /** What another process told. */
  heard(note: Note | Cut) {
    if (note.kind === 'cut')
      return note.conversationId === null ? this.#cutUserHere(note.botId, note.userId!) : this.#cutHere(note.botId, note.conversationId, note.userId)
    const { botId, conversationId } = note
    for (const listening of this.#conversations.get(`${botId} ${conversationId}`) ?? []) {
      if ('transient' in note) this.#hear(botId, conversationId, listening, note.transient)
      else if (BigInt(note.number) > listening.at) void this.#catchUp(botId, conversationId, listening)
    }
  }

  /** Notes were missed: every listener reads what it may not have heard. */
  missed() {
    for (const [name, set] of this.#conversations) {
      const [botId, conversationId] = name.split(' ') as [string, string]
      for (const listening of set) void this.#catchUp(botId, conversationId, listening)
    }
  }

  close() {
    for (const [name, set] of this.#conversations) for (const listening of [...set]) this.#remove(name, listening)
  }
}

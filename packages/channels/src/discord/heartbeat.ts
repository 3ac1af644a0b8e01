// Signs of life between this server and Discord's gateway.
import type { JsonSocket } from '../web-socket.ts'
import { operations } from './operations.ts'

/** Closing with this code, Discord keeps the session for some minutes. */
export const keepSession = 4_000

/** Sends heartbeats, and closes a connection that shows no sign of life between two. */
export class Heart {
  #timer: NodeJS.Timeout | null = null
  #isAlive = true
  readonly #socket: JsonSocket
  readonly #getSequence: () => number | null

  constructor(socket: JsonSocket, getSequence: () => number | null) {
    this.#socket = socket
    this.#getSequence = getSequence
  }

  /** The first one at random, so that not all bots send theirs at once. */
  start(intervalMs: number): void {
    this.#timer = setTimeout(() => {
      this.#next()
      this.#timer = setInterval(() => this.#next(), intervalMs)
    }, intervalMs * Math.random())
  }

  /** Something has arrived. */
  feel(): void {
    this.#isAlive = true
  }

  beat(): void {
    this.#socket.send({ op: operations.heartbeat, d: this.#getSequence() })
  }

  stop(): void {
    clearInterval(this.#timer ?? undefined)
  }

  #next(): void {
    if (!this.#isAlive) {
      this.#socket.close(keepSession)
      return
    }
    this.#isAlive = false
    this.beat()
  }
}

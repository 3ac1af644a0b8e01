// Events between the parts of the server that cannot know each other, because the emitter is opened
// before its listeners are built. openDelivery registers every listener, each with the part that it
// changes, before the bus listens and the queue claims lanes. An event before that has no effect
// and needs none: caches and queue are still empty.
import type { Invalidation } from '../http/index.ts'

interface ServerEvents {
  /**
   * This worker lost its lease and has a new id. Emitted by the worker. Listener: delivery, which
   * drops the lanes and catches up on missed notes.
   */
  onLeaseLost: []
  /**
   * Another worker has released lanes. Emitted by the worker. Listener: the queue, which claims
   * them.
   */
  onLeaseReleased: []
  /**
   * A database connection broke, so a statement may have taken effect although its response was
   * lost. Emitted by the database. Listener: the queue, which compares its memory with the rows.
   */
  onConnectionError: []
  /** The disk of the database is full. Emitted by the database. Listener: the disk watch. */
  onDiskFull: []
  /**
   * Cached data changed; `all` after missed notes. Emitted by `services.forget`, by the bus for
   * changes in other processes, and after lost notes or a lost lease. Listeners: the caches of
   * callers, targets and trust, hosted integrations, and the chat's webhooks (invalidation.ts).
   */
  onInvalidate: [what: Invalidation | 'all']
  /** A move of a workspace has changed. Emitted by the bus. Listeners: the parts of moves.ts. */
  onMoves: []
}

type Listener<Name extends keyof ServerEvents> = (...payload: ServerEvents[Name]) => void

export class Events {
  readonly #listeners: { [Name in keyof ServerEvents]: Listener<Name>[] } = {
    onLeaseLost: [],
    onLeaseReleased: [],
    onConnectionError: [],
    onDiskFull: [],
    onInvalidate: [],
    onMoves: [],
  }

  on<Name extends keyof ServerEvents>(name: Name, listener: Listener<Name>): void {
    this.#listeners[name].push(listener)
  }

  /** Lets a cache of values of bots follow the changes of bots. Returns it. */
  followBots<Cache extends { invalidate(botId: string | null): void }>(
    cache: Cache,
  ): Cache {
    this.on('onInvalidate', (what) => {
      if (what === 'all') cache.invalidate(null)
      else if ('botId' in what) cache.invalidate(what.botId)
    })
    return cache
  }

  /** Calls the listeners at once, in the order in which they were registered. */
  emit<Name extends keyof ServerEvents>(
    name: Name,
    ...payload: ServerEvents[Name]
  ): void {
    for (const listener of this.#listeners[name]) listener(...payload)
  }
}

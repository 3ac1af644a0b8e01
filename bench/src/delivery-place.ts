// What delivers: something is written down for a conversation, and then its handler runs, one after the other in each conversation. Botstead's
// queue runs in this process here, with the handler of the bench in place of the call to a bot; graphile-worker likewise, on a database beside.

export interface DeliveryPlace {
  name: string
  /** Resolves after the commit; gives the name under which the handler is told of it. */
  enqueue(conversation: number): Promise<string>
  /** What the handler does; told the name. */
  onHandled: (name: string) => void
  close(): Promise<void>
}

export interface Handled {
  committedAt: number
  startedAt: number
}

/** Enqueues and matches what was committed with what was handled, whichever is known first. */
export class Watch {
  readonly #place: DeliveryPlace
  readonly #open = new Map<
    string,
    { committedAt?: number; startedAt?: number; done?: (handled: Handled) => void }
  >()

  constructor(place: DeliveryPlace) {
    this.#place = place
    place.onHandled = (name) => this.#note(name, { startedAt: performance.now() })
  }

  /** Resolves when the handler has begun. */
  async deliver(conversation: number): Promise<Handled> {
    const name = await this.#place.enqueue(conversation)
    const committedAt = performance.now()
    return new Promise((resolve) => this.#note(name, { committedAt, done: resolve }))
  }

  #note(
    name: string,
    known: { committedAt?: number; startedAt?: number; done?: (handled: Handled) => void },
  ) {
    const one = { ...this.#open.get(name), ...known }
    const { committedAt, startedAt, done } = one
    if (committedAt === undefined || startedAt === undefined || !done) return void this.#open.set(name, one)
    this.#open.delete(name)
    done({ committedAt, startedAt })
  }
}

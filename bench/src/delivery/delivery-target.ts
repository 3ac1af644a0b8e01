// Interface of the measured queues: they store a delivery for a conversation and then run its
// handler, one at a time in each conversation. Botstead's queue runs in this process, with a
// handler of the bench instead of the call to a bot; graphile-worker runs likewise on another
// database.

export interface DeliveryTarget {
  name: string
  /** Resolves after the commit with the name that the handler receives. */
  enqueue(conversation: number): Promise<string>
  /** Called by the handler with the name of the delivery. */
  onHandled: (name: string) => void
  close(): Promise<void>
}

interface HandledDelivery {
  committedAt: number
  startedAt: number
}

/** Enqueues deliveries and matches commit and handling by name, in either order. */
export class Watch {
  readonly #target: DeliveryTarget
  readonly #open = new Map<
    string,
    {
      committedAt?: number
      startedAt?: number
      done?: (handled: HandledDelivery) => void
    }
  >()

  constructor(target: DeliveryTarget) {
    this.#target = target
    target.onHandled = (name) => this.#note(name, { startedAt: performance.now() })
  }

  /** Resolves when the handler starts. */
  async deliver(conversation: number): Promise<HandledDelivery> {
    const name = await this.#target.enqueue(conversation)
    const committedAt = performance.now()
    return new Promise((resolve) => this.#note(name, { committedAt, done: resolve }))
  }

  #note(
    name: string,
    known: {
      committedAt?: number
      startedAt?: number
      done?: (handled: HandledDelivery) => void
    },
  ) {
    const one = { ...this.#open.get(name), ...known }
    const { committedAt, startedAt, done } = one
    if (committedAt === undefined || startedAt === undefined || !done)
      return void this.#open.set(name, one)
    this.#open.delete(name)
    done({ committedAt, startedAt })
  }
}

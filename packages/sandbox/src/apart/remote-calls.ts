// Function calls between two processes over a channel of messages.
import { InvocationFailed } from '../invocation/invocation.ts'

/** Messages are structured clones and arrive in order. */
export interface Channel {
  send(message: unknown): void
  onMessage(receive: (message: unknown) => void): void
}

// biome-ignore lint/suspicious/noExplicitAny: the sides agree on the parameters by their types.
type Functions = Record<string, (...parameters: any[]) => unknown>

type Message =
  // Without an id, the caller expects no result.
  | { type: 'call'; id: string | null; name: string; parameters: unknown[] }
  | { type: 'result'; id: string; value: unknown }
  | { type: 'error'; id: string; error: SentError }

/** Has the fields of InvocationFailed if it was one. */
type SentError = Pick<InvocationFailed, 'message'> &
  Partial<Pick<InvocationFailed, 'reason' | 'retryAfterMs' | 'detail' | 'ending'>>

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Calls the functions of the other side, `Theirs`, and runs `own` for it. */
export class RemoteCalls<Theirs extends Functions> {
  readonly #channel: Channel
  readonly #own: Functions
  readonly #waiting = new Map<string, Waiting>()
  #lastId = 0

  constructor(channel: Channel, own: Functions) {
    this.#channel = channel
    this.#own = own
    channel.onMessage((message) => this.#receive(message as Message))
  }

  call<Name extends keyof Theirs & string>(
    name: Name,
    ...parameters: Parameters<Theirs[Name]>
  ): Promise<Awaited<ReturnType<Theirs[Name]>>> {
    const id = this.createId()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      this.#channel.send({ type: 'call', id, name, parameters } satisfies Message)
    })
  }

  /** Calls without waiting for a result. */
  notify<Name extends keyof Theirs & string>(
    name: Name,
    ...parameters: Parameters<Theirs[Name]>
  ): void {
    this.#channel.send({ type: 'call', id: null, name, parameters } satisfies Message)
  }

  /** Rejects the calls that wait for a result. */
  rejectAll(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  /** Differs from the ids of earlier processes at this end of the channel. */
  createId(): string {
    this.#lastId += 1
    return `${process.pid}-${this.#lastId}`
  }

  #receive(message: Message): void {
    if (message.type === 'call') return void this.#run(message)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (message.type === 'result') waiting?.resolve(message.value)
    else waiting?.reject(fromSent(message.error))
  }

  async #run({ id, name, parameters }: Message & { type: 'call' }): Promise<void> {
    try {
      const value = await this.#own[name]!(...parameters)
      if (id) this.#channel.send({ type: 'result', id, value } satisfies Message)
    } catch (error) {
      if (id)
        this.#channel.send({ type: 'error', id, error: toSent(error) } satisfies Message)
    }
  }
}

function toSent(error: unknown): SentError {
  if (!(error instanceof InvocationFailed)) return { message: String(error) }
  const { message, reason, retryAfterMs, detail, ending } = error
  return { message, reason, retryAfterMs, detail, ending }
}

function fromSent({
  message,
  reason,
  retryAfterMs,
  detail,
  ending = null,
}: SentError): Error {
  if (!reason) return new Error(message)
  return Object.assign(new InvocationFailed(reason, message, retryAfterMs, detail), {
    ending,
  })
}

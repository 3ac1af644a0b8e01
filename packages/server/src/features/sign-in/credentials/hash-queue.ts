// The queue of password hashes, which take much memory and time. Networks take turns, and if it is
// full, a network with few waiting hashes displaces one of the network with the most. Each account
// has few hashes in it (attempts.ts). So neither a person with a valid password nor a stranger with
// many addresses keeps others from signing in.
import { ApiError } from '@botstead/contract'
import { FairTurns, toNetwork } from '@botstead/lib'

interface Limits {
  atOnce: number
  waiting: number
}

export class HashQueue {
  readonly #limits: Limits
  readonly #turns: FairTurns
  /** Functions that displace waiting hashes, oldest first, by network. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(limits: Limits) {
    this.#limits = limits
    this.#turns = new FairTurns({ capacity: limits.atOnce })
  }

  /** Runs work when it is its turn. Throws Unavailable if the queue is full. */
  async run<Result>(address: string, work: () => Promise<Result>): Promise<Result> {
    const network = toNetwork(address)
    const turn = this.#turns.take(network)
    try {
      if (turn.admitted) await this.#wait(network, turn.admitted)
      return await work()
    } finally {
      turn.leave()
    }
  }

  #wait(network: string, admitted: Promise<void>): Promise<void> {
    this.#makeSpace(network)
    const own = this.#waiting.get(network) ?? []
    this.#waiting.set(network, own)
    return new Promise((resolve, reject) => {
      const displace = () => {
        own.splice(own.indexOf(displace), 1)
        if (own.length === 0) this.#waiting.delete(network)
        reject(tooMany())
      }
      own.push(displace)
      void admitted.then(() => {
        resolve()
        if (own.includes(displace)) displace()
      })
    })
  }

  /** Throws Unavailable if no other network has clearly more waiting than this one. */
  #makeSpace(network: string) {
    const counts = [...this.#waiting.values()]
    if (counts.reduce((sum, { length }) => sum + length, 0) < this.#limits.waiting) return
    const most = counts.reduce((a, b) => (b.length > a.length ? b : a))
    if (most.length <= (this.#waiting.get(network)?.length ?? 0) + 1) throw tooMany()
    most.at(-1)!()
  }
}

const tooMany = () =>
  new ApiError(
    'Unavailable',
    'Too many people sign in with a password: retry in a second',
  )

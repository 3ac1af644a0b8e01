// Counts the deliveries and bytes that all lanes of this process hold in memory. One bot gets at
// most half of the capacity, so that its backlog does not force the deliveries of other bots
// through the database.

interface Amount {
  count: number
  bytes: number
}

export class HeldDeliveries {
  readonly #limit: Amount
  readonly #all: Amount = { count: 0, bytes: 0 }
  readonly #byBot = new Map<string, Amount>()

  constructor(limit: Amount) {
    this.#limit = limit
  }

  get count() {
    return this.#all.count
  }

  get bytes() {
    return this.#all.bytes
  }

  hasCapacity(botId: string): boolean {
    const { count, bytes } = this.#byBot.get(botId) ?? { count: 0, bytes: 0 }
    const { count: maxCount, bytes: maxBytes } = this.#limit
    return (
      this.#all.count < maxCount &&
      this.#all.bytes < maxBytes &&
      count < maxCount / 2 &&
      bytes < maxBytes / 2
    )
  }

  take(botId: string, bytes = 0) {
    this.#change(botId, 1, bytes)
  }

  release(botId: string, bytes = 0) {
    this.#change(botId, -1, -bytes)
  }

  #change(botId: string, count: number, bytes: number) {
    const ofBot = this.#byBot.get(botId) ?? { count: 0, bytes: 0 }
    for (const amount of [this.#all, ofBot]) {
      amount.count += count
      amount.bytes += bytes
    }
    if (ofBot.count === 0) this.#byBot.delete(botId)
    else this.#byBot.set(botId, ofBot)
  }
}

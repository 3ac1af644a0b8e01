// What all lanes of this process together hold in memory. No bot takes more than half of it, so that the backlog of one does not send the
// deliveries of the others the long way, through the database.

interface Amount {
  count: number
  bytes: number
}

export class Held {
  readonly #most: Amount
  readonly #all: Amount = { count: 0, bytes: 0 }
  readonly #byBot = new Map<string, Amount>()

  constructor(most: Amount) {
    this.#most = most
  }

  get count() {
    return this.#all.count
  }

  get bytes() {
    return this.#all.bytes
  }

  hasRoom(botId: string): boolean {
    const { count, bytes } = this.#byBot.get(botId) ?? { count: 0, bytes: 0 }
    const { count: mostCount, bytes: mostBytes } = this.#most
    return (
      this.#all.count < mostCount &&
      this.#all.bytes < mostBytes &&
      count < mostCount / 2 &&
      bytes < mostBytes / 2
    )
  }

  take(botId: string, bytes = 0) {
    this.#change(botId, 1, bytes)
  }

  letGo(botId: string, bytes = 0) {
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

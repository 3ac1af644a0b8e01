// Limits open streams of conversations: each costs memory, and a write for every message.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { ApiError } from '@botstead/contract'
import { clientAddress, isPublic, toNetwork } from '@botstead/lib'
import type { Section } from '../../config/index.ts'

/** One user has several tabs and devices; the streams of closed ones end after a minute. */
export const maxPerUser = 100
export const maxPerConversation = 500
/** Only public addresses count: behind a proxy without trust, all visitors share its address. */
export const maxPerAddress = 1_000

interface Listening {
  botId: string
  conversationId: string
  userId: string
}

export class ListenerLimits {
  readonly #trustProxy: Section<'http'>['trustProxy']
  readonly #open = new Map<string, number>()

  constructor({ trustProxy }: Pick<Section<'http'>, 'trustProxy'>) {
    this.#trustProxy = trustProxy
  }

  /** Counts a stream until its connection closes. Throws RateLimited. */
  enter(request: IncomingMessage, { botId, conversationId, userId }: Listening): void {
    const address = clientAddress(request, this.#trustProxy)
    const counted: [key: string, max: number, of: string][] = [
      [`user ${botId} ${userId}`, maxPerUser, 'user'],
      [`conversation ${botId} ${conversationId}`, maxPerConversation, 'conversation'],
    ]
    if (isIP(address) !== 0 && isPublic(address))
      counted.push([`address ${toNetwork(address)}`, maxPerAddress, 'address'])
    for (const [key, max, of] of counted)
      if ((this.#open.get(key) ?? 0) >= max)
        throw new ApiError(
          'RateLimited',
          `One ${of} has at most ${max} streams: close some first`,
        )
    if (request.socket.destroyed) return
    for (const [key] of counted) this.#open.set(key, (this.#open.get(key) ?? 0) + 1)
    request.socket.once('close', () => {
      for (const [key] of counted) this.#leave(key)
    })
  }

  #leave(key: string) {
    const left = this.#open.get(key)! - 1
    if (left > 0) this.#open.set(key, left)
    else this.#open.delete(key)
  }
}

// The greetings of bots made of flows, for chats without a message.
import { ApiError } from '@botstead/contract'
import type { Greeting } from '@botstead/flows'
import { openCache } from '@botstead/lib'
import { botCode, botStore } from '../../core/bots/index.ts'
import type { Db } from '../../core/db/index.ts'
import { readGreetings } from './coded-document.ts'

/** For the deployed versions of bots in chats that are opened. */
const [size, ttlMs] = [10_000, 3_600_000]

/** Returns a function that returns the greetings of a bot by language. */
export function openChatGreetings(db: Db) {
  const cache = openCache<Record<string, Greeting>>(
    async (key) => {
      const [botId = ''] = key.split(' ')
      const bot = await botStore.findById(db, botId)
      return bot ? readGreetings(bot.workspace_id, await botCode.find(db, botId)) : {}
    },
    { size, ttlMs },
  )
  return async (botId: string): Promise<Record<string, Greeting>> => {
    const version = await botCode.findVersion(db, botId)
    if (version === null) return {}
    return cache.get(`${botId} ${version}`).catch(unlessBusy)
  }
}

/** A chat opens without its greeting while the workspace computes too much, and the next one tries again. */
function unlessBusy(error: unknown): Record<string, Greeting> {
  if (error instanceof ApiError && ['RateLimited', 'Unavailable'].includes(error.type))
    return {}
  throw error
}

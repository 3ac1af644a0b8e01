// Caches which chat user takes part in which conversation.
import { openCache } from '@botstead/lib'
import type { Database } from '../../db/index.ts'
import {
  type ConversationName,
  lookUpParticipation,
  type Participation,
} from './chat-lookups.ts'

/** By the values of a `ConversationName`, as JSON. */
export const openParticipations = (database: Pick<Database, 'run'>) =>
  openCache<Participation | null>(
    (key) => {
      const [botId, integration, name, claim] = JSON.parse(key) as string[]
      return lookUpParticipation(database, {
        botId,
        integration,
        name,
        claim,
      } as ConversationName)
    },
    { size: 20_000, ttlMs: 60_000 },
  )

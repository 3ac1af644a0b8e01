// Has an integration make a conversation or a user with its third party, where its definition enables that: what bots of old ask for by `integrationName`.
import { ApiError } from '@botstead/contract'
import type { Services } from '../services.ts'
import { ask, isObject } from './asking.ts'

/** What a channel, or the integration for its users, says of it. */
export interface Creation {
  enabled?: boolean
  requiredTags?: string[]
}

export interface Wanted {
  botId: string
  alias: string
  what: 'conversation' | 'user'
  channel?: string
  tags: Record<string, string | null>
  cause: string | null
  fence: string | null
}

/**
 * What the integration made, by calling us back, as `find` has it by its id. Throws InvalidPayload for tags that are missing, or when nothing was made;
 * what the integration refuses passes as that of an action does.
 */
export async function createElsewhere<Row>(
  { invoker, callsCode }: Pick<Services, 'invoker' | 'callsCode'>,
  { requiredTags = [] }: Creation,
  wanted: Wanted,
  find: (id: string) => Promise<Row>,
): Promise<Row> {
  const { botId, alias, what, channel, cause, fence } = wanted
  const tags = inItsWords(wanted.tags, alias)
  const missing = requiredTags.find((name) => !tags[name])
  if (missing !== undefined)
    throw new ApiError('InvalidPayload', `To make a ${what}, ${alias} needs the tag "${missing}"`)
  callsCode()
  const operation = `create_${what}` as const
  const answer = await ask(
    invoker,
    {
      target: { botId, alias },
      operation,
      type: operation,
      body: { ...(channel && { channel }), tags },
      cause,
      fence,
    },
    alias,
  )
  const made = answer[what]
  const row = isObject(made) && typeof made.id === 'string' ? await find(made.id).catch(noneIfUnknown) : null
  if (!row) throw new ApiError('InvalidPayload', `${alias} made no ${what} of these tags`)
  return row
}

function noneIfUnknown(error: unknown): null {
  if (error instanceof ApiError && error.type === 'ResourceNotFound') return null
  throw error
}

/** Its own tags go without its alias, as it knows them. */
function inItsWords(tags: Wanted['tags'], alias: string): Record<string, string> {
  const prefix = `${alias}:`
  const given = Object.entries(tags).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return Object.fromEntries(
    given.map(([name, value]) => [name.startsWith(prefix) ? name.slice(prefix.length) : name, value]),
  )
}

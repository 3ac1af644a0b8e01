// Lets an integration create a conversation or a user at its third party, where its definition
// enables that. Older bots request this with `integrationName`.
import { ApiError } from '@botstead/contract'
import type { MessagingServices } from '../messaging/index.ts'
import { callCode, isObject } from './calls/code-calls.ts'
import type { Invoker } from './calls/invoker.ts'

export const toCreateThroughIntegration =
  (invoker: Invoker): MessagingServices['createThroughIntegration'] =>
  async ({ announceCodeCall }, { requiredTags = [] }, wanted, find) => {
    const { botId, alias, what, channel, cause, fence } = wanted
    const tags = withoutAlias(wanted.tags, alias)
    const missing = requiredTags.find((name) => !tags[name])
    if (missing !== undefined)
      throw new ApiError(
        'InvalidPayload',
        `Integration "${alias}" requires the tag "${missing}" to create a ${what}`,
      )
    announceCodeCall()
    const operation = `create_${what}` as const
    const answer = await callCode(
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
    const row =
      isObject(made) && typeof made.id === 'string'
        ? await find(made.id).catch(noneIfUnknown)
        : null
    if (!row)
      throw new ApiError(
        'InvalidPayload',
        `Integration "${alias}" created no ${what} for these tags`,
      )
    return row
  }

function noneIfUnknown(error: unknown): null {
  if (error instanceof ApiError && error.type === 'ResourceNotFound') return null
  throw error
}

/** Removes the alias from the integration's own tags. */
function withoutAlias(
  tags: Record<string, string | null>,
  alias: string,
): Record<string, string> {
  const prefix = `${alias}:`
  const given = Object.entries(tags).filter((entry): entry is [string, string] =>
    Boolean(entry[1]),
  )
  return Object.fromEntries(
    given.map(([name, value]) => [
      name.startsWith(prefix) ? name.slice(prefix.length) : name,
      value,
    ]),
  )
}

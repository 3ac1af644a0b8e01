// Bots that the caller may see.
import {
  ApiError,
  listBotFields,
  listBotParameters,
  type Operation,
} from '@botstead/contract'
import type { HttpServices } from '../services.ts'
import type { WorkspaceCaller } from './callers.ts'

/** Whether the bot is in the caller's workspace, and its allow-list includes the caller. */
export const isVisibleBot = async (
  { callers }: HttpServices,
  caller: WorkspaceCaller,
  botId: string,
): Promise<boolean> =>
  (await callers.workspace(botId)) === caller.workspaceId &&
  !(await callers.isHidden(botId, caller))

export const noBot = (id: string) =>
  new ApiError('ResourceNotFound', `Bot "${id}" was not found`)

/**
 * Throws ResourceNotFound if the request names a bot outside of the caller's workspace, or one with
 * an allow-list that excludes the caller: it must look nonexistent. Handlers check bots that a
 * request names in another way, such as by the id of a key.
 */
export async function rejectHiddenBots(
  { callers }: HttpServices,
  operation: Pick<Operation, 'path' | 'query' | 'body'>,
  caller: WorkspaceCaller,
  { params, query, body }: Named,
) {
  const named = [
    ...listValues(params, listBotParameters(operation)),
    ...listValues(query, listBotFields(operation.query)),
    ...listValues(body, listBotFields(operation.body)),
  ]
  for (const id of named) {
    if (typeof id !== 'string') continue
    const isInside = (await callers.workspace(id)) === caller.workspaceId
    if (!isInside || (await callers.isHidden(id, caller))) throw noBot(id)
  }
}

/** Returns the values of fields, and the members of lists. */
const listValues = (part: Part, fields: string[]): unknown[] =>
  fields.flatMap((name) => part?.[name])
type Part = Record<string, unknown> | null | undefined
interface Named {
  params: Part
  query: Part
  body: Part
}

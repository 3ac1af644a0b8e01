import { ApiError, type admin, type Handlers, may } from '@botstead/contract'
import type { Caller, Contexts, Services } from '../../../http/index.ts'
import { findInstallationById } from '../../installations/installations.ts'

/**
 * Fails in the same way for a bot that the token may not act in and for one that does not exist.
 */
export const introspection: Handlers<(typeof admin)['introspection'], Contexts> = {
  async introspect({ services, caller }, { body: { botId } }) {
    const workspaceId = await services.callers.workspace(botId)
    const userId = workspaceId && (await userInBot(services, caller, workspaceId, botId))
    if (!userId)
      throw new ApiError('Forbidden', `This token may not act in the bot "${botId}"`)
    return { workspaceId, botId, userId }
  },
}

/**
 * Returns the id of the acting account, bot or integration, or null if the caller may not act in
 * the bot.
 */
async function userInBot(
  { db, callers }: Services,
  caller: Caller<'token'>,
  workspaceId: string,
  botId: string,
): Promise<string | null> {
  if (caller.accountId)
    return (await maySee(callers, workspaceId, caller.accountId, botId))
      ? caller.accountId
      : null
  if (caller.integrationId) {
    const isElsewhere = caller.workspaceId !== null && caller.workspaceId !== workspaceId
    return !isElsewhere && (await findInstallationById(db, botId, caller.integrationId))
      ? caller.integrationId
      : null
  }
  return caller.botId === botId ? botId : null
}

async function maySee(
  callers: Services['callers'],
  workspaceId: string,
  accountId: string,
  botId: string,
): Promise<boolean> {
  const role = await callers.role(workspaceId, accountId)
  return (
    role !== null &&
    may(role, 'bots.read') &&
    !(await callers.isHidden(botId, { workspaceId, accountId, role }))
  )
}

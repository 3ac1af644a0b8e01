import { ApiError, type admin, type Handlers } from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import { installationStore } from '../../../../core/catalog/index.ts'
import type { Caller, Context, Contexts } from '../../../../core/http/index.ts'
import {
  deleteShareableId,
  findShareableId,
  type InstallationRef,
  makeShareableId,
  unlinkConversations,
} from '../../sandbox-conversations.ts'

export const shareableIds: Handlers<(typeof admin)['shareableIds'], Contexts> = {
  async createIntegrationShareableId(context, input) {
    return {
      shareableId: await makeShareableId(
        context.services.db,
        await findInstallationRef(context, input),
      ),
    }
  },

  async getIntegrationShareableId(context, input) {
    const found = await findShareableId(
      context.services.db,
      await findInstallationRef(context, input),
    )
    if (!found) throw noShareableId()
    return found
  },

  async deleteIntegrationShareableId(context, input) {
    if (
      !(await deleteShareableId(
        context.services.db,
        await findInstallationRef(context, input),
      ))
    )
      throw noShareableId()
    return {}
  },

  async unlinkSandboxedConversations(context, input) {
    await unlinkConversations(
      context.services.db,
      await findInstallationRef(context, input),
    )
    return {}
  },
}

const noShareableId = () =>
  new ApiError(
    'ResourceNotFound',
    'This integration has no shareable id in this bot: create one first',
  )

interface Named {
  params: { botId: string; integrationId: string }
  query: { integrationInstanceAlias?: string }
}

/**
 * Finds the installation by alias. Without an alias, finds the enabled installation of the
 * integration that was installed first.
 */
async function findInstallationRef(
  { services: { db }, caller }: Context<Caller<'workspace'>>,
  { params, query }: Named,
): Promise<InstallationRef> {
  const { id: botId } = await botStore.find(db, caller.workspaceId, params.botId)
  const alias = query.integrationInstanceAlias
  const installed = await (alias === undefined
    ? installationStore.findById(db, botId, params.integrationId)
    : installationStore.find(db, botId, alias))
  if (installed?.integration_id !== params.integrationId)
    throw new ApiError(
      'ResourceNotFound',
      `No integration "${params.integrationId}" is installed in this bot${
        alias === undefined ? '' : ` as "${alias}"`
      }`,
    )
  return { botId, alias: installed.alias }
}

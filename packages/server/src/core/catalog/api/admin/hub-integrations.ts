import {
  type admin,
  type Handlers,
  may,
  type PublicIntegration,
} from '@botstead/contract'
import type { Caller, Context, Contexts, Services } from '../../../http/index.ts'
import { countView, findHubFacts } from '../../integrations/integration-listings.ts'
import {
  type FoundIntegration,
  findIntegration,
  findIntegrationByName,
} from '../../integrations/integrations.ts'
import {
  getOrigin,
  pageOfIntegrations,
  toIntegration,
  toOwner,
} from './integration-serializers.ts'

/** Published integrations of other workspaces, without their secrets and URL. */
export const hubIntegrations: Handlers<(typeof admin)['hubIntegrations'], Contexts> = {
  async listPublicIntegrations(context, { query }) {
    const { caller, services } = context
    const tokenScope = ['listPublicIntegrations', caller.accountId]
    if (
      query.installedByBotId !== undefined &&
      !(await maySeeBot(services, caller.accountId, query.installedByBotId))
    )
      return { integrations: [], meta: {} }
    const { rows, meta } = await pageOfIntegrations(context, 'hub', tokenScope, query)
    const integrations = rows.map(({ row: { owner, installs, views }, summary }) => ({
      ...summary,
      ownerWorkspace: toOwner(owner),
      meta: { installs, views },
    }))
    return { integrations, meta }
  },

  async getPublicIntegrationById(context, { params }) {
    return {
      integration: await show(
        context,
        await findIntegration(context.services.db, 'hub', params.id),
      ),
    }
  },

  async getPublicIntegration(context, { params }) {
    return {
      integration: await show(
        context,
        await findIntegrationByName(
          context.services.db,
          'hub',
          params.name,
          params.version,
        ),
      ),
    }
  },
}

async function show(
  context: Context<Caller<'account'>>,
  row: FoundIntegration,
): Promise<PublicIntegration> {
  const { db } = context.services
  const { owner, installs, views } = await findHubFacts(db, row.id)
  await countView(db, row.id)
  return {
    ...toIntegration(row, getOrigin(context)),
    url: '',
    secrets: [],
    ownerWorkspace: toOwner(owner),
    meta: { installs, views },
  }
}

/** Returns whether the account may see the bot's installed integrations. */
async function maySeeBot(
  { callers }: Services,
  accountId: string,
  botId: string,
): Promise<boolean> {
  const workspaceId = await callers.workspace(botId)
  const role = workspaceId && (await callers.role(workspaceId, accountId))
  if (!workspaceId || !role || !may(role, 'bots.read')) return false
  return !(await callers.isHidden(botId, { accountId, workspaceId, role }))
}

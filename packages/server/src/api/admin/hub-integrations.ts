import { type admin, type Handlers, may, type PublicIntegration } from '@botstead/contract'
import { countView, findHubFacts } from '../../integrations/integration-listings.ts'
import {
  type FoundIntegration,
  findIntegration,
  findIntegrationByName,
} from '../../integrations/integrations.ts'
import type { AccountCaller, Context, Contexts, Services } from '../../services.ts'
import { integrationOf, originOf, ownerOf, pageOfIntegrations } from './integrations-shown.ts'

/** What others have published: of its secrets and its address nothing is told. */
export const hubIntegrations: Handlers<(typeof admin)['hubIntegrations'], Contexts> = {
  async listPublicIntegrations(context, { query }) {
    const { caller, services } = context
    const whose = ['listPublicIntegrations', caller.accountId]
    if (
      query.installedByBotId !== undefined &&
      !(await mayLookInto(services, caller.accountId, query.installedByBotId))
    )
      return { integrations: [], meta: {} }
    const { rows, meta } = await pageOfIntegrations(context, 'hub', whose, query)
    const integrations = rows.map(({ row: { owner, installs, views }, summary }) => ({
      ...summary,
      ownerWorkspace: ownerOf(owner),
      meta: { installs, views },
    }))
    return { integrations, meta }
  },

  async getPublicIntegrationById(context, { params }) {
    return { integration: await show(context, await findIntegration(context.services.db, 'hub', params.id)) }
  },

  async getPublicIntegration(context, { params }) {
    return {
      integration: await show(
        context,
        await findIntegrationByName(context.services.db, 'hub', params.name, params.version),
      ),
    }
  },
}

async function show(context: Context<AccountCaller>, row: FoundIntegration): Promise<PublicIntegration> {
  const { db } = context.services
  const { owner, installs, views } = await findHubFacts(db, row.id)
  await countView(db, row.id)
  return {
    ...integrationOf(row, originOf(context)),
    url: '',
    secrets: [],
    ownerWorkspace: ownerOf(owner),
    meta: { installs, views },
  }
}

/** What a bot has installed is for those who may see the bot. */
async function mayLookInto({ callers }: Services, accountId: string, botId: string): Promise<boolean> {
  const workspaceId = await callers.workspace(botId)
  const role = workspaceId && (await callers.role(workspaceId, accountId))
  return role ? may(role, 'bots.read') : false
}

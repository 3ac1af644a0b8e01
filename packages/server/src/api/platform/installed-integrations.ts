import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { configureInstallation } from '../../modules/catalog/integrations/installation-settings.ts'
import { findIntegrationUses } from '../../modules/versions/integration-uses.ts'
import { findInstalled } from './webhook-requests.ts'

export const installedIntegrations: Handlers<typeof platform.installedIntegrations, Contexts> = {
  async getIntegrationUses({ services, caller }, { params }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const uses = await findIntegrationUses(services.db, bot_id, alias)
    const { conversations, users, plugins, references } = uses
    return {
      ...{ conversations, users, plugins, references },
      ...(uses.register_schedule !== null && { registerSchedule: uses.register_schedule }),
      ...(uses.identifier !== null && { identifier: uses.identifier }),
      sandboxConversations: uses.sandbox_conversations,
    }
  },

  async setIntegrationIdentifier({ services, caller }, { params, body }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const claim = { from: 'workspace', max: services.limits.identifiersPerIntegration } as const
    await configureInstallation(services.db, bot_id, alias, body, claim)
    return {}
  },
}

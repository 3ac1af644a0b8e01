import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  getOrigin,
  parsePage,
  toListPage,
} from '../../../../core/http/index.ts'
import { findIntegrationUses } from '../../../versions/index.ts'
import { findInstalled } from '../../../webhook-diary/index.ts'
import { changeIdentifiers } from '../../identifiers.ts'
import { listSandboxConversations } from '../../sandbox-conversations.ts'
import type { ScriptServices } from '../../services.ts'
import { findSetupLink } from '../../setup-links.ts'

export const installedIntegrations: Handlers<
  typeof platform.installedIntegrations,
  Contexts<ScriptServices>
> = {
  async getIntegrationUses({ services, caller }, { params }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const uses = await findIntegrationUses(services.db, caller.workspaceId, bot_id, alias)
    const { conversations, users, plugins, references } = uses
    return {
      conversations,
      users,
      plugins,
      references,
      ...(uses.register_schedule !== null && {
        registerSchedule: uses.register_schedule,
      }),
      ...(uses.identifier !== null && { identifier: uses.identifier }),
      sandboxConversations: uses.sandbox_conversations,
    }
  },

  async getIntegrationSetupLink({ services, caller, request }, { params }) {
    const installed = await findInstalled(services, caller.workspaceId, params)
    const { db, vrl } = services
    const url = await findSetupLink(
      { db, vrl, webhooks: `${getOrigin({ services, request })}/webhooks` },
      caller.workspaceId,
      {
        integrationId: installed.integration_id,
        configurationType: installed.configuration_type,
        webhookId: installed.webhook_id,
      },
    )
    return { url }
  },

  async listSandboxConversations({ services, caller }, { params, query }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    const page = parsePage(
      services,
      ['platform.listSandboxConversations', bot_id, alias],
      query,
    )
    const rows = await listSandboxConversations(
      services.db,
      { botId: bot_id, alias },
      { after: page.position?.[0] ?? null, limit: page.limit + 1 },
    )
    const { items, meta } = toListPage(page, rows, ({ identifier }) => [identifier])
    return { conversations: items, meta }
  },

  async setIntegrationIdentifier({ services, caller }, { params, body }) {
    const { bot_id, alias } = await findInstalled(services, caller.workspaceId, params)
    await changeIdentifiers(services, { botId: bot_id, alias }, body)
    return {}
  },
}

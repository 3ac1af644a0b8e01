import type { admin, Handlers } from '@botstead/contract'
import { toApiKey } from '../../../accounts/index.ts'
import type { Contexts } from '../../../http/index.ts'
import {
  createIntegrationKey,
  deleteIntegrationKey,
  listIntegrationKeys,
} from '../../integrations/integration-keys.ts'

export const integrationKeys: Handlers<(typeof admin)['integrationKeys'], Contexts> = {
  async listIntegrationApiKeys({ services, caller }, { query }) {
    const rows = await listIntegrationKeys(services.db, caller.workspaceId, query.integrationId)
    return { iaks: rows.map(toApiKey) }
  },

  async createIntegrationApiKey({ services, caller }, { body }) {
    const made = await createIntegrationKey(
      services.db,
      caller.workspaceId,
      body.integrationId,
      body.note ?? '',
    )
    return { ...toApiKey(made), value: made.value }
  },

  async deleteIntegrationApiKey({ services, caller }, { params }) {
    const tokenHash = await deleteIntegrationKey(services.db, caller.workspaceId, params.id)
    await services.invalidate({ tokenHash })
    return {}
  },
}

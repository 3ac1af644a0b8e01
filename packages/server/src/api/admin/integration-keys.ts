import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import {
  createIntegrationKey,
  deleteIntegrationKey,
  listIntegrationKeys,
} from '../../modules/catalog/integrations/integration-keys.ts'
import { keyOf } from './shown.ts'

export const integrationKeys: Handlers<(typeof admin)['integrationKeys'], Contexts> = {
  async listIntegrationApiKeys({ services, caller }, { query }) {
    const rows = await listIntegrationKeys(services.db, caller.workspaceId, query.integrationId)
    return { iaks: rows.map(keyOf) }
  },

  async createIntegrationApiKey({ services, caller }, { body }) {
    const made = await createIntegrationKey(
      services.db,
      caller.workspaceId,
      body.integrationId,
      body.note ?? '',
    )
    return { ...keyOf(made), value: made.value }
  },

  async deleteIntegrationApiKey({ services, caller }, { params }) {
    const tokenHash = await deleteIntegrationKey(services.db, caller.workspaceId, params.id)
    await services.forget({ tokenHash })
    return {}
  },
}

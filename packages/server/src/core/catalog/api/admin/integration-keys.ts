import type { admin, Handlers } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import {
  createIntegrationKey,
  deleteIntegrationKey,
  listIntegrationKeys,
} from '../../integrations/integration-keys.ts'

export const integrationKeys: Handlers<(typeof admin)['integrationKeys'], Contexts> = {
  async listIntegrationApiKeys({ services, caller }, { query }) {
    const { db } = services
    return {
      iaks: await listIntegrationKeys(db, caller.workspaceId, query.integrationId),
    }
  },

  async createIntegrationApiKey({ services, caller }, { body }) {
    const { integrationId, note = '' } = body
    return createIntegrationKey(services.db, caller.workspaceId, integrationId, note)
  },

  async deleteIntegrationApiKey({ services, caller }, { params }) {
    const tokenHash = await deleteIntegrationKey(
      services.db,
      caller.workspaceId,
      params.id,
    )
    await services.invalidate({ tokenHash })
    return {}
  },
}

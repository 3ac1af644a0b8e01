import { ApiError, type Handlers, type newer } from '@botstead/contract'
import type { Contexts } from '../../../http/index.ts'
import { findInstallation } from '../../installations/installations.ts'

export const integrations: Handlers<typeof newer.integrations, Contexts> = {
  async getIntegrationInstanceIdentifiers({ services, caller }) {
    if (!caller.integration)
      throw new ApiError(
        'Forbidden',
        'Send `x-integration-alias`: identifiers belong to an installation',
      )
    const installation = await findInstallation(
      services.db,
      caller.botId,
      caller.integration.alias,
    )
    return { identifiers: installation?.identifier ? [installation.identifier] : [] }
  },
}

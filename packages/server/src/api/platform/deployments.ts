import type { Handlers, platform } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import { type Deployment, findDeployment } from '../../modules/bots/bot-code.ts'
import { findBot } from '../../modules/bots/bots.ts'
import { findIntegrationDeployment } from '../../modules/catalog/integrations/integration-code.ts'
import { findIntegration } from '../../modules/catalog/integrations/integrations.ts'

export const deployments: Handlers<typeof platform.deployments, Contexts> = {
  async getBotDeployment({ services: { db }, caller }, { params }) {
    const { id, url } = await findBot(db, caller.workspaceId, params.botId)
    return { deployment: toDeployment(await findDeployment(db, id)), atUrl: url !== null }
  },

  async getIntegrationDeployment({ services: { db }, caller }, { params }) {
    const { id } = await findIntegration(db, { workspaceId: caller.workspaceId }, params.id)
    return { deployment: toDeployment(await findIntegrationDeployment(db, id)) }
  },
}

const toDeployment = (found: Deployment | null) =>
  found && {
    version: found.version,
    deployedAt: found.deployedAt.toISOString(),
    ...(found.loadError !== null && { loadError: found.loadError }),
  }

import type { Handlers, platform } from '@botstead/contract'
import { type Deployment, findDeployment } from '../../bots/bot-code.ts'
import { findBot } from '../../bots/bots.ts'
import { findIntegrationDeployment } from '../../integrations/integration-code.ts'
import { findIntegration } from '../../integrations/integrations.ts'
import type { Contexts } from '../../services.ts'

export const deployments: Handlers<typeof platform.deployments, Contexts> = {
  async getBotDeployment({ services: { db }, caller }, { params }) {
    const { id } = await findBot(db, caller.workspaceId, params.id)
    return { deployment: toDeployment(await findDeployment(db, id)) }
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

import type { Handlers, platform } from '@botstead/contract'
import { type Bot, botCode, botStore, type Deployment } from '../../../bots/index.ts'
import type { Db } from '../../../db/index.ts'
import type { Contexts } from '../../../http/index.ts'
import { findIntegrationDeployment } from '../../integrations/integration-code.ts'
import { findIntegration } from '../../integrations/integrations.ts'

export const deployments: Handlers<typeof platform.deployments, Contexts> = {
  async getBotDeployment({ services: { db }, caller }, { params }) {
    return describeDeployment(
      db,
      await botStore.find(db, caller.workspaceId, params.botId),
    )
  },

  async getIntegrationDeployment({ services: { db }, caller }, { params }) {
    const { id } = await findIntegration(
      db,
      { workspaceId: caller.workspaceId },
      params.id,
    )
    return { deployment: toDeployment(await findIntegrationDeployment(db, id)) }
  },
}

export const describeDeployment = async (db: Db, { id, url }: Bot) => ({
  deployment: toDeployment(await botCode.findDeployment(db, id)),
  atUrl: url !== null,
})

const toDeployment = (found: Deployment | null) =>
  found && {
    version: found.version,
    deployedAt: found.deployedAt.toISOString(),
    ...(found.loadError !== null && { loadError: found.loadError }),
  }

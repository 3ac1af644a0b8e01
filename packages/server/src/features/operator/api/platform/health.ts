import type { Handlers, platform } from '@botstead/contract'
import { workspaceStore } from '../../../../core/accounts/index.ts'
import type { Contexts, HttpServices } from '../../../../core/http/index.ts'

export const health: Handlers<typeof platform.health, Contexts<HttpServices>> = {
  async getHealth({ services, caller }) {
    if (await workspaceStore.isOperator(services.db, caller.accountId))
      return { health: await services.health.read() }
    // As `/readyz`: a version or a weak isolation would show people of other tenants what to attack.
    const troubles = await services.health.problems()
    return { health: { ready: troubles.length === 0, troubles } }
  },
}

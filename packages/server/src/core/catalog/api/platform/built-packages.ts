import { ApiError, type Handlers, type platform } from '@botstead/contract'
import { workspaceStore } from '../../../accounts/index.ts'
import type { BotServices } from '../../../bots/index.ts'
import type { Db } from '../../../db/index.ts'
import type { Caller, Contexts } from '../../../http/index.ts'
import { quotas } from '../../../usage/index.ts'
import { exportWithInterfaces } from '../../built/built-packages.ts'
import { publishIntegration, publishInterface } from '../../built/publication.ts'
import { findVersionsBeside } from '../../integrations/hosted-code.ts'
import {
  type FoundIntegration,
  findIntegration,
} from '../../integrations/integrations.ts'
import { isInterfaceUsed } from '../admin/interfaces.ts'
import { reportIntegrationFindings } from '../admin/load-errors.ts'

export const builtPackages: Handlers<
  typeof platform.builtPackages,
  Contexts<BotServices>
> = {
  async exportIntegration({ services: { db }, caller }, { params }) {
    return exportWithInterfaces(db, await findExportable(db, caller, params.id))
  },

  /** Runs in the transaction of its audit record, so that it publishes all or nothing. */
  async publishPackages(context, { body }) {
    const { services, caller, trials = [] } = context
    const { workspaceId } = caller
    const { interfaces, integrations, visibility = 'private', replace = false } = body
    const publishing = { workspaceId, visibility, replace }
    const packages = []
    for (const input of interfaces)
      packages.push({
        kind: 'interface' as const,
        ...(await publishInterface(services, publishing, input, isInterfaceUsed)),
      })
    for (const [i, input] of integrations.entries()) {
      const versions = await findVersionsBeside(services.db, workspaceId, input)
      await quotas.rejectIntegrations(
        services.db,
        services.limits,
        workspaceId,
        input.name,
      )
      const one = await publishIntegration(
        services,
        publishing,
        input,
        trials[i]?.loadError,
      )
      packages.push({ kind: 'integration' as const, ...one })
      if (one.state === 'found') continue
      await reportIntegrationFindings(services, one.id, trials[i] ?? {})
      for (const integrationId of versions) await services.invalidate({ integrationId })
    }
    return { packages }
  },
}

/**
 * Code belongs to the workspace that published it. Throws ResourceNotFound, and Forbidden for an
 * integration of the hub that belongs to another workspace.
 */
async function findExportable(
  db: Db,
  { workspaceId, accountId }: Caller<'workspace'>,
  id: string,
): Promise<FoundIntegration> {
  const own = await findIntegration(db, { workspaceId }, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.type === 'ResourceNotFound') return null
    throw error
  })
  if (own) return own
  const shared = await findIntegration(db, 'hub', id)
  if (await workspaceStore.isOperator(db, accountId)) return shared
  throw new ApiError(
    'Forbidden',
    `Only the workspace that owns the integration "${shared.name}" may export its code`,
  )
}

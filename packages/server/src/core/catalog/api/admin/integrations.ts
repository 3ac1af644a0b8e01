import type { admin, Handlers } from '@botstead/contract'
import type { BotServices } from '../../../bots/index.ts'
import type { Caller, Context, Contexts, Services } from '../../../http/index.ts'
import type { OutgoingServices } from '../../../outgoing/index.ts'
import { quotas } from '../../../usage/index.ts'
import { findVersionsBeside } from '../../integrations/hosted-code.ts'
import { rotateSigningSecret } from '../../integrations/integration-secrets.ts'
import {
  createIntegration,
  deleteIntegration,
  findIntegration,
  findIntegrationByName,
  noIntegration,
  requireIntegration,
  updateIntegration,
  validateCreation,
  validateUpdate,
} from '../../integrations/integrations.ts'
import {
  getOrigin,
  pageOfIntegrations,
  toIntegration,
  toOwner,
} from './integration-serializers.ts'
import { reportIntegrationFindings } from './load-errors.ts'

type Own = BotServices & OutgoingServices

export const integrations: Handlers<(typeof admin)['integrations'], Contexts<Own>> = {
  async createIntegration(context, { body }) {
    const { services, caller, loadError } = context
    await checkUrl(context, body)
    const versions = worksAnew(body)
      ? await findVersionsBeside(services.db, caller.workspaceId, body)
      : []
    if (!body.dev)
      await quotas.rejectIntegrations(
        services.db,
        services.limits,
        caller.workspaceId,
        body.name,
      )
    const { row, signingSecret } = await createIntegration(
      services,
      caller.workspaceId,
      body,
      loadError,
    )
    await reportIntegrationFindings(services, row.id, context)
    await forgetVersions(services, versions)
    return { integration: toIntegration(row, getOrigin(context), signingSecret) }
  },

  async validateIntegrationCreation(context, { body }) {
    const { services, caller } = context
    await checkUrl(context, body)
    await validateCreation(services, caller.workspaceId, body)
    return {}
  },

  async listIntegrations(context, { query }) {
    const { workspaceId } = context.caller
    const { rows, meta } = await pageOfIntegrations(
      context,
      { workspaceId },
      ['listIntegrations', workspaceId],
      query,
    )
    return {
      integrations: rows.map(({ row, summary }) => ({
        ...summary,
        ownerWorkspace: toOwner(row.owner),
      })),
      meta,
    }
  },

  async getIntegration(context, { params }) {
    const { services, caller } = context
    const { workspaceId } = caller
    return {
      integration: toIntegration(
        await findIntegration(services.db, { workspaceId }, params.id),
        getOrigin(context),
      ),
    }
  },

  async getIntegrationByName(context, { params }) {
    const { services, caller } = context
    const { workspaceId } = caller
    return {
      integration: toIntegration(
        await findIntegrationByName(
          services.db,
          { workspaceId },
          params.name,
          params.version,
        ),
        getOrigin(context),
      ),
    }
  },

  async updateIntegration(context, { params, headers, body }) {
    const { services, caller, loadError } = context
    await checkUrl(context, body)
    const versions = worksAnew(body)
      ? await findVersionsBeside(services.db, caller.workspaceId, params)
      : []
    const bypass = mayBreak(headers)
    const row = await updateIntegration(services, caller.workspaceId, params.id, body, {
      bypass,
      loadError,
    })
    await reportIntegrationFindings(services, row.id, context)
    await forgetVersions(services, versions)
    return { integration: toIntegration(row, getOrigin(context)) }
  },

  async validateIntegrationUpdate(context, { params, headers, body }) {
    const { services, caller } = context
    await checkUrl(context, body)
    await validateUpdate(services, caller.workspaceId, params.id, body, mayBreak(headers))
    return {}
  },

  async deleteIntegration({ services, caller }, { params }) {
    const hashes = await deleteIntegration(services.db, caller.workspaceId, params.id)
    await Promise.all(hashes.map((tokenHash) => services.invalidate({ tokenHash })))
    await services.invalidate({ integrationId: params.id })
    return {}
  },

  async rotateIntegrationSigningSecrets({ services, caller }, { params }) {
    const newSigningSecret = await rotateSigningSecret(
      services.db,
      services.secrets,
      caller.workspaceId,
      params.id,
    )
    if (newSigningSecret === null) throw noIntegration(params.id)
    await services.invalidate({ integrationId: params.id })
    return { newSigningSecret }
  },

  /** Does nothing: every integration is approved. */
  async requestIntegrationVerification({ services, caller }, { body }) {
    await requireIntegration(services.db, caller.workspaceId, body.integrationId)
    return {}
  },
}

async function checkUrl(
  { services, caller }: Pick<Context<Caller<'workspace'>, Own>, 'services' | 'caller'>,
  { url }: { url?: string | null },
) {
  if (url) await services.outgoing.checkUrl(caller.workspaceId, 'url', url)
}

const worksAnew = ({ code, url, secrets, maxExecutionTime }: Record<string, unknown>) =>
  [code, url, secrets, maxExecutionTime].some((input) => input !== undefined)

/**
 * Restarts the integrations' processes with the current code. The ids are read before the change,
 * so that nothing can fail after it.
 */
const forgetVersions = (services: Services & Own, ids: string[]) =>
  Promise.all(ids.map((integrationId) => services.invalidate({ integrationId })))

const mayBreak = (headers: Record<string, string | undefined>) =>
  headers['x-bypass-breaking-changes-detection'] !== undefined

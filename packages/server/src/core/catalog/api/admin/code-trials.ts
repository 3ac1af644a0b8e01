// Loads the code of integrations before it is deployed, and compiles their scripts. Scripts with warnings
// are deployed and reported, or rejected (BOTSTEAD_DEPLOY_CHECK).
import { ApiError } from '@botstead/contract'
import { type TrialServices, tryCode } from '../../../bots/index.ts'
import type { Caller, Context, FirstSteps } from '../../../http/index.ts'
import { findVersionsBeside } from '../../integrations/hosted-code.ts'
import { findSecrets } from '../../integrations/integration-secrets.ts'
import { findIntegration } from '../../integrations/integrations.ts'
import type { CatalogServices } from '../../services.ts'

type Own = CatalogServices & TrialServices

type Found = Pick<Context<Caller<'workspace'>, Own>, 'loadError' | 'scriptWarnings'>
type Body = Record<string, unknown>

async function tryScripts(
  { services: { hooks, config }, caller }: Context<Caller<'workspace'>, Own>,
  body: Body,
): Promise<Found> {
  const found = await Promise.all(
    hooks.checkScripts.map((check) => check(caller.workspaceId, body)),
  )
  const scriptWarnings = found.flat()
  const [first] = scriptWarnings
  if (config.deployCheck === 'strict' && first !== undefined)
    throw new ApiError(
      'InvalidPayload',
      `${first}. Correct the script: BOTSTEAD_DEPLOY_CHECK=strict`,
    )
  return { scriptWarnings }
}

const tryIntegration = async (
  context: Context<Caller<'workspace'>, Own>,
  body: Body,
  before: Parameters<typeof tryCode>[2],
): Promise<Found> => ({
  ...(await tryScripts(context, body)),
  ...(await tryCode(context, body, before)),
})

const none = async () => ({})

async function secretsOfIntegration(
  { services: { db, secrets }, caller }: Context<Caller<'workspace'>, Own>,
  id: string,
) {
  await findIntegration(db, { workspaceId: caller.workspaceId }, id)
  return findSecrets(db, secrets, id)
}

export const integrationTrials: FirstSteps<Caller<'workspace'>, Own> = {
  'admin.createIntegration': (context, { body }) => tryIntegration(context, body, none),
  'admin.validateIntegrationCreation': (context, { body }) => tryScripts(context, body),
  'admin.validateIntegrationUpdate': (context, { body }) => tryScripts(context, body),
  'admin.updateIntegration': (context, { params, body }) =>
    tryIntegration(context, body, () => secretsOfIntegration(context, params.id!)),
  'platform.publishPackages': tryPackages,
}

/** One after another, because each loads in a process. */
async function tryPackages(
  context: Context<Caller<'workspace'>, Own>,
  { body }: { body: Body },
) {
  const { services, caller } = context
  const trials: Found[] = []
  for (const input of body.integrations as (Body & { name: string })[]) {
    const before = async () => {
      const [id] = await findVersionsBeside(services.db, caller.workspaceId, input)
      return id === undefined ? {} : findSecrets(services.db, services.secrets, id)
    }
    trials.push(await tryIntegration(context, input, before))
  }
  return { trials }
}

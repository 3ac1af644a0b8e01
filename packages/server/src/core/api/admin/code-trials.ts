// Loads code before it is deployed, with the secrets that it would have, and compiles scripts of
// integrations. This happens before the request begins its transaction, because it can take long. Code
// that does not load, and scripts with warnings, are deployed and reported, or rejected
// (BOTSTEAD_DEPLOY_CHECK).
import { ApiError } from '@botstead/contract'
import { findBot, openBotSecrets } from '../../bots/index.ts'
import {
  type CatalogServices,
  findIntegration,
  findSecrets,
  findVersionsBeside,
} from '../../catalog/index.ts'
import type { DeliveryServices } from '../../delivery/index.ts'
import type { Context, FirstSteps, WorkspaceCaller } from '../../http/index.ts'

type Own = CatalogServices & DeliveryServices

type Found = Pick<Context<WorkspaceCaller, Own>, 'loadError' | 'scriptWarnings'>
type Body = Record<string, unknown>
type Input = { code?: unknown; secrets?: Record<string, string | null> }

/** `isStrict`: rejects code that does not load. */
export async function tryCode(
  { services: { invoker, config }, caller }: Context<WorkspaceCaller, Own>,
  { code, secrets = {} }: Input,
  before: () => Promise<Record<string, string>>,
  isStrict = config.deployCheck === 'strict',
): Promise<Found> {
  if (typeof code !== 'string' || code === '') return {}
  const all = Object.entries({ ...(await before()), ...secrets }).filter(
    (one): one is [string, string] => one[1] !== null,
  )
  const failure = await invoker.tryCode(caller.workspaceId, code, Object.fromEntries(all))
  if (isStrict && failure && !failure.isWithoutHandler)
    throw new ApiError(
      'InvalidPayload',
      `The code cannot be deployed: it does not load. ${failure.message}`,
    )
  return failure ? { loadError: failure.message } : {}
}

async function tryScripts(
  { services: { hooks, config }, caller }: Context<WorkspaceCaller, Own>,
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
  context: Context<WorkspaceCaller, Own>,
  body: Body,
  before: Parameters<typeof tryCode>[2],
): Promise<Found> => ({
  ...(await tryScripts(context, body)),
  ...(await tryCode(context, body, before)),
})

const none = async () => ({})

const secretsOfBot = async (
  { services: { db, secrets }, caller }: Context<WorkspaceCaller, Own>,
  id: string,
) => openBotSecrets(secrets, await findBot(db, caller.workspaceId, id))

async function secretsOfIntegration(
  { services: { db, secrets }, caller }: Context<WorkspaceCaller, Own>,
  id: string,
) {
  await findIntegration(db, { workspaceId: caller.workspaceId }, id)
  return findSecrets(db, secrets, id)
}

export const codeTrials: FirstSteps<WorkspaceCaller, Own> = {
  'admin.createBot': (context, { body }) => tryCode(context, body, none),
  'admin.updateBot': (context, { params, body }) =>
    tryCode(context, body, () => secretsOfBot(context, params.id!)),
  'admin.publishFromBotJson': (context, { params, body }) =>
    tryCode(context, codeIn(body.botJson), () => secretsOfBot(context, params.id!)),
  'admin.createIntegration': (context, { body }) => tryIntegration(context, body, none),
  'admin.validateIntegrationCreation': (context, { body }) => tryScripts(context, body),
  'admin.validateIntegrationUpdate': (context, { body }) => tryScripts(context, body),
  'admin.updateIntegration': (context, { params, body }) =>
    tryIntegration(context, body, () => secretsOfIntegration(context, params.id!)),
  'platform.publishPackages': tryPackages,
}

/** One after another, because each loads in a process. */
async function tryPackages(context: Context<WorkspaceCaller, Own>, { body }: { body: Body }) {
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

/** Accepts any document; its validation comes later. */
const codeIn = (document: unknown): Input => ({
  code: (document as { code?: unknown } | null)?.code,
})

// Code is tried before it is deployed, and before the request begins its transaction: that takes as long as the code takes to load. Each with
// the secrets that it would have.
import { openBotSecrets } from '../../bots/bot-secrets.ts'
import { findBot } from '../../bots/bots.ts'
import type { FirstSteps } from '../../http/mount.ts'
import { findSecrets } from '../../integrations/integration-secrets.ts'
import { findIntegration } from '../../integrations/integrations.ts'
import type { Context, WorkspaceCaller } from '../../services.ts'

type Given = { code?: unknown; secrets?: Record<string, string | null> }

async function tryCode(
  { services: { invoker }, caller }: Context<WorkspaceCaller>,
  { code, secrets = {} }: Given,
  before: () => Promise<Record<string, string>>,
): Promise<void> {
  if (typeof code !== 'string' || code === '') return
  const all = Object.entries({ ...(await before()), ...secrets }).filter(
    (one): one is [string, string] => one[1] !== null,
  )
  await invoker.tryCode(caller.workspaceId, code, Object.fromEntries(all))
}

const none = async () => ({})

const secretsOfBot = async ({ services: { db, secrets }, caller }: Context<WorkspaceCaller>, id: string) =>
  openBotSecrets(secrets, await findBot(db, caller.workspaceId, id))

async function secretsOfIntegration(
  { services: { db, secrets }, caller }: Context<WorkspaceCaller>,
  id: string,
) {
  await findIntegration(db, { workspaceId: caller.workspaceId }, id)
  return findSecrets(db, secrets, id)
}

export const codeTrials: FirstSteps<WorkspaceCaller> = {
  'admin.createBot': (context, { body }) => tryCode(context, body, none),
  'admin.updateBot': (context, { params, body }) =>
    tryCode(context, body, () => secretsOfBot(context, params.id!)),
  'admin.publishFromBotJson': (context, { params, body }) =>
    tryCode(context, codeIn(body.botJson), () => secretsOfBot(context, params.id!)),
  'admin.createIntegration': (context, { body }) => tryCode(context, body, none),
  'admin.updateIntegration': (context, { params, body }) =>
    tryCode(context, body, () => secretsOfIntegration(context, params.id!)),
}

/** Whatever it is: what may stand there is checked later. */
const codeIn = (document: unknown): Given => ({ code: (document as { code?: unknown } | null)?.code })

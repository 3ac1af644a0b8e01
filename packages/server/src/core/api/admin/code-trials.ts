// Loads the code of a bot before it is deployed (core/bots/code-trials.ts).
import { botSecrets, botStore, type TrialServices, tryCode } from '../../bots/index.ts'
import type { Caller, Context, FirstSteps } from '../../http/index.ts'

export const codeTrials: FirstSteps<Caller<'workspace'>, TrialServices> = {
  'admin.createBot': (context, { body }) => tryCode(context, body, async () => ({})),
  'admin.updateBot': (context, { params, body }) =>
    tryCode(context, body, () => findSecrets(context, params.id!)),
}

const findSecrets = async (
  { services: { db, secrets }, caller }: Context<Caller<'workspace'>, TrialServices>,
  id: string,
) => botSecrets.open(secrets, await botStore.find(db, caller.workspaceId, id))

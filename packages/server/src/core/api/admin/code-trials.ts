// Loads the code of a bot before it is deployed (core/bots/code-trials.ts).
import { findBot, openBotSecrets, type TrialServices, tryCode } from '../../bots/index.ts'
import type { Context, FirstSteps, WorkspaceCaller } from '../../http/index.ts'

export const codeTrials: FirstSteps<WorkspaceCaller, TrialServices> = {
  'admin.createBot': (context, { body }) => tryCode(context, body, async () => ({})),
  'admin.updateBot': (context, { params, body }) =>
    tryCode(context, body, () => findSecrets(context, params.id!)),
}

const findSecrets = async (
  { services: { db, secrets }, caller }: Context<WorkspaceCaller, TrialServices>,
  id: string,
) => openBotSecrets(secrets, await findBot(db, caller.workspaceId, id))

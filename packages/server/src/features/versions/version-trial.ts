// Loads the code of a stored version before it is deployed (core/bots/code-trials.ts).

import { findBot, openBotSecrets, type TrialServices, tryCode } from '../../core/bots/index.ts'
import type { FirstSteps, WorkspaceCaller } from '../../core/http/index.ts'
import { toContent } from './bot-document.ts'
import { openVersion } from './versions.ts'

export const firstSteps: FirstSteps<WorkspaceCaller, TrialServices> = {
  /** A stored version is never rejected, because it worked before. */
  async 'admin.deployBotVersion'(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await findBot(db, context.caller.workspaceId, params.id!)
    const { code } = await toContent(await openVersion(db, secrets, bot.id, String(body.versionId)))
    return tryCode(context, { code }, () => openBotSecrets(secrets, bot), false)
  },
}

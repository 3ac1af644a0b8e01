// Loads the code of a stored version before it is deployed (core/api/admin/code-trials.ts).
import { tryCode } from '../../core/api/admin/code-trials.ts'
import { openBotSecrets } from '../../core/bots/bot-secrets.ts'
import { findBot } from '../../core/bots/bots.ts'
import type { FirstSteps } from '../../core/http/endpoint.ts'
import type { WorkspaceCaller } from '../../core/http/services.ts'
import { openVersion } from './versions.ts'

export const firstSteps: FirstSteps<WorkspaceCaller> = {
  /** A stored version is never rejected, because it worked before. */
  async 'admin.deployBotVersion'(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await findBot(db, context.caller.workspaceId, params.id!)
    const { code } = await openVersion(db, secrets, bot.id, String(body.versionId))
    return tryCode(context, { code }, () => openBotSecrets(secrets, bot), false)
  },
}

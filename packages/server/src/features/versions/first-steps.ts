// Checks documents, and loads the code of documents and stored versions, before a deployment begins its
// transaction (core/bots/code-trials.ts).

import {
  botSecrets,
  botStore,
  type TrialServices,
  tryCode,
} from '../../core/bots/index.ts'
import type { Caller, FirstSteps } from '../../core/http/index.ts'
import { toContent } from './bot-document.ts'
import { checkBotDocument } from './document-check.ts'
import { openVersion } from './versions.ts'

export const firstSteps: FirstSteps<Caller<'workspace'>, TrialServices> = {
  async 'admin.publishFromBotJson'(context, { params, body: { botJson } }) {
    const { db, secrets } = context.services
    const bot = await botStore.find(db, context.caller.workspaceId, params.id!)
    const document = botJson as Record<string, unknown>
    const trial = await tryCode(context, { code: document.code }, () =>
      botSecrets.open(secrets, bot),
    )
    await checkBotDocument(bot.workspace_id, document)
    return trial
  },

  /** A stored version is never rejected, because it worked before. */
  async 'admin.deployBotVersion'(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await botStore.find(db, context.caller.workspaceId, params.id!)
    const { code } = await toContent(
      await openVersion(db, secrets, bot.id, String(body.versionId)),
    )
    return tryCode(context, { code }, () => botSecrets.open(secrets, bot), false)
  },
}

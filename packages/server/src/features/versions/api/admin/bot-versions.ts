import type { admin, Handlers } from '@botstead/contract'
import { type AuthoredDocument, escapePointer } from '@botstead/flows'
import { changeBot } from '../../../../core/api/admin/bot-changes.ts'
import { originOf } from '../../../../core/api/origin.ts'
import { type Bot, findBot } from '../../../../core/bots/bots.ts'
import type {
  Context,
  Contexts,
  Services,
  WorkspaceCaller,
} from '../../../../core/http/services.ts'
import { findMissingNames } from '../../../knowledge/search/knowledge-bases.ts'
import { changeTo, describeBot, describeState, publicDocument } from '../../bot-document.ts'
import { saveVersion } from '../../deployed-versions.ts'
import { checkBotDocument, problemsError } from '../../document-check.ts'
import { downloadUrl } from '../../download-urls.ts'
import {
  checkBotVersion,
  listVersions,
  markDeployed,
  openVersion,
  storeVersion,
  type VersionRow,
} from '../../versions.ts'
import { schemaPath } from '../bot-documents.ts'

type Caller = Context<WorkspaceCaller>

export const botVersions: Handlers<(typeof admin)['botVersions'], Contexts> = {
  async listBotVersions({ services, caller }, { params }) {
    const bot = await findBot(services.db, caller.workspaceId, params.id)
    return { versions: (await listVersions(services.db, bot.id)).map(shown) }
  },

  async createBotVersion({ services: { db, secrets }, caller }, { params, body }) {
    const bot = await findBot(db, caller.workspaceId, params.id)
    const named = { ...body, createdBy: caller.accountId }
    const version = await db.transaction().execute((trx) => saveVersion(trx, secrets, bot, named))
    return { version: shown(version) }
  },

  async getBotVersion(context, { params }) {
    const { db, secrets } = context.services
    const bot = await findBot(db, context.caller.workspaceId, params.id)
    await checkBotVersion(db, bot.id, params.versionId)
    return { url: downloadUrl(secrets, originOf(context), bot.id, params.versionId) }
  },

  async deployBotVersion(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await findBot(db, context.caller.workspaceId, params.id)
    const {
      secrets: _names,
      webhookIds,
      ...whole
    } = await openVersion(db, secrets, bot.id, body.versionId)
    await changeBot(
      context.services,
      bot.workspace_id,
      bot.id,
      await changeTo(db, bot, { document: whole, code: null }),
      {
        afresh: true,
        loadError: context.loadError,
        ...(webhookIds && { webhookIds }),
        within: (trx) => markDeployed(trx, { botId: bot.id, id: body.versionId }),
      },
    )
    return {}
  },

  async getBotJson(context, { params }) {
    const { db, secrets } = context.services
    return publicDocument(
      await describeBot(db, secrets, context.caller.workspaceId, params.id),
      originOf(context) + schemaPath,
    )
  },

  async publishFromBotJson(context, { params, body }) {
    const bot = await findBot(context.services.db, context.caller.workspaceId, params.id)
    return { version: shown(await publish(context, bot, body.botJson)) }
  },
}

/**
 * Changes the bot and stores the version in one transaction. The version describes the resulting
 * bot, so it also contains the parts that the document leaves out.
 */
async function publish(
  { services, caller, loadError }: Caller,
  bot: Bot,
  botJson: Record<string, unknown>,
): Promise<NamedVersion> {
  const { db, secrets } = services
  const checked = await checkBotDocument(bot.workspace_id, botJson)
  await checkKnowledgeBases(services, bot.id, checked.document)
  const change = await changeTo(db, bot, checked)
  const { accountId: createdBy } = caller
  const named = { name: 'Published document', createdBy, isAutomatic: true }
  let kept: NamedVersion | null = null
  await changeBot(services, bot.workspace_id, bot.id, change, {
    afresh: true,
    loadError,
    within: async (trx) => {
      kept = await storeVersion(
        trx,
        secrets,
        bot,
        named,
        await describeState(trx, secrets, bot.workspace_id, bot.id),
      )
    },
  })
  return kept!
}

/**
 * Rejects a document that names a missing knowledge base: its cards would fail on the first
 * message. Tables need no check, because the bot creates them on first use.
 */
async function checkKnowledgeBases(
  { db }: Services,
  botId: string,
  { knowledgeBases = {} }: AuthoredDocument,
): Promise<void> {
  const named = Object.entries(knowledgeBases).map(([key, { name = key }]) => ({ key, name }))
  const names = named.map(({ name }) => name)
  const missing = await findMissingNames(db, botId, names)
  const found = named.filter(({ name }) => missing.has(name))
  if (found.length === 0) return
  throw problemsError(
    found.map(({ key, name }) => ({
      pointer: `/knowledgeBases/${escapePointer(key)}`,
      message: `the bot has no knowledge base "${name}": create it, or deploy with the command line`,
    })),
  )
}

type NamedVersion = Pick<VersionRow, 'id' | 'name' | 'description'>

const shown = ({ id, name, description }: NamedVersion) => ({
  id,
  name,
  ...(description !== null && { description }),
})

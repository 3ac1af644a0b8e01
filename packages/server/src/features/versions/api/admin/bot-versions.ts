import type { admin, Handlers } from '@botstead/contract'
import { type AuthoredDocument, escapePointer } from '@botstead/flows'
import { changeBot } from '../../../../core/api/index.ts'
import type { BlobServices } from '../../../../core/blobs/index.ts'
import { type Bot, type BotServices, findBot } from '../../../../core/bots/index.ts'
import type { Db } from '../../../../core/db/index.ts'
import type { DeliveryServices } from '../../../../core/delivery/index.ts'
import {
  type Context,
  type Contexts,
  getOrigin,
  type Services,
  type WorkspaceCaller,
} from '../../../../core/http/index.ts'
import type { OutgoingServices } from '../../../../core/outgoing/index.ts'
import type { QueueServices } from '../../../../core/queue/index.ts'
import type { RealtimeServices } from '../../../../core/realtime/index.ts'
import { findMissingNames } from '../../../knowledge/index.ts'
import { replaceMcpServers } from '../../../mcp/index.ts'
import {
  changeTo,
  describeBot,
  describeState,
  publicDocument,
  toContent,
} from '../../bot-document.ts'
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

type Own = BlobServices &
  BotServices &
  DeliveryServices &
  QueueServices &
  RealtimeServices &
  OutgoingServices

type Caller = Context<WorkspaceCaller, Own>

export const botVersions: Handlers<(typeof admin)['botVersions'], Contexts<Own>> = {
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
    return { url: downloadUrl(secrets, getOrigin(context), bot.id, params.versionId) }
  },

  async deployBotVersion(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await findBot(db, context.caller.workspaceId, params.id)
    const {
      secrets: _names,
      webhookIds,
      ...whole
    } = await toContent(await openVersion(db, secrets, bot.id, body.versionId))
    const change = await changeTo(db, bot, { document: whole, code: null })
    await changeDocumented(context, bot, change, {
      ...(webhookIds && { webhookIds }),
      within: (trx) => markDeployed(trx, { botId: bot.id, id: body.versionId }),
    })
    return {}
  },

  async getBotJson(context, { params }) {
    const { db, secrets } = context.services
    context.request.isLarge = true // for its response
    return publicDocument(
      context.caller.workspaceId,
      await describeBot(db, secrets, context.caller.workspaceId, params.id),
      getOrigin(context) + schemaPath,
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
  context: Caller,
  bot: Bot,
  botJson: Record<string, unknown>,
): Promise<NamedVersion> {
  const { services, caller } = context
  const { db, secrets } = services
  const checked = await checkBotDocument(bot.workspace_id, botJson)
  await checkKnowledgeBases(services, bot.id, checked.document)
  const change = await changeTo(db, bot, checked)
  const { accountId: createdBy } = caller
  const named = { name: 'Published document', createdBy, isAutomatic: true }
  let kept: NamedVersion | null = null
  await changeDocumented(context, bot, change, {
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

interface DocumentOptions {
  webhookIds?: Record<string, string>
  within: (trx: Db) => Promise<void>
}

/** Makes the bot as the document describes it, and runs `within`, in one transaction. */
async function changeDocumented(
  { services, loadError }: Caller,
  { id: botId, workspace_id: workspaceId }: Bot,
  { mcpServers, ...change }: Awaited<ReturnType<typeof changeTo>>,
  { within, ...options }: DocumentOptions,
): Promise<void> {
  const { outgoing, secrets } = services
  for (const [name, { url }] of Object.entries(mcpServers ?? {}))
    await outgoing.checkUrl(workspaceId, `mcpServers/${name}/url`, url)
  await changeBot(services, workspaceId, botId, change, {
    ...options,
    afresh: true,
    loadError,
    async within(trx) {
      if (mcpServers) await replaceMcpServers(trx, secrets, { botId, workspaceId }, mcpServers)
      await within(trx)
    },
  })
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

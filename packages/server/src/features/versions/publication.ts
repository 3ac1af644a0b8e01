// Applies documents to bots, from the API and from the studio.
import { type AuthoredDocument, escapePointer } from '@botstead/flows'
import { changeBot } from '../../core/api/index.ts'
import { type Bot, type BotServices, botSecrets } from '../../core/bots/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { DeliveryServices } from '../../core/delivery/index.ts'
import type { BlobServices } from '../../core/files/index.ts'
import type { Caller, Context, Services } from '../../core/http/index.ts'
import type { OutgoingServices } from '../../core/outgoing/index.ts'
import type { QueueServices } from '../../core/queue/index.ts'
import type { RealtimeServices } from '../../core/realtime/index.ts'
import { createKnowledgeBase, findMissingNames } from '../knowledge/index.ts'
import { replaceMcpServers } from '../mcp/index.ts'
import { changeTo, describeState } from './bot-document.ts'
import { checkBotDocument, problemsError } from './document-check.ts'
import { storeVersion, type VersionRow } from './versions.ts'

export type DeployServices = BlobServices &
  BotServices &
  DeliveryServices &
  QueueServices &
  RealtimeServices &
  OutgoingServices

export type DeployContext = Context<Caller<'workspace'>, DeployServices>

type SavedName = Pick<VersionRow, 'id' | 'name' | 'description'>

interface PublishOptions {
  /** Of the version. */
  name: string
  description?: string | undefined
  /** In the same transaction, at its end. */
  within?: (trx: Db) => Promise<void>
}

/**
 * Changes the bot and stores the version in one transaction. The version describes the resulting
 * bot, so it also contains the parts that the document leaves out.
 */
export async function publishDocument(
  context: DeployContext,
  bot: Bot,
  botJson: Record<string, unknown>,
  { name, description, within }: PublishOptions,
): Promise<SavedName> {
  const { services, caller } = context
  const { db, secrets } = services
  const checked = await checkBotDocument(bot.workspace_id, botJson)
  await checkKnowledgeBases(services, bot.id, checked.document)
  const change = await changeTo(db, bot, checked)
  const { accountId: createdBy } = caller
  const named = { name, description, createdBy, isAutomatic: true }
  let kept: SavedName | null = null
  await changeDocumented(context, bot, change, {
    within: async (trx) => {
      kept = await storeVersion(
        trx,
        secrets,
        bot,
        named,
        await describeState(trx, secrets, bot.workspace_id, bot.id),
      )
      await within?.(trx)
    },
  })
  return kept!
}

interface DocumentOptions {
  webhookIds?: Record<string, string>
  within?: (trx: Db) => Promise<void>
}

/** Makes the bot as the document describes it, and runs `within`, in one transaction. */
export async function changeDocumented(
  { services, loadError }: DeployContext,
  { id: botId, workspace_id: workspaceId }: Bot,
  { mcpServers, ...change }: Awaited<ReturnType<typeof changeTo>>,
  { within, ...options }: DocumentOptions = {},
): Promise<void> {
  const { outgoing, secrets } = services
  for (const [name, { url }] of Object.entries(mcpServers ?? {}))
    await outgoing.checkUrl(workspaceId, `mcpServers/${name}/url`, url)
  await changeBot(services, workspaceId, botId, change, {
    ...options,
    afresh: true,
    loadError,
    async within(trx) {
      if (mcpServers)
        await replaceMcpServers(trx, secrets, { botId, workspaceId }, mcpServers)
      await within?.(trx)
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
  document: AuthoredDocument,
): Promise<void> {
  const named = namesByKey(document)
  const missing = await findMissingNames(db, botId, listBaseNames(document))
  const found = named.filter(({ name }) => missing.has(name))
  if (found.length === 0) return
  throw problemsError(
    found.map(({ key, name }) => ({
      pointer: `/knowledgeBases/${escapePointer(key)}`,
      message: `the bot has no knowledge base "${name}": create it, or deploy with the command line`,
    })),
  )
}

/**
 * Deploys the document to a bot for tests: with the secrets of the bot, without its integrations and
 * plugins, and with empty knowledge bases. Stores no version. Throws as publishDocument.
 */
async function runDocument(
  context: DeployContext,
  { bot, trial }: { bot: Bot; trial: Bot },
  botJson: Record<string, unknown>,
): Promise<void> {
  const { db, secrets } = context.services
  const { document, code } = await checkBotDocument(bot.workspace_id, botJson)
  const { integrations: _channels, plugins: _plugins, secrets: _names, ...own } = document
  for (const name of await findMissingNames(db, trial.id, listBaseNames(document)))
    await createKnowledgeBase(db, trial.id, { name, integration: null })
  const change = await changeTo(db, trial, { document: own, code })
  await changeDocumented(context, trial, {
    ...change,
    secrets: await botSecrets.open(secrets, bot),
  })
}

const namesByKey = ({ knowledgeBases = {} }: AuthoredDocument) =>
  Object.entries(knowledgeBases).map(([key, { name = key }]) => ({ key, name }))

const listBaseNames = (document: AuthoredDocument) =>
  namesByKey(document).map(({ name }) => name)

/** Publications of documents. */
export const publication = {
  publish: publishDocument,
  run: runDocument,
}

import type { admin, Handlers } from '@botstead/contract'
import { botStore } from '../../../../core/bots/index.ts'
import { type Contexts, getOrigin } from '../../../../core/http/index.ts'
import { changeTo, describeBot, publicDocument, toContent } from '../../bot-document.ts'
import { saveVersion } from '../../deployed-versions.ts'
import { downloadUrl } from '../../download-urls.ts'
import {
  changeDocumented,
  type DeployServices,
  publishDocument,
} from '../../publication.ts'
import {
  checkBotVersion,
  listVersions,
  markDeployed,
  openVersion,
  type VersionRow,
} from '../../versions.ts'
import { schemaPath } from '../bot-documents.ts'

export const botVersions: Handlers<
  (typeof admin)['botVersions'],
  Contexts<DeployServices>
> = {
  async listBotVersions({ services, caller }, { params }) {
    const bot = await botStore.find(services.db, caller.workspaceId, params.id)
    return { versions: (await listVersions(services.db, bot.id)).map(shown) }
  },

  async createBotVersion({ services: { db, secrets }, caller }, { params, body }) {
    const bot = await botStore.find(db, caller.workspaceId, params.id)
    const named = { ...body, createdBy: caller.accountId }
    const version = await db
      .transaction()
      .execute((trx) => saveVersion(trx, secrets, bot, named))
    return { version: shown(version) }
  },

  async getBotVersion(context, { params }) {
    const { db, secrets } = context.services
    const bot = await botStore.find(db, context.caller.workspaceId, params.id)
    await checkBotVersion(db, bot.id, params.versionId)
    return { url: downloadUrl(secrets, getOrigin(context), bot.id, params.versionId) }
  },

  async deployBotVersion(context, { params, body }) {
    const { db, secrets } = context.services
    const bot = await botStore.find(db, context.caller.workspaceId, params.id)
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
    const bot = await botStore.find(
      context.services.db,
      context.caller.workspaceId,
      params.id,
    )
    return {
      version: shown(
        await publishDocument(context, bot, body.botJson, { name: 'Published document' }),
      ),
    }
  },
}

type NamedVersion = Pick<VersionRow, 'id' | 'name' | 'description'>

const shown = ({ id, name, description }: NamedVersion) => ({
  id,
  name,
  ...(description !== null && { description }),
})

import type { files as contract, Handlers } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import { limitRules } from '../../../../core/config/index.ts'
import {
  type BlobServices,
  documentAccess,
  removeLooseBlobs,
  tagFilter,
} from '../../../../core/files/index.ts'
import {
  type Contexts,
  creationPosition,
  parsePage,
  toListPage,
} from '../../../../core/http/index.ts'
import {
  checkMinScore,
  createKnowledgeBase,
  deleteKnowledgeBase,
  type KnowledgeBaseRow,
  listKnowledgeBases,
  updateKnowledgeBase,
} from '../../search/knowledge-bases.ts'
import { findReadBot } from '../../search/read-bot.ts'

const shown = ({ id, name, tags }: KnowledgeBaseRow) => ({ id, name, tags })

export const knowledgeBases: Handlers<
  (typeof contract)['knowledgeBases'],
  Contexts<BlobServices & BotServices>
> = {
  async createKnowledgeBase({ services, caller, request }, { body }) {
    const { viewer } = documentAccess(caller, request.headers).requireWrite()
    limitRules.rejectTooManyTags(services.limits, body.tags ?? {})
    checkMinScore(body.tags)
    return {
      knowledgeBase: shown(
        await createKnowledgeBase(services.db, caller.botId, {
          ...body,
          integration: viewer,
        }),
      ),
    }
  },

  async listKnowledgeBases({ services, caller, request }, { query }) {
    const { viewer } = documentAccess(caller, request.headers)
    const page = parsePage(
      services,
      [
        'listKnowledgeBases',
        caller.botId,
        String(viewer),
        JSON.stringify(query.tags ?? null),
      ],
      query,
    )
    const listing = { ...page, viewer, tags: tagFilter.parse(query.tags) }
    const botId = await findReadBot(services, caller)
    const rows = await listKnowledgeBases(services.db, botId, listing)
    const { items, meta } = toListPage(page, rows, creationPosition)
    // A draft may declare knowledge bases that its bot does not have yet.
    const isFirst = page.position === null
    if (botId !== caller.botId && isFirst)
      items.push(...(await listKnowledgeBases(services.db, caller.botId, listing)))
    return {
      knowledgeBases: items.map((row) => ({
        ...shown(row),
        createdAt: row.created_at.toISOString(),
      })),
      meta,
    }
  },

  async updateKnowledgeBase({ services, caller, request }, { params, body }) {
    const { viewer } = documentAccess(caller, request.headers).requireWrite()
    limitRules.rejectTooManyTags(services.limits, body.tags ?? {})
    checkMinScore(body.tags)
    const row = await updateKnowledgeBase(services.db, caller.botId, params.id, {
      ...body,
      viewer,
    })
    // Curated answers are found by its name.
    await services.invalidate({ botId: caller.botId })
    return { knowledgeBase: shown(row) }
  },

  async deleteKnowledgeBase({ services, caller, request }, { params }) {
    const { viewer } = documentAccess(caller, request.headers).requireWrite()
    await deleteKnowledgeBase(services.db, caller.botId, params.id, viewer)
    // The files are deleted; if the disk fails, the next sweep deletes their content.
    await removeLooseBlobs(services.db, services.blobs, new Date()).catch((error) =>
      services.log.warn(
        { err: error },
        'deleting the content of deleted files failed; the next sweep retries',
      ),
    )
    return {}
  },
}

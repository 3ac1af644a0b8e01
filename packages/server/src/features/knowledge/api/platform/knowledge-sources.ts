import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  creationPosition,
  operated,
  operatorPage,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import type { OutgoingServices } from '../../../../core/outgoing/index.ts'
import type { KnowledgeServices } from '../../services.ts'
import { listPages, toPage } from '../../websites/pages.ts'
import {
  checkedUrl,
  createSource,
  deleteSource,
  findSource,
  listSources,
  refreshSource,
  toSource,
  updateSource,
} from '../../websites/sources.ts'

const usualMaxPages = 500

export const knowledgeSources: Handlers<
  typeof platform.knowledgeSources,
  Contexts<KnowledgeServices & OutgoingServices>
> = {
  async createKnowledgeSource({ services, caller }, { body }) {
    const botId = operated(caller)
    const url = checkedUrl(body.url)
    await services.outgoing.checkUrl(caller.workspaceId, 'url', url)
    const { schedule = 'off', maxPages = usualMaxPages } = body
    const row = await createSource(services.db, botId, {
      ...body,
      url,
      schedule,
      maxPages,
    })
    services.websites.soon()
    return { source: toSource(row) }
  },

  async listKnowledgeSources(context, { query }) {
    const page = operatorPage(context, 'listKnowledgeSources', query)
    const rows = await listSources(context.services.db, operated(context.caller), {
      knowledgeBaseId: query.knowledgeBaseId,
      position: timePosition(page.position),
      limit: page.limit,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { sources: items.map(toSource), meta }
  },

  async getKnowledgeSource({ services: { db }, caller }, { params }) {
    return { source: toSource(await findSource(db, operated(caller), params.id)) }
  },

  async listKnowledgePages(context, { params, query }) {
    const { db } = context.services
    const { bot_id: botId, id } = await findSource(
      db,
      operated(context.caller),
      params.id,
    )
    const page = operatorPage(context, 'listKnowledgePages', { ...query, id })
    const rows = await listPages(db, botId, id, {
      status: query.status,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ url }) => [url])
    return { pages: items.map(toPage), meta }
  },

  async updateKnowledgeSource({ services, caller }, { params, body }) {
    const botId = operated(caller)
    const { url, ...changes } = body
    const address = url === undefined ? undefined : checkedUrl(url)
    if (address !== undefined)
      await services.outgoing.checkUrl(caller.workspaceId, 'url', address)
    const row = await updateSource(services.db, botId, params.id, {
      ...changes,
      url: address,
    })
    if (address !== undefined) services.websites.soon()
    return { source: toSource(row) }
  },

  async refreshKnowledgeSource({ services, caller }, { params }) {
    const row = await refreshSource(services.db, operated(caller), params.id)
    services.websites.soon()
    return { source: toSource(row) }
  },

  async deleteKnowledgeSource({ services: { db }, caller }, { params }) {
    await deleteSource(db, operated(caller), params.id)
    return {}
  },
}

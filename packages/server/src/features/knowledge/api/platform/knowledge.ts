import { ApiError, type Handlers, type platform } from '@botstead/contract'
import {
  creationPosition,
  operated,
  operatorPage,
  pageOf,
  timePosition,
  toFile,
} from '../../../../core/api/index.ts'
import {
  countFiles,
  findFile,
  findStoredKeys,
  indexAgain,
  searchFilesByName,
} from '../../../../core/files/index.ts'
import type { Contexts } from '../../../../core/http/index.ts'
import { explainSearch } from '../../search/explanation.ts'
import type { KnowledgeServices } from '../../services.ts'

export const knowledge: Handlers<typeof platform.knowledge, Contexts<KnowledgeServices>> = {
  async searchFilesByName(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'searchFilesByName', query)
    const rows = await searchFilesByName(context.services.database.finds, botId, {
      ...query,
      position: timePosition(page.position),
      limit: page.limit,
    })
    const { items, meta } = pageOf(page, rows, creationPosition)
    return { files: items.map((row) => toFile(context, row)), meta }
  },

  async countFiles({ services: { database }, caller }, { query }) {
    return { counts: await countFiles(database.finds, operated(caller), query) }
  },

  async findStoredFiles({ services: { db }, caller }, { body }) {
    return findStoredKeys(db, operated(caller), body.files)
  },

  async indexFile(context, { params }) {
    const { services, caller } = context
    const botId = operated(caller)
    const { id } = await findFile(services.db, botId, params.id, null)
    const row = await indexAgain(services.db, botId, id)
    if (!row)
      throw new ApiError('InvalidPayload', `The file "${id}" awaits its content: upload it first`)
    services.indexer.soon()
    return { file: toFile(context, row) }
  },

  async explainSearch({ services, caller }, { query }) {
    return explainSearch(services.db, operated(caller), query, services)
  },
}

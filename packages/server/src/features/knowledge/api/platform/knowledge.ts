import { ApiError, type Handlers, type platform } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import {
  documentAccess,
  fileSearch,
  indexingJobs,
  tagFilter,
  toFile,
} from '../../../../core/files/index.ts'
import {
  type Contexts,
  creationPosition,
  operated,
  operatorPage,
  timePosition,
  toListPage,
} from '../../../../core/http/index.ts'
import { findAnswers } from '../../search/answers.ts'
import { explainSearch } from '../../search/explanation.ts'
import { findMeaningProgress } from '../../search/meaning.ts'
import { findReadBot } from '../../search/read-bot.ts'
import type { KnowledgeServices } from '../../services.ts'

export const knowledge: Handlers<
  typeof platform.knowledge,
  Contexts<KnowledgeServices & BotServices>
> = {
  async searchFilesByName(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'searchFilesByName', query)
    const rows = await fileSearch.searchByName(context.services.database.finds, botId, {
      ...query,
      isKnowledge: query.isKnowledge || isLimited(context),
      position: timePosition(page.position),
      limit: page.limit,
    })
    const { items, meta } = toListPage(page, rows, creationPosition)
    return { files: items.map((row) => toFile(context, row)), meta }
  },

  async countFiles(context, { query }) {
    const { database, embedder } = context.services
    const botId = operated(context.caller)
    const { finds } = database
    const isKnowledge = query.isKnowledge || isLimited(context)
    const [counts, meaning] = await Promise.all([
      fileSearch.count(finds, botId, { ...query, isKnowledge }),
      findMeaningProgress(finds, botId, query.knowledgeBaseId, embedder.source),
    ])
    return { counts, meaning }
  },

  async findStoredFiles(context, { body }) {
    const botId = operated(context.caller)
    const isKnowledge = isLimited(context)
    return fileSearch.findStoredKeys(context.services.db, botId, body.files, {
      isKnowledge,
    })
  },

  async indexFile(context, { params }) {
    const { services, caller, request } = context
    const botId = operated(caller)
    const { id } = await documentAccess(caller, request.headers).find(
      services.db,
      params.id,
    )
    const row = await indexingJobs.repeat(services.db, botId, id)
    if (!row)
      throw new ApiError(
        'InvalidPayload',
        `The file "${id}" awaits its content: upload it first`,
      )
    services.indexer.soon()
    return { file: toFile(context, row) }
  },

  async findAnswers({ services, caller }, { query: { tags, ...question } }) {
    operated(caller)
    const botId = await findReadBot(services, caller)
    const search = { ...question, viewer: null, tags: tagFilter.parse(tags) }
    return findAnswers(services.db, botId, search, services)
  },

  async explainSearch({ services, caller }, { query }) {
    return explainSearch(services.db, operated(caller), query, services)
  },
}

/** Whether the caller's role sees only documents of the knowledge, and no other files of the bot. */
const isLimited = ({ caller, request }: Contexts<KnowledgeServices>['bot']) =>
  documentAccess(caller, request.headers).onlyDocuments

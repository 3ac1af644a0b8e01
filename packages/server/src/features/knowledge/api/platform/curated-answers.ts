import type { Handlers, platform } from '@botstead/contract'
import type { BotServices } from '../../../../core/bots/index.ts'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import { writeAnswers } from '../../curated/answer-csv.ts'
import { importAnswers } from '../../curated/answer-import.ts'
import {
  createCuratedAnswer,
  deleteCuratedAnswer,
  findCuratedAnswer,
  listCuratedAnswers,
  maxAnswers,
  toCuratedAnswer,
  updateCuratedAnswer,
} from '../../curated/curated-answers.ts'
import { detectLanguageCode } from '../../curated/questions.ts'
import { listBaseNames } from '../../search/knowledge-bases.ts'
import { findReadBot } from '../../search/read-bot.ts'
import type { KnowledgeServices } from '../../services.ts'

export const curatedAnswers: Handlers<
  typeof platform.curatedAnswers,
  Contexts<KnowledgeServices & BotServices>
> = {
  async listCuratedAnswers(context, { query }) {
    const page = operatorPage(context, 'listCuratedAnswers', query)
    const rows = await listCuratedAnswers(context.services.db, operated(context.caller), {
      ...query,
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { curatedAnswers: items.map(toCuratedAnswer), meta }
  },

  async createCuratedAnswer({ services, caller }, { body }) {
    const botId = operated(caller)
    const accountId = caller.account?.accountId ?? null
    const row = await createCuratedAnswer(services.db, botId, accountId, body)
    await services.invalidate({ botId })
    return { curatedAnswer: toCuratedAnswer(row) }
  },

  async getCuratedAnswer({ services: { db }, caller }, { params }) {
    return {
      curatedAnswer: toCuratedAnswer(
        await findCuratedAnswer(db, operated(caller), params.id),
      ),
    }
  },

  async updateCuratedAnswer({ services, caller }, { params, body }) {
    const botId = operated(caller)
    const row = await updateCuratedAnswer(services.db, botId, params.id, body)
    await services.invalidate({ botId })
    return { curatedAnswer: toCuratedAnswer(row) }
  },

  async deleteCuratedAnswer({ services, caller }, { params }) {
    const botId = operated(caller)
    await deleteCuratedAnswer(services.db, botId, params.id)
    await services.invalidate({ botId })
    return {}
  },

  async findCuratedAnswer({ services, caller }, { body }) {
    operated(caller)
    const botId = await findReadBot(services, caller)
    const [match, language] = await Promise.all([
      services.curatedAnswers.find(services.db, botId, body),
      detectLanguageCode(body.question),
    ])
    return { ...(match && { match }), ...(language && { language }) }
  },

  async importCuratedAnswers({ services, caller }, { body }) {
    const botId = operated(caller)
    const accountId = caller.account?.accountId ?? null
    const result = await importAnswers(services.db, botId, accountId, body.csv)
    await services.invalidate({ botId })
    return result
  },

  async exportCuratedAnswers({ services: { db }, caller }) {
    const botId = operated(caller)
    const rows = await listCuratedAnswers(db, botId, { limit: maxAnswers })
    const names = await listBaseNames(db, botId)
    return { csv: writeAnswers(rows.map(toCuratedAnswer), (id) => names.get(id) ?? id) }
  },
}

import type { Handlers, platform } from '@botstead/contract'
import { defaultMinScore } from '@botstead/flows'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import type { TableServices } from '../../../../core/tables/index.ts'
import type { KnowledgeServices } from '../../services.ts'
import {
  dismissMissed,
  listMissedGroups,
  type MissedGroup,
} from '../../unanswered/missed-questions.ts'
import { findOpenQuestions } from '../../unanswered/open-questions.ts'

const usualPageSize = 20

export const missedQuestions: Handlers<
  typeof platform.missedQuestions,
  Contexts<KnowledgeServices & TableServices>
> = {
  async listMissedQuestions(context, { query }) {
    const { services, caller } = context
    const botId = operated(caller)
    const { pageSize = usualPageSize } = query
    const page = operatorPage(context, 'listMissedQuestions', { ...query, pageSize })
    const groups = await listMissedGroups(services.db, botId, {
      position: toGroupPosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, groups, groupPosition)
    const { db, curatedAnswers, tableCache } = services
    const deps = { db, curatedAnswers, tableCache, rankers: services }
    return {
      missedQuestions: await findOpenQuestions(deps, botId, items),
      defaultMinScore,
      meta,
    }
  },

  async dismissMissedQuestion({ services: { db }, caller }, { body }) {
    await dismissMissed(db, operated(caller), caller.account?.accountId ?? null, body.key)
    return {}
  },
}

const groupPosition = ({ count, last_at: lastAt, key }: MissedGroup) => [
  String(count),
  lastAt.toISOString(),
  key,
]

function toGroupPosition(position: string[] | null) {
  if (!position) return null
  const [count, lastAt, key] = position as [string, string, string]
  return { count: Number(count), lastAt: new Date(lastAt), key }
}

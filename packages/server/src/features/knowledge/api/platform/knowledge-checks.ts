import type { Handlers, platform } from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  toListPage,
} from '../../../../core/http/index.ts'
import { runChecks } from '../../checks/check-runs.ts'
import {
  createCheck,
  deleteCheck,
  listChecks,
  toCheck,
  updateCheck,
} from '../../checks/checks.ts'
import type { KnowledgeServices } from '../../services.ts'

export const knowledgeChecks: Handlers<
  typeof platform.knowledgeChecks,
  Contexts<KnowledgeServices>
> = {
  async listKnowledgeChecks(context, { query }) {
    const page = operatorPage(context, 'listKnowledgeChecks', query)
    const rows = await listChecks(context.services.db, operated(context.caller), {
      position: page.position?.[0] ?? null,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, ({ id }) => [id])
    return { knowledgeChecks: items.map(toCheck), meta }
  },

  async createKnowledgeCheck({ services: { db }, caller }, { body }) {
    return { knowledgeCheck: toCheck(await createCheck(db, operated(caller), body)) }
  },

  async updateKnowledgeCheck({ services: { db }, caller }, { params, body }) {
    return {
      knowledgeCheck: toCheck(await updateCheck(db, operated(caller), params.id, body)),
    }
  },

  async deleteKnowledgeCheck({ services: { db }, caller }, { params }) {
    await deleteCheck(db, operated(caller), params.id)
    return {}
  },

  async runKnowledgeChecks({ services, caller }) {
    const { db, curatedAnswers } = services
    const rows = await runChecks(
      { db, curatedAnswers, rankers: services },
      operated(caller),
    )
    const changed = (passed: boolean) =>
      rows
        .filter(({ result, previous_result: before }) =>
          before ? result?.passed === passed && before.passed !== passed : false,
        )
        .map(({ id }) => id)
    const passed = rows.filter(({ result }) => result?.passed).length
    return {
      passed,
      failed: rows.length - passed,
      better: changed(true),
      worse: changed(false),
      knowledgeChecks: rows.map(toCheck),
    }
  },
}

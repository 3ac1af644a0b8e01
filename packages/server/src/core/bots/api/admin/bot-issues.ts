import type { admin, Handlers, Issue } from '@botstead/contract'
import {
  type Contexts,
  parsePage,
  textPosition,
  toListPage,
} from '../../../http/index.ts'
import { findBot } from '../../bots.ts'
import {
  deleteIssue,
  findIssue,
  type IssueRow,
  listIssueEvents,
  listIssues,
} from '../../issues/issue-listing.ts'
import { type IssueCode, issueKinds } from '../../issues/issues.ts'

export const botIssues: Handlers<(typeof admin)['botIssues'], Contexts> = {
  async listBotIssues({ services, caller }, { params, query }) {
    const bot = await findBot(services.db, caller.workspaceId, params.id)
    const page = parsePage(services, ['admin.listBotIssues', bot.id], query)
    const position = textPosition(page.position)
    const rows = await listIssues(services.db, bot.id, {
      position,
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.last_seen_at.toISOString(),
      row.id,
    ])
    return { issues: items.map(toIssue), meta }
  },

  async getBotIssue({ services, caller }, { params }) {
    const bot = await findBot(services.db, caller.workspaceId, params.id)
    return { issue: toIssue(await findIssue(services.db, bot.id, params.issueId)) }
  },

  async listBotIssueEvents({ services, caller }, { params }) {
    const bot = await findBot(services.db, caller.workspaceId, params.id)
    const issue = await findIssue(services.db, bot.id, params.issueId)
    const rows = await listIssueEvents(services.db, bot.id, issue.id)
    return {
      issueEvents: rows.map(({ id, created_at, data }) => ({
        id,
        createdAt: created_at.toISOString(),
        data: data as Issue['groupedData'],
      })),
    }
  },

  async deleteBotIssue({ services, caller }, { params }) {
    const bot = await findBot(services.db, caller.workspaceId, params.id)
    await deleteIssue(services.db, bot.id, params.issueId)
    return {}
  },
}

export const toIssue = (row: IssueRow): Issue => ({
  id: row.id,
  code: row.code,
  ...issueKinds[row.code as IssueCode],
  description: row.message,
  groupedData: row.grouped_data as Issue['groupedData'],
  eventsCount: Number(row.events_count),
  createdAt: row.created_at.toISOString(),
  lastSeenAt: row.last_seen_at.toISOString(),
  resolutionLink: null,
})

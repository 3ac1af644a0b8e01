import type { Handlers, IssueOccurrence, platform, TrackedIssue } from '@botstead/contract'
import type { Contexts } from '../../http/services.ts'
import {
  changeIssueStatus,
  findIssue,
  type IssueEventRow,
  type IssueRow,
  listIssueEvents,
  listIssues,
  resolveIssues,
} from '../../modules/reports/insights/issue-listing.ts'
import { toIssue } from '../admin/bot-issues.ts'
import { momentOf } from '../moments.ts'
import { pageOf, textPosition } from '../paging.ts'
import { operated } from './operator.ts'
import { operatorPage } from './paging.ts'

export const issues: Handlers<typeof platform.issues, Contexts> = {
  async listIssues(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listIssues', query)
    const rows = await listIssues(context.services.db, botId, {
      status: query.status,
      lastSeenBefore: momentOf(query.lastSeenBefore),
      position: textPosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = pageOf(page, rows, (row) => [row.last_seen_at.toISOString(), row.id])
    return { issues: items.map(toTrackedIssue), meta }
  },

  async resolveIssues({ services: { db }, caller }, { body }) {
    const before = momentOf(body.lastSeenBefore)
    return { count: await resolveIssues(db, operated(caller), before) }
  },

  async getIssue({ services: { db }, caller }, { params }) {
    const botId = operated(caller)
    const issue = await findIssue(db, botId, params.id)
    const events = await listIssueEvents(db, botId, params.id)
    return { issue: toTrackedIssue(issue), occurrences: events.map(toOccurrence) }
  },

  async updateIssue({ services: { db }, caller }, { params, body }) {
    const row = await changeIssueStatus(db, operated(caller), params.id, body.status)
    return { issue: toTrackedIssue(row) }
  },
}

const toTrackedIssue = (row: IssueRow): TrackedIssue => ({
  ...toIssue(row),
  status: row.status,
  ...(row.status_changed_at && { statusChangedAt: row.status_changed_at.toISOString() }),
})

const linkNames = ['eventId', 'messageId', 'conversationId', 'userId', 'workflowId'] as const

function toOccurrence({ id, created_at, data }: IssueEventRow): IssueOccurrence {
  const facts = data as IssueOccurrence['data']
  const links = linkNames.flatMap((name) => (facts[name] ? [[name, facts[name].raw]] : []))
  return {
    id,
    createdAt: created_at.toISOString(),
    message: facts.message?.raw ?? '',
    ...Object.fromEntries(links),
    data: facts,
  }
}

import type {
  Handlers,
  IssueOccurrence,
  platform,
  TrackedIssue,
} from '@botstead/contract'
import {
  type Contexts,
  operated,
  operatorPage,
  type Services,
  textPosition,
  toDate,
  toListPage,
} from '../../../http/index.ts'
import {
  changeIssueStatus,
  findIssue,
  findLastMessages,
  type IssueEventRow,
  type IssueRow,
  listIssueEvents,
  listIssues,
  resolveIssues,
} from '../../issues/issue-listing.ts'
import { toIssue } from '../admin/bot-issues.ts'

export const issues: Handlers<typeof platform.issues, Contexts> = {
  async listIssues(context, { query }) {
    const botId = operated(context.caller)
    const page = operatorPage(context, 'listIssues', query)
    const rows = await listIssues(context.services.db, botId, {
      status: query.status,
      lastSeenBefore: toDate(query.lastSeenBefore),
      position: textPosition(page.position),
      limit: page.limit + 1,
    })
    const { items, meta } = toListPage(page, rows, (row) => [
      row.last_seen_at.toISOString(),
      row.id,
    ])
    return { issues: await tracked(context.services, botId, items), meta }
  },

  async resolveIssues({ services: { db }, caller }, { body }) {
    const before = toDate(body.lastSeenBefore)
    return { count: await resolveIssues(db, operated(caller), before) }
  },

  async getIssue({ services, caller }, { params }) {
    const botId = operated(caller)
    const row = await findIssue(services.db, botId, params.id)
    const [issue] = await tracked(services, botId, [row])
    const events = await listIssueEvents(services.db, botId, params.id)
    return { issue: issue!, occurrences: events.map(toOccurrence) }
  },

  updateIssue({ services, caller }, { params, body }) {
    const botId = operated(caller)
    return services.inTransaction(async (inside) => {
      const row = await changeIssueStatus(inside.db, botId, params.id, body.status)
      const [issue] = await tracked(inside, botId, [row])
      return { issue: issue! }
    })
  },
}

async function tracked(
  { db }: Pick<Services, 'db'>,
  botId: string,
  rows: IssueRow[],
): Promise<TrackedIssue[]> {
  const messages = await findLastMessages(
    db,
    botId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toTrackedIssue(row, messages.get(row.id)))
}

const toTrackedIssue = (
  row: IssueRow,
  lastMessage: string | undefined,
): TrackedIssue => ({
  ...toIssue(row),
  status: row.status,
  ...(row.status_changed_at && { statusChangedAt: row.status_changed_at.toISOString() }),
  ...(row.status === 'resolved' &&
    row.resolved_by_redelivery && { resolvedByRedelivery: true as const }),
  ...(lastMessage && { lastMessage }),
})

const linkNames = [
  'eventId',
  'messageId',
  'conversationId',
  'userId',
  'workflowId',
] as const

function toOccurrence({ id, created_at, data }: IssueEventRow): IssueOccurrence {
  const facts = data as IssueOccurrence['data']
  const links = linkNames.flatMap((name) =>
    facts[name] ? [[name, facts[name].raw]] : [],
  )
  return {
    id,
    createdAt: created_at.toISOString(),
    message: facts.message?.raw ?? '',
    ...Object.fromEntries(links),
    data: facts,
  }
}

import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { Issue, IssueEvent } from '../models/issue.ts'
import { operation } from '../operation.ts'

const byIssue = T.Object({ id: T.String(), issueId: T.String() })

export const botIssues = {
  listBotIssues: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/issues',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List what goes wrong in a bot, each cause once, last seen first',
    params: byId,
    query: T.Object(paging),
    response: closed({ issues: T.Array(Issue), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
  getBotIssue: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/issues/{issueId}',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'Look up an issue',
    params: byIssue,
    response: closed({ issue: Issue }),
    errors: ['ResourceNotFound'],
  }),
  listBotIssueEvents: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/issues/{issueId}/events',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List the last times that it went wrong, newest first',
    params: byIssue,
    response: closed({ issueEvents: T.Array(IssueEvent) }),
    errors: ['ResourceNotFound'],
  }),
  deleteBotIssue: operation({
    method: 'DELETE',
    path: '/v1/admin/bots/{id}/issues/{issueId}',
    access: 'workspace',
    permission: 'bots.update',
    summary: 'Take an issue for settled; if it happens again, it is a new one',
    params: byIssue,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}

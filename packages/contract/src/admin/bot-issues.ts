import { Type as T } from 'typebox'
import { byId, closed, Done, Meta, paging } from '../fields.ts'
import { Issue, IssueEvent } from '../models/bots/issue.ts'
import { operation } from '../operation.ts'

const byIssue = T.Object({ id: T.String(), issueId: T.String() })

export const botIssues = {
  listBotIssues: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/issues',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List the issues of a bot',
    description: 'Each issue has one cause. The most recently seen issue comes first.',
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
    summary: 'Get an issue of a bot',
    params: byIssue,
    response: closed({ issue: Issue }),
    errors: ['ResourceNotFound'],
  }),
  listBotIssueEvents: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/issues/{issueId}/events',
    access: 'workspace',
    permission: 'bots.read',
    summary: 'List the latest events of an issue',
    description: 'Newest first.',
    params: byIssue,
    response: closed({ issueEvents: T.Array(IssueEvent) }),
    errors: ['ResourceNotFound'],
  }),
  deleteBotIssue: operation({
    method: 'DELETE',
    path: '/v1/admin/bots/{id}/issues/{issueId}',
    access: 'workspace',
    permission: 'bots.update',
    summary: 'Delete an issue of a bot',
    description: 'A later event with the same cause opens a new issue.',
    params: byIssue,
    response: Done,
    errors: ['ResourceNotFound'],
  }),
}

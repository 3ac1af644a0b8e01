import { Type as T } from 'typebox'
import { byId, Count, closed, Meta, Moment, paging } from '../../fields.ts'
import { IssueOccurrence, IssueStatus, TrackedIssue } from '../../models/bots/issue.ts'
import { operation } from '../../operation.ts'

export const issues = {
  listIssues: operation({
    method: 'GET',
    path: '/v1/platform/issues',
    access: 'bot',
    permission: 'bots.read',
    summary: 'List issues by status, last seen first',
    description: '`lastSeenBefore`: for issues that did not occur since then.',
    query: T.Object({
      ...paging,
      status: T.Optional(IssueStatus),
      lastSeenBefore: T.Optional(Moment),
    }),
    response: closed({ issues: T.Array(TrackedIssue), meta: Meta }),
    errors: ['InvalidQuery'],
  }),
  resolveIssues: operation({
    method: 'POST',
    path: '/v1/platform/issues/resolve',
    access: 'bot',
    permission: 'bots.update',
    summary: 'Resolve open issues that no longer occur',
    description: 'Resolves all open issues that were last seen before this time.',
    body: closed({ lastSeenBefore: Moment }),
    response: closed({ count: Count }),
  }),
  getIssue: operation({
    method: 'GET',
    path: '/v1/platform/issues/{id}',
    access: 'bot',
    permission: 'bots.read',
    summary: 'Get an issue and its latest occurrences',
    description: 'The server keeps the latest 50 occurrences, newest first.',
    params: byId,
    response: closed({ issue: TrackedIssue, occurrences: T.Array(IssueOccurrence) }),
    errors: ['ResourceNotFound'],
  }),
  updateIssue: operation({
    method: 'PUT',
    path: '/v1/platform/issues/{id}',
    access: 'bot',
    permission: 'bots.update',
    summary: 'Set the status of an issue',
    params: byId,
    body: closed({ status: IssueStatus }),
    response: closed({ issue: TrackedIssue }),
    errors: ['ResourceNotFound'],
  }),
}

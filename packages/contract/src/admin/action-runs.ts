import { Type as T } from 'typebox'
import { byId, closed, Meta, Moment, paging } from '../fields.ts'
import { ActionRun } from '../models/bots/action-run.ts'
import { operation } from '../operation.ts'

export const actionRuns = {
  listActionRuns: operation({
    method: 'GET',
    path: '/v1/admin/bots/{id}/action-runs',
    access: 'workspace',
    permission: 'data.read',
    summary: 'List action runs of an integration',
    description: 'Returns the calls by one bot, newest first.',
    params: byId,
    headers: T.Object({ 'x-multiple-integrations': T.Optional(T.String()) }),
    query: T.Object({
      ...paging,
      integrationName: T.String(),
      timestampFrom: T.Optional(Moment),
      timestampUntil: T.Optional(Moment),
    }),
    response: closed({ data: T.Array(ActionRun), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}

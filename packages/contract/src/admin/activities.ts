import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../fields.ts'
import { Activity } from '../models/activity.ts'
import { operation } from '../operation.ts'

export const activities = {
  listActivities: operation({
    method: 'GET',
    path: '/v1/admin/activities',
    access: 'workspace',
    workspaceOptional: true,
    permission: 'bots.read',
    summary: 'List the steps of a task: none, since the API that made tasks is gone',
    query: T.Object({ ...paging, taskId: T.String(), botId: T.String() }),
    response: closed({ activities: T.Array(Activity), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}

import { Type as T } from 'typebox'
import { closed, Meta, paging } from '../fields.ts'
import { Activity } from '../models/accounts/activity.ts'
import { operation } from '../operation.ts'

export const activities = {
  listActivities: operation({
    method: 'GET',
    path: '/v1/admin/activities',
    access: 'workspace',
    workspaceOptional: true,
    permission: 'bots.read',
    summary: 'List the activities of a task',
    description: 'Always empty: the Tasks API does not exist any more.',
    query: T.Object({ ...paging, taskId: T.String(), botId: T.String() }),
    response: closed({ activities: T.Array(Activity), meta: Meta }),
    errors: ['ResourceNotFound', 'InvalidQuery'],
  }),
}

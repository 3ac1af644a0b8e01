import { type Static, Type as T } from 'typebox'
import { closed, Json, Timestamp } from '../../fields.ts'

/** An activity of a task. @component */
export const Activity = closed({
  id: T.String(),
  description: T.String(),
  taskId: T.String(),
  category: T.Enum([
    'unknown',
    'capture',
    'bot_message',
    'user_message',
    'agent_message',
    'event',
    'action',
    'task_status',
    'subtask_status',
    'exception',
  ]),
  data: Json,
  createdAt: Timestamp,
})
export type Activity = Static<typeof Activity>

import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Tags, Timestamp } from '../fields.ts'

/** The first four are active, the others finished. */
export const WorkflowStatus = T.Enum([
  'pending',
  'in_progress',
  'listening',
  'paused',
  'completed',
  'failed',
  'timedout',
  'cancelled',
])
export type WorkflowStatus = Static<typeof WorkflowStatus>

/** Work of a bot that outlives the handling of one event: the bot is told to start it, and to go on, until it says that it has finished. */
export const Workflow = closed({
  id: id('wrkflow'),
  name: T.String({ maxLength: 200 }),
  status: WorkflowStatus,
  input: Json,
  output: Json,
  parentWorkflowId: T.Optional(id('wrkflow')),
  conversationId: T.Optional(id('conv')),
  userId: T.Optional(id('user')),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  completedAt: T.Optional(Timestamp),
  failureReason: T.Optional(T.String({ maxLength: 2000 })),
  timeoutAt: Timestamp,
  tags: Tags,
})
export type Workflow = Static<typeof Workflow>

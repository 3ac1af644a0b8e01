import { type Static, Type as T } from 'typebox'
import { closed, id, Json, Tags, Timestamp } from '../../fields.ts'

/** The first four statuses are active, the others finished. */
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

/**
 * A process of a bot that spans several events. The server delivers events to start and continue it
 * until the bot sets a finished status.
 * @component
 */
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

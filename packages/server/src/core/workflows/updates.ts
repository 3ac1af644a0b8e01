// Events that notify a bot about its workflows. Such an event stores its type and, for an ended
// child, the child's data. The workflow, its conversation and its user are added with their current
// data when the event is read or delivered, because a bot must not act on outdated data.
import type { Event } from '@botstead/contract'
import type { Db } from '../db/index.ts'
import {
  conversationStore,
  toConversation,
  toUser,
  userStore,
} from '../messaging/index.ts'
import { toWorkflow, type WorkflowRow } from './serializers.ts'
import { finished } from './statuses.ts'
import { updateType } from './update-events.ts'

/**
 * Adds the current data to workflow events and keeps the order. Nothing is added for deleted
 * workflows. At most two round trips, none without such events.
 */
export async function addWorkflows(
  db: Db,
  botId: string,
  events: Event[],
): Promise<Event[]> {
  const ids = events.filter(isUpdate).map(({ workflowId }) => workflowId!)
  if (ids.length === 0) return events
  const workflows = await db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', 'in', ids)
    .execute()
  const complete = await withSubjects(db, botId, workflows)
  return events.map((event) => (isUpdate(event) ? complete(event) : event))
}

const isUpdate = ({ type, workflowId }: Event) =>
  type === updateType && workflowId !== undefined

/** Why an event is not delivered. */
type SkippedUpdate = { result: 'done' } | { result: 'ignored'; reason: string }

/**
 * Returns the event with the current data; or an outcome, if the step was handled before or the
 * workflow has ended.
 */
export async function toWorkflowUpdate(
  db: Db,
  botId: string,
  event: Event,
): Promise<Event | SkippedUpdate> {
  if (!isUpdate(event)) return event
  const row = await db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', event.workflowId!)
    .executeTakeFirst()
  if (!row) return { result: 'ignored', reason: 'The workflow has been deleted' }
  if (event.payload.type !== 'workflow_timedout' && finished.includes(row.status))
    return { result: 'ignored', reason: 'The workflow has ended' }
  if (isStep(event) && row.step_event_id !== event.id) return { result: 'done' }
  return (await withSubjects(db, botId, [row]))(event)
}

const isStep = ({ payload }: Event) =>
  payload.type === 'workflow_started' || payload.type === 'workflow_continued'

/** Returns a function that adds the data of these workflows to an event, as the bot sees it. */
async function withSubjects(
  db: Db,
  botId: string,
  workflows: WorkflowRow[],
): Promise<(event: Event) => Event> {
  const [conversations, users] = await Promise.all([
    conversationStore.listById(db, botId, named(workflows, 'conversation_id')),
    userStore.listById(db, botId, named(workflows, 'user_id')),
  ])
  const byId = new Map(workflows.map((row) => [row.id, row]))
  return (event) => {
    const workflow = byId.get(event.workflowId!)
    const conversation = conversations.get(workflow?.conversation_id ?? '')
    const user = users.get(workflow?.user_id ?? '')
    return {
      ...event,
      ...(conversation && { conversationId: conversation.id }),
      ...(user && { userId: user.id }),
      payload: {
        ...event.payload,
        ...(workflow && { workflow: toWorkflow(workflow) }),
        ...(conversation && { conversation: toConversation(conversation) }),
        ...(user && { user: toUser(user) }),
      },
    }
  }
}

const named = (workflows: WorkflowRow[], column: 'conversation_id' | 'user_id') => [
  ...new Set(workflows.map((row) => row[column]).filter((id) => id !== null)),
]

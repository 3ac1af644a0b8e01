// The events that tell a bot of its workflows. Such an event keeps its kind, and of a child that has ended what it was; the workflow itself, its
// conversation and its user are put in as they are when the event is shown or told: what a bot was told too late would make it act on the past.
import type { Event } from '@botstead/contract'
import type { Db } from '../db/open.ts'
import { conversationsById } from '../messaging/conversations.ts'
import { conversationShown, userShown } from '../messaging/shown.ts'
import { usersById } from '../messaging/users.ts'
import { updateType } from './news.ts'
import { type WorkflowRow, workflowShown } from './shown.ts'
import { finished } from './statuses.ts'

/** In the order given; of a workflow that was deleted nothing is left to show. Two round trips at most, and none without such events. */
export async function updatesShown(db: Db, botId: string, events: Event[]): Promise<Event[]> {
  const ids = events.filter(isUpdate).map(({ workflowId }) => workflowId!)
  if (ids.length === 0) return events
  const workflows = await db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', 'in', ids)
    .execute()
  const complete = await completing(db, botId, workflows)
  return events.map((event) => (isUpdate(event) ? complete(event) : event))
}

const isUpdate = ({ type, workflowId }: Event) => type === updateType && workflowId !== undefined

/** Why the bot is not to be told of it now. */
export type Passed = { result: 'done' } | { result: 'ignored'; reason: string }

/** What the bot is told of an update; or nothing, of what has been handled before, or of a workflow that has ended meanwhile. */
export async function updateToTell(db: Db, botId: string, event: Event): Promise<Event | Passed> {
  if (!isUpdate(event)) return event
  const row = await db
    .selectFrom('workflow')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('id', '=', event.workflowId!)
    .executeTakeFirst()
  if (!row) return { result: 'ignored', reason: 'What this was about has been deleted' }
  if (event.payload.type !== 'workflow_timedout' && finished.includes(row.status))
    return { result: 'ignored', reason: 'The workflow has ended' }
  if (isStep(event) && row.step_event_id !== event.id) return { result: 'done' }
  return (await completing(db, botId, [row]))(event)
}

const isStep = ({ payload }: Event) =>
  payload.type === 'workflow_started' || payload.type === 'workflow_continued'

/** Gives an update of one of these workflows what it is about, as the bot sees it. */
async function completing(db: Db, botId: string, workflows: WorkflowRow[]): Promise<(event: Event) => Event> {
  const [conversations, users] = await Promise.all([
    conversationsById(db, botId, named(workflows, 'conversation_id')),
    usersById(db, botId, named(workflows, 'user_id')),
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
        ...(workflow && { workflow: workflowShown(workflow) }),
        ...(conversation && { conversation: conversationShown(conversation) }),
        ...(user && { user: userShown(user) }),
      },
    }
  }
}

const named = (workflows: WorkflowRow[], column: 'conversation_id' | 'user_id') => [
  ...new Set(workflows.map((row) => row[column]).filter((id) => id !== null)),
]

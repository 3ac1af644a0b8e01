// Updates and deletes workflows, and notifies the bot and the parent workflow.
import { ApiError } from '@botstead/contract'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type Db, statement } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { eventStore, type TagInput, type Viewer } from '../messaging/index.ts'
import type { WorkflowRow } from './serializers.ts'
import {
  activeInSql,
  finishedInSql,
  listOrigins,
  type WorkflowStatus,
} from './statuses.ts'
import {
  dispatchUpdates,
  enqueueUpdates,
  newUpdateIds,
  parentUpdate,
  type QueuedUpdates,
  type UpdateIds,
} from './update-events.ts'
import {
  changeOfWorkflowTags,
  checkingReferences,
  checkNamed,
  findWorkflow,
  type Json,
  noWorkflow,
  type WorkflowCaller,
  type WorkflowDeps,
} from './workflows.ts'

interface WorkflowChange {
  status?: Exclude<WorkflowStatus, 'pending' | 'timedout'> | undefined
  output?: Json | undefined
  timeoutAt?: Date | undefined
  failureReason?: string | undefined
  tags?: TagInput | undefined
  userId?: string | undefined
  /** Id of the event during which the caller works on the workflow. */
  eventId?: string | undefined
}

// A caller that sets in_progress works on the workflow during an event: the current step, or the
// given event. When that event is over, loop.ts continues the workflow. With neither, this
// statement continues it.
const updateStatement = statement<
  UpdateIds & {
    botId: string
    id: string
    origins: WorkflowStatus[]
    status: WorkflowStatus | null
    output: string | null
    timeoutAt: Date | null
    failureReason: string | null
    setTags: string
    removedTags: string[]
    userId: string | null
    handledIn: string | null
    cause: string | null
    owner: string | null
  }
>(
  'update-workflow',
  `
  with old as (
    select bot_id, id, status as was, coalesce(:status::text, status) as next from workflow
    where bot_id = :botId and id = :id and status = any(:origins::text[])
    for no key update
  ),
  changed as (
    update workflow w set
      status = old.next,
      output = case when :status = 'cancelled' then '{}' else coalesce(:output::jsonb, w.output) end,
      timeout_at = coalesce(:timeoutAt::timestamptz, w.timeout_at),
      failure_reason = coalesce(:failureReason::text, w.failure_reason),
      tags = (w.tags || :setTags::jsonb) - :removedTags::text[],
      user_id = coalesce(:userId::text, w.user_id),
      completed_at = case when :status in ('completed', 'failed', 'cancelled')
        then coalesce(w.completed_at, now()) else w.completed_at end,
      updated_at = greatest(now(), w.updated_at),
      retriggers = case when old.next = 'pending' then w.retriggers else 0 end,
      handled_in = case when old.next = 'in_progress'
        and w.step_event_id is null then coalesce(:handledIn::text, w.handled_in) end,
      step_event_id = case
        when old.next in ${finishedInSql} then null
        when old.next = 'in_progress' and w.step_event_id is null
          and coalesce(:handledIn::text, w.handled_in) is null then :eventId::text
        else w.step_event_id
      end
    from old where w.bot_id = old.bot_id and w.id = old.id
    returning w.*, old.was
  ),
  ended as (select * from changed where was in ${activeInSql} and status in ${finishedInSql}),
  news as (
    select bot_id, id as workflow_id, '{"type": "workflow_continued"}'::jsonb as payload,
      :eventId::text as event_id, :deliveryId::text as delivery_id, 1 as ord
    from changed where step_event_id = :eventId
    union all
    ${parentUpdate('ended', 'child_workflow_finished', ':parentEventId::text', ':parentDeliveryId::text')}
  ),
  ${enqueueUpdates(':cause', ':owner')}
  select changed.*, queued.placed from changed cross join queued`,
)

/**
 * Throws ResourceNotFound, ReferenceNotFound, and InvalidPayload for a transition that a finished
 * workflow does not allow.
 */
export async function updateWorkflow(
  deps: WorkflowDeps,
  { botId, viewer, cause }: WorkflowCaller,
  id: string,
  change: WorkflowChange,
): Promise<WorkflowRow> {
  const { database, db, deliveries } = deps
  const { status, output, timeoutAt = null, failureReason, userId, eventId } = change
  const { tags } = await findWorkflow(db, botId, id, viewer)
  const { set, removed } = changeOfWorkflowTags(change.tags, viewer, tags)
  await checkNamed(db, { botId, viewer, cause }, { userId, eventId })
  const reason =
    failureReason === undefined ? null : storableText(failureReason, maxReasonLength)
  const bound = updateStatement({
    ...newUpdateIds(),
    botId,
    id,
    origins: listOrigins(status),
    status: status ?? null,
    output: output ? JSON.stringify(output) : null,
    timeoutAt,
    failureReason: reason,
    setTags: JSON.stringify(set),
    removedTags: removed,
    userId: userId ?? null,
    handledIn: eventId ?? null,
    cause,
    owner: deliveries.owner,
  })
  const [updated] = await checkingReferences(() =>
    database.run<WorkflowRow & QueuedUpdates>(...bound),
  )
  if (!updated) throw await transitionError(db, botId, id, status)
  dispatchUpdates(deliveries, updated.placed)
  return updated
}

async function transitionError(
  db: Db,
  botId: string,
  id: string,
  status: WorkflowStatus | undefined,
): Promise<ApiError> {
  const { status: now } = await findWorkflow(db, botId, id)
  return new ApiError(
    'InvalidPayload',
    `The workflow is ${now}: it cannot become ${status}`,
  )
}

const deleteStatement = statement<{
  botId: string
  id: string
  viewer: Viewer
  parentEventId: string
  parentDeliveryId: string
  cause: string | null
  owner: string | null
}>(
  'delete-workflow',
  `
  with removed as (delete from workflow where bot_id = :botId and id = :id
      and (:viewer::text is null or integration = :viewer)
    returning *),
  forgotten as (${eventStore.deleteOfWorkflows('removed')}),
  news (bot_id, workflow_id, payload, event_id, delivery_id, ord)
    as (${parentUpdate(
      'removed',
      'child_workflow_deleted',
      ':parentEventId::text',
      ':parentDeliveryId::text',
    )}),
  ${enqueueUpdates(':cause', ':owner')}
  select removed.id, queued.placed from removed cross join queued`,
)

/**
 * Deletes a workflow with its events, so that pending ones are not delivered. Its children continue
 * without it. Throws ResourceNotFound.
 */
export async function deleteWorkflow(
  { database, deliveries }: WorkflowDeps,
  { botId, viewer, cause }: WorkflowCaller,
  id: string,
): Promise<void> {
  const [removed] = await database.run<QueuedUpdates & { id: string }>(
    ...deleteStatement({
      botId,
      id,
      viewer,
      parentEventId: newId('event'),
      parentDeliveryId: newId('delivery'),
      cause,
      owner: deliveries.owner,
    }),
  )
  if (!removed) throw noWorkflow(id)
  dispatchUpdates(deliveries, removed.placed)
}

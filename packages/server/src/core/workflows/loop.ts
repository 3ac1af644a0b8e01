// Continuation of workflows. When an event of a workflow's lane has been handled, one statement
// reads the workflow's state and writes the next step, before the outcome of the event is recorded.
// Invariant: at most one event that starts or continues the workflow is pending, `step_event_id`,
// and only the first report that it was handled has an effect. So a repetition after a crash, or by
// a second process that took over too early, does not fork the workflow.

import { statement } from '../db/index.ts'
import { activeInSql } from './statuses.ts'
import {
  dispatchUpdates,
  enqueueUpdates,
  newUpdateIds,
  parentUpdate,
  type QueuedUpdates,
  type UpdateIds,
} from './update-events.ts'
import type { WorkflowDeps } from './workflows.ts'

/** Maximum number of repeated start events for a workflow that the bot leaves pending. */
const maxRetriggers = 3

const goOnStatement = statement<
  UpdateIds & {
    botId: string
    workflowId: string
    /** Id of the event that was handled. */
    handled: string
    succeeded: boolean
    failure: string | null
    owner: string | null
  }
>(
  'continue-workflow',
  `
  with standing as (
    select w.*, exists (
      select from event e where e.bot_id = :botId and e.id = :handled and e.workflow_id = :workflowId
        and e.payload ->> 'type' in ('workflow_started', 'workflow_continued')
    ) as is_step
    from workflow w where w.bot_id = :botId and w.id = :workflowId and w.status in ${activeInSql}
    for no key update of w
  ),
  judged as (
    select bot_id, id, case
      when step_event_id = :handled and not :succeeded::boolean then 'failed'
      when step_event_id = :handled and status = 'pending' and retriggers >= ${maxRetriggers}
        then 'unacknowledged'
      when step_event_id = :handled and status in ('pending', 'in_progress') then 'continues'
      when step_event_id = :handled then 'rests'
      when handled_in = :handled and not :succeeded then 'failed'
      when handled_in = :handled then 'continues'
      -- handled before: the next step has already been written
      when is_step then null
      when status in ('listening', 'in_progress') and step_event_id is null
        and handled_in is null then 'continues'
    end as verdict
    from standing
  ),
  changed as (
    update workflow w set
      status = case when j.verdict in ('failed', 'unacknowledged') then 'failed' else w.status end,
      failure_reason = case j.verdict
        when 'failed' then :failure::text
        when 'unacknowledged' then 'The bot has not acknowledged the workflow'
        else w.failure_reason
      end,
      completed_at = case when j.verdict in ('failed', 'unacknowledged') then now() else w.completed_at end,
      updated_at = case when j.verdict in ('failed', 'unacknowledged') then greatest(now(), w.updated_at)
        else w.updated_at end,
      -- steps in a row without a change; an update of the workflow resets the count
      retriggers = case when w.step_event_id = :handled then w.retriggers + 1 else 0 end,
      step_event_id = case j.verdict when 'continues' then :eventId::text end,
      handled_in = null
    from judged j where j.verdict is not null and w.bot_id = j.bot_id and w.id = j.id
    returning w.*, j.verdict
  ),
  ended as (select * from changed where status = 'failed'),
  news as (
    select bot_id, id as workflow_id,
      jsonb_build_object('type', case status when 'pending' then 'workflow_started'
        else 'workflow_continued' end) as payload,
      step_event_id as event_id, :deliveryId::text as delivery_id, 1 as ord
    from changed where step_event_id is not null
    union all
    ${parentUpdate('ended', 'child_workflow_finished', ':parentEventId::text', ':parentDeliveryId::text')}
  ),
  ${enqueueUpdates(':handled', ':owner')}
  select placed, (select retriggers from changed where verdict = 'continues') as idle from queued`,
)

interface HandledStep {
  botId: string
  workflowId: string
  eventId: string
  /** Why the event failed; null if it succeeded. */
  failure: string | null
}

/**
 * Continues a workflow after an event was handled. Harmless when called twice, too late, or for a
 * deleted workflow. Returns the pause in ms before the next step: a bot that does nothing in many
 * steps and never sets the status `listening` would otherwise get steps as fast as the disk allows
 * and slow down others.
 */
export async function advanceWorkflow(
  { database, deliveries }: Pick<WorkflowDeps, 'database' | 'deliveries'>,
  { botId, workflowId, eventId, failure }: HandledStep,
): Promise<number> {
  const [queued] = await database.run<
    QueuedUpdates & { idle: number | null; [column: string]: unknown }
  >(
    ...goOnStatement({
      ...newUpdateIds(),
      botId,
      workflowId,
      handled: eventId,
      succeeded: failure === null,
      failure,
      owner: deliveries.owner,
    }),
  )
  dispatchUpdates(deliveries, queued!.placed)
  return pauseAfter(queued!.idle ?? 0)
}

/** No pause for the first ten idle steps, then twice as long each time, up to one second. */
const pauseAfter = (idle: number) =>
  idle <= 10 ? 0 : Math.min(1_000, 5 * 2 ** Math.min(idle - 10, 10))

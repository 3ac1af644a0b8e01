// Periodic steps of workflows: time-outs, and the continuation of workflows after the event during
// which the bot worked on them.

import { type ColumnArrays, statement, toArrays } from '../db/index.ts'
import { isAwake } from '../queue/index.ts'
import { advanceWorkflow } from './loop.ts'
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

/** Workflows per statement. */
const maxPerStatement = 100
/** Statements per sweep. The rest waits for the next sweep. */
const maxRounds = 20

interface Named {
  bot_id: string
  id: string
}

const late = statement(
  'late-workflows',
  `
  select bot_id, id from workflow where status in ${activeInSql} and timeout_at <= now()
  and ${isAwake('workflow.bot_id')} order by timeout_at limit ${maxPerStatement}`,
)

/** Checks the conditions again under a lock, and skips rows that another process has locked. */
const timeOutStatement = statement<
  ColumnArrays<UpdateIds & { botId: string; workflowId: string }> & {
    owner: string | null
  }
>(
  'time-out-workflows',
  `
  with late as (
    select w.bot_id, w.id, i.event_id, i.delivery_id, i.parent_event_id, i.parent_delivery_id
    from unnest(:botId::text[], :workflowId::text[], :eventId::text[], :deliveryId::text[],
        :parentEventId::text[], :parentDeliveryId::text[])
      as i (bot_id, id, event_id, delivery_id, parent_event_id, parent_delivery_id)
    join workflow w on w.bot_id = i.bot_id and w.id = i.id
    where w.status in ${activeInSql} and w.timeout_at <= now() and ${isAwake('w.bot_id')}
    for no key update of w skip locked
  ),
  ended as (
    update workflow w set status = 'timedout', updated_at = greatest(now(), w.updated_at),
      step_event_id = null, handled_in = null
    from late where w.bot_id = late.bot_id and w.id = late.id
    returning w.*, late.event_id, late.delivery_id, late.parent_event_id, late.parent_delivery_id
  ),
  news as (
    select bot_id, id as workflow_id, '{"type": "workflow_timedout"}'::jsonb as payload, event_id,
      delivery_id, 1 as ord from ended
    union all
    ${parentUpdate('ended', 'child_workflow_finished', 'c.parent_event_id', 'c.parent_delivery_id')}
  ),
  ${enqueueUpdates('null', ':owner')}
  select placed from queued`,
)

/** Times out workflows. Runs periodically in every process. */
export async function timeOutWorkflows(deps: WorkflowDeps): Promise<void> {
  for (let round = 0; round < maxRounds; round++) {
    const rows = await deps.database.run<Named & { [column: string]: unknown }>(
      ...late({}),
    )
    if (rows.length > 0) await timeOut(deps, rows)
    if (rows.length < maxPerStatement) return
  }
}

/** `rows` must not be empty. */
async function timeOut(
  { database, deliveries }: WorkflowDeps,
  rows: Named[],
): Promise<void> {
  const late = rows.map((row) => ({
    ...newUpdateIds(),
    botId: row.bot_id,
    workflowId: row.id,
  }))
  const [queued] = await database.run<QueuedUpdates & { [column: string]: unknown }>(
    ...timeOutStatement({ ...toArrays(late), owner: deliveries.owner }),
  )
  dispatchUpdates(deliveries, queued!.placed)
}

const over = statement(
  'handled-workflows',
  `
  select w.bot_id, w.id, w.handled_in, case e.status
    when 'failed' then coalesce(e.failure_reason, '') end as failure
  from workflow w left join event e on e.bot_id = w.bot_id and e.id = w.handled_in
  where w.handled_in is not null and (e.id is null or e.status not in ('pending', 'scheduled'))
    and ${isAwake('w.bot_id')}
  limit ${maxPerStatement}`,
)

interface Over extends Named {
  handled_in: string
  failure: string | null
  [column: string]: unknown
}

/**
 * Continues workflows that were created or resumed during an event of another lane, once that event
 * is over. Events hold no reference to these workflows, so that ordinary messages cost nothing
 * extra; hence the polling.
 */
export async function continueHandled(deps: WorkflowDeps): Promise<void> {
  const rows = await deps.database.run<Over>(...over({}))
  await Promise.all(
    rows.map(({ bot_id, id, handled_in, failure }) =>
      advanceWorkflow(deps, {
        botId: bot_id,
        workflowId: id,
        eventId: handled_in,
        failure,
      }),
    ),
  )
}

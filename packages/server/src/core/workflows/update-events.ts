// Shared SQL of workflow statements: each writes the resulting events and their deliveries itself.
// It writes to the tables of events and of the queue, because rows that must survive a crash
// together are written together.
import { newId } from '../lib/index.ts'
import { eventStore } from '../messaging/index.ts'
import { type Queue, queueStatements } from '../queue/index.ts'
import { tracing } from '../telemetry/index.ts'
import { workflowInSql } from './serializers.ts'
import { activeInSql } from './statuses.ts'

export const updateType = 'workflow_update'
/**
 * Each workflow has its own lane, so its events are delivered in order, independently of other
 * lanes.
 */
export const isWorkflowLane = (lane: string) => lane.startsWith('wrkflow_')

type Placed = Parameters<typeof queueStatements.toEnqueued>[0]
/** A row of a statement that ends with `enqueueUpdates`. */
export interface QueuedUpdates {
  placed: Placed[]
}

/**
 * Writes an event and a delivery for each row of the CTE
 * `news (bot_id, workflow_id, payload, event_id, delivery_id, ord)`, and makes the CTE `queued`
 * with one row. `cause` and `owner` are the parameters.
 */
export const enqueueUpdates = (cause: string, owner: string) => `
  noted as (
    ${eventStore.insert(
      'workflow_id, cause',
      `select bot_id, event_id, '${updateType}', payload, workflow_id, ${cause}::text from news`,
    )}
  ),
  due as (select bot_id, workflow_id as lane, delivery_id, 'event' as kind, event_id as subject_id, ord
    from news),
  ${queueStatements.enqueueDue(owner)},
  queued as (
    select coalesce(json_agg(json_build_object('bot_id', bot_id, 'lane', lane, 'number', number::text, 'id',
      delivery_id, 'kind', kind,
      'subject_id', subject_id, 'owner', owner, 'ahead', ahead)), '[]') as placed
    from placed
  )`

/**
 * Returns the `news` row for the parent of a workflow in the CTE `child`, if the parent is active.
 */
export const parentUpdate = (
  child: string,
  type: 'child_workflow_finished' | 'child_workflow_deleted',
  event: string,
  delivery: string,
) => `
  select p.bot_id, p.id,
    jsonb_build_object('type', '${type}', 'childWorkflow', ${workflowInSql('c')}), ${event},
    ${delivery}, 2
  from ${child} c join workflow p on p.bot_id = c.bot_id and p.id = c.parent_workflow_id
  where p.status in ${activeInSql}`

/**
 * Dispatches the deliveries after the commit. The trace context is kept in memory only: a workflow
 * may live for days and need not be one trace.
 */
export const dispatchUpdates = (
  deliveries: Pick<Queue, 'dispatch'>,
  placed: Placed[],
) => {
  const trace = tracing.getCurrentTrace() ?? null
  deliveries.dispatch(placed.map((row) => queueStatements.toEnqueued({ ...row, trace })))
}

export interface UpdateIds {
  eventId: string
  deliveryId: string
  parentEventId: string
  parentDeliveryId: string
}

/** Ids of an event and its delivery for the workflow, and the same for its parent. */
export const newUpdateIds = (): UpdateIds => ({
  eventId: newId('event'),
  deliveryId: newId('delivery'),
  parentEventId: newId('event'),
  parentDeliveryId: newId('delivery'),
})

// How a workflow goes on. When an event of its lane has been handled, one statement looks where the workflow stands and writes what follows, before
// the outcome of the event is recorded. Invariant: at most one event that starts or continues a workflow is on its way, `step_event_id`, and only
// the first who says that it was handled is heard. So what a crash, or a second process that took over too early, makes happen twice does not fork it.
import { dispatch, newIds, parentNews, type Told, tellNews } from './news.ts'
import { activeInSql } from './statuses.ts'
import type { Means } from './workflows.ts'

/** A bot that was told to start and left the workflow pending is told as often again. */
const mostRetriggers = 3

const goOnStatement = `
  with standing as (
    select w.*, exists (
      select from event e where e.bot_id = $1 and e.id = $3 and e.workflow_id = $2 and e.payload ->> 'type' in ('workflow_started', 'workflow_continued')
    ) as is_step
    from workflow w where w.bot_id = $1 and w.id = $2 and w.status in ${activeInSql}
    for no key update of w
  ),
  judged as (
    select bot_id, id, case
      when step_event_id = $3 and not $4::boolean then 'failed'
      when step_event_id = $3 and status = 'pending' and retriggers >= ${mostRetriggers} then 'forsaken'
      when step_event_id = $3 and status in ('pending', 'in_progress') then 'goes on'
      when step_event_id = $3 then 'rests'
      when handled_in = $3 and not $4 then 'failed'
      when handled_in = $3 then 'goes on'
      -- handled before: what followed from it has been written
      when is_step then null
      when status in ('listening', 'in_progress') and step_event_id is null and handled_in is null then 'goes on'
    end as verdict
    from standing
  ),
  changed as (
    update workflow w set
      status = case when j.verdict in ('failed', 'forsaken') then 'failed' else w.status end,
      failure_reason = case j.verdict when 'failed' then $5::text when 'forsaken' then 'The bot has not acknowledged it' else w.failure_reason end,
      completed_at = case when j.verdict in ('failed', 'forsaken') then now() else w.completed_at end,
      updated_at = case when j.verdict in ('failed', 'forsaken') then greatest(now(), w.updated_at) else w.updated_at end,
      -- steps in a row that changed nothing: an update of the workflow begins anew
      retriggers = case when w.step_event_id = $3 then w.retriggers + 1 else 0 end,
      step_event_id = case j.verdict when 'goes on' then $6::text end,
      handled_in = null
    from judged j where j.verdict is not null and w.bot_id = j.bot_id and w.id = j.id
    returning w.*, j.verdict
  ),
  ended as (select * from changed where status = 'failed'),
  news as (
    select bot_id, id as workflow_id, jsonb_build_object('type', case status when 'pending' then 'workflow_started' else 'workflow_continued' end) as payload,
      step_event_id as event_id, $7::text as delivery_id, 1 as ord
    from changed where step_event_id is not null
    union all
    ${parentNews('ended', 'child_workflow_finished', '$8::text', '$9::text')}
  ),
  ${tellNews('$3', '$10')}
  select placed, (select retriggers from changed where verdict = 'goes on') as idle from told`

export interface Handled {
  botId: string
  workflowId: string
  eventId: string
  /** Why not, of an event that the bot refused, failed, or could not be told. */
  failure: string | null
}

/**
 * Harmless when told twice, too late, or of a workflow that is gone. Says how many milliseconds the next step should wait: a bot that does nothing in
 * many steps, and never says that it waits, would be told another as fast as the disk takes it, and leave less of that to others.
 */
export async function goOn(
  { database, deliveries }: Pick<Means, 'database' | 'deliveries'>,
  { botId, workflowId, eventId, failure }: Handled,
): Promise<number> {
  const values = [botId, workflowId, eventId, failure === null, failure, ...newIds(), deliveries.owner]
  const [told] = await database.run<Told & { idle: number | null; [column: string]: unknown }>(
    'workflow-goes-on',
    goOnStatement,
    values,
  )
  dispatch(deliveries, told!.placed)
  return pauseAfter(told!.idle ?? 0)
}

/** None after the first ten, then twice as long each time, up to a second. */
const pauseAfter = (idle: number) => (idle <= 10 ? 0 : Math.min(1_000, 5 * 2 ** Math.min(idle - 10, 10)))

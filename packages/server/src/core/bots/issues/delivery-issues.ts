// The issues of failed deliveries: the statements that record outcomes note them, too (queue/outcomes.ts).

import { type IssueCode, issueColumns, recordIssues, toIssueRow } from './issues.ts'

/**
 * CTEs that note an issue of the bot for each final failure of `gone`, with the data of its event or
 * message. `gone` has only the deliveries that the statement ended: another process notes its own.
 */
const noteDeliveryIssues = `
  failed_messages as (
    select m.bot_id, m.id, m.type, m.conversation_id, m.user_id from gone g
      join message m on m.bot_id = g.bot_id and m.id = g.subject_id where g.kind = 'message'
  ),
  subjects as (
    select bot_id, id, 'event' as kind, type, conversation_id, user_id, workflow_id from updated_events
    union all select bot_id, id, 'message', type, conversation_id, user_id, null from failed_messages
  ),
  trouble as (
    select g.bot_id, t.issue_id, t.issue_event_id, t.code, t.message,
      decode(t.fingerprint, 'hex') as fingerprint, t.data || coalesce((
      select jsonb_object_agg(fact.name, jsonb_build_object('raw', fact.value)) from (values
        (s.kind || 'Id', s.id), (s.kind || 'Type', s.type), ('conversationId', s.conversation_id),
          ('userId', s.user_id), ('workflowId', s.workflow_id)
      ) fact (name, value) where fact.value is not null
    ), '{}') as data
    from gone g join jsonb_to_recordset(:issues::jsonb) as t (delivery_id text,
      ${issueColumns}) on t.delivery_id = g.id
    left join subjects s on s.bot_id = g.bot_id and s.kind = g.kind and s.id = g.subject_id
  ),
  ${recordIssues},`

interface FailedDelivery {
  deliveryId: string
  code?: string | undefined
  reason: string
  attempts: number
}

/** Returns an item of the parameter `issues`. */
const toDeliveryIssue = ({ deliveryId, code, reason, attempts }: FailedDelivery) => ({
  delivery_id: deliveryId,
  ...toIssueRow({
    code: (code ?? 'event_failed') as IssueCode,
    message: reason,
    facts: { attempts: String(attempts) },
  }),
})

/** Issues of failed deliveries. */
export const deliveryIssues = {
  note: noteDeliveryIssues,
  toIssue: toDeliveryIssue,
}

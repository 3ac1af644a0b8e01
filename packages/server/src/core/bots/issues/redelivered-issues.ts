// Resolves issues by redelivery: an open issue is over when its bot or integration has handled all
// its events and messages. Issues with more occurrences than are stored stay open, because the
// others are unknown; so do those of hooks and cards, whose events count as handled (observed-issues.ts).

import { shareCommits } from '@botstead/lib'
import type { Logger } from 'pino'
import { type Database, statement } from '../../db/index.ts'

/** A redelivered event or message that was handled. */
interface Handled {
  botId: string
  kind: 'event' | 'message'
  id: string
}

/**
 * Condition on an occurrence `e`: it is that of a delivery, and its subject is handled now. The end
 * of a process has no subject.
 */
const isHandled = `(case
  when not e.data ?| array['eventId', 'messageId'] then true
  when not e.data ? 'attempts' then false
  when e.data ? 'eventId' then exists (
    select from event v where v.bot_id = e.bot_id and v.id = e.data -> 'eventId' ->> 'raw'
      and v.status = 'processed')
  when e.data ? 'messageId' then not exists (
    select from delivery d where d.bot_id = e.bot_id and d.subject_id = e.data -> 'messageId' ->> 'raw'
      and d.dead_at is not null)
  else false end)`

const resolveAll = statement<{ handled: string }>(
  'resolve-redelivered',
  `
  with handled as (
    select * from jsonb_to_recordset(:handled::jsonb) as h ("botId" text, kind text, id text)
  ),
  concerned as (
    select distinct i.bot_id, i.id from handled h
    join issue i on i.bot_id = h."botId" and i.status = 'open'
    join issue_event e on e.bot_id = i.bot_id and e.issue_id = i.id
      and e.data -> (h.kind || 'Id') ->> 'raw' = h.id
  ),
  resolved as (
    update issue i set status = 'resolved', status_changed_at = now(), resolved_by_redelivery = true
    from concerned c where i.bot_id = c.bot_id and i.id = c.id and i.status = 'open'
      and i.events_count = (
        select count(*) from issue_event e where e.bot_id = i.bot_id and e.issue_id = i.id
          and ${isHandled}
      )
    returning i.bot_id
  )
  select distinct bot_id from resolved`,
)

interface RedeliveredIssues {
  handled(subject: Handled): void
  close(): Promise<void>
}

/** `changed` is called after issues of the bot were resolved. */
export function openRedeliveredIssues(
  database: Database,
  log: Logger,
  changed: (botId: string) => void,
): RedeliveredIssues {
  const working = new Set<Promise<void>>()
  const commits = shareCommits<Handled, void>(async (handled) => {
    const rows = await database.lazily<{ bot_id: string }>(
      ...resolveAll({ handled: JSON.stringify(handled) }),
    )
    for (const { bot_id } of rows) changed(bot_id)
    return handled.map(() => undefined)
  })
  return {
    handled(subject) {
      const written = commits
        .write(subject)
        .catch((error) =>
          log.warn({ err: error, ...subject }, 'an issue was not resolved'),
        )
        .finally(() => working.delete(written))
      working.add(written)
    },
    close: async () => void (await Promise.all(working)),
  }
}

import { sql } from 'kysely'
import type { Person, Tables } from '../table-rules/index.ts'

/** The names of the limits per user begin with it (`rates.ts`). */
const isRateCounter = ({
  botId,
  userId,
  shownId,
}: Person) => sql<boolean>`t.key like 'user%'
  and substring(t.key from position(' ' in t.key) + 1) in (
    select '["' || i.webhook_id || '",' || claim || ']' from installation i
    cross join unnest(${[userId, shownId].map((id) => JSON.stringify(id))}::text[]) claim
    where i.bot_id = ${botId})`

export const tables = {
  rate_window: {
    owner: { leftOut: 'counts the requests of the last hour' },
    person: { kind: 'rateCounters', step: 140, belongs: isRateCounter },
  },
} satisfies Tables

import { sql } from 'kysely'
import { and, isBefore, isOfBot, type Tables } from '../../core/table-rules/index.ts'

export const tables = {
  webhook_request: {
    owner: { leftOut: 'records recent requests to this installation' },
    person: {
      kind: 'webhookRequests',
      step: 120,
      belongs: (person) =>
        and(
          isOfBot(person),
          sql`t.alias = ${person.integration}::text`,
          sql`t.at <= ${person.until}`,
        ),
    },
    retention: { kind: 'webhookRequests', step: 130, old: isBefore('at') },
  },
} satisfies Tables

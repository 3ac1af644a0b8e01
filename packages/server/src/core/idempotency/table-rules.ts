import { sql } from 'kysely'
import { and, isOfBot, or, sealedBytes, type Tables } from '../table-rules/index.ts'

export const tables = {
  idempotency_key: {
    owner: {
      leftOut: 'expires after a day, and only this installation can decrypt it',
      isMoved: true,
    },
    sealed: {
      answer: sealedBytes('answer', (row) => `idempotency_key ${row.id.slice(2)}`, {
        isNullable: true,
      }),
    },
    plainBytes: ['id', 'request'],
    person: {
      kind: 'storedResponses',
      step: 130,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            sql`t.shown_user_id in (${person.userId}, ${person.shownId})`,
            sql`exists (select from message m where m.bot_id = t.bot_id and m.id = t.message_id
            and m.conversation_id = any(${person.conversations}::text[]))`,
          ),
        ),
    },
  },
} satisfies Tables

import { sql } from 'kysely'
import {
  and,
  isBefore,
  isConversation,
  isOfBot,
  isOfEvent,
  or,
  type Person,
  type Tables,
} from '../table-rules/index.ts'
import { discardOldDeadLetters } from './outcomes/dead-letter-removal.ts'

const isDeadLetter = (person: Person) =>
  and(
    sql`t.dead_at is not null`,
    or(isConversation(person), isOfEvent('subject_id', person)),
  )

export const tables = {
  delivery: {
    owner: 'derived',
    person: {
      kind: 'deadLetters',
      step: 30,
      belongs: (person) => and(isOfBot(person), isDeadLetter(person)),
    },
    retention: {
      kind: 'deadLetters',
      step: 120,
      old: (age) => sql`${isBefore('dead_at')(age)} and t.dead_at is not null`,
      remove: discardOldDeadLetters,
    },
  },
  delivery_attempt: {
    owner: 'derived',
    person: {
      kind: 'deliveryAttempts',
      step: 20,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            isOfEvent('subject_id', person),
            sql`t.delivery_id in (select t.id from delivery t where ${isOfBot(person)}
            and ${isDeadLetter(person)})`,
          ),
        ),
    },
  },
  lane: { owner: 'derived', person: { none: 'is deleted when it is idle' } },
  worker: { owner: { leftOut: 'describes a process' } },
} satisfies Tables

import { sql } from 'kysely'
import {
  and,
  isConversation,
  isOfBot,
  isOfUserOrConversation,
  isUser,
  or,
  type Tables,
} from '../table-rules/index.ts'

export const tables = {
  state: {
    owner: 'derived',
    person: {
      kind: 'states',
      step: 190,
      belongs: (person) =>
        and(
          isOfBot(person),
          or(
            isUser(person),
            isConversation(person),
            sql`t.workflow_id in (select t.id from workflow t where ${isOfUserOrConversation(person)})`,
          ),
        ),
    },
  },
  state_layer: {
    owner: 'derived',
    person: {
      kind: 'states',
      step: 185,
      belongs: (person) =>
        and(isOfBot(person), or(isUser(person), sql`t.subject_id = ${person.userId}`)),
    },
  },
  workflow: {
    owner: 'derived',
    person: { kind: 'workflows', step: 200, belongs: isOfUserOrConversation },
  },
} satisfies Tables

import {
  and,
  isConversation,
  isOfBot,
  type Tables,
} from '../../core/table-rules/index.ts'

export const tables = {
  canned_reply: { owner: 'derived' },
  conversation_note: {
    owner: 'derived',
    person: {
      kind: 'notes',
      step: 160,
      belongs: (person) => and(isOfBot(person), isConversation(person)),
    },
  },
  handoff: {
    owner: 'derived',
    person: {
      kind: 'handoffs',
      step: 170,
      belongs: (person) => and(isOfBot(person), isConversation(person)),
    },
  },
  handoff_agent: { owner: 'derived', person: { none: 'is deleted with its user' } },
} satisfies Tables

import { and, isOfBot, isUser, type Tables } from '../../core/table-rules/index.ts'

export const tables = {
  person_member: { owner: 'derived', person: { none: 'is deleted with its user' } },
  person_rules: { owner: 'derived' },
  separated_user: { owner: 'derived', person: { none: 'is deleted with its users' } },
  user_address: {
    owner: 'derived',
    person: {
      kind: 'addresses',
      step: 265,
      belongs: (person) => and(isOfBot(person), isUser(person)),
    },
  },
} satisfies Tables

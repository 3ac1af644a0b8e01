import {
  isConversation,
  isOfEvent,
  isOfUserConversationOrEvent,
  isUser,
  or,
  sealedBytes,
  type Tables,
} from '../../core/table-rules/index.ts'

export const tables = {
  model_budget: { owner: 'derived' },
  model_call: {
    owner: 'derived',
    person: {
      kind: 'modelCalls',
      step: 100,
      belongs: isOfUserConversationOrEvent,
      walk: {
        byIndex: (person) => or(isConversation(person), isOfEvent('event_id', person)),
        finds: isUser,
        key: 'id',
        through: 'model_call',
      },
    },
  },
  model_provider: {
    owner: 'derived',
    sealed: {
      key: sealedBytes(
        'key',
        (row) => `model_provider.key/${row.workspace_id}/${row.name}`,
        {
          isNullable: true,
        },
      ),
    },
  },
  model_spend: { owner: 'derived' },
} satisfies Tables

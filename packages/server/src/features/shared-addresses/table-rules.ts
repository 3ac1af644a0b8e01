import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  sandbox_conversation: {
    owner: {
      leftOut:
        'links a third-party conversation to a test user of a bot, who can send the id there again',
      isMoved: true,
    },
  },
  shareable_id: {
    owner: { leftOut: 'is a short-lived id for testing a bot', isMoved: true },
  },
} satisfies Tables

import type { Tables } from '../../core/table-rules/index.ts'

export const tables = {
  bot_draft: { owner: 'derived' },
  bot_draft_revision: { owner: 'derived', plainBytes: ['value_hash', 'request_hash'] },
  bot_trial: { owner: 'derived' },
} satisfies Tables

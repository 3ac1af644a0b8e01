// Rows of analytics, logs and issues.
import {
  at,
  type Fill,
  id,
  many,
  messagesOfConversation,
  none,
  ofBot,
  rareOr,
} from './columns.ts'

export const insightRows: Record<string, Fill> = {
  analytics_count: {
    rows: many / 20,
    values: {
      ...ofBot,
      name: rareOr(`'rare'`, `'usual' || i % 10`),
      hour: `timestamptz '2026-01-01' + i / 10 * interval '1 hour'`,
      count: '1',
    },
  },
  flow_node_day: {
    rows: many / 20,
    values: {
      ...ofBot,
      day: `current_date - i / 500`,
      flow: `'flow' || i / 50 % 10`,
      node: `'node' || i % 50`,
      passed: '2',
      ended: '1',
    },
  },
  observation: {
    rows: many / 20,
    values: {
      ...ofBot,
      created_at: at,
      id: id('obs'),
      given_id: rareOr(`'rare'`, 'null'),
      name: rareOr(`'rare'`, `'usual'`),
      data: none,
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      trace_id: `'trace' || i`,
    },
  },
  action_run: {
    rows: many / 20,
    values: {
      ...ofBot,
      id: id('run'),
      integration: rareOr(`'rare'`, `'telegram'`),
      action: `'add'`,
      succeeded: 'true',
      ms: '1',
      input: none,
      input_truncated: 'false',
      output_truncated: 'false',
      started_at: at,
    },
  },
  bot_log: {
    rows: many / 20,
    values: {
      ...ofBot,
      at: `now() - (${many / 20} - i) * interval '1 second'`,
      level: rareOr(`'error'`, `'info'`),
      message: rareOr(`'A rare line'`, `'A line'`),
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      user_id: id('user', 'i'),
      workflow_id: id('wrkflow', 'i'),
    },
  },
  integration_log: {
    rows: many / 20,
    values: {
      integration_id: id('intver', 'i % 10'),
      at: `now() - (${many / 20} - i) * interval '1 second'`,
      level: rareOr(`'error'`, `'info'`),
      message: rareOr(`'A rare line'`, `'A line'`),
      ...ofBot,
      conversation_id: id('conv', 'i'),
      user_id: id('user', 'i'),
    },
  },
  issue: {
    rows: many / 20,
    values: {
      ...ofBot,
      id: id('iss'),
      code: `'event_failed'`,
      message: `'It failed'`,
      fingerprint: 'tag_key(i::text)',
      grouped_data: none,
      events_count: '1',
      status: rareOr(`'muted'`, `case when i % 3 = 0 then 'resolved' else 'open' end`),
      created_at: at,
      last_seen_at: at,
    },
  },
}

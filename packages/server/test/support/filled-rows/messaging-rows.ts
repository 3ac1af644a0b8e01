// Rows of conversations, messages, events and their workflows.
import {
  at,
  type Fill,
  id,
  isRare,
  lexeme,
  many,
  messagesOfConversation,
  none,
  ofBot,
  rare,
  rareOr,
  tags,
  times,
} from './columns.ts'

export const messagingRows: Record<string, Fill> = {
  user: {
    rows: many / 10,
    values: {
      ...ofBot,
      ...times,
      id: id('user'),
      integration: rareOr(`'other'`, `'tg'`),
      name: rareOr(`'Rare Name'`, `'User ' || i`),
      tags,
    },
  },
  conversation: {
    rows: many,
    values: {
      ...ofBot,
      ...times,
      id: id('conv'),
      owner_id: ':chatUser',
      integration: rareOr(`'other'`, `case when i % 3 = 0 then 'chat' else 'tg' end`),
      channel: rareOr(`'group'`, `'dm'`),
      message_count: rareOr('10000', '10'),
      updated_slot: `date_bin('10 minutes', ${at}, '2000-01-01 00:00:00+00')`,
      tags,
    },
  },
  // Every tenth address is that of two users.
  user_address: {
    rows: many / 10,
    values: {
      ...ofBot,
      user_id: id('user'),
      kind: `'email'`,
      address: `'user' || (i - case when i % 20 = 1 then 1 else 0 end) || '@example.org'`,
      claimed_at: 'now()',
      is_shared: 'i % 20 < 2',
    },
  },
  separated_user: {
    rows: many / 100,
    values: { ...ofBot, user_id: id('user'), other_id: id('user', 'i + 5') },
  },
  // The bot and one of the users participate.
  participant: {
    rows: many / 5,
    values: {
      ...ofBot,
      // every tenth conversation, old and new ones
      conversation_id: id('conv', '(i + 1) / 2 * 10'),
      user_id: `case when i % 2 = 0 then :bot else ${id('user', '(i + 1) / 2')} end`,
    },
  },
  message: {
    rows: (3 * many) / 10,
    values: {
      ...ofBot,
      ...times,
      id: id('msg'),
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      user_id: id('user', `i % ${many / 10}`),
      number: `i % ${messagesOfConversation} + 1`,
      direction: `'incoming'`,
      type: `'text'`,
      payload: `'{"text": "Hello"}'::jsonb`,
      tags: rareOr(`'{"tg:id": "rare"}'::jsonb`, none),
    },
  },
  message_search: {
    rows: (3 * many) / 10,
    values: {
      ...ofBot,
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      number: `i % ${messagesOfConversation} + 1`,
      words: `array_to_tsvector(array[${lexeme(`'usual'`)}, ${lexeme(`'word' || i % 1000`)},
        ${lexeme(rareOr(`'rare'`, `'usual'`))}])`,
    },
  },
  issue_event: {
    rows: many / 20,
    values: {
      ...ofBot,
      issue_id: id('iss'),
      id: id('issevt'),
      data: `jsonb_build_object('conversationId', jsonb_build_object('raw', ${id('conv')}))`,
    },
  },
  scheduled_message: {
    rows: many / 10,
    values: {
      ...ofBot,
      created_at: at,
      due_at: `${at} + interval '100 years'`,
      id: id('msg'),
      conversation_id: id('conv'),
      user_id: id('user', `i % ${many / 10}`),
      direction: `'outgoing'`,
      type: `'text'`,
      payload: none,
    },
  },
  handoff: {
    rows: many / 5,
    values: {
      ...ofBot,
      id: id('handoff'),
      conversation_id: id('conv'),
      bot_receives: `'everything'`,
      tags: `case when i % 20 = 0 then '{"tg:lang": "fr"}'
        when i = 77 then '{"tg:id": "rare"}' else '{}' end::jsonb`,
      source: `case when i % 500 = 0 then 'hitl' else 'request' end`,
      assigned_to: `case when i % 3 = 0 then :account end`,
      requested_at: at,
      closed_at: `case when i % 100 <> 0 then ${at} end`,
      outcome: `case when i % 100 <> 0 then 'solved' end`,
    },
  },
  conversation_note: {
    rows: many / 5,
    values: {
      ...ofBot,
      id: id('note'),
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      text: `'note'`,
    },
  },
  erasure: {
    rows: many / 5,
    values: {
      ...ofBot,
      id: id('erasure'),
      workspace_id: ':workspace',
      user_id: id('user'),
      shown_id: id('user'),
      created_at: at,
      ended_at: at,
      next_at: 'null',
    },
  },
  canned_reply: {
    rows: many / 5,
    values: { ...ofBot, id: id('reply'), name: `'name ' || i`, text: `'reply'` },
  },
  message_feedback: {
    rows: many / 5,
    values: {
      ...ofBot,
      ...times,
      id: id('feedback'),
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      message_id: id('msg'),
      user_id: id('user', `i % ${many / 10}`),
      rating: rareOr(`'3'`, `case when i % 3 = 0 then 'negative' else 'positive' end`),
    },
  },
  event: {
    rows: many,
    values: {
      ...ofBot,
      created_at: at,
      id: id('evt'),
      type: rareOr(
        `'other:rare'`,
        `case when i % 10 = 9 then 'tg:added' else 'message_created' end`,
      ),
      payload: `case when i % 10 = 9 or ${isRare} then '{}'::jsonb end`,
      conversation_id: rareOr(id('conv'), id('conv', `i / ${messagesOfConversation}`)),
      user_id: id('user', `i % ${many / 10}`),
      message_id: rareOr('null', `case when i % 10 < 9 then ${id('msg')} end`),
      workflow_id: rareOr(id('wrkflow'), 'null'),
      status: `case i when ${rare} then 'failed' when 8 then 'pending' when 9 then 'ignored'
        when 10 then 'canceled' when 11 then 'scheduled' else 'processed' end`,
      due_at: `case i when 11 then now() end`,
    },
  },
  workflow: {
    rows: many / 10,
    values: {
      ...ofBot,
      ...times,
      id: id('wrkflow'),
      name: rareOr(`'rare'`, `'usual'`),
      status: `case i when ${rare} then 'failed' when 8 then 'pending' when 9 then 'in_progress'
        when 10 then 'listening' when 11 then 'paused' when 12 then 'timedout' when 13 then 'cancelled'
        else 'completed' end`,
      integration: rareOr(`'other'`, `'tg'`),
      conversation_id: id('conv'),
      user_id: id('user'),
      parent_workflow_id: rareOr(id('wrkflow', '1'), 'null'),
      timeout_at: at,
      tags,
    },
  },
  delivery: {
    rows: many / 50,
    values: {
      ...ofBot,
      created_at: at,
      dead_at: at,
      lane: id('conv', 'i / 2'),
      number: 'i',
      id: id('dlv'),
      kind: rareOr(`'message'`, `'event'`),
      subject_id: id('evt'),
      last_error: `'It failed'`,
      type: rareOr(`'rare'`, `'message_created'`),
      conversation_id: id('conv', 'i / 2'),
    },
  },
  tag_value: {
    rows: many / 10,
    values: {
      ...ofBot,
      kind: `(array['user', 'conversation', 'message'])[i % 3 + 1]`,
      key: `tag_key(case when i % 2 = 0 then 'tg:id' else 'tg:lang' end)`,
      value: `case when i % 2 = 0 then i::text else 'fr' end`,
      subject_id: id('user'),
    },
  },
}

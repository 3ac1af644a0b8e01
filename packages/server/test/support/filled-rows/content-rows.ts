// Rows of files, knowledge and tables.
import {
  at,
  type Fill,
  id,
  isRare,
  many,
  messagesOfConversation,
  none,
  ofBot,
  ofTag,
  ofTagValue,
  rare,
  rareId,
  rareOr,
  tags,
  times,
} from './columns.ts'

export const contentRows: Record<string, Fill> = {
  file: {
    rows: many / 20,
    values: {
      ...ofBot,
      ...times,
      id: id('file'),
      key: `'key ' || ${rareOr(`'rare'`, 'i::text')}`,
      content_type: `'text/plain'`,
      size: 'i % 1000',
      status: rareOr(`'indexing_failed'`, `'upload_completed'`),
      owner: `'{"type": "bot", "id": ""}'::jsonb`,
      access_policies: `case when i % 50 = 0 then '{integrations}' else '{public_content}' end::text[]`,
      tags: rareOr(`'{"kind": "rare"}'::jsonb`, `'{"kind": "usual"}'::jsonb`),
      index: isRare,
    },
  },
  // Two tags of each file.
  file_tag: {
    rows: many / 10,
    values: {
      ...ofBot,
      file_id: id('file', '(i + 1) / 2'),
      tag: ofTag,
      tag_key: `tag_key(${ofTag})`,
      value: ofTagValue,
      value_key: `tag_key(${ofTagValue})`,
    },
  },
  passage: {
    rows: many / 20,
    values: {
      ...ofBot,
      file_id: id('file', String(rare)),
      position: 'i',
      id: 'gen_random_uuid()',
      subtype: `'paragraph'`,
      content: `'Some words'`,
      tokens: '2',
      words: `'some words'::tsvector`,
    },
  },
  knowledge_base: {
    rows: 4_000,
    values: { ...ofBot, created_at: at, id: id('kb'), name: `'kb' || i`, tags },
  },
  knowledge_source: {
    rows: 20_000,
    values: {
      ...ofBot,
      created_at: at,
      id: id('ksource'),
      knowledge_base_id: rareOr(`'rare'`, `'usual'`),
      type: `'sitemap'`,
      url: `'https://example.org/' || i`,
      schedule: `'off'`,
      max_pages: '500',
      next_at: 'null',
    },
  },
  // The pages of the source with the rare values.
  // As many as a bot may have.
  curated_answer: {
    rows: 1_000,
    values: {
      ...ofBot,
      ...times,
      id: id('answer'),
      questions: `array['name ' || i]`,
      text: `'usual'`,
      language: rareOr(`'de'`, `'en'`),
    },
  },
  dismissed_question: {
    rows: many / 10,
    values: { ...ofBot, created_at: at, key: `'dismissed' || i` },
  },
  knowledge_check: {
    rows: 200,
    values: {
      ...ofBot,
      created_at: at,
      id: id('kcheck'),
      question: `'name ' || i`,
      expected_text: `'usual'`,
    },
  },
  missed_question: {
    rows: many / 10,
    values: {
      ...ofBot,
      created_at: at,
      answer_id: id('msg'),
      message_id: id('msg'),
      conversation_id: id('conv', `i / ${messagesOfConversation}`),
      key: `'key' || i % 1000`,
      text: `'name ' || i % 1000`,
      reason: `'unanswered'`,
    },
  },
  knowledge_page: {
    rows: many / 10,
    values: {
      ...ofBot,
      source_id: `'${rareId('ksource')}'`,
      url: `'https://example.org/' || lpad(i::text, 9, '0')`,
      status: rareOr(`'gone'`, `'fetched'`),
      is_pending: 'false',
      run: '1',
    },
  },
  table_row: {
    rows: many / 10,
    values: {
      ...ofBot,
      ...times,
      bot_table_id: ':table',
      row_id: `i + 1`,
      data: `jsonb_build_object(:column, ${rareOr(`'rare'`, `'A' || i`)})`,
    },
  },
  table_job: {
    rows: many / 20,
    values: {
      ...ofBot,
      ...times,
      bot_table_id: ':table',
      job_id: id('tabjob'),
      type: `case when i % 2 = 0 then 'import' else 'export' end`,
      status: `'completed'`,
      task: none,
    },
  },
}

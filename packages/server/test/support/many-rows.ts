// Fills the tables of a scene with up to a million rows, in seconds: without triggers and foreign
// keys, and with indexes that are built afterwards. Row `rare` of each table has rare
// values, and all other rows are newer, so a scan in the order of a listing finds it last.
import pg from 'pg'
import type { ConnectionSettings } from '../../src/core/db/database.ts'

export interface FilledScene {
  connection: ConnectionSettings
  botId: string
  workspaceId: string
  accountId: string
}

/** Rows of the largest tables. */
export const many = 1_000_000
/** Number of the row with the rare values. */
const rare = 7

/** An id of the usual length, which sorts by number. */
const id = (prefix: string, number = 'i') => `'${prefix}_' || lpad((${number})::text, 26, '0')`
export const rareId = (prefix: string) => `${prefix}_${String(rare).padStart(26, '0')}`
const at = `timestamptz '2026-01-01' + i * interval '1 second'`
const isRare = `i = ${rare}`
const rareOr = (value: string, usual: string) =>
  `case when ${isRare} then ${value} else ${usual} end`
const tags = rareOr(`'{"tg:id": "rare"}'::jsonb`, `'{"tg:lang": "fr"}'::jsonb`)

interface Fill {
  rows: number
  /** Expressions by column, of `i`, `:bot`, `:workspace` and `:account`. */
  values: Record<string, string>
}

const times = { created_at: at, updated_at: at }
const ofBot = { bot_id: ':bot' }
const ofWorkspace = { workspace_id: ':workspace' }
const none = `'{}'`

const packages = (prefix: string) => ({
  id: id(prefix),
  ...ofWorkspace,
  ...times,
  line_id: `'line'`,
  name: `'name' || i / 10`,
  version: `'0.0.' || i % 10`,
  rank: `lpad((i % 10)::text, 18, '0')`,
  visibility: `case when i % 100 = 7 then 'public' else 'private' end`,
  definition: none,
})

const ofTag = `case when i % 2 = 0 then 'kind' else 'kbId' end`
const ofTagValue = `case when (i + 1) / 2 = ${rare} then 'rare' else 'usual' end`

const messagesOfConversation = 10

/** A word as core/messaging/search/message-words.ts writes it. */
const lexeme = (word: string) =>
  `substring(encode(sha256(convert_to(:bot, 'UTF8')), 'hex') for 5) || ${word}`

const fills: Record<string, Fill> = {
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
  // The bot and one of the users participate.
  participant: {
    rows: many / 5,
    values: {
      ...ofBot,
      conversation_id: id('conv', '(i + 1) / 2'),
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
  analytics_count: {
    rows: many / 20,
    values: {
      ...ofBot,
      name: rareOr(`'rare'`, `'usual' || i % 10`),
      hour: `timestamptz '2026-01-01' + i / 10 * interval '1 hour'`,
      count: '1',
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
  bot: {
    rows: many / 20,
    values: {
      ...times,
      workspace_id: `case when i % 10 = 0 or ${isRare} then :workspace else ${id('wkspace')} end`,
      id: id('bot'),
      name: `'bot' || i`,
      signing_secret: `''`,
      dev: isRare,
      tags,
    },
  },
  installation: {
    rows: many / 50,
    values: {
      bot_id: id('bot'),
      alias: `'tg'`,
      integration_id: `case when ${isRare} then ${id('intver')} else :telegram end`,
      webhook_id: `'webhook' || i`,
      configuration: `''`,
    },
  },
  // Packages are made by hand, and few.
  integration: { rows: 2_000, values: packages('intver') },
  interface: { rows: 2_000, values: packages('ifver') },
  plugin: { rows: 2_000, values: packages('plugver') },
  account: {
    rows: many / 20,
    values: { id: id('accnt'), email: `'person' || i || '@example.com'` },
  },
  workspace: {
    rows: many / 20,
    values: {
      ...times,
      id: id('wkspace'),
      name: `'Workspace ' || i`,
      handle: `'handle' || i`,
      profile: rareOr(`'{"isPublic": true}'::jsonb`, none),
    },
  },
  workspace_member: {
    rows: many / 20,
    values: {
      created_at: at,
      workspace_id: `case when i % 2 = 0 then :workspace else ${id('wkspace')} end`,
      account_id: `case when i % 2 = 1 and i < 100 then :account else ${id('accnt')} end`,
      role: `case when i % 2 = 0 then 'viewer' else 'owner' end`,
    },
  },
  archive_job: {
    rows: many / 20,
    values: {
      created_at: at,
      ended_at: at,
      id: id('archive'),
      file_name: `'file' || i`,
      kind: `case when i % 2 = 0 then 'backup' else 'archive' end`,
      workspace_id: `case when i % 2 = 1 then :workspace end`,
      has_secrets: 'false',
      created_by: ':account',
      worker: `''`,
      host: `''`,
    },
  },
  invitation: {
    rows: many / 20,
    values: {
      created_at: at,
      expires_at: at,
      id: id('invite'),
      hash: `sha256(i::text::bytea)`,
      workspace_id: ':workspace',
      email: `'invited' || i || '@example.org'`,
      role: `'viewer'`,
      invited_by: ':account',
    },
  },
  session: {
    rows: many / 20,
    values: {
      created_at: at,
      expires_at: `now() + interval '1 day'`,
      ends_at: `now() + interval '1 day'`,
      id: id('session'),
      account_id: `case when i % 2 = 0 then :account else ${id('accnt')} end`,
      hash: `sha256(i::text::bytea)`,
      method: `'link'`,
      browser: `'Browser'`,
      address: `'127.0.0.1'`,
    },
  },
  audit_record: {
    rows: many / 20,
    values: {
      chain: ':workspace',
      number: 'i + 1000',
      at,
      account_id: ':account',
      ip: `'127.0.0.1'`,
      operation: `'updateBot'`,
      action: `'UPDATE_BOT'`,
      result: `case when i % 2 = 0 then 'done' else 'refused' end`,
      hash: `''`,
    },
  },
  bot_mcp_server: {
    rows: many / 100,
    values: {
      bot_id: rareOr(':bot', id('bot')),
      ...times,
      name: `'docs'`,
      url: `'https://mcp.example.org'`,
      enabled: 'true',
    },
  },
  sandbox_conversation: {
    rows: many / 100,
    values: {
      owner: `''`,
      integration: `'telegram'`,
      identifier: `'person' || i`,
      bot_id: rareOr(':bot', id('bot')),
      alias: `'tg'`,
    },
  },
  webhook_request: {
    rows: many / 100,
    values: {
      bot_id: rareOr(':bot', id('bot')),
      alias: `'tg'`,
      id: id('whreq'),
      at,
      method: `'POST'`,
      path: `'/'`,
      ms: '1',
      content: none,
    },
  },
  model_call: {
    rows: many / 20,
    values: {
      ...ofWorkspace,
      ...ofBot,
      id: id('mcall'),
      conversation_id: id('conv'),
      event_id: id('evt'),
      kind: `'text'`,
      model: `'model'`,
      provider: `'provider'`,
      fallback_path: none,
      input_tokens: '1',
      output_tokens: '1',
      cost: '0',
      ms: '1',
      cached: 'false',
      outcome: `'ok'`,
      created_at: at,
    },
  },
  usage_count: {
    rows: many / 20,
    values: {
      ...ofWorkspace,
      type: `(array['ai_spend', 'invocation_calls'])[i % 2 + 1]`,
      day: `date '2025-12-01' + i % 365`,
      bot_id: id('bot'),
      value: '1',
    },
  },
}

/** `parameters` are the values of `:chatUser` and the like. `maxRows` limits the rows. */
export async function fillTables(
  connection: ConnectionSettings,
  parameters: Record<string, string>,
  maxRows = { largest: many, others: many },
): Promise<void> {
  const maxOf = (table: string) =>
    table === 'conversation' || table === 'table_row' ? maxRows.largest : maxRows.others
  const tables = Object.entries(fills).map(
    ([name, { rows, values }]) => [name, { values, rows: Math.min(rows, maxOf(name)) }] as const,
  )
  // Two connections, one of which also runs the longest.
  await Promise.all([work(), work()])
  async function work() {
    const client = new pg.Client(connection)
    await client.connect()
    try {
      await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB';
        set synchronous_commit = off`)
      for (let next = tables.shift(); next; next = tables.shift())
        await fillTable(client, ...next, parameters)
    } finally {
      await client.end()
    }
  }
}

async function fillTable(
  client: pg.Client,
  table: string,
  { rows, values }: Fill,
  parameters: Record<string, string>,
) {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index where indrelid = $1::regclass
      and not exists (select from pg_constraint where conindid = indexrelid)`,
    [`"${table}"`],
  )
  const select = Object.values(values)
    .join(', ')
    .replaceAll(/(?<!:):([a-z]\w*)/gi, (_, name) => pg.escapeLiteral(parameters[name]!))
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  const columns = Object.keys(values).map((name) => `"${name}"`)
  await client.query(
    `insert into "${table}" (${columns.join(', ')}) select ${select} from generate_series(1, ${rows}) i`,
  )
  for (const { definition } of indexes) await client.query(definition)
  await client.query(`vacuum analyze "${table}"`)
}

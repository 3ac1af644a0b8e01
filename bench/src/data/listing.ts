// listMessages in conversations of very different sizes: a page must take the same time in all of
// them.
import type { Conversation, OpenChatServer } from '../chat.ts'
import { type DatabaseSettings, withClient } from '../database.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
} from '../report.ts'

interface Listed {
  server: OpenChatServer
  database: DatabaseSettings
  /** SQL that inserts the messages with numbers $2 to $3 into conversation $1. */
  fill: string
}

interface Subject {
  name: string
  size: number
  conversation: Conversation
  times: number[]
}

export async function measureListing(
  listed: Listed[],
  plan: { sizes: number[]; rounds: number; requests: number },
) {
  const subjects: Subject[] = []
  for (const { server, database, fill } of listed) {
    for (const size of plan.sizes) {
      progress(`filling a conversation of ${server.name} with ${size} messages`)
      const conversation = await server.openConversation()
      await conversation.postAsBot('the first')
      await withClient(database, (client) =>
        fillConversation(client, fill, conversation.id, size),
      )
      subjects.push({ name: server.name, size, conversation, times: [] })
    }
    await withClient(database, (client) => client.query('analyze message'))
  }
  progress('listMessages')
  for (let round = 0; round < plan.rounds; round++) {
    for (const { conversation, times } of shuffled(subjects)) {
      for (let request = 0; request < plan.requests; request++) {
        const from = performance.now()
        await conversation.listMessages()
        times.push(performance.now() - from)
      }
    }
  }
  const middle = (name: string, size: number) =>
    median(subjects.find((one) => one.name === name && one.size === size)!.times)
  const floor = listed[0]!.server.name
  printTable(
    'listMessages, the newest page',
    [
      '',
      'messages in the conversation',
      'p50 ms',
      'p99 ms',
      `relative to the smallest`,
      `relative to ${floor}`,
    ],
    subjects.map(({ name, size, times }) => [
      name,
      size.toLocaleString('en'),
      digits(median(times)),
      digits(quantile(times, 0.99)),
      ratio(median(times), middle(name, plan.sizes[0]!)),
      ratio(median(times), middle(floor, size)),
    ]),
  )
}

/** Inserts rows without foreign key checks, which would take long for a million rows. */
async function fillConversation(
  client: { query(text: string, values?: unknown[]): Promise<unknown> },
  fill: string,
  conversationId: string,
  size: number,
) {
  await client.query('set session_replication_role = replica')
  await client.query(fill, [conversationId, 2, size])
}

export const fillBare = `
  insert into message (id, conversation_id, user_id, number, direction, type, payload)
  select gen_random_uuid()::text, $1, 'ann', i, 'incoming', 'text',
    '{"type":"text","text":"What time is it over there?"}'
  from generate_series($2::bigint, $3::bigint) i`

export const fillServer = `
  with selected as (select bot_id, id, owner_id from conversation where id = $1),
  filled as (
    insert into message
      (bot_id, id, conversation_id, user_id, number, direction, type, payload, created_at, updated_at)
    select bot_id, 'msg_' || upper(replace(gen_random_uuid()::text, '-', '')), id, owner_id, i,
      'incoming', 'text', '{"text":"What time is it over there?"}', now() + i * interval '1 ms', now()
    from selected, generate_series($2::bigint, $3::bigint) i
  )
  update conversation set last_number = $3, message_count = $3
  where (bot_id, id) in (select bot_id, id from selected)`

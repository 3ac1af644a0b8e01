// Two bots with an integration each under the same alias: what tests of messaging begin with.
import { sql } from 'kysely'
import type { Db } from '../src/db/open.ts'

export const ours = 'bot_ours0000000000000000000000'
export const theirs = 'bot_theirs00000000000000000000'

const definition = {
  user: { tags: { id: {}, lang: {} } },
  channels: { dm: { messages: {}, conversation: { tags: { id: {}, room: {} } }, message: { tags: { id: {} } } }, group: { messages: {} } },
  events: {
    added: { schema: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] } },
  },
  actions: {
    add: { input: { schema: { type: 'object', required: ['x'] } }, output: { schema: { type: 'object' } } },
  },
}

export async function seedMessaging(db: Db) {
  await sql`insert into workspace (id, name) values ('w', 'W')`.execute(db)
  for (const botId of [ours, theirs]) {
    await sql`
      with made as (insert into bot (id, workspace_id, name, signing_secret) values (${botId}, 'w', ${botId}, '') returning id)
      insert into "user" (bot_id, id, name) select id, id, 'Bot' from made`.execute(db)
  }
  await sql`insert into integration (id, workspace_id, name, version, definition) values ('telegram-1', 'w', 'telegram', '1.0.0', ${JSON.stringify(definition)}::jsonb)`.execute(
    db,
  )
  for (const [botId, alias] of [
    [ours, 'tg'],
    [ours, 'other'],
    [theirs, 'tg'],
  ] as const) {
    await sql`
      insert into installation (bot_id, alias, integration_id, webhook_id, configuration)
      values (${botId}, ${alias}, 'telegram-1', ${`${botId}-${alias}`}, '')`.execute(db)
  }
}

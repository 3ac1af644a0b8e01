// Two bots with an integration each under the same alias: what tests of messaging begin with.
import { sql } from 'kysely'
import type { Db } from '../src/db/open.ts'

export const ours = 'bot_ours0000000000000000000000'
export const theirs = 'bot_theirs00000000000000000000'

const nothing = { tags: {}, creation: { enabled: false, requiredTags: [] } }

/** What the integration of these tests declares. */
export const telegram = {
  ...{ title: 'Telegram', description: '', iconUrl: '', readmeUrl: '', visibility: 'private', verificationStatus: 'approved', lifecycleStatus: 'published' },
  ...{ identifier: {}, configurations: {}, states: {}, entities: {}, interfaces: {}, attributes: {}, secrets: [] },
  configuration: { identifier: { required: false }, schema: {} },
  user: { tags: { id: {}, lang: {} }, creation: nothing.creation },
  channels: {
    dm: { messages: {}, conversation: { tags: { id: {}, room: {} }, creation: nothing.creation }, message: { tags: { id: {} } } },
    group: { messages: {}, conversation: nothing, message: { tags: {} } },
  },
  events: {
    added: { schema: { type: 'object', properties: { content: { type: 'string' } }, required: ['content'] } },
  },
  actions: {
    add: {
      input: { schema: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } },
      output: { schema: { type: 'object', properties: { y: { type: 'number' } } } },
    },
  },
}

export async function seedMessaging(db: Db) {
  await sql`insert into workspace (id, name) values ('w', 'W')`.execute(db)
  for (const botId of [ours, theirs]) {
    await sql`
      with made as (insert into bot (id, workspace_id, name, signing_secret) values (${botId}, 'w', ${botId}, '') returning id)
      insert into "user" (bot_id, id, name) select id, id, 'Bot' from made`.execute(db)
  }
  await sql`insert into integration (id, workspace_id, name, version, definition) values ('telegram-1', 'w', 'telegram', '1.0.0', ${JSON.stringify(telegram)}::jsonb)`.execute(
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

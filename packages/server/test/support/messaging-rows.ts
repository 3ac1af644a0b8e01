// Two bots, each with an integration under the same alias, as the base of messaging tests.
import { sql } from 'kysely'
import pino from 'pino'
import type { Db } from '../../src/core/db/database.ts'
import { openDatabase } from '../../src/core/db/open.ts'
import { createConversation } from '../../src/core/messaging/conversations.ts'
import type { NewMessage } from '../../src/core/messaging/messages/message-types.ts'
import { createMessageWriter } from '../../src/core/messaging/messages/message-writer.ts'
import { createUser } from '../../src/core/messaging/users.ts'
import type { Enqueued } from '../../src/core/queue/deliveries.ts'
import { cloneDatabase } from './database.ts'

export const ours = 'bot_ours0000000000000000000000'
export const theirs = 'bot_theirs00000000000000000000'

const nothing = { tags: {}, creation: { enabled: false, requiredTags: [] } }

/** The definition of the integration in these tests. */
export const telegram = {
  title: 'Telegram',
  description: '',
  iconUrl: '',
  readmeUrl: '',
  visibility: 'private',
  verificationStatus: 'approved',
  lifecycleStatus: 'published',
  identifier: {},
  configurations: {},
  entities: {},
  interfaces: {},
  attributes: {},
  secrets: [],
  configuration: { identifier: { required: false }, schema: {} },
  user: { tags: { id: {}, lang: {} }, creation: nothing.creation },
  channels: {
    dm: {
      messages: {},
      conversation: { tags: { id: {}, room: {} }, creation: nothing.creation },
      message: { tags: { id: {} } },
    },
    group: { messages: {}, conversation: nothing, message: { tags: {} } },
  },
  states: {
    memory: { type: 'conversation', schema: { type: 'object' } },
    profile: {
      type: 'user',
      schema: {
        type: 'object',
        properties: { lang: { type: 'string' } },
        additionalProperties: false,
      },
    },
    login: {
      type: 'integration',
      schema: {
        type: 'object',
        properties: { key: { type: 'string' } },
        required: ['key'],
      },
    },
  },
  events: {
    added: {
      schema: {
        type: 'object',
        properties: { content: { type: 'string' } },
        required: ['content'],
      },
    },
  },
  actions: {
    add: {
      input: {
        schema: {
          type: 'object',
          properties: { x: { type: 'number' } },
          required: ['x'],
        },
      },
      output: { schema: { type: 'object', properties: { y: { type: 'number' } } } },
    },
  },
}

export async function seedMessaging(db: Db) {
  await sql`insert into workspace (id, name) values ('w', 'W')`.execute(db)
  for (const botId of [ours, theirs]) {
    await sql`
      with made as (
        insert into bot (id, workspace_id, name, signing_secret) values (${botId}, 'w', ${botId}, '') returning id
      )
      insert into "user" (bot_id, id, name) select id, id, 'Bot' from made`.execute(db)
  }
  await sql`
    insert into integration (id, workspace_id, name, version, definition)
    values ('telegram-1', 'w', 'telegram', '1.0.0', ${JSON.stringify(telegram)}::jsonb)`.execute(
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

/** Opens the modules on a separate database, without a server. */
export async function openMessaging() {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  const { db } = database
  await seedMessaging(db)
  const dispatched: Enqueued[] = []
  const deliveries = {
    owner: 'worker_me',
    dispatch: (enqueued: Enqueued[]) => void dispatched.push(...enqueued),
  }
  const writer = createMessageWriter(database, deliveries, { publish: () => {} } as never)
  return {
    db,
    database,
    dispatched,
    deliveries,
    post: (
      message: Partial<NewMessage> & Pick<NewMessage, 'conversationId' | 'userId'>,
    ) =>
      writer.post({
        botId: ours,
        direction: 'incoming',
        type: 'text',
        payload: { text: 'hi' },
        ...message,
      }),
    newUser: (tags: Record<string, string> = {}) =>
      createUser(db, ours, 'tg', { integration: 'tg', tags }),
    newConversation: (tags: Record<string, string> = {}) =>
      createConversation(db, ours, 'tg', { integration: 'tg', channel: 'dm', tags }),
    async close() {
      await database.close()
      await clone.drop()
    },
  }
}
export type Messaging = Awaited<ReturnType<typeof openMessaging>>

/** Returns the type of the error of a rejected promise, or 'nothing'. */
export const toRejection = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'nothing',
    (error) => error.type,
  )

// The number of database statements per turn: one for the user's message, one for the bot's answer,
// and one for the outcomes of all turns that end together. Frequent reads take one prepared
// statement each, which also checks permissions. Cached rows are not read again.
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ChatPeople, Person } from '../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import type { Scene } from '../../../test/support/scene.ts'

let opened: RecordedScene
let scene: Scene
let bot: RecordingBot
let people: ChatPeople
/** Every statement that this process sends. */
const sent: string[] = []

beforeAll(async () => {
  opened = await openRecordedScene({ checkAnswers: false }, 10)
  ;({ scene, bot, people } = opened)
  bot.behave(async ({ conversationId, text }) => {
    const body = {
      conversationId,
      userId: scene.botId,
      type: 'text',
      tags: {},
      payload: { text: `${text}!` },
    }
    return (await scene.call('POST', '/v1/chat/messages', { headers: scene.asBot, body }))
      .status === 201
      ? 200
      : 500
  })
  spy()
})
afterAll(async () => {
  vi.restoreAllMocks()
  await opened?.close()
})

/** Statements of background jobs: the lease, free lanes, due work. */
const backgroundNames = [
  'worker-',
  'release-',
  'claim-lanes',
  'owned-lanes',
  'notify',
  'first-waits',
  'expire-states',
  'late-workflows',
  'handled-workflows',
  'keep-rates',
  'add-usage',
  'count-waiting',
  'begin',
  'commit',
]
const backgroundTexts = [
  'register_at',
  'expires_at',
  'remove_at',
  'computing_worker',
  'not_before',
  'indexing_',
  'insert into "bot_log"',
]
const isBackground = (statement: string) =>
  backgroundNames.some((name) => statement.startsWith(name)) ||
  backgroundTexts.some((text) => statement.includes(text))

/** Names of statements that carry settings along end with a digest. */
const toName = ({ name, text = '' }: { name?: string; text?: string }) =>
  name?.replace(/_[0-9a-f]{32}$/, '') || text

function spy() {
  const query = pg.Client.prototype.query as (...values: unknown[]) => unknown
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...values: unknown[]
  ) {
    const [query_] = values as [string | { name?: string; text?: string }]
    const statement = typeof query_ === 'string' ? query_ : toName(query_)
    if (!isBackground(statement)) sent.push(statement)
    return query.apply(this, values)
  } as never)
}

async function turn(person: Person, text: string) {
  const before = bot.received.length
  expect((await people.say(person, text)).status).toBe(201)
  await vi.waitFor(() =>
    expect(
      bot.received
        .slice(before)
        .filter(
          (received) =>
            received.conversationId === person.conversationId &&
            received.text === text &&
            received.status === 200,
        ),
    ).toHaveLength(1),
  )
}
/** Waits until the outcomes are recorded, which happens after the answer. */
const recorded = () =>
  vi.waitFor(() =>
    expect(
      (scene.app.services.deliveries as unknown as { stats: { lanes: number } }).stats
        .lanes,
    ).toBe(0),
  )

const tally = () => {
  const counts: Record<string, number> = {}
  for (const one of sent.splice(0)) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

test('a turn takes three statements', async () => {
  const [person] = people.people as [Person]
  await turn(person, 'warm')
  await recorded()
  tally()
  // Background statements may fall between. They only add to the count, so one turn with three
  // statements is enough.
  await vi.waitFor(
    async () => {
      await turn(person, 'hello')
      await recorded()
      expect(tally()).toEqual({
        'write-one-message-from-person': 1,
        'write-one-message-from-bot': 1,
        'record-outcome': 1,
      })
    },
    { timeout: 15_000, interval: 50 },
  )
})

test('concurrent turns share statements', async () => {
  await Promise.all(people.people.map((person) => turn(person, 'warm')))
  await recorded()
  tally()
  // A background statement may fall between, as above.
  await vi.waitFor(
    async () => {
      await Promise.all(people.people.map((person, i) => turn(person, `together ${i}`)))
      await recorded()
      const counts = tally()
      const count = (...names: string[]) =>
        names.reduce((sum, name) => sum + (counts[name] ?? 0), 0)
      const writing = [
        'write-one-message-from-person',
        'write-one-message-from-bot',
        'write-messages',
      ]
      const [outcome, outcomes] = ['record-outcome', 'record-simple-outcomes']
      expect([...writing, outcome, outcomes]).toEqual(
        expect.arrayContaining(Object.keys(counts)),
      )
      expect(count(...writing)).toBeLessThan(20)
      expect(count(outcome, outcomes)).toBeGreaterThan(0)
      expect(count(outcome, outcomes)).toBeLessThan(10)
    },
    { timeout: 15_000, interval: 50 },
  )
})

type Read = [operation: string, statement: string, path: (person: Person) => string]

const chatPath = (path: string) => `/chat/${scene.webhookId}${path}`
const asUser: Read[] = [
  ['chat.getUser', 'look-up-user', () => '/users/me'],
  [
    'chat.getConversation',
    'look-up-participation',
    ({ conversationId }) => `/conversations/${conversationId}`,
  ],
  ['chat.listConversations', 'list-own-conversations', () => '/conversations'],
  [
    'chat.listMessages',
    'list-chat-messages',
    ({ conversationId }) => `/conversations/${conversationId}/messages`,
  ],
]
const asBot: Read[] = [
  ['runtime.getUser', 'read-user', () => `/v1/chat/users/${scene.botId}`],
  [
    'runtime.getConversation',
    'read-conversation',
    ({ conversationId }) => `/v1/chat/conversations/${conversationId}`,
  ],
  [
    'runtime.listMessages',
    'list-messages',
    ({ conversationId }) => `/v1/chat/messages?conversationId=${conversationId}`,
  ],
]
const asMember: Read[] = [
  ['admin.getBot', 'view-bot', () => `/v1/admin/bots/${scene.botId}`],
]

/** Reads until no background statement falls between. */
async function expectOneStatement(
  statement: string,
  url: string,
  headers: Record<string, string>,
) {
  const read = async () =>
    expect((await scene.call('GET', url, { headers })).status).toBe(200)
  await read()
  await vi.waitFor(
    async () => {
      tally()
      await read()
      expect(tally()).toEqual({ [statement]: 1 })
    },
    { timeout: 15_000, interval: 50 },
  )
}

test.each(asUser)('%s takes the statement %s', async (_, statement, path) => {
  const [person] = people.people as [Person]
  await expectOneStatement(statement, chatPath(path(person)), {
    'x-user-key': person.key,
  })
})

test.each(asBot)('%s takes the statement %s', async (_, statement, path) => {
  await expectOneStatement(statement, path(people.people[0]!), scene.asBot)
})

test.each(asMember)('%s takes the statement %s', async (_, statement, path) => {
  await expectOneStatement(statement, path(people.people[0]!), scene.admin)
})

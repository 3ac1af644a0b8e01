// Kills the server at each step of a message: what people write reaches the bot once, and what the bot writes
// reaches people; twice only by a provider that recognizes no repetition, as docs/channels.md says.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BreakingProxy, openBreakingProxy } from '../support/breaking-proxy.ts'
import { cloneDatabase, type TestDatabase } from '../support/database.ts'
import { openRecordingBot, type RecordingBot } from '../support/recording-bot.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../support/running-server.ts'
import { installChannel, until } from './cases.ts'
import { type Discord, openDiscord } from './discord-stand-in.ts'
import type { Json, StandIn } from './stand-in.ts'
import { openTelegram, type Telegram } from './telegram-stand-in.ts'

let database: TestDatabase
let proxy: BreakingProxy
let server: RunningServer
let bot: RecordingBot
let telegram: Telegram
let discord: Discord

beforeAll(async () => {
  telegram = await openTelegram()
  discord = await openDiscord()
  database = await cloneDatabase()
  proxy = await openBreakingProxy(database.settings)
  bot = await openRecordingBot()
  server = await runServer({
    ...settingsOfMany({ ...database, settings: proxy.settings }),
    BOTSTEAD_RETRY_SECONDS: '0.05',
  })
  await setBotUrl(server, bot.url)
}, 90_000)
afterAll(async () => {
  await server?.remove()
  await proxy?.close()
  await database?.drop()
  await bot?.close()
  await telegram?.close()
  await discord?.close()
}, 60_000)

/** Calls the server as an owner, on its first bot. */
async function call(method: string, path: string, { body }: { body?: unknown } = {}) {
  const { url, token, botId, workspaceId } = server.credentials
  const reply = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-bot-id': botId,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: (await reply.json()) as Json }
}

const install = (name: string, { configuration }: StandIn) =>
  installChannel(
    {
      botId: server.credentials.botId,
      admin: {},
      call: (method, ...rest) => call(method!, ...rest),
    },
    name,
    configuration,
  )

async function write(alias: string, text: string): Promise<void> {
  const { body } = await call('GET', `/v1/chat/conversations?integrationName=${alias}`)
  const conversationId = body.conversations[0].id
  const { botId: userId } = server.credentials
  const message = { conversationId, userId, type: 'text', payload: { text }, tags: {} }
  expect((await call('POST', '/v1/chat/messages', { body: message })).status).toBe(201)
}

const received = (text: string) => bot.received.filter((one) => one.text === text)

interface Step {
  /** Of the statement at which the server is killed. */
  text: string
  after?: string
  /** The database executes the statement; the server does not learn it. */
  arrives: boolean
}

/** Kills the server at a statement that the action causes, and starts it again. */
async function killAt(step: Step, act: () => Promise<unknown>): Promise<void> {
  const { text, ...options } = step
  const killed = new Promise<void>((resolve) =>
    proxy.cutAt(text, {
      ...options,
      onCut: () => {
        process.kill(server.pid(), 'SIGKILL')
        resolve()
      },
    }),
  )
  await act()
  await killed
  await server.stop('SIGKILL')
  await server.start()
}

/** The record that a part was sent. */
const toRecord = (alias: string): string => `${alias}:parts`
const isReceived = 'insert into channel_activity as a (bot_id, alias, received_at)'

const steps = [
  ['before its record', false],
  ['after its record', true],
] as const

describe.each([
  { name: 'telegram', get: (): StandIn => telegram, isRepeated: true },
  // Discord recognizes the nonce of a repetition.
  { name: 'discord', get: (): StandIn => discord, isRepeated: false },
])('a message to $name', ({ name, get, isRepeated }) => {
  let standIn: StandIn
  beforeAll(async () => {
    standIn = get()
    await install(name, standIn)
    await standIn.say(`to ${name}`)
    await until(() => received(`to ${name}`).length === 1)
  }, 30_000)

  test.each(steps)(
    'the server is killed after the provider has taken it, %s',
    async (step, arrives) => {
      const before = standIn.shown().length
      await killAt({ text: toRecord(name), arrives }, () =>
        // The message is stored, although the answer may be lost.
        write(name, `first, ${step}`).catch(() => {}),
      )
      await write(name, `second, ${step}`)
      await until(() => standIn.shown().at(-1)?.text === `second, ${step}`)
      const texts = standIn.shown().slice(before)
      const expected = [`first, ${step}`, `second, ${step}`]
      if (isRepeated && !arrives) expected.unshift(`first, ${step}`)
      expect(texts.map(({ text }) => text)).toEqual(expected)
    },
    60_000,
  )
})

describe.each([
  { way: 'a poll', receiveBy: 'connection' },
  { way: 'a webhook', receiveBy: 'webhook' },
])('a message by $way', ({ way, receiveBy }) => {
  beforeAll(async () => {
    telegram.configuration.receiveBy = receiveBy
    await install('telegram', telegram)
    await telegram.say(`to ${way}`)
    await until(() => received(`to ${way}`).length === 1)
  }, 30_000)

  test.each([
    ['within the transaction', { text: isReceived, arrives: false }],
    ['before the commit', { text: 'commit', after: isReceived, arrives: false }],
    ['after the commit', { text: 'commit', after: isReceived, arrives: true }],
  ])(
    'the server is killed %s',
    async (when, step) => {
      const texts = [`first by ${way}, ${when}`, `second by ${way}, ${when}`]
      // A provider repeats a call that has failed.
      await killAt(step, () => telegram.say(texts[0]!).catch(() => {}))
      if (receiveBy === 'webhook') await telegram.repeat()
      await telegram.say(texts[1]!)
      await until(() => received(texts[1]!).length > 0)
      const events = bot.received.filter(({ text }) => texts.includes(text))
      expect(events.map(({ text }) => text)).toEqual(texts)
    },
    60_000,
  )
})

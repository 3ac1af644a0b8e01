// A bot made with the official SDK and a compiled-in plugin, deployed like with the official
// command line. The plugin's actions, events, states, tags and hooks work under the names that the
// SDK gives them. Through an interface the plugin uses an integration that has other names.
import type { PluginDefinition } from '@botpress/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type CodeAtUrl, openCodeServer } from '../../../../test/support/code-at-url.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { support, ticketing } from '../../../../test/support/sdk-plugin/definition.ts'
import { bundled, packageBody } from '../../../../test/support/sdk-sources.ts'

let scene: Scene
/** Long enough for a busy machine. */
const patient = { interval: 50, timeout: 40_000 }
vi.setConfig({ testTimeout: 60_000 })

const admin = async (line: string, body?: unknown) => {
  const [method, path] = line.split(' ') as ['GET', string]
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const reply = await scene.call(method, `/v1/admin/${path}`, {
    headers,
    ...(body !== undefined && { body }),
  })
  expect([line, reply.status, reply.body]).toEqual([line, 200, reply.body])
  return reply.body
}
const update = async (body: object) => (await admin(`PUT bots/${scene.botId}`, body)).bot

/** Requests to the integration's own process. */
const requests: { operation: unknown; body: { type: string; input: unknown } }[] = []
let desk: CodeAtUrl

/** The parts of a plugin that `bp deploy` sends: the whole package as its author has it. */
const toPackage = ({ recurringEvents, props }: PluginDefinition) => ({
  definition: { recurringEvents, props },
  implementation: Buffer.from('code').toJSON(),
})

let integrationId: string
let pluginId: string
const schema = (properties: object) => ({
  type: 'object',
  properties,
  additionalProperties: false,
})
const whole = schema({ id: { type: 'string' }, urgent: { type: 'boolean' } })
const installation = () => ({
  ...toPackage(support as never),
  id: pluginId,
  configuration: { greeting: 'hello' },
  interfaces: {
    desk: {
      integrationId,
      integrationAlias: 'helpdesk',
      integrationInterfaceAlias: 'ticketing<case>',
    },
  },
  integrations: {},
})

beforeAll(async () => {
  desk = await openCodeServer(({ operation, body }) => {
    if (operation === 'action_triggered') requests.push({ operation, body })
    return { body: { output: { opened: 'case 7' } } }
  })
  const code = await bundled('sdk-plugin/bot.ts')
  scene = await openScene()
  await scene.listen()
  const made = await admin('POST interfaces', {
    name: ticketing.name,
    version: ticketing.version,
    ...packageBody(ticketing as never),
    public: true,
  })
  const url = `${desk.url}/`
  const open = {
    input: { schema: schema({ ticket: whole }) },
    output: { schema: schema({ opened: { type: 'string' } }) },
  }
  const parts = {
    entities: { ticket: { name: 'case' } },
    actions: { openTicket: { name: 'openCase' } },
  }
  const cases = {
    name: 'cases',
    version: '1.0.0',
    url,
    entities: { case: { schema: whole } },
    actions: { openCase: open },
  }
  integrationId = (
    await admin('POST integrations', {
      ...cases,
      interfaces: { 'ticketing<case>': { id: made.interface.id, ...parts } },
    })
  ).integration.id
  const plugin = {
    name: support.name,
    version: support.version,
    code: { node: 'x', browser: 'x' },
    ...packageBody(support as never),
  }
  const published = await admin('POST plugins', {
    ...plugin,
    dependencies: { interfaces: { desk: { id: made.interface.id } } },
  })
  pluginId = published.plugin.id
  const bot = await update({
    code,
    integrations: { helpdesk: { integrationId, enabled: true } },
    plugins: { support: installation() },
  })
  expect(bot.integrations.helpdesk.status).toBe('registered')
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await desk?.close()
})

test("the bot's definition includes the plugin's, with the integration's entities", async () => {
  const { bot } = await admin(`GET bots/${scene.botId}`)
  expect(bot.actions['support#open'].input.schema.properties.ticket.properties).toEqual(
    whole.properties,
  )
  expect([Object.keys(bot.states), Object.keys(bot.events)]).toEqual([
    ['support#memory'],
    ['support#asked'],
  ])
  expect(
    [bot.user.tags, bot.conversation.tags, bot.message.tags].map((tags) =>
      Object.keys(tags),
    ),
  ).toEqual([['support#rank'], ['support#topic'], ['support#mood']])
  expect(bot.recurringEvents).toMatchObject({
    'support#monthly': {
      type: 'support#asked',
      payload: { about: 'the month' },
      schedule: { cron: '0 0 1 * *' },
    },
  })
})

test("a message passes the plugin's hook and handler, with its state, tags and event", async () => {
  const { headers, id: userId } = await scene.chatUser({ name: 'Ann' })
  const { body: made } = await scene.call(
    'POST',
    `/chat/${scene.webhookId}/conversations`,
    {
      headers,
      body: {},
    },
  )
  const conversationId: string = made.conversation.id
  const say = (text: string) =>
    scene.call('POST', `/chat/${scene.webhookId}/messages`, {
      headers,
      body: { conversationId, payload: { type: 'text', text } },
    })
  const received = async (): Promise<unknown[]> => {
    const { body } = await scene.call(
      'GET',
      `/chat/${scene.webhookId}/conversations/${conversationId}/messages`,
      { headers },
    )
    const texts = body.messages
      .map(({ payload }: { payload: { text: string } }) => payload.text)
      .filter((text: string) => text.startsWith('{'))
    return texts.map((text: string) => JSON.parse(text)).reverse()
  }
  await say('tea')
  await expect.poll(received, patient).toHaveLength(2)
  expect(await received()).toEqual(
    expect.arrayContaining([
      { act: 'message', result: ['hello', 'tea!', { words: 1 }] },
      { act: 'event', result: ['support#asked', { about: 'tea!' }] },
    ]),
  )
  await say('cake')
  await expect
    .poll(received, patient)
    .toContainEqual({ act: 'message', result: ['hello', 'cake!', { words: 2 }] })

  const asBot = async (path: string) =>
    (await scene.call('GET', `/v1/chat/${path}`, { headers: scene.asBot })).body
  const { conversations } = await asBot('conversations?tags.support%23topic=tea')
  expect(conversations).toMatchObject([{ tags: { 'support#topic': 'tea' } }])
  const { users } = await asBot('users?tags.support%23rank=first')
  expect(users).toMatchObject([{ name: 'Ann', tags: { 'support#rank': 'first' } }])
  expect(userId).toBeDefined()
  const state = await asBot(`states/conversation/${conversations[0].id}/support%23memory`)
  expect(state.state.payload).toEqual({ words: 2 })
})

const perform = (type: string, input: object) =>
  scene.call('POST', '/v1/chat/actions', { headers: scene.asBot, body: { type, input } })
const opened = [200, { output: { opened: 'case 7' }, meta: { cached: false } }]

test("the plugin's action is called by its name in the bot, and calls the integration's action", async () => {
  requests.length = 0
  const { status, body } = await perform('support#open', {
    ticket: { id: '1', urgent: true },
  })
  expect([status, body]).toEqual(opened)
  expect(requests.map((one) => one.body)).toEqual([
    { type: 'openCase', input: { ticket: { id: '1', urgent: true } } },
  ])
})

test.each([
  ['helpdesk:openCase', opened],
  ['helpdesk:openTicket', opened],
  ['support#desk:openTicket', opened],
  ['support#desk:openCase', opened],
  ['helpdesk:constructor', [400, 'ReferenceNotFound']],
  ['support#desk:nothing', [400, 'ReferenceNotFound']],
  ['support#nothing:openTicket', [400, 'ReferenceNotFound']],
  ['unknown#desk:openTicket', [400, 'ReferenceNotFound']],
])('calls or rejects %s', async (type, expected) => {
  const { status, body } = await perform(type, { ticket: { id: '1' } })
  expect([status, status === 200 ? body : body.type]).toEqual(expected)
})

test.each([
  [
    'an action',
    () => perform('support#open', { ticket: 'none' }),
    [400, 'InvalidPayload'],
  ],
  [
    'a state',
    () =>
      scene.call(
        'POST',
        `/v1/chat/states/conversation/${newConversation}/support%23memory`,
        {
          headers: scene.asBot,
          body: { payload: { words: 'x' } },
        },
      ),
    [400, 'InvalidDataFormat'],
  ],
  [
    'a state of another type',
    () =>
      scene.call('POST', `/v1/chat/states/bot/${scene.botId}/support%23memory`, {
        headers: scene.asBot,
        body: { payload: { words: 1 } },
      }),
    [400, 'InvalidPayload'],
  ],
] as const)(
  'validates %s by the definition of the plugin',
  async (_, attempt, expected) => {
    newConversation = (
      await scene.call('POST', '/v1/chat/conversations', {
        headers: { ...scene.asBot, 'x-integration-alias': 'chat' },
        body: { channel: 'channel', tags: {} },
      })
    ).body.conversation.id
    const { status, body } = await attempt()
    expect([status, body.type]).toEqual(expected)
  },
)
let newConversation: string

test("keeps the plugin's definitions when the next deployment sends null for them", async () => {
  const { bot: before } = await admin(`GET bots/${scene.botId}`)
  const gone = (names: string[]) => Object.fromEntries(names.map((name) => [name, null]))
  const after = await update({
    actions: gone(['support#open']),
    states: gone(['support#memory']),
    events: gone(['support#asked']),
    recurringEvents: gone(['support#monthly']),
    user: { tags: gone(['support#rank']) },
    conversation: { tags: gone(['support#topic']) },
    message: { tags: gone(['support#mood']) },
    plugins: { support: installation() },
  })
  expect({ ...after, updatedAt: 0, plugins: 0 }).toEqual({
    ...before,
    updatedAt: 0,
    plugins: 0,
  })
  expect((await perform('support#open', { ticket: { id: '2' } })).status).toBe(200)
})

test('versions of the bot and documents include the plugin and its interfaces', async () => {
  const before = (await admin(`GET bots/${scene.botId}`)).bot
  const { version } = await admin(`POST bots/${scene.botId}/versions`, {
    name: 'with the plugin',
  })
  const document = await admin(`GET bots/${scene.botId}/bot-json`)
  expect(document.plugins).toEqual({
    support: {
      id: pluginId,
      name: 'support',
      version: '1.0.0',
      enabled: true,
      integrations: {},
      interfaces: {
        desk: {
          integrationAlias: 'helpdesk',
          integrationInterfaceAlias: 'ticketing<case>',
        },
      },
      recurringEvents: {
        monthly: {
          type: 'asked',
          payload: { about: 'the month' },
          schedule: { cron: '0 0 1 * *' },
        },
      },
    },
  })
  const same = ({
    plugins,
    ...bot
  }: {
    plugins: { support: object }
    [key: string]: unknown
  }) => ({
    actions: bot.actions,
    states: bot.states,
    events: bot.events,
    recurringEvents: bot.recurringEvents,
    user: bot.user,
    ...plugins.support,
    updatedAt: 0,
  })
  await admin(`POST bots/${scene.botId}/publish-from-bot-json`, { botJson: document })
  expect(same((await admin(`GET bots/${scene.botId}`)).bot)).toEqual(same(before))

  const { plugins: _plugins, ...without } = document
  await admin(`POST bots/${scene.botId}/publish-from-bot-json`, { botJson: without })
  expect((await admin(`GET bots/${scene.botId}`)).bot).toMatchObject({
    plugins: {},
    recurringEvents: {},
  })
  await admin(`POST bots/${scene.botId}/versions/deploy`, { versionId: version.id })
  const again = (await admin(`GET bots/${scene.botId}`)).bot
  expect({ ...same(again), createdAt: 0 }).toEqual({ ...same(before), createdAt: 0 })

  const other = {
    ...document,
    plugins: { support: { ...document.plugins.support, version: '9.0.0' } },
  }
  const reply = await scene.call(
    'POST',
    `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
    {
      headers: scene.admin,
      body: { botJson: other },
    },
  )
  expect([reply.status, reply.body.metadata?.problems]).toEqual([
    400,
    [{ pointer: '/plugins/support', message: expect.stringContaining('support@9.0.0') }],
  ])
})

test('the integration behind a plugin cannot be removed', async () => {
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const reply = await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers,
    body: { integrations: { helpdesk: null } },
  })
  expect([reply.status, reply.body.type]).toEqual([409, 'ReferenceConstraint'])
  expect(
    (await admin(`GET bots/${scene.botId}`)).bot.integrations.helpdesk,
  ).toMatchObject({
    status: 'registered',
    enabled: true,
  })
})

test('removing the plugin removes its definitions', async () => {
  const bot = await update({
    plugins: { support: null },
    integrations: { helpdesk: null },
  })
  expect(bot.integrations.helpdesk).toBeUndefined()
  expect([
    bot.actions,
    bot.states,
    bot.events,
    bot.recurringEvents,
    bot.user.tags,
  ]).toEqual([{}, {}, {}, {}, {}])
  const rows = await scene.app.services.db
    .selectFrom('recurring_event')
    .select('key')
    .execute()
  expect(rows).toEqual([])
})

test('versions and documents restore plugins with their integrations', async () => {
  await update({
    integrations: { helpdesk: { integrationId, enabled: true } },
    plugins: { support: installation() },
  })
  const stateOfPlugin = async () => {
    const { bot } = await admin(`GET bots/${scene.botId}`)
    const { createdAt: _made, updatedAt: _changed, ...plugin } = bot.plugins.support ?? {}
    const { actions, states, events, recurringEvents } = bot
    return {
      plugin,
      installed: Object.keys(bot.integrations),
      actions,
      states,
      events,
      recurringEvents,
    }
  }
  const before = await stateOfPlugin()
  expect([
    before.plugin.configuration,
    Object.keys(before.recurringEvents).length > 0,
  ]).toEqual([{ greeting: 'hello' }, true])
  const { version } = await admin(`POST bots/${scene.botId}/versions`, {
    name: 'with plugin',
  })
  const document = await admin(`GET bots/${scene.botId}/bot-json`)
  expect(document.plugins.support).toMatchObject({
    name: support.name,
    version: support.version,
    interfaces: { desk: { integrationAlias: 'helpdesk' } },
  })
  expect(document.plugins.support).not.toHaveProperty('configuration')

  await update({ plugins: { support: null }, integrations: { helpdesk: null } })
  expect((await stateOfPlugin()).plugin).toEqual({})
  await admin(`POST bots/${scene.botId}/versions/deploy`, { versionId: version.id })
  expect(await stateOfPlugin()).toEqual(before)
  await admin(`POST bots/${scene.botId}/publish-from-bot-json`, { botJson: document })
  expect(await stateOfPlugin()).toEqual(before)

  const { plugins: _plugins, ...bare } = document
  await admin(`POST bots/${scene.botId}/publish-from-bot-json`, {
    botJson: { ...bare, integrations: {} },
  })
  expect(await stateOfPlugin()).toMatchObject({ plugin: {}, installed: [] })
  const headers = { ...scene.admin }
  const body = {
    botJson: {
      kind: 'bot',
      version: 1,
      plugins: { 'a/b': { name: 'unknown', version: '1.0.0', enabled: true } },
    },
  }
  const refused = await scene.call(
    'POST',
    `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
    {
      headers,
      body,
    },
  )
  expect(refused.body.metadata.problems).toMatchObject([{ pointer: '/plugins/a~1b' }])
})

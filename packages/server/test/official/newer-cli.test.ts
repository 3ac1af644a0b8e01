// A command line newer than that of npm deploys an interface, two integrations, a plugin, and a bot
// that uses all of them.
import { Client as ChatClient } from '@botpress/chat'
import { Client } from '@botpress/client'
import { BotDefinition, z } from '@botpress/sdk'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { archive, doorbell, keeper, librarian } from '../support/newer-cli/definitions.ts'
import { openNewerCli } from '../support/newer-cli.ts'
import { openScene, type Scene } from '../support/scene.ts'
import { bundled } from '../support/sdk-sources.ts'

let scene: Scene
let apiUrl: string
let client: Client
let cli: ReturnType<typeof openNewerCli>
let keeperId: string
let botId: string
/** Long enough for a busy machine. */
const soon = { interval: 50, timeout: 40_000 }
vi.setConfig({ testTimeout: 60_000 })

beforeAll(async () => {
  scene = await openScene()
  apiUrl = await scene.listen()
  client = new Client({
    apiUrl,
    token: scene.token,
    workspaceId: scene.workspaceId,
    headers: { 'x-multiple-integrations': 'true' },
  })
  cli = openNewerCli(client)
}, 60_000)
afterAll(() => scene?.close())

test('deploys an interface twice', async () => {
  keeperId = await cli.deployInterface(keeper)
  expect(await cli.deployInterface(keeper)).toBe(keeperId)
  expect(await cli.find.interface({ name: 'keeper', version: '0.1.0' })).toMatchObject({
    id: keeperId,
    public: true,
  })
})

test('validates and deploys integrations twice, and keeps secrets in the next version', async () => {
  const code = await bundled('newer-cli/archive.ts')
  const secrets = { KEY: 'brass' }
  const tried = await cli.deployIntegration(archive(keeperId), {
    code,
    secrets,
    dryRun: true,
  })
  expect(tried.known).toBeUndefined()
  expect(
    await cli.find.integration({ name: 'archive', version: '1.0.0' }),
  ).toBeUndefined()
  const { id } = await cli.deployIntegration(archive(keeperId), { code, secrets })
  expect(await cli.deployIntegration(archive(keeperId), { code, dryRun: true })).toEqual({
    id,
    known: ['KEY'],
  })
  expect(await cli.deployIntegration(archive(keeperId), { code })).toEqual({
    id,
    known: ['KEY'],
  })
  const next = await cli.deployIntegration(archive(keeperId, '1.1.0'), { code })
  expect(next.known).toEqual(['KEY'])
  expect((await cli.find.integration({ name: 'archive', version: 'latest' }))?.id).toBe(
    next.id,
  )
  const { integrations } = await client.listIntegrations({ interfaceId: keeperId })
  expect(new Set(integrations.map((one) => one.id))).toEqual(new Set([id, next.id]))
  await cli.deployIntegration(doorbell, { code: await bundled('newer-cli/doorbell.ts') })
})

test('deploys a plugin twice', async () => {
  const code = await bundled('newer-cli/librarian.ts')
  const id = await cli.deployPlugin(librarian(keeperId), code)
  expect(await cli.deployPlugin(librarian(keeperId), code)).toBe(id)
  expect(await client.getPluginCode({ id, platform: 'node' })).toEqual({ code })
})

/** Packages as `bp add` writes them to the project. */
async function definition({ room = 'cellar' }: { room?: string } = {}) {
  const integration = async (name: string, version: string, of: unknown) => {
    const { id } = (await cli.find.integration({ name, version }))!
    return { type: 'integration', name, version, id, definition: of } as never
  }
  return new BotDefinition({
    attributes: { team: 'reading' },
    user: { tags: { vip: { title: 'VIP' } } },
    states: { session: { type: 'conversation', schema: z.object({ step: z.number() }) } },
    events: { reminder: { schema: z.object({ about: z.string() }) } },
    recurringEvents: {
      monthly: {
        type: 'reminder',
        payload: { about: 'rent' },
        schedule: { cron: '0 0 1 * *' },
      },
    },
  })
    .addIntegration(await integration('archive', '1.1.0', archive(keeperId, '1.1.0')), {
      alias: 'papers',
      enabled: true,
      configuration: { room },
    } as never)
    .addIntegration(await integration('doorbell', '0.3.0', doorbell), {
      enabled: true,
      configuration: {},
    } as never)
    .addIntegration(
      {
        type: 'integration',
        name: 'chat',
        version: '1.0.0',
        definition: { name: 'chat', version: '1.0.0' },
      } as never,
      {
        enabled: true,
        configuration: {} as never,
      },
    )
    .addPlugin(
      {
        type: 'plugin',
        name: 'librarian',
        version: '0.1.0',
        definition: librarian(keeperId) as never,
        implementation: Buffer.from('compiled in'),
      } as never,
      {
        configuration: { shelf: 'shelf 7' },
        dependencies: {
          keeper: {
            integrationAlias: 'papers',
            integrationInterfaceAlias: 'keeper<paper>',
          },
        },
      } as never,
    )
}

const deployed = {
  integrations: {
    papers: { status: 'registered' },
    doorbell: { status: 'registered' },
    chat: { enabled: true },
  },
  plugins: { librarian: { enabled: true, configuration: { shelf: 'shelf 7' } } },
  actions: {
    'librarian#store': {
      input: { schema: { properties: { item: { properties: { id: {}, title: {} } } } } },
    },
  },
  states: { session: {}, 'librarian#stored': {} },
  conversation: { tags: { 'librarian#topic': {} } },
  tags: { team: 'reading' },
}

test('deploys a bot with all of them twice', async () => {
  const code = await bundled('newer-cli/bot.ts')
  const bot = await cli.deployBot(await definition(), { code, secrets: { MOOD: 'good' } })
  botId = bot.id
  expect(bot).toMatchObject({ ...deployed, secrets: ['MOOD'] })
  const { createdAt: _, ...papers } = bot.integrations.papers!
  const again = await cli.deployBot(await definition(), { botId, code })
  expect(again).toMatchObject({ ...deployed, secrets: ['MOOD'] })
  expect(again.integrations.papers!.webhookId).toBe(papers.webhookId)
  expect(Object.keys(again.actions)).toEqual(Object.keys(bot.actions))
})

test('answers in the chat through its plugin and the implementation of the interface', async () => {
  const { integrations } = (await client.getBot({ id: botId })).bot
  const chat = await ChatClient.connect({
    apiUrl: `${apiUrl}/chat/${integrations.chat!.webhookId}`,
  })
  const { conversation } = await chat.createConversation({})
  const listener = await chat.listenConversation({ id: conversation.id })
  const heard: unknown[] = []
  listener.on('message_created', ({ payload, isBot }) => isBot && heard.push(payload))
  await chat.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 'A map' },
  })
  await expect
    .poll(() => heard, soon)
    .toEqual([{ type: 'text', text: 'A map (brass) is on shelf 7' }])
  await listener.disconnect()
})

test('answers a webhook of a third party', async () => {
  const { integrations } = (await client.getBot({ id: botId })).bot
  const reply = await fetch(integrations.doorbell!.webhookUrl, {
    method: 'POST',
    body: 'A bell',
  })
  const conversationId = await reply.text()
  expect([reply.status, conversationId]).toEqual([200, expect.stringContaining('conv_')])
  const asBot = new Client({ apiUrl, token: scene.token, botId })
  const texts = async () =>
    (await asBot.listMessages({ conversationId })).messages.map(
      ({ direction, payload, tags }) => [direction, payload.text, tags],
    )
  await expect.poll(texts, soon).toEqual([
    ['outgoing', 'A bell (brass) is on shelf 7', { 'doorbell:posted': 'yes' }],
    ['incoming', 'A bell', {}],
  ])
})

test('deploys the bot and reports an integration that fails to register', async () => {
  const bot = await cli.deployBot(await definition({ room: 'none' }), { botId })
  expect(bot.integrations.papers).toMatchObject({
    status: 'registration_failed',
    statusReason: expect.stringContaining('There is no such room'),
  })
  expect(
    (await cli.deployBot(await definition(), { botId })).integrations.papers,
  ).toMatchObject({
    status: 'registered',
  })
})

test('keeps packages in use, and deletes those that the definition no longer lists', async () => {
  const { id } = (await cli.find.integration({ name: 'archive', version: '1.1.0' }))!
  await expect(client.deleteIntegration({ id })).rejects.toMatchObject({
    code: 409,
    type: 'ReferenceConstraint',
  })
  const bare = await cli.deployBot(new BotDefinition({}), { botId })
  expect(bare).toMatchObject({
    integrations: {},
    plugins: {},
    states: {},
    actions: {},
    events: {},
    recurringEvents: {},
    user: { tags: {} },
    tags: { team: 'reading' },
  })
  await client.deleteIntegration({ id })
  await expect(client.getIntegration({ id })).rejects.toMatchObject({
    code: 404,
    type: 'ResourceNotFound',
  })
})

// Requests and responses of the newest official client beyond API version 1.82.0.
import { billing, Client } from '@botpress/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
let client: Client
let asBot: Client

beforeAll(async () => {
  scene = await openScene()
  const common = {
    apiUrl: await scene.listen(),
    token: scene.token,
    retry: { retries: 0 },
  }
  client = new Client({
    ...common,
    workspaceId: scene.workspaceId,
    headers: { 'x-multiple-integrations': 'true' },
  })
  asBot = new Client({ ...common, botId: scene.botId })
})
afterAll(() => scene?.close())

const listed = async (query: Parameters<Client['list']['bots']>[0]) =>
  (await client.list.bots(query).collect()).map(({ name }) => name).sort()

describe('bots', () => {
  test('have the type studio unless createBot or updateBot sets another', async () => {
    const { bot } = await client.createBot({
      name: 'typed',
      type: 'adk',
      tags: { typed: 'yes' },
    })
    expect(bot.type).toBe('adk')
    expect((await client.updateBot({ id: bot.id, description: 'same' })).bot.type).toBe(
      'adk',
    )
    expect((await client.updateBot({ id: bot.id, type: 'desk' })).bot.type).toBe('desk')
    expect((await client.getBot({ id: bot.id })).bot.type).toBe('desk')
    expect((await client.listBots({ tags: { typed: 'yes' } })).bots).toMatchObject([
      { type: 'desk' },
    ])
    expect((await client.getBot({ id: scene.botId })).bot.type).toBe('studio')
    await expect(client.createBot({ type: 'other' as never })).rejects.toMatchObject({
      type: 'InvalidPayload',
    })
  })

  test('are listed by the names of installed integrations and plugins, page by page', async () => {
    const { integration } = await client.createIntegration({
      name: 'rain',
      version: '1.0.0',
    })
    const { plugin } = await client.createPlugin({
      name: 'umbrella',
      version: '1.0.0',
      code: { node: '', browser: '' },
    })
    const installed = { rain: { integrationId: integration.id, enabled: false } }
    for (let i = 0; i < 3; i++) {
      const { bot } = await client.createBot({ name: `rainy ${i}` })
      await client.updateBot({ id: bot.id, integrations: { ...installed, chat: null } })
      if (i === 0)
        await client.updateBot({ id: bot.id, plugins: { umbrella: { id: plugin.id } } })
    }
    const rainy = ['rainy 0', 'rainy 1', 'rainy 2']
    expect(await listed({ integrationNames: ['rain'], pageSize: 2 })).toEqual(rainy)
    expect(await listed({ integrationNames: ['chat'] })).not.toContain('rainy 1')
    expect(await listed({ integrationNames: ['chat', 'rain'] })).toEqual(
      expect.arrayContaining(rainy),
    )
    expect(await listed({ pluginNames: ['umbrella'] })).toEqual(['rainy 0'])
    expect(
      await listed({ integrationNames: ['chat'], pluginNames: ['umbrella'] }),
    ).toEqual([])
    expect(await listed({ integrationNames: ["'; drop table bot --"] })).toEqual([])
    const { meta } = await client.listBots({ integrationNames: ['rain'], pageSize: 2 })
    await expect(
      client.listBots({ integrationNames: ['chat'], nextToken: meta.nextToken }),
    ).rejects.toMatchObject({ type: 'InvalidQuery' })
  })
})

test('createWorkspaceMember accepts sendEmail and sends no e-mail', async () => {
  const added = await client.createWorkspaceMember({
    email: 'newer@example.org',
    role: 'viewer',
    sendEmail: true,
  })
  expect(added).toMatchObject({ email: 'newer@example.org', role: 'viewer' })
})

test('returns the expiry of a state only if it has one', async () => {
  const owner = { type: 'bot', id: scene.botId } as const
  const before = Date.now()
  const { state } = await asBot.setState({
    ...owner,
    name: 'short',
    payload: {},
    expiry: 60_000,
  })
  expect(state.expiry).toBe(60_000)
  expect(Date.parse(state.expiresAt!)).toBeGreaterThanOrEqual(before + 59_000)
  expect((await asBot.getState({ ...owner, name: 'short' })).state).toEqual(state)
  const { state: lasting } = await asBot.setState({ ...owner, name: 'long', payload: {} })
  expect(lasting).not.toHaveProperty('expiry')
  expect(lasting).not.toHaveProperty('expiresAt')
})

describe('billing', () => {
  const accounts = () =>
    new billing.Client({
      apiUrl: client.config.apiUrl,
      token: scene.token,
      workspaceId: scene.workspaceId,
      retry: { retries: 0 },
    })

  test('has a free plan, and rejects orders by name', async () => {
    const { plan } = await accounts().getSubscription({})
    expect(Date.parse(plan.current.periodEnd)).toBeGreaterThan(Date.now())
    expect(plan.current).toMatchObject({ status: 'active', price: 0 })
    const orders = [
      accounts().setPlan({ planId: 'team', interval: 'month' }),
      accounts().createTrial({ plan: 'team', lengthInDays: 14 }),
      accounts().removeTrial({}),
      accounts().setAddons({ addons: { bots: 1 } }),
      accounts().createCreditGrant({ amount: 10, feature: 'integration_spend' }),
      accounts().payInvoice({ invoiceId: 'in_1' }),
      accounts().getAddon({ addonId: 'bots' }),
    ]
    for (const order of await Promise.allSettled<unknown>(orders))
      expect(order).toMatchObject({
        status: 'rejected',
        reason: { type: 'ResourceNotFound' },
      })
  })

  test('leaves out usage of a past month that was not recorded', async () => {
    const past = await accounts().getWorkspaceUsages({ period: '2024-01' })
    expect(past.quotas.bot_count).not.toHaveProperty('usage')
    expect(past.quotas.incoming_messages_events).toMatchObject({ usage: 0 })
    await expect(
      accounts().getWorkspaceUsages({ period: 'never' }),
    ).rejects.toMatchObject({
      type: 'InvalidQuery',
    })
  })
})

test('lists the identifier that an integration claimed', async () => {
  const { apiUrl, headers } = { apiUrl: asBot.config.apiUrl, headers: { ...scene.asBot } }
  const asChat = new Client({
    apiUrl,
    token: scene.token,
    botId: scene.botId,
    integrationAlias: 'chat',
  })
  await asChat.configureIntegration({ identifier: 'shop-7' })
  const list = (more: object) =>
    scene.call('GET', '/v1/chat/integrations/identifiers', {
      headers: { ...headers, ...more },
    })
  expect((await list({ 'x-integration-alias': 'chat' })).body).toEqual({
    identifiers: ['shop-7'],
  })
  expect((await list({})).body.type).toBe('Forbidden')
})

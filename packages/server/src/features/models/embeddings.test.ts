// Files and questions are embedded by a model of the gateway, in the ledger and within budgets.
import { Client } from '@botpress/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
} from '../../../test/support/model-provider.ts'
import { type ModelScene, openModelScene } from '../../../test/support/model-scene.ts'

let provider: ModelProvider
let scene: ModelScene
let client: Client

beforeEach(async () => {
  provider = await openModelProvider(() => ({}))
  scene = await openModelScene(provider.url)
  client = new Client({
    apiUrl: await scene.listen(),
    token: scene.token,
    botId: scene.botId,
  })
  await client.uploadFile({
    key: 'cake.md',
    content: '# Oven\nWe bake with sugar.',
    index: true,
  })
})
afterEach(async () => {
  await scene?.close()
  await provider?.close()
})

async function calls() {
  const { body } = await scene.call('GET', '/v1/platform/model-calls', {
    headers: scene.asBot,
  })
  return body.calls as Record<string, unknown>[]
}
const found = async (query: string) =>
  (await client.searchFiles({ query, contextDepth: 0 })).passages.map(
    ({ content }) => content,
  )

test('files and questions are calls of the bot', { timeout: 60_000 }, async () => {
  await vi.waitFor(async () => expect(await calls()).toHaveLength(1), 30_000)
  expect(await calls()).toMatchObject([
    { kind: 'embedding', model: 'local:nomic', source: 'knowledge', outcome: 'ok' },
  ])
  expect(await found('sugar')).toEqual(['Oven\nWe bake with sugar.'])
  expect(await found('sugar')).toEqual(['Oven\nWe bake with sugar.'])
  await vi.waitFor(async () => expect(await calls()).toHaveLength(2), 30_000)
})

test('beyond the budget, a search uses words only', { timeout: 60_000 }, async () => {
  await vi.waitFor(async () => expect(await calls()).toHaveLength(1), 30_000)
  await scene.call('POST', '/v1/platform/model-budgets', {
    headers: scene.admin,
    body: { scope: 'bot', unit: 'calls', period: 'day', maximum: 0 },
  })
  const before = provider.requests.length
  expect(await found('sugar')).toEqual(['Oven\nWe bake with sugar.'])
  await vi.waitFor(async () =>
    expect((await calls())[0]).toMatchObject({ outcome: 'rejected' }),
  )
  expect(provider.requests).toHaveLength(before)
})

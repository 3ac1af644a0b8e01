// Local models of the operator in a server: search of files, the OpenAI-compatible API, the ledger.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@botpress/client'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import {
  writeCrossEncoder,
  writeSentenceModel,
} from '../../../../../bench/src/onnx-models.ts'
import {
  newFolder,
  slow,
  small,
  writeModels,
} from '../../../test/support/local-models.ts'
import { killModelProcess } from '../../../test/support/model-processes.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
let client: Client
let folder: string
afterEach(async () => {
  await scene?.close()
  rmSync(folder, { recursive: true })
})

async function open(models: string, config = {}, write = (_folder: string) => {}) {
  folder = models
  write(folder)
  scene = await openScene({ config: { localModels: folder, ...config } })
  client = new Client({
    apiUrl: await scene.listen(),
    token: scene.token,
    botId: scene.botId,
  })
}

async function calls() {
  const { body } = await scene.call('GET', '/v1/platform/model-calls', {
    headers: scene.asBot,
  })
  return body.calls as Record<string, unknown>[]
}
async function missingVectors(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from passage p left join passage_vector v
      using (bot_id, file_id, position) where v.vector is null`.execute(
    scene.app.services.db,
  )
  return rows[0]!.count
}
const passages = async () =>
  (
    await sql<{ count: number }>`select count(*)::int as count from passage`.execute(
      scene.app.services.db,
    )
  ).rows[0]!.count

async function upload(key: string, content: string, count: number) {
  await client.uploadFile({ key, content, index: true })
  await vi.waitFor(
    async () => expect([await passages(), await missingVectors()]).toEqual([count, 0]),
    { timeout: 30_000, interval: 50 },
  )
}
const found = async (query: string) =>
  (await client.searchFiles({ query, contextDepth: 0 })).passages.map(
    ({ content }) => content,
  )

test('finds passages by meaning, at no cost', { timeout: 60_000 }, async () => {
  await open(writeModels(), { rerankPassages: 0 })
  await upload('baking.md', 'Bake a cake.', 1)
  await upload('weather.md', 'Sun and rain.', 2)
  await upload('returns.md', 'We reimburse and repay.', 3)
  expect((await found('refund money'))[0]).toBe('We reimburse and repay.')
  await vi.waitFor(async () => expect(await calls()).toHaveLength(4), 10_000)
  for (const call of await calls())
    expect(call).toMatchObject({
      kind: 'embedding',
      model: 'local:sentences',
      provider: 'local',
      source: 'knowledge',
      outcome: 'ok',
      cost: 0,
    })
})

/** By words, the first passage is better, because it has both. */
async function orderFor(config: object): Promise<string[]> {
  await open(newFolder(), config, (folder) =>
    writeCrossEncoder(join(folder, 'pairs'), small),
  )
  await client.uploadFile({
    key: 'one.md',
    content: '# Cake\n\nMoney parcel, rain, login.',
    index: true,
  })
  await client.uploadFile({
    key: 'two.md',
    content: 'Money: refund, repay, oven.',
    index: true,
  })
  await vi.waitFor(async () => expect(await passages()).toBe(2), 30_000)
  return found('money cake')
}

test('reranks the passages of a search', { timeout: 60_000 }, async () => {
  const [repeating, matching] = await orderFor({ rerankPassages: 0 })
  await scene.close()
  rmSync(folder, { recursive: true })
  expect(await orderFor({})).toEqual([matching, repeating])
  await vi.waitFor(async () =>
    expect(await calls()).toMatchObject([
      { kind: 'rerank', model: 'local:pairs', cost: 0 },
    ]),
  )
})

test('serves the OpenAI-compatible API', { timeout: 60_000 }, async () => {
  await open(writeModels())
  const post = (body: object) =>
    scene.call('POST', '/v1/openai/embeddings', { headers: scene.asBot, body })
  const input = Array.from({ length: 50 }, (_, at) => `parcel ${at}`)
  const { status, body } = await post({ model: 'local:sentences', input })
  expect([status, body.data.length, body.data[49].embedding.length]).toEqual([
    200, 50, 64,
  ])
  expect(await post({ model: 'local:pairs', input })).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringContaining('local:sentences') } },
  })
})

test('indexes everything when the process is killed in a batch', {
  timeout: 120_000,
}, async () => {
  await open(newFolder(), {}, (folder) =>
    writeSentenceModel(join(folder, 'sentences'), slow),
  )
  const section = (at: number) => `# Part ${at}\n\n${`parcel money ${at} `.repeat(60)}`
  const content = Array.from({ length: 40 }, (_, at) => section(at)).join('\n\n')
  await client.uploadFile({ key: 'long.md', content, index: true })
  await vi.waitFor(async () => expect(await missingVectors()).toBeGreaterThan(0), 30_000)
  await killModelProcess()
  await vi.waitFor(
    async () => {
      expect(await passages()).toBeGreaterThanOrEqual(40)
      expect(await missingVectors()).toBe(0)
    },
    { timeout: 60_000, interval: 100 },
  )
})

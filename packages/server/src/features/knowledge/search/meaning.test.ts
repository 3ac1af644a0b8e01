// Search by meaning without configuration: by the included model, in its real process.
import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { openModelEndpoint } from '../../../../test/support/model-endpoint.ts'
import { modelProcesses } from '../../../../test/support/model-processes.ts'
import {
  openScene,
  type Scene,
  type SceneOptions,
} from '../../../../test/support/scene.ts'
import { openIncludedEmbeddings } from '../../models/local/included-embeddings.ts'
import { openEmbedder } from './embedder.ts'

const included = 'all-MiniLM-L6-v2'
const documents = {
  'refunds.md': '# Refunds\n\nWe pay the purchase price back within two weeks.',
  'opening.md': '# Visits\n\nThe shop is open from Tuesday to Saturday, 9 am to 6 pm.',
  'parking.md': '# Parking\n\nThere are eight spaces for cars behind the house.',
}

const complete = { state: 'ready', passages: 3, embedded: 3, wordsOnly: 0 }
const none = { model: null, state: 'disabled', passages: 0, embedded: 0, wordsOnly: 0 }

let scene: Scene
afterEach(async () => {
  await scene?.close()
  await vi.waitFor(() => expect(modelProcesses()).toEqual([]), { timeout: 10_000 })
})

async function open(config: SceneOptions['config'] = {}) {
  scene = await openScene({ config: { includedModel: true, ...config } })
}

const call = async (url: string, body?: unknown) =>
  (await scene.call(body ? 'POST' : 'GET', url, { headers: scene.asBot, body })).body

async function storePassages(key: string, passages: string[]) {
  const body = { key, size: 1, index: false, contentType: 'text/plain' }
  const { file } = (await scene.call('PUT', '/v1/files', { headers: scene.asBot, body }))
    .body
  await scene.call('PUT', file.uploadUrl, {
    body: 'x',
    headers: { 'content-type': 'text/plain' },
  })
  const given = { passages: passages.map((content) => ({ content })) }
  await scene.call('PUT', `/v1/files/${file.id}/passages`, {
    headers: scene.asBot,
    body: given,
  })
}

async function storeDocuments() {
  for (const [key, content] of Object.entries(documents))
    await storePassages(key, [content])
}

const meaning = async () => (await call('/v1/platform/files/counts')).meaning
const best = async (query: string) =>
  (await call(`/v1/platform/files/search?query=${encodeURIComponent(query)}`)).passages[0]
    ?.fileKey
const untilEmbedded = (model: string) =>
  vi.waitFor(async () => expect(await meaning()).toEqual({ ...complete, model }), {
    timeout: 60_000,
    interval: 100,
  })

test('finds passages by their words at once, and by meaning soon', async () => {
  await open()
  expect(modelProcesses()).toEqual([])
  expect(await meaning()).toEqual({ ...none, model: included, state: 'ready' })
  await storeDocuments()
  expect(await best('purchase price')).toBe('refunds.md')
  await untilEmbedded(included)
  expect(await best('How do I get my money returned?')).toBe('refunds.md')
  expect(await best('Where can I leave my vehicle?')).toBe('parking.md')
})

test('gives the files of an existing installation vectors, and those of another model', async () => {
  await open({ includedModel: false })
  await storeDocuments()
  expect(await meaning()).toEqual({ ...none, passages: 3, wordsOnly: 3 })
  expect(modelProcesses()).toEqual([])
  const { db } = scene.app.services
  const log = pino({ level: 'silent' })
  const embeddings = openIncludedEmbeddings({ memoryMb: 2_048, timeoutMs: 60_000, log })!
  for (const model of ['former', included]) {
    const embed = async (texts: string[]) => texts.map(() => Float32Array.of(1, 0))
    const source =
      model === included ? embeddings : { model, embed, close: async () => {} }
    const embedder = openEmbedder({ db, log, embeddings: source })
    const models = () => db.selectFrom('passage_vector').select('model').execute()
    await vi.waitFor(
      async () =>
        expect((await models()).map((row) => row.model)).toEqual(Array(3).fill(model)),
      { timeout: 60_000, interval: 100 },
    )
    await embedder.close()
  }
})

test('counts the passages with a vector, and says that the model is unavailable', async () => {
  let isAway = false
  let release = () => {}
  const second = new Promise<void>((resolve) => {
    release = resolve
  })
  let batches = 0
  const source = await openModelEndpoint(async ({ input }: { input: string[] }) => {
    if (isAway) return { status: 503, body: 'away' }
    if (input.length > 1 && ++batches === 2) await second
    return { body: { data: input.map((_, index) => ({ index, embedding: [1, 0] })) } }
  })
  try {
    await open({ embeddings: { url: source.url, key: null, model: 'other' } })
    const passages = Array.from({ length: 40 }, (_, n) => `Rule ${n}`)
    await storePassages('rules.txt', passages)
    const progress = (embedded: number) =>
      vi.waitFor(
        async () =>
          expect(await meaning()).toEqual({
            ...complete,
            model: 'other',
            passages: 40,
            embedded,
          }),
        { timeout: 30_000, interval: 50 },
      )
    await progress(32)
    release()
    await progress(40)
    isAway = true
    expect(await best('Rule 7')).toBe('rules.txt')
    expect(await meaning()).toMatchObject({
      model: 'other',
      state: 'unavailable',
      embedded: 40,
    })
    expect(modelProcesses()).toEqual([])
  } finally {
    release()
    await source.close()
  }
})

test('leaves passages in languages that the model does not know to the search by words', async () => {
  await open()
  await storePassages('parken.md', [
    'Die Parkplätze für die Gäste sind hinter dem Haus und kosten nichts.',
  ])
  await storePassages('駐車場.md', ['駐車場は建物の裏にあり、お客様は無料です。'])
  await storePassages('parking.md', ['There are eight spaces for cars behind the house.'])
  await vi.waitFor(
    async () =>
      expect(await meaning()).toEqual({
        ...complete,
        model: included,
        embedded: 1,
        wordsOnly: 2,
      }),
    { timeout: 60_000, interval: 100 },
  )
  expect(await best('Where can I leave my vehicle?')).toBe('parking.md')
  expect(await best('Parkplätze')).toBe('parken.md')
  const { usesVectors } = await call(
    `/v1/platform/files/search?query=${encodeURIComponent('駐車場')}`,
  )
  expect(usesVectors).toBe(false)
})

test('does not start the model for a bot without passages that it knows', async () => {
  await open()
  expect(await best('Where can I leave my vehicle?')).toBeUndefined()
  await storePassages('parken.md', [
    'Die Plätze für die Autos der Gäste sind hinter dem Haus.',
  ])
  await vi.waitFor(async () => expect((await meaning()).wordsOnly).toBe(1), {
    timeout: 30_000,
  })
  expect(await best('Wo sind die Autos?')).toBe('parken.md')
  expect(modelProcesses()).toEqual([])
})

test('counts the passages of one knowledge base', async () => {
  await open({ includedModel: false })
  const { id } = (await call('/v1/files/knowledge-bases', { name: 'Rules' }))
    .knowledgeBase
  await storeDocuments()
  const counts = await call(`/v1/platform/files/counts?knowledgeBaseId=${id}`)
  expect(counts.meaning).toEqual(none)
})

// Lists, counts, import checks and explained searches of files, as the dashboard uses them.
import { createHash } from 'node:crypto'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
let client: Client
let faq: string
let other: string
const ids: Record<string, string> = {}

const contents: Record<string, string> = {
  'returns.md': '# Returns\n\nYou may return goods within thirty days.',
  'shipping-costs.md': '# Shipping\n\nParcels to Norway cost nine euros.',
  'broken.bin': 'not indexed',
}

beforeAll(async () => {
  scene = await openScene()
  client = new Client({
    apiUrl: await scene.listen(),
    token: scene.token,
    botId: scene.botId,
    retry: { retries: 0 },
  })
  faq = (await client.createKnowledgeBase({ name: 'faq' })).knowledgeBase.id
  other = (await client.createKnowledgeBase({ name: 'other' })).knowledgeBase.id
  for (const [name, content] of Object.entries(contents))
    ids[name] = await upload(faq, name, content)
  ids.opening = await upload(other, 'opening.md', 'We open at nine in the morning.')
  await vi.waitFor(
    async () => expect((await counts()).indexing_pending).toBeUndefined(),
    {
      timeout: 30_000,
    },
  )
}, 60_000)
afterAll(() => scene?.close())

async function upload(kbId: string, name: string, content: string) {
  const { file } = await client.uploadFile({
    key: `knowledge/${kbId}/${name}`,
    content,
    index: true,
    tags: { source: 'knowledge-base', kbId },
  })
  return file.id
}

const onPlatform = async (method: 'GET' | 'POST', path: string, body?: object) =>
  scene.call(method, `/v1/platform/files${path}`, {
    headers: { ...scene.asBot } as never,
    ...(body && { body }),
  })
async function counts(query = ''): Promise<Record<string, number>> {
  const { body } = await onPlatform('GET', `/counts${query}`)
  return Object.fromEntries(
    body.counts.map(({ status, count }: { status: string; count: number }) => [
      status,
      count,
    ]),
  )
}
const names = async (query: string) => {
  const { body } = await onPlatform('GET', query)
  return body.files.map(({ key }: { key: string }) => key.split('/').at(-1))
}

test.each([
  ['by beginnings of words', '?name=ship%20cos', ['shipping-costs.md']],
  ['by a file type', '?name=md', ['opening.md', 'shipping-costs.md', 'returns.md']],
  ['by status', '?status=indexing_failed', ['broken.bin']],
  ['without a match', '?name=hipping', []],
  ['without a word', `?name=${encodeURIComponent("'&!:* | <->")}`, []],
])('lists files %s', async (_, query, expected) =>
  expect(await names(query)).toEqual(expected),
)

test('lists the files of a knowledge base in pages, newest first', async () => {
  const query = `?knowledgeBaseId=${faq}&pageSize=2`
  const { body } = await onPlatform('GET', query)
  expect(body.files).toHaveLength(2)
  expect(await names(`${query}&nextToken=${body.meta.nextToken}`)).toEqual(['returns.md'])
  expect(
    (await onPlatform('GET', `?pageSize=2&nextToken=${body.meta.nextToken}`)).status,
  ).toBe(400)
})

test('counts the files of the bot and of a knowledge base', async () => {
  expect(await counts()).toEqual({ indexing_completed: 3, indexing_failed: 1 })
  expect(await counts(`?knowledgeBaseId=${other}`)).toEqual({ indexing_completed: 1 })
})

test('tells files with the same content from changed ones', async () => {
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
  const key = `knowledge/${faq}/returns.md`
  const changed = `knowledge/${faq}/shipping-costs.md`
  const files = [
    { key, sha256: sha256(contents['returns.md']!) },
    { key: changed, sha256: sha256('changed') },
    { key: `knowledge/${faq}/missing.md`, sha256: sha256('') },
  ]
  const { body } = await onPlatform('POST', '/stored', { files })
  expect(body).toEqual({ keys: [key], changed: [changed] })
})

test('indexes a failed file again, and rejects one without content', async () => {
  const { body } = await onPlatform('POST', `/${ids['broken.bin']}/index`)
  expect(body.file.status).toBe('indexing_pending')
  await vi.waitFor(async () => expect((await counts()).indexing_failed).toBe(1))
  const { file } = await client.upsertFile({ key: 'empty.txt', size: 3 })
  expect((await onPlatform('POST', `/${file.id}/index`)).body.type).toBe('InvalidPayload')
  await client.deleteFile({ id: file.id })
})

test('explains scores, matched words, replaced words and unknown words', async () => {
  const query = encodeURIComponent('the returning of zyxwvu within thirtty days')
  const { body } = await onPlatform(
    'GET',
    `/search?query=${query}&knowledgeBaseId=${faq}`,
  )
  expect(body).toMatchObject({ usesVectors: false, usesReranking: false })
  const [best] = body.passages
  expect(best).toMatchObject({
    fileId: ids['returns.md'],
    knowledgeBaseId: faq,
    position: 0,
  })
  expect(best.matched).toEqual(
    expect.arrayContaining(['Returns', 'return', 'thirty', 'days']),
  )
  expect(best.matched).not.toContain('goods')
  expect(best.wordScore).toBeGreaterThan(0.4)
  expect(best).not.toHaveProperty('vectorScore')
  const found = await client.searchFiles({
    query: 'the returning of zyxwvu within thirtty days',
    tags: { kbId: faq },
  })
  expect(best.score).toBe(found.passages[0]!.score)
  const terms = Object.fromEntries(
    body.terms.map((term: { word: string }) => [term.word, term]),
  )
  expect(terms.zyxwvu).toMatchObject({ isFound: false, replacedBy: [] })
  expect(terms.thirtty).toMatchObject({
    isFound: false,
    replacedBy: expect.arrayContaining(['thirti']),
  })
  expect(terms.days).toMatchObject({ isFound: true })
  expect(terms.the).toBeUndefined()
})

test('finds the answer in another knowledge base, and shows files that are not searchable', async () => {
  const { body } = await onPlatform('GET', `/search?query=morning&knowledgeBaseId=${faq}`)
  expect(body.passages).toEqual([])
  expect(body.elsewhere).toMatchObject({ fileId: ids.opening, knowledgeBaseId: other })
  expect(body.files).toContainEqual({ status: 'indexing_failed', count: 1 })
})

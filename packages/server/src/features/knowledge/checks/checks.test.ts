// Checks of knowledge: what passes, and what a run changes since the one before.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
  await upload('shop/returns.txt', 'Goods may be returned within thirty days.')
}, 120_000)
afterAll(() => scene?.close())

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  scene.call(method, path, { headers: scene.asBot, ...(body && { body }) })
const checks = '/v1/platform/knowledge-checks'
const add = async (body: object) =>
  (await call('POST', checks, body)).body.knowledgeCheck.id
const run = async () => (await call('POST', `${checks}/run`, {})).body

async function upload(key: string, text: string) {
  const body = {
    key,
    contentType: 'text/plain',
    size: Buffer.byteLength(text),
    index: true,
  }
  const { file } = (await call('PUT', '/v1/files', body)).body
  const { pathname, search } = new URL(file.uploadUrl)
  const headers = { 'content-type': 'text/plain' }
  await fetch(`${await scene.listen()}${pathname}${search}`, {
    method: 'PUT',
    headers,
    body: text,
  })
  const status = async () => (await call('GET', `/v1/files/${file.id}`)).body.file.status
  await vi.waitFor(async () => expect(await status()).toBe('indexing_completed'), 60_000)
  return file.id
}

test('passes by the source or a part of the text, and shows what got better and worse', async () => {
  const bySource = await add({
    question: 'When may goods be returned?',
    expectedFile: 'returns.txt',
  })
  const byText = await add({
    question: 'goods returned within days',
    expectedText: 'THIRTY  dáys',
  })
  const wrong = await add({
    question: 'goods returned within days',
    expectedText: 'sixty days',
  })
  const missing = await add({ question: 'Where is the moon?', expectedText: 'above' })
  expect(await run()).toMatchObject({
    passed: 2,
    failed: 2,
    better: [],
    worse: [],
    knowledgeChecks: [
      { id: missing, result: { passed: false } },
      { id: wrong, result: { passed: false, found: { source: 'passage' } } },
      { id: byText, result: { passed: true } },
      { id: bySource, result: { passed: true, found: { fileKey: 'shop/returns.txt' } } },
    ],
  })
  const { curatedAnswer } = (
    await call('POST', '/v1/platform/curated-answers', {
      questions: ['Where is the moon?', 'goods returned within days'],
      text: 'Above us, for sixty days.',
    })
  ).body
  expect(await run()).toMatchObject({
    passed: 3,
    better: [missing, wrong],
    worse: [byText],
  })
  expect((await run()).better).toEqual([])
  await call('DELETE', `/v1/platform/curated-answers/${curatedAnswer.id}`)
  const after = await run()
  expect(after).toMatchObject({ passed: 2, better: [byText], worse: [missing, wrong] })
  const listed = (await call('GET', `${checks}?pageSize=1`)).body
  expect(listed.knowledgeChecks).toEqual(after.knowledgeChecks.slice(0, 1))
  const next = (
    await call('GET', `${checks}?pageSize=1&nextToken=${listed.meta.nextToken}`)
  ).body
  expect(next.knowledgeChecks).toEqual(after.knowledgeChecks.slice(1, 2))
  expect((await call('DELETE', `${checks}/${missing}`)).status).toBe(200)
  expect((await call('DELETE', `${checks}/${missing}`)).status).toBe(404)
})

test('fails for a passage that is found, but not sent', async () => {
  await upload(
    'shop/pots.txt',
    'Finished pots leave the shelf when people collect them, mostly four weeks after the course.',
  )
  await upload('shop/shelf.txt', 'We keep finished pots on the shelf for two months.')
  const id = await add({
    question: 'finished pots on the shelf',
    expectedText: 'four weeks',
  })
  const { knowledgeChecks } = await run()
  expect(
    knowledgeChecks.find((check: { id: string }) => check.id === id).result,
  ).toMatchObject({
    passed: false,
    found: { fileKey: 'shop/shelf.txt', text: expect.stringContaining('two months') },
  })
})

test('changes a question with its expectations, without the results of the former one', async () => {
  const id = await add({
    question: 'When may goods be returned?',
    expectedFile: 'returns.txt',
  })
  await run()
  const changed = {
    question: 'How long may goods be returned?',
    expectedText: 'thirty days',
  }
  const { body } = await call('PUT', `${checks}/${id}`, changed)
  expect(body.knowledgeCheck).toEqual({ id, ...changed, createdAt: expect.any(String) })
  const { knowledgeChecks } = (await call('GET', checks)).body
  expect(knowledgeChecks[0]).toEqual(body.knowledgeCheck)
  expect((await call('PUT', `${checks}/${id}`, { question: 'a' })).status).toBe(400)
  expect((await call('PUT', `${checks}/kc_0`, changed)).body.type).toBe(
    'ResourceNotFound',
  )
})

test('needs an expected source or text', async () => {
  const { status, body } = await call('POST', checks, { question: 'a' })
  expect([status, body.type]).toEqual([400, 'InvalidPayload'])
})

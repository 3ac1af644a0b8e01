// The packed examples: each can be deployed as it is offered.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
const get = (path: string) =>
  scene.call('GET', `/v1/platform/examples${path}`, { headers: scene.admin })

beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

test('lists the most wanted examples without a model first, and returns the files of one', async () => {
  const { examples } = (await get('')).body
  expect(examples.map(({ name }: { name: string }) => name)).toEqual([
    'faq-bot',
    'appointment-bot',
    'bilingual-bot',
    'greeting-bot',
    'echo-bot',
    'hooks-showcase',
    'hotel-bot',
  ])
  expect(examples.at(-1)).toMatchObject({ title: 'Hotel', needsModel: true })
  expect(examples[0]).not.toHaveProperty('files')
  const { example } = (await get('/appointment-bot')).body
  const texts = Object.values<string>(example.files)
  expect(example.size).toBe(Buffer.byteLength(texts.join('')))
  expect(Object.keys(example.files).sort()).toEqual(['bot.json', 'code/book.ts'])
  expect((await get('/faq-bot')).body.example.files).toHaveProperty(
    'knowledge/faq/returns.md',
  )
  expect(Object.keys((await get('/echo-bot')).body.example.files)).toEqual(['bot.cjs'])
})

test.each(['nothing', '..%2F..%2Fpackage', '__proto__', 'x'.repeat(300)])(
  'finds no example %s',
  async (name) => {
    expect(await get(`/${name}`)).toMatchObject({
      status: 404,
      body: { type: 'ResourceNotFound' },
    })
  },
)

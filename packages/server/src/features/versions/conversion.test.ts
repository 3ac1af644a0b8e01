// Converting exports of other builders over the API: the report, typed errors, and files of attackers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const convert = (fileName: string, content: string, headers = scene.admin) =>
  scene.call('POST', '/v1/platform/documents/convert', {
    headers,
    body: { fileName, content },
  })
const toBase64 = (text: string) => Buffer.from(text).toString('base64')

const typebot = {
  version: '6',
  name: 'Ask',
  groups: [
    {
      id: 'g',
      title: 'Name',
      blocks: [
        { id: 'b', type: 'text input', options: { variableId: 'v' } },
        { id: 'c', type: 'Pixel' },
      ],
    },
  ],
  edges: [],
  variables: [{ id: 'v', name: 'Name' }],
}

test('returns a document without problems, and its report', async () => {
  const { status, body } = await convert('ask.json', toBase64(JSON.stringify(typebot)))
  expect([status, body]).toEqual([
    200,
    {
      files: {},
      text: expect.stringContaining('"kind": "raw"'),
      report: expect.objectContaining({
        source: 'Typebot (version 6)',
        counts: { carried: 1, changed: 0, omitted: 1 },
      }),
    },
  ])
  const document = JSON.parse(body.text)
  const checked = await scene.call('POST', '/v1/platform/documents/check', {
    headers: scene.admin,
    body: { document },
  })
  const message = 'was not imported, and does nothing. Build this part, or remove it'
  const warnings = [{ pointer: expect.stringMatching(/cards\/1$/), message }]
  expect(checked.body).toEqual({ problems: [], warnings, isPartial: false })
})

test.each([
  ['no Base64', 'ü', 'notBase64'],
  ['another format', toBase64('hello'), 'unknownFormat'],
  ['invalid JSON', toBase64('{"groups":'), 'invalidFile'],
  ['deep JSON', toBase64(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), 'tooLarge'],
])('rejects %s with its fault', async (_, content, fault) => {
  expect(await convert('x.json', content)).toMatchObject({
    status: 400,
    body: { type: 'InvalidPayload', metadata: { fault } },
  })
})

test('names the position of a mistake', async () => {
  const { body } = await convert('x.yml', toBase64('kind: app\nversion: [1'))
  expect(body.metadata).toMatchObject({ fault: 'invalidFile', line: 2 })
})

test('other requests run while a large export is converted', async () => {
  const blocks = Array.from({ length: 20_000 }, (_, index) => ({
    id: `b${index}`,
    type: 'text',
    content: { plainText: '{{'.repeat(10) },
  }))
  const large = { ...typebot, groups: [{ id: 'g', title: 'Large', blocks }] }
  let isDone = false
  const converting = convert('large.json', toBase64(JSON.stringify(large))).finally(
    () => {
      isDone = true
    },
  )
  let slowest = 0
  while (!isDone) {
    const from = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 5))
    slowest = Math.max(slowest, performance.now() - from)
  }
  expect((await converting).status).toBe(200)
  expect(slowest).toBeLessThan(500)
})

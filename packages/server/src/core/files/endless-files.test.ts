// A file that keeps its reader busy without end fails with the reason; other files are read.
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { type Indexer, openIndexer } from '../../features/knowledge/search/indexer.ts'

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  const apiUrl = await scene.listen()
  client = new Client({
    apiUrl,
    token: scene.token,
    botId: scene.botId,
    retry: { retries: 0 },
  })
})
afterAll(() => scene?.close())

const stream = (dictionary: string, content: string) =>
  `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`

/** A page with a form that is painted with a pattern of itself. */
function cyclicPdf(): Buffer {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>',
    stream('', '/F Do'),
    stream(
      '/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</Pattern<</P 6 0 R>>>>',
      '/Pattern cs /P scn 0 0 90 90 re f',
    ),
    stream(
      '/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 9 9]/XStep 9/YStep 9' +
        '/Resources<</XObject<</F 5 0 R>>>>',
      '/F Do',
    ),
  ]
  const parts = objects.map((one, at) => `${at + 1} 0 obj ${one} endobj\n`)
  const head = '%PDF-1.7\n'
  const places = parts.map((_, at) => head.length + parts.slice(0, at).join('').length)
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`)
  const body = head + parts.join('')
  return Buffer.from(
    `${body}xref\n0 7\n0000000000 65535 f \n${entries.join('')}` +
      `trailer <</Root 1 0 R/Size 7>>\nstartxref\n${body.length}\n%%EOF`,
  )
}

test('ends the reader of a PDF that refers to itself, and stores the reason', {
  timeout: 60_000,
}, async () => {
  const { db, indexer: usual } = scene.app.services
  // With a shorter limit than two minutes.
  await (usual as Indexer).close()
  const upload = async (key: string, content: Buffer | string) =>
    (await client.uploadFile({ key, content, index: true })).file.id
  const ids = [
    await upload('before.txt', 'read before'),
    await upload('cycle.pdf', cyclicPdf()),
    await upload('after.txt', 'read after'),
  ]
  const { log, blobs } = scene.app.services
  const { id } = await db.selectFrom('worker').select('id').executeTakeFirstOrThrow()
  const indexer = openIndexer({
    db,
    blobs,
    log,
    workerId: () => id,
    maxBytes: 1_000_000,
    extraction: { timeoutMs: 5_000 },
  })
  const getStatus = async (id: string) => (await client.getFile({ id })).file
  await vi.waitFor(
    async () => {
      const files = await Promise.all(ids.map(getStatus))
      expect(
        files.map(({ status, failedStatusReason }) => [status, failedStatusReason]),
      ).toEqual([
        ['indexing_completed', undefined],
        ['indexing_failed', 'Reading the file takes longer than 5 seconds'],
        ['indexing_completed', undefined],
      ])
    },
    { timeout: 50_000, interval: 200 },
  )
  await indexer.close()
})

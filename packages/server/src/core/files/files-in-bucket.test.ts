// A server that stores content in a bucket: the same API, and 503 without data loss while the
// bucket is unreachable.
import type { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FakeS3, openFakeS3 } from '../../../test/support/fake-s3.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { examine } from '../../features/operator/doctor/examine.ts'
import { removeExpiredFiles } from './uploads.ts'

let s3: FakeS3
let scene: Scene
let client: Client
beforeAll(async () => {
  s3 = await openFakeS3()
  scene = await openScene({ config: { s3: s3.settings } })
  client = await scene.openClient({ botId: scene.botId })
})
afterAll(async () => {
  await scene?.close()
  await s3?.close()
})

const sweep = () =>
  removeExpiredFiles(
    scene.app.services.db,
    scene.app.services.blobs,
    new Date(Date.now() + 3_600_000),
  )
const put = (url: string, body: string) =>
  fetch(url, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body })

test('stores, reads by range, copies, replaces and deletes content', async () => {
  const { file } = await client.uploadFile({ key: 'a.txt', content: 'hello' })
  expect([...s3.objects.values()].map(String)).toEqual(['hello'])
  const { file: copy } = await client.copyFile({
    idOrKey: file.id,
    destinationKey: 'b.txt',
  })
  await client.uploadFile({ key: 'a.txt', content: 'new' })
  const part = await fetch(copy.url, { headers: { range: 'bytes=1-3' } })
  expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
    206,
    'ell',
    'bytes 1-3/5',
  ])
  await sweep()
  expect([...s3.objects.values()].map(String).sort()).toEqual(['hello', 'new'])
  await client.deleteFile({ id: 'a.txt' })
  await client.deleteFile({ id: 'b.txt' })
  expect(s3.objects.size).toBe(0)
})

test('rejects uploads and reads while the bucket is unreachable, deletes files, and recovers', async () => {
  await client.uploadFile({ key: 'kept.txt', content: 'kept' })
  const { file } = await client.upsertFile({
    key: 'late.txt',
    size: 4,
    contentType: 'text/plain',
  })
  s3.fail(503, 'SlowDown')
  expect((await put(file.uploadUrl, 'late')).status).toBe(503)
  const { file: kept } = await client.getFile({ id: 'kept.txt' })
  s3.fail(500, 'InternalError')
  expect((await fetch(kept.url)).status).toBe(503)
  expect(await (await fetch(kept.url)).text()).toBe('kept')
  expect((await client.getFile({ id: 'late.txt' })).file.status).toBe('upload_pending')
  expect((await put(file.uploadUrl, 'late')).status).toBe(200)
  s3.fail(503, 'SlowDown')
  await client.deleteFile({ id: 'kept.txt' })
  expect((await fetch(kept.url)).status).toBe(404)
  await sweep()
  expect([...s3.objects.values()].map(String)).toEqual(['late'])
})

test('the doctor reports whether the bucket is readable', async () => {
  const about = async (settings: typeof s3.settings) => {
    const findings = await examine({ ...scene.app.services.config, s3: settings })
    return findings
      .filter(({ what }) => what.includes('bucket'))
      .map(({ state, what }) => [state, what])
  }
  expect(await about(s3.settings)).toEqual([
    ['good', 'the bucket the-bucket can be read'],
  ])
  expect(await about({ ...s3.settings, secretAccessKey: 'wrong' })).toEqual([
    [
      'bad',
      'the bucket the-bucket cannot be read: The store answered 403 SignatureDoesNotMatch',
    ],
  ])
})

// Behaviour of the disk only; test/blobs.test.ts covers all stores.
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'

let folder: string
let blobs: Blobs
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-blobs-'))
  blobs = await openDiskBlobs(folder)
})
afterEach(() => rm(folder, { recursive: true }))

const filesIn = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length

async function* failingWith(code: string) {
  yield Buffer.alloc(100_000)
  throw Object.assign(new Error(code), { code })
}

test('reports a full disk and leaves no file', async () => {
  await expect(
    blobs.write('big', Readable.from(failingWith('ENOSPC')), 200_000),
  ).rejects.toMatchObject({
    type: 'Unavailable',
  })
  expect(await filesIn()).toBe(0)
})

test('deletes leftovers of a crash after a day', async () => {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(join(incoming, 'old'), 'x')
  await writeFile(join(incoming, 'young'), 'x')
  const longAgo = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(incoming, 'old'), longAgo, longAgo)
  await openDiskBlobs(folder)
  expect(await readdir(incoming)).toEqual(['young'])
})

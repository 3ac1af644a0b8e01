import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Blobs, NoSuchBlob } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'

let folder: string
let blobs: Blobs
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-blobs-'))
  blobs = await openDiskBlobs(folder)
})
afterEach(() => rm(folder, { recursive: true }))

const contentOf = async (name: string) => text(await blobs.read(name))
const filesIn = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length

test('what was written is read again, whole and in part, until it is removed', async () => {
  const chunks = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1000, i))
  const written = await blobs.write('one', Readable.from(chunks), 300_000)
  expect(written).toEqual({ sha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex') })
  expect((await contentOf('one')).length).toBe(300_000)
  expect(await text(await blobs.read('one', { start: 65 * 1000, end: 65 * 1000 + 2 }))).toBe('AAA')
  await blobs.remove('one')
  await blobs.remove('one')
  await expect(blobs.read('one')).rejects.toThrow(NoSuchBlob)
})

test('a copy outlives what it was made from', async () => {
  await blobs.write('one', Readable.from([Buffer.from('same')]), 4)
  await blobs.copy('one', 'two')
  await blobs.remove('one')
  expect(await contentOf('two')).toBe('same')
  await expect(blobs.copy('one', 'three')).rejects.toThrow(NoSuchBlob)
  await blobs.remove('two')
  expect(await filesIn()).toBe(0)
})

test('names never lead out of the folder', async () => {
  for (const name of ['', '.', '..', '../x', 'a/b', 'a\\b', '/etc/passwd', 'a\0', '-rf', 'x'.repeat(101)]) {
    await expect(blobs.write(name, Readable.from(['x']), 1)).rejects.toThrow('Not the name of a blob')
    await expect(blobs.copy('one', name)).rejects.toThrow('Not the name of a blob')
    await expect(blobs.read(name)).rejects.toThrow('Not the name of a blob')
  }
  expect(await filesIn()).toBe(0)
})

async function* failingWith(code: string) {
  yield Buffer.alloc(100_000)
  throw Object.assign(new Error(code), { code })
}

test('content that is cut off leaves nothing, and does not harm what was there', async () => {
  await blobs.write('kept', Readable.from([Buffer.from('old')]), 3)
  await expect(blobs.write('kept', Readable.from(failingWith('ECONNRESET')), 200_000)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(await contentOf('kept')).toBe('old')
  expect(await filesIn()).toBe(1)
})

test('a full disk is no failure of ours, and leaves nothing', async () => {
  await expect(blobs.write('big', Readable.from(failingWith('ENOSPC')), 200_000)).rejects.toMatchObject({ type: 'Unavailable' })
  expect(await filesIn()).toBe(0)
})

test('what a crash left behind goes a day later, and not before', async () => {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true })
  await writeFile(join(incoming, 'old'), 'x')
  await writeFile(join(incoming, 'young'), 'x')
  const longAgo = new Date(Date.now() - 25 * 3_600_000)
  await utimes(join(incoming, 'old'), longAgo, longAgo)
  await openDiskBlobs(folder)
  expect(await readdir(incoming)).toEqual(['young'])
})

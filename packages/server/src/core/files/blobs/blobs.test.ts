// Tests of both content stores, with the same expectations.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeS3, openFakeS3 } from '../../../../test/support/fake-s3.ts'
import { BlobNotFound, type Blobs } from './blobs.ts'
import { openDiskBlobs } from './disk.ts'
import { openS3Blobs } from './s3.ts'

interface Store {
  blobs: Blobs
  /** The number of stored files or objects. */
  count(): Promise<number>
  close(): Promise<void>
}

async function onDisk(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), 'botstead-blobs-'))
  return {
    blobs: await openDiskBlobs(folder),
    count: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      ).length,
    close: () => rm(folder, { recursive: true }),
  }
}

const run = promisify(execFile)
/** Whether this process may mount a small file system to fill up. */
const canMount = await run('unshare', [
  '--map-root-user',
  '--mount',
  'mount',
  '-t',
  'tmpfs',
  'tmpfs',
  '/mnt',
]).then(
  () => true,
  () => false,
)

describe('a full disk', () => {
  test.skipIf(!canMount)(
    'rejects writes, keeps its content, leaves no partial files, and works again after a deletion',
    async () => {
      const script = `
      import { readdirSync } from 'node:fs'
      import { Readable } from 'node:stream'
      import { text } from 'node:stream/consumers'
      import { openDiskBlobs } from '${new URL('../../../../dist/core/files/blobs/disk.js', import.meta.url)}'
      const blobs = await openDiskBlobs('/mnt')
      const mb = 2 ** 20
      const chunks = (name) => Readable.from(Array(16).fill(Buffer.alloc(mb / 16, name)))
      const write = (name) => blobs.write(name, chunks(name), mb).then(() => 'stored', ({ type }) => type)
      const entries = () => readdirSync('/mnt', { recursive: true, withFileTypes: true })
      const files = () => entries().filter((entry) => entry.isFile()).length
      const outcomes = []
      for (const name of 'abcdef') outcomes.push(await write(name))
      const kept = await text(await blobs.read('a')) === 'a'.repeat(mb)
      const full = files()
      await blobs.remove('b')
      console.log(JSON.stringify({ outcomes, kept, full, again: await write('g') }))`
      const inside =
        'mount -t tmpfs -o size=3500k tmpfs /mnt && exec "$0" --input-type=module -e "$1"'
      const { stdout } = await run('unshare', [
        '--map-root-user',
        '--mount',
        'sh',
        '-c',
        inside,
        process.execPath,
        script,
      ])
      const rejected = 'Unavailable'
      expect(JSON.parse(stdout)).toEqual({
        outcomes: ['stored', 'stored', 'stored', rejected, rejected, rejected],
        kept: true,
        full: 3,
        again: 'stored',
      })
    },
  )
})

let s3: FakeS3
async function inBucket(): Promise<Store> {
  s3 = await openFakeS3()
  return {
    blobs: openS3Blobs(s3.settings),
    count: async () => s3.objects.size,
    close: () => s3.close(),
  }
}

async function* failingWith(code: string) {
  yield Buffer.alloc(100_000)
  throw Object.assign(new Error(code), { code })
}

describe.each([
  ['on disk', onDisk],
  ['in a bucket', inBucket],
])('%s', (_, open) => {
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  const write = (name: string, content: string) =>
    store.blobs.write(
      name,
      Readable.from([Buffer.from(content)]),
      Buffer.byteLength(content),
    )
  const read = async (name: string) => text(await store.blobs.read(name))

  test('returns written content, whole and in part, until it is removed', async () => {
    const chunks = Array.from({ length: 300 }, (_, i) => Buffer.alloc(1000, i))
    const written = await store.blobs.write('one', Readable.from(chunks), 300_000)
    expect(written).toEqual({
      sha256: createHash('sha256').update(Buffer.concat(chunks)).digest('hex'),
    })
    expect((await read('one')).length).toBe(300_000)
    expect(
      await text(await store.blobs.read('one', { start: 65 * 1000, end: 65 * 1000 + 2 })),
    ).toBe('AAA')
    await store.blobs.remove('one')
    await store.blobs.remove('one')
    await expect(store.blobs.read('one')).rejects.toThrow(BlobNotFound)
    await write('empty', '')
    expect(await read('empty')).toBe('')
    await store.blobs.remove('empty')
  })

  test('keeps a copy when the original is removed', async () => {
    await write('one', 'same')
    await store.blobs.copy('one', 'two')
    await store.blobs.remove('one')
    expect(await read('two')).toBe('same')
    await expect(store.blobs.copy('one', 'three')).rejects.toThrow(BlobNotFound)
    await store.blobs.remove('two')
    expect(await store.count()).toBe(0)
  })

  test('keeps nothing of incomplete content, and the previous content', async () => {
    await write('kept', 'old')
    await expect(
      store.blobs.write('kept', Readable.from(failingWith('ECONNRESET')), 200_000),
    ).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await read('kept')).toBe('old')
    expect(await store.count()).toBe(1)
    await store.blobs.remove('kept')
  })

  test('rejects names that are paths or otherwise invalid', async () => {
    for (const name of [
      '',
      '.',
      '..',
      '../x',
      'a/b',
      'a\\b',
      '/etc/passwd',
      'a\0',
      '-rf',
      'a?b',
      'a%2fb',
      'x'.repeat(101),
    ]) {
      for (const [call, attempt] of Object.entries({
        write: () => store.blobs.write(name, Readable.from(['x']), 1),
        'copy to': () => store.blobs.copy('one', name),
        'copy from': () => store.blobs.copy(name, 'one'),
        read: () => store.blobs.read(name),
        remove: () => store.blobs.remove(name),
      }))
        await expect(
          (async () => attempt())(),
          `${call} ${JSON.stringify(name)}`,
        ).rejects.toThrow('Not the name of a blob')
    }
    expect(await store.count()).toBe(0)
  })
})

describe('a bucket', () => {
  let store: Store
  beforeAll(async () => {
    store = await inBucket()
  })
  afterAll(() => store.close())
  const write = (blobs = store.blobs) =>
    blobs.write('one', Readable.from([Buffer.from('x')]), 1)
  const unavailable = expect.objectContaining({ type: 'Unavailable' })

  test('reports Unavailable for wrong credentials and failures, and never a missing blob', async () => {
    for (const change of [
      { secretAccessKey: 'wrong' },
      { region: 'elsewhere' },
      { bucket: 'another' },
      { endpoint: 'http://127.0.0.1:9' },
    ]) {
      const blobs = openS3Blobs({ ...s3.settings, ...change })
      for (const [call, attempt] of Object.entries({
        write: () => write(blobs),
        read: () => blobs.read('one'),
        copy: () => blobs.copy('one', 'two'),
        remove: () => blobs.remove('one'),
      }))
        await expect(attempt(), `${call} with ${JSON.stringify(change)}`).rejects.toEqual(
          unavailable,
        )
    }
    await write()
    for (const [status, code] of [
      [503, 'SlowDown'],
      [500, 'InternalError'],
      [404, 'NoSuchBucket'],
      [301, 'PermanentRedirect'],
    ] as const) {
      s3.fail(status, code)
      await expect(store.blobs.read('one'), `${status} ${code}`).rejects.toEqual(
        unavailable,
      )
    }
    s3.fail(200, 'InternalError')
    await expect(store.blobs.copy('one', 'two')).rejects.toEqual(unavailable)
    expect([...s3.objects.keys()]).toEqual(['one'])
  })

  test('keeps the secret key out of errors', async () => {
    s3.fail(403, 'AccessDenied')
    const error = await write().catch((error) => error)
    expect(
      JSON.stringify([error.message, error.cause.message, error.cause.stack]),
    ).not.toContain(s3.settings.secretAccessKey)
  })
})

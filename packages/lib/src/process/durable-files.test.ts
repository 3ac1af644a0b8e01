import {
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeFolder, writeDurably } from './durable-files.ts'

let folder: string
/** Each synced path, with the content of `file` at that time. */
let synced: [path: string, content: string | null][]
let spy: { mockRestore(): void }

const file = () => join(folder, 'file')
const readContent = (path: string) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-durable-'))
  synced = []
  const handle = await open(folder)
  const prototype: FileHandle = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync } = prototype
  spy = vi.spyOn(prototype, 'sync').mockImplementation(function (this: FileHandle) {
    synced.push([readlinkSync(`/proc/self/fd/${this.fd}`), readContent(file())])
    return sync.call(this)
  })
})
afterEach(() => {
  spy.mockRestore()
  rmSync(folder, { recursive: true })
})

const onLinux = test.skipIf(process.platform !== 'linux')

onLinux(
  'syncs the draft before it replaces the file, and the folder after it',
  async () => {
    writeFileSync(file(), 'old')
    await writeDurably(file(), 'new')
    expect(synced).toEqual([
      [`${file()}.new`, 'old'],
      [folder, 'new'],
    ])
  },
)

onLinux('syncs each folder that got a new one', async () => {
  await makeFolder(join(folder, 'a/b/c'))
  expect(synced.map(([path]) => path)).toEqual([
    join(folder, 'a/b'),
    join(folder, 'a'),
    folder,
  ])
  synced = []
  await makeFolder(join(folder, 'a/b/c'))
  expect(synced).toEqual([])
})

test('keeps the old content if the new one cannot be written', async () => {
  writeFileSync(file(), 'old')
  rmSync(`${file()}.new`, { force: true })
  spy.mockRestore()
  const handle = await open(folder)
  spy = vi
    .spyOn(Object.getPrototypeOf(handle) as FileHandle, 'sync')
    .mockRejectedValue(new Error('EIO'))
  await handle.close()
  await expect(writeDurably(file(), 'new')).rejects.toThrow('EIO')
  expect(readFileSync(file(), 'utf8')).toBe('old')
})

test('makes files and folders that only their owner can read, also over an old draft', async () => {
  writeFileSync(`${file()}.new`, 'draft', { mode: 0o644 })
  await writeDurably(file(), 'secret')
  expect(statSync(file()).mode & 0o777).toBe(0o600)
})

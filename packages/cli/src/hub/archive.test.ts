import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpack } from './archive.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-archive-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Entry {
  path: string
  content?: string
  type?: string
}

function toTar(entries: Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, content = '', type = '0' }) => {
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write(content.length.toString(8).padStart(11, '0'), 124)
    header.write(`        ${type}`, 148)
    header.write('ustar', 257)
    const sum = header.reduce((all, byte) => all + byte, 0)
    header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
    const body = Buffer.alloc(Math.ceil(content.length / 512) * 512)
    body.write(content)
    return [header, body]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

/** Unpacks into a new folder, and returns it. */
function unpacked(bytes: Buffer, name = 'archive.tgz'): string {
  const file = join(folder, name)
  writeFileSync(file, bytes)
  const target = mkdtempSync(join(folder, 'inside-'))
  mkdirSync(join(target, 'files'))
  unpack(file, join(target, 'files'))
  return join(target, 'files')
}
const unpackedTar = (...entries: Entry[]) => unpacked(gzipSync(toTar(entries)))

test('unpacks files with long names, and leaves out links', () => {
  const long = `${'d/'.repeat(60)}file.txt`
  const target = unpackedTar(
    { path: 'pax', type: 'x', content: `${long.length + 10} path=${long}\n` },
    { path: 'short', content: 'long' },
    { path: './a/b.txt', content: 'b' },
    { path: 'linked', type: '2' },
  )
  expect(readFileSync(join(target, long), 'utf8')).toBe('long')
  expect(readFileSync(join(target, 'a/b.txt'), 'utf8')).toBe('b')
  expect(existsSync(join(target, 'linked'))).toBe(false)
})

test.each(['../up', 'a/../../up', '/etc/up', 'a\\..\\up', 'C:/up', '..'])(
  'rejects the path %s',
  (path) => {
    expect(() => unpackedTar({ path, content: 'x' })).toThrow('leaves its folder')
    const pax = { path: 'pax', type: 'x', content: `99 path=${path}\n` }
    expect(() => unpackedTar(pax, { path: 'a', content: 'x' })).toThrow(
      'leaves its folder',
    )
  },
)

test('rejects damaged archives', () => {
  const tar = toTar([{ path: 'a', content: 'x'.repeat(600) }])
  expect(() => unpacked(gzipSync(tar).subarray(0, 40))).toThrow('is damaged')
  expect(() => unpacked(gzipSync(tar.subarray(0, 1024)))).toThrow('it ends within a file')
  const changed = Buffer.from(tar)
  changed[0] = 0x62
  expect(() => unpacked(gzipSync(changed))).toThrow('another checksum')
  for (const bytes of [
    Buffer.from('PK'),
    Buffer.alloc(100),
    Buffer.from('PK\x05\x06'.repeat(6), 'latin1'),
  ])
    expect(() => unpacked(bytes, 'archive.zip')).toThrow(/is damaged|more than/)
})

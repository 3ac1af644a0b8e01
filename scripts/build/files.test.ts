import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFiles, replaceFolder, writeIfChanged } from './files.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (path: string, text: string) => {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'page.html'), text)
}
const read = () => readFileSync(join(folder, 'site/page.html'), 'utf8')

test('replaces a folder when its build is complete', async () => {
  const site = join(folder, 'site')
  await replaceFolder(site, (next) => write(next, 'one'))
  await replaceFolder(site, (next) => {
    expect(read()).toBe('one')
    write(next, 'two')
  })
  expect(read()).toBe('two')
  expect(readdirSync(folder)).toEqual(['site'])
})

test('keeps the previous folder if a build fails, and removes what it left', async () => {
  const site = join(folder, 'site')
  await replaceFolder(site, (next) => write(next, 'one'))
  const failing = replaceFolder(site, (next) => {
    write(next, 'half')
    throw new Error('no space')
  })
  await expect(failing).rejects.toThrow('no space')
  expect(read()).toBe('one')
  const { pid } = spawnSync(process.execPath, ['--version'])
  write(`${site}-next-${pid}`, 'of a killed build')
  await replaceFolder(site, (next) => write(next, 'two'))
  expect(read()).toBe('two')
  expect(readdirSync(folder)).toEqual(['site'])
})

test('removes files that a bundle no longer has, and always writes its first file', () => {
  const build = (...names: string[]) =>
    replaceFiles(
      folder,
      names.map((name) => ({ path: join(folder, name), contents: Buffer.from(name) })),
      { last: join(folder, 'index.js') },
    )
  const changedAt = (name: string) => statSync(join(folder, name)).mtimeMs
  build('index.js', 'chunk-a.js', 'chunk-b.js')
  for (const name of ['index.js', 'chunk-b.js']) utimesSync(join(folder, name), 1, 1)
  build('index.js', 'chunk-b.js', 'chunk-c.js')
  expect(readdirSync(folder).sort()).toEqual(['chunk-b.js', 'chunk-c.js', 'index.js'])
  expect(changedAt('chunk-b.js')).toBe(1_000)
  expect(changedAt('index.js')).toBeGreaterThan(1_000)
})

test('writes files again that another process replaced or removed', () => {
  const [first, chunk, other] = ['index.js', 'chunk-a.js', 'chunk-b.js'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const build = () =>
    replaceFiles(
      folder,
      [first, chunk, other].map((path) => ({ path, contents: Buffer.from('one') })),
      { last: first },
    )
  build()
  writeFileSync(chunk, 'two')
  rmSync(other)
  build()
  expect([first, chunk, other].map((path) => readFileSync(path, 'utf8'))).toEqual([
    'one',
    'one',
    'one',
  ])
})

test('writes a generated file only if its text changes', () => {
  const file = join(folder, 'a/list.gen.ts')
  expect(writeIfChanged('a/list.gen.ts', 'one', folder)).toBe(true)
  utimesSync(file, 1, 1)
  expect(writeIfChanged('a/list.gen.ts', 'one', folder)).toBe(false)
  expect(statSync(file).mtimeMs).toBe(1_000)
  expect(writeIfChanged('a/list.gen.ts', 'two', folder)).toBe(true)
  expect(readFileSync(file, 'utf8')).toBe('two')
})

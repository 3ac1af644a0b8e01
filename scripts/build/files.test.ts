import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { replaceFiles, replaceFolder } from './files.js'

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

test('removes files that a bundle no longer has, and writes its first file last', () => {
  const [first, chunk, other] = ['index.js', 'chunk-a.js', 'chunk-b.js'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const file = (path: string) => ({ path, contents: path, hash: path })
  replaceFiles(folder, [file(first), file(chunk)], { last: first })
  const written: string[] = []
  const isSame = ({ path }: { path: string }) => {
    written.push(path)
    return false
  }
  replaceFiles(folder, [file(first), file(other)], { last: first, isSame })
  expect(readdirSync(folder).sort()).toEqual(['chunk-b.js', 'index.js'])
  expect(written).toEqual([other])
})

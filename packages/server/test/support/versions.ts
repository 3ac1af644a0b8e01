// Installations of released versions, recorded by scripts/version-fixture.js.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { emptyDatabase } from './database.ts'

const folder = fileURLToPath(new URL('../versions', import.meta.url))

interface Talk {
  path: string
  key: string
  conversationId: string
}
export interface Recorded {
  answers: {
    method?: string
    path: string
    headers: Record<string, string>
    body?: object
    answer: Record<string, unknown>
  }[]
  chat: Talk
  flow: Talk
}

export const listVersions = async () => (await readdir(folder)).sort()
export const toBackupPath = (version: string) =>
  join(folder, version, 'installation.backup')

const readPacked = async (version: string, name: string) =>
  gunzipSync(await readFile(join(folder, version, name))).toString()

/** Returns what the version itself answered. */
export const readRecorded = async (version: string): Promise<Recorded> =>
  JSON.parse(await readPacked(version, 'answers.json.gz'))

/** Creates the database as the version left it. */
export async function openVersionDatabase(version: string) {
  const database = await emptyDatabase()
  await fillVersionDatabase(version, database.settings)
  return database
}

export const fillVersionDatabase = async (
  version: string,
  settings: ConnectionSettings,
) => runSql(settings, await readPacked(version, 'database.sql.gz'))

async function runSql(settings: ConnectionSettings, text: string) {
  const client = new pg.Client(settings)
  await client.connect()
  await client.query(text).finally(() => client.end())
}

/** Creates a data folder with the version's keys, credentials and contents of files. */
export async function openVersionFolder(version: string) {
  const path = await mkdtemp(join(tmpdir(), 'botstead-version-'))
  await promisify(execFile)('tar', [
    '-xzf',
    join(folder, version, 'data.tar.gz'),
    '-C',
    path,
  ])
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}

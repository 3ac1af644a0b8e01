// The built server in a separate process with its own data folder, for end-to-end tests. Run
// `npm run build` first. Its database is a migrated clone, unless the test is about the embedded
// database.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'
import type { ConnectionSettings } from '../../src/core/db/database.ts'
import { cloneDatabase, emptyDatabase, type TestDatabase, toUrl } from './database.ts'

export interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
  chatEncryptionKey: string
}

export interface RunningServer {
  dataFolder: string
  credentials: Credentials
  /** Its database, for queries by the test. */
  database: ConnectionSettings
  /** The output of both streams since the start. */
  output: () => string
  pid: () => number
  /** Sends a signal, waits and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
  /** Starts it again with the same data and port. */
  start(): Promise<void>
  /** Stops it and deletes its data. */
  remove(): Promise<void>
}

export const commandLine = fileURLToPath(
  new URL('../../../cli/bin/botstead.js', import.meta.url),
)

/**
 * Settings for several processes on one database: shared keys, and fast detection of dead
 * processes.
 */
export const settingsOfMany = (database: TestDatabase) => ({
  DATABASE_URL: toUrl(database.settings),
  BOTSTEAD_MASTER_KEY: randomBytes(32).toString('hex'),
  BOTSTEAD_CHAT_KEY: randomBytes(32).toString('hex'),
  BOTSTEAD_LEASE_SECONDS: '2',
  BOTSTEAD_SHUTDOWN_SECONDS: '5',
})

/** Sets the URL of the server's first bot. Throws unless the server accepts it. */
export async function setBotUrl(
  { credentials }: RunningServer,
  botUrl: string,
): Promise<void> {
  const { url, token, workspaceId, botId } = credentials
  const reply = await fetch(`${url}/v1/admin/bots/${botId}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ url: botUrl }),
  })
  if (reply.status !== 200)
    throw new Error(`The server answered ${reply.status}: ${await reply.text()}`)
}

interface RunOptions {
  /**
   * Uses the embedded database and migrates it; with a configured database server, an empty
   * database there.
   */
  embedded?: boolean
}

export async function runServer(
  env: NodeJS.ProcessEnv = {},
  { embedded = false }: RunOptions = {},
): Promise<RunningServer> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'botstead-run-'))
  const openDatabase = embedded ? givenDatabase : cloneDatabase
  const database = env.DATABASE_URL ? null : await openDatabase()
  const databaseUrl = database ? toUrl(database.settings) : undefined
  const file = join(dataFolder, 'credentials.json')
  let output = ''
  let child: ChildProcess
  let credentials: Credentials
  let port = '0'

  async function start() {
    const settings = {
      BOTSTEAD_DATA: dataFolder,
      BOTSTEAD_PORT: port,
      BOTSTEAD_LOG_LEVEL: 'warn',
      DATABASE_URL: databaseUrl,
      ...env,
    }
    child = spawn(process.execPath, [commandLine, 'start'], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout!.on('data', (chunk) => (output += chunk))
    child.stderr!.on('data', (chunk) => (output += chunk))
    const deadline = Date.now() + 180_000
    do {
      if (child.exitCode !== null || Date.now() > deadline)
        throw new Error(`The server did not start:\n${output}`)
      await pause(50)
    } while (!existsSync(file) || !(await isReady(read().url)))
    credentials = read()
    port = new URL(credentials.url).port
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM') {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill(signal)
    return ended
  }

  const read = () => JSON.parse(readFileSync(file, 'utf8')) as Credentials
  async function remove() {
    await stop('SIGTERM')
    await database?.drop()
    await rm(dataFolder, { recursive: true, force: true })
  }

  await start().catch(async (error) => {
    await remove()
    throw error
  })
  return {
    dataFolder,
    database: database?.settings ?? {
      host: join(dataFolder, 'postgres/run'),
      user: 'postgres',
      database: 'botstead',
    },
    get credentials() {
      return credentials
    },
    output: () => output,
    pid: () => child.pid!,
    stop,
    start,
    remove,
  }
}

async function givenDatabase(): Promise<TestDatabase | null> {
  return inject('databaseServer').connectionString ? emptyDatabase() : null
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}

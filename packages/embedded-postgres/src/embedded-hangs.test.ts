// A PostgreSQL that hangs: a fast shutdown during the recovery after the kill of a backend never ends.
// EMBEDDED_HANGS=20 repeats the plan with a server.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '@botstead/lib'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { captureLog } from '../../server/test/support/captured-log.ts'
import { findFreePort } from '../../server/test/support/nats-server.ts'
import { createRandom, seed } from '../../server/test/support/random.ts'
import { commandLine } from '../../server/test/support/running-server.ts'
import { type Embedded, startEmbedded } from './embedded.ts'
import { endPostmaster, findPostmaster } from './embedded-process.ts'

const plans = Number(process.env.EMBEDDED_HANGS ?? 3)
vi.setConfig({ testTimeout: 60_000 + plans * 60_000, hookTimeout: 60_000 })
const silent = pino({ level: 'silent' })
const builtEmbedded = new URL('../dist/embedded.js', import.meta.url).href
let seedFolder: string
let folder: string
let children: ChildProcess[]
const running: Embedded[] = []

beforeAll(async () => {
  seedFolder = await mkdtemp(join(tmpdir(), 'botstead-hangs-seed-'))
  await (await startEmbedded(seedFolder, silent)).stop()
})
afterAll(() => rm(seedFolder, { recursive: true, force: true }))
beforeEach(async () => {
  children = []
  folder = await realpath(await mkdtemp(join(tmpdir(), 'botstead-hangs-')))
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const { stop } of running.splice(0)) await stop()
  const pid = await postgresPid()
  if (pid && isAlive(pid)) process.kill(pid, 'SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const cluster = () => join(folder, 'postgres/cluster')
const copySeed = () =>
  cp(join(seedFolder, 'postgres/cluster'), cluster(), { recursive: true })
const postgresPid = async () =>
  Number.parseInt(
    await readFile(join(cluster(), 'postmaster.pid'), 'utf8').catch(() => ''),
    10,
  ) || null

async function start(log = silent): Promise<Embedded> {
  const embedded = await startEmbedded(folder, log)
  running.push(embedded)
  return embedded
}

async function query(settings: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  return (await client.query(text).finally(() => client.end())).rows
}

/** Kills one backend, which makes PostgreSQL recover. */
async function killBackend(settings: pg.ClientConfig) {
  const client = new pg.Client(settings)
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  process.kill(rows[0].pid, 'SIGKILL')
}

/** PostgreSQL of a server that was killed. */
async function startAlone(): Promise<{ settings: pg.ClientConfig; pid: number }> {
  const script = `
    import { startEmbedded } from ${JSON.stringify(builtEmbedded)}
    import pino from 'pino'
    const { settings } = await startEmbedded(${JSON.stringify(folder)}, pino({ level: 'silent' }))
    console.log(JSON.stringify(settings))
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(child.stdout!), 'line')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const settings: pg.ClientConfig = JSON.parse(line)
  await query(
    settings,
    'create table if not exists note as select generate_series(1, 1000)',
  )
  return { settings, pid: (await postgresPid())! }
}

/** Repeats until the shutdown hangs: it must begin within some milliseconds of the recovery. */
async function makeHang(settings: pg.ClientConfig, pid: number): Promise<boolean> {
  await killBackend(settings)
  await pause(20)
  process.kill(pid, 'SIGINT')
  for (let waited = 0; waited < 1_500; waited += 50) {
    if (!isAlive(pid)) return false
    await pause(50)
  }
  return true
}

it('stops within 5 s during the recovery after the kill of a backend, without loss', async () => {
  await copySeed()
  for (const waitMs of [0, 20, 100]) {
    const embedded = await start()
    await query(embedded.settings, 'create table if not exists note (number int)')
    await query(embedded.settings, 'insert into note values (1)')
    const pid = (await postgresPid())!
    await killBackend(embedded.settings)
    await pause(waitMs)
    const begun = performance.now()
    await running.pop()!.stop()
    expect(performance.now() - begun).toBeLessThan(5_000)
    expect(isAlive(pid)).toBe(false)
  }
  const { settings } = await start()
  expect(await query(settings, 'select count(*)::int as count from note')).toEqual([
    { count: 3 },
  ])
})

it('ends a database that hangs in its shutdown, and starts another one', async () => {
  await copySeed()
  for (let tries = 0; tries < 10; tries++) {
    const { settings, pid } = await startAlone()
    if (!(await makeHang(settings, pid))) continue
    const { log, text } = captureLog()
    const next = await start(log)
    expect(isAlive(pid)).toBe(false)
    expect(text()).toContain(`"pid":${pid}`)
    expect(text()).toContain('makes no progress')
    expect(await query(next.settings, 'select count(*)::int as count from note')).toEqual(
      [{ count: 1_000 }],
    )
    return
  }
  throw new Error('No shutdown hung')
})

it('ends a stopped database, which answers nothing', async () => {
  await copySeed()
  const { pid } = await startAlone()
  process.kill(pid, 'SIGSTOP')
  const next = await start()
  expect(isAlive(pid)).toBe(false)
  expect(await query(next.settings, 'select count(*)::int as count from note')).toEqual([
    { count: 1_000 },
  ])
})

it('ends no other process, although postmaster.pid names it', async ({ skip }) => {
  skip(process.platform !== 'linux', 'needs /proc')
  await copySeed()
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore', cwd: cluster() })
  children.push(stranger)
  await once(stranger, 'spawn')
  const startedAt = Math.floor(Date.now() / 1000)
  const content = [
    stranger.pid,
    cluster(),
    startedAt,
    5432,
    join(folder, 'run'),
    '',
    '',
    'ready',
  ]
  await writeFile(join(cluster(), 'postmaster.pid'), `${content.join('\n')}\n`)
  expect(await findPostmaster(cluster())).toBeNull()
  await start()
  expect(isAlive(stranger.pid!)).toBe(true)
})

it('signals no process that took over the id of an ended one', async () => {
  const stranger = spawn('sleep', ['60'], { stdio: 'ignore' })
  children.push(stranger)
  await once(stranger, 'spawn')
  const former = { pid: stranger.pid!, startedAt: '1' }
  await endPostmaster({ cluster: cluster() } as never, former, { isReady: false })
  expect(isAlive(stranger.pid!)).toBe(true)
})

function startServer(port: number) {
  const child = spawn(process.execPath, [commandLine, 'start'], {
    env: {
      ...process.env,
      BOTSTEAD_DATA: folder,
      BOTSTEAD_PORT: String(port),
      BOTSTEAD_LOG_LEVEL: 'warn',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  children.push(child)
  return child
}

async function untilReady(port: number, child: ChildProcess) {
  const readyz = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.status)
  await vi.waitFor(
    async () => {
      if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}`)
      expect(await readyz()).toBe(200)
    },
    { timeout: 60_000, interval: 50 },
  )
}

it(`serves again after ${plans} stops during a recovery`, async () => {
  console.log(`SEED=${seed}`)
  const random = createRandom()
  const port = await findFreePort()
  const settings = {
    host: join(folder, 'postgres/run'),
    user: 'postgres',
    database: 'botstead',
  }
  for (let plan = 0; plan < plans; plan++) {
    const server = startServer(port)
    await untilReady(port, server)
    await killBackend(settings)
    await pause(plan % 2 === 0 ? random.between(0, 100) : random.between(0, 1_000))
    const ended = once(server, 'exit')
    const begun = performance.now()
    server.kill('SIGTERM')
    if (plan % 3 > 0) {
      await pause(random.between(100, 1_500))
      server.kill(plan % 3 === 1 ? 'SIGKILL' : 'SIGINT')
    }
    await ended
    if (plan % 3 === 0) expect(performance.now() - begun).toBeLessThan(5_500)
    const next = startServer(port)
    await untilReady(port, next)
    const nextEnded = once(next, 'exit')
    next.kill('SIGTERM')
    expect(await nextEnded).toEqual([0, null])
  }
})

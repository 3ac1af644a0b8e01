// Starts servers while the database crashes or is not up yet: the same process serves once the
// database is up. SEED=… repeats a run; CRASH_KILLS=50 makes it longer.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openBreakingProxy } from '../../../../test/support/breaking-proxy.ts'
import { cloneDatabase } from '../../../../test/support/database.ts'
import { createRandom, seed } from '../../../../test/support/random.ts'
import { commandLine } from '../../../../test/support/running-server.ts'

const kills = Number(process.env.CRASH_KILLS ?? 3)
let folder: string
let children: ChildProcess[]
let output: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-start-'))
  children = []
  output = ''
})
afterEach(async () => {
  for (const child of children) await end(child, 'SIGTERM')
  await rm(folder, { recursive: true, force: true })
}, 60_000)

function start(env: NodeJS.ProcessEnv = {}): ChildProcess {
  const child = spawn(process.execPath, [commandLine, 'start'], {
    env: {
      ...process.env,
      BOTSTEAD_DATA: folder,
      BOTSTEAD_PORT: '0',
      BOTSTEAD_LOG_LEVEL: 'warn',
      DATABASE_URL: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output += chunk))
  children.push(child)
  return child
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const ended = once(child, 'exit')
  child.kill(signal)
  return (await ended)[0]
}

/** Waits until this process serves; fails at once if it exits. */
function serves(child: ChildProcess) {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`It ended:\n${output}`)
  })
  const served = vi.waitFor(
    async () => {
      const { url } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
      expect((await fetch(`${url}/readyz`)).ok).toBe(true)
      expect(output).toContain('Botstead is running')
    },
    { timeout: 50_000, interval: 50 },
  )
  return Promise.race([served, ended])
}

const postmaster = async () =>
  Number.parseInt(
    await readFile(join(folder, 'postgres/cluster/postmaster.pid'), 'utf8').catch(
      () => '',
    ),
    10,
  ) || null

test(`serves although its database is killed ${kills} times during the start`, {
  timeout: 60_000 + kills * 30_000,
}, async () => {
  console.log(`SEED=${seed}`)
  const chance = createRandom()
  for (let kill = 0; kill < kills; kill++) {
    await rm(join(folder, 'credentials.json'), { force: true })
    const child = start()
    const before = await vi.waitFor(
      async () => {
        const pid = await postmaster()
        expect(pid).not.toBe(null)
        return pid!
      },
      { timeout: 30_000, interval: 5 },
    )
    await pause(chance.between(0, 1_200))
    process.kill(before, 'SIGKILL')
    await serves(child)
    expect(await end(child, 'SIGTERM')).toBe(0)
  }
})

/** Reserves a port on which nothing listens; `open` forwards it to the database. */
async function openForwarder() {
  const { settings, drop } = await cloneDatabase()
  const url = settings.connectionString ? new URL(settings.connectionString) : null
  const { host = 'localhost', port = 5432 } = url
    ? { host: url.hostname, port: Number(url.port || 5432) }
    : settings
  const forwarder: Server = createServer((socket) => {
    const through = host.startsWith('/')
      ? connect(join(host, `.s.PGSQL.${port}`))
      : connect({ host, port: Number(port) })
    for (const side of [socket, through]) side.on('error', () => {})
    socket.pipe(through).pipe(socket)
  })
  forwarder.listen(0, '127.0.0.1')
  await once(forwarder, 'listening')
  const free = (forwarder.address() as { port: number }).port
  await new Promise((resolve) => forwarder.close(resolve))
  const through = new URL(url ?? `postgres://${settings.user}@x/${settings.database}`)
  through.host = `127.0.0.1:${free}`
  return {
    url: String(through),
    open: () => forwarder.listen(free, '127.0.0.1'),
    forwarder,
    drop,
  }
}

test('waits for a database that is not up yet, and logs it', {
  timeout: 60_000,
}, async () => {
  const { url, open, forwarder, drop } = await openForwarder()
  const child = start({ DATABASE_URL: url })
  await vi.waitFor(() => expect(output).toContain('No database answers at'), 20_000)
  expect(output).toContain('retrying')
  open()
  await serves(child)
  expect(await end(child, 'SIGTERM')).toBe(0)
  forwarder.close()
  await drop()
})

test.for(['"account"."email"', 'sign_in_link', 'first_start set completed_at'])(
  'serves although its connections break at the statement %s',
  { timeout: 60_000 },
  async (text) => {
    const { settings, drop } = await cloneDatabase()
    const proxy = await openBreakingProxy(settings)
    proxy.cutAt(text, { times: 3 })
    const { connectionString } = proxy.settings
    const url =
      connectionString ??
      `postgres://${settings.user}@127.0.0.1:${proxy.port}/${settings.database}`
    const child = start({ DATABASE_URL: url })
    await serves(child)
    expect(proxy.cuts()).toBe(text === 'sign_in_link' ? 1 : 3)
    if (text === 'sign_in_link')
      expect(output).toContain('login-link --account owner@localhost')
    const { token } = JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))
    expect(token).toMatch(/^bp_pat_/)
    expect(await end(child, 'SIGTERM')).toBe(0)
    await proxy.close()
    await drop()
  },
)

test('exits at once on SIGTERM while it waits for the database', {
  timeout: 60_000,
}, async () => {
  const child = start({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:9/none' })
  await vi.waitFor(() => expect(output).toContain('No database answers at'), 20_000)
  expect(output).not.toContain('secret')
  const signalledAt = performance.now()
  expect(await end(child, 'SIGTERM')).toBe(0)
  expect(performance.now() - signalledAt).toBeLessThan(3_000)
})

test('exits if the database does not exist', { timeout: 60_000 }, async () => {
  const { url, open, forwarder, drop } = await openForwarder()
  open()
  const child = start({ DATABASE_URL: url.replace(/\/[^/]*$/, '/not_there') })
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(1)
  expect(output).toContain('The database "not_there" does not exist')
  forwarder.close()
  await drop()
})

test('prints the commands for the owner on a further server of the same database', {
  timeout: 60_000,
}, async () => {
  const { url, open, forwarder, drop } = await openForwarder()
  open()
  const first = start({ DATABASE_URL: url })
  await serves(first)
  expect(output).toContain('Your token         in ')
  expect(await end(first, 'SIGTERM')).toBe(0)
  await rm(join(folder, 'credentials.json'))
  output = ''
  const further = start({ DATABASE_URL: url })
  await serves(further)
  expect(output).toContain('tokens create --account owner@localhost')
  expect(output).toContain('login-link --account owner@localhost')
  expect(output).not.toContain('Your token')
  expect(await end(further, 'SIGTERM')).toBe(0)
  forwarder.close()
  await drop()
})

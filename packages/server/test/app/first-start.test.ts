// Interrupts the first start of servers with their own database at random moments: the next start
// must complete the installation. SEED=… repeats a run; FIRST_STARTS=50 makes it longer.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findFreePort } from '../support/nats-server.ts'
import { createRandom, seed } from '../support/random.ts'
import { type Credentials, commandLine } from '../support/running-server.ts'

const starts = Number(process.env.FIRST_STARTS ?? 20)
let folder: string
let child: ChildProcess | null = null
let output: string

beforeEach(newFolder)
afterEach(removeFolder, 60_000)

function newFolder() {
  folder = mkdtempSync(join(tmpdir(), 'botstead-first-'))
  output = ''
}

async function removeFolder() {
  await end('SIGTERM')
  const postmaster = await readFile(
    join(folder, 'postgres/cluster/postmaster.pid'),
    'utf8',
  ).catch(() => '')
  if (postmaster) killIfAlive(Number.parseInt(postmaster, 10))
  // The children of a killed PostgreSQL end a moment later, and write files until then.
  await rm(folder, { recursive: true, force: true, maxRetries: 20 })
}

/** A PostgreSQL that was killed leaves its file behind. */
function killIfAlive(pid: number) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function start(port: number) {
  child = spawn(process.execPath, [commandLine, 'start'], {
    env: {
      ...process.env,
      BOTSTEAD_DATA: folder,
      BOTSTEAD_PORT: String(port),
      BOTSTEAD_LOG_LEVEL: 'warn',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk) => (output += chunk))
}

async function end(signal: NodeJS.Signals) {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}

const isReady = (port: number) =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )

async function untilReady(port: number) {
  await vi.waitFor(
    async () => {
      if (child!.exitCode !== null) throw new Error(`It ended:\n${output}`)
      expect(await isReady(port)).toBe(true)
    },
    { timeout: 90_000, interval: 5 },
  )
}

const credentials = (): Credentials =>
  JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'))

async function json(url: string, init: RequestInit = {}) {
  const response = await fetch(url, {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
  const body = await response.text()
  expect(response.status, `${url}: ${body}`).toBeLessThan(300)
  return JSON.parse(body)
}

/** The token is valid, there is one bot with one version, and it answers in its chat. */
async function expectComplete(port: number) {
  const { token, workspaceId, botId, chatUrl } = credentials()
  const headers = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId }
  const server = `http://127.0.0.1:${port}`
  const { bots } = await json(`${server}/v1/admin/bots`, { headers })
  expect(bots.map(({ id }: { id: string }) => id)).toEqual([botId])
  const { versions } = await json(`${server}/v1/admin/bots/${botId}/versions`, {
    headers,
  })
  expect(versions).toHaveLength(1)
  const { key } = await json(`${chatUrl}/users`, { method: 'POST', body: '{}' })
  const asUser = { 'x-user-key': key }
  const { conversation } = await json(`${chatUrl}/conversations`, {
    method: 'POST',
    body: '{}',
    headers: asUser,
  })
  await json(`${chatUrl}/messages`, {
    method: 'POST',
    headers: asUser,
    body: JSON.stringify({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'hello' },
    }),
  })
  await vi.waitFor(
    async () => {
      const { messages } = await json(
        `${chatUrl}/conversations/${conversation.id}/messages`,
        {
          headers: asUser,
        },
      )
      expect(messages.length).toBeGreaterThan(1)
    },
    { timeout: 30_000, interval: 100 },
  )
}

test('has token, bot and readable credentials when it first reports to be ready', {
  timeout: 120_000,
}, async () => {
  const port = await findFreePort()
  start(port)
  await untilReady(port)
  expect(existsSync(join(folder, 'credentials.json'))).toBe(true)
  await expectComplete(port)
})

test(`completes ${starts} first starts that a signal interrupted`, {
  timeout: 60_000 + starts * 60_000,
}, async () => {
  console.log(`SEED=${seed}`)
  const random = createRandom()
  let readyMs = 3_000
  for (let round = 0; round < starts; round++) {
    if (round > 0) {
      await removeFolder()
      newFolder()
    }
    const port = await findFreePort()
    const signal = random.next() < 0.5 ? 'SIGTERM' : 'SIGKILL'
    const isAtReady = round % 3 === 0
    const begun = performance.now()
    start(port)
    if (isAtReady) {
      await untilReady(port)
      readyMs = performance.now() - begun
      await pause(random.between(0, 300))
    } else await pause(random.between(0, readyMs + 500))
    const ms = Math.round(performance.now() - begun)
    await end(signal)
    start(port)
    await untilReady(port)
    await expectComplete(port).catch((error) => {
      throw new Error(
        `Round ${round}, ${signal} after ${ms} ms of ${Math.round(readyMs)}: ${error}`,
      )
    })
  }
})

// Commands on the data folder of an installation without a running server: they hold its lock only
// while they work, and other processes learn which command holds it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { commandLine, type RunningServer, runServer } from '../support/running-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
let server: RunningServer
let output: string
const children: ChildProcess[] = []

beforeAll(async () => {
  // Its own database, also where tests have a database server: only then is there a lock to hold.
  server = await runServer({ DATABASE_URL: '' }, { embedded: true })
  output = mkdtempSync(join(tmpdir(), 'botstead-commands-'))
})
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill('SIGCONT')
    child.kill('SIGKILL')
  }
  await server.stop()
})
afterAll(async () => {
  await server?.remove()
  await rm(output, { recursive: true, force: true })
})

function begin(...args: string[]) {
  const child = spawn(process.execPath, [commandLine, ...args], {
    env: {
      ...process.env,
      BOTSTEAD_DATA: server.dataFolder,
      BOTSTEAD_TARGET_TOKEN: 'bp_pat_none',
      DATABASE_URL: '',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (part) => (text += part))
  const ended = once(child, 'close').then(([code]) => ({ code, text }))
  return { child, ended, text: () => text }
}

/** The record of the newest holder of the lock. */
function readLock(): { pid: number; command?: string; released?: true } {
  const folder = join(server.dataFolder, 'lock')
  const newest = Math.max(...readdirSync(folder).map(Number).filter(Number.isFinite))
  return JSON.parse(readFileSync(join(folder, String(newest)), 'utf8'))
}

const holdsLock = ({ child }: { child: ChildProcess }) =>
  vi.waitFor(() => expect(readLock()).toMatchObject({ pid: child.pid }), {
    timeout: 30_000,
    interval: 5,
  })

const target = 'http://127.0.0.1:9'

test.for([['--to', target], ['--cancel'], ['--end-forwarding', '--yes'], []])(
  'move %j without a server reports it, and a server starts meanwhile',
  async (options) => {
    await server.stop()
    const { workspaceId } = server.credentials
    const moves = Array.from({ length: 2 }, () => begin('move', workspaceId, ...options))
    await server.start()
    for (const move of moves) {
      const { code, text } = await Promise.race([
        move.ended,
        pause(20_000, { code: 'it runs', text: '' }),
      ])
      expect(code).not.toBe('it runs')
      expect(text).not.toContain('Another Botstead server')
    }
    await server.stop()
    const { code, text } = await begin('move', workspaceId, ...options).ended
    expect(code).toBe(1)
    expect(text).toContain('No server of this installation runs')
    expect(readLock().released).toBe(true)
    await server.start()
    const state = await fetch(`${server.credentials.url}/readyz`)
    expect(state.status).toBe(200)
  },
)

const commands = {
  backup: (file: string) => ['backup', file],
  export: (file: string) => [
    'export',
    server.credentials.workspaceId,
    '--no-secrets',
    '--output',
    file,
  ],
}

test.for(['backup', 'export'] as const)(
  'a start during %s names the command',
  async (name) => {
    await server.stop()
    const file = join(output, `${name}.botstead`)
    const command = begin(...commands[name](file))
    await holdsLock(command)
    command.child.kill('SIGSTOP')
    const start = await begin('start').ended
    expect(start.code).toBe(1)
    expect(start.text).toContain(
      `${name}" (process ${command.child.pid}) uses the data folder`,
    )
    expect(start.text).not.toContain('Another Botstead server')
    const other = await begin('tokens', 'create', '--account', 'owner@localhost').ended
    expect(other.text).toContain(`(process ${command.child.pid})`)
    command.child.kill('SIGCONT')
    expect(await command.ended).toMatchObject({ code: 0 })
    expect(existsSync(file)).toBe(true)
    await server.start()
  },
)

test('a command waits for the database of a server that starts', async () => {
  await server.stop()
  const starting = server.start()
  await vi.waitFor(() => expect(readLock()).toMatchObject({ pid: server.pid() }), {
    timeout: 30_000,
    interval: 5,
  })
  const file = join(output, 'during-start.botstead')
  const { code, text } = await begin('backup', file).ended
  expect([code, text]).toEqual([0, expect.stringContaining('Wrote')])
  await starting
})

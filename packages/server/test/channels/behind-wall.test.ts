// Channels that open their connections, on a server to which nothing can connect: its network namespace has
// only the loopback.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { commandLine } from '../support/running-server.ts'
import { openDiscord } from './discord-stand-in.ts'
import { openMailbox } from './email-stand-in.ts'
import { openMatrix } from './matrix-stand-in.ts'
import { openSlack } from './slack-stand-in.ts'
import type { StandIn } from './stand-in.ts'
import { openTelegram } from './telegram-stand-in.ts'

const openers: Record<string, () => Promise<StandIn>> = {
  telegram: openTelegram,
  slack: openSlack,
  discord: openDiscord,
  matrix: openMatrix,
  email: openMailbox,
}
const wall = ['--dev-bind', '/', '/', '--unshare-net', '--die-with-parent', '--']
const hasWall = spawnSync('bwrap', [...wall, 'true']).status === 0
const timeout = 180_000

const standIns: Record<string, StandIn> = {}
const doors: Server[] = []
let folder: string
let child: ChildProcess | undefined
let output = ''

/** Opens a socket in the file system for each port of the providers on this machine. */
function openDoors(): Record<string, string> {
  const text = JSON.stringify(
    Object.values(standIns).map(({ configuration, socketUrl }) => [
      configuration,
      socketUrl,
    ]),
  )
  const ports = text.matchAll(/127\.0\.0\.1:(\d+)|"(?:imap|smtp)Port":(\d+)/g)
  const paths: Record<string, string> = {}
  for (const [, ofUrl, ofMail] of ports) {
    const port = (ofUrl ?? ofMail)!
    paths[port] = join(folder, `${port}.sock`)
    const door = createServer((inside) => {
      const outside = connect(Number(port), '127.0.0.1')
      inside.pipe(outside).pipe(inside)
      inside.on('error', () => outside.destroy())
      outside.on('error', () => inside.destroy())
    })
    doors.push(door.listen(paths[port]))
  }
  return paths
}

beforeAll(async () => {
  if (!hasWall) return
  folder = mkdtempSync(join(tmpdir(), 'botstead-wall-'))
  for (const [name, open] of Object.entries(openers)) standIns[name] = await open()
  const data = join(folder, 'data')
  const channels = Object.fromEntries(
    Object.entries(standIns).map(([name, { configuration }]) => [name, configuration]),
  )
  const given = JSON.stringify({ commandLine, data, doors: openDoors(), channels })
  const program = fileURLToPath(new URL('behind-wall.mjs', import.meta.url))
  const { DATABASE_URL: _, ...env } = process.env
  child = spawn('bwrap', [...wall, process.execPath, program, given], {
    env: {
      ...env,
      BOTSTEAD_DATA: data,
      BOTSTEAD_PORT: '4000',
      BOTSTEAD_LOG_LEVEL: 'warn',
    },
  })
  child.stdout!.on('data', (chunk) => (output += chunk))
  child.stderr!.on('data', (chunk) => (output += chunk))
  await vi.waitFor(() => expect(output).toContain('installed: '), {
    timeout,
    interval: 200,
  })
}, timeout)

afterAll(async () => {
  if (child && child.exitCode === null) {
    child.kill()
    await once(child, 'close')
  }
  for (const standIn of Object.values(standIns)) await standIn.close()
  for (const door of doors) door.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
}, timeout)

test.skipIf(!hasWall)('the bot answers in each of them', { timeout }, async () => {
  const [, states] = /installed: (.*)/.exec(output)!
  const installed: { name: string; status: string; statusReason: string | null }[] =
    JSON.parse(states!)
  expect(installed.map(({ name }) => name).sort()).toEqual(Object.keys(openers).sort())
  for (const one of installed)
    expect(one.status, one.statusReason ?? '').toBe('registered')
  for (const [name, standIn] of Object.entries(standIns)) {
    await standIn.say(`Hello ${name}`)
    await vi.waitFor(
      () => expect(JSON.stringify(standIn.shown())).toContain(`Hello ${name}`),
      30_000,
    )
  }
})

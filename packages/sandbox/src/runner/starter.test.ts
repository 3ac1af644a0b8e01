import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from '@botstead/lib'
import { afterEach, expect, test } from 'vitest'
import { type StartedProcess, Starter } from './starter.ts'

let starter: Starter
afterEach(() => starter?.close())

async function open() {
  starter = new Starter()
  await expect.poll(() => starter.isReady, { timeout: 20_000 }).toBe(true)
}

const startCode = (code: string) =>
  starter.start(
    {
      command: [process.execPath, '-e', code],
      user: null,
      lowersPriority: true,
      isFiltered: false,
    },
    4,
  )

const pipe = ({ stdio }: StartedProcess, at: number) => stdio[at] as Duplex

async function readAll(stream: Duplex) {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

test('settles when it can start processes, and when it ends before', async () => {
  starter = new Starter()
  expect(starter.isReady).toBe(false)
  await starter.settled
  expect(starter.isReady).toBe(true)
  starter.close()
  starter = new Starter()
  starter.close()
  await starter.settled
  expect([starter.isReady, starter.hasEnded]).toEqual([false, true])
})

test('passes each pipe on, and tells the exit code after all output', async () => {
  await open()
  const child = startCode(`
    const { writeSync } = require('fs')
    process.stdin.setEncoding('utf8').on('data', (text) => process.stdout.write(text.toUpperCase()))
      .on('end', () => {
        writeSync(2, JSON.stringify({ env: Object.keys(process.env), cwd: process.cwd() }))
        new (require('net').Socket)({ fd: 3 }).end('frames')
        process.exitCode = 7
      })`)
  const large = 'x'.repeat(3_000_000)
  const closed = once(child, 'close')
  const texts = Promise.all([1, 2, 3].map((at) => readAll(pipe(child, at))))
  // Written before the process exists.
  expect(child.pid).toBeUndefined()
  pipe(child, 0).end(large)
  expect(await texts).toEqual([large.toUpperCase(), '{"env":[],"cwd":"/"}', 'frames'])
  expect(await closed).toEqual([7, null])
  expect(child.pid).toBeGreaterThan(1)
})

test('starts many at once, each with its pipes', async () => {
  await open()
  const children = Array.from({ length: 20 }, (_, i) => startCode(`console.log(${i})`))
  const texts = await Promise.all(children.map((child) => readAll(pipe(child, 1))))
  expect(texts).toEqual(children.map((_, i) => `${i}\n`))
})

test('ends a process, also before it has started', async () => {
  await open()
  const waiting = 'setInterval(() => {}, 1000); console.log(1)'
  const early = startCode(waiting)
  early.kill('SIGKILL')
  expect(await once(early, 'exit')).toEqual([null, 'SIGKILL'])
  const late = startCode(waiting)
  await once(pipe(late, 1), 'data')
  late.kill('SIGTERM')
  expect(await once(late, 'exit')).toEqual([null, 'SIGTERM'])
})

test.each([
  ['/missing/program', 'ENOENT'],
  // Not reported by an event, but thrown.
  ['a\0b', 'null bytes'],
])(
  'tells why the program %j cannot be started, and starts others',
  async (program, reason) => {
    await open()
    const running = startCode('setInterval(() => {}, 1000); console.log(1)')
    await once(pipe(running, 1), 'data')
    const child = starter.start(
      { command: [program], user: null, lowersPriority: false, isFiltered: false },
      4,
    )
    const failed = once(child, 'error')
    for (const stream of child.stdio) stream!.on('error', () => {})
    expect((await failed)[0].message).toContain(reason)
    expect(await readAll(pipe(startCode('console.log(1)'), 1))).toBe('1\n')
    expect(running.exitCode ?? running.signalCode).toBeNull()
    running.kill('SIGKILL')
  },
)

test('its processes end with it', async () => {
  await open()
  const child = startCode('setInterval(() => {}, 1000); console.log(1)')
  await once(pipe(child, 1), 'data')
  starter.close()
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
  await expect.poll(() => isAlive(child.pid!), { timeout: 10_000 }).toBe(false)
  expect(starter.hasEnded).toBe(true)
})

test('ends with a server that is killed while it starts', async () => {
  const program = new URL('../../dist/workers/starter-process.js', import.meta.url)
  const folder = mkdtempSync(join(tmpdir(), 'botstead-starter-'))
  const parameters = [
    fileURLToPath(program),
    [join(folder, 'socket')],
    { stdio: 'ignore' },
  ]
  const source = `
    const child = require('child_process').fork(...${JSON.stringify(parameters)})
    console.log(child.pid)
    setInterval(() => {}, 1000)`
  for (let ms = 0; ms < 160; ms += 20) {
    const server = spawn(process.execPath, ['-e', source], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [text] = await once(server.stdout, 'data')
    await sleep(ms)
    server.kill('SIGKILL')
    await expect.poll(() => isAlive(Number(text)), { timeout: 10_000 }).toBe(false)
  }
}, 60_000)

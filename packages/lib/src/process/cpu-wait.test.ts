import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { limitTime } from './cpu-wait.ts'

const children: ChildProcess[] = []

/** Starts a process with the priority, which runs the code. */
async function start(code: string, priority: number): Promise<number> {
  const text = `console.log("runs"); ${code}`
  const child = spawn('nice', ['-n', String(priority), process.execPath, '-e', text])
  children.push(child)
  await once(child.stdout, 'data')
  return child.pid!
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** Milliseconds until the limit ends. */
async function measure(pid: number): Promise<number> {
  const began = performance.now()
  await new Promise<void>((resolve) => limitTime(() => pid, 400, resolve, 1_200))
  return performance.now() - began
}

test.skipIf(process.platform !== 'linux')(
  'time that code waits for a CPU does not count, up to a maximum; time of idle code does',
  { timeout: 60_000 },
  async () => {
    const loop = 'for (;;);'
    const idle = await start('setInterval(() => {}, 1e6)', 19)
    const starved = await start(loop, 19)
    await Promise.all(
      Array.from({ length: availableParallelism() }, () => start(loop, 8)),
    )
    const [ofStarved, ofIdle] = await Promise.all([measure(starved), measure(idle)])
    expect(ofStarved).toBeGreaterThan(900)
    expect(ofStarved).toBeLessThan(4_000)
    expect(ofIdle).toBeLessThan(900)
  },
)

test('a cancelled limit does not end', async () => {
  let isOver = false
  limitTime(
    () => process.pid,
    50,
    () => (isOver = true),
  )()
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isOver).toBe(false)
})

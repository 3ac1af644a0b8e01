// Runs in a separate process: a visitor who writes messages and a probe of /healthz, each in steady
// turns. At SIGTERM prints the times of both in ms, the longest delay of this process itself, and how many
// times as long as at best a fixed loop takes: they show how busy the machine is.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'

const { url, chat, headers, conversationId } = JSON.parse(process.argv[2])
const resolution = 10
const own = monitorEventLoopDelay({ resolution })
own.enable()
let isOver = false
process.on('SIGTERM', () => {
  isOver = true
})

/** Calls again and again. Returns the times of all calls. */
async function repeat(call, pauseMs) {
  const times = []
  while (!isOver) {
    const from = performance.now()
    await call()
    times.push(performance.now() - from)
    await pause(pauseMs)
  }
  return times
}

const expectOk = async (response) => {
  const text = await response.text()
  if (!response.ok) throw new Error(`${response.status}: ${text}`)
}
const say = async () =>
  expectOk(
    await fetch(`${chat}/messages`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ conversationId, payload: { type: 'text', text: 'Hello' } }),
    }),
  )
const probe = async () => expectOk(await fetch(`${url}/healthz`))

await Promise.all([say(), probe()])
own.reset()
process.stdout.write('ready\n')

/** Takes about a millisecond. */
function work() {
  let sum = 0
  for (let i = 0; i < 1_000_000; i++) sum += i % 7
  return sum
}
const loops = async () => work()

const [turns, probes, times] = await Promise.all([
  repeat(say, 50),
  repeat(probe, 20),
  repeat(loops, 20),
])
const sorted = times.toSorted((a, b) => a - b)
const slowdown =
  sorted[Math.floor(sorted.length * 0.95)] / sorted[Math.floor(sorted.length * 0.1)]
const ownMs = Math.max(0, own.max / 1e6 - resolution)
process.stdout.write(JSON.stringify({ turns, probes, ownMs, slowdown }))

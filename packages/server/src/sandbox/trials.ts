// Code that is to be deployed is loaded once in a process of its own, behind the same walls as when it runs, while its owner waits for the answer. The
// process ends with that; nothing that it writes is kept.
import { InvocationFailed } from '../invocation/invocation.ts'
import { sha256 } from '../lib/secrets.ts'
import type { Compiled } from './compiled.ts'
import type { Runner } from './runner.ts'
import type { Runners } from './runners.ts'

export interface Trial {
  code: string
  environment: Record<string, string>
  memoryMb: number
}

export interface Trials {
  /** Throws InvocationFailed for code that does not load, or has no handler (`no-code`). */
  run(trial: Trial): Promise<void>
  /** The processes that are at it, each with the memory that it may use. */
  running(): Iterable<[Runner, number]>
}

/** Code that never ends takes so long; others must not wait for more than a few of those. */
const atATime = 3
const loadMs = 8_000
const queueMs = 10_000
/** Who repeats a request is not made to wait again. */
const remembered = 500

export function createTrials(runners: Runners, compiled: Pick<Compiled, 'ahead'>): Trials {
  const running = new Map<Runner, number>()
  const waiting: (() => void)[] = []
  const passed = new Set<string>()

  function turn(): Promise<void> {
    if (running.size < atATime) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(new InvocationFailed('crash', 'Too much code is being deployed at this moment', 1_000))
      }, queueMs)
      const begin = () => {
        clearTimeout(tooLong)
        resolve()
      }
      waiting.push(begin)
    })
  }

  async function load({ code, environment, memoryMb }: Trial): Promise<void> {
    await turn()
    const runner = runners.take(null, memoryMb)
    running.set(runner, memoryMb)
    try {
      await runner.load(code, { compiled: null, environment, timeoutMs: loadMs })
    } finally {
      runner.end()
      running.delete(runner)
      runners.prepare(memoryMb)
      waiting.shift()?.()
    }
  }

  return {
    running: () => running,
    async run(trial) {
      const name = sha256(JSON.stringify([trial.code, Object.entries(trial.environment).sort()])).toString(
        'base64',
      )
      if (passed.has(name)) return
      await load(trial)
      passed.add(name)
      compiled.ahead(trial.code, trial.memoryMb)
      if (passed.size > remembered) passed.delete(passed.values().next().value!)
    },
  }
}

// Loads code once before it is deployed, in a temporary process with the same isolation as at
// runtime. The deploying request waits for the result; the output of the process is discarded.

import { hash } from 'node:crypto'
import { sha256InSlices } from '@botstead/lib'
import type { Compiled } from './compiled.ts'
import { InvocationFailed } from './invocation/invocation.ts'
import type { Runner } from './runner/runner.ts'
import type { Runners } from './runner/runners.ts'
import type { Trial } from './sandbox.ts'

export interface Trials {
  /** Throws InvocationFailed for code that does not load or has no handler (`no-code`). */
  run(trial: Trial): Promise<void>
  /** The processes of running trials, each with its memory budget. */
  running(): Iterable<[Runner, number]>
}

const atATime = 3
/**
 * Loading may take longer than on an idle machine: large code is compiled, and processes share the
 * cores. Code that never finishes loading occupies a slot for this time.
 */
export const loadMs = 20_000
const queueMs = 10_000
/** How many passed trials are remembered, so that repeated requests skip the trial. */
const remembered = 500

export function createTrials(
  runners: Runners,
  compiled: Pick<Compiled, 'ahead'>,
): Trials {
  const running = new Map<Runner, number>()
  const waiting: (() => void)[] = []
  const passed = new Set<string>()

  function turn(): Promise<void> {
    if (running.size < atATime) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const tooLong = setTimeout(() => {
        waiting.splice(waiting.indexOf(begin), 1)
        reject(
          new InvocationFailed(
            'crash',
            'Too many deployments are in progress; try again later',
            1_000,
          ),
        )
      }, queueMs)
      const begin = () => {
        clearTimeout(tooLong)
        resolve()
      }
      waiting.push(begin)
    })
  }

  async function load({ code, environment, memoryMb }: Trial): Promise<void> {
    await runners.ready()
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
      const code = (await sha256InSlices(trial.code)).toString('base64')
      const environment = Object.entries(trial.environment).sort()
      const name = hash('sha256', JSON.stringify([code, environment]), 'base64')
      if (passed.has(name)) return
      await load(trial)
      passed.add(name)
      void compiled.ahead(trial.code, trial.memoryMb)
      if (passed.size > remembered) passed.delete(passed.values().next().value!)
    },
  }
}

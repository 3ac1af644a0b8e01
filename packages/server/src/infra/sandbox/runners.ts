// Starts processes and keeps a blank one ready, so that a cold start does not include the start of Node.
import { InvocationFailed } from './invocation/invocation.ts'
import type { Launcher } from './launch.ts'
import { createRunner, type Runner } from './runner.ts'
import type { LogLine } from './sandbox.ts'

export interface Runners {
  /**
   * Returns a process for the code of this key only; with null, its output is discarded. Throws
   * InvocationFailed when the system cannot start a process.
   */
  take(key: string | null, memoryMb: number): Runner
  /** Starts a blank process for the next `take`. */
  prepare(memoryMb: number): void
  /** Ends all processes, including those in use. */
  close(): Promise<void>
}

interface Launched {
  memoryMb: number
  runner: Runner
  /** The key for its log lines; null until `take`. */
  owner: { key: string | null }
}

export function createRunners(
  launcher: Launcher,
  responseBytes: number,
  onLog: (key: string, line: LogLine) => void,
): Runners {
  const alive = new Set<Runner>()
  // On systems that do not end the processes with the server, this does, unless the server is killed.
  const endAll = () => {
    for (const runner of alive) runner.end()
  }
  process.on('exit', endAll)
  let spare: Launched | null = null

  function forward(key: string, line: LogLine): void {
    try {
      onLog(key, line)
    } catch {
      // A lost line is no reason to fail: this runs inside a stream's event handler.
    }
  }
  function launch(memoryMb: number): Launched {
    const owner: Launched['owner'] = { key: null }
    const { child, door } = startChild(launcher, memoryMb)
    const runner = createRunner(
      child,
      { responseBytes, memoryMb, door },
      (line) => owner.key && forward(owner.key, line),
    )
    const launched = { memoryMb, runner, owner }
    alive.add(runner)
    void runner.gone.then(() => alive.delete(runner))
    void runner.ended.then(() => {
      if (spare === launched) spare = null
    })
    return launched
  }

  return {
    take(key, memoryMb) {
      const taken = spare?.memoryMb === memoryMb ? spare : launch(memoryMb)
      if (taken === spare) spare = null
      taken.owner.key = key
      return taken.runner
    },
    prepare(memoryMb) {
      if (spare?.memoryMb === memoryMb) return
      spare?.runner.end()
      try {
        spare = launch(memoryMb)
      } catch {
        // The next `take` will report the error.
        spare = null
      }
    },
    async close() {
      process.off('exit', endAll)
      endAll()
      await Promise.all([...alive].map((runner) => runner.gone))
    },
  }
}

function startChild(launcher: Launcher, memoryMb: number) {
  try {
    return launcher.start(memoryMb)
  } catch (error) {
    throw new InvocationFailed('crash', `The process could not be started: ${(error as Error).message}`, 1000)
  }
}

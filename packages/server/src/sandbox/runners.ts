// Starts processes, and keeps a blank one ahead: a cold start then pays for the code alone, not for Node as well.
import { InvocationFailed } from '../invocation/invocation.ts'
import type { Launcher } from './launch.ts'
import { createRunner, type Runner } from './runner.ts'
import type { LogLine } from './sandbox.ts'

export interface Runners {
  /**
   * A process that will hold the code of this key and no other; null: what it writes is nobody's. Throws InvocationFailed when the system gives none.
   */
  take(key: string | null, memoryMb: number): Runner
  /** Has a blank one ready for next time. */
  prepare(memoryMb: number): void
  /** Ends every process, also those in use. */
  close(): Promise<void>
}

interface Launched {
  memoryMb: number
  runner: Runner
  /** Whose its log lines are, once it was taken. */
  owner: { key: string | null }
}

export function createRunners(
  launcher: Launcher,
  responseBytes: number,
  onLog: (key: string, line: LogLine) => void,
): Runners {
  const alive = new Set<Runner>()
  // Where the system does not end them with the server, this does, as long as the server ends by its own doing.
  const endAll = () => {
    for (const runner of alive) runner.end()
  }
  process.on('exit', endAll)
  let spare: Launched | null = null

  function tell(key: string, line: LogLine): void {
    try {
      onLog(key, line)
    } catch {
      // A line that cannot be kept is no reason to fail: this runs in the handler of a stream's event.
    }
  }
  function launch(memoryMb: number): Launched {
    const owner: Launched['owner'] = { key: null }
    const { child, door } = startChild(launcher, memoryMb)
    const runner = createRunner(
      child,
      { responseBytes, memoryMb, door },
      (line) => owner.key && tell(owner.key, line),
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
        // Whoever needs a process next is told why there is none.
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
    throw new InvocationFailed('crash', `No process could be started: ${(error as Error).message}`, 1000)
  }
}

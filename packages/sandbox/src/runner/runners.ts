// Starts processes and keeps a blank one ready, so that a cold start does not include the start of
// Node.
import { InvocationFailed } from '../invocation/invocation.ts'
import type { Launcher } from '../launch.ts'
import type { LogLine } from '../sandbox.ts'
import { createRunner, type Runner } from './runner.ts'

export interface Runners {
  /** Resolves when `take` and `prepare` block only for a moment. */
  ready(): Promise<void>
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

/** Of all processes. */
interface LaunchedOptions {
  responseBytes: number
  isTuned: boolean | undefined
}

export const createRunners = (
  launcher: Launcher,
  responseBytes: number,
  onLog: (key: string, line: LogLine) => void,
  isTuned?: boolean,
): Runners => new LaunchedRunners(launcher, { responseBytes, isTuned }, onLog)

class LaunchedRunners implements Runners {
  readonly #launcher: Launcher
  readonly #options: LaunchedOptions
  readonly #onLog: (key: string, line: LogLine) => void
  readonly #alive = new Set<Runner>()
  #spare: Launched | null = null
  // On systems that do not end the processes with the server, this does, unless the server is
  // killed.
  readonly #endAll = () => {
    for (const runner of this.#alive) runner.end()
  }

  constructor(
    launcher: Launcher,
    options: LaunchedOptions,
    onLog: (key: string, line: LogLine) => void,
  ) {
    this.#launcher = launcher
    this.#options = options
    this.#onLog = onLog
    process.on('exit', this.#endAll)
  }

  ready(): Promise<void> {
    return this.#launcher.ready()
  }

  take(key: string | null, memoryMb: number): Runner {
    const spare = this.#spare
    const taken = spare?.memoryMb === memoryMb ? spare : this.#launch(memoryMb)
    if (taken === spare) this.#spare = null
    taken.owner.key = key
    return taken.runner
  }

  prepare(memoryMb: number): void {
    if (this.#spare?.memoryMb === memoryMb) return
    this.#spare?.runner.end()
    try {
      this.#spare = this.#launch(memoryMb)
    } catch {
      // The next `take` will report the error.
      this.#spare = null
    }
  }

  #launch(memoryMb: number): Launched {
    const owner: Launched['owner'] = { key: null }
    const { child, egressSocket } = startChild(this.#launcher, memoryMb)
    const runner = createRunner(
      child,
      { ...this.#options, memoryMb, egressSocket },
      (line) => owner.key && this.#forward(owner.key, line),
    )
    const launched = { memoryMb, runner, owner }
    this.#alive.add(runner)
    void runner.exited.then(() => this.#alive.delete(runner))
    void runner.ended.then(() => {
      if (this.#spare === launched) this.#spare = null
    })
    return launched
  }

  #forward(key: string, line: LogLine): void {
    try {
      this.#onLog(key, line)
    } catch {
      // A lost line is no reason to fail: this runs inside a stream's event handler.
    }
  }

  async close(): Promise<void> {
    process.off('exit', this.#endAll)
    this.#endAll()
    await Promise.all([...this.#alive].map((runner) => runner.exited))
  }
}

function startChild(launcher: Launcher, memoryMb: number) {
  try {
    return launcher.start(memoryMb)
  } catch (error) {
    throw new InvocationFailed(
      'crash',
      `The process could not be started: ${(error as Error).message}`,
      1000,
    )
  }
}

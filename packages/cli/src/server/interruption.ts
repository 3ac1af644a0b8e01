// SIGINT and SIGTERM during a command that must clean up.
import { CliError } from '../failure.ts'

export class Interrupted extends CliError {
  constructor() {
    super('interrupted')
  }
}

interface Interruption {
  signal: AbortSignal
  /** Rejects with Interrupted. */
  interrupted: Promise<never>
}

/** Runs the work. The first signal aborts it, a second one ends the process. */
export async function withInterruption<Result>(
  work: (interruption: Interruption) => Promise<Result>,
): Promise<Result> {
  const aborting = new AbortController()
  const { signal } = aborting
  const stop = () => (signal.aborted ? process.exit(1) : aborting.abort())
  const names = ['SIGINT', 'SIGTERM'] as const
  const interrupted = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Interrupted())),
  )
  interrupted.catch(() => {})
  for (const name of names) process.on(name, stop)
  try {
    return await work({ signal, interrupted })
  } finally {
    for (const name of names) process.off(name, stop)
  }
}

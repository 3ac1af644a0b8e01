// Computes on input of tenants in worker threads, so that the main thread never waits for it. Small
// jobs share a thread, where tenants alternate every few milliseconds. Large ones, and those that
// cannot pause, get a thread alone, one job of a tenant at a time, with a deadline and a budget of
// time per tenant. tasks.ts lists the computations.
import { ApiError } from '@botstead/contract'
import { FairTurns } from '@botstead/lib'
import { openAllowances } from './allowances.ts'
import type { Input, Output, TaskName } from './tasks.ts'
import { ComputeThread } from './thread.ts'

interface Compute {
  /**
   * Throws OperationTimeout for a job that exceeds its deadline or its memory; RateLimited when the
   * tenant's jobs take too much time; Unavailable when the threads fail; and errors of the task.
   */
  run<Name extends TaskName>(
    tenant: string,
    name: Name,
    input: Input<Name>,
    options?: RunOptions,
  ): Promise<Output<Name>>
  close(): Promise<void>
}

interface RunOptions {
  /** Default: a thread alone. */
  lane?: 'shared' | 'alone'
  /**
   * Time limit of a job that runs alone, in ms. Default: 20,000, because a busy machine
   * starts a thread slowly.
   */
  deadlineMs?: number
}

interface ComputeOptions {
  /** Threads for jobs that run alone. Default: 4; they start when needed. */
  threads?: number
  /** When an idle thread ends. Default: 60,000. */
  idleMs?: number
  /** After how long a thread ends in which a shared job does not pause. Default: 2,000. */
  maxTurnMs?: number
}

const maxWaitingPerTenant = 50
/** Milliseconds in threads alone: of one tenant at once, and for each second. */
const allowance = { burst: 60_000, perSecond: 250 }
/** Redaction counts its steps instead; the server groups vectors in the background, one job at a time. */
const uncounted: TaskName[] = ['redact', 'clusterVectors', 'findNearest']

export function openCompute({
  threads = 4,
  idleMs = 60_000,
  maxTurnMs = 2_000,
}: ComputeOptions = {}): Compute {
  const shared = new ComputeThread({ maxTurnMs, idleMs })
  const turns = new FairTurns({ capacity: threads, maxPerKey: 1 })
  const idle = Array.from({ length: threads }, () => new ComputeThread({ idleMs }))
  const all = [shared, ...idle]
  const budget = openAllowances(allowance)
  const waiting = new Map<string, number>()

  async function alone<Name extends TaskName>(
    tenant: string,
    name: Name,
    input: Input<Name>,
    deadlineMs: number,
  ): Promise<Output<Name>> {
    const isCounted = !uncounted.includes(name)
    if (isCounted && budget.available(tenant) <= 0) throw tooMuch('take too much time')
    const turn = turns.take(tenant)
    await turn.admitted
    const thread = idle.pop()!
    const from = performance.now()
    try {
      return await thread.run(tenant, name, input, deadlineMs)
    } finally {
      if (isCounted) budget.spend(tenant, performance.now() - from)
      idle.push(thread)
      turn.leave()
    }
  }

  return {
    async run(tenant, name, input, { lane = 'alone', deadlineMs = 20_000 } = {}) {
      const count = waiting.get(tenant) ?? 0
      if (count >= maxWaitingPerTenant && lane === 'alone') throw tooMuch('are too many')
      waiting.set(tenant, count + 1)
      try {
        return lane === 'shared'
          ? await shared.run(tenant, name, input)
          : await alone(tenant, name, input, deadlineMs)
      } finally {
        const left = waiting.get(tenant)! - 1
        if (left > 0) waiting.set(tenant, left)
        else waiting.delete(tenant)
      }
    },
    close: async () => void (await Promise.all(all.map((thread) => thread.close()))),
  }
}

const tooMuch = (reason: string) =>
  new ApiError(
    'RateLimited',
    `The computations of this workspace ${reason}: retry in some seconds`,
  )

/** The threads of this process. They start with the first job. */
export const compute: Pick<Compute, 'run'> = openCompute()

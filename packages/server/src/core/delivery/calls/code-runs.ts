// Runs code once, in a process of hosted code: such as the tests of a document with
// code of its author. The process has no token, and ends with its answer.
import { ApiError } from '@botstead/contract'
import { FairTurns, toBytesInSlices } from '@botstead/lib'
import { InvocationFailed, type Sandbox } from '@botstead/sandbox'
import type { Section } from '../../config/index.ts'
import { runsMark } from './hosted-units.ts'
import type { HostingTrust } from './hosting-trust.ts'

interface CodeRun {
  workspaceId: string
  /** Of which the process is; its log has what the code logs. */
  botId: string
  /** One CommonJS file that exports `handler`. */
  code: string
  body: string
  timeoutMs: number
}

/** Returns the body of the response. */
export type RunOnce = (run: CodeRun) => Promise<string>

interface CodeRunDeps {
  trust: HostingTrust
  sandbox: Pick<Sandbox, 'invoke'>
  config: Pick<Section<'hosting'>, 'botMemoryMb'>
}

/** Of all workspaces; one of each, so that a key of the sandbox is used once at a time. */
const capacity = 2
const maxWaiting = 10

/**
 * The runner throws Forbidden if this server may not run the code, OperationTimeout for code that
 * takes too long, RateLimited if too many runs of the workspace wait, and Runtime for code that
 * fails.
 */
export function createCodeRuns({ trust, sandbox, config }: CodeRunDeps): RunOnce {
  const turns = new FairTurns({ capacity, maxPerKey: 1 })
  const waiting = new Map<string, number>()

  async function invoke({ botId, code, body, timeoutMs }: CodeRun): Promise<string> {
    const unit = {
      key: `${botId} ${runsMark}`,
      version: '1',
      load: async () => toBytesInSlices(code),
      environment: async () => ({}),
      memoryMb: config.botMemoryMb,
      once: true as const,
    }
    const request = { method: 'POST', path: '/', query: '', headers: {}, body }
    const reply = await sandbox.invoke(unit, request, { timeoutMs, cause: null })
    if (reply.status === 200 && !reply.threw) return reply.body
    throw new ApiError('Runtime', `The code failed: ${reply.body.slice(0, 500)}`)
  }

  return async (run) => {
    await trust(run.workspaceId).catch(toForbidden)
    const count = waiting.get(run.workspaceId) ?? 0
    if (count >= maxWaiting)
      throw new ApiError(
        'RateLimited',
        'Too many tests of this workspace run: retry in some seconds',
      )
    waiting.set(run.workspaceId, count + 1)
    const turn = turns.take(run.workspaceId)
    try {
      await turn.admitted
      return await invoke(run).catch(toCallError)
    } finally {
      turn.leave()
      const left = waiting.get(run.workspaceId)! - 1
      if (left > 0) waiting.set(run.workspaceId, left)
      else waiting.delete(run.workspaceId)
    }
  }
}

function toForbidden(error: unknown): never {
  throw error instanceof InvocationFailed
    ? new ApiError('Forbidden', error.message)
    : error
}

function toCallError(error: unknown): never {
  if (!(error instanceof InvocationFailed)) throw error
  const type = error.reason === 'timeout' ? 'OperationTimeout' : 'Runtime'
  throw new ApiError(type, error.message, { cause: error })
}

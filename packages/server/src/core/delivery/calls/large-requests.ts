// Large webhook requests for hosted integrations. JavaScript needs several times the size of a
// large body, which exceeds the memory limit of hosted code. So each large request gets its own
// process, with additional memory, which ends afterwards. Invariant: all of these together use at
// most half of the machine's memory, or only one of them runs.
import { totalmem } from 'node:os'
import { openBudget } from '@botstead/lib'
import {
  type CodeUnit,
  type HandlerRequest,
  type HandlerResponse,
  InvocationFailed,
  type Sandbox,
} from '@botstead/sandbox'

const megabyte = 1_048_576
/** Share of hosted code's memory; a body that needs more gets its own process. */
const maxShare = 1 / 4
const maxWaitMs = 10_000

export interface LargeRequests {
  /**
   * Like the sandbox's. Throws InvocationFailed when other large requests use the memory for too
   * long.
   */
  invoke: Sandbox['invoke']
}

export function openLargeRequests(
  sandbox: Pick<Sandbox, 'invoke'>,
  { totalMb = Math.floor(memoryOfMachine() / 2 / megabyte) }: { totalMb?: number } = {},
): LargeRequests {
  const budget = openBudget(totalMb)
  const used = new Set<string>()

  async function alone(
    unit: CodeUnit,
    request: HandlerRequest,
    call: Call,
  ): Promise<HandlerResponse> {
    const key = freeKey(unit.key)
    used.add(key)
    try {
      return await call({ ...unit, key, once: true }, request)
    } finally {
      used.delete(key)
    }
  }
  /**
   * The first parts of a key identify the owner (hosted-units.ts). Each number is used by one
   * process at a time.
   */
  function freeKey(key: string): string {
    for (let number = 1; ; number++)
      if (!used.has(`${key} large${number}`)) return `${key} large${number}`
  }

  return {
    async invoke(unit, request, options) {
      const bodyMb = Math.ceil((request.pieces?.readerBytes ?? 0) / megabyte)
      if (bodyMb <= maxShare * unit.memoryMb)
        return sandbox.invoke(unit, request, options)
      const since = performance.now()
      const memoryMb = unit.memoryMb + bodyMb
      const release = await budget.take(memoryMb, Math.min(maxWaitMs, options.timeoutMs))
      if (!release)
        throw new InvocationFailed(
          'crash',
          'Too many large requests are in progress',
          1_000,
        )
      const timeoutMs = Math.max(1, options.timeoutMs - (performance.now() - since))
      try {
        return await alone({ ...unit, memoryMb }, request, (one, given) =>
          sandbox.invoke(one, given, { ...options, timeoutMs }),
        )
      } finally {
        release()
      }
    },
  }
}

type Call = (unit: CodeUnit, request: HandlerRequest) => Promise<HandlerResponse>

/** Returns the limit of the container if there is one. */
const memoryOfMachine = () =>
  Math.min(totalmem(), process.constrainedMemory?.() || Number.POSITIVE_INFINITY)

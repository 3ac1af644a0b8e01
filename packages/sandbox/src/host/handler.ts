// The handler of the code, and the arguments that it gets.
import type { HandlerRequest } from '../sandbox.ts'
import type { Stop } from './invocations.ts'
import { settings } from './settings.ts'

export type Handler = (request: HandlerRequest, context: ServerlessContext) => unknown

/**
 * The second argument of a serverless handler. Agents (`@botpress/runtime`) read it. It has no
 * `client`: SDK bots would use it in place of the client that they create themselves.
 */
export interface ServerlessContext {
  functionName: string
  functionVersion: string
  memoryLimitInMB: string
  getRemainingTimeInMillis(): number
  /** Aborts when the user stops the answer. */
  readonly signal: AbortSignal
}

export const contextUntil = (deadline: number, stop: Stop): ServerlessContext => ({
  get signal() {
    return stop.controller.signal
  },
  functionName: settings.functionName,
  functionVersion: '$LATEST',
  memoryLimitInMB: String(settings.memoryMb),
  getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
})

export function findHandler(exported: unknown): Handler | null {
  for (const owner of [exported, (exported as { default?: unknown } | null)?.default]) {
    const found = (owner as { handler?: unknown } | null | undefined)?.handler
    if (typeof found === 'function')
      return (request, context) => found.call(owner, request, context)
  }
  return null
}

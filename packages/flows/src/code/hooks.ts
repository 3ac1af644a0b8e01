// Runs the author's hooks of one kind in the order of the document. A hook that throws changes
// nothing; its error becomes an issue and the next hook runs, unless it has `breaksTurn`.

import type { Hook } from '../document/document.ts'
import type { Source } from '../document/program.ts'
import type { Trace } from '../tracing/trace.ts'
import { runCode } from './code.ts'
import type { ScopeName, Surroundings } from './surroundings.ts'

export type HookKind = Hook['kind']

interface HookRun {
  kind: HookKind
  hooks: Hook[] | undefined
  /** Compiled code by JSON pointer. */
  scripts: Record<string, Source>
  /** With `outgoingEvent` for `beforeOutgoing`. */
  surroundings: Surroundings
  timeoutMs: number
  trace: Trace
}

/**
 * Runs the hooks until one returns `{ stop: true }`, which drops the event or the message. Callers
 * ignore `stopped` of hooks that run afterwards. Throws CodeError for a hook with `breaksTurn`.
 */
export async function runHooks({
  kind,
  hooks = [],
  scripts,
  surroundings,
  timeoutMs,
  trace,
}: HookRun): Promise<{ stopped: boolean }> {
  for (const [index, hook] of hooks.entries()) {
    if (hook.kind !== kind) continue
    const source = scripts[`/hooks/${index}/code`]
    if (source && (await runHook(hook, source))) return { stopped: true }
  }
  return { stopped: false }

  async function runHook(hook: Hook, source: Source): Promise<boolean> {
    const before = structuredClone(surroundings.scopes)
    const step = trace.begin({
      kind: 'hook',
      hook: kind,
      ...(hook.name && { name: hook.name }),
    })
    try {
      const answer = await runCode(source, surroundings, timeoutMs)
      for (const [scope, values] of Object.entries(surroundings.scopes))
        trace.changes(scope as ScopeName, before[scope as ScopeName], values)
      const stops =
        typeof answer === 'object' &&
        answer !== null &&
        (answer as { stop?: unknown }).stop === true
      step.end(stops ? { outcome: 'stopped' } : {})
      return stops
    } catch (error) {
      step.end({ outcome: 'failed' })
      trace.trouble(
        hook.name ? `the hook "${hook.name}" (${kind})` : `the hook ${kind}`,
        error,
      )
      if (hook.breaksTurn) throw error
      return false
    }
  }
}

// The author's hooks of one kind, one after another, in the order of the document. One that throws has changed nothing; it becomes an issue, and the next one runs,
// unless it is to break the turn.
import { runCode, type Source } from './code.ts'
import type { Hook } from './document.ts'
import type { ScopeName, Surroundings } from './realm.ts'
import type { Trace } from './trace.ts'

export type HookKind = Hook['kind']

export interface HookRun {
  kind: HookKind
  hooks: Hook[] | undefined
  /** By JSON pointer. */
  scripts: Record<string, Source>
  /** For beforeOutgoing with `outgoingEvent`. */
  surroundings: Surroundings
  timeoutMs: number
  trace: Trace
}

/** `stopped`: a hook has answered `{ stop: true }`. Before an event or a message, that is the end of it; later it says nothing. Throws CodeError. */
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
    const step = trace.begin({ kind: 'hook', hook: kind, ...(hook.name && { name: hook.name }) })
    try {
      const answer = await runCode(source, surroundings, timeoutMs)
      for (const [scope, values] of Object.entries(surroundings.scopes))
        trace.changes(scope as ScopeName, before[scope as ScopeName], values)
      const stops =
        typeof answer === 'object' && answer !== null && (answer as { stop?: unknown }).stop === true
      step.end(stops ? { outcome: 'stopped' } : {})
      return stops
    } catch (error) {
      step.end({ outcome: 'failed' })
      trace.trouble(hook.name ? `the hook "${hook.name}" (${kind})` : `the hook ${kind}`, error)
      if (hook.breaksTurn) throw error
      return false
    }
  }
}

// A realm runs one piece of an author's code. It has its own globals and its own microtask queue,
// which runs only under a timeout, so that a loop after an `await` is stopped, too. Input and
// output are JSON: the host never accesses objects of the realm, because their getters could run
// the author's code.
import { type Context, createContext, Script } from 'node:vm'
import { closeConstructors } from './no-code-from-text.ts'
import { bridgeNames, insideText } from './realm-inside.ts'
import { saveChanges } from './save-changes.ts'
import type { ScopeName, Surroundings } from './surroundings.ts'
import { watchCalls } from './watch-calls.ts'

/** Describes a failed run. `stack` has the author's lines. */
export interface RealmFailure {
  fault: 'thrown' | 'time' | 'value'
  message: string
  name?: string
  stack?: string
  code?: string
}

interface RealmOptions {
  timeoutMs: number
  /** Whether changes are copied back to the surroundings. */
  keeps: boolean
}

/**
 * Interval in which the realm's microtasks run for promises that `hear` does not see, such as those
 * of client iterators.
 */
const pollIntervalMs = 20
/** Timeout for serializing the event and the scopes after a run. */
const serializeTimeoutMs = 1_000

const inside = new Script(insideText, { filename: 'botstead:realm' })
const emptyScript = new Script('0')
const leave = new Script(`globalThis['${bridgeNames.leave}']()`, {
  filename: 'botstead:realm',
})

/**
 * Runs the script until its promise settles or the timeout expires, then stops it completely. Keeps
 * changes only on success.
 */
export async function runInRealm(
  script: Script,
  surroundings: Surroundings,
  { timeoutMs, keeps }: RealmOptions,
): Promise<{ value: unknown } | RealmFailure> {
  const realm = openRealm(surroundings, timeoutMs)
  try {
    const ending = await realm.ended(script)
    if ('fault' in ending || !keeps) return ending
    return realm.leave() ?? ending
  } finally {
    realm.close()
  }
}

/**
 * Resets Node's async context stack in the server's bot process, which traces async work
 * (bot-host.ts of the server). Stopping a loop after an `await` corrupts that stack, and Node would
 * exit.
 */
const resetAsyncContexts = () =>
  (globalThis as { [name: symbol]: (() => void) | undefined })[
    Symbol.for('botstead.forgetContexts')
  ]?.()

let logsRejections = false

/**
 * Logs unhandled rejections of realms, where Node would exit. Those of the engine itself still end
 * the process.
 */
function logRealmRejections(): void {
  if (logsRejections) return
  logsRejections = true
  process.on('unhandledRejection', (reason, promise) => {
    if (!(promise instanceof Promise))
      console.error(
        'A promise that the code does not await was rejected:',
        (reason as Error | undefined)?.message ?? reason,
      )
    else if (process.listenerCount('unhandledRejection') === 1) throw reason
  })
}

function openRealm(surroundings: Surroundings, timeoutMs: number) {
  logRealmRejections()
  closeConstructors()
  const deadline = performance.now() + timeoutMs
  const context = createContext({}, { microtaskMode: 'afterEvaluate' })
  const timers = new Set<NodeJS.Timeout>()
  const leftMs = () => Math.max(1, Math.ceil(deadline - performance.now()))
  let end: (ending: { value: unknown } | RealmFailure) => void = () => {}
  let closed = false
  /** Runs a script, and with it the realm's microtasks. */
  const step = (script: Script) => {
    if (closed) return
    try {
      script.runInContext(context, { timeout: leftMs() })
    } catch (error) {
      resetAsyncContexts()
      end(toEnding(error, timeoutMs))
    }
  }
  const later = (what: () => void, ms: number) => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      what()
    }, ms)
    timers.add(timer)
    return timer
  }
  enter(context, {
    surroundings,
    soon: () => void setImmediate(step, emptyScript),
    wait(ms, id) {
      const timer = later(
        () =>
          step(
            new Script(`globalThis['${bridgeNames.fire}'](${Number(id)})`, {
              filename: 'botstead:realm',
            }),
          ),
        Number(ms) || 0,
      )
      return () => clearTimeout(timer)
    },
    finish(error, text) {
      if (error === null)
        end({ value: text === undefined ? undefined : JSON.parse(text) })
      else end({ fault: text === 'value' ? 'value' : 'thrown', ...JSON.parse(error) })
    },
  })
  return {
    ended: (script: Script) =>
      new Promise<{ value: unknown } | RealmFailure>((resolve) => {
        end = resolve
        later(() => end(toEnding(null, timeoutMs)), timeoutMs)
        timers.add(setInterval(step, pollIntervalMs, emptyScript))
        step(script)
      }),
    /** Copies the changes back. Returns null on success. */
    leave(): RealmFailure | null {
      try {
        const text: unknown = leave.runInContext(context, { timeout: serializeTimeoutMs })
        return saveChanges(surroundings, text)
          ? null
          : {
              fault: 'value',
              message:
                'The code left an event or variables that cannot be converted to JSON',
            }
      } catch (error) {
        resetAsyncContexts()
        return { ...toEnding(error, serializeTimeoutMs), fault: 'value' }
      }
    },
    close() {
      closed = true
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

interface Host {
  surroundings: Surroundings
  soon: () => void
  wait: (ms: unknown, id: unknown) => () => void
  finish: (error: string | null, text?: string) => void
}

function enter(
  context: Context,
  {
    surroundings: { host = {}, refuse, clock, onCall, ...given },
    soon,
    wait,
    finish,
  }: Host,
): void {
  const hear = (what: string, calling: Promise<unknown>) => {
    calling.then(soon, soon)
    onCall?.(what, calling)
  }
  const globals = Object.fromEntries(
    Object.entries(host).map(([name, value]) => [name, watchCalls(name, value, hear)]),
  )
  const { event, outgoingEvent, scopes, data = {} } = given
  const lent = { URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, crypto }
  inside.runInContext(context)(
    {
      globals,
      wait,
      finish,
      // The realm's Date uses the system clock already.
      clock: clock === Date.now ? null : clock,
      given: JSON.stringify({ event, outgoingEvent, scopes, data }),
      refuse(scope: ScopeName, name: string, json: string | undefined) {
        if (scope === 'env')
          return 'Variables of `env` are read-only. Change them in the configuration of the bot'
        return (
          refuse?.(scope, name, json === undefined ? undefined : JSON.parse(json)) ?? null
        )
      },
    },
    lent,
  )
}

function toEnding(error: unknown, timeoutMs: number): RealmFailure {
  const { code, message, stack } = (error ?? {
    code: 'ERR_SCRIPT_EXECUTION_TIMEOUT',
  }) as {
    code?: unknown
    message?: unknown
    stack?: unknown
  }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
    return { fault: 'time', message: `The code took longer than ${timeoutMs} ms` }
  return { fault: 'thrown', message: String(message), stack: String(stack) }
}

// A realm is where one piece of an author's code runs: globals of its own, and a queue of microtasks that is worked on only under a clock, so that also a
// loop behind an `await` is stopped. What goes in and comes out is JSON: the host never holds an object whose getters are the author's.
import { type Context, createContext, Script } from 'node:vm'
import type { BotEvent, OutgoingEvent } from './event.ts'
import { keep } from './left.ts'
import { heard } from './lent.ts'
import { doors, insideText } from './realm-inside.ts'

/** Plain objects; what code changes in them, the engine saves. */
export interface Scopes {
  workflow: Record<string, unknown>
  conversation: Record<string, unknown>
  user: Record<string, unknown>
  bot: Record<string, unknown>
  session: Record<string, unknown>
  turn: Record<string, unknown>
  /** Only read. */
  env: Record<string, unknown>
}
export type ScopeName = keyof Scopes

export interface Surroundings {
  event: BotEvent
  outgoingEvent?: OutgoingEvent | undefined
  scopes: Scopes
  /** Globals of the host by name: `client`, `actions`, `axios`, `_`, `luxon`, `console`, `OrdersTable`. */
  host?: Record<string, unknown>
  /** Other globals, which are JSON: `input` of an action. */
  data?: Record<string, unknown>
  /** Why a variable may not have a value, or null. It is asked where code sets it. */
  refuse?: ((scope: ScopeName, name: string, value: unknown) => string | null) | undefined
  /** Told of each call of the host's that takes time: `client.createMessage`, and its promise. */
  onCall?: ((what: string, calling: Promise<unknown>) => void) | undefined
  /** What time it is, where that is not the machine's: in tests of bots. */
  clock?: (() => number) | undefined
}

/** Why code did not end well. `stack` names the author's lines. */
export interface Ending {
  fault: 'thrown' | 'time' | 'value'
  message: string
  name?: string
  stack?: string
  code?: string
}

export interface Terms {
  timeoutMs: number
  /** Whether what it changes is kept. */
  keeps: boolean
}

/** Promises of the host that nobody here knows of (of an iterator of the client, for one) are looked for this often. */
const lookEveryMs = 20
/** What it may take to write down what code left behind. */
const leaveMs = 1_000

const inside = new Script(insideText, { filename: 'botstead:realm' })
const goOn = new Script('0')
const leave = new Script(`globalThis['${doors.leave}']()`, { filename: 'botstead:realm' })

/** Runs it until its promise ends, or the time is up; then nothing of it goes on. What it changed is kept when it ends well, where it may change something. */
export async function runInRealm(
  script: Script,
  surroundings: Surroundings,
  { timeoutMs, keeps }: Terms,
): Promise<{ value: unknown } | Ending> {
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
 * In the process that the server runs bots in, which follows their work from promise to promise (its bot-host.ts). Node's record of what runs inside what is wrong
 * once a loop behind an `await` was stopped, and Node would end the process for it.
 */
const forgetContexts = () =>
  (globalThis as { [name: symbol]: (() => void) | undefined })[Symbol.for('botstead.forgetContexts')]?.()

let tolerates = false

/** A promise of an author's that nobody waits for belongs to a realm, not to us: that it fails is no reason to end the process. */
function tolerateForeignRejections(): void {
  if (tolerates) return
  tolerates = true
  process.on('unhandledRejection', (reason, promise) => {
    if (!(promise instanceof Promise))
      console.error(
        'Code did not wait for a promise that failed:',
        (reason as Error | undefined)?.message ?? reason,
      )
    else if (process.listenerCount('unhandledRejection') === 1) throw reason
  })
}

function openRealm(surroundings: Surroundings, timeoutMs: number) {
  tolerateForeignRejections()
  const deadline = performance.now() + timeoutMs
  const context = createContext({}, { microtaskMode: 'afterEvaluate' })
  const timers = new Set<NodeJS.Timeout>()
  const leftMs = () => Math.max(1, Math.ceil(deadline - performance.now()))
  let end: (ending: { value: unknown } | Ending) => void = () => {}
  let closed = false
  /** Lets the realm's own microtasks run. */
  const step = (script: Script) => {
    if (closed) return
    try {
      script.runInContext(context, { timeout: leftMs() })
    } catch (error) {
      forgetContexts()
      end(endingOf(error, timeoutMs))
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
    soon: () => void setImmediate(step, goOn),
    wait(ms, id) {
      const timer = later(
        () => step(new Script(`globalThis['${doors.fire}'](${Number(id)})`, { filename: 'botstead:realm' })),
        Number(ms) || 0,
      )
      return () => clearTimeout(timer)
    },
    finish(error, text) {
      if (error === null) end({ value: text === undefined ? undefined : JSON.parse(text) })
      else end({ fault: text === 'value' ? 'value' : 'thrown', ...JSON.parse(error) })
    },
  })
  return {
    ended: (script: Script) =>
      new Promise<{ value: unknown } | Ending>((resolve) => {
        end = resolve
        later(() => end(endingOf(null, timeoutMs)), timeoutMs)
        timers.add(setInterval(step, lookEveryMs, goOn))
        step(script)
      }),
    /** Null when all is kept. */
    leave(): Ending | null {
      try {
        const text: unknown = leave.runInContext(context, { timeout: leaveMs })
        return keep(surroundings, text)
          ? null
          : { fault: 'value', message: 'What the code left behind is no JSON of the event and the scopes' }
      } catch (error) {
        forgetContexts()
        return { ...endingOf(error, leaveMs), fault: 'value' }
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
  { surroundings: { host = {}, refuse, clock, onCall, ...given }, soon, wait, finish }: Host,
): void {
  const hear = (what: string, calling: Promise<unknown>) => {
    calling.then(soon, soon)
    onCall?.(what, calling)
  }
  const globals = Object.fromEntries(
    Object.entries(host).map(([name, value]) => [name, heard(name, value, hear)]),
  )
  const { event, outgoingEvent, scopes, data = {} } = given
  const lent = { URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, crypto }
  inside.runInContext(context)(
    {
      ...{ globals, wait, finish },
      // The realm's own Date is the machine's already.
      clock: clock === Date.now ? null : clock,
      given: JSON.stringify({ event, outgoingEvent, scopes, data }),
      refuse(scope: ScopeName, name: string, json: string | undefined) {
        if (scope === 'env') return 'The configuration is set by who runs the bot: code only reads it'
        return refuse?.(scope, name, json === undefined ? undefined : JSON.parse(json)) ?? null
      },
    },
    lent,
  )
}

function endingOf(error: unknown, timeoutMs: number): Ending {
  const { code, message, stack } = (error ?? { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }) as {
    code?: unknown
    message?: unknown
    stack?: unknown
  }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
    return { fault: 'time', message: `The code took longer than ${timeoutMs} ms` }
  return { fault: 'thrown', message: String(message), stack: String(stack) }
}

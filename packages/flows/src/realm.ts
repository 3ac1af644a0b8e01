// A realm is where one piece of an author's code runs: globals of its own, and a queue of microtasks that is worked on only under a clock, so that also a
// loop behind an `await` is stopped. What goes in and comes out is JSON: the host never holds an object whose getters are the author's.
import { type Context, createContext, Script } from 'node:vm'
import type { BotEvent, OutgoingEvent } from './event.ts'
import { preview } from './preview.ts'
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
export async function runInRealm(script: Script, surroundings: Surroundings, { timeoutMs, keeps }: Terms): Promise<{ value: unknown } | Ending> {
  const realm = openRealm(surroundings, timeoutMs)
  try {
    const ending = await realm.ended(script)
    if ('fault' in ending || !keeps) return ending
    const left = realm.leave()
    if (typeof left !== 'string') return left
    keep(surroundings, JSON.parse(left))
    return ending
  } finally {
    realm.close()
  }
}

let tolerates = false

/** A promise of an author's that nobody waits for belongs to a realm, not to us: that it fails is no reason to end the process. */
function tolerateForeignRejections(): void {
  if (tolerates) return
  tolerates = true
  process.on('unhandledRejection', (reason, promise) => {
    if (!(promise instanceof Promise)) console.error('Code did not wait for a promise that failed:', (reason as Error | undefined)?.message ?? reason)
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
      const timer = later(() => step(new Script(`globalThis['${doors.fire}'](${Number(id)})`, { filename: 'botstead:realm' })), Number(ms) || 0)
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
    /** As JSON. */
    leave(): string | Ending {
      try {
        return leave.runInContext(context, { timeout: leaveMs }) as string
      } catch (error) {
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

function enter(context: Context, { surroundings: { host = {}, refuse, clock, onCall, ...given }, soon, wait, finish }: Host): void {
  const hear = (what: string, calling: Promise<unknown>) => {
    calling.then(soon, soon)
    onCall?.(what, calling)
  }
  const globals = Object.fromEntries(Object.entries(host).map(([name, value]) => [name, heard(name, value, hear)]))
  const { event, outgoingEvent, scopes, data = {} } = given
  const lent = { URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa, crypto }
  inside.runInContext(context)(
    {
      ...{ globals, clock, wait, finish },
      given: JSON.stringify({ event, outgoingEvent, scopes, data }),
      refuse(scope: ScopeName, name: string, json: string | undefined) {
        if (scope === 'env') return 'The configuration is set by who runs the bot: code only reads it'
        return refuse?.(scope, name, json === undefined ? undefined : JSON.parse(json)) ?? null
      },
    },
    lent,
  )
}

/** What it answers goes on in the realm as soon as it is there. Libraries that only compute are left as they are. */
function heard(name: string, value: unknown, hear: (what: string, calling: Promise<unknown>) => void): unknown {
  if (typeof value !== 'function' && (typeof value !== 'object' || value === null)) return value
  const known = new Map<unknown, unknown>()
  const wrapped = (property: string, found: unknown, owner: object) => {
    if (typeof found === 'function') return heard(property, bound(found as Callable, owner), hear)
    return isBare(found) ? heard(property, found, hear) : found
  }
  return new Proxy(value as object, {
    apply(called, self, args) {
      const answer = Reflect.apply(called as Callable, self, args)
      if (answer instanceof Promise) hear(name, answer)
      return answer
    },
    get(owner, property) {
      const found = Reflect.get(owner, property)
      const fixed = Object.getOwnPropertyDescriptor(owner, property)
      if (isClass(found) || (fixed && !fixed.configurable && !fixed.writable)) return found
      if (!known.has(found)) known.set(found, wrapped(`${name}.${String(property)}`, found, owner))
      return known.get(found)
    },
  })
}

/** Made with `new`, which what is bound to its owner is not. */
const isClass = (value: unknown) => typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

type Callable = (...args: unknown[]) => unknown

/** A method finds its object's private parts; what else it has (`axios.get`) it keeps. */
const bound = (method: Callable, owner: object) => Object.assign(method.bind(owner), method)

const isBare = (value: unknown) => Object(value) === value && Object.getPrototypeOf(value) === Object.prototype

function endingOf(error: unknown, timeoutMs: number): Ending {
  const { code, message, stack } = (error ?? { code: 'ERR_SCRIPT_EXECUTION_TIMEOUT' }) as { code?: unknown; message?: unknown; stack?: unknown }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return { fault: 'time', message: `The code took longer than ${timeoutMs} ms` }
  return { fault: 'thrown', message: String(message), stack: String(stack) }
}

interface Left {
  event: BotEvent
  outgoingEvent?: OutgoingEvent
  scopes: Scopes
}

function keep({ event, outgoingEvent, scopes }: Surroundings, left: Left): void {
  for (const [name, values] of Object.entries(left.scopes)) if (name !== 'env') replace(scopes[name as ScopeName], values)
  keepEvent(event, left.event)
  if (outgoingEvent && left.outgoingEvent) keepEvent(outgoingEvent, left.outgoingEvent)
}

/** What an event says may be changed; which event it is, and when and where it took place, stays. */
function keepEvent(event: BotEvent, left: BotEvent): void {
  const { type, payload, preview: was } = event
  if (typeof left.type === 'string') event.type = left.type
  if (Object(left.payload) === left.payload) event.payload = left.payload
  if (left.tags) event.tags = left.tags
  const changed = event.type !== type || JSON.stringify(event.payload) !== JSON.stringify(payload)
  // Code that takes a word out of a payload means the preview, too.
  if (typeof left.preview === 'string' && left.preview !== was) event.preview = left.preview
  else if (changed && isMessage(event)) event.preview = preview(event.type, event.payload)
}

const isMessage = ({ messageId, direction }: BotEvent) => messageId !== undefined || direction === 'outgoing'

function replace(values: Record<string, unknown>, by: Record<string, unknown>): void {
  for (const name of Object.keys(values)) if (!Object.hasOwn(by, name)) delete values[name]
  // A name like __proto__ is a name like any other.
  for (const [name, value] of Object.entries(by)) Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true })
}

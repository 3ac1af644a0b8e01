// One event and what the bot makes of it: what cards, hooks and code have in hand meanwhile. What of it outlives the turn is in `remembered`.
import { randomUUID } from 'node:crypto'
import type { Source } from './code.ts'
import type { Program } from './compile.ts'
import type { BotEvent, OutgoingEvent, TellableEvent } from './event.ts'
import { type HookKind, runHooks } from './hooks.ts'
import { changesSince, type Memory, places, type Remembered, type TurnSoFar } from './memory.ts'
import { type Call, type Json, type Platform, Refused } from './platform.ts'
import { type Frame, flowOf } from './position.ts'
import type { ScopeName, Scopes, Surroundings } from './realm.ts'
import { evaluate, type Filling, fill } from './template.ts'
import type { Trace, TurnTrace } from './trace.ts'
import { declaredIn, refusal } from './variables.ts'

/** What all turns of a bot have in common. */
export interface Engine {
  program: Program
  botId: string
  platform: Platform
  memory: Memory
  /** Milliseconds. */
  now: () => number
  /** What is there in code beside scopes and event. */
  hostOf: (turn: Turn) => Record<string, unknown>
  log: (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
  /** Told of each turn when it is over; nothing waits for it, and nothing depends on it. */
  onTraced: (turn: Turn, trace: TurnTrace) => void
}

export interface Turn {
  engine: Engine
  told: TellableEvent
  event: BotEvent
  remembered: Remembered
  user: Json
  bot: Json
  values: Json
  env: Json
  /** User and bot as they were, to see what has changed. */
  before: { user: Json; bot: Json }
  /** Messages, calls and schedules so far: each has its number in its key. */
  steps: number
  /** How often each node was entered. */
  visits: Map<string, number>
  trace: Trace
  /** What the flow that runs was begun for, and something comes after: the first words of a conversation, or its end. */
  phase?: Phase
  /** The conversation has ended in it. */
  isOver?: boolean
}

export type Phase = 'starting' | 'silent'

export const topOf = ({ remembered }: Turn): Frame | undefined => remembered.stack.at(-1)

/** The same, whenever the event is handled; another for everything that the turn does. */
export const nextKey = (turn: Turn) => `flows:${turn.told.id}:${++turn.steps}`

/**
 * A call that is made once, however often the event is handled. If what it says depends on the time, say, the same call says something else the second time: then it is
 * another one, as the code that makes it is run again.
 */
export async function callOnce({ engine, ...turn }: Turn, key: string, call: Call): Promise<Json> {
  const ask = (key: string) => engine.platform({ ...call, key, cause: turn.told.id })
  return ask(key).catch((error: unknown) => {
    if (error instanceof Refused && error.type === 'RelationConflict') return ask(`${key}:${randomUUID()}`)
    throw error
  })
}

/** What the author's code and expressions see. */
export function surroundingsOf(turn: Turn, data?: Json): Surroundings {
  const { engine, event, remembered, user, bot, values, env } = turn
  const frame = topOf(turn)
  const scopes: Scopes = {
    workflow: frame?.variables ?? {},
    conversation: remembered.variables,
    user,
    bot,
    session: remembered.session,
    turn: values,
    env,
  }
  return {
    ...{
      event,
      scopes,
      host: engine.hostOf(turn),
      clock: engine.now,
      onCall: (what, calling) => traceCall(turn, what, calling),
    },
    refuse: (scope, name, value) =>
      refusal(
        declaredIn(engine.program.document, frame && flowOf(engine.program.document, frame.flow), scope),
        scope,
        name,
        value,
      ),
    ...(data && { data }),
  }
}

/** Of what is lent to code, actions and tables tell themselves that they were called. */
function traceCall({ trace }: Turn, what: string, calling: Promise<unknown>): void {
  if (/^(?:client|axios)\b/.test(what)) trace.call(what, calling).catch(() => {})
}

const usualCodeTimeoutMs = 10_000

export const codeTimeoutOf = ({ engine }: Turn) =>
  engine.program.document.settings?.codeTimeout ?? usualCodeTimeoutMs

export const fillingAt = (turn: Turn, pointer: string): Filling => ({
  file: `bot.json#${pointer}`,
  timeoutMs: codeTimeoutOf(turn),
})

/** Where the card that is being done stands in the document. */
export const pointerOf = ({ flow, node, card }: Frame) => `/flows/${flow}/nodes/${node}/cards/${card}`

const pointerHere = (turn: Turn) => {
  const frame = topOf(turn)
  return frame ? pointerOf(frame) : ''
}

export const fillHere = (turn: Turn, json: unknown) =>
  fill(json, surroundingsOf(turn), fillingAt(turn, pointerHere(turn)))

export const holds = async (turn: Turn, expression: string, pointer = pointerHere(turn)) =>
  Boolean(await evaluate(expression, surroundingsOf(turn), fillingAt(turn, pointer)))

/** The compiled code that stands at this place of the document. */
export const scriptAt = ({ engine }: Turn, pointer: string): Source => engine.program.scripts[pointer]!

/** Sets a variable by `scope.name`. Throws TypeError for a value that it may not have. */
export function setVariable(turn: Turn, place: string, value: unknown): void {
  const [scope, name] = place.split('.') as [ScopeName, string]
  const { scopes, refuse } = surroundingsOf(turn)
  const refused = refuse?.(scope, name, value)
  if (refused) throw new TypeError(refused)
  const before = scopes[scope][name]
  scopes[scope][name] = value ?? null
  turn.trace.changes(scope, { [name]: before }, { [name]: scopes[scope][name] })
}

export function runHooksOf(
  turn: Turn,
  kind: HookKind,
  outgoing?: OutgoingEvent,
): Promise<{ stopped: boolean }> {
  const { document, scripts } = turn.engine.program
  const surroundings = { ...surroundingsOf(turn), ...(outgoing && { outgoingEvent: outgoing }) }
  return runHooks({
    kind,
    hooks: document.hooks,
    scripts,
    surroundings,
    timeoutMs: codeTimeoutOf(turn),
    trace: turn.trace,
  })
}

/** So that a turn that is cut off goes on from here. What has no conversation is begun anew. */
export async function checkpoint(turn: Turn): Promise<void> {
  const { conversationId } = turn.told
  if (conversationId === undefined) return
  await turn.engine.memory.write(places.conversation(conversationId), {
    ...turn.remembered,
    turn: soFar(turn),
  })
}

export function soFar({ told, event, steps, values, phase, user, bot, before }: Turn): TurnSoFar {
  const changes = { user: changesSince(before.user, user), bot: changesSince(before.bot, bot) }
  const { type, payload, preview, tags } = event
  return {
    event: told.id,
    steps,
    values,
    heard: { type, payload, preview, ...(tags && { tags }) },
    ...(phase && { phase }),
    ...changes,
  }
}

// A turn: one event and the data with which cards, hooks and code handle it. `remembered` is the
// part that is stored.
import { randomUUID } from 'node:crypto'
import { type HookKind, runHooks } from '../code/hooks.ts'
import type { ScopeName, Scopes, Surroundings } from '../code/surroundings.ts'
import { evaluate, type Filling, fill } from '../code/template.ts'
import type { Program, Source } from '../document/program.ts'
import { declaredIn, variableError } from '../document/variables.ts'
import type { Trace, TurnTrace } from '../tracing/trace.ts'
import { findAnswerLanguage } from './answer-language.ts'
import type { BotEvent, DeliveredEvent, OutgoingEvent } from './event-types.ts'
import {
  type ConversationMemory,
  changesSince,
  type Memory,
  type Phase,
  stateLocations,
  type TurnSoFar,
} from './memory.ts'
import {
  type Json,
  type Platform,
  type PlatformCall,
  PlatformRejection,
} from './platform.ts'
import { type Frame, getFlow } from './position.ts'

/** Dependencies of all turns of a bot. */
export interface Engine {
  program: Program
  botId: string
  platform: Platform
  memory: Memory
  /** Current time in milliseconds. */
  now: () => number
  /** Returns the globals of code other than scopes and event. */
  createHost: (turn: Turn) => Record<string, unknown>
  log: (level: 'debug' | 'info' | 'warn' | 'error', text: string) => void
  /** Called after each turn. Must not block or throw. */
  onTraced: (turn: Turn, trace: TurnTrace) => void
  /** Called before each card, and at the end of each node. Must not block or throw. */
  onStep?: (frame: Frame) => void
}

export interface Turn {
  engine: Engine
  delivered: DeliveredEvent
  event: BotEvent
  remembered: ConversationMemory
  user: Json
  bot: Json
  values: Json
  env: Json
  /** Initial variables of user and bot, to find changes. */
  before: { user: Json; bot: Json }
  /** Number of messages, calls and schedules so far, for their keys. */
  steps: number
  /** Entries into each node. */
  visits: Map<string, Visits>
  /** The entered nodes, in order. */
  route: string[]
  /** Number of cards so far whose effect may differ when they run again. */
  effects: number
  trace: Trace
  /** Aborts when the user stops the answer. */
  signal?: AbortSignal | undefined
  /**
   * Set if a step follows the current flow: handling the first message (`starting`) or ending the
   * conversation (`silent`).
   */
  phase?: Phase
  /** The turn runs a flow as a tool. */
  isTool?: boolean
  /** Variables of the last flow, when it has ended. */
  returned?: Json
  /** The conversation ended in this turn. */
  isOver?: boolean
}

/** Entries of a turn into a node. */
interface Visits {
  times: number
  /** Variables and effects at the last entry. Undefined for the first. */
  state?: string
  /** Entries without a change. */
  unchanged: number
}

export const getTop = ({ remembered }: Turn): Frame | undefined => remembered.stack.at(-1)

/**
 * Returns the idempotency key of the turn's next step. It is the same when the event is handled
 * again.
 */
export const nextKey = (turn: Turn) => `flows:${turn.delivered.id}:${++turn.steps}`

/**
 * Makes a call that runs once even if the event is handled again. If the repeated call differs
 * (because it contains the time, for example), it runs again under another key, as the code that
 * makes it runs again.
 */
export async function callOnce(
  { engine, ...turn }: Turn,
  key: string,
  call: PlatformCall,
): Promise<Json> {
  const send = (key: string) =>
    engine.platform({ ...call, key, cause: turn.delivered.id })
  return send(key).catch((error: unknown) => {
    if (error instanceof PlatformRejection && error.type === 'RelationConflict')
      return send(`${key}:${randomUUID()}`)
    throw error
  })
}

/** Returns the globals of the author's code and expressions. */
export function toSurroundings(turn: Turn, data?: Json): Surroundings {
  const { engine, event, remembered, user, bot, values, env } = turn
  const frame = getTop(turn)
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
    event,
    scopes,
    host: engine.createHost(turn),
    clock: engine.now,
    onCall: (what, calling) => traceCall(turn, what, calling),
    refuse: (scope, name, value) =>
      variableError(
        declaredIn(
          engine.program.document,
          frame && getFlow(engine.program.document, frame.flow),
          scope,
        ),
        scope,
        name,
        value,
      ),
    data: { language: findAnswerLanguage(turn), ...data },
  }
}

/** Traces calls of `client` and `axios`. Actions and tables trace their calls themselves. */
function traceCall({ trace }: Turn, what: string, calling: Promise<unknown>): void {
  if (/^(?:client|axios)\b/.test(what)) trace.call(what, calling).catch(() => {})
}

const defaultCodeTimeoutMs = 10_000

export const getCodeTimeout = ({ engine }: Turn) =>
  engine.program.document.settings?.codeTimeout ?? defaultCodeTimeoutMs

export const fillingAt = (turn: Turn, pointer: string): Filling => ({
  file: `bot.json#${pointer}`,
  timeoutMs: getCodeTimeout(turn),
})

/** Returns the JSON pointer of the current card. */
export const toPointer = ({ flow, node, card }: Frame) =>
  `/flows/${flow}/nodes/${node}/cards/${card}`

const pointerHere = (turn: Turn) => {
  const frame = getTop(turn)
  return frame ? toPointer(frame) : ''
}

export const fillHere = (turn: Turn, json: unknown) =>
  fill(json, toSurroundings(turn), fillingAt(turn, pointerHere(turn)))

export const isTrue = async (
  turn: Turn,
  expression: string,
  pointer = pointerHere(turn),
  data?: Json,
) =>
  Boolean(
    await evaluate(expression, toSurroundings(turn, data), fillingAt(turn, pointer)),
  )

/** Returns the compiled code of a JSON pointer. */
export const scriptAt = ({ engine }: Turn, pointer: string): Source =>
  engine.program.scripts[pointer]!

/** Returns an error message if the variable must not have this value, otherwise null. */
export function findVariableError(
  turn: Turn,
  variable: string,
  value: unknown,
): string | null {
  const [scope, name] = variable.split('.') as [ScopeName, string]
  return toSurroundings(turn).refuse?.(scope, name, value) ?? null
}

/**
 * Sets a variable by `scope.name`. Throws TypeError for an undeclared variable or a value of
 * another type.
 */
export function setVariable(turn: Turn, variable: string, value: unknown): void {
  const error = findVariableError(turn, variable, value)
  if (error !== null) throw new TypeError(error)
  const [scope, name] = variable.split('.') as [ScopeName, string]
  const { scopes } = toSurroundings(turn)
  const before = scopes[scope][name]
  scopes[scope][name] = value ?? null
  turn.trace.changes(scope, { [name]: before }, { [name]: scopes[scope][name] })
}

export function runTurnHooks(
  turn: Turn,
  kind: HookKind,
  outgoing?: OutgoingEvent,
): Promise<{ stopped: boolean }> {
  const { document, scripts } = turn.engine.program
  const surroundings = {
    ...toSurroundings(turn),
    ...(outgoing && { outgoingEvent: outgoing }),
  }
  return runHooks({
    kind,
    hooks: document.hooks,
    scripts,
    surroundings,
    timeoutMs: getCodeTimeout(turn),
    trace: turn.trace,
  })
}

/**
 * Saves the turn, so that an interrupted turn continues from here. Turns without a conversation
 * start again.
 */
export async function checkpoint(turn: Turn): Promise<void> {
  const { conversationId } = turn.delivered
  if (conversationId === undefined) return
  await turn.engine.memory.write(stateLocations.conversation(conversationId), {
    ...turn.remembered,
    turn: soFar(turn),
  })
}

export function soFar({
  delivered,
  event,
  steps,
  values,
  phase,
  user,
  bot,
  before,
}: Turn): TurnSoFar {
  const changes = {
    user: changesSince(before.user, user),
    bot: changesSince(before.bot, bot),
  }
  const { type, payload, preview, tags } = event
  return {
    event: delivered.id,
    steps,
    values,
    heard: { type, payload, preview, ...(tags && { tags }) },
    ...(phase && { phase }),
    ...changes,
  }
}

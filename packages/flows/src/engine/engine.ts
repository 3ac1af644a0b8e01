// Handles events, each one once: its results and the ids of handled events are in one state. A
// repeated delivery continues where the interrupted turn stopped, or finds the event handled.

import { upToWaitingOrAgent } from '../agent/agent.ts'
import { runAction } from '../code/actions.ts'
import { stateNames } from '../document/derived.ts'
import { withDefaults } from '../document/variables.ts'
import { openTrace, type TurnTrace } from '../tracing/trace.ts'
import { incomingEvent } from './event.ts'
import type { DeliveredEvent } from './event-types.ts'
import { readLanguage } from './language.ts'
import { blank, type ConversationMemory, keptEvents, stateLocations } from './memory.ts'
import { type Json, PlatformRejection } from './platform.ts'
import { upToWaiting } from './position.ts'
import { continueTurn, isStartedBy, route } from './routing.ts'
import { runTool, TurnFailed, TurnStopped } from './run.ts'
import { findToolFlow } from './tools.ts'
import { type Engine, getTop, runTurnHooks, soFar, type Turn } from './turn.ts'
import { whileTyping } from './typing.ts'

/**
 * Key of the ids of handled events without a conversation, in the state with the variables of the
 * bot.
 */
const handledByBot = '$handled'
const defaultInactivitySeconds = 30 * 60

/**
 * Handles an event. Throws TurnFailed or CodeError for a failure of the author's document or code;
 * another delivery of the event begins again, unless the conversation has continued. Throws
 * Unreachable if the server must deliver the event again.
 */
export async function handleEvent(
  engine: Engine,
  delivered: DeliveredEvent,
  env: Json,
  signal?: AbortSignal,
): Promise<void> {
  if (
    (delivered.type === 'message_created' && delivered.userId === engine.botId) ||
    !isOfInterest(engine, delivered)
  )
    return
  const { turn, before, isFirst, isRepeated } = await openTurn(engine, delivered, env)
  turn.signal = signal
  if (isRepeated) return finishAgain(turn)
  if (await isObsoleteTimeout(turn)) return
  let outcome: TurnTrace['outcome'] = 'done'
  let failure: unknown
  try {
    if (!(await whileTyping(turn, () => takeTurn(turn, isFirst)))) outcome = 'stopped'
  } catch (error) {
    const isStopped = error instanceof TurnStopped
    if (!isAuthors(error) && !isStopped) throw error
    outcome = isStopped ? 'stopped' : 'failed'
    const { remembered } = turn
    if (!isStopped) {
      failure = error
      remembered.failed = { event: delivered.id, before: before && withoutFailed(before) }
    }
    remembered.stack = isStopped
      ? upToWaitingOrAgent(remembered.stack, delivered.id)
      : upToWaiting(remembered.stack)
  }
  await save(turn)
  engine.onTraced(turn, {
    ...turn.trace.toTurnTrace(outcome, failure),
    ...toPosition(turn),
  })
  if (failure) throw failure
}

/**
 * Returns false for events without a conversation that start no flow and run no hook, to avoid
 * calls.
 */
function isOfInterest(
  { program }: Engine,
  { conversationId, type }: DeliveredEvent,
): boolean {
  if (conversationId !== undefined || program.document.hooks?.length) return true
  return Object.entries(program.document.triggers ?? {}).some(([name, trigger]) =>
    isStartedBy(trigger, name, type),
  )
}

function toPosition(turn: Turn): Pick<TurnTrace, 'position'> {
  const { currentFlow, currentNode } = turn.event.state.context
  const { flow = currentFlow, node = currentNode } = getTop(turn) ?? {}
  return flow === undefined || node === undefined ? {} : { position: { flow, node } }
}

/** Returns whether the author's document or code failed, so that a repetition would fail again. */
export const isAuthors = (error: unknown) =>
  error instanceof TurnFailed || (error instanceof Error && error.name === 'CodeError')

/** Ends a turn of an earlier delivery. Throws TurnFailed if it failed: the conversation continued. */
function finishAgain(turn: Turn): Promise<void> {
  if (turn.remembered.failed?.event === turn.delivered.id)
    throw new TurnFailed(
      'The bot failed at this event, and has handled later events of the conversation since: it ' +
        'cannot go back. Ask the user to write again',
    )
  return finish(turn)
}

/** Runs the turn. Returns false if a hook stopped it. */
async function takeTurn(turn: Turn, isFirst: boolean): Promise<boolean> {
  const isContinued = turn.remembered.turn?.event === turn.delivered.id
  if (isContinued) await continueTurn(turn)
  else {
    for (const kind of ['beforeIncoming', 'afterIncoming'] as const)
      if ((await runTurnHooks(turn, kind)).stopped) return false
    await route(turn, isFirst)
  }
  await runTurnHooks(turn, 'afterTurnEnd')
  return true
}

async function openTurn(engine: Engine, delivered: DeliveredEvent, env: Json) {
  const { program, memory, botId } = engine
  const { conversationId, userId } = delivered
  const declared = program.document.variables ?? {}
  const [stored, user, bot] = await Promise.all([
    conversationId === undefined
      ? null
      : memory.read(stateLocations.conversation(conversationId)),
    userId === undefined || !declared.user
      ? null
      : memory.read(stateLocations.user(userId)),
    conversationId !== undefined && !declared.bot
      ? null
      : memory.read(stateLocations.bot(botId)),
  ])
  const conversation = stateBefore(delivered, stored)
  // The turn changes its own copy; the state before it stays, in case the turn fails.
  const remembered: ConversationMemory = { ...blank(), ...structuredClone(conversation) }
  remembered.variables = withDefaults(declared.conversation, remembered.variables)
  const language = program.document.languages && readLanguage(delivered)
  if (language) remembered.language = language
  const { [handledByBot]: handled = [], ...botValues } = bot ?? {}
  if (conversationId === undefined) remembered.handled = handled as string[]
  const before = {
    user: withDefaults(declared.user, user ?? {}),
    bot: withDefaults(declared.bot, botValues),
  }
  const { trigger } = remembered
  const event = incomingEvent(delivered, {
    botId,
    state: { session: remembered.session, context: {} },
    trigger,
  })
  const turn: Turn = {
    engine,
    delivered,
    event,
    remembered,
    before,
    values: {},
    env: withDefaults(declared.configuration, env),
    steps: 0,
    visits: new Map(),
    route: [],
    effects: 0,

    user: structuredClone(before.user),
    bot: structuredClone(before.bot),
    trace: openTrace(event, engine.now),
  }
  restoreCheckpoint(turn)
  return {
    turn,
    before: conversation,
    isFirst: conversationId !== undefined && conversation === null,
    isRepeated: remembered.handled.includes(delivered.id),
  }
}

/** The state of the conversation; for the event that failed last, the one before it. */
function stateBefore({ id }: DeliveredEvent, stored: Json | null): Json | null {
  const failed = stored?.failed as ConversationMemory['failed']
  return failed?.event === id && failed.before !== undefined ? failed.before : stored
}

const withoutFailed = ({ failed: _, ...state }: Json): Json => state

/** Restores the checkpoint of an interrupted turn, or of one that may lack its last writes. */
function restoreCheckpoint(turn: Turn) {
  const { remembered } = turn
  const before = remembered.turn
  if (before?.event !== turn.delivered.id) {
    // Another turn was abandoned midway: do not continue it in this one.
    if (before && !remembered.handled.includes(before.event))
      remembered.stack = upToWaitingOrAgent(remembered.stack, before.event)
    delete remembered.turn
    return
  }
  Object.assign(turn, {
    steps: before.steps,
    values: before.values,
    ...(before.phase && { phase: before.phase }),
  })
  Object.assign(turn.event, before.heard)
  Object.assign(turn.user, before.user)
  Object.assign(turn.bot, before.bot)
}

/**
 * Returns whether the inactivity timeout is obsolete: a later event arrived before it, the
 * conversation has ended, or a person holds it.
 */
async function isObsoleteTimeout({
  delivered,
  remembered,
  engine,
}: Turn): Promise<boolean> {
  const state =
    delivered.type === 'state_expired'
      ? (delivered.payload.state as Json | undefined)
      : undefined
  if (state?.name !== stateNames.activity || remembered.turn?.event === delivered.id)
    return false
  const { activity, lastAt = 0 } = remembered
  // The server may renew a state slightly later than it was read, hence 90% of the timeout.
  if (activity === undefined || engine.now() - lastAt < activity * 900) return true
  const query = new URLSearchParams({
    state: 'open',
    conversationId: delivered.conversationId!,
  })
  const { handoffs } = await engine.platform({
    method: 'GET',
    path: `/v1/platform/handoffs?${query}`,
  })
  return (handoffs as unknown[]).length > 0
}

/** Writes the state of the conversation with all pending writes, then performs those writes. */
async function save(turn: Turn): Promise<void> {
  const { remembered, delivered, engine } = turn
  const isFailed = remembered.failed?.event === delivered.id
  if (remembered.failed && !isFailed)
    remembered.failed = { event: remembered.failed.event }
  // Without a conversation, there is no position to return to: a failed event begins again.
  if (!isFailed || delivered.conversationId !== undefined)
    remembered.handled = [...remembered.handled, delivered.id].slice(-keptEvents)
  if (delivered.conversationId === undefined) {
    return engine.memory.patch(stateLocations.bot(engine.botId), {
      ...soFar(turn).bot,
      [handledByBot]: remembered.handled,
    })
  }
  remembered.lastAt = engine.now()
  const changes = soFar(turn)
  if (Object.keys(changes.user).length + Object.keys(changes.bot).length > 0)
    remembered.turn = changes
  else delete remembered.turn
  const wanted = turn.isOver ? 0 : secondsOfSilence(turn)
  const { activity: _former, ...rest } = remembered
  const now = { ...rest, ...(wanted && { activity: wanted }) }
  try {
    await engine.memory.write(stateLocations.conversation(delivered.conversationId), now)
    await Promise.all([finish(turn), restartInactivityTimeout(turn, wanted)])
  } catch (error) {
    // The conversation has been deleted.
    if (
      !(
        error instanceof PlatformRejection &&
        (error.status === 404 || error.type === 'ReferenceNotFound')
      )
    )
      throw error
  }
}

/** Writes the variables of user and bot. Safe to repeat. */
async function finish({ remembered, delivered, engine }: Turn): Promise<void> {
  if (remembered.turn?.event !== delivered.id) return
  const { user, bot } = remembered.turn
  const isChanged = (changes: Json) => Object.keys(changes).length > 0
  await Promise.all([
    isChanged(user) &&
      delivered.userId !== undefined &&
      engine.memory.patch(stateLocations.user(delivered.userId), user),
    isChanged(bot) && engine.memory.patch(stateLocations.bot(engine.botId), bot),
  ])
}

/** Returns 0 for no timeout: a person may answer later. */
function secondsOfSilence({ remembered, engine }: Turn): number {
  if (remembered.stack.some(({ waiting }) => waiting?.kind === 'handoff')) return 0
  return (
    remembered.inactivity ??
    engine.program.document.settings?.inactivityTimeout ??
    defaultInactivitySeconds
  )
}

/** Restarts the inactivity timeout. Reading a state restarts its expiry. */
async function restartInactivityTimeout(
  { remembered, delivered, engine }: Turn,
  seconds: number,
): Promise<void> {
  const place = stateLocations.activity(delivered.conversationId!)
  if (seconds === 0) return
  if (remembered.activity === seconds && (await engine.memory.read(place))) return
  await engine.memory.write(place, {}, seconds * 1000)
}

/**
 * Runs an action, or a flow that is a tool, that another bot or a client calls. It has no
 * conversation; changes of the bot's variables are saved.
 */
export async function handleAction(
  engine: Engine,
  name: string,
  input: Json,
  env: Json,
  id: string,
): Promise<Json> {
  const delivered: DeliveredEvent = {
    id,
    createdAt: new Date(engine.now()).toISOString(),
    type: 'actionTriggered',
    payload: { type: name, input },
  }
  const { turn } = await openTurn(engine, delivered, env)
  const flow = findToolFlow(engine.program.document, name)
  const output = await (flow === null
    ? runAction(turn, name, input)
    : runTool(turn, flow, input))
  const { bot } = soFar(turn)
  if (Object.keys(bot).length > 0)
    await engine.memory.patch(stateLocations.bot(engine.botId), bot)
  return output
}

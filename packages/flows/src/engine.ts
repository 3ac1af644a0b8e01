// One event after another. An event is heard once: what came of it is in one state with the ids of the events that were handled, so a repeated delivery goes on
// where the first one was cut off, or finds that there is nothing left to do.

import { runAction } from './actions.ts'
import { stateNames } from './derived.ts'
import { incomingEvent, type TellableEvent } from './event.ts'
import { blank, keptEvents, places, type Remembered } from './memory.ts'
import { type Json, Refused } from './platform.ts'
import { upToWaiting } from './position.ts'
import { goOn, isStartedBy, route } from './routing.ts'
import { TurnFailed } from './run.ts'
import { openTrace, type TurnTrace } from './trace.ts'
import { type Engine, runHooksOf, soFar, type Turn } from './turn.ts'
import { withDefaults } from './variables.ts'

/** Of events without a conversation, beside the variables of the bot. */
const handledByBot = '$handled'
const usualInactivity = 30 * 60

/** Throws TurnFailed when the author's bot could not do it: then it is over all the same. Throws Unreachable when it is to be told again. */
export async function handleEvent(engine: Engine, told: TellableEvent, env: Json): Promise<void> {
  if ((told.type === 'message_created' && told.userId === engine.botId) || !isOfInterest(engine, told)) return
  const { turn, isFirst, isRepeated } = await openTurn(engine, told, env)
  if (isRepeated) return finish(turn)
  if (isLate(turn)) return
  let outcome: TurnTrace['outcome'] = 'done'
  let failure: unknown
  try {
    if (!(await takeTurn(turn, isFirst))) outcome = 'stopped'
  } catch (error) {
    if (!isAuthors(error)) throw error
    outcome = 'failed'
    failure = error
    turn.remembered.stack = upToWaiting(turn.remembered.stack)
  }
  await save(turn)
  engine.onTraced(turn, turn.trace.told(outcome))
  if (failure) throw failure
}

/** What belongs to no conversation, and starts nothing, costs nothing. */
function isOfInterest({ program }: Engine, { conversationId, type }: TellableEvent): boolean {
  if (conversationId !== undefined || program.document.hooks?.length) return true
  return Object.entries(program.document.triggers ?? {}).some(([name, trigger]) =>
    isStartedBy(trigger, name, type),
  )
}

/** What the author's code has done, and not the machine: once more it would be the same. */
const isAuthors = (error: unknown) =>
  error instanceof TurnFailed || (error instanceof Error && error.name === 'CodeError')

/** False when a hook has stopped it. */
async function takeTurn(turn: Turn, isFirst: boolean): Promise<boolean> {
  const goesOn = turn.remembered.turn?.event === turn.told.id
  if (goesOn) await goOn(turn)
  else {
    for (const kind of ['beforeIncoming', 'afterIncoming'] as const)
      if ((await runHooksOf(turn, kind)).stopped) return false
    await route(turn, isFirst)
  }
  await runHooksOf(turn, 'afterTurnEnd')
  return true
}

async function openTurn(engine: Engine, told: TellableEvent, env: Json) {
  const { program, memory, botId } = engine
  const { conversationId, userId } = told
  const declared = program.document.variables ?? {}
  const [conversation, user, bot] = await Promise.all([
    conversationId === undefined ? null : memory.read(places.conversation(conversationId)),
    userId === undefined || !declared.user ? null : memory.read(places.user(userId)),
    conversationId !== undefined && !declared.bot ? null : memory.read(places.bot(botId)),
  ])
  const remembered = { ...blank(), ...(conversation as Partial<Remembered> | null) }
  remembered.variables = withDefaults(declared.conversation, remembered.variables)
  const { [handledByBot]: handled = [], ...botValues } = bot ?? {}
  if (conversationId === undefined) remembered.handled = handled as string[]
  const before = { user: withDefaults(declared.user, user ?? {}), bot: withDefaults(declared.bot, botValues) }
  const { trigger } = remembered
  const event = incomingEvent(told, { botId, state: { session: remembered.session, context: {} }, trigger })
  const turn: Turn = {
    ...{
      engine,
      told,
      event,
      remembered,
      before,
      values: {},
      env: withDefaults(declared.configuration, env),
      steps: 0,
      visits: new Map(),
    },
    ...{
      user: structuredClone(before.user),
      bot: structuredClone(before.bot),
      trace: openTrace(event, engine.now),
    },
  }
  goOnFrom(turn)
  return {
    turn,
    isFirst: conversationId !== undefined && conversation === null,
    isRepeated: remembered.handled.includes(told.id),
  }
}

/** Of a turn that was cut off, or whose last writes may not have been made. */
function goOnFrom(turn: Turn) {
  const { remembered } = turn
  const before = remembered.turn
  if (before?.event !== turn.told.id) {
    // A turn that was given up half-way is not gone on with in another's.
    if (before && !remembered.handled.includes(before.event)) remembered.stack = upToWaiting(remembered.stack)
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

/** The time of silence was up, and before the bot was told, somebody spoke, or it was over anyway. */
function isLate({ told, remembered, engine }: Turn): boolean {
  const state = told.type === 'state_expired' ? (told.payload.state as Json | undefined) : undefined
  if (state?.name !== stateNames.activity || remembered.turn?.event === told.id) return false
  const { activity, lastAt = 0 } = remembered
  // Reading may renew a state a little later than it was used.
  return activity === undefined || engine.now() - lastAt < activity * 900
}

/** First what the conversation remembers, with all that is still to be written; then that. */
async function save(turn: Turn): Promise<void> {
  const { remembered, told, engine } = turn
  remembered.handled = [...remembered.handled, told.id].slice(-keptEvents)
  if (told.conversationId === undefined) {
    return engine.memory.patch(places.bot(engine.botId), {
      ...soFar(turn).bot,
      [handledByBot]: remembered.handled,
    })
  }
  remembered.lastAt = engine.now()
  const left = soFar(turn)
  if (Object.keys(left.user).length + Object.keys(left.bot).length > 0) remembered.turn = left
  else delete remembered.turn
  const wanted = turn.isOver ? 0 : secondsOfSilence(turn)
  const { activity: _former, ...rest } = remembered
  const now = { ...rest, ...(wanted && { activity: wanted }) }
  try {
    await engine.memory.write(places.conversation(told.conversationId), now)
    await Promise.all([finish(turn), keepAwake(turn, wanted)])
  } catch (error) {
    // The conversation was deleted meanwhile.
    if (!(error instanceof Refused && (error.status === 404 || error.type === 'ReferenceNotFound')))
      throw error
  }
}

/** Variables that other conversations have, too. Written again they are the same. */
async function finish({ remembered, told, engine }: Turn): Promise<void> {
  if (remembered.turn?.event !== told.id) return
  const { user, bot } = remembered.turn
  const isChanged = (changes: Json) => Object.keys(changes).length > 0
  await Promise.all([
    isChanged(user) && told.userId !== undefined && engine.memory.patch(places.user(told.userId), user),
    isChanged(bot) && engine.memory.patch(places.bot(engine.botId), bot),
  ])
}

const secondsOfSilence = ({ remembered, engine }: Turn) =>
  remembered.inactivity ?? engine.program.document.settings?.inactivityTimeout ?? usualInactivity

/** Reading a state gives it its whole time again. */
async function keepAwake({ remembered, told, engine }: Turn, seconds: number): Promise<void> {
  const place = places.activity(told.conversationId!)
  if (seconds === 0) return
  if (remembered.activity === seconds && (await engine.memory.read(place))) return
  await engine.memory.write(place, {}, seconds * 1000)
}

/** What others call by callAction. It has no conversation; what it changes of the bot's variables is kept. */
export async function handleAction(
  engine: Engine,
  name: string,
  input: Json,
  env: Json,
  id: string,
): Promise<Json> {
  const told: TellableEvent = {
    id,
    createdAt: new Date(engine.now()).toISOString(),
    type: 'actionTriggered',
    payload: { type: name, input },
  }
  const { turn } = await openTurn(engine, told, env)
  const output = await runAction(turn, name, input)
  const { bot } = soFar(turn)
  if (Object.keys(bot).length > 0) await engine.memory.patch(places.bot(engine.botId), bot)
  return output
}

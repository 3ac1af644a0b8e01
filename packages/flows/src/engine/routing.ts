// Routes an event: to the card that waits for it, to the flow that it starts, or nowhere.

import { answerAgent, isAgentWaiting } from '../agent/agent.ts'
import { endHandoff, handoffClosedType } from '../cards/handoff.ts'
import { answerCapture, answerWait, isAwaited } from '../cards/waiting.ts'
import { builtInFlows } from '../document/built-in-flows.ts'
import { scheduleType, stateNames, wakeType } from '../document/derived.ts'
import type { Trigger } from '../document/document.ts'
import type { EventContext, EventTrigger } from './event-types.ts'
import type { Json } from './platform.ts'
import { type Frame, newFrame } from './position.ts'
import { endConversation, enter, follow, getCard, recover, run } from './run.ts'
import { getTop, isTrue, type Turn } from './turn.ts'

/** Routes an event. `isFirst` is true for the first event of a conversation. */
export async function route(turn: Turn, isFirst: boolean): Promise<void> {
  const { type, payload } = turn.delivered
  if (type === wakeType) return handleTimeout(turn, String(payload.waiting))
  if (type === handoffClosedType && endHandoff(turn, payload)) return run(turn)
  if (
    type === 'state_expired' &&
    (payload.state as Json | undefined)?.name === stateNames.activity
  )
    return handleInactivity(turn)
  if (!isFirst || !(await begin(turn, 'conversationStarted'))) return dispatch(turn)
  turn.phase = 'starting'
  return continueTurn(turn)
}

/**
 * Runs the current flow and then the step of `turn.phase`, also when it continues an interrupted
 * turn.
 */
export async function continueTurn(turn: Turn): Promise<void> {
  await run(turn)
  if (getTop(turn)) return
  const { phase } = turn
  delete turn.phase
  if (phase === 'starting') return dispatch(turn)
  if (phase !== 'silent') return
  endConversation(turn)
  return run(turn)
}

async function dispatch(turn: Turn): Promise<void> {
  const frame = getTop(turn)
  const card = frame?.waiting && getCard(turn, frame)
  if (frame && card?.type === 'waitForEvent' && (await isAwaited(turn, card, frame)))
    return proceed(turn, frame, () => answerWait(turn, card, frame))
  if (await begin(turn, 'event')) return run(turn)
  if (turn.delivered.type !== 'message_created') return
  if (frame && card?.type === 'capture')
    return proceed(turn, frame, () => answerCapture(turn, card, frame))
  if (frame && isAgentWaiting(turn, frame))
    return proceed(turn, frame, () => answerAgent(turn, frame))
  // Messages do not reach these cards. `card` is undefined if the document changed: start `main` then.
  if (card?.type === 'waitForEvent' || card?.type === 'handoff') return
  turn.remembered.stack = []
  enter(turn, newFrame(turn.engine.program.document, builtInFlows.main))
  return run(turn)
}

async function proceed(
  turn: Turn,
  frame: Frame,
  answer: () => Promise<Parameters<typeof follow>[2]> | Parameters<typeof follow>[2],
) {
  try {
    follow(turn, frame, await answer())
  } catch (error) {
    recover(turn, error)
  }
  return run(turn)
}

/** Enters the flow of the first trigger that the event fires. */
async function begin(
  turn: Turn,
  kind: 'conversationStarted' | 'event',
): Promise<boolean> {
  const { document } = turn.engine.program
  turn.event.state.context = toContext(turn)
  for (const [name, trigger] of Object.entries(document.triggers ?? {})) {
    if (!isMeant(turn, kind, name, trigger)) continue
    if (
      trigger.when !== undefined &&
      !(await isTrue(turn, trigger.when, `/triggers/${name}/when`))
    )
      continue
    const frame: Frame = {
      ...newFrame(document, trigger.flow, {
        node: trigger.node ?? getTriggerNode(turn, trigger.flow),
      }),
      interrupts: true,
    }
    turn.remembered.trigger = toTrigger(turn, frame)
    turn.event.trigger = turn.remembered.trigger
    enter(turn, frame)
    return true
  }
  return false
}

/** Conditions of triggers read where the conversation waits. */
function toContext(turn: Turn): EventContext {
  const frame = getTop(turn)
  if (!frame) return {}
  const card = getCard(turn, frame)
  return {
    currentFlow: frame.flow,
    currentNode: frame.node,
    ...(card && { currentCard: card.name ?? card.type }),
  }
}

const isMeant = (
  { delivered }: Turn,
  kind: 'conversationStarted' | 'event',
  name: string,
  trigger: Trigger,
) =>
  kind === 'conversationStarted'
    ? trigger.type === kind
    : isStartedBy(trigger, name, delivered.type)

/** Returns whether events of this type fire the trigger. */
export const isStartedBy = (trigger: Trigger, name: string, type: string) =>
  trigger.type === 'schedule'
    ? type === scheduleType(name)
    : trigger.type === 'event' && type === trigger.event

/** Returns the flow's node of type "trigger", if it has one. */
const getTriggerNode = ({ engine }: Turn, flow: string) =>
  Object.entries(engine.program.document.flows[flow]!.nodes).find(
    ([, { type }]) => type === 'trigger',
  )?.[0]

function toTrigger({ delivered, event }: Turn, { flow, node }: Frame): EventTrigger {
  const { conversationId, userId } = delivered
  return {
    flowId: flow,
    nodeId: node,
    eventName: delivered.type,
    ...(conversationId !== undefined && { conversationId }),
    ...(event.integration !== undefined && { integration: event.integration }),
    ...(userId !== undefined && { userId }),
  }
}

/**
 * Handles the timeout of a waiting card. A card below other flows continues when those have ended.
 */
async function handleTimeout(turn: Turn, id: string): Promise<void> {
  const frame = turn.remembered.stack.find(({ waiting }) => waiting?.id === id)
  if (!frame) return
  frame.waiting!.isUp = true
  return run(turn)
}

/**
 * Handles the inactivity timeout. The flow `timeout` may continue the conversation with a question.
 */
async function handleInactivity(turn: Turn): Promise<void> {
  const { remembered, engine } = turn
  delete remembered.activity
  remembered.stack = []
  turn.phase = 'silent'
  if (Object.hasOwn(engine.program.document.flows, builtInFlows.timeout))
    enter(turn, newFrame(engine.program.document, builtInFlows.timeout))
  return continueTurn(turn)
}

// Runs the cards of a conversation from its current position until a card waits or the last flow
// ends.

import { stepAgent } from '../agent/agent.ts'
import { endToolCall, failToolCall } from '../agent/history.ts'
import type { CardOutcome } from '../cards/card.ts'
import { hasSideEffects, perform } from '../cards/cards.ts'
import { giveUp } from '../cards/waiting.ts'
import { countVisit, isRepeatable } from '../check/endless-loops.ts'
import { builtInFlows } from '../document/built-in-flows.ts'
import type { Card } from '../document/card-shapes.ts'
import type { FlowNode } from '../document/document.ts'
import { type Json, PlatformRejection, PlatformUnreachable } from './platform.ts'
import {
  type Frame,
  getExceptionNode,
  getFlow,
  getNode,
  moved,
  newFrame,
} from './position.ts'
import { toToolOutputs } from './tools.ts'
import { checkpoint, getTop, runTurnHooks, setVariable, type Turn } from './turn.ts'

/**
 * Thrown for an error that no flow of the bot handles. The next message continues a waiting flow or
 * starts `main`.
 */
export class TurnFailed extends Error {
  override readonly name = 'TurnFailed'
}

/** Thrown when the user has stopped the answer. No flow handles it. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped'
}

/** The server rejects calls for a stopped answer; the rejection may precede the signal. */
const isStopped = ({ signal }: Turn, error?: unknown): boolean =>
  signal?.aborted === true ||
  (error instanceof PlatformRejection && error.type === 'ResourceGone')

const defaultRepetitionLimit = 25

/** Runs the current flow. Throws TurnFailed, TurnStopped, Unreachable. */
export async function run(turn: Turn): Promise<void> {
  for (;;) {
    if (isStopped(turn)) throw new TurnStopped()
    const frame = getTop(turn)
    if (!frame) {
      if (turn.remembered.ending) await finishConversation(turn)
      delete turn.remembered.trigger
      return
    }
    if (frame.waiting && !frame.waiting.isUp) return
    try {
      await step(turn, frame)
    } catch (error) {
      recover(turn, error)
    }
  }
}

/**
 * Runs a flow that is a tool, without a conversation, and returns its outputs. Throws TurnFailed,
 * also for an error that the flow `error` would handle in a conversation.
 */
export async function runTool(turn: Turn, flow: string, inputs: Json): Promise<Json> {
  const { document } = turn.engine.program
  turn.isTool = true
  enter(turn, newFrame(document, flow, { inputs }))
  await run(turn)
  return toToolOutputs(getFlow(document, flow), turn.returned ?? {})
}

async function step(turn: Turn, frame: Frame): Promise<void> {
  turn.engine.onStep?.(frame)
  const node = getNode(turn.engine.program.document, frame)
  const card = frame.agent ? undefined : node.cards?.[frame.card]
  turn.event.state.context = {
    currentFlow: frame.flow,
    currentNode: frame.node,
    ...(card && { currentCard: card.name ?? card.type }),
  }
  if (card ? !isRepeatable(card) : node.type === 'agent') turn.effects++
  if (!card) await endNode(turn, frame, node)
  else if (frame.waiting) follow(turn, frame, giveUp(turn, card, frame))
  else follow(turn, frame, await perform(turn, card, frame))
  if (card && hasSideEffects(card)) await checkpoint(turn)
}

/** Leaves a node after its last card. In a node of type `agent`, takes the next step of the agent. */
async function endNode(turn: Turn, frame: Frame, node: FlowNode): Promise<void> {
  if (node.type !== 'agent') return leaveNode(turn, frame, node)
  const outcome = await stepAgent(turn, node, frame)
  if (outcome === 'leaves') leaveNode(turn, frame, node)
  else follow(turn, frame, outcome)
  // The end of the turn saves a wait.
  if (!frame.waiting) await checkpoint(turn)
}

/** Returns the frame's card, or undefined if the document changed and no longer has it. */
export function getCard({ engine }: Turn, { flow, node, card }: Frame): Card | undefined {
  const { flows } = engine.program.document
  return Object.hasOwn(flows, flow) && Object.hasOwn(flows[flow]!.nodes, node)
    ? flows[flow]!.nodes[node]!.cards?.[card]
    : undefined
}

export function follow(turn: Turn, frame: Frame, outcome: CardOutcome): void {
  if (outcome === undefined) frame.card++
  else if ('goTo' in outcome)
    replaceTop(turn, moved(turn.engine.program.document, frame, outcome.goTo))
  else if ('calls' in outcome) enter(turn, outcome.calls)
}

function leaveNode(turn: Turn, frame: Frame, { type, next }: FlowNode): void {
  if (type === 'end') endConversation(turn)
  else if (next === undefined) leaveFlow(turn, frame)
  else replaceTop(turn, moved(turn.engine.program.document, frame, next))
}

/** Enters a node. Throws when the turn is probably in an endless loop. */
export function enter(turn: Turn, frame: Frame): void {
  const limit =
    turn.engine.program.document.settings?.nodeRepetitionLimit ?? defaultRepetitionLimit
  countVisit(turn, frame, limit)
  turn.remembered.stack.push(frame)
  turn.trace.note({ kind: 'node', flow: frame.flow, node: frame.node })
}

function replaceTop(turn: Turn, frame: Frame): void {
  const replaced = turn.remembered.stack.pop()!
  try {
    enter(turn, frame)
  } catch (error) {
    turn.remembered.stack.push(replaced)
    throw error
  }
}

/**
 * Ends a flow. The calling flow continues with its next card; an interrupted flow continues to
 * wait.
 */
function leaveFlow(turn: Turn, frame: Frame): void {
  const { variables, outputs = {}, interrupts, tool } = frame
  turn.remembered.stack.pop()
  const caller = getTop(turn)
  if (!caller) turn.returned = variables
  if (interrupts) delete turn.remembered.trigger
  if (!caller || interrupts) return
  if (tool !== undefined) {
    endToolCall(caller.agent, tool, toOutputs(turn, frame))
    return
  }
  for (const [name, variable] of Object.entries(outputs))
    setVariable(turn, variable, variables[name])
  caller.card++
}

/** Returns the values of the flow's declared outputs. */
function toOutputs({ engine }: Turn, { flow, variables }: Frame): Json {
  const { outputs = {} } = getFlow(engine.program.document, flow)
  return Object.fromEntries(
    Object.keys(outputs).map((name) => [name, variables[name] ?? null]),
  )
}

/** Ends the conversation; first runs the flow `conversationEnd`, if there is one. */
export function endConversation(turn: Turn): void {
  const { remembered, engine } = turn
  const isEnding = remembered.ending === true
  remembered.stack = []
  remembered.ending = true
  if (
    !isEnding &&
    Object.hasOwn(engine.program.document.flows, builtInFlows.conversationEnd)
  )
    enter(turn, newFrame(engine.program.document, builtInFlows.conversationEnd))
}

async function finishConversation(turn: Turn): Promise<void> {
  const { remembered } = turn
  turn.trace.note({ kind: 'note', text: 'the conversation ended' })
  await runTurnHooks(turn, 'afterConversationEnd')
  turn.isOver = true
  delete remembered.ending
  delete remembered.inactivity
  for (const name of Object.keys(remembered.session)) delete remembered.session[name]
}

/**
 * Continues after an error in the exception node of the flow or of its nearest caller that has one;
 * otherwise in the flow `error`. Flows below one that a trigger started continue to wait. Throws
 * TurnFailed if there is neither, TurnStopped after a stop; rethrows Unreachable.
 */
export function recover(turn: Turn, error: unknown): void {
  if (error instanceof PlatformUnreachable) throw error
  if (isStopped(turn, error)) throw new TurnStopped()
  const { document } = turn.engine.program
  const message = error instanceof Error ? error.message : String(error)
  const at = getTop(turn)
  if (!at) throw new TurnFailed(message)
  const { flow, node, card } = at
  const where = `${flow}/${node}${at.agent ? '' : `, card ${card + 1}`}`
  turn.trace.trouble(where, error)
  turn.engine.log('error', `${where}: ${message}`)
  const reason = (error as { reason?: unknown } | null)?.reason
  turn.values.error = {
    message,
    flow,
    node,
    card,
    ...(typeof reason === 'string' && { reason }),
  }
  const unwound = unwind(turn, error)
  if (unwound === 'caught') return
  if (
    unwound.wasInError ||
    turn.isTool ||
    !Object.hasOwn(document.flows, builtInFlows.error)
  )
    throw new TurnFailed(`${where}: ${message}`)
  enter(turn, {
    ...newFrame(document, builtInFlows.error),
    ...(unwound.interrupts && { interrupts: true }),
  })
}

/**
 * Removes flows until one catches the error, or until the one that a trigger started is removed. An
 * agent catches the errors of the flows that it calls.
 */
function unwind(
  turn: Turn,
  error: unknown,
): 'caught' | { interrupts: boolean; wasInError: boolean } {
  const { document } = turn.engine.program
  const unwound = { interrupts: false, wasInError: false }
  for (let frame = getTop(turn); frame && !unwound.interrupts; frame = getTop(turn)) {
    const catching = Object.hasOwn(document.flows, frame.flow)
      ? getExceptionNode(document, frame.flow)
      : undefined
    turn.remembered.stack.pop()
    unwound.wasInError ||= frame.flow === builtInFlows.error
    unwound.interrupts = frame.interrupts === true
    if (catching !== undefined && catching !== frame.node) {
      const { waiting: _none, agent: _left, ...rest } = frame
      try {
        enter(turn, { ...rest, node: catching, card: 0 })
        return 'caught'
      } catch {
        // The turn has entered this exception node too often: try the caller.
      }
    }
    if (frame.tool !== undefined) {
      failToolCall(getTop(turn)?.agent, frame.tool, error)
      return 'caught'
    }
  }
  return unwound
}

// Runs the agent of a node of type `agent`, one step at a time: a call of the model, or one tool
// call. The engine saves a checkpoint after each step, so an interrupted turn continues with the
// step that did not end. Read history.ts next, then agent-tools.ts.
import type { CardOutcome } from '../cards/card.ts'
import { type CuratedAnswer, deliverCurated } from '../cards/curated.ts'
import type { AgentNode } from '../document/document.ts'
import { PlatformUnreachable } from '../engine/platform.ts'
import type { Frame } from '../engine/position.ts'
import { openAnswerStream } from '../engine/streams.ts'
import { sendMessage } from '../engine/talking.ts'
import { checkpoint, isTrue, type Turn } from '../engine/turn.ts'
import { generateText, ModelFailed } from '../models/models.ts'
import { createPrompt } from './agent-prompt.ts'
import type { AgentState } from './agent-state.ts'
import { type AgentToolKind, findTools } from './agent-tools.ts'
import {
  addReply,
  addSentAnswer,
  addUserMessage,
  cut,
  endToolCall,
  failToolCall,
  interrupt,
  openAgentState,
  unknownResult,
} from './history.ts'
import { inputFault } from './tool-input.ts'

type LimitReason = 'iterations' | 'tokens' | 'dollars' | 'seconds'

class AgentLimitReached extends Error {
  override readonly name = 'AgentLimitReached'
  readonly reason: LimitReason
  constructor(reason: LimitReason, limit: number) {
    super(`The agent reached its limit of ${limit} ${reason}. Raise \`limits.${reason}\``)
    this.reason = reason
  }
}

/** `leaves` ends the node. An outcome with `waits` but no `frame.waiting` continues at once. */
type AgentOutcome = Exclude<CardOutcome, undefined> | 'leaves'
const goesOn: AgentOutcome = { waits: true }

const defaults = { iterations: 10, seconds: 45 }

/** Takes the next step. Throws AgentLimitReached and ModelFailed if the node has no `onFail`. */
export async function stepAgent(
  turn: Turn,
  node: AgentNode,
  frame: Frame,
): Promise<AgentOutcome> {
  if (turn.delivered.conversationId === undefined)
    throw new TypeError('An agent needs a conversation, and the event has none')
  frame.agent ??= openAgentState(textOfEvent(turn))
  const step = { turn, node, frame, agent: frame.agent }
  const startedAt = turn.engine.now()
  try {
    return await takeStep(step)
  } catch (error) {
    return fail(step, error)
  } finally {
    step.agent.used.ms += turn.engine.now() - startedAt
  }
}

/** Passes the user's message to a waiting agent. */
export function answerAgent(turn: Turn, frame: Frame): CardOutcome {
  delete frame.waiting
  addUserMessage(frame.agent!, textOfEvent(turn))
  return { waits: true }
}

/**
 * Returns the stack after a turn that was stopped or abandoned: up to the topmost flow that waits.
 * An agent that worked waits for the next message, and keeps its history.
 */
export function upToWaitingOrAgent(stack: Frame[], eventId: string): Frame[] {
  const kept = stack.slice(0, stack.findLastIndex((one) => one.waiting ?? one.agent) + 1)
  const top = kept.at(-1)
  if (top?.agent && !top.waiting) {
    interrupt(top.agent)
    top.waiting = { id: eventId, kind: 'agent', asked: 1 }
  }
  return kept
}

/** Returns false if the document changed and the node is no agent any more. */
export const isAgentWaiting = ({ engine }: Turn, { waiting, agent, flow, node }: Frame) =>
  waiting?.kind === 'agent' &&
  agent !== undefined &&
  engine.program.document.flows[flow]?.nodes?.[node]?.type === 'agent'

interface Step {
  turn: Turn
  node: AgentNode
  frame: Frame
  agent: AgentState
}

async function takeStep(step: Step): Promise<AgentOutcome> {
  const { turn, agent } = step
  if (agent.text !== undefined) {
    await sendMessage(turn, { type: 'text', text: agent.text, ...agent.stream })
    delete agent.text
    delete agent.stream
    if (agent.calls.length === 0) return waitForUser(step)
  }
  return agent.calls.length > 0 ? callTool(step) : callModel(step)
}

/** Ends the turn, unless an exit is open. */
async function waitForUser(step: Step): Promise<AgentOutcome> {
  const exit = await automaticExit(step)
  if (exit !== null) return takeExit(step, exit)
  step.frame.waiting = { id: step.turn.delivered.id, kind: 'agent', asked: 1 }
  return { waits: true }
}

async function callModel(step: Step): Promise<AgentOutcome> {
  const { turn, node, agent } = step
  const exit = await automaticExit(step)
  if (exit !== null) return takeExit(step, exit)
  rejectAboveLimits(step)
  const stream = openAnswerStream(turn)
  const request = {
    ...(await createPrompt(turn, node, agent.messages, await findTools(turn, node))),
    ...(stream && { options: { publishTo: stream.publishTo } }),
  }
  addReply(agent, await withinTime(step, generateText(turn, request)))
  // The server ends the stream of a reply that calls tools.
  if (stream && agent.calls.length === 0) agent.stream = stream.message
  return goesOn
}

/** Throws AgentLimitReached when the time is over; the reply is then ignored. */
async function withinTime<Value>(
  { node, agent }: Step,
  calling: Promise<Value>,
): Promise<Value> {
  const { seconds = defaults.seconds } = node.limits ?? {}
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const left = Math.max(0, seconds * 1000 - agent.used.ms)
    timer = setTimeout(() => reject(new AgentLimitReached('seconds', seconds)), left)
  })
  return Promise.race([calling, timeout]).finally(() => clearTimeout(timer))
}

function rejectAboveLimits({ node, agent: { used } }: Step): void {
  const limits = { ...defaults, ...node.limits }
  const values = { ...used, seconds: used.ms / 1000 }
  for (const reason of ['iterations', 'tokens', 'dollars', 'seconds'] as const) {
    const limit = limits[reason]
    if (limit !== undefined && values[reason] >= limit)
      throw new AgentLimitReached(reason, limit)
  }
}

/** Runs the first call. Its errors are results for the model. */
async function callTool(step: Step): Promise<AgentOutcome> {
  const { turn, node, agent } = step
  const call = agent.calls[0]!
  const trace = turn.trace.begin({
    kind: 'tool',
    tool: call.name,
    input: JSON.stringify(call.input),
  })
  try {
    const tool = (await findTools(turn, node)).get(call.name)
    if (!tool) throw new TypeError(`There is no tool "${call.name}"`)
    const fault = await inputFault(tool.parameters, call.input)
    if (fault !== null) throw new TypeError(`The input is not valid: ${fault}`)
    const outcome = await runTool(step, tool)
    trace.end()
    return outcome
  } catch (error) {
    if (error instanceof PlatformUnreachable) throw error
    trace.end({ outcome: failToolCall(agent, call.id, error) })
    return goesOn
  }
}

async function runTool(step: Step, tool: AgentToolKind): Promise<AgentOutcome> {
  const { turn, agent } = step
  const { id, input } = agent.calls[0]!
  if (tool.kind === 'exit') return takeExit(step, await tool.check(turn, input))
  if (tool.kind === 'flow') return { calls: { ...tool.open(turn, input), tool: id } }
  const curated = await tool.findCurated?.(turn, input, agent.sentAnswers ?? [])
  if (curated) return sendCurated(step, curated)
  if (tool.runsAtMostOnce) {
    if (agent.isStarted) throw new Error(unknownResult)
    agent.isStarted = true
    await checkpoint(turn)
  }
  endToolCall(agent, id, await tool.run(turn, input))
  return goesOn
}

/** The answer ends the turn without another call of the model, unless the reply has further calls. */
async function sendCurated(step: Step, curated: CuratedAnswer): Promise<AgentOutcome> {
  const { turn, agent } = step
  await deliverCurated(turn, {}, { curated, language: null })
  addSentAnswer(agent, curated)
  return agent.calls.length > 0 ? goesOn : waitForUser(step)
}

/** Returns the first exit without a description and with a condition that holds. */
async function automaticExit({ turn, node, frame }: Step): Promise<string | null> {
  for (const [name, { when, description }] of Object.entries(node.exits ?? {})) {
    const pointer = `/flows/${frame.flow}/nodes/${frame.node}/exits/${name}/when`
    if (
      description === undefined &&
      when !== undefined &&
      (await isTrue(turn, when, pointer))
    )
      return name
  }
  return null
}

function takeExit({ turn, node, frame }: Step, name: string): AgentOutcome {
  turn.trace.note({ kind: 'note', text: `exit "${name}"` })
  delete frame.agent
  const { to } = node.exits![name]!
  return to === undefined ? 'leaves' : { goTo: to }
}

/** Continues at `onFail` after a limit or a failure of the model. Rethrows any other error. */
function fail({ turn, node, frame }: Step, error: unknown): AgentOutcome {
  if (!(error instanceof AgentLimitReached || error instanceof ModelFailed)) throw error
  if (node.onFail === undefined) throw error
  const { message, reason } = error
  turn.trace.note({ kind: 'note', text: message })
  turn.engine.log('warn', message)
  turn.values.error = {
    message,
    reason,
    flow: frame.flow,
    node: frame.node,
    card: frame.card,
  }
  delete frame.agent
  return { goTo: node.onFail }
}

/** Returns the message of the user; for another event, its name and payload. */
const textOfEvent = ({ event, delivered: { type } }: Turn) =>
  cut(
    type === 'message_created'
      ? event.preview
      : `The event "${type}" occurred: ${JSON.stringify(event.payload)}`,
  )

// The position of a conversation: a stack of flows, each at a card. Lower flows wait for the upper
// ones. It is stored as JSON.
import type { AgentState } from '../agent/agent-state.ts'
import { builtInFlows } from '../document/built-in-flows.ts'
import type { Flow, FlowDocument, FlowNode } from '../document/document.ts'
import type { Target } from '../document/shapes.ts'
import { listVariables, withDefaults } from '../document/variables.ts'
import type { Json } from './platform.ts'

export interface Frame {
  flow: string
  node: string
  /** Index of the next or the waiting card. */
  card: number
  /** Values of the scope `workflow`. */
  variables: Json
  /** Set while the card waits. */
  waiting?: Waiting
  /** Variables of the calling flow by output. */
  outputs?: Record<string, string>
  /** A trigger started this flow: when it ends, the flow below it continues to wait. */
  interrupts?: boolean
  /** State of the agent, while the node of type `agent` works or waits. */
  agent?: AgentState
  /** An agent called this flow: the id of its tool call. The outputs become its result. */
  tool?: string
}

export interface Waiting {
  /** Identifies this wait, so that a timeout of another wait has no effect. */
  id: string
  kind: 'capture' | 'event' | 'agent' | 'handoff'
  /** Number of questions so far. */
  asked: number
  /** The timeout has expired, or the handoff is closed. Flows above this one may still run. */
  isUp?: boolean
  /** Id of the handoff. */
  handoff?: string
  /** Payload of `handoff_closed`. */
  closed?: Json
}

/** Thrown when the document changed and the position of a conversation no longer exists. */
class LostPosition extends Error {
  override readonly name = 'LostPosition'
}

const own = <Value>(map: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined

export function getFlow({ flows }: FlowDocument, name: string): Flow {
  const flow = own(flows, name)
  if (!flow) throw new LostPosition(`The flow "${name}" no longer exists`)
  return flow
}

export function getNode(
  document: FlowDocument,
  { flow, node }: Pick<Frame, 'flow' | 'node'>,
): FlowNode {
  const found = own(getFlow(document, flow).nodes, node)
  if (!found)
    throw new LostPosition(`The node "${node}" of the flow "${flow}" no longer exists`)
  return found
}

/** Returns the first node of a flow. */
function findBegin(document: FlowDocument, flow: string): string {
  const type = flow === builtInFlows.main ? 'start' : 'entry'
  const found = Object.entries(getFlow(document, flow).nodes).find(
    ([, node]) => node.type === type,
  )
  if (!found) throw new LostPosition(`The flow "${flow}" has no node of type "${type}"`)
  return found[0]
}

export function newFrame(
  document: FlowDocument,
  flow: string,
  { node, inputs }: { node?: string | undefined; inputs?: Json } = {},
): Frame {
  return {
    flow,
    node: node ?? findBegin(document, flow),
    card: 0,
    variables: withDefaults(listVariables(getFlow(document, flow)), inputs),
  }
}

/** Returns the frame at the target. A target in another flow replaces the flow. */
export function moved(document: FlowDocument, frame: Frame, target: Target): Frame {
  const { agent: _left, ...rest } = frame
  if (typeof target === 'string') return { ...rest, node: target, card: 0 }
  const { outputs, interrupts, tool } = frame
  return {
    ...newFrame(document, target.flow, { node: target.node }),
    ...(outputs && { outputs }),
    ...(interrupts && { interrupts }),
    ...(tool !== undefined && { tool }),
  }
}

/** Returns the stack up to the topmost waiting flow. */
export const upToWaiting = (stack: Frame[]) =>
  stack.slice(0, stack.findLastIndex(({ waiting }) => waiting) + 1)

export const getExceptionNode = (document: FlowDocument, flow: string) =>
  Object.entries(getFlow(document, flow).nodes).find(
    ([, { type }]) => type === 'exception',
  )?.[0]

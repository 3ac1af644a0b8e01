// Where a conversation stands: a stack of flows, each at a card, the lower ones waiting for the upper ones to end. It is data, and stored as it is.
import { builtInFlows } from './built-in-flows.ts'
import type { Flow, FlowDocument, FlowNode } from './document.ts'
import type { Json } from './platform.ts'
import type { Target } from './shapes.ts'
import { variablesOf, withDefaults } from './variables.ts'

export interface Frame {
  flow: string
  node: string
  /** Index of the card that is next, or that waits. */
  card: number
  /** The scope `workflow`. */
  variables: Json
  /** What the card waits for. */
  waiting?: Waiting
  /** Which of its outputs goes into which variable of the flow that called it. */
  outputs?: Record<string, string>
  /** Began without being called: when it is over, what it lies upon goes on waiting. */
  interrupts?: boolean
}

export interface Waiting {
  /** Of this waiting alone: a time that is up for another says nothing. */
  id: string
  kind: 'capture' | 'event'
  /** How often it was asked. */
  asked: number
  /** Its time is up; it lies below something else. */
  isUp?: boolean
}

/** The document was changed while a conversation was in it. */
export class LostPosition extends Error {
  override readonly name = 'LostPosition'
}

const own = <Value>(map: Record<string, Value>, name: string): Value | undefined =>
  Object.hasOwn(map, name) ? map[name] : undefined

export function flowOf({ flows }: FlowDocument, name: string): Flow {
  const flow = own(flows, name)
  if (!flow) throw new LostPosition(`There is no flow "${name}" any more`)
  return flow
}

export function nodeOf(document: FlowDocument, { flow, node }: Pick<Frame, 'flow' | 'node'>): FlowNode {
  const found = own(flowOf(document, flow).nodes, node)
  if (!found) throw new LostPosition(`There is no node "${node}" in the flow "${flow}" any more`)
  return found
}

/** Where a flow begins, when nothing else is said. */
export function beginOf(document: FlowDocument, flow: string): string {
  const type = flow === builtInFlows.main ? 'start' : 'entry'
  const found = Object.entries(flowOf(document, flow).nodes).find(([, node]) => node.type === type)
  if (!found) throw new LostPosition(`The flow "${flow}" has no beginning`)
  return found[0]
}

export function newFrame(
  document: FlowDocument,
  flow: string,
  { node, inputs }: { node?: string | undefined; inputs?: Json } = {},
): Frame {
  return {
    flow,
    node: node ?? beginOf(document, flow),
    card: 0,
    variables: withDefaults(variablesOf(flowOf(document, flow)), inputs),
  }
}

/** To a node of its own flow a frame goes itself; another flow takes its place. */
export function moved(document: FlowDocument, frame: Frame, target: Target): Frame {
  if (typeof target === 'string') return { ...frame, node: target, card: 0 }
  const { outputs, interrupts } = frame
  return {
    ...newFrame(document, target.flow, { node: target.node }),
    ...(outputs && { outputs }),
    ...(interrupts && { interrupts }),
  }
}

/** What waits, and who called it; without what is above. */
export const upToWaiting = (stack: Frame[]) =>
  stack.slice(0, stack.findLastIndex(({ waiting }) => waiting) + 1)

export const exceptionNodeOf = (document: FlowDocument, flow: string) =>
  Object.entries(flowOf(document, flow).nodes).find(([, { type }]) => type === 'exception')?.[0]

// Names of flows, steps and cards, as people read them.
import { texts } from '../../../texts/texts.ts'

const t = texts.studio

const isBuiltIn = (flow: string) => Object.hasOwn(t.names.flows, flow)

/** Returns the name that its author gave the flow; in words if the engine names it. */
export const nameFlow = (flow: string): string =>
  isBuiltIn(flow) ? t.names.flows[flow]! : flow

/** As nameFlow, where it could be taken for something else. */
export const nameAsFlow = (flow: string): string =>
  isBuiltIn(flow) ? nameFlow(flow) : t.flowNamed(flow)

/** A step that is named as its type, such as `start`, is named in words. */
export const nameNode = (node: string): string =>
  Object.hasOwn(t.nodeTypes, node) ? t.nodeTypes[node]! : node

/** The name of a kind of card. */
export const toCardTitle = (type: string): string =>
  Object.hasOwn(t.names.cards, type) ? t.names.cards[type]! : type

// A step of an agentflow and the cards that it becomes.
import type { Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import type { Graph } from '../graph.ts'
import type { FlowiseNode } from './node.ts'
import type { FlowiseTexts } from './texts.ts'

export interface AgentflowContext {
  bot: Assembly
  texts: FlowiseTexts
  graph: Graph
  nodes: FlowiseNode[]
}

export interface Step {
  cards: Card[]
  /** Of a node with several outputs. */
  next?: string | undefined
  result?: 'carried' | 'changed' | 'omitted'
  note?: string
}

export type ToStep = (context: AgentflowContext, node: FlowiseNode) => Step

export const modelRemark =
  'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.'

export const maxHistory = 20

// Where the conversation of a script goes: the visited nodes, and the card or node at work.
import type { FlowDocument } from '../document/document.ts'
import type { Frame } from '../engine/position.ts'

/** `card` is an index; absent behind the last card of the node. */
export interface ScriptPlace {
  flow: string
  node: string
  card?: number
}

/** The visited nodes of one flow, in the order of the first visits. */
export interface VisitedNodes {
  flow: string
  nodes: string[]
}

interface Walk {
  /** The engine works on this card or node. Those of built-in flows have no place in the document. */
  enter(position: Pick<Frame, 'flow' | 'node' | 'card'>): void
  /** Returns the last place; undefined before the first. */
  getPlace(): ScriptPlace | undefined
  listVisited(): VisitedNodes[]
}

export function openWalk({ flows }: Pick<FlowDocument, 'flows'>): Walk {
  const visited = new Map<string, Set<string>>()
  let place: ScriptPlace | undefined
  return {
    enter({ flow, node, card }) {
      const nodes = Object.hasOwn(flows, flow) ? flows[flow]!.nodes : {}
      if (!Object.hasOwn(nodes, node)) return
      const hasCard = card < (nodes[node]!.cards?.length ?? 0)
      place = { flow, node, ...(hasCard && { card }) }
      const known = visited.get(flow)
      if (known) known.add(node)
      else visited.set(flow, new Set([node]))
    },
    getPlace: () => place,
    listVisited: () => [...visited].map(([flow, nodes]) => ({ flow, nodes: [...nodes] })),
  }
}

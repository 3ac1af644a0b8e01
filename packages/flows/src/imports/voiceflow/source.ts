// Files of Voiceflow: diagrams of blocks, which have steps. A step has ports; before 2022 one list of them.
import {
  entriesIn,
  isObject,
  type Json,
  objectsIn,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'

export interface VoiceflowStep {
  id: string
  type: string
  data: Json
  ports: Ports
}

export interface Ports {
  next: string | undefined
  otherwise: string | undefined
  fail: string | undefined
  /** In the order of choices. */
  dynamic: (string | undefined)[]
  byKey: Map<string, string>
}

export interface VoiceflowBlock {
  id: string
  name: string
  position: { x: number; y: number } | undefined
  steps: VoiceflowStep[]
}

export interface VoiceflowDiagram {
  id: string
  name: string
  blocks: VoiceflowBlock[]
  /** Id of the block or step after the start. */
  start: string | undefined
}

export const isVoiceflow = (value: unknown): boolean =>
  isObject(value) && isObject(value.diagrams) && isObject(value.version)

/** The first diagram is the one that begins. */
export function readDiagrams(file: Json): VoiceflowDiagram[] {
  const root = textIn(file, 'version', 'rootDiagramID')
  const diagrams = entriesIn(file, 'diagrams').flatMap(([id, diagram]) =>
    isObject(diagram)
      ? [toDiagram(textIn(diagram, 'diagramID') || textIn(diagram, '_id') || id, diagram)]
      : [],
  )
  return diagrams.sort((a, b) => Number(b.id === root) - Number(a.id === root))
}

function toDiagram(id: string, diagram: Json): VoiceflowDiagram {
  const nodes = entriesIn(diagram, 'nodes').flatMap(([nodeId, node]) =>
    isObject(node) ? [{ ...node, nodeID: textIn(node, 'nodeID') || nodeId } as Json] : [],
  )
  const byId = new Map(nodes.map((node) => [textIn(node, 'nodeID'), node]))
  const inBlocks = new Set(nodes.flatMap((node) => textsIn(node, 'data', 'steps')))
  const blocks = nodes.flatMap((node): VoiceflowBlock[] => {
    const steps = textsIn(node, 'data', 'steps').flatMap((step): Json[] => {
      const found = byId.get(step)
      return found ? [found] : []
    })
    const isAlone =
      steps.length === 0 && !inBlocks.has(textIn(node, 'nodeID')) && !isContainer(node)
    if (steps.length === 0 && !isAlone) return []
    return [toBlock(node, isAlone ? [node] : steps)]
  })
  const start = nodes.find((node) => textIn(node, 'type') === 'start')
  return {
    id,
    name: textIn(diagram, 'name') || 'flow',
    blocks,
    start: start && toPorts(start).next,
  }
}

const isContainer = (node: Json) =>
  ['start', 'block', 'actions', 'markup_text', 'markup_image'].includes(
    textIn(node, 'type'),
  )

function toBlock(node: Json, steps: Json[]): VoiceflowBlock {
  const [x, y] = (Array.isArray(node.coords) ? node.coords : []) as unknown[]
  return {
    id: textIn(node, 'nodeID'),
    name: textIn(node, 'data', 'name') || textIn(steps[0], 'type'),
    position: typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined,
    steps: steps.map((step) => ({
      id: textIn(step, 'nodeID'),
      type: textIn(step, 'type'),
      data: isObject(step.data) ? step.data : {},
      ports: toPorts(step),
    })),
  }
}

function toPorts(node: Json): Ports {
  const target = (port: unknown) => textIn(port, 'target') || undefined
  const ports = valueIn(node, 'data', 'portsV2')
  if (!isObject(ports)) {
    // Former lists: the port for other answers comes first, those of choices follow.
    const list = objectsIn(node, 'data', 'ports')
    const find = (...types: string[]) =>
      target(list.find((port) => types.includes(textIn(port, 'type'))))
    const [first] = list
    return {
      next: find('next') ?? (list.length === 1 ? target(first) : undefined),
      otherwise: find('else'),
      fail: find('fail'),
      dynamic: list
        .filter(
          (port) =>
            !['next', 'else', 'fail', 'no-reply', 'pause', 'previous'].includes(
              textIn(port, 'type'),
            ),
        )
        .map(target),
      byKey: new Map(),
    }
  }
  const builtIn = (name: string) => target(valueIn(ports, 'builtIn', name))
  const keys = entriesIn(ports, 'byKey').flatMap(([key, port]): [string, string][] => {
    const to = target(port)
    return to === undefined ? [] : [[key, to]]
  })
  const byKey = new Map(keys)
  return {
    next: builtIn('next') ?? byKey.get('next'),
    otherwise: builtIn('else') ?? byKey.get('else'),
    fail: builtIn('fail') ?? byKey.get('fail'),
    dynamic: objectsIn(ports, 'dynamic').map(target),
    byKey,
  }
}

// Imports flows of Flowise: agentflows of version 2, and chatflows.
import { Assembly } from '../assembly.ts'
import { type Edge, Graph } from '../graph.ts'
import { isObject, type Json, objectsIn, textIn, valueIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import { addAgentflow } from './agentflow.ts'
import { addChatflow } from './chatflow.ts'
import { flowiseKinds } from './kinds.ts'
import type { FlowiseNode } from './node.ts'
import { fromSequential } from './sequential.ts'

export const isFlowise = (value: unknown): boolean =>
  isObject(value) &&
  Array.isArray(value.nodes) &&
  Array.isArray(value.edges) &&
  value.nodes.some(
    (node) =>
      textIn(node, 'data', 'name') !== '' && isObject(valueIn(node, 'data', 'inputs')),
  )

export function importFlowise(source: Json, fileName: string): Assembly {
  const nodes = objectsIn(source, 'nodes').flatMap((node) => toNode(node))
  const steps = fromSequential(nodes)
  const isAgentflow = steps.some(
    ({ name }) => name.endsWith('Agentflow') && name !== 'stickyNoteAgentflow',
  )
  const format = isAgentflow ? 'agentflow' : 'chatflow'
  const bot = new Assembly(`Flowise (${format})`, textIn(source, 'name') || fileName)
  bot.addFlow('main', 'main')
  const others = steps.filter((node) => !isNote(node))
  for (const node of steps) if (isNote(node)) describe(bot, node)
  const secrets = steps.filter(({ raw }) => textIn(raw, 'data', 'credential') !== '')
  for (const { label } of secrets) bot.addSecret(`credential of "${label}"`)
  if (isAgentflow) addAgentflow(bot, others, new Graph(bot, readEdges(source, steps)))
  else addChatflow(bot, others, readEdges(source, steps))
  return bot
}

const isNote = ({ name }: FlowiseNode) =>
  name === 'stickyNote' || name === 'stickyNoteAgentflow'

function describe(bot: Assembly, { name, inputs, label }: FlowiseNode): void {
  const text = textIn(inputs, 'note')
  bot.describeFlow('main', text)
  reportPart(bot, flowiseKinds, { kind: name, name: text || label })
}

function toNode(node: Json): FlowiseNode[] {
  const [id, name] = [textIn(node, 'id'), textIn(node, 'data', 'name')]
  if (id === '' || name === '') return []
  const inputs = valueIn(node, 'data', 'inputs')
  const { x, y } = (valueIn(node, 'position') ?? {}) as { x?: unknown; y?: unknown }
  return [
    {
      id,
      name,
      category: textIn(node, 'data', 'category'),
      label: textIn(node, 'data', 'label') || name,
      inputs: isObject(inputs) ? inputs : {},
      parent: textIn(node, 'parentNode') || textIn(node, 'parentId') || undefined,
      position: typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined,
      raw: node,
    },
  ]
}

/** Only nodes that decide have several outputs. */
const deciding = ['conditionAgentflow', 'conditionAgentAgentflow', 'humanInputAgentflow']

function readEdges(source: Json, nodes: FlowiseNode[]): Edge[] {
  const names = new Map(nodes.map(({ id, name }) => [id, name]))
  return objectsIn(source, 'edges').flatMap((edge) => {
    const [from, to] = [textIn(edge, 'source'), textIn(edge, 'target')]
    const name = names.get(from)
    if (name === undefined || !names.has(to)) return []
    const [, output = ''] = /-output-([^-|]*)/.exec(textIn(edge, 'sourceHandle')) ?? []
    return [{ from, to, handle: deciding.includes(name) ? output : '' }]
  })
}

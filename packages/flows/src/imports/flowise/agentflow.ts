// Agentflows of Flowise, version 2: each node becomes a node of the document.
import type { Assembly } from '../assembly.ts'
import type { Graph } from '../graph.ts'
import { addIteration } from '../iterations.ts'
import { toNoteCard } from '../note-card.ts'
import { type Json, textIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import type { AgentflowContext, Step } from './agentflow-step.ts'
import { steps } from './agentflow-steps.ts'
import { flowiseKinds } from './kinds.ts'
import type { FlowiseNode } from './node.ts'
import { FlowiseTexts } from './texts.ts'

const isStep = ({ name }: FlowiseNode) => name.endsWith('Agentflow')
const toBodyId = (id: string) => `body\u0000${id}`

export function addAgentflow(bot: Assembly, nodes: FlowiseNode[], graph: Graph): void {
  const inside = nodes.filter(isStep)
  const texts = new FlowiseTexts(bot, new Map(inside.map(({ id, label }) => [id, label])))
  const start = inside.find(({ name }) => name === 'startAgentflow') ?? inside[0]!
  const context: AgentflowContext = { bot, texts, graph, nodes: inside }
  bot.enterAt('main', start.id)
  graph.place(start.id, 'main')
  for (const node of inside)
    if (node.name === 'iterationAgentflow') placeBody(context, node)
  for (const node of inside) addNode(context, node)
  for (const node of nodes) if (!isStep(node)) reportPartOfChain(bot, node)
}

/** Models, memories and other parts that a step uses. */
export function reportPartOfChain(
  bot: Assembly,
  { name, category, label }: FlowiseNode,
): void {
  const isDocuments = /retriever|queryEngine/i.test(name) && category === 'Tools'
  reportPart(bot, flowiseKinds, {
    kind: isDocuments ? 'Tools with documents' : category || name,
    name: label,
  })
}

/** The first node inside has no edge that leads to it. */
function placeBody(
  { bot, graph, nodes }: AgentflowContext,
  iteration: FlowiseNode,
): void {
  const children = nodes.filter(({ parent }) => parent === iteration.id)
  const targets = new Set(
    children.flatMap(({ id }) =>
      graph.handles(id).map((handle) => graph.next(id, handle)),
    ),
  )
  const entry = children.find(({ id }) => !targets.has(id)) ?? children[0]
  if (!entry) return
  bot.addFlow(toBodyId(iteration.id), iteration.label)
  bot.enterAt(toBodyId(iteration.id), entry.id)
  graph.place(entry.id, toBodyId(iteration.id))
}

function addNode(context: AgentflowContext, node: FlowiseNode): void {
  const { bot, graph } = context
  const { id, label, name, position } = node
  const flow = graph.flowOf(id) ?? 'main'
  if (name === 'iterationAgentflow') {
    addRounds(context, node, flow)
    reportPart(bot, flowiseKinds, { kind: name, name: label, node: id })
    return
  }
  const step = toStep(context, node)
  const next = 'next' in step ? step.next : graph.next(id)
  bot.addNode(flow, { id, label, cards: step.cards, next, position })
  if (name === 'endAgentflow' || name === 'stateAgentflow') {
    bot.report({ kind: label, name: label, result: 'carried', node: id })
    return
  }
  reportPart(bot, flowiseKinds, {
    kind: name,
    name: label,
    node: id,
    ...(step.result && { result: step.result }),
    note: step.note,
  })
}

function toStep(context: AgentflowContext, node: FlowiseNode): Step {
  if (Object.hasOwn(steps, node.name)) return steps[node.name]!(context, node)
  const tool = textIn(node.inputs, 'toolAgentflowSelectedTool')
  const known = flowiseKinds[node.name]
  return {
    cards: [
      toNoteCard(`Not imported: ${tool || node.label}`, [
        JSON.stringify(withoutParameters(node), null, 2),
      ]),
    ],
    ...(known && tool && { note: `${tool}. ${known.note}` }),
  }
}

/** The definition of a node's form is long. */
const withoutParameters = ({ raw, inputs }: FlowiseNode): Json => ({
  name: textIn(raw, 'data', 'name'),
  inputs,
})

function addRounds(
  { bot, texts, graph, nodes }: AgentflowContext,
  node: FlowiseNode,
  flow: string,
): void {
  const { id, label, position, inputs } = node
  const [counter, item, into] = [
    texts.output(id, 'index'),
    texts.output(id, 'item'),
    texts.output(id),
  ]
  const input = texts.js(textIn(inputs, 'iterationInput'), node)
  const list = bot.variables.declare(`list:${id}`, `${label} list`)
  const last = nodes
    .filter(({ parent }) => parent === id)
    .find((child) => graph.handles(child.id).length === 0)
  const result = last ? texts.output(last.id) : 'null'
  addIteration(bot, flow, {
    id,
    label,
    position,
    next: graph.next(id),
    body: toBodyId(id),
    counter,
    isOver: `${counter} >= ${list}.length`,
    first: [
      {
        type: 'code',
        code: [
          `const given = ${input}`,
          `${list} = [].concat(typeof given === 'string' ? JSON.parse(given) : (given ?? []))`,
        ].join('\n'),
      },
      { type: 'set', variable: into, value: [] },
    ],
    before: [{ type: 'set', variable: item, value: `{{ ${list}[${counter}] }}` }],
    after: [{ type: 'set', variable: into, value: `{{ [...${into}, ${result}] }}` }],
  })
}

// Chatflows of Flowise: chains, agents and engines are steps; models, prompts, memories and documents are
// parts of them.
import type { AgentTool } from '../../agent/agent-shape.ts'
import type { Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import type { Edge } from '../graph.ts'
import { type Piece, splitText, toTemplate } from '../pieces.ts'
import { entriesIn, textIn, valueIn } from '../reading.ts'
import { reportPart } from '../support.ts'
import { reportPartOfChain } from './agentflow.ts'
import { flowiseKinds } from './kinds.ts'
import type { FlowiseNode } from './node.ts'

const stepCategories = ['Chains', 'Agents', 'Engine']
const isStep = ({ category, name }: FlowiseNode) =>
  stepCategories.includes(category) || name === 'supervisor'

interface Chatflow {
  bot: Assembly
  nodes: Map<string, FlowiseNode>
  /** Ids of the parts of a node. */
  partsOf: (id: string) => string[]
}

export function addChatflow(bot: Assembly, all: FlowiseNode[], edges: Edge[]): void {
  const nodes = new Map(all.map((node) => [node.id, node]))
  const incoming = new Map<string, string[]>()
  for (const { from, to } of edges) incoming.set(to, [...(incoming.get(to) ?? []), from])
  const chatflow: Chatflow = {
    bot,
    nodes,
    partsOf: (id) => [...new Set(incoming.get(id) ?? [])],
  }
  // An engine that only another agent uses is one of its tools.
  const inner = new Set(
    edges
      .filter(({ to }) =>
        /^(?:queryEngineTool|retrieverTool|chainTool)/.test(nodes.get(to)?.name ?? ''),
      )
      .map(({ from }) => from),
  )
  const steps = inOrder(
    all.filter((node) => isStep(node) && !inner.has(node.id)),
    chatflow,
  )
  for (const [index, step] of steps.entries())
    addStep(chatflow, step, steps[index + 1]?.id)
  if (steps[0]) bot.enterAt('main', steps[0].id)
  for (const node of all) if (!steps.includes(node)) reportPartOfChain(bot, node)
}

/** Returns each step after those that it uses. */
function inOrder(steps: FlowiseNode[], { partsOf }: Chatflow): FlowiseNode[] {
  const ids = new Set(steps.map(({ id }) => id))
  const done = new Set<string>()
  const seen = new Set<string>()
  const visit = (id: string, depth: number) => {
    if (seen.has(id) || depth > 500) return
    seen.add(id)
    for (const part of partsOf(id)) visit(part, depth + 1)
    if (ids.has(id)) done.add(id)
  }
  for (const { id } of steps) visit(id, 0)
  return [...done].map((id) => steps.find((step) => step.id === id)!)
}

/** Returns the parts of a node, and theirs. A step is no part of another one. */
function allParts({ nodes, partsOf }: Chatflow, id: string): FlowiseNode[] {
  const isPart = (part: string) => !nodes.has(part) || !isStep(nodes.get(part)!)
  const found = new Set(partsOf(id).filter(isPart))
  for (const part of found)
    for (const inner of partsOf(part)) if (inner !== id && isPart(inner)) found.add(inner)
  return [...found].flatMap((part) => nodes.get(part) ?? [])
}

const isDocuments = ({ category }: FlowiseNode) =>
  ['Vector Stores', 'Retrievers', 'Document Loaders'].includes(category)

function toKnowledgeBases(
  { bot }: Chatflow,
  parts: FlowiseNode[],
  label: string,
): string[] {
  const documents = parts.filter(isDocuments)
  if (documents.length === 0) return []
  const loaders = documents.filter(({ category }) => category === 'Document Loaders')
  const names = loaders.map(
    ({ label, inputs }) =>
      textIn(inputs, 'fileName') ||
      textIn(inputs, 'url') ||
      textIn(inputs, 'repoLink') ||
      label,
  )
  const key = documents
    .map(({ id }) => id)
    .sort()
    .join()
  return [bot.addKnowledgeBase(key, documents[0]!.label || label, names)]
}

function addStep(chatflow: Chatflow, step: FlowiseNode, next: string | undefined): void {
  const { bot } = chatflow
  const { id, label, name, category, position } = step
  bot.remark(
    'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.',
  )
  const parts = allParts(chatflow, id)
  const bases = toKnowledgeBases(chatflow, parts, label)
  const instructions = toTemplate(toInstructions(chatflow, step, parts))
  const isAnswer = bases.length > 0 && (category === 'Chains' || name === 'queryEngine')
  const isChain = category === 'Chains' && !/conversation/i.test(name)
  const report = { kind: category, name: label, node: id }
  if (isAnswer || isChain) {
    const cards = isAnswer
      ? [toAnswer(instructions, bases)]
      : toText(chatflow, step, parts, instructions, next === undefined)
    bot.addNode('main', { id, label, cards, next, position })
    reportPart(bot, flowiseKinds, { ...report, ...toDifference(name) })
    return
  }
  const tools: AgentTool[] =
    bases.length > 0 ? [{ type: 'knowledge', knowledgeBases: bases }] : []
  bot.addNode('main', {
    id,
    label,
    position,
    cards: [],
    next,
    agent: {
      instructions: instructions || 'Reply to the user.',
      ...(tools.length > 0 && { tools }),
    },
  })
  reportPart(bot, flowiseKinds, { ...report, ...toDifference(name) })
}

/** Chains about things that a bot does not have. */
function toDifference(name: string): { result?: 'changed'; note?: string } {
  if (/sql|csv|api|graph/i.test(name))
    return {
      result: 'changed',
      note: 'It does not reach its data. Import them as a table, and give the agent the tool `table`',
    }
  return name === 'openAIAssistant'
    ? {
        result: 'changed',
        note: 'The assistant has its instructions at its provider: copy them into `instructions`',
      }
    : {}
}

const toAnswer = (instructions: string, knowledgeBases: string[]): Card => ({
  type: 'answer',
  knowledgeBases,
  ...(instructions && { instructions }),
})

const promptFields = [
  'systemMessagePrompt',
  'systemMessage',
  'responsePrompt',
  'systemMessagePromptTemplate',
  'supervisorPrompt',
  'workerPrompt',
  'agentInstructions',
]

/** Returns the prompts of a step and of its parts. */
function toInstructions(
  chatflow: Chatflow,
  step: FlowiseNode,
  parts: FlowiseNode[],
): Piece[] {
  const workers = [...chatflow.nodes.values()].filter(
    ({ name }) => name === 'worker' && step.name === 'supervisor',
  )
  const prompts = [
    step,
    ...parts.filter(({ category }) => category === 'Prompts'),
    ...workers,
  ].flatMap((node) =>
    [...promptFields, 'template'].flatMap((field) => {
      const text = textIn(node.inputs, field)
      return text === '' ? [] : [toPrompt(chatflow, node, text)]
    }),
  )
  return prompts.flatMap((pieces, index) => (index === 0 ? pieces : ['\n\n', ...pieces]))
}

/** `{name}` is a value of the prompt, or the message of the user. */
function toPrompt(chatflow: Chatflow, { inputs }: FlowiseNode, text: string): Piece[] {
  const values = toValues(valueIn(inputs, 'promptValues'))
  return splitText(
    text.replace(
      /\n?\{(?:context|format_instructions|agent_scratchpad|chat_history)\}/g,
      '',
    ),
    /\{(\w{1,100})\}/g,
    ([, name = '']) => {
      const value = values.get(name)
      if (value === undefined) return 'event.preview'
      const [, chain] = /^\{\{(\w+)\.data\.instance\}\}$/.exec(value.trim()) ?? []
      if (chain !== undefined && chatflow.nodes.has(chain))
        return toOutput(chatflow, chain)
      return value.includes('{{question}}') ? 'event.preview' : JSON.stringify(value)
    },
  )
}

function toValues(given: unknown): Map<string, string> {
  try {
    const values: unknown = typeof given === 'string' ? JSON.parse(given) : given
    return new Map(
      entriesIn({ values }, 'values').map(([name, value]) => [name, String(value)]),
    )
  } catch {
    return new Map()
  }
}

const toOutput = ({ bot, nodes }: Chatflow, id: string) =>
  bot.variables.need(`output:${id}`, nodes.get(id)?.label ?? 'output')

function toText(
  chatflow: Chatflow,
  step: FlowiseNode,
  parts: FlowiseNode[],
  given: string,
  isLast: boolean,
): Card[] {
  const instructions = given || 'Reply to the message.'
  const into = toOutput(chatflow, step.id)
  const parser = parts.find(({ category }) => category === 'Output Parsers')
  if (!parser) return [{ type: 'aiText', instructions, ...(!isLast && { into }) }]
  const isList = /csv|list/i.test(parser.name)
  const output = isList
    ? { type: 'array', items: { type: 'string' } }
    : { type: 'object' }
  return [
    { type: 'aiTask', instructions, output, into },
    ...(isLast
      ? [
          {
            type: 'send' as const,
            message: isList
              ? `{{ ${into}.join(", ") }}`
              : `{{ JSON.stringify(${into}) }}`,
          },
        ]
      : []),
  ]
}

// Imports apps of Dify: chatflows and workflows have a graph, chat and agent apps have one prompt.
import type { Card } from '../../document/card-shapes.ts'
import { Assembly } from '../assembly.ts'
import { type Edge, Graph } from '../graph.ts'
import { addIteration } from '../iterations.ts'
import { toNoteCard } from '../note-card.ts'
import { toTemplate } from '../pieces.ts'
import {
  isObject,
  isSet,
  type Json,
  numberIn,
  objectsIn,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'
import { reportPart } from '../support.ts'
import { importChatApp } from './chat-app.ts'
import type { DifyContext, Step } from './context.ts'
import { toFormCards, toFormOnce } from './form.ts'
import { difyKinds } from './kinds.ts'
import { toAgentStep, toClassifier, toExtractor, toModelStep } from './models.ts'
import * as convert from './steps.ts'
import { DifyTexts, historyVariable, queryVariable } from './texts.ts'

export const isDify = (value: unknown): boolean =>
  isObject(value) &&
  textIn(value, 'kind') === 'app' &&
  textIn(value, 'app', 'mode') !== ''

export function importDify(source: Json): Assembly {
  const mode = textIn(source, 'app', 'mode')
  const bot = new Assembly(
    `Dify (${mode}, version ${textIn(source, 'version') || '0.1'})`,
    textIn(source, 'app', 'name'),
  )
  bot.addFlow('main', 'main')
  if (isObject(valueIn(source, 'workflow', 'graph')))
    importGraph(bot, source.workflow as Json)
  else importChatApp(bot, valueIn(source, 'model_config'), mode)
  addFeatures(
    bot,
    valueIn(source, 'workflow', 'features') ?? valueIn(source, 'model_config'),
  )
  return bot
}

/** A greeting, with questions that the user may choose. */
function addFeatures(bot: Assembly, features: unknown): void {
  const opening = textIn(features, 'opening_statement')
  if (opening === '') return
  const options = textsIn(features, 'suggested_questions')
    .filter((text) => text.trim() !== '')
    .map((text) => ({ label: toTemplate([text]), value: toTemplate([text]) }))
  const text = toTemplate([opening])
  bot.openWith(options.length > 0 ? { type: 'choice', text, options } : text)
  reportPart(bot, difyKinds, {
    kind: 'opening statement',
    name: opening,
    node: 'opening',
  })
}

const readType = (node: Json) =>
  textIn(node, 'data', 'type') || textIn(node, 'type').replace(/^custom-/, '')
const readData = (node: Json) => (isObject(node.data) ? node.data : {})

function importGraph(bot: Assembly, workflow: Json): void {
  const nodes = objectsIn(workflow, 'graph', 'nodes').filter(
    (node) => textIn(node, 'id') !== '',
  )
  const titles = new Map(
    nodes.map((node) => [textIn(node, 'id'), textIn(node, 'data', 'title')]),
  )
  declareVariables(bot, workflow)
  const hasMemory = nodes.some((node) => isObject(valueIn(node, 'data', 'memory')))
  const texts = new DifyTexts(bot, titles)
  const graph = new Graph(bot, readEdges(workflow))
  const context = { bot, texts, graph, hasMemory, nodes }
  const start = nodes.find((node) => readType(node) === 'start') ?? nodes[0]
  if (!start) return
  for (const field of objectsIn(start, 'data', 'variables')) {
    const name = textIn(field, 'variable')
    if (name !== '') bot.variables.declare(`${textIn(start, 'id')}.${name}`, name)
  }
  bot.enterAt('main', textIn(start, 'id'))
  graph.place(textIn(start, 'id'), 'main')
  for (const node of nodes) if (isContainer(node)) placeBody(context, node)
  // The start comes last, because it clears outputs that other nodes read.
  for (const node of nodes) if (node !== start) addNode(context, node)
  addNode(context, start)
}

function declareVariables(bot: Assembly, workflow: Json): void {
  bot.variables.declare(queryVariable, 'query')
  for (const variable of objectsIn(workflow, 'conversation_variables')) {
    const name = textIn(variable, 'name')
    const description = textIn(variable, 'description')
    bot.variables.declare(`conversation.${name}`, name, {
      value: valueIn(variable, 'value'),
      ...(description && { description }),
    })
  }
  for (const variable of objectsIn(workflow, 'environment_variables')) {
    const name = textIn(variable, 'name')
    const isSecret = textIn(variable, 'value_type') === 'secret'
    if (isSecret) bot.addSecret(name)
    bot.variables.configuration(name, {
      secret: isSecret,
      value: isSecret ? '' : textIn(variable, 'value'),
    })
  }
}

const readEdges = (workflow: Json): Edge[] =>
  objectsIn(workflow, 'graph', 'edges').map((edge) => {
    const handle = textIn(edge, 'sourceHandle')
    return {
      from: textIn(edge, 'source'),
      handle: handle === 'source' || handle === 'success-branch' ? '' : handle,
      to: textIn(edge, 'target'),
    }
  })

const isContainer = (node: Json) => ['iteration', 'loop'].includes(readType(node))
const findParent = (node: Json) =>
  textIn(node, 'parentId') ||
  textIn(node, 'data', 'iteration_id') ||
  textIn(node, 'data', 'loop_id')
const toBodyId = (id: string) => `body\u0000${id}`

/** The nodes in a container are a flow. */
function placeBody({ bot, graph, nodes }: DifyContext, container: Json): void {
  const id = textIn(container, 'id')
  const inside = nodes.filter((node) => findParent(node) === id)
  const entry =
    inside.find(
      (node) => textIn(node, 'id') === textIn(container, 'data', 'start_node_id'),
    ) ??
    inside.find((node) => readType(node).endsWith('-start')) ??
    inside[0]
  if (!entry) return
  bot.addFlow(toBodyId(id), textIn(container, 'data', 'title'))
  bot.enterAt(toBodyId(id), textIn(entry, 'id'))
  graph.place(textIn(entry, 'id'), toBodyId(id))
}

function addNode(context: DifyContext, node: Json): void {
  const { bot, graph } = context
  const [id, type, data] = [textIn(node, 'id'), readType(node), readData(node)]
  const label = textIn(data, 'title') || type
  const flow = graph.flowOf(id) ?? 'main'
  const { x, y } = (valueIn(node, 'position') ?? {}) as { x?: unknown; y?: unknown }
  const position = typeof x === 'number' && typeof y === 'number' ? { x, y } : undefined
  if (type === 'note') addNote(bot, textIn(data, 'text'))
  else if (type === 'iteration-start' || type === 'loop-start')
    bot.addNode(flow, { id, label, cards: [], next: graph.next(id), position })
  else if (isContainer(node)) {
    addContainer(context, node, { id, label, flow, position })
    reportPart(bot, difyKinds, { kind: type, name: label, node: id })
  } else {
    const step = toStep(context, type, id, data)
    const next = 'next' in step ? step.next : graph.next(id)
    bot.addNode(flow, { id, label, cards: step.cards, next, position })
    reportPart(bot, difyKinds, {
      kind: type,
      name: label,
      node: id,
      ...(step.result && { result: step.result }),
      note: step.note,
    })
  }
}

/** Notes have rich text, as JSON. */
function addNote(bot: Assembly, text: string): void {
  const plain = [...text.matchAll(/"text":"((?:[^"\\]|\\.){1,2000})"/g)].map(
    ([, part = '']) => part,
  )
  bot.describeFlow(
    'main',
    (plain.length > 0 ? plain.join(' ') : text).replace(/\\n/g, '\n'),
  )
  reportPart(bot, difyKinds, { kind: 'note', name: plain.join(' ') || text })
}

type Convert = (context: DifyContext, id: string, data: Json) => Step

const steps: Record<string, Convert> = {
  start: toStart,
  answer: toAnswer,
  end: toEnd,
  llm: toModelStep,
  'knowledge-retrieval': convert.toKnowledgeStep,
  'question-classifier': toClassifier,
  'if-else': convert.toConditionStep,
  code: convert.toCodeStep,
  'template-transform': convert.toTemplateStep,
  'http-request': convert.toRequestStep,
  'parameter-extractor': toExtractor,
  assigner: convert.toAssignment,
  'variable-assigner': (context, id, data) =>
    // The former name of two kinds.
    'items' in data || 'assigned_variable_selector' in data
      ? convert.toAssignment(context, id, data)
      : convert.toAggregation(context, id, data),
  'variable-aggregator': convert.toAggregation,
  'list-operator': convert.toListStep,
  'loop-end': ({ texts, nodes }, id) => {
    const loop = findParent(nodes.find((node) => textIn(node, 'id') === id) ?? {})
    return {
      cards: [{ type: 'set', variable: texts.output(loop, 'ended'), value: true }],
      next: undefined,
    }
  },
  agent: toAgentStep,
  'human-input': convert.toHumanStep,
}

function toStep(context: DifyContext, type: string, id: string, data: Json): Step {
  if (Object.hasOwn(steps, type)) return steps[type]!(context, id, data)
  const known = Object.hasOwn(difyKinds, type) ? difyKinds[type]! : undefined
  const name = [textIn(data, 'provider_name'), textIn(data, 'tool_name')]
    .filter(Boolean)
    .join(': ')
  return {
    cards: [toNoteCard(`Not imported: ${name || type}`, [JSON.stringify(data, null, 2)])],
    ...(known && name && { note: `${name}. ${known.note}` }),
  }
}

function toStart({ bot, texts, graph }: DifyContext, id: string, data: Json): Step {
  const query = bot.variables.need(queryVariable)
  const form = toFormCards(bot, id, objectsIn(data, 'variables'))
  return {
    cards: [
      { type: 'set', variable: query, value: '{{ event.preview }}' },
      ...[...texts.resets].map(
        (variable): Card => ({ type: 'set', variable, value: null }),
      ),
      ...toFormOnce(bot, form, graph.next(id)),
    ],
  }
}

/** Earlier messages that a model may see. */
const maxHistory = 20

function toAnswer({ bot, texts, hasMemory }: DifyContext, _id: string, data: Json): Step {
  const text = textIn(data, 'answer')
  const send: Card = { type: 'send', message: texts.template(text) }
  if (!hasMemory) return { cards: [send] }
  const history = bot.variables.need(historyVariable)
  const message = `{ user: ${bot.variables.need(queryVariable)}, bot: ${texts.js(text)} }`
  const value = `{{ [...(${history} ?? []), ${message}].slice(-${maxHistory}) }}`
  return { cards: [send, { type: 'set', variable: history, value }] }
}

function toEnd({ texts }: DifyContext, _id: string, data: Json): Step {
  const outputs = objectsIn(data, 'outputs').map(
    (one) => texts.reference(textsIn(one, 'value_selector')) ?? 'null',
  )
  if (outputs.length === 0) return { cards: [] }
  const message = outputs.map((js) => `{{ ${js} }}`).join('\n')
  return { cards: [{ type: 'send', message }] }
}

interface Container {
  id: string
  label: string
  flow: string
  position: { x: number; y: number } | undefined
}

function addContainer(context: DifyContext, node: Json, place: Container): void {
  const { bot, texts, graph } = context
  const { id, flow, ...shown } = place
  const data = readData(node)
  const counter = texts.output(id, 'index')
  const common = { id, ...shown, next: graph.next(id), body: toBodyId(id), counter }
  if (readType(node) === 'loop') {
    addLoop(context, data, { ...common, flow })
    return
  }
  const list = texts.reference(textsIn(data, 'iterator_selector')) ?? '[]'
  const into = texts.output(id, 'output')
  const output = texts.reference(textsIn(data, 'output_selector')) ?? 'null'
  addIteration(bot, flow, {
    ...common,
    isOver: `${counter} >= (${list} ?? []).length`,
    first: [{ type: 'set', variable: into, value: [] }],
    before: [
      {
        type: 'set',
        variable: texts.output(id, 'item'),
        value: `{{ ${list}[${counter}] }}`,
      },
    ],
    after: [{ type: 'set', variable: into, value: `{{ [...${into}, ${output}] }}` }],
  })
}

function addLoop(
  { bot, texts }: DifyContext,
  data: Json,
  {
    flow,
    ...common
  }: {
    id: string
    label: string
    next: string | undefined
    body: string
    counter: string
    flow: string
  },
): void {
  const { id, counter } = common
  const count = numberIn(data, 'loop_count') ?? 10
  const breaks = objectsIn(data, 'break_conditions')
  const ended = texts.output(id, 'ended')
  const first = objectsIn(data, 'loop_variables').map((one): Card => {
    const isReference = textIn(one, 'value_type') === 'variable'
    const js = texts.value(valueIn(one, 'value'), isReference)
    return {
      type: 'set',
      variable: texts.output(id, textIn(one, 'label')),
      value: `{{ ${js} }}`,
    }
  })
  const isBroken =
    breaks.length > 0
      ? texts.conditions(breaks, textIn(data, 'logical_operator'))
      : 'false'
  addIteration(bot, flow, {
    ...common,
    first: [{ type: 'set', variable: ended, value: false }, ...first],
    isOver: `${counter} >= ${count} || ${ended} === true || (${counter} > 0 && (${isBroken}))`,
  })
  if (isSet(data, 'error_handle_mode'))
    bot.remark('Errors in loops end the conversation turn.')
}

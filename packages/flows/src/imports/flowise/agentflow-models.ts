// Steps of agentflows with a language model.
import type { Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import { toInstructions } from '../pieces.ts'
import { isSet, type Json, objectsIn, textIn } from '../reading.ts'
import { toToolNote } from '../support.ts'
import {
  type AgentflowContext,
  maxHistory,
  modelRemark,
  type ToStep,
} from './agentflow-step.ts'
import type { FlowiseNode } from './node.ts'
import type { FlowiseTexts } from './texts.ts'

const structured: Record<string, (row: Json) => object> = {
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  stringArray: () => ({ type: 'array', items: { type: 'string' } }),
  enum: (row) => ({
    type: 'string',
    enum: textIn(row, 'enumValues')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  }),
  jsonArray: () => ({ type: 'array', items: { type: 'object' } }),
}

function toSchema(rows: Json[]): Json {
  const properties = rows.map((row): [string, object] => {
    const type = textIn(row, 'type')
    const description = textIn(row, 'description')
    const shape = (
      Object.hasOwn(structured, type) ? structured[type]! : structured.string!
    )(row)
    return [textIn(row, 'key'), { ...shape, ...(description && { description }) }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

/** `kind` is the prefix of the inputs: `llm` or `agent`. */
export function toReply(
  { bot, texts, graph }: AgentflowContext,
  node: FlowiseNode,
  kind: 'llm' | 'agent',
  context?: string,
): Card[] {
  bot.remark(modelRemark)
  const { id, inputs } = node
  const messages = objectsIn(inputs, `${kind}Messages`)
  const of = (roles: string[]) =>
    messages
      .filter((one) => roles.includes(textIn(one, 'role')))
      .map((one) => textIn(one, 'content'))
      .join('\n')
  const said = [of(['user']), textIn(inputs, `${kind}UserMessage`)]
    .filter(Boolean)
    .join('\n')
  const hasMemory = isSet(inputs, `${kind}EnableMemory`)
  const { instructions, data } = toInstructions(
    texts.toPieces(of(['system', 'developer']), node),
  )
  const fields = {
    instructions: instructions || 'Reply to the message.',
    input: {
      ...data,
      message: texts.template(said, node) || `{{ ${texts.question} }}`,
      ...(context && { context: `{{ ${context} }}` }),
      ...(hasMemory && { history: `{{ ${texts.history} ?? [] }}` }),
    },
  }
  const rows = objectsIn(inputs, `${kind}StructuredOutput`).filter(
    (row) => textIn(row, 'key') !== '',
  )
  const into = texts.output(id)
  const values = rows.length > 0 ? texts.output(id, 'values') : undefined
  const asking: Card[] = values
    ? [
        { type: 'aiTask', ...fields, output: toSchema(rows), into: values },
        { type: 'set', variable: into, value: `{{ JSON.stringify(${values}) }}` },
      ]
    : [{ type: 'aiText', ...fields, into }]
  const isLast = graph.handles(id).length === 0 && node.parent === undefined
  return [
    ...asking,
    ...toState(texts, node, `${kind}UpdateState`),
    ...(isLast ? sendAndRemember(texts, into) : []),
  ]
}

const toHistoryValue = ({ history, question }: FlowiseTexts, js: string) =>
  `{{ [...(${history} ?? []), { user: ${question}, bot: ${js} }].slice(-${maxHistory}) }}`

export const sendAndRemember = (texts: FlowiseTexts, js: string): Card[] => [
  { type: 'send', message: `{{ ${js} }}` },
  {
    type: 'set',
    variable: texts.history,
    value: toHistoryValue(texts, js),
  },
]

export const toState = (texts: FlowiseTexts, node: FlowiseNode, name: string): Card[] =>
  objectsIn(node.inputs, name).flatMap((one): Card[] => {
    const key = textIn(one, 'key')
    return key === ''
      ? []
      : [
          {
            type: 'set',
            variable: texts.state(key),
            value: texts.template(textIn(one, 'value'), node),
          },
        ]
  })

export const toAgent: ToStep = (context, node) => {
  const { bot, texts } = context
  const { id, inputs, label } = node
  const stores = objectsIn(inputs, 'agentKnowledgeDocumentStores').map((one) =>
    textIn(one, 'documentStore'),
  )
  const vectors = objectsIn(inputs, 'agentKnowledgeVSEmbeddings').map(
    (one) => textIn(one, 'knowledgeName') || label,
  )
  const bases = [...stores, ...vectors]
    .filter(Boolean)
    .map((store) => addStore(bot, store))
  const found =
    bases.length > 0
      ? bot.variables.declare(`found:${id}`, `${label} passages`)
      : undefined
  const search: Card[] = found
    ? [
        {
          type: 'queryKnowledge',
          query: `{{ ${texts.question} }}`,
          knowledgeBases: [...new Set(bases)],
          into: found,
        },
      ]
    : []
  const tools = toToolNames(inputs)
  return {
    cards: [...search, ...toReply(context, node, 'agent', found)],
    ...(tools.length > 0 && {
      result: 'changed',
      note: toToolNote(tools),
    }),
  }
}

const toToolNames = (inputs: Json): string[] =>
  [
    ...objectsIn(inputs, 'agentTools').map((one) => textIn(one, 'agentSelectedTool')),
    ...(Array.isArray(inputs.agentTools) ? inputs.agentTools : [])
      .filter((one) => typeof one === 'string')
      .map((one) => /\{\{(\w+)\./.exec(one)?.[1] ?? one),
  ].filter(Boolean)

/** A store is `id:name`. */
function addStore(bot: Assembly, store: string): string {
  const name = store.includes(':') ? store.slice(store.indexOf(':') + 1) : store
  return bot.addKnowledgeBase(store, name, [
    `documents of the store "${name}" of Flowise`,
  ])
}

export const toRetriever: ToStep = ({ bot, texts }, node) => {
  const { id, inputs, label } = node
  const stores = objectsIn(inputs, 'retrieverKnowledgeDocumentStores').map((one) =>
    textIn(one, 'documentStore'),
  )
  const bases = stores.filter(Boolean).map((store) => addStore(bot, store))
  const found = bot.variables.declare(`found:${id}`, `${label} passages`)
  const query =
    texts.template(textIn(inputs, 'retrieverQuery'), node) || `{{ ${texts.question} }}`
  const isText = textIn(inputs, 'outputFormat') !== 'documents'
  return {
    cards: [
      {
        type: 'queryKnowledge',
        query,
        ...(bases.length > 0 && { knowledgeBases: bases }),
        into: found,
      },
      {
        type: 'set',
        variable: texts.output(id),
        value: isText
          ? `{{ (${found} ?? []).map((one) => one.content).join("\\n") }}`
          : `{{ ${found} }}`,
      },
      ...toState(texts, node, 'retrieverUpdateState'),
    ],
  }
}

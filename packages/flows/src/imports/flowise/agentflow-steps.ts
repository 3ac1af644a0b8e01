// Steps of agentflows. Each function returns cards, and reads the edges by the graph.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import type { Assembly } from '../assembly.ts'
import { findForeign } from '../expressions.ts'
import type { Graph } from '../graph.ts'
import { toRequestCode } from '../http-code.ts'
import { toNoteCard } from '../note-card.ts'
import { toInstructions, toTemplate } from '../pieces.ts'
import { isSet, type Json, numberIn, objectsIn, textIn, valueIn } from '../reading.ts'
import { toToolNote } from '../support.ts'
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

type ToStep = (context: AgentflowContext, node: FlowiseNode) => Step

const modelRemark =
  'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.'
const maxHistory = 20

const toStart: ToStep = ({ bot, texts, graph }, node) => {
  const { id, inputs } = node
  const state = objectsIn(inputs, 'startState').map(
    (one): Card => ({
      type: 'set',
      variable: texts.state(textIn(one, 'key')),
      value: texts.template(textIn(one, 'value'), node),
    }),
  )
  const fields =
    textIn(inputs, 'startInputType') === 'formInput' ? objectsIn(inputs, 'formInputTypes') : []
  const title = [textIn(inputs, 'formTitle'), textIn(inputs, 'formDescription')]
    .filter(Boolean)
    .join('\n')
  const form = fields.map((field): Card => toField(texts, field))
  const cards: Card[] = [
    { type: 'set', variable: texts.question, value: '{{ event.preview }}' },
    ...state,
  ]
  const next = graph.next(id)
  if (form.length === 0) return { cards }
  const filled = bot.variables.declare('form filled', 'form filled', {
    type: 'boolean',
    value: false,
  })
  return {
    cards: [
      ...cards,
      ...(next === undefined
        ? []
        : [{ type: 'transition' as const, when: `${filled} === true`, to: next }]),
      ...(title ? [{ type: 'send' as const, message: toTemplate([title]) }] : []),
      ...form,
      { type: 'set', variable: filled, value: true },
    ],
  }
}

const fieldKinds: Record<string, CaptureCard['kind']> = {
  number: 'number',
  boolean: 'confirmation',
}

function toField(texts: FlowiseTexts, field: Json): Card {
  const type = textIn(field, 'type')
  const options = objectsIn(field, 'addOptions').map((one) => {
    const text = toTemplate([textIn(one, 'option')])
    return { label: text, value: text }
  })
  const otherwise = options.length > 0 ? 'singleChoice' : 'raw'
  const kind = Object.hasOwn(fieldKinds, type) ? fieldKinds[type]! : otherwise
  return {
    type: 'capture',
    kind,
    question: toTemplate([textIn(field, 'label') || textIn(field, 'name')]),
    into: texts.form(textIn(field, 'name')),
    ...(kind === 'singleChoice' && { options }),
  }
}

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
    const shape = (Object.hasOwn(structured, type) ? structured[type]! : structured.string!)(row)
    return [textIn(row, 'key'), { ...shape, ...(description && { description }) }]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name),
  }
}

/** `kind` is the prefix of the inputs: `llm` or `agent`. */
function toReply(
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
  const said = [of(['user']), textIn(inputs, `${kind}UserMessage`)].filter(Boolean).join('\n')
  const hasMemory = isSet(inputs, `${kind}EnableMemory`)
  const { instructions, data } = toInstructions(texts.toPieces(of(['system', 'developer']), node))
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

const sendAndRemember = (texts: FlowiseTexts, js: string): Card[] => [
  { type: 'send', message: `{{ ${js} }}` },
  {
    type: 'set',
    variable: texts.history,
    value: toHistoryValue(texts, js),
  },
]

const toState = (texts: FlowiseTexts, node: FlowiseNode, name: string): Card[] =>
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

const toAgent: ToStep = (context, node) => {
  const { bot, texts } = context
  const { id, inputs, label } = node
  const stores = objectsIn(inputs, 'agentKnowledgeDocumentStores').map((one) =>
    textIn(one, 'documentStore'),
  )
  const vectors = objectsIn(inputs, 'agentKnowledgeVSEmbeddings').map(
    (one) => textIn(one, 'knowledgeName') || label,
  )
  const bases = [...stores, ...vectors].filter(Boolean).map((store) => addStore(bot, store))
  const found =
    bases.length > 0 ? bot.variables.declare(`found:${id}`, `${label} passages`) : undefined
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
  return bot.addKnowledgeBase(store, name, [`documents of the store "${name}" of Flowise`])
}

const toRetriever: ToStep = ({ bot, texts }, node) => {
  const { id, inputs, label } = node
  const stores = objectsIn(inputs, 'retrieverKnowledgeDocumentStores').map((one) =>
    textIn(one, 'documentStore'),
  )
  const bases = stores.filter(Boolean).map((store) => addStore(bot, store))
  const found = bot.variables.declare(`found:${id}`, `${label} passages`)
  const query = texts.template(textIn(inputs, 'retrieverQuery'), node) || `{{ ${texts.question} }}`
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

/** The last output is for all other cases. */
const toOtherwise = ({ graph }: AgentflowContext, id: string, used: string[]) => {
  const handle = graph.handles(id).find((one) => !used.includes(one))
  return handle === undefined ? undefined : graph.next(id, handle)
}

const toHandle = (row: Json, index: number) => textIn(row, 'output') || String(index)

const toCondition: ToStep = (context, node) => {
  const { texts, graph } = context
  const rows = objectsIn(node.inputs, 'conditions')
  const handles = rows.map(toHandle)
  return {
    cards: rows.flatMap((row, index): Card[] =>
      graph.handles(node.id).includes(handles[index]!)
        ? [
            {
              type: 'transition',
              when: texts.condition(row, node),
              to: graph.target(node.id, handles[index]!),
            },
          ]
        : [],
    ),
    next: toOtherwise(context, node.id, handles),
  }
}

const toConditionAgent: ToStep = (context, node) => {
  const { bot, texts, graph } = context
  bot.remark(modelRemark)
  const { id, inputs } = node
  const rows = objectsIn(inputs, 'conditionAgentScenarios')
  const handles = rows.map(toHandle)
  const transitions = rows.flatMap((row, index) =>
    graph.handles(id).includes(handles[index]!)
      ? [
          {
            when: toTemplate([textIn(row, 'scenario') || `Scenario ${index + 1}`]),
            to: graph.target(id, handles[index]!),
          },
        ]
      : [],
  )
  // Former conditions are code, and only their outputs have names.
  if (transitions.length === 0)
    for (const handle of graph.handles(id))
      transitions.push({ when: toTemplate([handle || 'Anything']), to: graph.target(id, handle) })
  if (transitions.length === 0)
    return { cards: [], result: 'omitted', note: 'No scenario leads to a node' }
  const instructions = texts.template(textIn(inputs, 'conditionAgentInstructions'), node)
  return {
    cards: [
      {
        type: 'aiTransition',
        ...(instructions && { instructions }),
        input: {
          message:
            texts.template(textIn(inputs, 'conditionAgentInput'), node) ||
            `{{ ${texts.question} }}`,
        },
        transitions,
      },
    ],
    next: toOtherwise(context, id, handles),
  }
}

/** `loopBackToNode` is the id and the label. */
const toLoop: ToStep = ({ bot, nodes }, { id, inputs }) => {
  const back = textIn(inputs, 'loopBackToNode')
  const target = nodes
    .filter((node) => back.startsWith(`${node.id}-`) || back === node.id)
    .sort((a, b) => b.id.length - a.id.length)[0]
  if (!target)
    return { cards: [], result: 'omitted', note: 'The node of the loop is not in the file' }
  const counter = bot.variables.declare(`loop:${id}`, 'loop round')
  return {
    cards: [
      { type: 'set', variable: counter, value: `{{ (${counter} ?? 0) + 1 }}` },
      {
        type: 'transition',
        when: `${counter} <= ${numberIn(inputs, 'maxLoopCount') ?? 5}`,
        to: target.id,
      },
      { type: 'set', variable: counter, value: 0 },
    ],
  }
}

const toHumanInput: ToStep = ({ texts, graph }, node) => {
  const { id, inputs } = node
  const into = texts.output(id)
  const isFixed = textIn(inputs, 'humanInputDescriptionType') !== 'dynamic'
  const question = isFixed ? texts.template(textIn(inputs, 'humanInputDescription'), node) : ''
  const hasFeedback = isSet(inputs, 'humanInputEnableFeedback')
  const options = [
    ['Proceed', 'proceed'],
    ['Reject', 'reject'],
  ].map(([label, value]) => ({ label: label!, value: value! }))
  return {
    cards: [
      {
        type: 'capture',
        kind: 'singleChoice',
        question: question || 'Do you want to proceed?',
        options,
        into,
      },
      ...(graph.handles(id).includes('0')
        ? [
            {
              type: 'transition' as const,
              when: `${into} === "proceed"`,
              to: graph.target(id, '0'),
            },
          ]
        : []),
      ...(hasFeedback
        ? [
            {
              type: 'capture' as const,
              kind: 'raw' as const,
              question: 'What should be different?',
              into: texts.output(id, 'feedback'),
            },
          ]
        : []),
    ],
    next: graph.next(id, '1'),
  }
}

const toFunction: ToStep = ({ texts, nodes }, node) => {
  const { id, inputs } = node
  const code = textIn(inputs, 'customFunctionJavascriptFunction')
  const foreign = findForeign(code)
  const given = objectsIn(inputs, 'customFunctionInputVariables').map((one) => {
    const name = textIn(one, 'variableName').replace(/\W/g, '_')
    return `const $${name} = ${texts.js(textIn(one, 'variableValue'), node)}`
  })
  const keys = [
    ...new Set(
      nodes.flatMap((one) => objectsIn(one.inputs, 'startState').map((row) => textIn(row, 'key'))),
    ),
  ]
  const state = keys
    .filter(Boolean)
    .map((key) => `${JSON.stringify(key)}: ${texts.state(key)}`)
    .join(', ')
  const lines = [
    ...given,
    `const $flow = { input: ${texts.question}, sessionId: event.conversationId, state: { ${state} } }`,
    `${texts.output(id)} = (await (async () => {\n${code}\n})()) ?? null`,
  ]
  if (foreign === null)
    return {
      cards: [
        { type: 'code', code: lines.join('\n') },
        ...toState(texts, node, 'customFunctionUpdateState'),
      ],
    }
  return {
    cards: [toNoteCard('Not imported: a function', lines)],
    result: 'omitted',
    note: `The code uses \`${foreign}\`, which bots do not have. Write it again, for example with \`axios\``,
  }
}

const toRequest: ToStep = ({ bot, texts }, node) => {
  const { id, inputs } = node
  const url = textIn(inputs, 'url')
  if (url === '')
    return {
      cards: [
        toNoteCard('Not imported: a request without a URL', [JSON.stringify(inputs, null, 2)]),
      ],
      result: 'omitted',
      note: 'The file has no URL. Write the request with `axios` in a `code` card',
    }
  const pairs = (value: unknown) =>
    objectsIn({ value }, 'value').map((one): [string, ReturnType<typeof texts.toPieces>] => [
      textIn(one, 'key'),
      texts.toPieces(textIn(one, 'value'), node),
    ])
  const type = textIn(inputs, 'bodyType')
  const isForm = type === 'formData' || type === 'xWwwFormUrlencoded'
  const body = texts.toPieces(textIn(inputs, 'body'), node)
  const code = toRequestCode(bot, {
    method: textIn(inputs, 'method') || 'GET',
    url: texts.toPieces(url, node),
    headers: pairs(valueIn(inputs, 'headers')),
    params: pairs(valueIn(inputs, 'queryParams')),
    ...((isForm || body.length > 0) && {
      body: {
        kind: isForm ? 'form' : toTextKind(type),
        pieces: body,
        fields: pairs(valueIn(inputs, 'body')),
      },
    }),
    results: [`${texts.output(id)} = response.data`],
  })
  return { cards: [{ type: 'code', name: 'HTTP request', code }] }
}

const toTextKind = (type: string) => (type === 'raw' ? 'text' : 'json')

const toReplyDirectly: ToStep = ({ texts }, node) => {
  const text = textIn(node.inputs, 'directReplyMessage')
  const [send, remember] = sendAndRemember(texts, texts.js(text, node))
  return { cards: [{ ...send, message: texts.template(text, node) } as Card, remember!] }
}

export const steps: Record<string, ToStep> = {
  startAgentflow: toStart,
  llmAgentflow: (context, node) => ({ cards: toReply(context, node, 'llm') }),
  agentAgentflow: toAgent,
  retrieverAgentflow: toRetriever,
  conditionAgentflow: toCondition,
  conditionAgentAgentflow: toConditionAgent,
  loopAgentflow: toLoop,
  humanInputAgentflow: toHumanInput,
  directReplyAgentflow: toReplyDirectly,
  customFunctionAgentflow: toFunction,
  httpAgentflow: toRequest,
  endAgentflow: () => ({ cards: [] }),
  stateAgentflow: () => ({ cards: [] }),
}

// Steps of agentflows. Each function returns cards, and reads the edges by the graph.
import type { CaptureCard, Card } from '../../document/card-shapes.ts'
import { findForeign } from '../expressions.ts'
import { toRequestCode } from '../http-code.ts'
import { toNoteCard } from '../note-card.ts'
import { toTemplate } from '../pieces.ts'
import { isSet, type Json, numberIn, objectsIn, textIn, valueIn } from '../reading.ts'
import {
  sendAndRemember,
  toAgent,
  toReply,
  toRetriever,
  toState,
} from './agentflow-models.ts'
import { type AgentflowContext, modelRemark, type ToStep } from './agentflow-step.ts'
import type { FlowiseTexts } from './texts.ts'

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
    textIn(inputs, 'startInputType') === 'formInput'
      ? objectsIn(inputs, 'formInputTypes')
      : []
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
      transitions.push({
        when: toTemplate([handle || 'Anything']),
        to: graph.target(id, handle),
      })
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
    return {
      cards: [],
      result: 'omitted',
      note: 'The node of the loop is not in the file',
    }
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
  const question = isFixed
    ? texts.template(textIn(inputs, 'humanInputDescription'), node)
    : ''
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
      nodes.flatMap((one) =>
        objectsIn(one.inputs, 'startState').map((row) => textIn(row, 'key')),
      ),
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
        toNoteCard('Not imported: a request without a URL', [
          JSON.stringify(inputs, null, 2),
        ]),
      ],
      result: 'omitted',
      note: 'The file has no URL. Write the request with `axios` in a `code` card',
    }
  const pairs = (value: unknown) =>
    objectsIn({ value }, 'value').map(
      (one): [string, ReturnType<typeof texts.toPieces>] => [
        textIn(one, 'key'),
        texts.toPieces(textIn(one, 'value'), node),
      ],
    )
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

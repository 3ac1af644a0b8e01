// Nodes of Dify that ask a model.
import type { Card } from '../../document/card-shapes.ts'
import { toInstructions } from '../pieces.ts'
import {
  isObject,
  isSet,
  type Json,
  objectsIn,
  textIn,
  textsIn,
  valueIn,
} from '../reading.ts'
import { toToolNote } from '../support.ts'
import type { DifyContext, Step } from './context.ts'
import { historyVariable } from './texts.ts'

const modelRemark =
  'Models are not carried: the bot uses the model `auto` of the workspace. Choose another in the cards.'

/** Returns the messages of a prompt: a list, or one text. */
function readPrompt(data: Json): { system: string; user: string; assistant: string } {
  const template = valueIn(data, 'prompt_template')
  const messages = Array.isArray(template)
    ? objectsIn(data, 'prompt_template')
    : [{ role: 'system', ...(template as Json) }]
  const of = (role: string) =>
    messages
      .filter((one) => textIn(one, 'role') === role)
      .map((one) =>
        textIn(one, 'jinja2_text') && textIn(one, 'edition_type') === 'jinja2'
          ? textIn(one, 'jinja2_text')
          : textIn(one, 'text'),
      )
      .join('\n')
      .trim()
  return { system: of('system'), user: of('user'), assistant: of('assistant') }
}

export function toModelStep(context: DifyContext, id: string, data: Json): Step {
  const { bot, texts, graph } = context
  bot.remark(modelRemark)
  const { system, user, assistant } = readPrompt(data)
  const memory = valueIn(data, 'memory')
  const query = textIn(memory, 'query_prompt_template') || '{{#sys.query#}}'
  const message = [user, isObject(memory) && user === '' ? query : '']
    .filter(Boolean)
    .join('\n')
  const contextJs = isSet(data, 'context', 'enabled')
    ? texts.reference(textsIn(data, 'context', 'variable_selector'))
    : null
  const input = {
    message: texts.template(message || '{{#sys.query#}}'),
    ...(assistant && { earlierReplies: texts.template(assistant) }),
    ...(contextJs && { context: `{{ ${contextJs} }}` }),
    ...(isObject(memory) && {
      history: `{{ ${bot.variables.need(historyVariable)} ?? [] }}`,
    }),
  }
  const { instructions, data: values } = toInstructions(
    texts.toPieces(system || 'Reply to the message.'),
  )
  const onFail = graph.handles(id).includes('fail-branch')
    ? graph.target(id, 'fail-branch')
    : undefined
  const fields = {
    instructions,
    input: { ...values, ...input },
    ...(onFail !== undefined && { onFail }),
  }
  const schema = valueIn(data, 'structured_output', 'schema')
  if (isSet(data, 'structured_output_enabled') && isObject(schema)) {
    const into = texts.output(id, 'structured_output')
    return {
      cards: [
        { type: 'aiTask', ...fields, output: schema, into },
        {
          type: 'set',
          variable: texts.output(id, 'text'),
          value: `{{ JSON.stringify(${into}) }}`,
        },
      ],
    }
  }
  const cards: Card[] = [{ type: 'aiText', ...fields, into: texts.output(id, 'text') }]
  if (!isSet(data, 'vision', 'enabled')) return { cards }
  return { cards, result: 'changed', note: 'The model gets no pictures' }
}

export function toClassifier(
  { bot, texts, graph }: DifyContext,
  id: string,
  data: Json,
): Step {
  bot.remark(modelRemark)
  const classes = objectsIn(data, 'classes').filter((one) =>
    graph.handles(id).includes(textIn(one, 'id')),
  )
  const query =
    texts.reference(textsIn(data, 'query_variable_selector')) ?? 'event.preview'
  if (classes.length === 0)
    return { cards: [], result: 'omitted', note: 'No class leads to a node' }
  const instructions = textIn(data, 'instruction') || textIn(data, 'instructions')
  return {
    cards: [
      {
        type: 'aiTransition',
        ...(instructions && { instructions: texts.template(instructions) }),
        input: { message: `{{ ${query} }}` },
        transitions: classes.map((one, index) => ({
          when: texts.template(textIn(one, 'name') || `Class ${index + 1}`),
          to: graph.target(id, textIn(one, 'id')),
        })),
        // Dify always chooses a class; the last one is usually for everything else.
        otherwise: graph.target(id, textIn(classes.at(-1), 'id')),
      },
    ],
  }
}

const types: Record<string, object> = {
  string: { type: 'string' },
  number: { type: 'number' },
  bool: { type: 'boolean' },
  boolean: { type: 'boolean' },
  select: { type: 'string' },
  'array[string]': { type: 'array', items: { type: 'string' } },
  'array[number]': { type: 'array', items: { type: 'number' } },
  'array[object]': { type: 'array', items: { type: 'object' } },
}

export function toExtractor({ bot, texts }: DifyContext, id: string, data: Json): Step {
  bot.remark(modelRemark)
  const parameters = objectsIn(data, 'parameters').filter(
    (one) => textIn(one, 'name') !== '',
  )
  const into = texts.output(id, 'parameters')
  const properties = parameters.map((one): [string, object] => {
    const type = textIn(one, 'type')
    const options = textsIn(one, 'options')
    const description = textIn(one, 'description')
    return [
      textIn(one, 'name'),
      {
        ...(Object.hasOwn(types, type) ? types[type] : types.string),
        ...(options.length > 0 && { enum: options }),
        ...(description && { description }),
      },
    ]
  })
  const required = parameters
    .filter((one) => isSet(one, 'required'))
    .map((one) => textIn(one, 'name'))
  const query = texts.reference(textsIn(data, 'query')) ?? 'event.preview'
  return {
    cards: [
      {
        type: 'aiTask',
        instructions: texts.template(
          textIn(data, 'instruction') || 'Extract the parameters from the message.',
        ),
        input: { message: `{{ ${query} }}` },
        output: { type: 'object', properties: Object.fromEntries(properties), required },
        into,
      },
      ...parameters.map((one): Card => {
        const name = textIn(one, 'name')
        const value = `{{ ${into}?.[${JSON.stringify(name)}] ?? null }}`
        return { type: 'set', variable: texts.output(id, name), value }
      }),
    ],
  }
}

/** The parameters of a strategy are `{ type, value }`. */
export function toAgentStep({ bot, texts }: DifyContext, id: string, data: Json): Step {
  bot.remark(modelRemark)
  const parameter = (name: string) => textIn(data, 'agent_parameters', name, 'value')
  const tools = objectsIn(data, 'agent_parameters', 'tools', 'value').map(
    (one) => textIn(one, 'tool_name') || textIn(one, 'tool_label'),
  )
  return {
    cards: [
      {
        type: 'aiText',
        instructions: texts.template(parameter('instruction') || 'Reply to the message.'),
        input: { message: texts.template(parameter('query') || '{{#sys.query#}}') },
        into: texts.output(id, 'text'),
      },
    ],
    ...(tools.length > 0 && {
      note: toToolNote(tools),
    }),
  }
}

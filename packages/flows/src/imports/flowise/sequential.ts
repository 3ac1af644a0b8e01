// Sequential agents, the former agentflows of Flowise, in the form of version 2.
import { isObject, type Json, textIn } from '../reading.ts'
import type { FlowiseNode } from './node.ts'

type Inputs = (node: FlowiseNode, all: FlowiseNode[]) => Json

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const rows = (inputs: Json, name: string): Json[] => {
  const found = parse(textIn(inputs, name))
  return Array.isArray(found) ? found.filter(isObject) : []
}

/** `{name}` in prompts is a value of `promptValues`. */
function fillPrompt(prompt: string, inputs: Json): string {
  const values = parse(textIn(inputs, 'promptValues'))
  return prompt.replace(/\{(\w{1,100})\}/g, (all, name: string) => {
    const value = textIn(values, name)
    return value === '' ? all : value
  })
}

const toMessages: Inputs = ({ inputs, name }) => {
  const [kind, system, user] = [
    name === 'seqAgent' ? 'agent' : 'llm',
    fillPrompt(textIn(inputs, 'systemMessagePrompt'), inputs),
    fillPrompt(textIn(inputs, 'humanMessagePrompt'), inputs),
  ]
  return {
    [`${kind}Messages`]: system === '' ? [] : [{ role: 'system', content: system }],
    [`${kind}UserMessage`]: user,
    [`${kind}EnableMemory`]: true,
    [`${kind}Tools`]: inputs.tools,
    [`${kind}StructuredOutput`]: rows(inputs, 'llmStructuredOutput').map((row) => ({
      ...row,
      type: structuredTypes[textIn(row, 'type')] ?? 'string',
    })),
    [`${kind}UpdateState`]: rows(inputs, 'updateStateMemoryUI').map(({ key, value }) => ({
      key,
      value: textIn({ value }, 'value')
        .replace(/\$flow\.output\.content/g, '{{ output }}')
        .replace(/^\$flow\.output\.(\w+)$/, '{{ output.$1 }}'),
    })),
  }
}

const structuredTypes: Record<string, string> = {
  String: 'string',
  'String Array': 'stringArray',
  Number: 'number',
  Boolean: 'boolean',
  Enum: 'enum',
}

const operations: Record<string, string> = {
  Contains: 'contains',
  'Not Contains': 'notContains',
  'Start With': 'startsWith',
  'End With': 'endsWith',
  Is: 'equal',
  'Is Not': 'notEqual',
  'Is Empty': 'isEmpty',
  'Is Not Empty': 'notEmpty',
  'Greater Than': 'larger',
  'Greater Than or Equal To': 'largerEqual',
  'Less Than': 'smaller',
  'Less Than or Equal To': 'smallerEqual',
  'Equal To': 'equal',
  'Not Equal To': 'notEqual',
}

const messageCount = '$flow.state.messages.length'

const converters: Record<string, [string, Inputs]> = {
  seqStart: [
    'startAgentflow',
    (_node, all) => ({
      startState: all
        .filter(({ name }) => name === 'seqState')
        .flatMap(({ inputs }) => rows(inputs, 'stateMemoryUI'))
        .map(({ key, defaultValue }) => ({ key, value: defaultValue })),
    }),
  ],
  seqAgent: ['agentAgentflow', toMessages],
  seqLLMNode: ['llmAgentflow', toMessages],
  seqCondition: [
    'conditionAgentflow',
    ({ inputs }) => ({
      conditions: rows(inputs, 'conditionUI').map((row) => ({
        value1: `{{ ${textIn(row, 'variable').replace(messageCount, 'runtime_messages_length')} }}`,
        operation: operations[textIn(row, 'operation')] ?? '',
        value2: textIn(row, 'value'),
        output: textIn(row, 'output'),
      })),
    }),
  ],
  seqConditionAgent: [
    'conditionAgentAgentflow',
    ({ inputs }) => ({
      conditionAgentInstructions: fillPrompt(
        textIn(inputs, 'systemMessagePrompt'),
        inputs,
      ),
      conditionAgentInput: fillPrompt(textIn(inputs, 'humanMessagePrompt'), inputs),
      conditionAgentScenarios: rows(inputs, 'conditionUI').map((row) => ({
        scenario: `${textIn(row, 'output')}: ${textIn(row, 'operation')} ${textIn(row, 'value')}`,
        output: textIn(row, 'output'),
      })),
    }),
  ],
  seqLoop: ['loopAgentflow', toLoop],
  seqEnd: ['endAgentflow', () => ({})],
  seqState: ['stateAgentflow', () => ({})],
}

function toLoop({ inputs }: FlowiseNode, all: FlowiseNode[]): Json {
  const name = textIn(inputs, 'loopToName')
  const target = all.find((node) =>
    ['agentName', 'llmNodeName', 'toolNodeName', 'conditionName'].some(
      (field) => textIn(node.inputs, field) === name,
    ),
  )
  return { loopBackToNode: `${target?.id ?? ''}-${name}`, maxLoopCount: 5 }
}

/** Returns the nodes, the sequential ones in the form of version 2. */
export const fromSequential = (nodes: FlowiseNode[]): FlowiseNode[] =>
  nodes.map((node) => {
    if (!Object.hasOwn(converters, node.name)) return node
    const [name, toInputs] = converters[node.name]!
    const own = ['agentName', 'llmNodeName', 'conditionName', 'conditionAgentName'].map(
      (field) => textIn(node.inputs, field),
    )
    return {
      ...node,
      name,
      label: own.find(Boolean) ?? node.label,
      inputs: toInputs(node, nodes),
    }
  })

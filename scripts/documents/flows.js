// Generates the reference in docs/flows.md from the schemas of the document.

import {
  AgentExit,
  AgentLimits,
  AgentOutput,
  AgentTool,
  AgentVariables,
  agentToolShapes,
} from '../../packages/flows/dist/agent/agent-shape.js'
import { Card } from '../../packages/flows/dist/document/card-shapes.js'
import { Say } from '../../packages/flows/dist/document/message-shapes.js'
import {
  Code,
  Expression,
  Name,
  Target,
  Template,
  VariablePath,
  Word,
} from '../../packages/flows/dist/document/shapes.js'
import {
  AgentNode,
  CaptureDefaults,
  cardShapes,
  Flow,
  FlowNode,
  Hook,
  Languages,
  PlainNode,
  Settings,
  Trigger,
  Variable,
} from '../../packages/flows/dist/index.js'
import { table } from './marked.js'

/** Names of shared schemas. The comparison ignores titles and descriptions. */
const known = new Map(
  Object.entries({
    'any JSON': {},
    'text or message': Say,
    card: Card,
    code: Code,
    expression: Expression,
    name: Name,
    variable: Variable,
    'variable as `scope.name`': VariablePath,
    node: Target,
    'text with `{{ }}`': Template,
    word: Word,
    flow: Flow,
    'node object': FlowNode,
    trigger: Trigger,
    '[defaults](#capture-defaults)': CaptureDefaults,
    '[tool](#tool-action)': AgentTool,
    '[variables](#agents-variables)': AgentVariables,
    '[exit](#exit)': AgentExit,
    '[output](#output)': AgentOutput,
    '[limits](#limits)': AgentLimits,
  }).map(([name, schema]) => [bare(schema), name]),
)

/** @param {{ title?: string, description?: string }} schema */
function bare({ description: _, title: _label, ...schema }) {
  return JSON.stringify(schema)
}

export const cardReference = () =>
  Object.entries(cardShapes)
    .map(([type, shape]) => `### Card \`${type}\`\n\n${fields(shape)}`)
    .join('\n\n')

export const documentReference = () =>
  sections([
    ['Flow', Flow],
    ['Node', PlainNode],
    ['Variable', Variable],
    ...Object(Trigger).allOf.map((branch) => [
      `Trigger \`${branch.if.properties.type.const}\``,
      branch.then,
    ]),
    ['Hook', Hook],
    ['Languages', Languages],
    ['Settings', Settings],
    ['Capture defaults', CaptureDefaults],
  ])

export const agentReference = () =>
  sections([
    ['Node `agent`', AgentNode],
    ...Object.entries(agentToolShapes).map(([type, shape]) => [
      `Tool \`${type}\``,
      shape,
    ]),
    ["Agent's variables", AgentVariables],
    ['Exit', AgentExit],
    ['Output', AgentOutput],
    ['Limits', AgentLimits],
  ])

const sections = (shapes) =>
  shapes.map(([title, shape]) => `### ${title}\n\n${fields(shape)}`).join('\n\n')

function fields({ properties, required = [] }) {
  const rows = Object.entries(properties)
    .filter(
      ([name, schema]) =>
        schema.const === undefined && !(isCard(properties) && name === 'name'),
    )
    .map(([name, schema]) => [
      `\`${name}\``,
      toType(schema),
      required.includes(name) ? 'yes' : '',
      schema.description ?? '',
    ])
  return table(['Field', 'Type', 'Required', 'Meaning'], rows)
}

/** Every card may have a `name`; the page describes it once. */
const isCard = ({ type }) => type?.const in cardShapes

function toType(schema) {
  const name = known.get(bare(schema))
  if (name) return name
  if (schema.enum) return schema.enum.map((word) => `\`${word}\``).join(', ')
  if (schema.anyOf) return schema.anyOf.map(toType).join(' or ')
  if (schema.type === 'array') return `list of ${toType(schema.items)}`
  if (schema.type === 'object') return toObject(schema)
  if (schema.type === 'string') return 'text'
  return schema.type + toRange(schema)
}

function toObject({ properties, additionalProperties: values }) {
  if (properties) return `\`{ ${Object.keys(properties).join(', ')} }\``
  return values ? `map of ${toType(values)}` : 'object'
}

const toRange = ({ minimum, maximum }) =>
  minimum === undefined
    ? ''
    : ` ${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`

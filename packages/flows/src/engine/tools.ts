// Flows that are tools: clients of the bot's MCP server call them with inputs and get outputs, as
// callFlow does. Each is an action of the bot (derive), which the engine runs without a
// conversation.
import type { BotDocument } from '@botstead/contract'
import { reservedPrefix } from '../document/built-in-flows.ts'
import type { Flow, FlowDocument, Variable } from '../document/document.ts'
import type { Json } from './platform.ts'

const actionOf = (flow: string) => reservedPrefix + flow

/** Returns the name of the flow that this action runs, or null. */
export function findToolFlow({ flows }: FlowDocument, action: string): string | null {
  if (!action.startsWith(reservedPrefix)) return null
  const name = action.slice(reservedPrefix.length)
  return Object.hasOwn(flows, name) && flows[name]!.tool ? name : null
}

export const jsonTypes: Record<Variable['type'], object> = {
  string: { type: 'string' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object', additionalProperties: true },
  array: { type: 'array' },
  date: { type: 'string', format: 'date-time' },
  any: {},
}

/** Returns the actions that run the flows. */
export const toolActions = ({
  flows,
}: Pick<FlowDocument, 'flows'>): NonNullable<BotDocument['actions']> =>
  Object.fromEntries(
    Object.entries(flows).flatMap(([name, flow]) =>
      flow.tool ? [[actionOf(name), toAction(flow)]] : [],
    ),
  )

/** Inputs without a default are required. Outputs without a value are absent. */
function toAction({ tool, inputs = {}, outputs = {} }: Flow) {
  const required = Object.keys(inputs).filter(
    (name) => (inputs[name]!.default ?? null) === null,
  )
  return {
    ...tool,
    input: { schema: { ...toSchema(inputs), ...(required.length > 0 && { required }) } },
    output: { schema: toSchema(outputs) },
  }
}

const toSchema = (variables: Record<string, Variable>) => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(variables).map(([name, { type, description, default: value }]) => [
      name,
      {
        ...jsonTypes[type],
        ...(description && { description }),
        ...(value !== undefined && value !== null && { default: value }),
      },
    ]),
  ),
  additionalProperties: false,
})

/** Returns the declared outputs that have a value. */
export const toToolOutputs = ({ outputs = {} }: Flow, variables: Json): Json =>
  Object.fromEntries(
    Object.keys(outputs).flatMap((name) =>
      (variables[name] ?? null) === null ? [] : [[name, variables[name]]],
    ),
  )

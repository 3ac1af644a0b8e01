// The tools of an agent: what the model sees of each, and how it runs.

import type { CuratedAnswer } from '../cards/curated.ts'
import { performOnTable } from '../cards/tables.ts'
import { invokeAction } from '../code/actions.ts'
import type { AgentNode, FlowDocument, Variable } from '../document/document.ts'
import type { JsonSchema } from '../document/shapes.ts'
import { declaredIn } from '../document/variables.ts'
import type { Json } from '../engine/platform.ts'
import { type Frame, getFlow, newFrame } from '../engine/position.ts'
import { jsonTypes } from '../engine/tools.ts'
import { getTop, isTrue, setVariable, type Turn } from '../engine/turn.ts'
import { withTracedChanges } from '../tracing/traced-changes.ts'
import type { AgentExit, AgentTool, tableOperations } from './agent-shape.ts'
import { toKnowledgeTool } from './knowledge-tool.ts'
import { describeRemoteTool } from './remote-tool.ts'
import { defaultOperations, exitPrefix, setVariablesTool, toNames } from './tool-names.ts'

interface Described {
  description?: string | undefined
  parameters: JsonSchema
}

export type AgentToolKind = Described &
  (
    | {
        kind: 'call'
        /** An interrupted call does not run again. Other calls are repeatable or have keys. */
        runsAtMostOnce?: boolean
        /** The action of an MCP server; the server stores its schema. */
        remote?: string
        run: (turn: Turn, input: Json) => Promise<unknown>
        /** Returns a curated answer, which the user gets in place of a result for the model. */
        findCurated?: (
          turn: Turn,
          input: Json,
          sent: string[],
        ) => Promise<CuratedAnswer | null>
      }
    | { kind: 'flow'; open: (turn: Turn, input: Json) => Frame }
    /** Returns the name of the exit. Throws if its condition does not hold. */
    | { kind: 'exit'; check: (turn: Turn, input: Json) => Promise<string> }
  )

/** Tools by node; programs do not change. */
const known = new WeakMap<AgentNode, Map<string, AgentToolKind>>()

/** Returns the tools of the agent in the current flow, by name. */
export async function findTools(
  turn: Turn,
  node: AgentNode,
): Promise<Map<string, AgentToolKind>> {
  const described = await Promise.all(
    [...declaredTools(turn, node)].map(
      async ([name, tool]) => [name, await describe(turn, tool)] as const,
    ),
  )
  return new Map(described)
}

async function describe(turn: Turn, tool: AgentToolKind): Promise<AgentToolKind> {
  if (tool.kind !== 'call' || tool.remote === undefined) return tool
  const { description, parameters } = await describeRemoteTool(turn, tool.remote)
  return { ...tool, description: tool.description ?? description, parameters }
}

function declaredTools(turn: Turn, node: AgentNode): Map<string, AgentToolKind> {
  const found = known.get(node)
  if (found) return found
  const { document } = turn.engine.program
  const { tools = [], exits = {}, variables } = node
  const all = new Map<string, AgentToolKind>()
  for (const tool of tools)
    for (const [index, name] of toNames(tool).entries())
      all.set(name, openTool(document, tool, index))
  for (const [name, exit] of Object.entries(exits))
    if (exit.description !== undefined) all.set(exitPrefix + name, exitTool(name, exit))
  if (variables?.set?.length)
    all.set(setVariablesTool, variablesTool(turn, variables.set))
  known.set(node, all)
  return all
}

function openTool(document: FlowDocument, tool: AgentTool, index: number): AgentToolKind {
  switch (tool.type) {
    case 'action':
      return actionTool(document, tool)
    case 'flow':
      return flowTool(document, tool)
    case 'knowledge':
      return toKnowledgeTool(tool)
    case 'table':
      return tableTool(document, tool, (tool.operations ?? defaultOperations)[index]!)
  }
}

type ToolByType<Type extends AgentTool['type']> = Extract<AgentTool, { type: Type }>

/**
 * Actions of integrations carry a key, so the server runs each call once. Own actions are code with
 * effects that the engine does not know.
 */
function actionTool(
  { actions = {} }: FlowDocument,
  tool: ToolByType<'action'>,
): AgentToolKind {
  const { action, input, repeatable = false } = tool
  const own = Object.hasOwn(actions, action) ? actions[action] : undefined
  return {
    kind: 'call',
    description: tool.description ?? own?.description ?? own?.title,
    parameters: objectSchema(own?.input.schema ?? input ?? {}),
    runsAtMostOnce: own !== undefined && !repeatable,
    ...(own === undefined && input === undefined && { remote: action }),
    run: (turn, input) =>
      withTracedChanges(turn, () => invokeAction(turn, action, input)),
  }
}

function flowTool(
  document: FlowDocument,
  { flow, description }: ToolByType<'flow'>,
): AgentToolKind {
  const called = getFlow(document, flow)
  return {
    kind: 'flow',
    description: description ?? called.description,
    parameters: toSchema(called.inputs ?? {}),
    open: (turn, inputs) => newFrame(turn.engine.program.document, flow, { inputs }),
  }
}

type TableOperation = (typeof tableOperations)[number]

function tableTool(
  { tables = {} }: FlowDocument,
  { table, description }: ToolByType<'table'>,
  operation: TableOperation,
): AgentToolKind {
  const { schema = {}, keyColumn, description: content } = tables[table] ?? {}
  return {
    kind: 'call',
    description: [tableUses[operation], description ?? content].filter(Boolean).join(' '),
    parameters: tableInputs(rowSchema(schema))[operation],
    run: (turn, input) =>
      performOnTable(turn, {
        ...input,
        table,
        operation,
        ...(operation === 'upsert' && keyColumn !== undefined && { keyColumn }),
      }),
  }
}

const tableUses: Record<TableOperation, string> = {
  find: 'Finds rows of the table.',
  get: 'Returns the row with this id.',
  create: 'Creates a row.',
  update: 'Changes columns of the row with this id.',
  upsert: 'Creates a row, or changes the row with the same key.',
  delete: 'Deletes the row with this id.',
}

function tableInputs(row: JsonSchema): Record<TableOperation, JsonSchema> {
  const id = { id: { type: 'integer' } }
  const { required: _all, ...change } = row
  return {
    find: strictObject(
      {
        filter: {
          type: 'object',
          description: 'Values by column, or operators such as {"price": {"$lt": 5}}',
        },
        search: { type: 'string', description: 'Words to search for' },
        orderBy: { type: 'string' },
        orderDirection: { enum: ['asc', 'desc'] },
        limit: { type: 'integer', minimum: 1, maximum: 100 },
      },
      [],
    ),
    get: strictObject(id),
    create: strictObject({ row }),
    update: strictObject({ ...id, row: change }),
    upsert: strictObject({ row }),
    delete: strictObject(id),
  }
}

/**
 * Returns the schema of rows. A table's schema is that of an object, or its properties alone. Models
 * need only these keywords of columns, and some reject others.
 */
function rowSchema(schema: Json): JsonSchema {
  const { properties, required } =
    schema.type === 'object' ? schema : { properties: schema, required: undefined }
  const columns = Object.entries((properties ?? {}) as Record<string, Json>).map(
    ([name, { type, description, enum: values, items, format }]) => [
      name,
      Object.fromEntries(
        Object.entries({ type, description, enum: values, items, format }).filter(
          ([, value]) => value !== undefined,
        ),
      ),
    ],
  )
  return {
    type: 'object',
    properties: Object.fromEntries(columns),
    ...(Array.isArray(required) && { required }),
  }
}

function exitTool(
  name: string,
  { description, when, outputs = {} }: AgentExit,
): AgentToolKind {
  return {
    kind: 'exit',
    description,
    parameters: toSchema(outputs),
    async check(turn, input) {
      const { flow, node } = getTop(turn)!
      const pointer = `/flows/${flow}/nodes/${node}/exits/${name}/when`
      if (when !== undefined && !(await isTrue(turn, when, pointer, { outputs: input })))
        throw new Error(
          `This exit is not possible now. Its condition does not hold: ${when}`,
        )
      for (const [output, { into }] of Object.entries(outputs))
        setVariable(turn, into, input[output])
      return name
    },
  }
}

function variablesTool(turn: Turn, paths: string[]): AgentToolKind {
  const { document } = turn.engine.program
  const flow = getFlow(document, getTop(turn)!.flow)
  const variables = paths.map((path) => {
    const [scope, name] = path.split('.') as ['workflow', string]
    return [path, declaredIn(document, flow, scope)?.[name] ?? { type: 'any' }] as const
  })
  return {
    kind: 'call',
    description: 'Sets variables.',
    parameters: {
      ...toSchema(Object.fromEntries(variables)),
      required: [],
      minProperties: 1,
    },
    async run(turn, input) {
      for (const path of paths)
        if (Object.hasOwn(input, path)) setVariable(turn, path, input[path])
      return { ok: true }
    },
  }
}

type Typed = Pick<Variable, 'type' | 'description' | 'default'>

/** Returns the schema of an object with these values. Those without a default are required. */
const toSchema = (values: Record<string, Typed>): JsonSchema =>
  strictObject(
    Object.fromEntries(
      Object.entries(values).map(([name, { type, description }]) => [
        name,
        { ...jsonTypes[type], ...(description && { description }) },
      ]),
    ),
    Object.keys(values).filter((name) => (values[name]!.default ?? null) === null),
  )

const strictObject = (
  properties: Json,
  required = Object.keys(properties),
): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

const objectSchema = (schema: Json): JsonSchema => ({ ...schema, type: 'object' })

// The shape of nodes of type `agent`: a language model that talks to the user and calls tools until
// it takes an exit.
import { closed } from '@botstead/contract'
import { type Static, Type as T } from 'typebox'
import {
  about,
  Expression,
  JsonSchema,
  ModelChoice,
  Name,
  named,
  oneBy,
  Target,
  Template,
  VariablePath,
  variableTypes,
  Word,
} from '../document/shapes.ts'

const tool = <Type extends string>(type: Type, title: string) => ({
  type: T.Literal(type, { title }),
  description: about(
    'When and how the model should call the tool',
    T.Optional(T.String({ minLength: 1, maxLength: 4000 })),
  ),
})
const toolName = (otherwise: string) =>
  about(`Name of the tool; by default ${otherwise}`, T.Optional(Name))

export const tableOperations = [
  'find',
  'get',
  'create',
  'update',
  'upsert',
  'delete',
] as const

export const agentToolShapes = {
  action: closed({
    ...tool('action', 'An action'),
    name: toolName('the name of the action, with `_` for `:`'),
    action: about(
      'Action of the bot with code, by its name, or of an integration as `integration:action`',
      T.String({ minLength: 1, maxLength: 200 }),
    ),
    input: about(
      "JSON Schema of the input, for an action of an integration; the bot's own actions declare it, " +
        'and tools of MCP servers have one',
      T.Optional(JsonSchema),
    ),
    repeatable: about(
      "If true, an interrupted call of the bot's own action runs again. Otherwise the model learns " +
        'that the result is unknown',
      T.Optional(T.Boolean()),
    ),
  }),
  flow: closed({
    ...tool('flow', 'A flow'),
    name: toolName('the name of the flow'),
    flow: about(
      'Flow to run. Its inputs are the input of the tool, its outputs the result; it may ask the user',
      Name,
    ),
  }),
  knowledge: closed({
    ...tool('knowledge', 'The knowledge'),
    name: toolName('`search_knowledge`'),
    knowledgeBases: about(
      "Knowledge bases; by default all of the document's",
      T.Optional(T.Array(Name, { minItems: 1, maxItems: 100 })),
    ),
    limit: about(
      'Maximum number of passages (5 by default)',
      T.Optional(T.Integer({ minimum: 1, maximum: 50 })),
    ),
  }),
  table: closed({
    ...tool('table', 'A table'),
    table: about('Name of the table', Word),
    operations: about(
      'Operations that the model may use (`find` and `get` by default). Each is one tool, such as ' +
        '`find_OrdersTable`',
      T.Optional(
        T.Array(T.Enum([...tableOperations]), { minItems: 1, uniqueItems: true }),
      ),
    ),
  }),
}

export const AgentTool = oneBy('type', agentToolShapes, 'A tool that the model may call')
export type AgentTool = Static<typeof AgentTool>

export const AgentOutput = closed({
  type: about('Type of its value', T.Enum([...variableTypes])),
  description: about('Meaning, for the model', T.Optional(T.String({ maxLength: 2000 }))),
  into: about('Variable for the value', VariablePath),
})
export type AgentOutput = Static<typeof AgentOutput>

export const AgentExit = closed({
  description: about(
    'When the model should take this exit, by calling the tool `exit_` and its name',
    T.Optional(T.String({ minLength: 1, maxLength: 4000 })),
  ),
  when: about(
    'Condition. With `description`, the model can take the exit only while it holds; `outputs` has ' +
      'the given values. Without, the engine takes the exit as soon as it holds',
    T.Optional(Expression),
  ),
  outputs: about(
    'Values that the model must give, by name. Requires `description`',
    T.Optional(named(Word, AgentOutput, 'Outputs by name')),
  ),
  to: about("Next node; by default the node's `next`", T.Optional(Target)),
})
export type AgentExit = Static<typeof AgentExit>

export const AgentLimits = closed({
  iterations: about(
    'Calls of the model (10 by default)',
    T.Optional(T.Integer({ minimum: 1, maximum: 100 })),
  ),
  tokens: about(
    'Tokens of all calls, input and output',
    T.Optional(T.Integer({ minimum: 1, maximum: 100_000_000 })),
  ),
  dollars: about(
    'Cost of all calls in US dollars',
    T.Optional(T.Number({ exclusiveMinimum: 0, maximum: 1_000_000 })),
  ),
  seconds: about(
    'Time of all calls and tools (45 by default). Tools are not interrupted',
    T.Optional(T.Integer({ minimum: 1, maximum: 900 })),
  ),
})
export type AgentLimits = Static<typeof AgentLimits>

const variableList = (description: string) =>
  about(
    description,
    T.Optional(T.Array(VariablePath, { maxItems: 200, uniqueItems: true })),
  )

export const AgentVariables = closed({
  read: variableList('Variables whose values the model sees'),
  set: variableList(
    'Variables that the model also may set, with the tool `set_variables`',
  ),
})

/** Fields of agents; those of every node are added in document.ts. */
export const agentFields = {
  instructions: about('Task, rules and style of the agent', Template),
  model: ModelChoice,
  temperature: about(
    'Randomness of the replies',
    T.Optional(T.Number({ minimum: 0, maximum: 2 })),
  ),
  tools: about(
    'Tools that the model may call',
    T.Optional(T.Array(AgentTool, { maxItems: 100 })),
  ),
  variables: about('Variables of the model', T.Optional(AgentVariables)),
  exits: T.Optional(named(Word, AgentExit, 'Exits by name')),
  limits: about('Limits of the work on one message of the user', T.Optional(AgentLimits)),
  onFail: about(
    'Next node after a limit or a failure of the model; `turn.error.reason` is the reason. Without ' +
      'it, this is an error of the node',
    T.Optional(Target),
  ),
}

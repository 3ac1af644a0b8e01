// Problems of documents with agents, each with its pointer.
import { expect, test } from 'vitest'
import { checkDocument } from '../check/check.ts'
import { DocumentError } from '../document/problems.ts'

type Json = Record<string, unknown>

const definition = { input: { schema: {} }, output: { schema: {} } }
const agent: Json = {
  type: 'agent',
  instructions: 'Help {{ workflow.city }}.',
  model: ['best', '{{ env.model }}'],
  tools: [
    { type: 'action', action: 'own', repeatable: true },
    { type: 'action', action: 'mail:send', input: { type: 'object' } },
    { type: 'flow', flow: 'order', description: 'Orders' },
    { type: 'knowledge', knowledgeBases: ['docs'], limit: 3 },
    { type: 'table', table: 'OrdersTable', operations: ['find', 'upsert'] },
  ],
  variables: { read: ['user.name'], set: ['workflow.count', 'session.any'] },
  exits: {
    done: {
      description: 'Done',
      when: 'outputs.city !== ""',
      outputs: { city: { type: 'string', into: 'workflow.city' } },
      to: 'after',
    },
    enough: { when: 'workflow.count > 3', to: { flow: 'order' } },
  },
  limits: { iterations: 5, tokens: 1000, dollars: 0.1, seconds: 30 },
  onFail: 'after',
}

/** Returns the problems of a document with other fields in the agent. Undefined removes a field. */
function findProblems(changes: Json, ofDocument: Json = {}): string[] {
  const document = {
    kind: 'bot',
    version: 2,
    variables: {
      user: { name: { type: 'string' } },
      configuration: { model: { type: 'string' } },
    },
    actions: {
      own: { ...definition, code: 'return 1' },
      odd: {
        input: { schema: { type: 'objects' } },
        output: { schema: {} },
        code: 'return 1',
      },
      declared: definition,
      'a name of more than sixty-four characters, which no model accepts as a name': {
        ...definition,
        code: 'return 1',
      },
    },
    tables: { OrdersTable: { schema: {}, keyColumn: 'n' }, PlainTable: { schema: {} } },
    knowledgeBases: { docs: {} },
    flows: {
      main: {
        variables: { city: { type: 'string' }, count: { type: 'number' } },
        nodes: {
          start: { type: 'start', next: 'help' },
          help: { ...agent, ...changes },
          after: { type: 'standard' },
        },
      },
      order: { nodes: { in: { type: 'entry' } } },
    },
    ...ofDocument,
  }
  try {
    checkDocument(JSON.parse(JSON.stringify(document)))
    return []
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    return error.problems.map(({ pointer, message }) => `${pointer} ${message}`)
  }
}

test('accepts a valid agent', () => {
  expect(findProblems({})).toEqual([])
  expect(
    findProblems({ tools: undefined, exits: undefined, variables: undefined }),
  ).toEqual([])
})

const tool = (fields: Json) => ({ tools: [fields] })
const exit = (fields: Json) => ({ exits: { done: fields } })

test.each<[changes: Json, problem: string]>([
  [{ instructions: undefined }, '/instructions is missing'],
  [{ instructions: 'Hi {{ 1 + }}' }, '/instructions '],
  [
    { instructions: 'Hi {{ workflow.town }}' },
    '/instructions uses the variable "workflow.town"',
  ],
  [{ model: ['{{ env.none }}'] }, '/model/0 uses the variable "env.none"'],
  [{ colour: 1 }, '/colour is not a known field'],
  [{ next: 'none' }, '/next names the node "none"'],
  [{ onFail: 'none' }, '/onFail names the node "none"'],
  [{ limits: { iterations: 0 } }, '/limits/iterations must be at least 1'],
  [{ limits: { dollars: 0 } }, '/limits/dollars must be > 0'],
  [{ limits: { calls: 1 } }, '/limits/calls is not a known field'],
  [
    { variables: { read: ['workflow.town'] } },
    '/variables/read/0 names the variable "workflow.town"',
  ],
  [{ variables: { set: ['env.model'] } }, '/variables/set/0 is no variable'],
  [
    tool({ type: 'code' }),
    '/tools/0/type must be one of "action", "flow", "knowledge", "table"',
  ],
  [tool({ type: 'action', action: 'none' }), '/tools/0/action names the action "none"'],
  [
    tool({ type: 'action', action: 'declared' }),
    '/tools/0/action names the action "declared"',
  ],
  [
    tool({ type: 'action', action: 'odd' }),
    '/tools/0/action names the action "odd", whose input schema is not a valid JSON Schema',
  ],
  [tool({ type: 'action', action: 'mail:send' }), '/tools/0/input is missing'],
  [
    tool({ type: 'action', action: 'mail:send', input: { type: 'x' } }),
    '/tools/0/input is not a valid JSON Schema',
  ],
  [
    tool({ type: 'action', action: 'mail:send', input: {}, repeatable: true }),
    '/tools/0/repeatable is not allowed',
  ],
  [tool({ type: 'action', action: 'own', input: {} }), '/tools/0/input is not allowed'],
  [tool({ type: 'flow', flow: 'none' }), '/tools/0/flow names the flow "none"'],
  [
    tool({ type: 'knowledge', knowledgeBases: ['none'] }),
    '/tools/0/knowledgeBases/0 names the knowledge base "none"',
  ],
  [
    tool({ type: 'table', table: 'NoneTable' }),
    '/tools/0/table names the table "NoneTable"',
  ],
  [
    tool({ type: 'table', table: 'PlainTable', operations: ['upsert'] }),
    '/tools/0/operations/0 requires `keyColumn`',
  ],
  [
    {
      tools: [
        { type: 'flow', flow: 'order' },
        { type: 'action', action: 'own', name: 'order' },
      ],
    },
    '/tools/1 has the name "order", as `/flows/main/nodes/help/tools/0`',
  ],
  [
    tool({ type: 'action', action: 'own', name: 'exit_done' }),
    '/tools/0 must not have the reserved name "exit_done"',
  ],
  [
    tool({ type: 'action', action: 'own', name: 'set_variables' }),
    '/tools/0 must not have the reserved name',
  ],
  [
    tool({
      type: 'action',
      action:
        'a name of more than sixty-four characters, which no model accepts as a name',
    }),
    '/tools/0 has the name "a_name_of',
  ],
  [exit({}), '/exits/done/description is missing'],
  [exit({ when: 'true', outputs: {} }), '/exits/done/outputs requires `description`'],
  [exit({ when: 'workflow.' }), '/exits/done/when '],
  [exit({ when: 'workflow.town' }), '/exits/done/when uses the variable "workflow.town"'],
  [exit({ description: 'x', to: 'none' }), '/exits/done/to names the node "none"'],
  [
    exit({ description: 'x', outputs: { a: { type: 'string', into: 'user.none' } } }),
    '/exits/done/outputs/a/into names the variable "user.none"',
  ],
  [
    exit({ description: 'x', outputs: { a: { type: 'number', into: 'workflow.city' } } }),
    '/exits/done/outputs/a/into names a variable of type "string" for a value of type "number"',
  ],
])('reports a problem for %j', (changes, problem) => {
  const [first, ...others] = findProblems(changes)
  expect(first?.slice(0, `/flows/main/nodes/help${problem}`.length)).toBe(
    `/flows/main/nodes/help${problem}`,
  )
  expect(others).toEqual([])
})

test('rejects a search without knowledge bases', () => {
  expect(findProblems(tool({ type: 'knowledge' }), { knowledgeBases: {} })).toEqual([
    expect.stringContaining('/tools/0 has nothing to search'),
  ])
})

test('rejects fields of agents in other nodes', () => {
  expect(findProblems({ type: 'standard' })).toContain(
    '/flows/main/nodes/help/instructions is not a known field. Correct its name, or remove it',
  )
})

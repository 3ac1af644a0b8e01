// What is no document, and what is told of it: each fault alone, and many at once, with the line that it stands in.
import { expect, test } from 'vitest'
import { checkDocument, isFlowDocument } from './check.ts'
import { compile, documentIn } from './compile.ts'
import { schemaOf } from './document.ts'
import { findPlaces, JsonError, parseJson } from './json-places.ts'
import { DocumentError } from './problems.ts'

type Json = Record<string, unknown>

const whole = (): Json => ({
  ...{ kind: 'bot', version: 2 },
  variables: {
    conversation: { name: { type: 'string', default: 'x' } },
    configuration: { key: { type: 'string', secret: true } },
  },
  flows: {
    main: {
      variables: { n: { type: 'number' } },
      nodes: {
        start: {
          type: 'start',
          cards: [{ type: 'send', message: 'Hi {{ conversation.name }}' }],
          next: 'end',
        },
        end: { type: 'end' },
      },
    },
    order: {
      inputs: { what: { type: 'string' } },
      outputs: { sum: { type: 'number' } },
      nodes: { in: { type: 'entry' }, out: { type: 'exit' }, ticked: { type: 'trigger' } },
    },
  },
  hooks: [{ kind: 'beforeIncoming', code: 'event.payload.text = ""' }],
  actions: {
    double: { input: { schema: {} }, output: { schema: {} }, code: 'return { n: input.n * 2 }' },
    declared: { input: { schema: {} }, output: { schema: {} } },
  },
  triggers: { daily: { type: 'schedule', cron: '0 9 * * *', flow: 'order', node: 'ticked' } },
  knowledgeBases: { faq: {} },
  tables: { Orders: { schema: {} } },
})

/** The whole document, with another value at a place; undefined takes it away. */
function withAt(pointer: string, value: unknown): Json {
  const document = whole()
  const path = pointer.split('/').slice(1)
  const last = path.pop()!
  let inside = document
  for (const name of path) {
    inside[name] ??= {}
    inside = inside[name] as Json
  }
  if (value === undefined) delete inside[last]
  else inside[last] = value
  return document
}

function problemsOf(document: unknown) {
  try {
    const checked = checkDocument(document)
    if (isFlowDocument(checked)) compile(checked)
    return []
  } catch (error) {
    if (error instanceof DocumentError)
      return error.problems.map(({ pointer, message }) => `${pointer} ${message}`)
    throw error
  }
}

const cards = '/flows/main/nodes/start/cards'
const card = `${cards}/0`
const withCard = (given: Json) => withAt(cards, [given])
const ask = { type: 'capture', kind: 'text', into: 'workflow.n' }

test('a whole one is whole', () => {
  expect(problemsOf(whole())).toEqual([])
})

test.each<[document: Json, problem: string]>([
  [withAt('/version', 3), '/version must be 2'],
  [withAt('/flow', {}), '/flow is not known'],
  [withAt('/flows/main', undefined), '/flows/main is missing'],
  [withAt('/flows/1st', { nodes: {} }), '/flows/1st is no name'],
  [withAt('/flows/__proto__x', { nodes: {} }), '/flows/__proto__x is no name'],
  [
    withAt('/flows/main/nodes/start/type', 'begin'),
    '/flows/main/nodes/start/type must be one of start, entry',
  ],
  [withAt('/flows/main/nodes/start/type', 'entry'), '/flows/main/nodes/start/type must be "start" here'],
  [
    withAt('/flows/main/nodes/start/type', 'standard'),
    '/flows/main/nodes must have one node of type "start"',
  ],
  [
    withAt('/flows/order/nodes/two', { type: 'entry' }),
    '/flows/order/nodes must have one node of type "entry"',
  ],
  [withAt('/flows/order/nodes/two', { type: 'start' }), '/flows/order/nodes/two/type must be "entry" here'],
  [
    withAt('/flows/main/nodes/end/next', 'start'),
    '/flows/main/nodes/end/next a node of type "end" leads nowhere',
  ],
  [
    withAt('/flows/main/nodes/start/next', 'nowhere'),
    '/flows/main/nodes/start/next there is no node "nowhere"',
  ],
  [
    withAt('/flows/main/nodes/start/next', 'constructor'),
    '/flows/main/nodes/start/next there is no node "constructor"',
  ],
  [
    withAt('/flows/main/nodes/start/next', { flow: 'none' }),
    '/flows/main/nodes/start/next/flow there is no flow "none"',
  ],
  [
    withAt('/flows/main/nodes/start/next', { flow: 'order', node: 'x' }),
    '/flows/main/nodes/start/next/node there is no node "x"',
  ],
  [
    withAt('/flows/order/variables', { what: { type: 'any' } }),
    '/flows/order/inputs/what is a variable of the flow already',
  ],
  [
    withAt('/variables/conversation/name/default', 3),
    '/variables/conversation/name/default is not of the type string',
  ],
  [
    withAt('/variables/conversation/name/type', 'text'),
    '/variables/conversation/name/type must be one of string, number',
  ],
  [withAt('/variables/user', { 'a-b': { type: 'any' } }), '/variables/user/a-b is no name'],
  [withAt('/triggers/daily/cron', '0 9 * *'), '/triggers/daily/cron'],
  [withAt('/triggers/daily/cron', '0 9 31 2 *'), '/triggers/daily/cron is no cron expression'],
  [withAt('/triggers/daily/node', 'in'), '/triggers/daily/node there is no node "in" of type "trigger"'],
  [
    withAt('/triggers/daily/type', 'often'),
    '/triggers/daily/type must be one of conversationStarted, event, schedule',
  ],
  [withAt('/triggers/daily/when', 'a b'), '/triggers/daily/when This is no expression'],
  [withAt('/hooks/0/kind', 'before'), '/hooks/0/kind must be one of beforeIncoming'],
  [withAt('/hooks/0/code', { file: 'code/none.ts' }), '/hooks/0/code there is no file code/none.ts'],
  [withAt('/hooks/0/code', { file: '../up.ts' }), '/hooks/0/code'],
  [withAt('/hooks/0/code', 'const a = 1\nconst = 2'), '/hooks/0/code bot.json#/hooks/0/code:2: '],
  [withAt('/hooks/0/code', 'import x from "y"'), '/hooks/0/code bot.json#/hooks/0/code:1: '],
  [
    withAt('/hooks/0/code', 'enum A { b }'),
    '/hooks/0/code bot.json#/hooks/0/code:1: TypeScript enum is not supported',
  ],
  [
    withAt('/hooks/0/code', `${'('.repeat(100_000)}`),
    '/hooks/0/code bot.json#/hooks/0/code: is nested too deeply',
  ],
  [withAt('/code', 'exports.handler = 1'), '/code cannot stand beside flows'],
  [withAt('/states', { 'flows.mine': { type: 'bot', schema: {} } }), '/states/flows.mine begins with flows.'],
  [withCard({ type: 'sing' }), `${card}/type must be one of send, capture`],
  [withCard({ type: 'send' }), `${card}/message is missing`],
  [withCard({ type: 'send', message: 'Hi', loud: true }), `${card}/loud is not known`],
  [withCard({ type: 'send', message: { type: 'image' } }), `${card}/message/imageUrl is missing`],
  [
    withCard({ type: 'send', message: { type: 'image', imageUrl: '{{ 1 + }}' } }),
    `${card}/message/imageUrl What stands in {{ }} is no expression`,
  ],
  [withCard({ type: 'send', message: 3 }), `${card}/message is none of what it may be`],
  [withCard({ ...ask, kind: 'colour' }), `${card}/kind must be one of raw, text`],
  [withCard({ ...ask, into: 'workflow.other' }), `${card}/into this flow has no variable "other"`],
  [withCard({ ...ask, into: 'user.name' }), `${card}/into there is no variable "name" in /variables/user`],
  [
    withCard({ type: 'send', message: 'Hi {{ workflow.none }}' }),
    `${card}/message the document declares no variable "workflow.none"`,
  ],
  [
    withCard({ type: 'send', message: 'Hi @conversation.none' }),
    `${card}/message the document declares no variable "conversation.none"`,
  ],
  [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the author's code has it
    withCard({ type: 'code', code: 'const a = `${1 + `${bot.none}`}`; workflow.n = a.length' }),
    `${card}/code the document declares no variable "bot.none"`,
  ],
  [
    withAt('/triggers/daily/when', 'env.none === 1'),
    '/triggers/daily/when the document declares no variable "env.none"',
  ],
  [withAt('/hooks/0/code', 'user?.none'), '/hooks/0/code the document declares no variable "user.none"'],
  [withCard({ ...ask, into: 'env.key' }), `${card}/into must match`],
  [withCard({ ...ask, kind: 'singleChoice' }), `${card}/options is missing`],
  [withCard({ ...ask, kind: 'regex' }), `${card}/pattern is missing`],
  [withCard({ ...ask, kind: 'regex', pattern: '(' }), `${card}/pattern is no pattern`],
  [withCard({ ...ask, onTimeout: 'end' }), `${card}/onTimeout means nothing without a timeout`],
  [withCard({ ...ask, onCancel: 'nowhere' }), `${card}/onCancel there is no node "nowhere"`],
  [withCard({ ...ask, validate: 'value >' }), `${card}/validate This is no expression`],
  [withCard({ type: 'transition', when: 'true', to: 'nowhere' }), `${card}/to there is no node "nowhere"`],
  [withCard({ type: 'callFlow', flow: 'none' }), `${card}/flow there is no flow "none"`],
  [
    withCard({ type: 'callFlow', flow: 'order', inputs: { who: 1 } }),
    `${card}/inputs/who the flow "order" has no such input`,
  ],
  [
    withCard({ type: 'callFlow', flow: 'order', outputs: { sum: 'workflow.x' } }),
    `${card}/outputs/sum this flow has no variable "x"`,
  ],
  [
    withCard({ type: 'callAction', action: 'triple' }),
    `${card}/action the document has no action "triple" with code`,
  ],
  [
    withCard({ type: 'callAction', action: 'declared' }),
    `${card}/action the document has no action "declared" with code`,
  ],
  [
    withCard({ type: 'callAction', action: 'toString' }),
    `${card}/action the document has no action "toString" with code`,
  ],
  [
    withCard({ type: 'queryKnowledge', knowledgeBases: ['none'] }),
    `${card}/knowledgeBases/0 there is no knowledge base "none"`,
  ],
  [withCard({ type: 'table', table: 'None', operation: 'find' }), `${card}/table there is no table "None"`],
  [withCard({ type: 'table', table: 'Orders', operation: 'get' }), `${card}/id is missing`],
  [
    withCard({ type: 'set', variable: 'conversation.none', value: 1 }),
    `${card}/variable there is no variable "none"`,
  ],
  [withCard({ type: 'waitForEvent', event: 'x', when: '}' }), `${card}/when This is no expression`],
  [{ kind: 'bot', version: 2, hooks: [] }, '/hooks means nothing in a document without flows'],
])('%#: %j', (document, problem) => {
  const problems = problemsOf(document)
  expect(problems).toHaveLength(1)
  expect(problems[0]!.slice(0, problem.length)).toBe(problem)
})

test('all that is wrong is told at once, and what is no object is no document', () => {
  const document = withAt('/flows/main/nodes/start/next', 'nowhere')
  Object.assign(document, { triggers: { a: { type: 'event', event: 'x', flow: 'none' } } })
  expect(problemsOf(document)).toHaveLength(2)
  for (const none of [null, [], 'x', 3]) expect(problemsOf(none)).toHaveLength(1)
})

test('older versions are brought up', () => {
  expect(checkDocument({ kind: 'bot', version: 1, actions: {} })).toEqual({
    kind: 'bot',
    version: 2,
    actions: {},
  })
})

test('the compiled bot has its document in it, whatever it says, and what only looks like one has none', () => {
  const odd = withAt('/variables/conversation/name/default', '\u2028 </script> ${`"\\ \n */')
  const document = checkDocument({ ...odd, version: 1 })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const code = compile(document)
  expect(documentIn(code)).toEqual(document)
  expect(documentIn('exports.handler = () => {}')).toBeNull()
  expect(documentIn(code.replace('"kind', '"king'))).toBeNull()
  expect(
    documentIn(code.replace('const program = JSON.parse("', 'const program = JSON.parse(1 + "')),
  ).toBeNull()
})

test('the schema is of the draft that it says, and small enough for an editor', () => {
  const schema = schemaOf('http://127.0.0.1:4000/v1/schemas/bot.json')
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'http://127.0.0.1:4000/v1/schemas/bot.json',
    type: 'object',
  })
  expect(JSON.stringify(schema).length).toBeLessThan(60_000)
})

test('lines are those of the text', () => {
  const text = '{\n  "a": [1, {\n    "b/c": "x\\"}{", "d~": {} }],\n  "e": null }'
  const placeOf = findPlaces(text)
  expect(parseJson(text)).toEqual({ a: [1, { 'b/c': 'x"}{', 'd~': {} }], e: null })
  expect(
    ['', '/a', '/a/0', '/a/1/b~1c', '/a/1/d~0', '/e', '/a/1/missing', '/none'].map((pointer) =>
      Object.values(placeOf(pointer)).join(':'),
    ),
  ).toEqual(['1:1', '2:3', '2:9', '3:5', '3:21', '4:3', '2:12', '1:1'])
  for (const [broken, line] of [
    ['{\n "a": 1,\n}', 3],
    ['{\n "a" 1}', 2],
    ['[\n1,\n', 3],
    ['', 1],
  ] as const)
    expect(() => parseJson(broken)).toThrow(
      expect.toSatisfy((error) => error instanceof JsonError && error.place.line === line),
    )
})

test.each([
  'const user = { none: 1 }; user.none',
  'for (const bot of [{}]) bot.none',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the author's code has it
  '"user.none" + \'bot.none\' + `env.none ${workflow.n} user.none`',
  '/* user.none */ event.user.none // bot.none',
  'const a = /["user.none]/.test("x"); conversation.name',
  'workflow.what ?? workflow.sum ?? workflow.n ?? env.key',
  'user.toString()',
])('code that may be right is not reported: %s', (code) => {
  expect(problemsOf(withAt('/hooks/0/code', code))).toEqual([])
})

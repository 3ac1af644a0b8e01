// Validation of documents: the problems of invalid documents.
import { expect, test } from 'vitest'
import {
  ask,
  card,
  findProblems,
  type Json,
  validDocument,
  withAt,
  withCard,
} from '../../test/documents.ts'
import { compileDocument, documentIn } from '../document/compile.ts'
import { type FlowDocument, schemaOf } from '../document/document.ts'
import { checkDocument, isFlowDocument } from './check.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: the author's code has it
const nestedTemplate = 'const a = `${1 + `${bot.none}`}`; workflow.n = a.length'

test('accepts a valid document', () => {
  expect(findProblems(validDocument())).toEqual([])
})

test.each<[document: Json, problem: string]>([
  [withAt('/version', 3), '/version must be 2'],
  [withAt('/flow', {}), '/flow is not a known field'],
  [
    withAt('/settings', { defaults: { locale: 'de_CH' } }),
    '/settings/defaults/locale is not a language tag of BCP 47: "de_CH"',
  ],
  [
    withAt('/settings', { defaults: { locale: 'xx' } }),
    '/settings/defaults/locale names a language without known conventions: "xx"',
  ],
  [
    withAt('/tests', { Greets: { steps: [{ says: 'Hi' }] } }),
    '/tests/Greets/steps/0 "says" is not',
  ],
  [
    withAt('/tests', { 'a/b': { steps: [], now: 'soon' } }),
    '/tests/a~1b `now` must be a time',
  ],
  [
    withAt('/tests', { Greets: { name: 'x', steps: [] } }),
    '/tests/Greets/name is not a known field',
  ],
  [withAt('/tests', { Greets: {} }), '/tests/Greets/steps is missing'],
  [withAt('/flows/main', undefined), '/flows/main is missing'],
  [withAt('/flows/1st', { nodes: {} }), '/flows/1st is not a valid name'],
  [withAt('/flows/__proto__x', { nodes: {} }), '/flows/__proto__x is not a valid name'],
  [
    withAt('/flows/main/nodes/start/type', 'begin'),
    '/flows/main/nodes/start/type must be one of "start", "entry"',
  ],
  [
    withAt('/flows/main/nodes/start/type', 'entry'),
    '/flows/main/nodes/start/type must be "start": only flows other than "main"',
  ],
  [
    withAt('/flows/main/nodes/start/type', 'standard'),
    '/flows/main/nodes must have exactly one node of type "start"',
  ],
  [
    withAt('/flows/order/nodes/two', { type: 'entry' }),
    '/flows/order/nodes must have exactly one node of type "entry"',
  ],
  [
    withAt('/flows/order/nodes/two', { type: 'start' }),
    '/flows/order/nodes/two/type must be "entry": only the flow "main"',
  ],
  [
    withAt('/flows/main/nodes/end/next', 'start'),
    '/flows/main/nodes/end/next is not allowed in a node of type "end"',
  ],
  [
    withAt('/flows/main/nodes/start/next', 'nowhere'),
    '/flows/main/nodes/start/next names the node "nowhere", which is not in this flow',
  ],
  [
    withAt('/flows/main/nodes/start/next', 'constructor'),
    '/flows/main/nodes/start/next names the node "constructor", which is not in this flow',
  ],
  [
    withAt('/flows/main/nodes/start/next', { flow: 'none' }),
    '/flows/main/nodes/start/next/flow names the flow "none", which is not in `flows`',
  ],
  [
    withAt('/flows/main/nodes/start/next', { flow: 'order', node: 'x' }),
    '/flows/main/nodes/start/next/node names the node "x", which is not in the flow "order"',
  ],
  [
    withAt('/flows/order/variables', { what: { type: 'any' } }),
    '/flows/order/inputs/what has the name of a variable of this flow',
  ],
  [
    withAt('/variables/conversation/name/default', 3),
    '/variables/conversation/name/default must have the type of the variable, "string"',
  ],
  [
    withAt('/variables/conversation/name/type', 'text'),
    '/variables/conversation/name/type must be one of "string", "number"',
  ],
  [
    withAt('/variables/user', { 'a-b': { type: 'any' } }),
    '/variables/user/a-b is not a valid name',
  ],
  [withAt('/triggers/daily/cron', '0 9 * *'), '/triggers/daily/cron'],
  [
    withAt('/triggers/daily/cron', '0 9 31 2 *'),
    '/triggers/daily/cron must be a cron expression of five fields that matches a date',
  ],
  [
    withAt('/triggers/daily/node', 'in'),
    '/triggers/daily/node names the node "in" of type "trigger", which is not in the flow "order"',
  ],
  [
    withAt('/triggers/daily/type', 'often'),
    '/triggers/daily/type must be one of "conversationStarted", "event", "schedule"',
  ],
  [
    withAt('/triggers/daily/when', 'a b'),
    '/triggers/daily/when The text is not a JavaScript expression: ' +
      `"a b" fails with "Unexpected identifier 'b'"`,
  ],
  [withAt('/hooks/0/kind', 'before'), '/hooks/0/kind must be one of "beforeIncoming"'],
  [
    withAt('/hooks/0/code', { file: 'code/none.ts' }),
    '/hooks/0/code names the file "code/none.ts", which does not exist',
  ],
  [withAt('/hooks/0/code', { file: '../up.ts' }), '/hooks/0/code'],
  [
    withAt('/hooks/0/code', 'const a = 1\nconst = 2'),
    '/hooks/0/code bot.json#/hooks/0/code:2:7: ',
  ],
  [
    withAt('/hooks/0/code', 'import x from "y"'),
    '/hooks/0/code bot.json#/hooks/0/code:1:1: ',
  ],
  [
    withAt('/hooks/0/code', 'enum A { b }'),
    '/hooks/0/code bot.json#/hooks/0/code:1:1: TypeScript enum is not supported',
  ],
  [
    withAt('/hooks/0/code', `${'('.repeat(100_000)}`),
    '/hooks/0/code bot.json#/hooks/0/code: The code is nested too deeply',
  ],
  [withAt('/code', 'exports.handler = 1'), '/code cannot be combined with `flows`'],
  [
    withAt('/states', { 'flows.mine': { type: 'bot', schema: {} } }),
    '/states/flows.mine must not begin with "flows."',
  ],
  [withCard({ type: 'sing' }), `${card}/type must be one of "send", "capture"`],
  [withCard({ type: 'send' }), `${card}/message is missing`],
  [
    withCard({ type: 'send', message: 'Hi', loud: true }),
    `${card}/loud is not a known field`,
  ],
  [
    withCard({ type: 'send', message: { type: 'image' } }),
    `${card}/message/imageUrl is missing`,
  ],
  [
    withCard({ type: 'send', message: { type: 'image', imageUrl: '{{ 1 + }}' } }),
    `${card}/message/imageUrl The text in {{ }} is not a JavaScript expression`,
  ],
  [
    withCard({ type: 'send', message: 3 }),
    `${card}/message has none of the forms that this field allows`,
  ],
  [withCard({ ...ask, kind: 'colour' }), `${card}/kind must be one of "raw", "text"`],
  [
    withCard({ ...ask, into: 'workflow.other' }),
    `${card}/into names the variable "workflow.other", which is not in \`variables\``,
  ],
  [
    withCard({ ...ask, into: 'user.name' }),
    `${card}/into names the variable "user.name", which is not in \`variables.user\``,
  ],
  [
    withCard({ type: 'send', message: 'Hi {{ workflow.none }}' }),
    `${card}/message uses the variable "workflow.none", which is not declared`,
  ],
  [
    withCard({ type: 'send', message: 'Hi {{ conversation.nmae }}' }),
    `${card}/message uses the variable "conversation.nmae", which is not declared. Did you mean \`name\`?`,
  ],
  [
    withCard({ type: 'send', message: 'Hi @conversation.none' }),
    `${card}/message uses the variable "conversation.none", which is not declared`,
  ],
  [
    withCard({ type: 'code', code: nestedTemplate }),
    `${card}/code uses the variable "bot.none", which is not declared`,
  ],
  [
    withAt('/triggers/daily/when', 'env.none === 1'),
    '/triggers/daily/when uses the variable "env.none", which is not declared',
  ],
  [
    withAt('/hooks/0/code', 'user?.none'),
    '/hooks/0/code uses the variable "user.none", which is not declared',
  ],
  [withCard({ ...ask, into: 'env.key' }), `${card}/into is no variable`],
  [withCard({ ...ask, retries: 101 }), `${card}/retries must be at most 100`],
  [withCard({ ...ask, validate: '' }), `${card}/validate is empty`],
  [
    withCard({ ...ask, kind: 'singleChoice' }),
    `${card}/options is missing. The kind "singleChoice" requires it`,
  ],
  [
    withCard({ ...ask, kind: 'regex' }),
    `${card}/pattern is missing. The kind "regex" requires it`,
  ],
  [
    withCard({ ...ask, kind: 'regex', pattern: '(' }),
    `${card}/pattern is not a valid RE2 pattern`,
  ],
  [withCard({ ...ask, onTimeout: 'end' }), `${card}/onTimeout requires \`timeout\``],
  [
    withCard({ ...ask, onCancel: 'nowhere' }),
    `${card}/onCancel names the node "nowhere", which is not in this flow`,
  ],
  [
    withCard({ ...ask, validate: 'value >' }),
    `${card}/validate The text is not a JavaScript expression`,
  ],
  [
    withCard({ type: 'transition', when: 'true', to: 'nowhere' }),
    `${card}/to names the node "nowhere", which is not in this flow`,
  ],
  [
    withCard({ type: 'callFlow', flow: 'none' }),
    `${card}/flow names the flow "none", which is not in \`flows\``,
  ],
  [
    withCard({ type: 'callFlow', flow: 'order', inputs: { who: 1 } }),
    `${card}/inputs/who is not in \`inputs\` of the flow "order"`,
  ],
  [
    withCard({ type: 'callFlow', flow: 'order', outputs: { sum: 'workflow.x' } }),
    `${card}/outputs/sum names the variable "workflow.x", which is not in \`variables\``,
  ],
  [
    withCard({ type: 'callAction', action: 'triple' }),
    `${card}/action names the action "triple", which has no \`code\` in \`actions\``,
  ],
  [
    withCard({ type: 'callAction', action: 'declared' }),
    `${card}/action names the action "declared", which has no \`code\` in \`actions\``,
  ],
  [
    withCard({ type: 'callAction', action: 'toString' }),
    `${card}/action names the action "toString", which has no \`code\` in \`actions\``,
  ],
  [
    withCard({ type: 'queryKnowledge', knowledgeBases: ['none'] }),
    `${card}/knowledgeBases/0 names the knowledge base "none", which is not in \`knowledgeBases\``,
  ],
  [
    withCard({ type: 'table', table: 'None', operation: 'find' }),
    `${card}/table names the table "None", which is not in \`tables\``,
  ],
  [
    withCard({ type: 'table', table: 'Orders', operation: 'get' }),
    `${card}/id is missing. The operation "get" requires it`,
  ],
  [
    withCard({ type: 'set', variable: 'conversation.none', value: 1 }),
    `${card}/variable names the variable "conversation.none", which is not in \`variables.conversation\``,
  ],
  [
    withCard({ type: 'waitForEvent', event: 'x', when: '}' }),
    `${card}/when The text is not a JavaScript expression`,
  ],
  [{ kind: 'bot', version: 2, hooks: [] }, '/hooks requires `flows`'],
])('reports the problem of document %#', (document, problem) => {
  const problems = findProblems(document)
  expect(problems).toHaveLength(1)
  expect(problems[0]!.slice(0, problem.length)).toBe(problem)
})

test.each([[null], [[]], ['x'], [3]])('reports one problem for %j', (none) => {
  expect(findProblems(none)).toHaveLength(1)
})

test('reports unknown fields together with unknown names', () => {
  const document = withCard({ type: 'callAction', action: 'none', quiet: true })
  expect(findProblems(document)).toEqual([
    expect.stringContaining(`${card}/quiet is not a known field`),
    expect.stringContaining(`${card}/action`),
  ])
})

test('reports all problems at once', () => {
  const document = withAt('/flows/main/nodes/start/next', 'nowhere')
  Object.assign(document, {
    triggers: { a: { type: 'event', event: 'x', flow: 'none' } },
  })
  expect(findProblems(document)).toHaveLength(2)
})

test('converts a document of version 1', () => {
  expect(checkDocument({ kind: 'bot', version: 1, actions: {} })).toEqual({
    kind: 'bot',
    version: 2,
    actions: {},
  })
})

test('reads the document back from compiled code, and null from other code', () => {
  const odd = withAt(
    '/variables/conversation/name/default',
    '\u2028 </script> ${`"\\ \n */',
  )
  const document = checkDocument({ ...odd, version: 1 })
  if (!isFlowDocument(document)) throw new Error('no flows')
  const code = compileDocument(document)
  expect(documentIn(code)).toEqual(document)
  expect(documentIn('exports.handler = () => {}')).toBeNull()
  expect(documentIn(code.replace('"kind', '"king'))).toBeNull()
  expect(
    documentIn(
      code.replace('const program = JSON.parse("', 'const program = JSON.parse(1 + "'),
    ),
  ).toBeNull()
})

test('publishes a schema of draft 2020-12 below 64,000 characters', () => {
  const schema = schemaOf('http://127.0.0.1:4000/v1/schemas/bot.json')
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'http://127.0.0.1:4000/v1/schemas/bot.json',
    type: 'object',
  })
  expect(JSON.stringify(schema).length).toBeLessThan(64_000)
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
])('reports no undeclared variable in code that may be correct: %s', (code) => {
  expect(findProblems(withAt('/hooks/0/code', code))).toEqual([])
})

test.each([
  ['const a: number = 1\n  const b = = 2', 2, 13],
  ['const a = = 1', 1, 11],
  ['let x = 1\n\tenum B { y }', 2, 2],
  ['if (input) {\n  x()', 2, 6],
])('reports line and column of a code file: %j', (text, line, column) => {
  const document = checkDocument({
    ...withCard({ type: 'code', code: { file: './code/a.ts' } }),
    files: { 'code/a.ts': text },
  }) as FlowDocument
  const problem = expect.objectContaining({
    pointer: `${card}/code`,
    message: expect.stringMatching(`^code/a\\.ts:${line}:${column}: `),
    source: expect.objectContaining({ file: 'code/a.ts', line, column }),
  })
  expect(() => compileDocument(document)).toThrow(
    expect.objectContaining({ problems: [problem] }),
  )
})

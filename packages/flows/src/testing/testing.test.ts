import { expect, test } from 'vitest'
import type { FlowDocument } from '../document.ts'
import { compileScripts } from '../scripts.ts'
import { junitReport, textReport } from './report.ts'
import { runScript } from './runner.ts'
import { parseScripts } from './script.ts'

const document = {
  ...{ kind: 'bot', version: 2 },
  variables: { conversation: { count: { type: 'number', default: 0 } } },
  actions: {
    net: {
      input: { schema: {} },
      output: { schema: {} },
      code: 'try { await axios.get("http://127.0.0.1") } catch (error) { return { said: error.message } }',
    },
  },
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'set', variable: 'conversation.count', value: '{{ conversation.count + 1 }}' },
            { type: 'transition', when: 'event.preview === "break"', to: 'broken' },
            {
              type: 'code',
              code: 'turn.said = event.preview === "net" ? (await actions.net()).said : event.preview === "mail" ? (await actions.mail.send({})).id : luxon.DateTime.now().toUTC().toISO()',
            },
            { type: 'send', message: '{{ turn.said }}' },
          ],
        },
        broken: { type: 'standard', cards: [{ type: 'code', code: 'null.x' }] },
      },
    },
  },
} as unknown as FlowDocument
const { scripts } = compileScripts(document)
const run = async (steps: string, more = '') =>
  runScript(
    { document, scripts },
    parseScripts(`name: it\nnow: 2026-01-01T00:00:00Z\n${more}steps:\n${steps}`, 'f.yaml')[0]!,
  )

test.each([
  ['  - user: hi\n  - bot: 2026-01-01T00:00:00.000Z', null],
  ['  - wait: 2h\n  - user: hi\n  - bot: { matches: "T02:.*Z$" }', null],
  [
    '  - user: hi\n  - bot: { contains: "2026" }\n  - variables: { conversation.count: 1, user.none: null }',
    null,
  ],
  ['  - user: hi\n  - bot: { type: text, text: 2026-01-01T00:00:00.000Z }', null],
  ['  - user: net\n  - bot: Tests of bots have no network', null],
  ['  - user: mail\n  - bot: "7"', null, 'actions: { "mail:send": { id: 7 } }\n'],
  ['  - user: hi\n  - bot: no', 'The bot was to say:\n  no\nIt says:\n  2026-01-01T00:00:00.000Z', '', 5],
  [
    '  - user: hi\n  - bot: { type: image }',
    'The bot was to say:\n  {"type":"image"}\nIt says:\n  {"type":"text","text":"2026',
    '',
    5,
  ],
  ['  - user: hi\n', 'The bot also says what no step expects:\n  2026', '', 4],
  ['  - user: hi\n  - bot: nothing', 'The bot also says', '', 5],
  ['  - bot: hello', 'The bot says nothing more, and was to say:\n  hello', '', 4],
  [
    '  - user: hi\n  - bot: { contains: "2026" }\n  - variables: { conversation.count: 2 }',
    'conversation.count was to be 2, and is 1',
    '',
    6,
  ],
  ['  - user: break', "Cannot read properties of null (reading 'x')", '', 4],
  ['  - user: mail', 'There is no action "mail:send" in this script', '', 4],
  ['  - tables: { None: [] }', 'There is no table "None"', '', 4],
] as [string, string | null, string?, number?][])('%j', async (steps, failure, more = '', line = 0) => {
  const result = await run(steps, more)
  if (failure === null) expect(result.failure).toBeUndefined()
  else
    expect(result.failure).toMatchObject({
      message: expect.stringContaining(failure),
      line: line + (more ? 1 : 0),
    })
})

test.each([
  ['steps: 1', 'line 1: a script has steps, which are a list'],
  ['- a', 'line 1: a script is a mapping'],
  ['name: x\nstpes: []', '"stpes" is not known'],
  ['steps:\n  - user: a\n  - bott: b', 'line 3: "bott" is no step'],
  ['steps:\n  - user: a\n    bot: b', 'line 2: a step has one word'],
  ['steps:\n  - wait: soon', 'line 2: wait takes a time'],
  ['steps:\n  - user: { text: a }', 'line 2: a message has a type'],
  ['steps:\n  - user: a\n  - tables: { A: 1 }', 'line 3: tables has a list of mappings'],
  ['now: never\nsteps: []', 'now is a moment'],
  ['steps: [', 'line 1: '],
  ['', 'there is no script'],
])('%j is no script', (text, message) => {
  expect(() => parseScripts(text, 'f.yaml')).toThrow(message)
})

test('results read as text, and as JUnit', async () => {
  const files = [
    {
      file: 'tests/a&b.yaml',
      results: [
        await run('  - user: hi\n  - bot: { contains: "2026" }'),
        await run('  - user: hi\n  - bot: <no>'),
      ],
    },
  ]
  expect(textReport(files)).toMatch(
    /^ok {4}it \(\d+ ms\)\nFAIL {2}it {2}tests\/a&b.yaml:5\n {6}The bot was to say:\n {8}<no>\n[\s\S]+main \/ start[\s\S]+1 of 2 scripts went as they say$/,
  )
  const junit = junitReport(files)
  expect(junit).toContain('<testsuite name="tests/a&amp;b.yaml" tests="2" failures="1">')
  expect(junit).toContain('&lt;no&gt;')
})

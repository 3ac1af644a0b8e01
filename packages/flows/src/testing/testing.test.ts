import { expect, test } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import { compileScripts } from '../document/scripts.ts'
import { junitReport, textReport } from './report.ts'
import { runScript } from './runner.ts'
import { parseScripts } from './script.ts'

const document = {
  kind: 'bot',
  version: 2,
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
            {
              type: 'set',
              variable: 'conversation.count',
              value: '{{ conversation.count + 1 }}',
            },
            { type: 'transition', when: 'event.preview === "break"', to: 'broken' },
            {
              type: 'code',
              code:
                'turn.said = event.preview === "net" ? (await actions.net()).said : event.preview === ' +
                '"mail" ? (await actions.mail.send({})).id : luxon.DateTime.now().toUTC().toISO()',
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
    parseScripts(
      `name: it\nnow: 2026-01-01T00:00:00Z\n${more}steps:\n${steps}`,
      'f.yaml',
    )[0]!,
  )

const agentDocument = {
  kind: 'bot',
  version: 2,
  actions: { price: { input: {}, output: {}, code: '' } },
  flows: {
    main: {
      nodes: {
        start: { type: 'start', next: 'shop' },
        shop: {
          type: 'agent',
          instructions: 'Sell.',
          tools: [{ type: 'action', action: 'price' }],
        },
      },
    },
  },
} as unknown as FlowDocument

test('an agent calls a tool of an MCP server, which `actions` stands in for', async () => {
  const document = structuredClone(agentDocument)
  Object.assign(document.flows.main!.nodes.shop!, {
    tools: [{ type: 'action', action: 'docs:search' }],
  })
  const { scripts } = compileScripts(document)
  const text =
    'name: it\nactions: { "docs:search": { found: 1 } }\n' +
    'models: [{ toolCalls: [{ docs_search: { query: tea } }] }, Eight]\n' +
    'steps:\n  - user: hi\n  - bot: Eight\n  - bot: none'
  const result = await runScript({ document, scripts }, parseScripts(text, 'f.yaml')[0]!)
  expect(result.failure?.message).toContain('The bot sent no further message')
  expect(JSON.stringify(result)).toContain('calls docs:search')
  expect(JSON.stringify(result)).not.toContain('not support')
})

test.each([
  ['[{ toolCalls: [{ price: {} }] }, Eight]', null],
  [
    '[{ toolCalls: [{ prices: {} }] }, Eight]',
    '`models` calls the tool "prices". The agent has price',
  ],
  [
    '[{ toolCalls: [{ price: {} }] }, Eight, Nine]',
    '`models` has a reply that the bot did not need',
  ],
])('replies of models %s', async (models, failure) => {
  const { scripts } = compileScripts(agentDocument)
  const text = `name: it\nmodels: ${models}\nsteps:\n  - user: hi\n  - bot: Eight`
  const result = await runScript(
    { document: agentDocument, scripts },
    parseScripts(text, 'f.yaml')[0]!,
  )
  expect(result.failure?.message ?? null).toBe(failure)
})

test.each([
  ['  - user: hi\n  - bot: 2026-01-01T00:00:00.000Z', null],
  ['  - wait: 2h\n  - user: hi\n  - bot: { matches: "T02:.*Z$" }', null],
  [
    '  - user: hi\n  - bot: { contains: "2026" }\n  - variables: { conversation.count: 1, user.none: null }',
    null,
  ],
  ['  - user: hi\n  - bot: { type: text, text: 2026-01-01T00:00:00.000Z }', null],
  ['  - user: net\n  - bot: Conversation scripts have no network access', null],
  ['  - user: mail\n  - bot: "7"', null, 'actions: { "mail:send": { id: 7 } }\n'],
  [
    '  - user: hi\n  - bot: no',
    'Expected message:\n  no\nActual message:\n  2026-01-01T00:00:00.000Z',
    '',
    5,
  ],
  [
    '  - user: hi\n  - bot: { type: image }',
    'Expected message:\n  [image]\nActual message:\n  2026',
    '',
    5,
  ],
  ['  - user: hi\n', 'The bot sent messages that no step expects:\n  2026', '', 4],
  ['  - user: hi\n  - bot: nothing', 'The bot sent messages that no step expects', '', 5],
  ['  - bot: hello', 'The bot sent no further message. Expected:\n  hello', '', 4],
  [
    '  - user: hi\n  - bot: { contains: "2026" }\n  - variables: { conversation.count: 2 }',
    'Expected conversation.count to be 2, but it is 1',
    '',
    6,
  ],
  ['  - user: break', "Cannot read properties of null (reading 'x')", '', 4],
  ['  - user: mail', 'The script has no output for the action "mail:send"', '', 4],
  ['  - tables: { None: [] }', 'The table "None" does not exist', '', 4],
] as [string, string | null, string?, number?][])(
  'runs %j',
  async (steps, failure, more = '', line = 0) => {
    const result = await run(steps, more)
    if (failure === null) expect(result.failure).toBeUndefined()
    else
      expect(result.failure).toMatchObject({
        message: expect.stringContaining(failure),
        line: line + (more ? 1 : 0),
      })
  },
)

const cards = (...all: object[]) => ({ nodes: { start: { type: 'entry', cards: all } } })
const words = {
  kind: 'bot',
  version: 2,
  tables: { SlotsTable: { keyColumn: 'slot', schema: { slot: { type: 'string' } } } },
  triggers: {
    word: {
      type: 'event',
      event: 'message_created',
      flow: 'place',
      when: 'event.state.context.currentFlow !== "place" && event.preview.includes("book")',
    },
  },
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [{ type: 'send', message: 'main: @event.preview' }],
        },
      },
    },
    place: {
      variables: { slot: { type: 'string' }, written: { type: 'array' } },
      ...cards(
        { type: 'capture', kind: 'text', question: 'Which?', into: 'workflow.slot' },
        {
          type: 'table',
          table: 'SlotsTable',
          operation: 'create',
          row: { slot: '{{ workflow.slot }}' },
          into: 'workflow.written',
        },
        { type: 'send', message: '{{ workflow.written.length }}' },
        {
          type: 'table',
          table: 'SlotsTable',
          operation: 'update',
          id: 1,
          row: { slot: '{{ workflow.slot === "null" ? null : workflow.slot }}' },
          into: 'workflow.written',
        },
        { type: 'send', message: '{{ workflow.written.length }}' },
      ),
    },
  },
} as unknown as FlowDocument

test('keeps keys of tables unique, and shows triggers where the conversation waits', async () => {
  const { scripts } = compileScripts(words)
  const ask = (text: string, created: number, updated: number) =>
    `  - user: book\n  - bot: Which?\n  - user: ${text}\n  - bot: "${created}"\n  - bot: "${updated}"\n`
  const steps =
    `  - user: hi\n  - bot: "main: hi"\n${ask('a book', 1, 1)}${ask('b', 1, 0)}${ask('b', 0, 0)}` +
    `${ask('"null"', 1, 1)}  - tables: { SlotsTable: [{ slot: null }, { slot: b }, { slot: "null" }] }\n`
  const script = parseScripts(`name: it\nsteps:\n${steps}`, 'f.yaml')[0]!
  expect((await runScript({ document: words, scripts }, script)).failure).toBeUndefined()
})

test.each([
  ['steps: 1', 'line 1: `steps` must be a list'],
  ['- a', 'line 1: a script must be a mapping'],
  ['name: x\nstpes: []', '"stpes" is not a known field'],
  ['steps:\n  - user: a\n  - bott: b', 'line 3: "bott" is not a known step'],
  ['steps:\n  - user: a\n    bot: b', 'line 2: a step must have exactly one field'],
  ['steps:\n  - wait: soon', 'line 2: `wait` must be a duration'],
  ['steps:\n  - user: { text: a }', 'line 2: a message in `user` must have a `type`'],
  [
    'steps:\n  - user: a\n  - tables: { A: 1 }',
    'line 3: `tables` must have a list of mappings',
  ],
  ['now: never\nsteps: []', '`now` must be a time'],
  ['steps: [', 'line 1: '],
  ['', 'the file contains no script'],
])('rejects the script %j', (text, message) => {
  expect(() => parseScripts(text, 'f.yaml')).toThrow(message)
})

test('reports results as text and as JUnit', async () => {
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
    /^ok {4}it \(\d+ ms\)\nFAIL {2}it {2}tests\/a&b.yaml:5\n {6}Expected message:\n {8}<no>\n[\s\S]+main \/ start[\s\S]+1 of 2 scripts passed$/,
  )
  const junit = junitReport(files)
  expect(junit).toContain('<testsuite name="tests/a&amp;b.yaml" tests="2" failures="1">')
  expect(junit).toContain('&lt;no&gt;')
})

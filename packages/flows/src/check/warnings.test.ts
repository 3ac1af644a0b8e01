// Warnings of documents that are probably not as their authors meant.
import { expect, test } from 'vitest'
import { card, type Json, withCard } from '../../test/documents.ts'
import type { FlowDocument } from '../document/document.ts'
import { checkDocument, findWarnings } from './check.ts'

test.each([
  [
    '{{ conversation.name.lenght }}',
    'reads "conversation.name.lenght", but a variable of type "string" has no member "lenght". ' +
      'Did you mean `length`?',
  ],
  [
    '@workflow.n.toFixd',
    'reads "workflow.n.toFixd", but a variable of type "number" has no member "toFixd". ' +
      'Did you mean `toFixed`?',
  ],
  [
    '{{ conversation.name.zzz }}',
    'reads "conversation.name.zzz", but a variable of type "string" has no member "zzz". Correct the name',
  ],
  ['{{ conversation.name.length + workflow.n.toFixed(1) + "workflow.n.lenght" }}', null],
  ['{{ [1].map((workflow) => workflow.n.lenght) && workflow }}', null],
])('warns of an unknown member in %s', (message, warning) => {
  const document = checkDocument(withCard({ type: 'send', message })) as FlowDocument
  const expected =
    warning === null ? [] : [{ pointer: `${card}/message`, message: warning }]
  expect(findWarnings(document)).toEqual(expected)
})

test.each([
  ['Hello {{ user.name', true],
  ['Hello {{ user.name }', true],
  ['{{ user.name }} and {{', true],
  ['{{ @user.name', true],
  ['Hello {{ user.name }}', false],
  ['Write \\{{ and }}', false],
  ['}} {', false],
])('warns of missing braces in %s', (message, isWarned) => {
  const document = checkDocument({
    ...withCard({ type: 'send', message }),
    variables: { user: { name: { type: 'string' } } },
  }) as FlowDocument
  expect(findWarnings(document).map(({ pointer }) => pointer)).toEqual(
    isWarned ? [`${card}/message`] : [],
  )
})

test.each([
  [{ type: 'send', message: ' ' }, 'message'],
  [{ type: 'capture', kind: 'number', question: '', into: 'workflow.n' }, 'question'],
])('warns of a card that says nothing: %o', (empty, name) => {
  const document = checkDocument(withCard(empty)) as FlowDocument
  expect(findWarnings(document)).toEqual([
    { pointer: `${card}/${name}`, message: 'is empty. Write what the bot says' },
  ])
})

const say = { type: 'send', message: 'Hi' }
const inFlow = (nodes: Json) => ({ kind: 'bot', version: 2, flows: { main: { nodes } } })

test.each<[string, Json, string | null]>([
  [
    'nodes that lead to each other',
    {
      start: { type: 'start', next: 'one' },
      one: { type: 'standard', cards: [say], next: 'two' },
      two: {
        type: 'standard',
        cards: [{ type: 'goTo', to: { flow: 'main', node: 'one' } }],
      },
    },
    '/flows/main/nodes/one repeats without end: main/one → main/two → main/one',
  ],
  [
    'a node that leads to itself',
    { start: { type: 'start', cards: [say], next: 'start' } },
    '/flows/main/nodes/start repeats without end: main/start → main/start',
  ],
  [
    'a loop that waits',
    {
      start: {
        type: 'start',
        cards: [{ type: 'capture', kind: 'raw', into: 'session.x' }],
        next: 'start',
      },
    },
    null,
  ],
  [
    'a loop over data',
    {
      start: {
        type: 'start',
        cards: [{ type: 'transition', when: 'session.n > 3', to: 'done' }],
        next: 'start',
      },
      done: { type: 'exit' },
    },
    null,
  ],
  [
    'a loop that code may end by an error',
    { start: { type: 'start', cards: [{ type: 'code', code: '1' }], next: 'start' } },
    null,
  ],
])('warns of an endless loop in %s', (_, nodes, warning) => {
  const warnings = findWarnings(checkDocument(inFlow(nodes)) as FlowDocument)
  expect(warnings.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual(
    warning === null ? [] : [expect.stringContaining(warning)],
  )
})

test.each([
  ['code', { type: 'code', code: 'const a = "{{"' }],
  ['a name that is no expression', { type: 'send', name: '{{ a b }}', message: 'Hi' }],
])('warns of no braces in %s', (_, given) => {
  expect(findWarnings(checkDocument(withCard(given)) as FlowDocument)).toEqual([])
})

test('warns of cards and agents without a language model, only if there is none', () => {
  const document = checkDocument(
    inFlow({
      start: {
        type: 'start',
        cards: [
          {
            type: 'aiTask',
            instructions: 'x',
            output: { type: 'object' },
            into: 'session.x',
          },
          { type: 'aiTransition', transitions: [{ when: 'x', to: 'help' }] },
          {
            type: 'capture',
            kind: 'number',
            byModel: true,
            question: 'How many?',
            into: 'session.n',
          },
        ],
        next: 'help',
      },
      help: { type: 'agent', instructions: 'Help' },
    }),
  ) as FlowDocument
  expect(findWarnings(document)).toEqual([])
  expect(findWarnings(document, { hasModel: false })).toMatchObject(
    ['help', 'start/cards/0', 'start/cards/1'].map((place) => ({
      pointer: `/flows/main/nodes/${place}`,
      message: expect.stringContaining('needs a language model'),
    })),
  )
})

test.each([
  ['Not imported: Pixel', '// Not imported: Pixel\n\n// {}', 1],
  ['Not imported: Pixel', '// Not imported: Pixel\nworkflow.n = 1', 0],
  ['Count', '// nothing yet', 0],
])('warns of the comment in place of a part: %s, %j', (name, code, count) => {
  const document = checkDocument(withCard({ type: 'code', name, code })) as FlowDocument
  expect(findWarnings(document)).toHaveLength(count)
})

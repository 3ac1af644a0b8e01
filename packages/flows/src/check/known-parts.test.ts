// A check with parts of earlier documents finds the same as one without.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DocumentError, type Problem } from '../document/problems.ts'
import { checkDocument, findWarnings, isFlowDocument } from './check.ts'
import { mapNodes, shareNodes } from './known-parts.ts'

function inspect(document: unknown): { problems: Problem[]; warnings: Problem[] } {
  try {
    const checked = checkDocument(document)
    return {
      problems: [],
      warnings: isFlowDocument(checked) ? findWarnings(checked) : [],
    }
  } catch (error) {
    if (error instanceof DocumentError) return { problems: error.problems, warnings: [] }
    throw error
  }
}

const cards = fc.constantFrom<unknown>(
  { type: 'send', message: 'Hello {{ workflow.n }}' },
  { type: 'send', message: 'Hello {{ user.name.size }}, {{' },
  { type: 'send', message: '' },
  { type: 'send', message: { type: 'image' } },
  { type: 'send', message: '{{ workflow. }}' },
  { type: 'send' },
  { type: 'transition', when: 'workflow.n > 1', to: 'a/b' },
  { type: 'transition', when: 'workflow.n >', to: 'b' },
  { type: 'goTo', to: { flow: 'other' } },
  { type: 'set', variable: 'workflow.n', value: 1, unknown: true },
  { type: 'code', code: 'user.name = workflow.m' },
  { type: 'code', code: 'const = 1' },
  { type: 'capture', kind: 'regex', into: 'workflow.n', pattern: '(', onTimeout: 'a' },
  { type: 'none' },
  'no card',
)
const nodes = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('standard'),
      cards: fc.array(cards, { maxLength: 3 }),
    }),
  },
  fc.constant({
    type: 'agent',
    instructions: 'Ask {{ workflow.m }}',
    exits: { done: { when: 'user.age' } },
  }),
  fc.constant<unknown>({ type: 'agent' }),
  fc.constant<unknown>('no node'),
)
const variables = fc.constantFrom(
  {},
  { n: { type: 'number' } },
  { m: { type: 'string', default: 1 } },
)
/** `a~` is escaped in pointers, and no valid name. */
const flow = fc.record({
  variables,
  nodes: fc.record({ a: nodes, b: nodes, 'a~': nodes }, { requiredKeys: ['a', 'b'] }),
})
const documents = fc
  .record({ user: variables, main: flow, other: flow })
  .map(({ user, main, other }) => ({
    kind: 'bot',
    version: 2,
    variables: { user },
    flows: {
      main: { ...main, nodes: { start: { type: 'start', next: 'a' }, ...main.nodes } },
      other: { ...other, nodes: { start: { type: 'entry', next: 'b' }, ...other.nodes } },
    },
  }))

test('finds the same with and without the parts of earlier documents', () => {
  fc.assert(
    fc.property(fc.array(documents, { minLength: 2, maxLength: 4 }), (all) => {
      for (const document of all) {
        const json = JSON.stringify(document)
        expect(inspect(shareNodes(JSON.parse(json)))).toEqual(inspect(JSON.parse(json)))
      }
    }),
    { numRuns: 300 },
  )
})

const bot = (message: string) => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: { nodes: { start: { type: 'start', cards: [{ type: 'send', message }] } } },
  },
})

const listNodes = (document: unknown): object[] => {
  const found: object[] = []
  mapNodes(document, (node) => found.push(node))
  return found
}

test('returns equal nodes as one object, which cannot be changed', () => {
  const [first, again, other] = ['a', 'a', 'b'].map(
    (message) => listNodes(shareNodes(bot(message)))[0]!,
  )
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(() => Object.assign(first!, { type: 'end' })).toThrow(TypeError)
})

test.each([
  [null],
  ['text'],
  [[]],
  [{ flows: null }],
  [{ flows: { main: [], other: { nodes: 1 } } }],
])('leaves %j as it is', (document) => {
  expect(shareNodes(document)).toEqual(document)
})

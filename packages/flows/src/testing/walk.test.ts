// What the result of a conversation script says beside its message: the difference, its place, and the
// visited nodes.
import { expect, test } from 'vitest'
import type { FlowDocument } from '../document/document.ts'
import { compileScripts } from '../document/scripts.ts'
import { runScript } from './runner.ts'
import { parseScripts } from './script.ts'

const send = (message: string) => ({ type: 'send', message })
const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      variables: { name: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'transition', when: 'event.preview === "break"', to: 'broken' },
            { type: 'capture', kind: 'text', question: 'Who?', into: 'workflow.name' },
            send('Hello {{ workflow.name }}'),
            { type: 'callFlow', flow: 'offer' },
            send('Bye'),
          ],
        },
        broken: {
          type: 'standard',
          cards: [send('So'), { type: 'code', code: 'null.x' }],
        },
        lost: { type: 'standard', cards: [] },
      },
    },
    offer: {
      nodes: {
        start: { type: 'entry', cards: [send('Tea?')], next: 'more' },
        more: { type: 'standard', cards: [send('Or milk?')] },
      },
    },
  },
} as unknown as FlowDocument

const run = (...steps: string[]) => {
  const text = `name: it\nsteps:\n${steps.map((step) => `  - ${step}`).join('\n')}`
  const { scripts } = compileScripts(document)
  return runScript({ document, scripts }, parseScripts(text, 'f.yaml')[0]!)
}
const greeted = ['user: hi', 'bot: Who?', 'user: Ana']
const offered = [...greeted, 'bot: Hello Ana', 'bot: Tea?', 'bot: Or milk?']

test('lists the visited nodes by flow, in the order of the first visits', async () => {
  expect(await run(...offered, 'bot: Bye')).toEqual({
    name: 'it',
    ms: expect.any(Number),
    visited: [
      { flow: 'main', nodes: ['start'] },
      { flow: 'offer', nodes: ['start', 'more'] },
    ],
  })
  const { visited } = await run('user: break', 'bot: So')
  expect(visited[0]).toEqual({ flow: 'main', nodes: ['start', 'broken'] })
})

test.each([
  [
    'an earlier message of the turn',
    [...greeted, 'bot: Hello Ben'],
    { expected: 'Hello Ben', actual: 'Hello Ana' },
    { flow: 'main', node: 'start', card: 2 },
  ],
  [
    'a message of another flow',
    [...greeted, 'bot: Hello Ana', 'bot: { contains: Coffee }'],
    { expected: '… Coffee …', actual: 'Tea?' },
    { flow: 'offer', node: 'start', card: 0 },
  ],
  [
    'a message after the other flow',
    [...offered, 'bot: By'],
    { expected: 'By', actual: 'Bye' },
    { flow: 'main', node: 'start', card: 4 },
  ],
  [
    'a message that no step expects',
    offered.slice(0, 5),
    { expected: null, actual: 'Or milk?\nBye' },
    { flow: 'offer', node: 'more', card: 0 },
  ],
  [
    'a missing message',
    ['user: hi', 'bot: Who?', 'bot: Now?'],
    { expected: 'Now?', actual: null },
    { flow: 'main', node: 'start', card: 1 },
  ],
  [
    'a variable',
    ['user: hi', 'bot: Who?', 'variables: { workflow.name: Ana }'],
    { expected: 'workflow.name: "Ana"', actual: 'workflow.name: null' },
    { flow: 'main', node: 'start', card: 1 },
  ],
])('names the difference and the place of %s', async (_, steps, difference, place) => {
  expect((await run(...steps)).failure).toMatchObject({ difference, place })
})

test('names the card whose code failed', async () => {
  const { failure } = await run('user: break', 'bot: So')
  expect(failure).toMatchObject({
    line: 3,
    place: { flow: 'main', node: 'broken', card: 1 },
  })
  expect(failure).not.toHaveProperty('difference')
})

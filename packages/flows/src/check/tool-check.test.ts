// The check of flows that are tools.
import { expect, test } from 'vitest'
import {
  ask,
  findProblems,
  type Json,
  validDocument,
  withAt,
} from '../../test/documents.ts'

/** Returns problems of a document with one tool, which has these cards in its node. */
const problemsOfTool = (cards: Json[], node: Json = {}) =>
  findProblems({
    ...withAt('/flows/order/tool', { description: 'Orders' }),
    flows: {
      ...(validDocument().flows as Json),
      order: {
        tool: { description: 'Orders' },
        variables: { n: { type: 'number' } },
        nodes: { in: { type: 'entry', cards, ...node } },
      },
      other: {
        nodes: { in: { type: 'entry', cards: [ask] } },
        variables: { n: { type: 'number' } },
      },
    },
    triggers: {},
  })

test('accepts a flow as a tool', () => {
  const send = { type: 'send', message: 'Hi', conversationId: '{{ turn.id }}' }
  const set = { type: 'set', variable: 'workflow.n', value: 1 }
  expect(problemsOfTool([send, set, { type: 'code', code: 'workflow.n = 2' }])).toEqual(
    [],
  )
})

test.each<[string, Json]>([
  ['waits', ask],
  ['waits', { type: 'waitForEvent', event: 'paid' }],
  ['waits', { type: 'handoff' }],
  ['sends to the current conversation', { type: 'send', message: 'Hi' }],
  ['sends to the current conversation', { type: 'aiText', instructions: 'Greet' }],
  ['sends to the current conversation', { type: 'answer' }],
  ['tags a user', { type: 'tag', of: 'user', tags: {} }],
  ['sets the timeout of a conversation', { type: 'inactivityTimeout', seconds: 1 }],
  [
    'sets a variable of a conversation or a user',
    { type: 'set', variable: 'conversation.name', value: 'x' },
  ],
])('rejects a tool that %s', (need, card) => {
  expect(problemsOfTool([card])).toEqual([
    expect.stringContaining(
      `/flows/order/nodes/in/cards/0 cannot be in the tool "order": it ${need}`,
    ),
  ])
})

test('rejects an agent in a tool', () => {
  const agent = {
    nodes: { in: { type: 'entry', next: 'a' }, a: { type: 'agent', instructions: 'Hi' } },
  }
  expect(findProblems(withAt('/flows/sells', { tool: {}, ...agent }))).toEqual([
    expect.stringContaining(
      '/flows/sells/nodes/a/type cannot be in the tool "sells": it talks',
    ),
  ])
})

test('rejects a tool that waits in a flow that it reaches, or ends a conversation', () => {
  const inOther = expect.stringContaining(
    '/flows/other/nodes/in/cards/0 cannot be in the tool "order"',
  )
  expect(problemsOfTool([{ type: 'callFlow', flow: 'other' }])).toEqual([inOther])
  expect(problemsOfTool([{ type: 'goTo', to: { flow: 'other' } }])).toEqual([inOther])
  expect(problemsOfTool([], { next: { flow: 'other' } })).toEqual([inOther])
  const to = { flow: 'other' }
  const choice = { type: 'aiTransition', transitions: [{ when: 'the user asks', to }] }
  expect(problemsOfTool([choice])).toEqual([inOther])
  const stays = [{ when: 'the user asks', to: 'in' }]
  expect(problemsOfTool([{ ...choice, transitions: stays, otherwise: to }])).toEqual([
    inOther,
  ])
  expect(findProblems(withAt('/flows/main/tool', {}))).toEqual([
    expect.stringContaining('/flows/main/nodes/start/cards/0'),
    expect.stringContaining('/flows/main/nodes/end/type cannot be in the tool "main"'),
  ])
})

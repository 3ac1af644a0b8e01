import { expect, test } from 'vitest'
import { findChangedStep, omitOtherCards, replaceProblems } from './changed-step.ts'

const say = (message: string) => ({ type: 'send', message })
const one = { type: 'start', cards: [say('one')], next: 'two' }
const two = { type: 'standard', cards: [say('two')] }
const document = { version: 2, flows: { main: { variables: {}, nodes: { one, two } } } }
const withNodes = (nodes: object) => ({
  ...document,
  flows: { main: { ...document.flows.main, nodes } },
})
const step = { flow: 'main', node: 'two' }

test('finds the only step that differs', () => {
  const changed = { ...two, cards: [say('2')] }
  expect(findChangedStep(document, withNodes({ one, two: changed }))).toEqual(step)
})

test.each<[string, object]>([
  ['nothing', document],
  ['two steps', withNodes({ one: { ...one }, two: { ...two } })],
  ['a new step', withNodes({ one, two, three: two })],
  ['a deleted step', withNodes({ one })],
  ['the kind of a step', withNodes({ one, two: { ...two, type: 'end' } })],
  ['another part', { ...document, version: 3 }],
  ['a step and another part', { ...withNodes({ one, two: { ...two } }), version: 3 }],
])('finds none if the change is %s', (_, after) => {
  expect(findChangedStep(document, after as typeof document)).toBeNull()
})

test('leaves out the cards of other steps, and keeps their ways', () => {
  const { nodes } = (omitOtherCards(document, step) as typeof document).flows.main
  expect(nodes).toEqual({ one: { ...one, cards: [] }, two })
})

test('replaces the problems of the step only', () => {
  const at = (pointer: string, message = '') => ({ pointer, message })
  const [other, similar] = [at('/flows/main/nodes/one/next'), at('/flows/main/nodes/two2')]
  const inside = (message: string) => at('/flows/main/nodes/two/cards/0/message', message)
  expect(
    replaceProblems([other, inside('old'), similar], [inside('new'), at('/triggers/x')], step),
  ).toEqual([other, similar, inside('new')])
})

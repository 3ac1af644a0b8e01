import { expect, test } from 'vitest'
import { checkDocument } from '../check/check.ts'
import type { FlowDocument } from '../document/document.ts'
import { findGreetings } from './greeting.ts'

const find = (cards: object[], rest: object = {}, flow = 'main') => {
  const type = flow === 'main' ? 'start' : 'entry'
  const main = {
    nodes: { start: { type: 'start', cards: [{ type: 'send', message: 'Main' }] } },
  }
  const flows = { main, [flow]: { nodes: { start: { type, cards } } } }
  return findGreetings(
    checkDocument({ kind: 'bot', version: 2, flows, ...rest }) as FlowDocument,
  )
}
const send = (message: unknown, textKey?: string) => ({
  type: 'send',
  message,
  ...(textKey && { textKey }),
})
const choice = (text: string, labels: string[]) => ({
  type: 'choice',
  text,
  options: labels.map((label) => ({ label, value: `start:${label}` })),
})

test('takes the first messages with the labels of their buttons', () => {
  const cards = [
    send('Hello!'),
    send(choice('How can I help?', ['Book', 'Ask'])),
    send('{{ 1 }}'),
  ]
  expect(find([...cards, send('Later')])).toEqual({
    '': { greeting: 'Hello!\n\nHow can I help?', suggestions: ['Book', 'Ask'] },
  })
})

test('ends with a question, and with cards that do something', () => {
  const options = ['Red', 'Blue'].map((label) => ({ label, value: label }))
  const ask = {
    type: 'capture',
    kind: 'singleChoice',
    question: 'Which?',
    options,
    into: 'session.a',
  }
  expect(find([ask, send('Later')])).toEqual({
    '': { greeting: 'Which?', suggestions: ['Red', 'Blue'] },
  })
  expect(find([send('Hi'), { type: 'log', message: 'x' }, send('Later')])).toEqual({
    '': { greeting: 'Hi', suggestions: [] },
  })
})

test.each([
  ['an expression', [send('Hello {{ event.preview }}')], {}],
  ['a short expression', [send('Hello @event.preview')], {}],
  ['code', [{ type: 'code', code: '1' }, send('Hello')], {}],
  ['a picture', [send({ type: 'image', imageUrl: 'https://example.org/a.png' })], {}],
  [
    'a condition',
    [send('Hello')],
    { triggers: { begin: { type: 'conversationStarted', flow: 'main', when: 'true' } } },
  ],
  ['a text that is too long', [send('x'.repeat(2_001))], {}],
])('is empty if it begins with %s', (_, cards, rest) => {
  expect(find(cards, rest)).toEqual({})
})

test('prefers the flow that starts conversations, and leaves out long buttons and those beyond six', () => {
  const triggers = { begin: { type: 'conversationStarted', flow: 'hello' } }
  const labels = ['x'.repeat(151), ...'abcdefg']
  expect(find([send(choice('Welcome', labels))], { triggers }, 'hello')).toEqual({
    '': { greeting: 'Welcome', suggestions: [...'abcdef'] },
  })
})

test('has the translations, and the original of texts without one', () => {
  const languages = {
    default: 'en',
    translations: { de: { 'hi/message': 'Hallo' }, fr: {} },
  }
  expect(find([send('Hello', 'hi'), send('Welcome')], { languages })).toEqual({
    en: { greeting: 'Hello\n\nWelcome', suggestions: [] },
    de: { greeting: 'Hallo\n\nWelcome', suggestions: [] },
    fr: { greeting: 'Hello\n\nWelcome', suggestions: [] },
  })
})

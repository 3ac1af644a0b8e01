import { expect, test } from 'vitest'
import { describePlace } from './places.ts'

const document = {
  flows: {
    main: {
      nodes: { start: { type: 'start', cards: [{ type: 'capture', kind: 'text' }] } },
    },
    constructor: { nodes: {} },
  },
}

test.each([
  ['', 'Bot'],
  ['/flows/main', 'Main flow'],
  ['/flows/main/nodes/start', 'Main flow · Start'],
  [
    '/flows/main/nodes/start/cards/0/question',
    'Main flow · Start · Ask for 1 · Question',
  ],
  ['/flows/main/nodes/start/cards/7', 'Main flow · Start · Card 8'],
  ['/flows/main/nodes/toString/next', 'Main flow · toString · Next'],
  ['/flows/main/variables/email', 'Main flow · Variables · email'],
  ['/flows/constructor', 'constructor'],
  ['/variables/user/city', 'Variables · Of a person, in all conversations · city'],
  ['/variables/toString/city', 'Variables · toString · city'],
  ['/triggers/book/when', 'Triggers · book · If'],
  ['/hooks/1/code', 'Hooks · 2 · Code'],
  ['/settings/defaults/timezone', 'Settings · Defaults of questions · Time zone'],
  ['/languages/translations/de', 'Texts · German'],
  ['/languages/translations/de/hi~1message', 'Texts · German · hi/message'],
  ['/knowledgeBases/docs', 'Knowledge bases · docs'],
])('names a place in words: %s', (pointer, expected) => {
  expect(describePlace(pointer, document)).toBe(expected)
})

import { expect, test } from 'vitest'
import { referencesIn } from './document-tasks.ts'

test('finds references of flows by their path', () => {
  const document = {
    flows: {
      main: { nodes: { start: { cards: [{ action: 'tg:add' }, { text: 'tg is it' }] } } },
    },
    triggers: [{ event: 'tg:added' }, { event: 'tgx:added' }],
  }
  expect(referencesIn(document, 'tg')).toEqual([
    'flows.main.nodes.start.cards.0.action',
    'triggers.0.event',
  ])
  expect(referencesIn(null, 'tg')).toEqual([])
})

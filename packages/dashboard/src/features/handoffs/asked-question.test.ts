import { expect, test } from 'vitest'
import { findQuestion } from './asked-question.ts'

const user = (text: unknown) => ({
  message: { direction: 'incoming' as const, payload: { text } },
})
const bot = (payload: Record<string, unknown>) => ({
  message: { direction: 'outgoing' as const, payload },
})

test('finds the last text of the user in one line, and no click on a button', () => {
  const offer = bot({
    text: 'Shall a person answer?',
    options: [{ label: 'Talk to a person' }],
  })
  const asked = user(' Do you\n have cacti? ')
  expect(findQuestion([user('hi'), asked, offer, user('Talk to a person')])).toEqual([
    'Do you have cacti?',
  ])
  expect(
    findQuestion([asked, user(' '), user(7), bot({ text: 'x', options: [null, 1] })]),
  ).toEqual(['Do you have cacti?'])
  expect(findQuestion([asked, user('x'.repeat(400))])[0]).toHaveLength(300)
  expect(findQuestion([offer, user('Talk to a person')])).toEqual([])
})

import { expect, test } from 'vitest'
import { toSentences } from './sentences.ts'

test.each([
  ['We open at 9 [1]. We close at 5 [2].', ['We open at 9 [1]. ', 'We close at 5 [2].']],
  [
    'We open at 9. [1] We close at 5. [1, 2]',
    ['We open at 9. [1] ', 'We close at 5. [1, 2]'],
  ],
  ['Open at 9.[1] Closed at 5.[2]', ['Open at 9.[1] ', 'Closed at 5.[2]']],
  ['It costs 24.90 €. Really? Yes!', ['It costs 24.90 €. ', 'Really? ', 'Yes!']],
  ['Ask Dr. Miller. Call No. 7.', ['Ask Dr. Miller. ', 'Call No. 7.']],
  ['Offen z. B. Montag. Sonst zu.', ['Offen z. B. Montag. ', 'Sonst zu.']],
  [
    '営業は9時からです。[1] 日曜は休みです。[2]',
    ['営業は9時からです。[1] ', '日曜は休みです。[2]'],
  ],
  ['We have:\n\n- Bread [1]\n- Tea [2]', ['We have:\n\n', '- Bread [1]\n', '- Tea [2]']],
  ['1. Bake it.\n2. Eat it. [1]', ['1. Bake it.\n', '2. Eat it. [1]']],
  ['| a | b |\n|---|---|\n| c | 1 |', ['| a | b |\n|---|---|\n', '| c | 1 |']],
  ['', []],
])('splits %j', (text, sentences) => {
  expect(toSentences(text, 100)).toEqual(sentences)
})

test('joins sentences above the maximum, and loses no character', () => {
  const text = Array.from({ length: 130 }, (_, at) => `Room ${at} is free [1]. `).join('')
  const sentences = toSentences(text, 60)
  expect(sentences).toHaveLength(44)
  expect(sentences.join('')).toBe(text)
})

test.each(['[', '[1] ', 'a. ', '1. ', '\n', '。', '[1, '])(
  'splits long replies of %j fast',
  (part) => {
    const startedAt = performance.now()
    toSentences(part.repeat(20_000), 60)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
  },
)

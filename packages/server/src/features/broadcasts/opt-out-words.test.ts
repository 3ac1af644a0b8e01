import { expect, test } from 'vitest'
import { findWish, openOptOutWords } from './opt-out-words.ts'

/** A bot without its own words. */
const words = openOptOutWords({
  selectFrom: () => ({
    select: () => ({ where: () => ({ executeTakeFirst: async () => undefined }) }),
  }),
} as never)
const wish = (text: unknown) => findWish(words, 'bot_1', { text })

test.each([
  'STOP',
  ' stop! ',
  '/stop',
  'Abmelden.',
  'désabonner',
  'Desabonner',
  'ＳＴＯＰ',
  'Stop all',
])('%j opts out', async (text) => {
  expect(await wish(text)).toBe('stop')
})

test.each(['START', '/start', 'Anmelden', 's’abonner'])('%j opts in', async (text) => {
  expect(await wish(text)).toBe('start')
})

test.each([
  'stop it',
  'where is the bus stop',
  'please stop',
  '',
  '!!!',
  null,
  { text: 'stop' },
  `stop${' '.repeat(1_000_000)}`,
])('%j is an ordinary message', async (text) => {
  expect(await wish(text)).toBeNull()
})

// Times of a day as choices.
import { expect, test } from 'vitest'
import { timeChoiceIn } from './time-choices.ts'

const toOptions = (...labels: string[]) =>
  labels.map((label) => ({ label, value: `at ${label}` }))
const day = toOptions('09:00', '09:30', '10:00', '11:00', '14:30', '16:00')

test.each([
  ['10:00', '10:00'],
  ['10', '10:00'],
  ['9 am', '09:00'],
  ['at 9', '09:00'],
  ['11 Uhr', '11:00'],
  ['half past nine', '09:30'],
  ['halb zehn', '09:30', 'de'],
  ['4 pm', '16:00'],
  ['4', '16:00'],
  ['2:30', '14:30'],
  ['16h', '16:00'],
])('understands %j as %s', (text, label, locale?: string) => {
  expect(timeChoiceIn(text, day, locale)?.label).toBe(label)
})

test.each(['12:00', '9 pm', '2', '04:00', '24'])('finds no free time for %j', (text) => {
  expect(timeChoiceIn(text, day)).toBeNull()
})

test.each([
  ['the second one'],
  ['Another day'],
  ['tomorrow at 10:00'],
  [''],
  ['10:00 or 11:00'],
])('leaves %j to the rules of choices', (text) => {
  expect(timeChoiceIn(text, day)).toBeUndefined()
})

test('leaves choices that are no times alone', () => {
  expect(timeChoiceIn('10', toOptions('10', '20'))).toBeUndefined()
  expect(timeChoiceIn('10:00', [...day, { label: 'Later', value: 'x' }])).toBeUndefined()
  expect(timeChoiceIn('10:00', [])).toBeUndefined()
})

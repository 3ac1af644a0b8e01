import { expect, test } from 'vitest'
import { choiceIn, choicesIn, optionsOf } from './choices.ts'
import { booleanIn, confirmationIn } from './confirmations.ts'

const one = (answer: string, ...labels: string[]) => choiceIn(answer, optionsOf(labels))?.value
const several = (answer: string, ...labels: string[]) =>
  choicesIn(answer, optionsOf(labels))?.map(({ value }) => value)

test.each([
  // Marks are letters except in Latin and Greek, Arabic and Hebrew.
  ['फूल', 'फूल', ['फल', 'फूल']],
  ['फल', 'फल', ['फल', 'फूल']],
  ['பால்', 'பால்', ['பல', 'பால்']],
  ['ข้าว', 'ข้าว', ['ขาว', 'ข้าว']],
  ['が', 'が', ['か', 'が']],
  ['ｶﾞ', 'ガ', ['カ', 'ガ']],
  ['й', 'й', ['и', 'й']],
  ['cafe', 'Café', ['Café', 'Bar']],
  ['αθηνα', 'Αθήνα', ['Αθήνα', 'Πάτρα']],
  ['شاي', 'شَاي', ['شَاي', 'قهوة']],
  ['елка', 'Ёлка', ['Ёлка', 'Ель']],
  // Letters without a decomposition.
  ['kobenhavn', 'København', ['København', 'Odense']],
  ['STRASSE', 'Straße', ['Straße', 'Weg']],
  ['IGDIR', 'Iğdır', ['Iğdır', 'Kars']],
  ['Lodz', 'Łódź', ['Łódź', 'Kraków']],
  ['Muenchen', 'München', ['München', 'Berlin']],
  ['Mueller', 'Müller', ['Müller', 'Meier']],
  ['Hamrun', 'Ħamrun', ['Ħamrun', 'Mdina']],
  // Symbols.
  ['C#', 'C#', ['C', 'C++', 'C#']],
  ['c++', 'C++', ['C', 'C++', 'C#']],
  ['C', 'C', ['C', 'C++', 'C#']],
  ['C#', undefined, ['C', 'C++']],
  ['C ++', undefined, ['C', 'Java']],
  ['5%', '5%', ['5', '5%']],
  ['5 %', '5%', ['5', '5%']],
  ['-5', '-5', ['5', '-5']],
  ['−5', '-5', ['5', '-5']],
  ['5 €', '5€', ['5', '5€', '5$']],
  ['1.5 l', undefined, ['5 l', '2 l']],
  ['<18', '<18', ['<18', '18', '>18']],
  ['A-', 'A-', ['A', 'A+', 'A-']],
  ['a−', undefined, ['A', 'A+']],
  ['A-', undefined, ['A', 'A+']],
  ['B', 'B', ['B+', 'B', 'B-']],
  ['1:0', '1:0', ['10', '1:0', '0:1']],
  ['10 percent', undefined, ['10', '10%']],
  ['10 please', '10', ['10', '10%']],
  ['C sharp', undefined, ['C', 'C#']],
  ['5kg', '5 kg', ['5 kg', '10 kg']],
  ['cancel', '❌ Cancel', ['❌ Cancel', '✅ OK']],
  ['❌ red', undefined, ['Red', 'Blue']],
  ['احمد', 'أحمد', ['أحمد', 'محمد']],
  ['AC/DC', 'AC/DC', ['AC/DC', 'ABBA']],
  ['Yes!', 'Yes', ['Yes', 'No']],
  // Full width, emoji and invisible characters.
  ['Ｃ', 'C', ['C', 'D']],
  ['👍🏽', '👍', ['👍', '👎']],
  ['❤', '❤️', ['❤️', '💔']],
  ['👨‍👩‍👧', '👨‍👩‍👧', ['👨', '👨‍👩‍👧']],
  ['\u200bTea\ufeff', 'Tea', ['Tea', 'Coffee']],
  ['می خواهم', 'می خواهم', ['می خواهم', 'نه']],
  // The exact label first; what fits two options is neither.
  ['resumé', 'resumé', ['résumé', 'resumé']],
  ['resume', undefined, ['résumé', 'resumé']],
  ['US', 'US', ['us', 'US']],
  ['blue or dark blue', undefined, ['blue', 'dark blue']],
  ['the dark blue one', 'dark blue', ['blue', 'dark blue']],
  // Numbers of the list.
  ['2️⃣', 'b', ['a', 'b']],
  ['२', 'b', ['a', 'b']],
  ['1', undefined, ['5', '10']],
  ['option 2', '10', ['5', '10']],
  // Words of other options, and of most sentences.
  ['anti-red', undefined, ['Red', 'Blue']],
  ['fe male', undefined, ['Male', 'Other']],
  ['stop subscription', undefined, ['Subscription', 'Other']],
  ['a', undefined, ['Sign up for a plan', 'Cancel']],
  ['I', undefined, ['I agree', 'No']],
  ['A', 'Vitamin A', ['Vitamin A', 'Vitamin B']],
  ['in', 'Sign in', ['Sign in', 'Sign out']],
  ['tell us', undefined, ['US', 'UK']],
  ['to the US', 'US', ['US', 'UK']],
  ['I like it', undefined, ['IT', 'HR']],
  ['it please', 'IT', ['IT', 'HR']],
  ['option a', 'A', ['A', 'B']],
  ['a b', undefined, ['A', 'B']],
  // A number with a limit or more words is another number.
  ['more than 5', undefined, ['5', '10']],
  ['under 5 kg', undefined, ['5 kg', '10 kg']],
  ['5 or more', undefined, ['5', '10']],
  ['mindestens 5', undefined, ['5', '10']],
  ['über 5', undefined, ['5', '10']],
  ['more than 5', 'More than 5', ['5', 'More than 5']],
  ['5 million', undefined, ['5', '10']],
  ['5 and a half', undefined, ['5', '10']],
  ['twenty 5', undefined, ['5', '10']],
])('reads the choice %j as %j of %j', (answer, value, labels) => {
  expect(one(answer, ...labels)).toBe(value)
})

test.each([
  ...['not red wine', 'anything but red wine', 'no red wine', 'without red wine', 'never red wine'],
  ...[
    "I don't want red wine",
    'everything except red wine',
    'other than red wine',
    'red wine-free',
  ],
  ...['nicht red wine', 'kein red wine', 'ohne red wine', 'außer red wine', 'keinen red wine'],
  ...['pas red wine', 'sans red wine', 'sauf red wine', 'tout excepté red wine'],
  ...['sin red wine', 'todo menos red wine', 'excepto red wine', 'ni red wine'],
  ...[
    'não red wine',
    'sem red wine',
    'senza red wine',
    'niet red wine',
    'не red wine',
    'без red wine',
  ],
  ...['everything bar red wine'],
  ...['anything besides red wine', 'leave out red wine', 'remove red wine', 'red wine-free'],
  ...['🚫 red wine', 'I hate red wine', 'not red', 'red wine? no'],
])('does not choose the option that %j negates', (answer) => {
  expect(one(answer, 'Red wine', 'White wine')).toBeUndefined()
  expect(several(answer, 'Red wine', 'White wine')).toBeUndefined()
})

test('chooses options whose own names have a negation', () => {
  const labels = ['Without sugar', 'With sugar', 'No thanks', 'Non-smoking']
  expect(one('without sugar please', ...labels)).toBe('Without sugar')
  expect(one('no thanks', ...labels)).toBe('No thanks')
  expect(one('smoking', ...labels)).toBeUndefined()
  expect(one('sugar', 'Without sugar', 'Milk')).toBeUndefined()
})

test.each([
  ['C++, Java', ['C++', 'Java']],
  ['Tom & Jerry, tea', ['Tom & Jerry', 'Tea']],
  ['tea + C++', ['Tea', 'C++']],
  ['tea, Rock, Pop', ['Tea', 'Rock, Pop']],
  ['tea、java', ['Tea', 'Java']],
  ['tea and not java', undefined],
  ['everything but tea', undefined],
])('reads the choices %j as %j', (answer, values) => {
  expect(several(answer, 'C++', 'C', 'Java', 'Tom & Jerry', 'Tea', 'Rock, Pop')).toEqual(values)
})

test.each([
  ['👍🏽', true],
  ['👍🏿', true],
  ['👎🏻', false],
  ['👍👍', true],
  ['ok👍', true],
  ['ok 👍', true],
  ['yes 👍🏼', true],
  ['ok, thanks', true],
  ['Yes, that is right', true],
  ['No, that is not right', false],
  ['no, on Monday', false],
  ['👍👎', undefined],
  ['no 👍', undefined],
  ['not yes', undefined],
  ['not ok', undefined],
  ['no problem', undefined],
  ['yes, no', undefined],
  ["don't cancel", undefined],
  ['never cancel', undefined],
  ['no, not wrong', undefined],
  ['no, do it', undefined],
  ['no. I agree', undefined],
  ['no, please do', undefined],
  ['no, just go ahead', undefined],
  ['no, continue', undefined],
  ['no, I do not agree', false],
  ['yes, forget it', undefined],
  ['yes, stop', undefined],
  ['yes, continue', true],
  ['yes, but not today', undefined],
  ['No, that is right', undefined],
])('reads the confirmation %j as %j', (answer, value) => {
  expect(confirmationIn(answer)).toBe(value)
})

test('reads no boolean from contradictory words', () => {
  expect(booleanIn('yes yes')).toBe(true)
  expect(booleanIn('yes no')).toBeUndefined()
  expect(booleanIn('sure')).toBeUndefined()
})

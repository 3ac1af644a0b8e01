import { expect, test } from 'vitest'
import { choiceIn, choicesIn, toOptions } from './choices.ts'
import { booleanIn, confirmationIn } from './confirmations.ts'

const one = (answer: string, ...labels: string[]) =>
  choiceIn(answer, toOptions(labels))?.value
const several = (answer: string, ...labels: string[]) =>
  choicesIn(answer, toOptions(labels))?.map(({ value }) => value)

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
  // Parts of other words.
  ...[
    'un subscribe',
    'un-subscribe',
    're subscribe',
    'non-subscribe',
    'Subscribe-only',
  ].map((answer): [string, undefined, string[]] => [
    answer,
    undefined,
    ['Subscribe', 'Help'],
  ]),
  ['infra-red', undefined, ['Red', 'Blue']],
  ['Berlin-Mitte', undefined, ['Berlin', 'Bern']],
  ['dark-blue', 'Dark blue', ['Blue', 'Dark blue']],
  ['wi-fi', 'Wi-Fi', ['Wi-Fi', 'LAN']],
  // Amounts, and numbers of other options.
  ...['2 red', 'two red', 'red x2', 'red 2', 'zwei red', 'red, 3 of them', '1.5 red'].map(
    (answer): [string, undefined, string[]] => [
      answer,
      undefined,
      ['Red', 'Blue', 'Green'],
    ],
  ),
  ['1 red', 'Red', ['Red', 'Blue']],
  ['one red please', 'Red', ['Blue', 'Red']],
  ['2. Blue', 'Blue', ['Red', 'Blue']],
  ['option 2: Blue', 'Blue', ['Red', 'Blue']],
  ['1. Blue', 'Blue', ['Red', 'Blue']],
  ['3 nights max', undefined, ['2 nights', '3 nights']],
  ['1-2 nights', undefined, ['1 night', '2 nights']],
  ['10:00 pm', undefined, ['9:00', '10:00']],
  // Positions in words.
  ...[
    'two',
    'number two',
    'option two',
    'the second one',
    '2nd',
    'zweite',
    'deuxième',
    'segundo',
  ].map((answer): [string, string, string[]] => [answer, 'b', ['a', 'b', 'c']]),
  ...['the last one', 'third', 'drei', 'последний', '第三个', '三番目', 'üçüncü'].map(
    (answer): [string, string, string[]] => [answer, 'c', ['a', 'b', 'c']],
  ),
  ['the fourth', undefined, ['a', 'b', 'c']],
  ['zero', undefined, ['a', 'b']],
  ['not the second one', undefined, ['a', 'b']],
  // Questions.
  ['is red sold out?', undefined, ['Red', 'Blue']],
  ['why red?', undefined, ['Red', 'Blue']],
  ['can I have red?', 'Red', ['Red', 'Blue']],
  ['red?', 'Red', ['Red', 'Blue']],
  ['thirteen red', undefined, ['Red', 'Blue']],
  ['einundzwanzig red', undefined, ['Red', 'Blue']],
  // One error in a word of five letters or more, and the beginning of a name.
  ['choclate', 'Chocolate', ['Chocolate', 'Vanilla']],
  ['Chocolatte, please', 'Chocolate', ['Chocolate', 'Vanilla']],
  ['vanlila', 'Vanilla', ['Chocolate', 'Vanilla']],
  ['vanilka ice crem', 'Vanilla ice cream', ['Vanilla ice cream', 'Cone']],
  ['vanila ice craem', 'Vanilla ice cream', ['Vanilla ice cream', 'Cone']],
  ['Munchn', 'München', ['München', 'Berlin']],
  ['москав', 'Москва', ['Москва', 'Тверь']],
  ['choc', 'Chocolate', ['Chocolate', 'Vanilla']],
  ['wed', 'Wednesday', ['Monday', 'Wednesday']],
  ['hous', undefined, ['House', 'Hours']],
  ['summar', undefined, ['Summer', 'Summary']],
  ['ber', undefined, ['Berlin', 'Bern']],
  ['berl', 'Berlin', ['Berlin', 'Bern']],
  ['tee', undefined, ['Tea', 'Milk']],
  ['amoral', undefined, ['Moral', 'Other']],
  ['blue', undefined, ['Blau', 'Rot']],
  ['model 301', undefined, ['Model 300', 'Model 302']],
  ['plan c', undefined, ['Plan A', 'Plan B']],
  ['not', undefined, ['Nothing', 'All']],
  ['nope', undefined, ['Nopeville', 'All']],
  ['yes', undefined, ['Yesterday', 'Today']],
  ['the', undefined, ['Theatre', 'Cinema']],
  ['東京都北区役所', undefined, ['東京都港区役所', '大阪市役所']],
  ['cancle', 'Cancel', ['Cancel', 'Continue']],
  ['can', undefined, ['Cancel', 'Continue']],
  ['witout milk', 'Without milk', ['With milk', 'Without milk']],
  ['checkin', 'Check-in', ['Check-in', 'Check-out']],
  ['pick up', 'Pickup', ['Delivery', 'Pickup']],
  ['1 23', undefined, ['12 3', '4']],
  ['smok', undefined, ['Smoking not allowed', 'Other']],
  ['thirteen', '13', ['13', '14']],
  ['einundzwanzig', '21', ['21', '22']],
  ['two', '2', ['1', '3', '2']],
  ['not choclate', undefined, ['Chocolate', 'Vanilla']],
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
  'not red wine',
  'anything but red wine',
  'no red wine',
  'without red wine',
  'never red wine',
  "I don't want red wine",
  'everything except red wine',
  'other than red wine',
  'red wine-free',
  'nicht red wine',
  'kein red wine',
  'ohne red wine',
  'außer red wine',
  'keinen red wine',
  'pas red wine',
  'sans red wine',
  'sauf red wine',
  'tout excepté red wine',
  'sin red wine',
  'todo menos red wine',
  'excepto red wine',
  'ni red wine',
  'não red wine',
  'sem red wine',
  'senza red wine',
  'niet red wine',
  'не red wine',
  'без red wine',
  'everything bar red wine',
  'anything besides red wine',
  'leave out red wine',
  'remove red wine',
  'red wine-free',
  '🚫 red wine',
  'I hate red wine',
  'not red',
  'red wine? no',
])('does not choose the option that %j negates', (answer) => {
  expect(one(answer, 'Red wine', 'White wine')).toBeUndefined()
  expect(several(answer, 'Red wine', 'White wine')).toBeUndefined()
})

test('takes "un" for an article in the languages that have it', () => {
  const options = toOptions(['Café', 'Thé'])
  expect(choiceIn('un café', options, 'fr-CA')?.value).toBe('Café')
  expect(choiceIn('un café', options, 'en')).toBeUndefined()
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
  expect(several(answer, 'C++', 'C', 'Java', 'Tom & Jerry', 'Tea', 'Rock, Pop')).toEqual(
    values,
  )
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
  ["no, that's fine", undefined],
  ['ok, no', undefined],
  ['maybe', undefined],
  ['not sure', undefined],
  ['yes and no', undefined],
  ['no problem', undefined],
  ...[
    'sure why not',
    'Sure, why not',
    'definitely',
    "that's correct",
    'yup',
    'yesss',
    'yes I do',
  ].map((answer): [string, boolean] => [answer, true]),
  ...[
    'klar',
    'na klar',
    'ja gerne',
    'auf jeden Fall',
    'bien sûr',
    "d'accord",
    'claro que sí',
    'vale',
  ].map((answer): [string, boolean] => [answer, true]),
  ...[
    'com certeza',
    'va bene',
    'natuurlijk',
    'tak',
    'jasne',
    'да, конечно',
    'хорошо',
    'evet',
    'tamam',
  ].map((answer): [string, boolean] => [answer, true]),
  ...[
    'はい',
    'はい、お願いします',
    '是的',
    '好',
    '可以',
    'نعم',
    'أكيد',
    'जी हाँ',
    'ठीक है',
    '네',
    '☑️',
  ].map((answer): [string, boolean] => [answer, true]),
  ...[
    'nope',
    'not really',
    'no way',
    'absolutely not',
    'of course not',
    "I don't think so",
    'nooo',
  ].map((answer): [string, boolean] => [answer, false]),
  ...[
    'niemals',
    'lieber nicht',
    'auf keinen Fall',
    'pas du tout',
    'claro que no',
    'para nada',
  ].map((answer): [string, boolean] => [answer, false]),
  ...[
    'de jeito nenhum',
    'no grazie',
    'nee bedankt',
    'nie, dziękuję',
    'нет, спасибо',
    'hayır',
  ].map((answer): [string, boolean] => [answer, false]),
  ...[
    'istemiyorum',
    'いいえ',
    '不是',
    '不要',
    'لا شكرا',
    'كلا',
    'नहीं',
    'जी नहीं',
    '아니요',
  ].map((answer): [string, boolean] => [answer, false]),
])('reads the confirmation %j as %j', (answer, value) => {
  expect(confirmationIn(answer)).toBe(value)
})

test('reads no boolean from contradictory words', () => {
  expect(booleanIn('yes yes')).toBe(true)
  expect(booleanIn('yes no')).toBeUndefined()
  expect(booleanIn('sure')).toBeUndefined()
  expect(booleanIn('нет')).toBe(false)
  expect(booleanIn('是')).toBe(true)
})

// Which questions a curated answer answers. Stems come from the database (curated-answers.test.ts); here,
// a plural is the only other form.
import { expect, test } from 'vitest'
import {
  type KnownQuestion,
  matchMisspelt,
  matchText,
  matchWords,
  toKnownQuestions,
} from './matching.ts'
import { readQuestion } from './questions.ts'
import { findWordList } from './word-lists.ts'

const stem = (word: string) => word.replace(/s$/, '')
const read = (text: string, language: string) => {
  const question = readQuestion(text, language)
  return { ...question, stems: question.content.map(stem) }
}

/** Returns how the text matches one of the questions. */
async function match(text: string, questions: string[], language = 'english') {
  const known = toKnownQuestions(
    questions.map(
      (each, at): KnownQuestion => ({
        ...read(each, language),
        answerId: `${at}`,
        text: each,
      }),
    ),
  )
  const asked = read(text, language)
  const all = () => true
  const found =
    matchText(known, asked, all) ??
    matchWords(known, asked, all) ??
    matchMisspelt(known, asked, all, await findWordList(language))
  return found && `${found.kind} ${found.question.answerId}`
}

test.each([
  ['When are you open?', 'When are you open?', 'equal'],
  ['WHEN ARE YOU OPEN', 'When are you open?', 'equal'],
  ['  when   are you open ?!', 'When are you open?', 'equal'],
  ['When is it open', 'When are you open?', 'words'],
  ['Hello, when are you open please?', 'When are you open?', 'words'],
  ['What are your opening hours?', 'Opening hours', 'words'],
  ["What's the return policy?", 'The return policy?', 'words'],
  ['How can an item be returned', 'How be an item returned?', 'words'],
  ['Are you open on Sundays?', 'Open on Sunday?', 'words'],
  ['On Sundays, are you open?', 'Are you open on Sundays?', 'words'],
  ["Don't you deliver?", 'Do you not deliver?', 'words'],
  ['When are you oepn?', 'When are you open?', 'misspelt'],
  ['Wen are you open', 'When are you open?', 'misspelt'],
  ['wehn are yuo open', 'When are you open?', 'misspelt'],
  ['Wen are you opne?', 'When are you open?', 'misspelt'],
  ['When are you opn?', 'When are you open?', 'misspelt'],
  ['Is there prking?', 'Is there parking?', 'misspelt'],
  ['Do you offer accomodation?', 'Do you offer accommodation?', 'misspelt'],
  ['What is your favourite restaraunt?', 'Your favourite restaurant', 'misspelt'],
  ['How much is the shiping?', 'How much is shipping?', 'misspelt'],
])('“%s” is answered by “%s”: %s', async (asked, known, kind) => {
  expect(await match(asked, [known])).toBe(`${kind} 0`)
})

test.each([
  ['When are you open on Sundays?', 'When are you open?'],
  ['When are you open?', 'When are you open on Sundays?'],
  ['When are you not open?', 'When are you open?'],
  ["When aren't you open?", 'When are you open?'],
  ['Why cant I return it?', 'Why can I return it?'],
  ['Where are you open?', 'When are you open?'],
  ['Are you open?', 'When are you open?'],
  ['What do you deliver?', 'Do you deliver?'],
  ['How do you deliver?', 'Do you deliver?'],
  ['Do you charge for packing?', 'Do you charge for parking?'],
  ['Do you sell pots?', 'Do you sell posts?'],
  ['Do you sell boots?', 'Do you sell books?'],
  ['How much is shopping?', 'How much is shipping?'],
  ['Do you deliver to Australia?', 'Do you deliver to Austria?'],
  ['Are you open on Monday?', 'Are you open on Sunday?'],
  ['Is Monday closed?', 'Is Sunday closed?'],
  ['Can I call you?', 'Can you call me?'],
  ['Is there a train from Graz to Vienna?', 'Is there a train from Vienna to Graz?'],
  ['Is the Vienna to Graz train late?', 'Is the Graz to Vienna train late?'],
  ['Can I pay without a card?', 'Can I pay with a card?'],
  ['Can I come before 9?', 'Can I come after 9?'],
  ['Is room 12 free?', 'Is room 21 free?'],
  ['Are you open from 9 to 5?', 'Are you open from 5 to 9?'],
  ['Is it included?', 'What is wheat?'],
  ['Is wheat included?', 'What is included?'],
  ['Must I pay?', 'Can I pay?'],
  ['Do you have tea and coffee?', 'Do you have tea or coffee?'],
  ['', 'When are you open?'],
  ['???', 'When are you open?'],
  ['Are you there?', 'Is it that?'],
  ['constructor', 'When are you open?'],
])('“%s” is not answered by “%s”', async (asked, known) => {
  expect(await match(asked, [known])).toBe(null)
})

test('a misspelling that could be two questions matches none', async () => {
  expect(
    await match('Do you sell hoise?', ['Do you sell houses?', 'Do you sell noise?']),
  ).toBe(null)
  expect(await match('Is there parkng?', ['Is there parking?', 'Is there food?'])).toBe(
    'misspelt 0',
  )
})

test.each([
  ['german', 'Wann haben Sie geöffnet', 'Wann habt ihr geoffnet?', null],
  ['german', 'WANN HABEN SIE GEÖFFNET', 'Wann haben Sie geöffnet?', 'equal 0'],
  ['german', 'Guten Tag, wann ist bitte geöffnet?', 'Guten Tag wann geöffnet', 'words 0'],
  ['german', 'Wann ist geöfnet?', 'Wann ist geöffnet?', 'misspelt 0'],
  ['german', 'Wann ist nicht geöffnet?', 'Wann ist geöffnet?', null],
  ['german', 'Wann ist sonntags geöffnet?', 'Wann ist geöffnet?', null],
  ['french', 'À quelle heure ouvrez-vous ?', 'A quelle heure ouvrez vous', 'equal 0'],
  ['french', 'Le train de Paris à Lyon', 'Le train de Lyon à Paris', null],
  ['spanish', '¿Cuándo abren?', 'Cuando abren', 'equal 0'],
  ['spanish', '¿Cuándo no abren?', '¿Cuándo abren?', null],
  ['simple', '営業時間は?', '営業時間は？', 'equal 0'],
  ['simple', '日曜の営業時間は?', '営業時間は？', null],
])('in %s, “%s” and “%s”: %s', async (language, asked, known, expected) => {
  expect(await match(asked, [known], language)).toBe(expected)
})

test('compares a question with 5,000 others in a few milliseconds', async () => {
  const many = Array.from(
    { length: 5_000 },
    (_, n) => `What is product ${n} and its colour ${n}?`,
  )
  const from = performance.now()
  expect(await match(`${'colour '.repeat(200)}`, many)).toBe(null)
  expect(performance.now() - from).toBeLessThan(5_000)
})

import { Readable } from 'node:stream'
import { detectFormat, openExtraction } from '@botstead/extraction'
import { afterAll, expect, test } from 'vitest'
import { classify } from './classes.ts'
import { type Company, readCompanies, toOneLine } from './companies.ts'
import { buildFiles } from './documents/files.ts'
import { type Answer, findSources } from './visitor.ts'

const extraction = openExtraction({ memoryMb: 384, timeoutMs: 60_000 })
afterAll(() => extraction.close())

const companies = await readCompanies()

test('has ten companies with 5 to 15 documents and 30 questions', () => {
  expect(companies.length).toBe(10)
  for (const { id, documents, questions } of companies) {
    const kinds = ['plain', 'words', 'misspelt', 'none'].map(
      (wanted) => questions.filter(({ kind }) => kind === wanted).length,
    )
    expect([id, ...kinds]).toEqual([id, 9, 9, 6, 6])
    const count = Object.keys(documents).length
    expect(count).toBeGreaterThanOrEqual(5)
    expect(count).toBeLessThanOrEqual(15)
  }
})

test.each(companies.map((company) => [company.id, company] as const))(
  'builds files of %s in which the server reads the answers',
  async (_, company) => {
    const texts = new Map<string, string>()
    for (const { name, content, contentType } of buildFiles(company)) {
      const { passages } = await extraction.extract(
        {
          format: detectFormat(contentType)!,
          size: content.length,
          title: name,
          configuration: null,
        },
        Readable.from([content]),
      )
      const all = passages.flatMap(({ headings, content }) => [...headings, content])
      texts.set(name, toOneLine(all.join(' ')))
    }
    for (const { id, has, documents } of company.questions)
      for (const name of documents) expect(texts.get(name), id).toMatch(has!)
  },
)

const company: Company = {
  id: 'shop',
  name: 'Shop',
  language: 'en',
  navigation: [],
  footer: '',
  documents: { 'hours.md': '', 'hours-faq.md': '' },
  questions: [],
}
const question = {
  id: 'shop/plain/1',
  kind: 'plain',
  text: 'When?',
  has: /9 to 5/iu,
  documents: ['hours.md'],
} as const
const unanswerable = { ...question, kind: 'none', has: null, documents: [] } as const
const say = (text: string, rest: Partial<Answer> = {}): Answer => ({
  text,
  buttons: [],
  isUnanswered: false,
  ...rest,
})
const rightAnswer = say('From 9\nto 5.\n\nSource: hours')
const visitor = {
  ask: async () => say(''),
  click: async (_: string, button: string) =>
    button === 'hours' ? rightAnswer : say('Hm.'),
}

test.each<[string, typeof question | typeof unanswerable, Answer, string]>([
  ['the expected text', question, rightAnswer, 'right'],
  ['the expected text without a source', question, say('9 to 5'), 'right'],
  ['the text of another document', question, say('9 to 5\nSource: hours-faq'), 'wrong'],
  ['another text', question, say('8 to 4\nSource: hours'), 'wrong'],
  ['any text without a right answer', unanswerable, rightAnswer, 'wrong'],
  [
    'a message that is marked as unanswered',
    question,
    say('9 to 5', { isUnanswered: true }),
    'refused',
  ],
  ['a text that says so', unanswerable, say('I don’t know that.'), 'refused'],
  [
    'a button to the right answer',
    question,
    say('?', { buttons: ['x', 'hours'] }),
    'askedBack',
  ],
  [
    'buttons to other answers',
    question,
    say('?', { buttons: ['x', 'y'] }),
    'askedInVain',
  ],
])('classifies %s', async (_, asked, answer, expected) => {
  expect(
    await classify(answer, {
      question: { ...asked, documents: [...asked.documents] },
      company,
      visitor,
    }),
  ).toBe(expected)
})

test('finds the documents that an answer names', () => {
  const documents = ['hours.md', 'hours-faq.md']
  expect(findSources(say('hours\nSource: hours-faq'), documents)).toEqual([
    'hours-faq.md',
  ])
  expect(findSources(say('Source: hours.md'), documents)).toEqual(['hours.md'])
  expect(findSources(say('The hours'), documents)).toEqual([])
})

// Tables of the answers and searches.
import { printTable } from '../report.ts'
import { type Class, orderNames, type Positions } from './classes.ts'
import type { Kind } from './companies.ts'

export interface Result {
  id: string
  language: string
  kind: Kind
  question: string
  /** Regular expression of a right answer; null if no document answers the question. */
  expected: string | null
  documents: string[]
  class: Class
  /** Score of the best passage. */
  score: number | null
  positions: Positions
  answer: string
  buttons: string[]
}

type Group = [name: string, results: Result[]]

const isAnswerable = ({ kind }: Result) => kind !== 'none'
const toCompany = ({ id }: Result) => id.slice(0, id.indexOf('/'))

export const toPercent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`

/** Returns the share of each list of classes. */
const shares = (results: Result[], ...classes: Class[][]) =>
  classes.map((wanted) =>
    toPercent(
      results.filter((each) => wanted.includes(each.class)).length,
      results.length,
    ),
  )

function toLanguages(results: Result[]): Group[] {
  const isEnglish = ({ language }: Result) => language === 'en'
  return [
    ['**English**', results.filter(isEnglish)],
    ['**other languages**', results.filter((each) => !isEnglish(each))],
    ['**all**', results],
  ]
}

const toCompanies = (results: Result[]): Group[] =>
  [...new Set(results.map(toCompany))].map((company) => {
    const own = results.filter((each) => toCompany(each) === company)
    return [`${company} (${own[0]!.language})`, own]
  })

export function printAnswers(title: string, results: Result[], notes: string[]) {
  const answered: Class[] = ['right', 'askedBack', 'askedInVain', 'wrong']
  printTable(
    `${title}: ${results.length} questions`,
    [
      '',
      'right',
      'asked back, with the right answer',
      'asked back in vain',
      'refused, with a button to the right answer',
      'refused',
      'wrong',
      'unanswerable: refused',
      'unanswerable: answered or asked back',
    ],
    [...toCompanies(results), ...toLanguages(results)].map(([name, own]) => [
      name,
      ...shares(
        own.filter(isAnswerable),
        ['right'],
        ['askedBack'],
        ['askedInVain'],
        ['suggested'],
        ['refused'],
        ['wrong'],
      ),
      ...shares(
        own.filter((each) => !isAnswerable(each)),
        ['refused'],
        answered,
      ),
    ]),
    notes,
  )
}

const kinds: [Kind, string][] = [
  ['plain', 'in words of the document'],
  ['words', 'in other words'],
  ['misspelt', 'misspelt'],
]

export function printKinds(title: string, results: Result[]) {
  printTable(
    title,
    [
      '',
      'right',
      'asked back, with the right answer',
      'refused, with a button to the right answer',
      'refused',
      'wrong',
    ],
    kinds.map(([kind, name]) => [
      name,
      ...shares(
        results.filter((each) => each.kind === kind),
        ['right'],
        ['askedBack'],
        ['suggested'],
        ['refused'],
        ['askedInVain', 'wrong'],
      ),
    ]),
  )
}

/** For each order of the passages, whether the first, or one of the first five, is right. */
export function printSearch(title: string, results: Result[]) {
  const orders = orderNames.filter((name) =>
    results.some(({ positions }) => name in positions),
  )
  const answerable = toLanguages(results.filter(isAnswerable))
  printTable(
    title,
    ['', ...answerable.flatMap(([name]) => [`${name}: first is right`, 'one of five'])],
    orders.map((order) => [
      order,
      ...answerable.flatMap(([, own]) =>
        [1, 5].map((limit) => {
          const isFound = ({ positions }: Result) => (positions[order] ?? limit) < limit
          return toPercent(own.filter(isFound).length, own.length)
        }),
      ),
    ]),
  )
}

// The companies of bench/answers: their documents and questions.
import { readdir, readFile } from 'node:fs/promises'
import { parse } from 'yaml'

const kinds = ['plain', 'words', 'misspelt', 'none'] as const
/** `words`: in other words than the document; `none`: no document answers it. */
export type Kind = (typeof kinds)[number]

export interface Question {
  /** `<company>/<kind>/<position>` */
  id: string
  kind: Kind
  text: string
  /** Matches a right answer; null if none of the documents answers the question. */
  has: RegExp | null
  /** Names of the documents that answer it. */
  documents: string[]
}

export interface Company {
  id: string
  name: string
  language: string
  navigation: string[]
  footer: string
  /** Source of each document by file name. */
  documents: Record<string, string>
  questions: Question[]
}

interface QuestionSource {
  q: string
  has?: string
  doc?: string | string[]
}
type CompanySource = Omit<Company, 'id' | 'questions'> & {
  questions: Record<Kind, QuestionSource[]>
}

const folder = new URL('../../answers/', import.meta.url)

/** Throws if an expectation does not match its document. */
export async function readCompanies(): Promise<Company[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    names.map(async (name) => {
      const source = parse(await readFile(new URL(name, folder), 'utf8')) as CompanySource
      const id = name.replace('.yaml', '')
      const questions = kinds.flatMap((kind) =>
        source.questions[kind].map((each, n) =>
          toQuestion(`${id}/${kind}/${n + 1}`, kind, each),
        ),
      )
      const company = { ...source, id, questions }
      for (const question of questions) verify(company, question)
      return company
    }),
  )
}

const toQuestion = (
  id: string,
  kind: Kind,
  { q, has, doc = [] }: QuestionSource,
): Question => ({
  id,
  kind,
  text: q,
  has: has === undefined ? null : new RegExp(has, 'iu'),
  documents: [doc].flat(),
})

function verify({ documents }: Company, { id, kind, has, documents: named }: Question) {
  if ((kind === 'none') !== (has === null))
    throw new Error(`${id}: \`has\` does not fit its kind`)
  for (const name of named)
    if (!has?.test(toOneLine(documents[name] ?? '')))
      throw new Error(`${id}: no text of ${name} matches ${has}`)
}

export const toOneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

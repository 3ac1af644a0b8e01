// Classes of answers, and how a search alone does.
import type { Client } from '@botstead/client'
import { type Company, type Question, toOneLine } from './companies.ts'
import { type Answer, findSources, isMatch, type Visitor } from './visitor.ts'

/**
 * `askedBack`: a button leads to the right answer; `askedInVain`: none does; `suggested`: refused, but a
 * button leads to the right answer.
 */
export type Class =
  | 'right'
  | 'askedBack'
  | 'askedInVain'
  | 'suggested'
  | 'refused'
  | 'wrong'

/** More buttons are not tried. */
const maxButtons = 5

/** Texts of bots that cannot answer, for messages that are not marked as unanswered. */
const refusal =
  /\b(don.t|do not|didn.t|did not) (know|find)|\b(can.?t|cannot|couldn.t|could not) (answer|find)|found nothing/i

export async function classify(
  answer: Answer,
  {
    question,
    company,
    visitor,
  }: { question: Question; company: Company; visitor: Visitor },
): Promise<Class> {
  const leadsToRight = async () => {
    for (const button of answer.buttons.slice(0, maxButtons))
      if (isRight(await visitor.click(question.text, button), question, company))
        return true
    return false
  }
  if (answer.isUnanswered || refusal.test(answer.text))
    return (await leadsToRight()) ? 'suggested' : 'refused'
  if (isRight(answer, question, company)) return 'right'
  if (answer.buttons.length === 0) return 'wrong'
  return (await leadsToRight()) ? 'askedBack' : 'askedInVain'
}

/** A source that the answer names must be a right document. */
function isRight(
  answer: Answer,
  { has, documents }: Question,
  company: Company,
): boolean {
  if (!has || !isMatch(answer, has)) return false
  const sources = findSources(answer, Object.keys(company.documents))
  return sources.length === 0 || sources.some((name) => documents.includes(name))
}

const orders = {
  'by words': 'wordScore',
  'by meaning': 'vectorScore',
  merged: 'score',
} as const
type Order = keyof typeof orders
export const orderNames = Object.keys(orders) as Order[]

/** The positions of the first right passage; null: none of the found passages is right. */
export type Positions = Partial<Record<Order, number | null>>

const searched = 20

/** Searches as the page "Try a question" does. Orders without a score are absent. */
export async function search(
  client: Client,
  { text, has, documents }: Question,
): Promise<{ score: number | null; positions: Positions }> {
  const { passages } = await client.platform.explainSearch({
    query: { query: text, limit: searched },
  })
  const positions: Positions = {}
  for (const [name, score] of Object.entries(orders)) {
    if (!passages.some((passage) => passage[score] !== undefined)) continue
    const sorted = passages.toSorted((a, b) => (b[score] ?? 0) - (a[score] ?? 0))
    const at = sorted.findIndex(
      ({ content, headings, fileKey }) =>
        has?.test(toOneLine([...headings, content].join(' '))) &&
        documents.some((document) => fileKey.endsWith(`/${document}`)),
    )
    positions[name as Order] = at === -1 ? null : at
  }
  return { score: passages[0]?.score ?? null, positions }
}

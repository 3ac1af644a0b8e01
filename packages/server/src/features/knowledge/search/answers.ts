// Answers a question from files without a language model: with the sentence, table row or list that answers
// it, and with other answers where the two best are equally likely. A heading as the question, as a button
// sends it, is answered by its section.
import type { FoundAnswer, FoundAnswers } from '@botstead/contract'
import {
  detectLanguage,
  plainText,
  type Subtype,
  searchableWords,
} from '@botstead/extraction'
import { defaultMinScore } from '@botstead/flows'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { FileFilter } from '../../../core/files/index.ts'
import { asksForAmount, lacksAmount, type Rating, toAnswerText } from './answer-text.ts'
import { findInSteps, type Rankers, type SearchSteps } from './fusion.ts'
import { findMinScores } from './knowledge-bases.ts'
import type { Evidence } from './relevance.ts'
import { findLexemes } from './words/terms.ts'

interface Question extends FileFilter {
  query: string
  /** For knowledge bases without a minimum score. */
  minScore?: number | undefined
}

const candidates = 20
/** Answers and suggestions. */
const maxAnswers = 3
/** Of the questions with a lower best score, few have their answer among the best three sections. */
const suggestedScore = 0.05
const maxText = 1_000
/** Factor for a passage without the number or time that the question asks for. */
const doubt = 0.6

export async function findAnswers(
  db: Db,
  botId: string,
  { query, viewer, tags, minScore = defaultMinScore }: Question,
  rankers: Rankers,
): Promise<FoundAnswers> {
  const [steps, language, minScores] = await Promise.all([
    findInSteps(db, botId, { query, viewer, tags, limit: candidates }, rankers),
    detectLanguage(query),
    findMinScores(db, botId),
  ])
  const passages = await listPassages(db, botId, steps)
  const isLikely = ({ score, tags }: Candidate) =>
    score >= (minScores.get(tags.kbId ?? '') ?? minScore)
  const likely = passages
    .map((one) =>
      lacksAmount(query, one.content) ? { ...one, score: one.score * doubt } : one,
    )
    .filter(isLikely)
    .sort((a, b) => b.score - a.score)
  const named = passages.filter((one) => isHeading(query, one))
  const toSections = (found: Candidate[]) =>
    groupBySection(found).map((group) => toAnswer(group, toBody))
  const rest = { suggestions: [], language, bestScore: passages[0]?.score ?? 0 }
  if (named.length > 0) return { answers: toSections(named), ...rest }
  if (likely.length > 0) {
    const rate = await toRating(db, botId, query, steps, likely)
    const toText = (one: Candidate) => toPart(one, rate)
    return { answers: toGroups(likely).map((group) => toAnswer(group, toText)), ...rest }
  }
  const possible = passages.filter(({ score }) => score >= suggestedScore)
  return { ...rest, answers: [], suggestions: toSections(possible) }
}

interface Candidate {
  file_id: string
  position: number
  subtype: Subtype
  page: number | null
  headings: string[]
  content: string
  body_start: number
  key: string
  tags: Record<string, string>
  score: number
  evidence: Evidence | undefined
}

/** Returns the passages of a search that have a text, not only headings. */
async function listPassages(
  db: Db,
  botId: string,
  { final }: SearchSteps,
): Promise<Candidate[]> {
  if (final.length === 0) return []
  const { rows } = await sql<Omit<Candidate, 'score' | 'evidence'> & { n: number }>`
    select hit.n::int as n, p.file_id, p.position, p.subtype, p.page, p.headings, p.content,
      p.body_start, file.key, file.tags
    from unnest(${final.map(({ fileId }) => fileId)}::text[],
      ${final.map(({ position }) => position)}::int[]) with ordinality hit (file_id, position, n)
    join passage p on p.bot_id = ${botId} and p.file_id = hit.file_id and p.position = hit.position
    join file on file.bot_id = p.bot_id and file.id = p.file_id
    where length(p.content) > p.body_start
    order by hit.n`.execute(db)
  return rows.map(({ n, ...row }) => {
    const { score, evidence } = final[n - 1]!
    return { ...row, score, evidence }
  })
}

/** The headings of a passage: its section. */
const toSection = ({ headings, content, body_start }: Candidate): string[] => [
  ...headings,
  ...content.slice(0, body_start).split('\n').filter(Boolean),
]
const toKey = (one: Candidate) => JSON.stringify([one.file_id, ...toSection(one)])

const toWords = (text: string) => searchableWords(plainText(text)).join(' ')

/** Whether the question is the passage's heading, also after the one above it. */
function isHeading(query: string, one: Candidate): boolean {
  const section = toSection(one)
  const [words, heading] = [toWords(query), section.at(-1)]
  if (words === '' || heading === undefined) return false
  return words === toWords(heading) || words === toWords(section.slice(-2).join(' '))
}

/** The evidence hardly differs. Rows of a table with the same words differ in length and similarity. */
function isEqual(one: Candidate, other: Candidate): boolean {
  const [a, b] = [one.evidence, other.evidence]
  if (!a || !b || a.words !== b.words || Math.abs(a.coverage - b.coverage) >= 0.02)
    return false
  const isTable = one.subtype === 'table' && other.subtype === 'table' && a.words > 0
  if (isTable && toKey(one) === toKey(other)) return true
  const isNear = Math.abs((a.similarity ?? 0) - (b.similarity ?? 0)) < 0.04
  return isNear && Math.abs(a.match - b.match) <= 0.03 * a.match
}

/** Returns the best passages by section: rows of a table answer together, other sections instead. */
function toGroups(likely: Candidate[]): Candidate[][] {
  const [best] = likely
  if (!best) return []
  return groupBySection(likely.filter((one) => isEqual(best, one)))
}

function groupBySection(passages: Candidate[]): Candidate[][] {
  const groups = new Map<string, Candidate[]>()
  for (const one of passages) {
    const key = toKey(one)
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].slice(0, maxAnswers)
}

const toBody = ({ content, body_start }: Candidate): string => content.slice(body_start)
const toPart = (one: Candidate, rate: Rating): string =>
  toAnswerText({ subtype: one.subtype, body: toBody(one) }, rate)

function toAnswer(group: Candidate[], toText: (one: Candidate) => string): FoundAnswer {
  const [first] = group
  const { file_id, key, tags, page, content, score } = first!
  const inOrder = group.toSorted((a, b) => a.position - b.position)
  const section = toSection(first!)
  const text = inOrder.map(toText).join('\n').slice(0, maxText).toWellFormed()
  return {
    text,
    score,
    section,
    passage: content,
    fileId: file_id,
    fileKey: key,
    ...(tags.title !== undefined && { title: tags.title }),
    ...(tags.url !== undefined && { url: tags.url }),
    ...(page !== null && { pageNumber: page }),
    ...(tags.kbId !== undefined && { knowledgeBaseId: tags.kbId }),
  }
}

const maxWords = 2_000
/** Value of a sentence with a number or time that the question asks for, beside that of words. */
const amountCounts = 0.6

/** Returns the value of a text: words of the question by their weight, and an amount that it asks for. */
async function toRating(
  db: Db,
  botId: string,
  query: string,
  { byWords: { terms, alike } }: SearchSteps,
  likely: Candidate[],
): Promise<Rating> {
  const wordsIn = (text: string) => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  const words = [
    ...new Set(likely.slice(0, 5).flatMap(({ content }) => wordsIn(content))),
  ]
  const lexemes = await findLexemes(db, botId, words.slice(0, maxWords))
  const wanted = new Map(
    [...alike, ...terms].flatMap((term) =>
      term.lexemes.map((lexeme) => [lexeme, term] as const),
    ),
  )
  return (text) => {
    const found = new Map<number, number>()
    for (const lexeme of wordsIn(text).flatMap((word) => lexemes.get(word) ?? [])) {
      const term = wanted.get(lexeme)
      if (term) found.set(term.group, Math.max(found.get(term.group) ?? 0, term.weight))
    }
    const sum = [...found.values()].reduce((sum, weight) => sum + weight, 0)
    if (lacksAmount(query, text)) return Math.min(0.3 * sum, amountCounts)
    return asksForAmount(query) ? sum + amountCounts : sum
  }
}

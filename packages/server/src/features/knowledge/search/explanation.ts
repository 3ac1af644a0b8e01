// Explains a search: the scores of each step, the words that matched, and the state of the files
// that were searched. It runs the same steps as a search (fusion.ts).
import type { ExplainedPassage, SearchExplanation } from '@botstead/contract'
import { defaultMinScore } from '@botstead/flows'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type FileFilter, fileSearch } from '../../../core/files/index.ts'
import type { CuratedAnswers } from '../curated/ready-answers.ts'
import type { Hit } from './coverage.ts'
import { findInSteps, type Rankers, type SearchSteps } from './fusion.ts'
import { findMinScores } from './knowledge-bases.ts'
import { noReranker } from './reranker.ts'
import { findLexemes, type Term } from './words/terms.ts'

interface ExplainedSearch {
  query: string
  knowledgeBaseId?: string | undefined
  /** Number of passages, 10 by default. */
  limit?: number | undefined
}

interface Explaining extends Rankers {
  curatedAnswers: Pick<CuratedAnswers, 'find'>
}

export async function explainSearch(
  db: Db,
  botId: string,
  { query, knowledgeBaseId, limit = 10 }: ExplainedSearch,
  { curatedAnswers, ...rankers }: Explaining,
): Promise<SearchExplanation> {
  const tags: FileFilter['tags'] = knowledgeBaseId
    ? [['kbId', { in: [knowledgeBaseId] }]]
    : []
  const search = (tags: FileFilter['tags'], limit: number) =>
    findInSteps(db, botId, { query, viewer: null, tags, limit }, rankers)
  const [steps, files, curatedAnswer] = await Promise.all([
    search(tags, limit),
    fileSearch.count(db, botId, { knowledgeBaseId }),
    curatedAnswers.find(db, botId, { question: query }),
  ])
  const isElsewhere = knowledgeBaseId !== undefined && steps.final.length === 0
  const others = isElsewhere ? await search([], 1) : null
  const [elsewhere] = others ? await findPassages(db, botId, others) : []
  return {
    passages: await findPassages(db, botId, steps),
    defaultMinScore,
    terms: toTerms(steps),
    usesVectors: steps.byVector !== null,
    usesReranking: (rankers.reranker ?? noReranker).count > 0,
    files,
    ...(elsewhere && { elsewhere }),
    ...(curatedAnswer && { curatedAnswer }),
  }
}

const toTerms = ({ byWords: { terms, missing, alike } }: SearchSteps) =>
  terms.map(({ word }) => ({
    word,
    isFound: !missing.includes(word),
    replacedBy: alike
      .filter((term) => term.word === word)
      .flatMap(({ lexemes }) => lexemes),
  }))

interface Found {
  n: number
  position: number
  page: number | null
  headings: string[]
  content: string
  key: string
  tags: Record<string, string>
}

async function findPassages(
  db: Db,
  botId: string,
  steps: SearchSteps,
): Promise<ExplainedPassage[]> {
  const { final } = steps
  if (final.length === 0) return []
  const { rows } = await sql<Found>`
    select hit.n::int as n, p.position, p.page, p.headings, p.content, file.key, file.tags
    from unnest(${final.map(({ fileId }) => fileId)}::text[],
      ${final.map(({ position }) => position)}::int[]) with ordinality hit (file_id, position, n)
    join passage p on p.bot_id = ${botId} and p.file_id = hit.file_id and p.position = hit.position
    join file on file.bot_id = p.bot_id and file.id = p.file_id
    order by hit.n`.execute(db)
  const matchedIn = await matcher(db, botId, steps, rows)
  const minScores = await findMinScores(db, botId)
  return rows.map(({ n, key, tags, page, ...row }) => {
    const hit = final[n - 1]!
    const minScore = minScores.get(tags.kbId ?? '')
    return {
      fileId: hit.fileId,
      fileKey: key,
      ...row,
      score: hit.score,
      ...(tags.kbId !== undefined && { knowledgeBaseId: tags.kbId }),
      ...(page !== null && { pageNumber: page }),
      ...(minScore !== undefined && { minScore }),
      ...listScores(steps, hit),
      matched: matchedIn(row),
    }
  })
}

interface DatedPassage {
  passage: ExplainedPassage
  /** Of its file. */
  changedAt: Date
}

/** Returns the best passages of all documents. */
export async function findBestPassages(
  db: Db,
  botId: string,
  search: { query: string; limit: number },
  rankers: Rankers,
): Promise<DatedPassage[]> {
  const steps = await findInSteps(
    db,
    botId,
    { ...search, viewer: null, tags: [] },
    rankers,
  )
  const passages = await findPassages(db, botId, steps)
  if (passages.length === 0) return []
  const files = await db
    .selectFrom('file')
    .select(['id', 'updated_at'])
    .where('bot_id', '=', botId)
    .where('id', 'in', [...new Set(passages.map(({ fileId }) => fileId))])
    .execute()
  const changes = new Map(files.map(({ id, updated_at: at }) => [id, at]))
  return passages.flatMap((passage) => {
    const changedAt = changes.get(passage.fileId)
    return changedAt ? [{ passage, changedAt }] : []
  })
}

/** The score of each step that the passage has passed. */
function listScores({ byWords, byVector, merged }: SearchSteps, hit: Hit) {
  const isSame = ({ fileId, position }: Hit) =>
    fileId === hit.fileId && position === hit.position
  const wordScore = byWords.hits.find(isSame)?.coverage
  const vectorScore = byVector?.find(isSame)?.score
  const mergedScore = merged.find(isSame)?.score
  return {
    ...(wordScore !== undefined && { wordScore }),
    ...(vectorScore !== undefined && { vectorScore }),
    ...(byVector?.length && mergedScore !== undefined && { mergedScore }),
    ...(hit.score !== mergedScore && { rerankScore: hit.score }),
  }
}

const maxWords = 5_000

/** Returns a function for the words of a passage, as written, that have a stem of the question. */
async function matcher(db: Db, botId: string, { byWords }: SearchSteps, rows: Found[]) {
  const wanted = new Set(
    [...byWords.terms, ...byWords.alike].flatMap((term: Term) => term.lexemes),
  )
  const wordsIn = ({ headings, content }: Pick<Found, 'headings' | 'content'>) => [
    ...new Set([...headings, content].join(' ').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []),
  ]
  const words = [...new Set(rows.flatMap(wordsIn))].slice(0, maxWords)
  const lexemes =
    wanted.size > 0 ? await findLexemes(db, botId, words) : new Map<string, string[]>()
  return (row: Pick<Found, 'headings' | 'content'>) =>
    wordsIn(row).filter((word) => lexemes.get(word)?.some((lexeme) => wanted.has(lexeme)))
}

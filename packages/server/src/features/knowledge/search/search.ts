// Finds the passages that share words with a question, and ranks them by BM25: a rare word counts
// more than a common word, a match in a short passage more than in a long passage, and a match in a
// heading more than in the text. vector-search.ts searches by vectors; fusion.ts merges both results.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { type FileFilter, fileStore } from '../../../core/files/index.ts'
import { type Ranked, type WordHit, withCoverage } from './coverage.ts'
import { botLexeme } from './passages.ts'
import type { Lack } from './relevance.ts'
import {
  findTerms,
  joinWithAnd,
  joinWithOr,
  listSynonyms,
  type Term,
  termsLike,
} from './words/terms.ts'

export interface SearchQuery extends FileFilter {
  query: string
  limit: number
}

export interface WordHits {
  /** The best first, by BM25, which is the score. */
  hits: WordHit[]
  /** The words of the question with their index terms. */
  terms: Term[]
  /** Words that no passage contains. */
  missing: string[]
  /** Terms that replaced missing words. */
  alike: Term[]
  lacks: Lack
}

export async function findByWords(
  db: Db,
  botId: string,
  question: SearchQuery,
): Promise<WordHits> {
  const terms = await findTerms(db, botId, question.query)
  const synonyms = await listSynonyms(db, botId, terms)
  const known = [...terms, ...synonyms]
  const first = await rank(db, botId, question, known)
  const missing = terms.filter(
    ({ isSpelling }, n) => !isSpelling && first.counts[n] === 0,
  )
  const replaced = synonyms.filter((_, n) => first.counts[terms.length + n]! > 0)
  const isReplaced = ({ word }: Term) => replaced.some((synonym) => synonym.word === word)
  const alike = await termsLike(
    db,
    botId,
    missing.filter((term) => !isReplaced(term)),
  )
  const all = [...known, ...alike]
  const found = alike.length > 0 ? await rank(db, botId, question, all) : first
  const isMissing = ({ word }: Term) => missing.some((term) => term.word === word)
  const others = [...alike, ...replaced.filter(isMissing)]
  return {
    hits: withCoverage(all, found),
    terms,
    missing: missing.map(({ word }) => word),
    alike: others,
    lacks: findLack(missing, others),
  }
}

/** Other words may replace a name, as for a misspelt one. */
function findLack(missing: Term[], others: Term[]): Lack {
  if (missing.some(({ isCode }) => isCode)) return 'code'
  const isReplaced = (word: string) => others.some((other) => other.word === word)
  return missing.some(({ word, isName }) => isName && !isReplaced(word)) ? 'name' : null
}

/** BM25 parameters: how soon repeated words stop counting, and the influence of the length. */
const saturation = 1.2
const lengthMatters = 0.6
/** Weight of a word in the nearest heading. */
const headingCounts = 3
/** Only this many passages get an exact score: those that match the rarest words. */
const maxExact = 300

async function rank(
  db: Db,
  botId: string,
  { viewer, tags, limit }: SearchQuery,
  terms: Term[],
): Promise<Ranked> {
  if (terms.length === 0) return { hits: [], counts: [], passages: 0 }
  const any = joinWithAnd(
    joinWithOr([botLexeme(botId)]),
    joinWithOr(terms.flatMap(({ lexemes }) => lexemes)),
  )
  const rows = terms.map((term, n) => ({
    n,
    lexemes: term.lexemes,
    weight: term.weight,
    query: joinWithOr(term.lexemes),
  }))
  const { rows: ranked } = await sql<RankedRow>`
    with weight as (
      select ${saturation}::float8 as k, ${lengthMatters}::float8 as b
    ), term as (
      select n, weight, query::tsquery as query,
        array(select jsonb_array_elements_text(lexemes)) as lexemes
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (n integer, lexemes jsonb, weight float8,
        query text)
    ), found as materialized (
      select p.file_id, p.position, array(select n from term where p.words @@ term.query) as has
      from passage p join file on file.bot_id = p.bot_id and file.id = p.file_id
      where p.bot_id = ${botId} and p.words @@ ${any}::tsquery
        and ${fileStore.matchesFilter({ viewer, tags })}
    ), whole as (
      select greatest(sum(passages), 1) as passages,
        greatest(sum(tokens) / greatest(sum(passages), 1), 1) as usual_length from file_index
          where bot_id = ${botId}
    ), counted as (
      select term.*, coalesce(count, 0) as count
      from term left join (select n, count(*) from found cross join lateral unnest(has) n
        group by n) match_count using (n)
    ), valued as (
      select counted.*, weight * ln(1 + greatest(passages - count + 0.5, 0.5) / (count + 0.5)) as value
        from counted, whole
    ), rough as (
      select found.* from found order by (select sum(value) from valued where n = any(found.has)) desc,
        file_id, position limit ${maxExact}
    ), close as (
      select p.file_id, p.position, p.tokens, p.words, rough.has
      from rough join passage p on p.bot_id = ${botId} and p.file_id = rough.file_id
        and p.position = rough.position
    ), scored as (
      select file_id, position, has,
        coalesce(array_agg(n) filter (where is_own), '{}') as own,
        sum(value * times * (k + 1) / (times + k * (1 - b + b * tokens / usual_length))) as score
      from close cross join whole cross join weight join valued on n = any(close.has)
      cross join lateral (
        select sum(case when 'A' = any(at.weights) then ${headingCounts}::int
          else 0 end + cardinality(array_remove(at.weights, 'A')))::float8 as times,
          bool_or(at.weights && '{A,D}') as is_own
        from unnest(close.words) at where at.lexeme = any(valued.lexemes)
      ) occurrences
      group by file_id, position, has
    )
    select (select array_agg(count::float8 order by n) from counted) as counts,
      (select passages::float8 from whole) as passages, best.file_id, best.position, best.has, best.own,
      best.score / (select sum(value) * (k + 1) from valued cross join weight group by k) as score
    from (select 1) one left join (select * from scored order by score desc, file_id, position
      limit ${limit}) best on true
    order by score desc nulls last, file_id, position`.execute(db)
  const [first] = ranked
  return {
    hits: ranked.flatMap(({ file_id: fileId, position, score, has, own }) =>
      fileId === null ? [] : [{ fileId, position, score, has, own }],
    ),
    counts: first?.counts ?? [],
    passages: first?.passages ?? 0,
  }
}

interface RankedRow {
  counts: number[]
  passages: number
  file_id: string | null
  position: number
  score: number
  /** The numbers of the terms that it has. */
  has: number[]
  /** Those of its text and its nearest heading. */
  own: number[]
}

// Finds the passages that share words with a question, and ranks them by BM25: a rare word counts
// more than a common word, a match in a short passage more than in a long passage, and a match in a
// heading more than in the text. vectors.ts searches by vectors; fusion.ts merges both results.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import {
  type FileViewer,
  matchesTags,
  present,
  type TagFilter,
  visibleTo,
} from '../../../core/files/index.ts'
import { botLexeme } from './passages.ts'
import { anyOf, bothOf, isCourtesy, type Term, termsLike, termsOf } from './terms.ts'

export interface Hit {
  fileId: string
  position: number
  /** From 0 to 1; comparable within one search only. */
  score: number
}

export interface SearchQuery {
  query: string
  viewer: FileViewer
  tags: TagFilter
  limit: number
}

export interface WordHits {
  /** The best first. */
  hits: Hit[]
  /** The words of the question with their index terms, without courtesies that no passage contains. */
  terms: Term[]
  /** Words that no passage contains. */
  missing: string[]
  /** Terms that replaced missing words. */
  alike: Term[]
}

export async function findByWords(db: Db, botId: string, question: SearchQuery): Promise<WordHits> {
  const all = await termsOf(db, botId, question.query)
  const found = await rank(db, botId, question, all)
  const needed = all.filter((term) => !isOptional(term)).map(({ word }) => word)
  const missing = found.missing.filter((word) => needed.includes(word))
  const known = all.filter(({ word }) => !found.missing.includes(word))
  const terms = all.filter((term) => known.includes(term) || missing.includes(term.word))
  const alike = missing.length > 0 ? await termsLike(db, botId, missing) : []
  if (alike.length === 0) return { hits: found.hits, terms, missing, alike }
  const { hits } = await rank(db, botId, question, [...known, ...alike])
  return { hits, terms, missing, alike }
}

/** Without it in any passage, a word does not count. */
const isOptional = ({ word, isSpelling }: Term) => isSpelling || isCourtesy(word)

/** BM25 parameters: how soon repeated words stop counting, and the influence of the length. */
const saturation = 1.2
const lengthMatters = 0.6
/** Weight of a word in a heading. */
const headingCounts = 2
/** Only this many passages get an exact score: those that match the rarest words. */
const maxExact = 300

interface Ranked {
  hits: Hit[]
  /** Words that no passage contains. */
  missing: string[]
}

async function rank(
  db: Db,
  botId: string,
  { viewer, tags, limit }: SearchQuery,
  terms: Term[],
): Promise<Ranked> {
  if (terms.length === 0) return { hits: [], missing: [] }
  const any = bothOf(anyOf([botLexeme(botId)]), anyOf(terms.flatMap(({ lexemes }) => lexemes)))
  const rows = terms.map((term, n) => ({
    n,
    lexemes: term.lexemes,
    weight: term.weight,
    optional: isOptional(term),
    query: anyOf(term.lexemes),
  }))
  const { rows: ranked } = await sql<{
    missing: number[] | null
    file_id: string | null
    position: number
    score: number
  }>`
    with weight as (
      select ${saturation}::float8 as k, ${lengthMatters}::float8 as b
    ), term as (
      select n, weight, optional, query::tsquery as query,
        array(select jsonb_array_elements_text(lexemes)) as lexemes
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (n integer, lexemes jsonb, weight float8,
        optional boolean, query text)
    ), found as materialized (
      select p.file_id, p.position, array(select n from term where p.words @@ term.query) as has
      from passage p join file on file.bot_id = p.bot_id and file.id = p.file_id
      where p.bot_id = ${botId} and p.words @@ ${any}::tsquery and ${isSearched({ viewer, tags })}
    ), whole as (
      select greatest(sum(passages), 1) as passages,
        greatest(sum(tokens) / greatest(sum(passages), 1), 1) as usual_length from file_index
          where bot_id = ${botId}
    ), counted as (
      select term.*, coalesce(count, 0) as count
      from term left join (select n, count(*) from found cross join lateral unnest(has) n
        group by n) match_count using (n)
    ), valued as (
      select counted.*, case when optional and count = 0 then 0
        else weight * ln(1 + greatest(passages - count + 0.5, 0.5) / (count + 0.5)) end as value
        from counted, whole
    ), rough as (
      select found.* from found order by (select sum(value) from valued where n = any(found.has)) desc,
        file_id, position limit ${maxExact}
    ), close as (
      select p.file_id, p.position, p.tokens, p.words, rough.has
      from rough join passage p on p.bot_id = ${botId} and p.file_id = rough.file_id
        and p.position = rough.position
    ), scored as (
      select file_id, position,
        sum(value * times * (k + 1) / (times + k * (1 - b + b * tokens / usual_length))) as score
      from close cross join whole cross join weight join valued on n = any(close.has)
      cross join lateral (
        select sum(case when 'A' = any(at.weights) then ${headingCounts}::int
          else 0 end + cardinality(array_remove(at.weights, 'A')))::float8 as times
        from unnest(close.words) at where at.lexeme = any(valued.lexemes)
      ) occurrences
      group by file_id, position
    )
    select (select array_agg(n) from counted where count = 0) as missing, best.file_id, best.position,
      best.score / (select sum(value) * (k + 1) from valued cross join weight group by k) as score
    from (select 1) one left join (select * from scored order by score desc, file_id, position
      limit ${limit}) best on true
    order by score desc nulls last, file_id, position`.execute(db)
  return {
    hits: ranked.flatMap(({ file_id, position, score }) =>
      file_id === null ? [] : [{ fileId: file_id, position, score }],
    ),
    missing: (ranked[0]?.missing ?? []).map((n) => terms[n]!.word),
  }
}

/** Condition on `file`: not expired, visible to the viewer, with these tags. */
export const isSearched = ({
  viewer,
  tags,
}: Pick<SearchQuery, 'viewer' | 'tags'>): RawBuilder<boolean> =>
  sql<boolean>`${present} and ${visibleTo(viewer)} and ${matchesTags(tags)}`

// Owns table_row_terms: finds rows by words with PostgreSQL's inverted index alone. The words are
// those of messages and knowledge (searchable-text.ts).
//
// A row matches by the words of its searchable columns, by their prefixes, by codes in any spelling,
// and by words with one typo. For typos, each word of letters of a suitable length is also indexed
// under its variants with one letter removed: two words that differ by one letter share a variant.
// Every term begins with the table's mark, so that a large table does not slow down others. The
// search first requires all words, then any; `similarity` ranks the results.
import { createHash } from 'node:crypto'
import {
  isSpelt,
  type SearchWord,
  searchableText,
  searchableWords,
  searchWords,
} from '@botstead/extraction'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { readRows } from '../table-cache.ts'
import type { FoundTable, TableRow } from '../tables.ts'
import type { Condition } from './filter.ts'
import { conditionSql, ofTable } from './filter-sql.ts'
import { outputColumns } from './row-finder.ts'
import type { OutputRow, StoredRow } from './row-types.ts'

type FoundRow = OutputRow & { similarity: number }

/**
 * Minimum and maximum number of rows to rank: more than the limit, because the index returns them
 * unordered.
 */
const [minScored, maxScored] = [200, 1_000]
const maxWords = 32
/** Per row; only the first words are indexed for typos. */
const maxRowWords = 1_000
const maxTypoWords = 100
const maxTypoLength = 16
const maxWordLength = 40

/** Returns the best first; ties by age. Returns up to `wanted` rows, or more. */
export async function searchRows(
  db: Db,
  table: FoundTable,
  search: string,
  condition: Condition,
  wanted: number,
): Promise<FoundRow[]> {
  const most = Math.min(maxScored, Math.max(minScored, 2 * wanted))
  const queryWords = searchWords(search).slice(0, maxWords)
  if (queryWords.length === 0) return []
  const mark = toMark(table)
  const each = queryWords.map((word) => toTerm(mark, word))
  const all = await candidates(db, table, each.join(' & '), condition, most)
  const any =
    all.length >= wanted || each.length === 1
      ? []
      : await candidates(db, table, each.join(' | '), condition, most)
  const found = new Map([...any, ...all].map((row) => [row.row_id, row]))
  return [...found.values()]
    .map((row) => ({
      ...row,
      similarity: similarity(queryWords, toWords(textIn(table, row))),
    }))
    .sort(byFit)
}

const byFit = (a: FoundRow, b: FoundRow) =>
  b.similarity - a.similarity || Number(a.row_id) - Number(b.row_id)

async function candidates(
  db: Db,
  table: FoundTable,
  query: string,
  condition: Condition,
  most: number,
): Promise<OutputRow[]> {
  const inTable: RawBuilder<boolean> = sql`r.bot_id = ${table.bot_id}
    and r.bot_table_id = ${table.bot_table_id}`
  return readRows(
    db,
    table,
    sql<OutputRow>`
    select ${outputColumns} from (
      select r.* from table_row_terms s join table_row r using (bot_id, bot_table_id, row_id)
        where ${inTable} and s.terms @@ ${query}::tsquery
    ) table_row where ${ofTable(table)} and ${conditionSql(condition, table)} limit ${most}`,
  )
}

/** Replaces the terms of rows that were written. */
export async function saveTerms(
  db: Db,
  table: TableRow,
  rows: Pick<StoredRow, 'row_id' | 'data'>[],
): Promise<void> {
  if (rows.length === 0) return
  const mark = toMark(table)
  const input = rows.map((row) => ({
    row_id: row.row_id,
    terms: toTerms(textIn(table, row)).map((term) => mark + term),
  }))
  await sql`
    insert into table_row_terms (bot_id, bot_table_id, row_id, terms)
    select ${table.bot_id}, ${table.bot_table_id}, row_id, array_to_tsvector(terms)
      from jsonb_to_recordset(${JSON.stringify(input)}::jsonb) as i (row_id bigint, terms text[])
        order by row_id
    on conflict (bot_id, bot_table_id, row_id) do update set terms = excluded.terms`.execute(
    db,
  )
}

function textIn(table: TableRow, { data }: Pick<StoredRow, 'data'>): string {
  return table.columns
    .filter(({ searchable }) => searchable)
    .flatMap(({ id }) => textsIn(data[id]))
    .join('\n')
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap(textsIn)
  return value === null || value === undefined ? [] : [String(value)]
}

/** A short hash of the table; after a collision the rows are still filtered by table id. */
function toMark({ bot_id, bot_table_id }: Pick<TableRow, 'bot_id' | 'bot_table_id'>) {
  const hash = createHash('sha256')
    .update(`${bot_id} ${bot_table_id}`)
    .digest('base64url')
  return `${hash.replaceAll(/[-_]/g, '').slice(0, 7)}:`
}

/** Words consist of letters, marks and digits. A code is found by its parts, or in one word. */
function toTerm(mark: string, { parts, joined }: SearchWord): string {
  const toPrefix = (word: string) => `'${mark}${shorten(word)}':*`
  const all = parts.map((part, at) =>
    at === parts.length - 1 ? toPrefix(part) : `'${mark}${shorten(part)}'`,
  )
  const others =
    joined === null ? parts.flatMap(variants).map((term) => `'${mark}${term}'`) : []
  if (joined !== null) others.push(toPrefix(joined))
  return `(${[`(${all.join(' & ')})`, ...others].join(' | ')})`
}

function toTerms(text: string): string[] {
  const words = toWords(text).slice(0, maxRowWords)
  return [...new Set([...words, ...words.slice(0, maxTypoWords).flatMap(variants)])]
}

const shorten = (word: string) => [...word].slice(0, maxWordLength).join('')

/** Returns the distinct words of a text. */
const toWords = (text: string) => [
  ...new Set(searchableWords(searchableText(text)).map(shorten)),
]

/**
 * Returns the word with one letter removed, for each letter, and the word itself, which matches
 * words with one letter more.
 */
function variants(word: string): string[] {
  const letters = [...word]
  if (!isSpelt(word) || letters.length > maxTypoLength) return []
  return [
    ...new Set([
      `~${word}`,
      ...letters.map((_, i) => `~${letters.toSpliced(i, 1).join('')}`),
    ]),
  ]
}

/** Returns 1 if the row has every requested word, slightly less the more other words it has. */
function similarity(queryWords: SearchWord[], words: string[]): number {
  const known = new Set(words)
  let remainders: Set<string> | undefined
  const fit = (word: string) => {
    if (known.has(word)) return 1
    if (words.some((other) => other.startsWith(word))) return 0.8
    remainders ??= new Set(words.slice(0, maxTypoWords).flatMap(variants))
    return variants(word).some((variant) => remainders!.has(variant)) ? 0.7 : 0
  }
  // The parts of a code may be words of other codes.
  const fitAll = ({ parts, joined }: SearchWord) =>
    joined === null
      ? fit(parts[0]!)
      : Math.max(
          fit(shorten(joined)),
          0.75 * Math.min(...parts.map((part) => fit(shorten(part)))),
        )
  const found =
    queryWords.reduce((sum, word) => sum + fitAll(word), 0) / queryWords.length
  const density = Math.min(1, queryWords.length / Math.max(1, words.length))
  return Math.round(found * (0.9 + 0.1 * density) * 10_000) / 10_000
}

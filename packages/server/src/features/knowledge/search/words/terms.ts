// Converts a question to index terms: the stems of its words in its own language and in each language of
// the bot's files; everyday synonyms; and for words that no file has, those with the most similar spelling.

import {
  detectLanguage,
  isSpelt,
  plainText,
  searchableWords,
  searchWords,
} from '@botstead/extraction'
import { sql } from 'kysely'
import type { Db } from '../../../../core/db/index.ts'
import { findNames } from '../names.ts'
import { findSynonyms, isFunctionWord, isWeakWord } from './everyday-words.ts'
import { listSwaps, spellingLikeness } from './spelling.ts'

export interface Term {
  /** Position of its word in the question. The parts and spellings of a code are one word. */
  group: number
  word: string
  lexemes: string[]
  /** 1; less for a weak word, for another word in its place, and for a part of a code. */
  weight: number
  /** Another spelling of a code: without it in any passage, the parts alone count. */
  isSpelling: boolean
  /** A country, a brand or another proper name. */
  isName?: boolean
  /** The number of a code that begins with letters, such as an error code, or the whole code. */
  isCode?: boolean
}

const maxWords = 40
/** Share of common trigrams, or the likeness of the spelling. */
const minSimilarity = 0.5
/** Weight of a word that says little about the subject, such as "offer". */
const weakness = 0.3
const synonymWeight = 0.8

interface Weighted {
  group: number
  word: string
  /** The word with the stem to search for. */
  as: string
  /** The word as written, by which PostgreSQL knows function words. */
  written: string
  weight: number
  isSpelling: boolean
}

/** Returns the stems of the words with a meaning; of all words if none has one. */
export async function findTerms(
  db: Db,
  botId: string,
  question: string,
): Promise<Term[]> {
  const language = await detectLanguage(question)
  const stemmed = await stem(db, botId, listWords(question), language)
  const isContent = (term: Stemmed) => !term.isFunction && !isFunctionWord(term.word)
  const content = stemmed.filter(isContent)
  // "êtes-vous" is also one word, which has no meaning if its parts have none
  const hasParts = ({ group }: Term) =>
    content.some((other) => other.group === group && !other.isSpelling)
  const meant = content.filter((term) => !term.isSpelling || hasParts(term))
  const names = findNames(question, language)
  const codes = new Set(
    stemmed
      .filter((term) => term.isSpelling && isCode(term.word))
      .map(({ group }) => group),
  )
  return (meant.length > 0 ? meant : stemmed).map((term) => ({
    ...term,
    isName: names.has(term.word),
    isCode: codes.has(term.group) && /\p{N}/u.test(term.word),
  }))
}

/** "TF-101", but not "10 kg" or "5pm", which a text may write otherwise. */
const isCode = (joined: string) => /^\p{L}+\p{N}/u.test(joined)

function listWords(question: string): Weighted[] {
  const written = new Map(
    (question.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).map((word) => [
      plainText(word),
      word,
    ]),
  )
  const words = new Map<string, Weighted>()
  const add = (group: number, word: string, weight: number, isSpelling = false) => {
    const known = words.get(word)
    if (known && known.weight >= weight) return
    words.set(word, {
      group,
      word,
      as: word,
      written: written.get(word) ?? word,
      weight: isWeakWord(word) ? weight * weakness : weight,
      isSpelling,
    })
  }
  for (const [group, { parts, weights, joined }] of searchWords(question).entries()) {
    for (const [at, part] of parts.entries())
      add(group, part, weights?.[at] ?? 1 / parts.length)
    if (joined !== null) add(group, joined, 1, true)
  }
  return [...words.values()].slice(0, maxWords)
}

/** Returns synonyms of words. */
export async function listSynonyms(
  db: Db,
  botId: string,
  terms: Term[],
): Promise<Term[]> {
  const words = terms.flatMap(({ group, word, weight }) =>
    findSynonyms(word).map((as) => ({
      group,
      word,
      as,
      written: as,
      weight: weight * synonymWeight,
      isSpelling: false,
    })),
  )
  return stem(db, botId, words, null)
}

/** Returns indexed words that are spelt like these words, which no passage has. */
export async function termsLike(db: Db, botId: string, terms: Term[]): Promise<Term[]> {
  const misspelt = terms
    .filter(({ word }) => isSpelt(word))
    .map((term) => ({ ...term, swaps: listSwaps(term.word) }))
  if (misspelt.length === 0) return []
  // swapped letters change up to four trigrams, so that similar_words() does not find short words
  const { rows } = await sql<Weighted & { similarity: number }>`
    select given.group, given.word, alike.word as as, alike.word as written, alike.similarity,
      given.weight, false as "isSpelling"
    from jsonb_to_recordset(${JSON.stringify(misspelt)}::jsonb)
      as given ("group" integer, word text, weight real, swaps jsonb)
    cross join lateral (
      select word, max(similarity) as similarity from (
        select word, similarity from similar_words(${botId}, given.word)
        union all
        select w.word, 0 from file_word w where w.bot_id = ${botId}
          and w.word = any(array(select jsonb_array_elements_text(given.swaps)))
      ) found group by word
    ) alike`.execute(db)
  const near = rows.flatMap(({ similarity, ...row }) => {
    const likeness = Math.max(similarity, spellingLikeness(row.word, row.as))
    if (likeness < minSimilarity) return []
    const others = findSynonyms(row.as).map((as) => ({
      as,
      written: as,
      share: synonymWeight,
    }))
    return [{ as: row.as, written: row.as, share: 1 }, ...others].map(
      ({ share, ...word }) => ({
        ...row,
        ...word,
        weight: row.weight * likeness * share,
      }),
    )
  })
  return stem(db, botId, near, null)
}

interface Stemmed extends Term {
  /** A stop word of PostgreSQL in the question's language, or in that of most of the bot's passages. */
  isFunction: boolean
}

async function stem(
  db: Db,
  botId: string,
  words: Weighted[],
  language: string | null,
): Promise<Stemmed[]> {
  if (words.length === 0) return []
  const { rows } = await sql<Stemmed>`
    with spoken as (
      select language, sum(passages) as passages from file_index where bot_id = ${botId} group by language
    ), language as (
      select language, language = ${language}
        or passages = (select max(passages) from spoken) as decides
      from spoken
      union select ${language}, true where ${language} <> 'simple'
    )
    select given.group, given.word, given.weight,
      array_agg(distinct lexeme) as lexemes, bool_or(given."isSpelling") as "isSpelling",
      exists (
        select from language where decides
          and to_tsvector(language.language::regconfig, max(given.written)) = ''
      ) as "isFunction"
    from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as given ("group" integer, word text, "as" text,
      written text, weight float8, "isSpelling" boolean)
    cross join language
    cross join lateral unnest(
      tsvector_to_array(to_tsvector(language.language::regconfig, given."as"))) lexeme
    group by given.group, given.word, given.weight
    order by given.group, given.word, given.weight desc`.execute(db)
  return rows
}

/** Returns the stems of each text in the languages of the bot's files. */
export async function findLexemes(
  db: Db,
  botId: string,
  texts: string[],
): Promise<Map<string, string[]>> {
  const words = texts.flatMap((text) =>
    searchableWords(plainText(text)).map((as) => ({
      group: 0,
      word: text,
      as,
      written: as,
      weight: 1,
      isSpelling: false,
    })),
  )
  if (words.length === 0) return new Map()
  return new Map(
    (await stem(db, botId, words, null)).map(({ word, lexemes }) => [word, lexemes]),
  )
}

const quoted = (lexeme: string) =>
  `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Joins lexemes with "or", as the text of a tsquery. */
export const joinWithOr = (lexemes: string[]) => lexemes.map(quoted).join(' | ')
export const joinWithAnd = (one: string, other: string) => `(${one}) & (${other})`

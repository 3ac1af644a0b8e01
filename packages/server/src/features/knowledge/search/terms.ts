// Converts a question to index terms: the stems of its words in each language of the bot's files;
// for words that no file has, the words with the most similar spelling.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { isSpelt, plainText, searchableWords, searchWords } from '../../../core/extraction/index.ts'

export interface Term {
  word: string
  lexemes: string[]
  /** 1; less for a similar spelling, and for a part of a code. */
  weight: number
  /** Another spelling of a code: without it in any passage, the parts alone count. */
  isSpelling: boolean
}

/**
 * Words of a chat that say nothing about its subject, as indexed (searchable-text.ts). A search ignores those
 * that no passage contains: they would lower the score of every passage, as missing words do.
 */
const courtesies = new Set(
  (
    'hello hi hey please thanks thank sorry excuse tell know want need wonder question ' +
    'hallo guten bitte danke entschuldigung sagen wissen mochte frage ' +
    'bonjour salut bonsoir merci svp pardon savoir dire voudrais ' +
    'hola buenos buenas gracias favor perdon saber decir quiero quisiera pregunta ' +
    'ciao salve buongiorno grazie favore scusi sapere vorrei domanda ' +
    'ola oi obrigado obrigada dizer gostaria pergunta ' +
    'goedemorgen goedendag alstublieft bedankt weten zeggen vraag ' +
    'مرحبا السلام عليكم شكرا فضلك'
  ).split(' '),
)
export const isCourtesy = (word: string): boolean => courtesies.has(word)

const maxWords = 40
/** Share of common trigrams: allows one wrong letter in a short word and two in a long one. */
const minSimilarity = 0.5

interface Weighted {
  word: string
  /** The word with the stem to search for. */
  as: string
  weight: number
  isSpelling: boolean
}

/** Returns the stems without stop words. */
export async function termsOf(db: Db, botId: string, question: string): Promise<Term[]> {
  const words = new Map<string, Weighted>()
  const add = (word: string, weight: number, isSpelling = false) => {
    const known = words.get(word)
    if (!known || known.weight < weight) words.set(word, { word, as: word, weight, isSpelling })
  }
  for (const { parts, joined } of searchWords(question)) {
    for (const part of parts) add(part, 1 / parts.length)
    if (joined !== null) add(joined, 1, true)
  }
  return stem(db, botId, [...words.values()].slice(0, maxWords))
}

/** Returns indexed words that are spelt like these words, which no passage has. */
export async function termsLike(db: Db, botId: string, words: string[]): Promise<Term[]> {
  const misspelt = words.filter(isSpelt)
  if (misspelt.length === 0) return []
  const { rows } = await sql<Weighted>`
    select given.word, alike.word as as, alike.similarity as weight, false as "isSpelling"
    from unnest(${misspelt}::text[]) given (word) cross join lateral similar_words(${botId}, given.word) alike
      where alike.similarity >= ${minSimilarity}::real`.execute(db)
  return stem(db, botId, rows)
}

async function stem(db: Db, botId: string, words: Weighted[]): Promise<Term[]> {
  const { rows } = await sql<Term>`
    select given.word, max(given.weight) as weight, array_agg(distinct lexeme) as lexemes,
      bool_or(given."isSpelling") as "isSpelling"
    from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as given (word text, "as" text, weight float8,
      "isSpelling" boolean)
    cross join (select distinct language from file_index where bot_id = ${botId}) spoken
    cross join lateral unnest(tsvector_to_array(to_tsvector(spoken.language::regconfig, given."as"))) lexeme
    group by given.word`.execute(db)
  return rows
}

/** Returns the stems of each text in the languages of the bot's files. */
export async function lexemesOf(
  db: Db,
  botId: string,
  texts: string[],
): Promise<Map<string, string[]>> {
  const words = texts.flatMap((text) =>
    searchableWords(plainText(text)).map((as) => ({
      word: text,
      as,
      weight: 1,
      isSpelling: false,
    })),
  )
  if (words.length === 0) return new Map()
  return new Map((await stem(db, botId, words)).map(({ word, lexemes }) => [word, lexemes]))
}

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Joins lexemes with "or", as the text of a tsquery. */
export const anyOf = (lexemes: string[]) => lexemes.map(quoted).join(' | ')
export const bothOf = (one: string, other: string) => `(${one}) & (${other})`

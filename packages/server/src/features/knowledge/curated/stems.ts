// Stems of words, as PostgreSQL makes them. Unlike those of a search, they include function words:
// findFunctionWords decides which do not count.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { botLexeme } from '../search/passages.ts'
import { joinWithOr } from '../search/words/terms.ts'

interface Word {
  language: string
  word: string
}

/** Returns the stem of a word of the language. */
export type Stemmer = (language: string, word: string) => string

/** Stems words in one statement. `language` is a name of PostgreSQL; `simple` leaves words as they are. */
export async function findStems(db: Db, words: Word[]): Promise<Stemmer> {
  const distinct = [...new Map(words.map((one) => [toKey(one), one])).values()]
  if (distinct.length === 0) return (_language, word) => word
  const { rows } = await sql<Word & { stem: string }>`
    select language, word,
      case when language = 'simple' then word
        else coalesce((ts_lexize((language || '_stem')::regdictionary, word))[1], word) end as stem
    from jsonb_to_recordset(${JSON.stringify(distinct)}::jsonb) as given (language text, word text)`.execute(
    db,
  )
  const stems = new Map(rows.map((row) => [toKey(row), row.stem]))
  return (language, word) => stems.get(toKey({ language, word })) ?? word
}

const toKey = ({ language, word }: Word) => `${language} ${word}`

/** Returns whether a document of the bot contains one of the words, in any form. */
export async function isInDocuments(
  db: Db,
  botId: string,
  words: string[],
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from unnest(${words}::text[]) word
      cross join (select distinct language from file_index where bot_id = ${botId}) spoken
      join passage p on p.bot_id = ${botId}
        and p.words @@ (${botQuery(botId)}::tsquery && plainto_tsquery(spoken.language::regconfig, word))
      where numnode(plainto_tsquery(spoken.language::regconfig, word)) > 0
    ) as found`.execute(db)
  return rows[0]!.found
}

const botQuery = (botId: string) => joinWithOr([botLexeme(botId)])

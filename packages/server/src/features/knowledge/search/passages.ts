// Owns the tables file_index, passage and file_word: the search index of file content (search.ts).
// Invariant: all passages of a file come from one content or one request: they are replaced in one
// transaction.
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import {
  type Extracted,
  type ExtractedPassage,
  isSpelt,
  languageOf,
  type Subtype,
  searchableText,
  searchableWords,
  wordsVersion,
} from '../../../core/extraction/index.ts'
import { markIndexed, noFile } from '../../../core/files/index.ts'
import { newUuid } from '../../../core/lib/index.ts'

export interface PassageRow {
  id: string
  file_id: string
  position: number
  subtype: Subtype
  page: number | null
  headings: string[]
  content: string
}

interface FileRef {
  botId: string
  fileId: string
}

/** The content that passages were made from, and the settings; null for passages from a request. */
interface Origin {
  checksum: string
  configuration: unknown
}

const rowsAtOnce = 500

/** A lexeme that no text contains: it matches all passages of the bot, and no others. */
export const botLexeme = (botId: string) => `$${botId}`

/** Replaces the passages of a file. Call it within a transaction. */
export async function replacePassages(
  trx: Db,
  { botId, fileId }: FileRef,
  { passages, language, words }: Extracted,
  origin: Origin | null,
): Promise<void> {
  const tokens = passages.reduce((sum, passage) => sum + passage.tokens, 0)
  await sql`delete from file_index where bot_id = ${botId} and file_id = ${fileId}`.execute(trx)
  await sql`
    insert into file_index (bot_id, file_id, checksum, configuration, language, passages, tokens,
      words_version)
    values (${botId}, ${fileId}, ${origin?.checksum ?? null},
      ${origin?.configuration ? JSON.stringify(origin.configuration) : null}::jsonb, ${language},
        ${passages.length}, ${tokens}, ${wordsVersion})
  `.execute(trx)
  for (let from = 0; from < passages.length; from += rowsAtOnce) {
    const rows = passages
      .slice(from, from + rowsAtOnce)
      .map((passage, at) => rowOf(passage, from + at))
    await sql`
      insert into passage (bot_id, file_id, position, id, subtype, page, headings, content, tokens, words)
      select ${botId}, ${fileId}, position, id, subtype, page,
        array(select jsonb_array_elements_text(headings)), content, tokens,
        array_to_tsvector(array[${botLexeme(botId)}]) || setweight(to_tsvector(${language}::regconfig, above),
          'A') || to_tsvector(${language}::regconfig, body)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (position integer, id uuid, subtype text, page integer, headings jsonb, content text,
          tokens integer, above text, body text)`.execute(trx)
  }
  await sql`insert into file_word (bot_id, file_id, word) select distinct ${botId}, ${fileId}, word
    from unnest(${words}::text[]) word`.execute(trx)
  await sql`
    update file_index set bytes = (
      select coalesce(sum(pg_column_size(content) + pg_column_size(words)), 0) from passage
        where bot_id = ${botId} and file_id = ${fileId}
    ) where bot_id = ${botId} and file_id = ${fileId}`.execute(trx)
}

function rowOf(
  { subtype, content, page, headings, searchable, tokens }: ExtractedPassage,
  position: number,
) {
  return {
    position,
    id: newUuid(),
    subtype,
    page: page ?? null,
    headings,
    content,
    tokens,
    above: searchable.headings,
    body: searchable.body,
  }
}

interface PassageInput {
  content: string
  type?: Subtype | undefined
  pageNumber?: number | undefined
}

const headingLevels: Partial<Record<Subtype, number>> = { title: 0, subtitle: 1 }

/**
 * Replaces the passages of a file by those of a request. Titles among them become the headings of
 * the following ones.
 */
export async function setPassages(
  db: Db,
  place: FileRef,
  title: string,
  given: PassageInput[],
): Promise<void> {
  const path: string[] = []
  const passages = given.map(({ content, type = 'paragraph', pageNumber }): ExtractedPassage => {
    const level = headingLevels[type]
    if (level !== undefined) path.length = Math.min(path.length, level)
    const headings = [...path]
    if (level !== undefined) path.push(content)
    const body = searchableText(content)
    const searchable = { body, headings: searchableText([title, ...headings].join(' ')) }
    return {
      subtype: type,
      content,
      headings,
      searchable,
      tokens: searchableWords(body).length,
      ...(pageNumber !== undefined && { page: pageNumber }),
    }
  })
  const words = passages
    .flatMap(({ searchable }) => searchableWords(`${searchable.headings} ${searchable.body}`))
    .filter(isSpelt)
  const language = languageOf(given.map(({ content }) => content).join(' '))
  await db.transaction().execute(async (trx) => {
    if (!(await markIndexed(trx, place))) throw noFile(place.fileId)
    await replacePassages(trx, place, { passages, language, words }, null)
  })
}

/** Returns one more than the limit if there are more. */
export async function listPassages(
  db: Db,
  { botId, fileId }: FileRef,
  { after, limit }: { after: number | null; limit: number },
): Promise<PassageRow[]> {
  const { rows } = await sql<PassageRow>`
    select id, file_id, position, subtype, page, headings, content from passage
    where bot_id = ${botId} and file_id = ${fileId} and position > ${after ?? -1} order by position
      limit ${limit + 1}`.execute(db)
  return rows
}

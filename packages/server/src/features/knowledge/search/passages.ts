// Owns the tables file_index, passage and file_word: the search index of file content (search.ts).
// Invariant: all passages of a file come from one content or one request: they are replaced in one
// transaction.
import { createHash, randomUUID } from 'node:crypto'
import {
  detectLanguage,
  type Extracted,
  type ExtractedPassage,
  isSpelt,
  listSearchable,
  type Subtype,
  searchableWords,
  toSearchable,
  wordsVersion,
} from '@botstead/extraction'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import { indexingJobs } from '../../../core/files/index.ts'
import { findVectors, storeVectors } from '../vectors/vectors.ts'

export interface PassageRow {
  id: string
  file_id: string
  position: number
  subtype: Subtype
  page: number | null
  headings: string[]
  content: string
  /** Where the text below the headings begins in `content`. */
  body_start: number
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

/**
 * Replaces the passages of a file. Those with an earlier text keep their ids and vectors, because callers
 * store ids, and vectors may cost money. Call it within a transaction.
 */
export async function replacePassages(
  trx: Db,
  place: FileRef,
  { passages, language, words }: Extracted,
  origin: Origin | null,
): Promise<void> {
  const { botId, fileId } = place
  const tokens = passages.reduce((sum, passage) => sum + passage.tokens, 0)
  const ids = await findIds(trx, place, passages, { language, origin })
  const vectors = await findVectors(trx, place, ids)
  await sql`delete from file_index where bot_id = ${botId} and file_id = ${fileId}`.execute(
    trx,
  )
  await sql`
    insert into file_index (bot_id, file_id, checksum, configuration, language, passages, tokens,
      words_version, vector_index)
    values (${botId}, ${fileId}, ${origin?.checksum ?? null},
      ${origin?.configuration ? JSON.stringify(origin.configuration) : null}::jsonb, ${language},
        ${passages.length}, ${tokens}, ${wordsVersion}, null)
  `.execute(trx)
  for (let from = 0; from < passages.length; from += rowsAtOnce) {
    const rows = passages
      .slice(from, from + rowsAtOnce)
      .map((passage, at) => toRow(passage, from + at, ids[from + at]))
    await sql`
      insert into passage (bot_id, file_id, position, id, subtype, page, headings, content,
        body_start, tokens, words)
      select ${botId}, ${fileId}, position, id, subtype, page,
        array(select jsonb_array_elements_text(headings)), content, body_start, tokens,
        array_to_tsvector(array[${botLexeme(botId)}])
        || setweight(to_tsvector(${language}::regconfig, outside), 'B')
        || setweight(to_tsvector(${language}::regconfig, heading), 'A')
        || to_tsvector(${language}::regconfig, body)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (position integer, id uuid, subtype text, page integer, headings jsonb, content text,
          body_start integer, tokens integer, outside text, heading text, body text)`.execute(
      trx,
    )
  }
  for (const [model, those] of vectors)
    await storeVectors(trx, { ...place, model }, those)
  await sql`insert into file_word (bot_id, file_id, word) select distinct ${botId}, ${fileId}, word
    from unnest(${words}::text[]) word`.execute(trx)
  await sql`
    update file_index set bytes = (
      select coalesce(sum(pg_column_size(content) + pg_column_size(words)), 0) from passage
        where bot_id = ${botId} and file_id = ${fileId}
    ) where bot_id = ${botId} and file_id = ${fileId}`.execute(trx)
}

/**
 * Returns, for each passage, the id of a present one with the same text and headings, if the file is
 * still read in the same way.
 */
async function findIds(
  trx: Db,
  { botId, fileId }: FileRef,
  passages: ExtractedPassage[],
  { language, origin }: { language: string; origin: Origin | null },
): Promise<(string | undefined)[]> {
  const configuration = origin?.configuration
    ? JSON.stringify(origin.configuration)
    : null
  const { rows } = await sql<{ id: string; headings: string[]; digest: string }>`
    select p.id, p.headings, md5(p.content) as digest
    from file_index i join passage p on p.bot_id = i.bot_id and p.file_id = i.file_id
    where i.bot_id = ${botId} and i.file_id = ${fileId} and i.language = ${language}
      and i.configuration is not distinct from ${configuration}::jsonb
    order by p.position desc`.execute(trx)
  const free = new Map<string, string[]>()
  for (const { id, headings, digest } of rows) {
    const text = JSON.stringify([digest, ...headings])
    free.set(text, [...(free.get(text) ?? []), id])
  }
  return passages.map(({ headings, content }) => {
    const digest = createHash('md5').update(content).digest('hex')
    return free.get(JSON.stringify([digest, ...headings]))?.pop()
  })
}

function toRow(
  { subtype, content, bodyStart, page, headings, searchable, tokens }: ExtractedPassage,
  position: number,
  id: string = randomUUID(),
) {
  return {
    position,
    id,
    subtype,
    page: page ?? null,
    headings,
    content,
    body_start: Math.min(bodyStart, content.length),
    tokens,
    outside: searchable.outer,
    heading: searchable.heading,
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
  const passages = given.map(
    ({ content, type = 'paragraph', pageNumber }): ExtractedPassage => {
      const level = headingLevels[type]
      if (level !== undefined) path.length = Math.min(path.length, level)
      const headings = [...path]
      if (level !== undefined) path.push(content)
      const searchable = toSearchable(title, headings, content)
      return {
        subtype: type,
        content,
        bodyStart: level === undefined ? 0 : content.length,
        headings,
        searchable,
        tokens: searchableWords(searchable.body).length,
        ...(pageNumber !== undefined && { page: pageNumber }),
      }
    },
  )
  const words = passages.flatMap(listSearchable).filter(isSpelt)
  const language = await detectLanguage(given.map(({ content }) => content).join(' '))
  await db.transaction().execute(async (trx) => {
    await indexingJobs.markIndexed(trx, place)
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
    select id, file_id, position, subtype, page, headings, content, body_start from passage
    where bot_id = ${botId} and file_id = ${fileId} and position > ${after ?? -1} order by position
      limit ${limit + 1}`.execute(db)
  return rows
}

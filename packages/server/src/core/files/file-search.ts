// Lists and counts files for people: by words of the key, status and knowledge base.
import { type FileCounts, fileStatuses } from '@botstead/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/index.ts'
import { documentsIn, type FileRow, present } from './files.ts'
import { filesMatchTags } from './tag-filter.ts'

interface FileSearch {
  knowledgeBaseId?: string | undefined
  status?: FileRow['status'] | undefined
  /** Beginnings of words of the key. */
  name?: string | undefined
  isKnowledge?: boolean | undefined
  /** Position of the last file of the page before. */
  position: { at: Date; id: string } | null
  limit: number
}

/** Matches of a name up to which their ids are read first. */
const maxRare = 2_000

/** Returns the newest first; one more than the limit if there are more. */
async function searchFilesByName(
  db: Db,
  botId: string,
  { knowledgeBaseId, status, name, isKnowledge, position, limit }: FileSearch,
): Promise<FileRow[]> {
  const conditions = [
    sql<boolean>`bot_id = ${botId}`,
    present,
    inBase(botId, knowledgeBaseId),
  ]
  if (isKnowledge) conditions.push(documentsIn('file'))
  if (status !== undefined) conditions.push(sql`status = ${status}`)
  if (position) conditions.push(sql`(created_at, id) < (${position.at}, ${position.id})`)
  if (name !== undefined) conditions.push(await hasName(db, botId, name))
  const { rows } = await sql<FileRow>`
    select * from file where ${sql.join(conditions, sql` and `)}
    order by created_at desc, id desc limit ${limit + 1}`.execute(db)
  return rows
}

const inBase = (botId: string, id: string | undefined) =>
  filesMatchTags(botId, id === undefined ? [] : [['kbId', { in: [id] }]])

/** A rare name is a list of ids; a common one is checked while reading in the order of the list. */
async function hasName(
  db: Db,
  botId: string,
  name: string,
): Promise<RawBuilder<boolean>> {
  const words = sql`(select string_agg(quote_literal(lexeme) || ':*', ' & ')
    from unnest(tsvector_to_array(file_key_words(${name}))) lexeme)::tsquery`
  const { rows } = await sql<{ id: string }>`
    select id from find_file_keys(${botId}, ${words} && quote_literal(${botId})::tsquery,
      ${maxRare + 1}::int)`.execute(db)
  if (rows.length <= maxRare) return sql`id = any(${rows.map(({ id }) => id)}::text[])`
  return sql`file_key_words(key) @@ ${words}`
}

/** Counts stop here, because pages refresh them often. */
const maxCounted = 20_000

/** Counts the files of each status: of the bot, or of one of its knowledge bases. */
async function countFiles(
  db: Db,
  botId: string,
  { knowledgeBaseId, isKnowledge }: Pick<FileSearch, 'knowledgeBaseId' | 'isKnowledge'>,
): Promise<FileCounts> {
  const counts = knowledgeBaseId
    ? countsInBase(botId, knowledgeBaseId)
    : sql`
      select status, counted.count from unnest(${fileStatuses}::text[]) given (status) cross join lateral (
        select count(*)::int as count from (select from file
          where bot_id = ${botId} and file.status = given.status
            and ${isKnowledge ? documentsIn('file') : sql`true`} limit ${maxCounted}) first
      ) counted where counted.count > 0`
  const { rows } = await sql<FileCounts[number]>`${counts}`.execute(db)
  return rows
}

const countsInBase = (botId: string, knowledgeBaseId: string) => sql`
  select file.status, count(*)::int as count
  from (select file_id from file_tag where bot_id = ${botId} and tag_key = tag_key('kbId')
    and value_key = tag_key(${knowledgeBaseId}) limit ${maxCounted}) tagged
  cross join lateral (select status from file where bot_id = ${botId} and id = tagged.file_id
    offset 0) file
  group by file.status`

/** Compares the contents of files, among those of the bot and of people: all, or those of the knowledge. */
async function findStoredKeys(
  db: Db,
  botId: string,
  files: { key: string; sha256: string }[],
  { isKnowledge }: Pick<FileSearch, 'isKnowledge'> = {},
): Promise<{ keys: string[]; changed: string[] }> {
  const { rows } = await sql<{ key: string; is_same: boolean }>`
    select file.key, file.checksum = given.sha256 as is_same
    from unnest(${files.map(({ key }) => key)}::text[],
      ${files.map(({ sha256 }) => sha256)}::text[]) given (key, sha256)
    cross join lateral (
      select key, checksum from file where bot_id = ${botId} and key = given.key
        and integration is null and blob is not null and upload_id is null and ${present}
        and ${isKnowledge ? documentsIn('file') : sql`true`} offset 0
    ) file`.execute(db)
  const listKeys = (isSame: boolean) =>
    rows.filter(({ is_same }) => is_same === isSame).map(({ key }) => key)
  return { keys: listKeys(true), changed: listKeys(false) }
}

/** Searches among the files of a bot. */
export const fileSearch = {
  count: countFiles,
  findStoredKeys,
  searchByName: searchFilesByName,
}

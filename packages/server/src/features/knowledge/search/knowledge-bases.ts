// Owns the table knowledge_base: names for the files of a bot with the tags
// `source: knowledge-base` and `kbId`.

import { ApiError } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, type Schema, toJson } from '../../../core/db/index.ts'
import { type FileFilter, fileStore, tagFilter } from '../../../core/files/index.ts'
import { newId } from '../../../core/lib/index.ts'

export type KnowledgeBaseRow = Selectable<Schema['knowledge_base']>

interface NewKnowledgeBase {
  name: string
  tags?: Record<string, string> | undefined
  /** Alias of the integration that creates it; null for the bot and people. */
  integration: string | null
}

type Viewer = FileFilter['viewer']

const isVisibleTo = (viewer: Viewer) =>
  viewer === null ? sql<boolean>`true` : sql<boolean>`integration = ${viewer}`

export async function createKnowledgeBase(
  db: Db,
  botId: string,
  { name, tags = {}, integration }: NewKnowledgeBase,
): Promise<KnowledgeBaseRow> {
  return await db
    .insertInto('knowledge_base')
    .values({
      bot_id: botId,
      id: newId('knowledgeBase'),
      integration,
      name,
      tags: toJson(tags),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

interface KnowledgeBaseListing extends FileFilter {
  limit: number
  position: string[] | null
}

/** Returns the newest first; one more than the limit if there are more. */
export function listKnowledgeBases(
  db: Db,
  botId: string,
  { viewer, tags, limit, position }: KnowledgeBaseListing,
): Promise<KnowledgeBaseRow[]> {
  const [createdAt, id] = position ?? []
  return db
    .selectFrom('knowledge_base')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(isVisibleTo(viewer))
    .where(tagFilter.matches(tags))
    .$if(position !== null, (query) =>
      query.where(sql<boolean>`(created_at, id) < (${createdAt}::timestamptz, ${id})`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

/**
 * Removes tags that are null. Throws ResourceNotFound, also for one that the viewer may not see.
 */
export async function updateKnowledgeBase(
  db: Db,
  botId: string,
  id: string,
  {
    name,
    tags = {},
    viewer,
  }: { name: string; tags?: Record<string, string | null> | undefined; viewer: Viewer },
): Promise<KnowledgeBaseRow> {
  const { rows } = await sql<KnowledgeBaseRow>`
    update knowledge_base set name = ${name}, tags = jsonb_strip_nulls(tags || ${JSON.stringify(tags)}::jsonb)
    where bot_id = ${botId} and id = ${id} and ${isVisibleTo(viewer)} returning *`.execute(
    db,
  )
  return rows[0] ?? missing(id)
}

/** Deletes it with those of its files that the viewer may delete. Throws ResourceNotFound. */
export async function deleteKnowledgeBase(
  db: Db,
  botId: string,
  id: string,
  viewer: Viewer,
): Promise<void> {
  const { rows } = await sql`
    with removed as (
      delete from knowledge_base where bot_id = ${botId} and id = ${id} and ${isVisibleTo(viewer)}
        returning id
    ), emptied as (
      ${fileStore.deleteBy(
        'removed',
        sql`bot_id = ${botId}
        and file.tags @> jsonb_build_object('source', 'knowledge-base', 'kbId', removed.id)
          and ${isVisibleTo(viewer)}`,
      )}
    )
    select from removed`.execute(db)
  if (rows.length === 0) missing(id)
}

const missing = (id: string): never => {
  throw new ApiError('ResourceNotFound', `Knowledge base "${id}" was not found`)
}

/** A tag of a knowledge base: searches leave out passages with a lower score. */
const minScoreTag = 'minScore'

/** Throws InvalidPayload. */
export function checkMinScore(tags: Record<string, string | null> = {}): void {
  const given = tags[minScoreTag]
  if (given === undefined || given === null || toScore(given) !== null) return
  throw new ApiError('InvalidPayload', '`tags.minScore` must be a number from 0 to 1')
}

/** Decimal digits only, as `0.25`. */
function toScore(text: string): number | null {
  const score = /^\d(\.\d{1,6})?$/.test(text) ? Number(text) : null
  return score !== null && score <= 1 ? score : null
}

/** Returns the minimum scores of the knowledge bases that have one, by id. */
export async function findMinScores(db: Db, botId: string): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; value: string }>`
    select id, tags->>${minScoreTag} as value from knowledge_base
    where bot_id = ${botId} and tags ? ${minScoreTag}`.execute(db)
  // imported archives may contain any text
  return new Map(rows.map(({ id, value }) => [id, toScore(value) ?? 0]))
}

/** Returns the names of the knowledge bases by their ids. */
export async function listBaseNames(db: Db, botId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('knowledge_base')
    .select(['id', 'name'])
    .where('bot_id', '=', botId)
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Returns those of these names that the bot does not have. */
export async function findMissingNames(
  db: Db,
  botId: string,
  names: string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const found = await db
    .selectFrom('knowledge_base')
    .select('name')
    .where('bot_id', '=', botId)
    .where('name', 'in', names)
    .execute()
  const known = new Set(found.map(({ name }) => name))
  return new Set(names.filter((name) => !known.has(name)))
}

// Owns the table file: the metadata and visibility of files. Content is in files/uploads.ts and
// blobs/. Invariant: a row names a complete blob; during an upload the previous content stays.

import { ApiError } from '@botstead/contract'
import { guessContentType, isContentType } from '@botstead/lib'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, Json, Schema } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { filesMatchTags, matchesTags, type TagFilter } from './tag-filter.ts'

export type FileRow = Selectable<Schema['file']>

export interface FileOwner {
  type: 'bot' | 'integration' | 'user'
  id: string
  name?: string
  alias?: string
}

export interface NewFile {
  key: string
  size: number
  contentType?: string | undefined
  owner: FileOwner
  tags?: Record<string, string> | undefined
  metadata?: Record<string, unknown> | undefined
  accessPolicies?: string[] | undefined
  index?: boolean | undefined
  /** How to split its text for the index. */
  indexing?: object | undefined
  expiresAt?: Date | undefined
  /** Rejects a key of a file that is no document. */
  onlyDocuments?: boolean
}

/** The viewer: an integration's alias, or null for the bot and people, who see all files. */
export type FileViewer = string | null

const maxKeyBytes = 1024
const maxMetadataBytes = 1_048_576

/** Condition on the table or alias `file`. */
export const present = sql<boolean>`(file.expires_at is null or file.expires_at > now())`
export const visibleTo = (viewer: FileViewer) =>
  viewer === null
    ? sql<boolean>`true`
    : sql<boolean>`(file.integration = ${viewer} or 'integrations' = any(file.access_policies))`

export interface FileFilter {
  viewer: FileViewer
  tags: TagFilter
}

/** Condition on `file`: not expired, visible to the viewer, with these tags. */
const matchesFilter = ({ viewer, tags }: FileFilter) =>
  sql<boolean>`${present} and ${visibleTo(viewer)} and ${matchesTags(tags)}`

/**
 * Condition on the table or its alias: files of knowledge bases, and searchable ones. Negated, because the
 * planner expects few files with a tag, and would read all of them rather than the first in their order.
 */
export const documentsIn = (table: string) =>
  sql<boolean>`not (not ${sql.ref(`${table}.index`)} and ${sql.ref(`${table}.tags`)} ->> 'kbId' is null)`

/** Whether it is in a knowledge base, or searchable: `documentsIn`. */
export const isDocument = ({
  index,
  tags,
}: {
  index?: boolean
  tags?: object
}): boolean => index === true || (tags !== undefined && Object.hasOwn(tags, 'kbId'))

/**
 * Creates a file, or updates the one with this key. Both then await content, and earlier upload
 * URLs become invalid. Existing content stays, with its type and size, until the new content is
 * complete. Throws InvalidPayload for a key of another file than a document, if only documents are allowed.
 */
export async function upsertFile(
  db: Db,
  botId: string,
  file: NewFile,
): Promise<FileRow & { upload_id: string }> {
  checkFile(file)
  const integration =
    file.owner.type === 'integration' ? (file.owner.alias ?? null) : null
  const { rows } = await sql<FileRow & { upload_id: string }>`
    insert into file as f (bot_id, id, integration, key, content_type, status, owner, tags, metadata,
      access_policies, index, indexing, upload_id, upload_until, expires_at)
    values (${botId}, ${newId('file')}, ${integration}, ${file.key},
      ${file.contentType ?? guessContentType(file.key)}, 'upload_pending',
      ${JSON.stringify(file.owner)}::jsonb, ${JSON.stringify(file.tags ?? {})}::jsonb,
      ${JSON.stringify(file.metadata ?? {})}::jsonb,
        ${file.accessPolicies ?? []}::text[], ${file.index ?? false},
      ${file.indexing ? JSON.stringify(file.indexing) : null}::jsonb, ${newId('file')},
        now() + interval '1 hour', ${file.expiresAt ?? null})
    on conflict (bot_id, integration, key) do update set
      status = excluded.status, status_reason = null, tags = excluded.tags, metadata = excluded.metadata,
        access_policies = excluded.access_policies,
      index = excluded.index, indexing = excluded.indexing, upload_id = excluded.upload_id,
        upload_until = excluded.upload_until, expires_at = excluded.expires_at, updated_at = now(),
      content_type = case when f.blob is null or f.expires_at <= now() then excluded.content_type
        else f.content_type end,
      -- an expired file that is not swept yet must not come back with what it held
      blob = case when f.expires_at <= now() then null else f.blob end,
      size = case when f.expires_at <= now() then null else f.size end
    where ${file.onlyDocuments ? documentsIn('f') : sql`true`}
    returning *`.execute(db)
  return rows[0] ?? noDocument(file.key)
}

function noDocument(key: string): never {
  throw new ApiError(
    'InvalidPayload',
    `The \`key\` "${key.slice(0, 200)}" belongs to a file outside of the knowledge: use another key`,
  )
}

function checkFile({ key, size, contentType, expiresAt }: NewFile) {
  checkKey(key)
  if (!Number.isInteger(size))
    throw invalidPayload('`size` must be a non-negative integer of bytes')
  if (contentType !== undefined && !isContentType(contentType))
    throw invalidPayload('`contentType` must be a media type such as text/plain')
  checkExpiry(expiresAt)
}

/** Limits the key: index entries have a limited size. */
export function checkKey(key: string) {
  if (key === '' || Buffer.byteLength(key) > maxKeyBytes)
    throw invalidPayload(`\`key\` must have 1 to ${maxKeyBytes} bytes`)
}

function checkExpiry(expiresAt: Date | null | undefined) {
  if (expiresAt && expiresAt.getTime() <= Date.now())
    throw invalidPayload('`expiresAt` must be in the future')
}

const invalidPayload = (reason: string) => new ApiError('InvalidPayload', reason)

interface FileChange {
  /** Null removes a tag or a metadata entry; unnamed ones stay. */
  tags?: Record<string, string | null> | undefined
  metadata?: Record<string, unknown> | undefined
  accessPolicies?: string[] | undefined
  /** Null removes the expiry. */
  expiresAt?: Date | null | undefined
}

/**
 * Updates in one statement, so that concurrent changes do not overwrite each other. Throws
 * ResourceNotFound if the file was deleted.
 */
export async function updateFile(
  db: Db,
  { bot_id: botId, id, metadata }: FileRow,
  change: FileChange,
): Promise<FileRow> {
  checkExpiry(change.expiresAt)
  if (change.metadata) checkMetadataSize({ ...metadata, ...change.metadata })
  const updated = await db
    .updateTable('file')
    .set({
      tags: merged('tags', change.tags),
      metadata: merged('metadata', change.metadata),
      ...(change.accessPolicies && { access_policies: change.accessPolicies }),
      ...(change.expiresAt !== undefined && { expires_at: change.expiresAt }),
      updated_at: sql`greatest(now(), updated_at)`,
    })
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(present)
    .returningAll()
    .executeTakeFirst()
  if (!updated) throw noFile(id)
  return updated
}

function merged<T>(column: 'tags' | 'metadata', changes: Record<string, T> = {}) {
  const [kept, removed] = [
    Object.entries(changes).filter(([, value]) => value !== null),
    Object.keys(changes).filter((name) => changes[name] === null),
  ]
  return sql<
    Json<Record<string, NonNullable<T>>>
  >`(${sql.ref(column)} || ${JSON.stringify(Object.fromEntries(kept))}::jsonb) - ${removed}::text[]`
}

/** Limits the merged metadata, which would otherwise grow with each request. */
function checkMetadataSize(metadata: Record<string, unknown>) {
  const bytes = Buffer.byteLength(JSON.stringify(metadata))
  if (bytes > maxMetadataBytes)
    throw new ApiError(
      'LimitExceeded',
      `\`metadata\` may have at most ${maxMetadataBytes} bytes as JSON, not ${bytes}`,
    )
}

export const noFile = (idOrKey: string) =>
  new ApiError('ResourceNotFound', `File "${idOrKey}" was not found`)

/**
 * Finds a file by its id or its key. Throws ResourceNotFound, also for files that the viewer may
 * not see.
 */
export async function findFile(
  db: Db,
  botId: string,
  idOrKey: string,
  viewer: FileViewer,
): Promise<FileRow> {
  const found = await db
    .selectFrom('file')
    .selectAll()
    .where('bot_id', '=', botId)
    .where((is) => is.or([is('id', '=', idOrKey), is('key', '=', idOrKey)]))
    .where(present)
    .where(visibleTo(viewer))
    // Prefer an id to a key that looks like one; of equal keys, the viewer's own.
    .orderBy(sql`id = ${idOrKey}`, 'desc')
    .orderBy(sql`integration is not distinct from ${viewer}`, 'desc')
    .orderBy('id')
    .executeTakeFirst()
  if (!found) throw noFile(idOrKey)
  return found
}

export interface FileContent {
  key: string
  contentType: string
  size: number
  blob: string
  checksum: string
}

/**
 * Returns a file's content. Throws ResourceNotFound for no content, or for private content if only
 * public content is requested.
 */
export async function findContent(
  db: Db,
  botId: string,
  id: string,
  { publicOnly }: { publicOnly: boolean },
): Promise<FileContent> {
  const found = await db
    .selectFrom('file')
    .select(['key', 'content_type as contentType', 'size', 'blob', 'checksum'])
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .where(present)
    .$if(publicOnly, (query) =>
      query.where(sql<boolean>`'public_content' = any(access_policies)`),
    )
    .executeTakeFirst()
  if (!found?.blob || !found.checksum)
    throw new ApiError(
      'ResourceNotFound',
      `The content of the file "${id}" was not found`,
    )
  return {
    ...found,
    blob: found.blob,
    checksum: found.checksum,
    size: Number(found.size),
  }
}

const sortColumns = {
  key: { column: sql.ref('key'), type: sql.raw('text') },
  // A file without content has no size: sort it below the empty file.
  size: { column: sql`coalesce(size, -1)`, type: sql.raw('bigint') },
  createdAt: { column: sql.ref('created_at'), type: sql.raw('timestamptz') },
  updatedAt: { column: sql.ref('updated_at'), type: sql.raw('timestamptz') },
  status: { column: sql.ref('status'), type: sql.raw('text') },
} as const
type FileSort = keyof typeof sortColumns

interface FileListing {
  viewer: FileViewer
  sort: FileSort
  direction: 'asc' | 'desc'
  tags: TagFilter
  ids?: string[] | undefined
  indexed?: boolean | undefined
  onlyDocuments?: boolean
  limit: number
  /** End of the previous page, from `positionOf`. */
  position: string[] | null
}

export function listFiles(
  db: Db,
  botId: string,
  listing: FileListing,
): Promise<FileRow[]> {
  const { column, type } = sortColumns[listing.sort]
  const direction = sql.raw(listing.direction)
  const [value, id] = listing.position ?? []
  return db
    .selectFrom('file')
    .selectAll()
    .where('bot_id', '=', botId)
    .where(present)
    .where(visibleTo(listing.viewer))
    .where(filesMatchTags(botId, listing.tags))
    .$if(listing.ids !== undefined, (query) =>
      query.where('id', 'in', listing.ids!.length > 0 ? listing.ids! : ['']),
    )
    .$if(listing.onlyDocuments === true, (query) => query.where(documentsIn('file')))
    .$if(listing.indexed !== undefined, (query) =>
      query.where('index', '=', listing.indexed!),
    )
    .$if(listing.position !== null, (query) =>
      query.where(
        sql<boolean>`(${column}, id)
          ${sql.raw(listing.direction === 'asc' ? '>' : '<')} (cast(${value} as ${type}), ${id})`,
      ),
    )
    .orderBy(sql`${column} ${direction}, id ${direction}`)
    .limit(listing.limit)
    .execute()
}

export function filePosition(file: FileRow, sort: FileSort): string[] {
  const values = {
    key: file.key,
    size: file.size ?? '-1',
    createdAt: file.created_at.toISOString(),
    updatedAt: file.updated_at.toISOString(),
    status: file.status,
  }
  return [values[sort], file.id]
}

/**
 * Deletes a file row and returns the name of its content, which is loose from then on (uploads.ts).
 * Returns null if a concurrent request deleted it.
 */
export async function deleteFile(
  db: Db,
  botId: string,
  id: string,
): Promise<string | null> {
  const deleted = await db
    .deleteFrom('file')
    .where('bot_id', '=', botId)
    .where('id', '=', id)
    .returning('blob')
    .executeTakeFirst()
  return deleted?.blob ?? null
}

/** Part of a statement: deletes the files that a condition selects by the rows of another CTE. */
const deleteFilesBy = (cte: string, condition: RawBuilder<unknown>) =>
  sql`delete from file using ${sql.raw(cte)} where ${condition}`

/** Files of bots. */
export const fileStore = {
  deleteBy: deleteFilesBy,
  position: filePosition,
  findContent,
  list: listFiles,
  matchesFilter,
}

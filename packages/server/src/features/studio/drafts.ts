// Owns the tables bot_draft and bot_draft_revision. A revision never changes, and a new one is stored only as
// the successor of the current one, so that of two people who save at once neither loses a change.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { DraftText } from '../../core/compute/index.ts'
import type { Db } from '../../core/db/index.ts'

/** Per bot, of at most `maxBytes` together. */
const maxRevisions = 1_000
const maxBytes = 50_000_000

type Format = 'JSON' | 'YAML'

export interface RevisionRow {
  revision: number
  format: Format
  createdAt: Date
  /** Name or e-mail address of the account; null for a text made of the deployed document. */
  author: string | null
  isPublished: boolean
}

export interface StoredDraft extends Omit<RevisionRow, 'isPublished'> {
  text: string
  publishedRevision: number | null
  /** The version of the bot's code that was published, or of which the draft was made. */
  deployedCode: string | null
  /** Whether its content is the published one. */
  isPublished: boolean
}

const authorInSql = sql`(
  select coalesce(nullif(a.name, ''), a.email) from account a where a.id = r.created_by)`

/** Returns null for a bot without a stored draft. */
export async function findDraft(db: Db, botId: string): Promise<StoredDraft | null> {
  const { rows } = await sql<StoredDraft>`
    select r.revision, r.text, r.format, r.created_at as "createdAt", ${authorInSql} as author,
      d.published_revision as "publishedRevision", d.deployed_code as "deployedCode",
      coalesce(p.value_hash = r.value_hash, false) as "isPublished"
    from bot_draft d
      join bot_draft_revision r on r.bot_id = d.bot_id and r.revision = d.revision
      left join bot_draft_revision p on p.bot_id = d.bot_id and p.revision = d.published_revision
    where d.bot_id = ${botId}`.execute(db)
  return rows[0] ?? null
}

interface Deployed {
  draft: DraftText
  /** The version of the bot's code. */
  code: string | null
}

/** Stores the deployed document as revision 0, unless the bot has a draft. */
export async function storeFirst(
  db: Db,
  botId: string,
  { draft, code }: Deployed,
): Promise<void> {
  await sql`
    with created as (
      insert into bot_draft (bot_id, revision, published_revision, deployed_code)
        values (${botId}, 0, 0, ${code}) on conflict do nothing returning bot_id
    )
    insert into bot_draft_revision (bot_id, revision, text, bytes, format, value_hash)
      select bot_id, 0, ${draft.text}, ${Buffer.byteLength(draft.text)}, ${draft.format},
        ${Buffer.from(draft.hash)} from created`.execute(db)
}

interface NewRevision {
  draft: DraftText
  createdBy: string | null
  /** The request that saved it. */
  request?: SaveRequest
  /** The version of the deployed code, if the text is that of the deployed document. */
  deployedCode?: string | null
}

interface SaveRequest {
  baseRevision: number
  hash: Buffer
}

/**
 * Stores the successor of the expected revision, and deletes the oldest beyond the limits. Returns false if
 * another one is the current one.
 */
export async function addRevision(
  db: Db,
  botId: string,
  expected: number,
  { draft, createdBy, request, deployedCode }: NewRevision,
): Promise<boolean> {
  const isDeployed = deployedCode !== undefined
  const { rows } = await sql<{ revision: number }>`
    with moved as (
      update bot_draft set revision = revision + 1,
        published_revision = case when ${isDeployed} then revision + 1 else published_revision end,
        deployed_code = case when ${isDeployed} then ${deployedCode ?? null} else deployed_code end
      where bot_id = ${botId} and revision = ${expected} returning revision
    )
    insert into bot_draft_revision
      (bot_id, revision, text, bytes, format, value_hash, base_revision, request_hash, created_by)
      select ${botId}, revision, ${draft.text}, ${Buffer.byteLength(draft.text)}, ${draft.format},
        ${Buffer.from(draft.hash)}, ${request?.baseRevision ?? null}::int, ${request?.hash ?? null}::bytea,
        ${createdBy}
      from moved returning revision`.execute(db)
  if (rows.length === 0) return false
  await removeExcess(db, botId)
  return true
}

const isKept = sql`exists (select from bot_draft d where d.bot_id = r.bot_id
  and r.revision in (d.revision, d.published_revision))`

const removeExcess = (db: Db, botId: string) =>
  sql`
    delete from bot_draft_revision r using (
      select revision, row_number() over newest as number, sum(bytes) over newest as bytes
      from bot_draft_revision where bot_id = ${botId} window newest as (order by revision desc)
    ) counted
    where r.bot_id = ${botId} and r.revision = counted.revision and not ${isKept}
      and (counted.number > ${maxRevisions} or counted.bytes > ${maxBytes})`.execute(db)

/** Deletes the history before the last day. */
export const removeOldRevisions = (db: Db) =>
  sql`
    delete from bot_draft_revision r where created_at < now() - interval '1 day' and not ${isKept}`.execute(
    db,
  )

/** Whether this request was saved before. */
export async function isSaved(
  db: Db,
  botId: string,
  { baseRevision, hash }: SaveRequest,
  createdBy: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from bot_draft_revision where bot_id = ${botId} and base_revision = ${baseRevision}
      and request_hash = ${hash} and created_by = ${createdBy} limit 1`.execute(db)
  return rows.length > 0
}

const selectRevisions = (botId: string) => sql`
  select r.revision, r.format, r.created_at as "createdAt", ${authorInSql} as author,
    r.revision is not distinct from d.published_revision as "isPublished"
  from bot_draft_revision r join bot_draft d on d.bot_id = r.bot_id where r.bot_id = ${botId}`

/** Newest first, below the revision `before`. */
export async function listRevisions(
  db: Db,
  botId: string,
  { before, limit }: { before: number | null; limit: number },
): Promise<RevisionRow[]> {
  const { rows } = await sql<RevisionRow>`
    ${selectRevisions(botId)} and (${before}::int is null or r.revision < ${before}::int)
    order by r.revision desc limit ${limit}`.execute(db)
  return rows
}

/** Returns null if the history does not have it, or no longer. */
export async function findRevision(
  db: Db,
  botId: string,
  revision: number,
): Promise<(RevisionRow & { text: string }) | null> {
  const { rows } = await sql<RevisionRow & { text: string }>`
    select listed.*, t.text from (${selectRevisions(botId)} and r.revision = ${revision}) listed
      join bot_draft_revision t on t.bot_id = ${botId} and t.revision = listed.revision`.execute(
    db,
  )
  return rows[0] ?? null
}

/**
 * Requires a transaction, in which other people cannot save. Returns whether the revision is the current one.
 */
export async function lockRevision(
  db: Db,
  botId: string,
  revision: number,
): Promise<boolean> {
  const { rows } = await sql<{ revision: number }>`
    select revision from bot_draft where bot_id = ${botId} for no key update`.execute(db)
  return rows[0]?.revision === revision
}

export async function markPublished(
  db: Db,
  botId: string,
  { revision, code }: { revision: number; code: string | null },
): Promise<void> {
  await sql`
    update bot_draft set published_revision = ${revision}, deployed_code = ${code}
    where bot_id = ${botId}`.execute(db)
}

export const noRevision = (revision: string) =>
  new ApiError(
    'ResourceNotFound',
    `The history of the draft has no revision "${revision}"`,
  )

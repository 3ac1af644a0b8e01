// Owns the tables shareable_id and sandbox_conversation: one number at a third party, shared by
// bots under test. A person sends the shareable id of a bot there, which connects their
// conversation to that bot.
import { randomInt } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { type Db, isConflict, isMissing } from '../../core/db/index.ts'

interface ShareableId {
  shareableId: string
  isExpired: boolean
}

/** All versions of an integration, of a workspace or (null) the server's own. */
export interface IntegrationName {
  owner: string | null
  name: string
}
export interface InstallationRef {
  botId: string
  alias: string
}

const lifetime = '24 hours'
/**
 * Without characters that look or sound alike: people read these codes aloud and type them on
 * phones.
 */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const newCode = () =>
  Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')
/** Attempts to find an unused one of 729 million codes. */
const maxAttempts = 5

/**
 * Extends a valid id or replaces an expired one. Throws ResourceNotFound without the installation.
 */
export async function makeShareableId(db: Db, place: InstallationRef): Promise<string> {
  for (let i = 1; ; i++) {
    try {
      return await writeShareableId(db, place, newCode())
    } catch (error) {
      if (isMissing(error))
        throw new ApiError(
          'ResourceNotFound',
          `No integration is installed under the alias "${place.alias}"`,
        )
      if (!isConflict(error) || i === maxAttempts) throw error
    }
  }
}

async function writeShareableId(
  db: Db,
  { botId, alias }: InstallationRef,
  code: string,
): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    insert into shareable_id as s (bot_id, alias, code, expires_at)
      values (${botId}, ${alias}, ${code}, now() + ${lifetime}::interval)
    on conflict (bot_id, alias) do update
      set code = case when s.expires_at > now() then s.code else excluded.code end,
        expires_at = excluded.expires_at
    returning code
  `.execute(db)
  return rows[0]!.code
}

/** Returns null when there is none. */
export async function findShareableId(
  db: Db,
  { botId, alias }: InstallationRef,
): Promise<ShareableId | null> {
  const row = await db
    .selectFrom('shareable_id')
    .select(['code as shareableId', sql<boolean>`expires_at <= now()`.as('isExpired')])
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return row ?? null
}

/** Returns false when there was none. Existing conversations stay connected. */
export async function deleteShareableId(
  db: Db,
  { botId, alias }: InstallationRef,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('shareable_id')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** In the order of their identifiers, after the last one of the previous page. */
export async function listSandboxConversations(
  db: Db,
  { botId, alias }: InstallationRef,
  { after, limit }: { after: string | null; limit: number },
): Promise<{ identifier: string }[]> {
  const all = db
    .selectFrom('sandbox_conversation')
    .select('identifier')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
  const query = after === null ? all : all.where('identifier', '>', after)
  return query.orderBy('identifier').limit(limit).execute()
}

export async function unlinkConversations(
  db: Db,
  { botId, alias }: InstallationRef,
): Promise<void> {
  await db
    .deleteFrom('sandbox_conversation')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .execute()
}

/**
 * Connects the conversation to the bot with this shareable id, and disconnects it from any other
 * bot. Returns null for an unknown or expired id.
 */
export async function linkConversation(
  db: Db,
  { owner, name }: IntegrationName,
  identifier: string,
  code: string,
): Promise<InstallationRef | null> {
  const { rows } = await sql<InstallationRef>`
    insert into sandbox_conversation (owner, integration, identifier, bot_id, alias)
    select ${owner ?? ''}, ${name}, ${identifier}, s.bot_id, s.alias
    from shareable_id s join installation i on (i.bot_id, i.alias) = (s.bot_id, s.alias)
      join integration on integration.id = i.integration_id
    where s.code = ${code} and s.expires_at > now() and i.enabled and integration.name = ${name}
      and integration.workspace_id is not distinct from ${owner}
    on conflict (owner, integration, identifier) do update set bot_id = excluded.bot_id,
      alias = excluded.alias
    returning bot_id as "botId", alias
  `.execute(db)
  return rows[0] ?? null
}

export async function findLinkedInstallation(
  db: Db,
  { owner, name }: IntegrationName,
  identifier: string,
): Promise<InstallationRef | null> {
  const query = db
    .selectFrom('sandbox_conversation')
    .select(['bot_id as botId', 'alias'])
    .where('owner', '=', owner ?? '')
    .where('integration', '=', name)
  return (await query.where('identifier', '=', identifier).executeTakeFirst()) ?? null
}

/** Deletes the connection only if it is with this bot. */
export async function unlinkConversation(
  db: Db,
  { owner, name }: IntegrationName,
  identifier: string,
  { botId, alias }: InstallationRef,
): Promise<void> {
  const query = db
    .deleteFrom('sandbox_conversation')
    .where('owner', '=', owner ?? '')
    .where('integration', '=', name)
  await query
    .where('identifier', '=', identifier)
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .execute()
}

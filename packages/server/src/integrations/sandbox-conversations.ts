// Owns the tables shareable_id and sandbox_conversation: one number at a third party, shared by the bots that are being tried out. A person types the
// shareable id of a bot there, and from then on their conversation is with that bot.
import { randomInt } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { isConflict, isMissing } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'

export interface ShareableId {
  shareableId: string
  isExpired: boolean
}

/** An integration, whatever its version: of a workspace, or (null) the server's own. */
export interface Family {
  owner: string | null
  name: string
}
export interface Place {
  botId: string
  alias: string
}

const lifetime = '24 hours'
/** Without what looks or sounds like another: people read these to each other, and type them on telephones. */
const letters = 'ABCDEFGHJKMNPQRSTVWXYZ23456789'
const newCode = () => Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')
/** There are 729 million. */
const tries = 5

/** The one that is good stays so, for longer; an expired one is replaced. Throws ResourceNotFound when the installation is gone. */
export async function makeShareableId(db: Db, place: Place): Promise<string> {
  for (let i = 1; ; i++) {
    try {
      return await writeShareableId(db, place, newCode())
    } catch (error) {
      if (isMissing(error))
        throw new ApiError('ResourceNotFound', `No integration is installed as "${place.alias}"`)
      if (!isConflict(error) || i === tries) throw error
    }
  }
}

async function writeShareableId(db: Db, { botId, alias }: Place, code: string): Promise<string> {
  const { rows } = await sql<{ code: string }>`
    insert into shareable_id as s (bot_id, alias, code, expires_at) values (${botId}, ${alias}, ${code}, now() + ${lifetime}::interval)
    on conflict (bot_id, alias) do update
      set code = case when s.expires_at > now() then s.code else excluded.code end, expires_at = excluded.expires_at
    returning code
  `.execute(db)
  return rows[0]!.code
}

/** Null where none was made, or it was deleted. */
export async function findShareableId(db: Db, { botId, alias }: Place): Promise<ShareableId | null> {
  const row = await db
    .selectFrom('shareable_id')
    .select(['code as shareableId', sql<boolean>`expires_at <= now()`.as('isExpired')])
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return row ?? null
}

/** False where there was none. Conversations that were begun with it go on. */
export async function deleteShareableId(db: Db, { botId, alias }: Place): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('shareable_id')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function unlinkConversations(db: Db, botId: string, alias: string): Promise<void> {
  await db.deleteFrom('sandbox_conversation').where('bot_id', '=', botId).where('alias', '=', alias).execute()
}

/** With the bot whose shareable id it is, from now on, whichever it was with before. Null for what is no good id of this integration. */
export async function joinConversation(
  db: Db,
  { owner, name }: Family,
  identifier: string,
  code: string,
): Promise<Place | null> {
  const { rows } = await sql<Place>`
    insert into sandbox_conversation (owner, integration, identifier, bot_id, alias)
    select ${owner ?? ''}, ${name}, ${identifier}, s.bot_id, s.alias
    from shareable_id s join installation i on (i.bot_id, i.alias) = (s.bot_id, s.alias) join integration on integration.id = i.integration_id
    where s.code = ${code} and s.expires_at > now() and i.enabled and integration.name = ${name} and integration.workspace_id is not distinct from ${owner}
    on conflict (owner, integration, identifier) do update set bot_id = excluded.bot_id, alias = excluded.alias
    returning bot_id as "botId", alias
  `.execute(db)
  return rows[0] ?? null
}

export async function findConversation(
  db: Db,
  { owner, name }: Family,
  identifier: string,
): Promise<Place | null> {
  const query = db
    .selectFrom('sandbox_conversation')
    .select(['bot_id as botId', 'alias'])
    .where('owner', '=', owner ?? '')
    .where('integration', '=', name)
  return (await query.where('identifier', '=', identifier).executeTakeFirst()) ?? null
}

/** Only while it is with this bot. */
export async function leaveConversation(
  db: Db,
  { owner, name }: Family,
  identifier: string,
  { botId, alias }: Place,
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

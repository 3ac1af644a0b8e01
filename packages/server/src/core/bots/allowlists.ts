// Owns the table bot_allowed_member, and bot.allowlist: the members of the workspace that may see a
// bot. Owners and administrators always may (`bots.readAny`), which the caller checks.
// integrations/callers.ts enforces the list.
import { ApiError, may, type Role } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import { type Db, isMissing, type Schema } from '../db/index.ts'
import { noBot } from './bots.ts'

interface BotAccess {
  workspaceId: string
  /** Account ids; null for all members. */
  seenBy: string[] | null
}

/** Returns null for an unknown bot. */
const findBotAccess = async (db: Db, id: string): Promise<BotAccess | null> =>
  (await findBotAccesses(db, [id])).get(id) ?? null

/** Returns the bots that exist, by id. */
async function findBotAccesses(db: Db, ids: string[]): Promise<Map<string, BotAccess>> {
  const { rows } = await sql<BotAccess & { id: string }>`
    select id, workspace_id as "workspaceId",
      case when allowlist = 'SELECTED_USERS' then array(select account_id from bot_allowed_member
        where bot_id = bot.id) end as "seenBy"
    from bot where id = any(${ids})`.execute(db)
  return new Map(rows.map(({ id, ...access }) => [id, access]))
}

/** Returns whether a member of the bot's workspace may not see the bot. */
const isHiddenFrom = (
  { seenBy }: BotAccess,
  { accountId, role }: { accountId: string; role: Role },
): boolean => seenBy !== null && !may(role, 'bots.readAny') && !seenBy.includes(accountId)

/**
 * Returns setting and list; the list is kept while the setting allows all. Throws ResourceNotFound.
 */
export async function findAllowlist(db: Db, workspaceId: string, botId: string) {
  const bot = await db
    .selectFrom('bot')
    .select('allowlist')
    .where('id', '=', botId)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!bot) throw noBot(botId)
  const users = await db
    .selectFrom('bot_allowed_member')
    .select('account_id as id')
    .where('bot_id', '=', botId)
    .orderBy('account_id')
    .execute()
  return { setting: bot.allowlist, users }
}

interface AllowlistChange {
  setting?: Selectable<Schema['bot']>['allowlist']
  /** By account id: true adds to the list, false removes. */
  users?: Record<string, boolean>
}

/**
 * Requires a transaction. Throws ResourceNotFound, and ReferenceNotFound for accounts outside of
 * the workspace.
 */
export async function updateAllowlist(
  db: Db,
  workspaceId: string,
  botId: string,
  { setting, users = {} }: AllowlistChange,
): Promise<void> {
  const bot = await db
    .updateTable('bot')
    .set((row) => ({
      allowlist: setting ?? row.ref('allowlist'),
      updated_at: sql`now()`,
    }))
    .where('id', '=', botId)
    .where('workspace_id', '=', workspaceId)
    .returning('id')
    .executeTakeFirst()
  if (!bot) throw noBot(botId)
  const named = (listed: boolean) =>
    Object.keys(users).filter((id) => users[id] === listed)
  const [on, off] = [named(true), named(false)]
  if (off.length > 0)
    await db
      .deleteFrom('bot_allowed_member')
      .where('bot_id', '=', botId)
      .where('account_id', 'in', off)
      .execute()
  if (on.length > 0) await putOnList(db, workspaceId, botId, on)
}

async function putOnList(
  db: Db,
  workspaceId: string,
  botId: string,
  accounts: string[],
): Promise<void> {
  const rows = accounts.map((account_id) => ({
    bot_id: botId,
    workspace_id: workspaceId,
    account_id,
  }))
  try {
    await db
      .insertInto('bot_allowed_member')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
  } catch (error) {
    if (isMissing(error))
      throw new ApiError(
        'ReferenceNotFound',
        'Only members of the workspace can be on the allowlist',
      )
    throw error
  }
}

/** Allowlists of bots: the bots that a caller may see. */
export const allowlists = {
  findAccess: findBotAccess,
  findAccesses: findBotAccesses,
  isHiddenFrom,
}

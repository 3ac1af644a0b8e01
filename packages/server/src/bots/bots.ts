// Owns the table bot. A bot belongs to one workspace, and every finder takes it: another's bot is as unknown as none.
import { ApiError, type BotType } from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import type { Secrets } from '../lib/secrets.ts'
import { deployCode, removeCode } from './bot-code.ts'
import { checkChange, checkDefinition, checkLayers } from './bot-rules.ts'
import { newSigningSecret, sealBotSecrets } from './bot-secrets.ts'
import {
  type Definition,
  type DefinitionChange,
  emptyDefinition,
  mergeDefinition,
  mergeKeys,
} from './definition.ts'

export type Bot = Omit<Selectable<Schema['bot']>, 'definition'> & { definition: Definition }

/** What createBot and updateBot can set. Absent stays as it is; in maps, null removes. */
export interface NewBot extends DefinitionChange {
  name?: string
  description?: string
  /** Null, which no request can say: no code any more. */
  code?: string | null
  /** Empty or null: the bot runs here. */
  url?: string | null
  secrets?: Record<string, string | null>
  tags?: Record<string, string>
  maxExecutionTime?: number
  type?: BotType
}

/** What only updateBot can. */
export interface BotChange extends NewBot {
  authentication?: string
  blocked?: boolean
  alwaysAlive?: boolean
  layers?: string[]
}

export const noBot = (id: string) => new ApiError('ResourceNotFound', `Bot "${id}" was not found`)

/** Within a transaction. `signingSecret` is shown this once. */
export async function createBot(
  db: Db,
  secrets: Secrets,
  owner: { workspaceId: string; accountId: string },
  { dev, ...given }: NewBot & { dev?: boolean },
  loadError: string | null = null,
): Promise<{ bot: Bot; signingSecret: string }> {
  const id = newId('bot')
  const signingSecret = await newSigningSecret(secrets, owner.workspaceId, id)
  const made = await db
    .insertInto('bot')
    .values({
      id,
      workspace_id: owner.workspaceId,
      created_by: owner.accountId,
      dev: dev ?? false,
      signing_secret: signingSecret.sealed,
      ...(await columns(
        secrets,
        { ...newBot, id, workspace_id: owner.workspaceId, name: `bot-${id.slice(-8).toLowerCase()}` },
        given,
      )),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (typeof given.code === 'string') await deployCode(db, id, given.code, loadError)
  return { bot: whole(made), signingSecret: signingSecret.plain }
}

/**
 * Within a transaction: the row stays locked to its end, so that of two updates at once neither loses the other's keys. `afresh`: what the change does
 * not speak of becomes as in a new bot, apart from its name, description, tags and secrets, and where its code is.
 */
export async function updateBot(
  db: Db,
  secrets: Secrets,
  workspaceId: string,
  id: string,
  change: BotChange,
  { afresh = false, loadError = null }: { afresh?: boolean; loadError?: string | null } = {},
): Promise<Bot> {
  const now = await db
    .selectFrom('bot')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!now) throw noBot(id)
  checkLayers(change.layers ?? [])
  const base = { ...whole(now), ...(afresh && blank) }
  const changed = await db
    .updateTable('bot')
    .set({ updated_at: sql`now()`, ...(await columns(secrets, base, change)), ...settings(base, change) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (typeof change.code === 'string') await deployCode(db, id, change.code, loadError)
  if (change.code === null) await removeCode(db, id)
  return whole(changed)
}

/** Throws ResourceNotFound. */
export async function findBot(db: Db, workspaceId: string, id: string): Promise<Bot> {
  const found = await db
    .selectFrom('bot')
    .selectAll()
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  if (!found) throw noBot(id)
  return whole(found)
}

/** For whom the workspace is settled already: a delivery, a process. Null for a bot that was deleted. */
export async function findBotById(db: Db, id: string): Promise<Bot | null> {
  const found = await db.selectFrom('bot').selectAll().where('id', '=', id).executeTakeFirst()
  return found ? whole(found) : null
}

/** Null for an unknown bot. */
export async function findBotWorkspace(db: Db, id: string): Promise<string | null> {
  return (
    (await db.selectFrom('bot').select('workspace_id').where('id', '=', id).executeTakeFirst())
      ?.workspace_id ?? null
  )
}

export async function countBots(db: Db, workspaceIds: string[]): Promise<Map<string, number>> {
  if (!workspaceIds.length) return new Map()
  const rows = await db
    .selectFrom('bot')
    .select(['workspace_id', sql<number>`count(*)::integer`.as('count')])
    .where('workspace_id', 'in', workspaceIds)
    .groupBy('workspace_id')
    .execute()
  return new Map(rows.map((row) => [row.workspace_id, row.count]))
}

export interface BotListing {
  dev: boolean
  tags: Record<string, string>
  /** Of packages: bots with any of them installed. */
  integrationNames?: string[] | undefined
  pluginNames?: string[] | undefined
  sortField: 'created_at' | 'updated_at'
  sortDirection: 'asc' | 'desc'
  /** An account: of bots with an allow-list, only those that it is on. Null sees all. */
  seenBy: string | null
  /** The last of the page before. */
  after: { at: string; id: string } | null
  limit: number
}

export function listBots(
  db: Db,
  workspaceId: string,
  { dev, tags, integrationNames, pluginNames, sortField, sortDirection, seenBy, after, limit }: BotListing,
) {
  let query = db
    .selectFrom('bot')
    .select(['id', 'name', 'tags', 'type', 'created_at', 'updated_at', 'deployed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('dev', '=', dev)
    .where(sql<boolean>`tags @> ${JSON.stringify(tags)}::jsonb`)
  if (integrationNames) query = query.where(hasInstalled('integration', integrationNames))
  if (pluginNames) query = query.where(hasInstalled('plugin', pluginNames))
  if (seenBy !== null) query = query.where(isSeenBy(seenBy))
  const beyond = sql.raw(sortDirection === 'asc' ? '>' : '<')
  if (after)
    query = query.where(
      sql<boolean>`(${sql.ref(sortField)}, id) ${beyond} (${after.at}::timestamptz, ${after.id})`,
    )
  return query.orderBy(sortField, sortDirection).orderBy('id', sortDirection).limit(limit).execute()
}

/** Along the indexes of names (migration 0046) or of the bot's own rows, whichever the planner finds shorter. */
const hasInstalled = (kind: 'integration' | 'plugin', names: string[]) => sql<boolean>`exists (
  select from ${sql.table(kind === 'integration' ? 'installation' : 'bot_plugin')} installed
  join ${sql.table(kind)} package on package.id = installed.${sql.ref(`${kind}_id`)}
  where installed.bot_id = bot.id and package.name = any(${names}::text[]))`

const isSeenBy = (accountId: string) => sql<boolean>`(
  allowlist = 'ALL_WORKSPACE_USERS' or exists (select from bot_allowed_member where bot_id = bot.id and account_id = ${accountId}))`

/** Within a transaction. The allow-list stays as strict as it was, and keeps who is known there. Throws ResourceNotFound. */
export async function moveBot(db: Db, from: string, id: string, to: string): Promise<void> {
  const moved = await db
    .updateTable('bot')
    .set({ workspace_id: to, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('workspace_id', '=', from)
    .returning('id')
    .executeTakeFirst()
  if (!moved) throw noBot(id)
  await sql`
    delete from bot_allowed_member listed where bot_id = ${id} and not exists (
      select from workspace_member known where known.workspace_id = ${to} and known.account_id = listed.account_id)`.execute(
    db,
  )
  await db.updateTable('bot_allowed_member').set({ workspace_id: to }).where('bot_id', '=', id).execute()
}

export async function listBotIds(db: Db, workspaceId: string): Promise<string[]> {
  return (await db.selectFrom('bot').select('id').where('workspace_id', '=', workspaceId).execute()).map(
    ({ id }) => id,
  )
}

/** None of them is invoked any more. Their ids. */
export async function blockBots(db: Db, workspaceId: string): Promise<string[]> {
  return (
    await db
      .updateTable('bot')
      .set({ blocked: true })
      .where('workspace_id', '=', workspaceId)
      .returning('id')
      .execute()
  ).map(({ id }) => id)
}

/** What belongs to the bot goes with it. False when it is not, or no longer, there. */
export async function deleteBot(db: Db, workspaceId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bot')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const newBot = {
  definition: emptyDefinition,
  tags: {},
  secrets: {},
  description: '',
  url: null,
  max_execution_seconds: 60,
  type: 'studio' as BotType,
}
type Changing = Pick<Bot, keyof typeof newBot | 'id' | 'workspace_id' | 'name'>

async function columns(secrets: Secrets, now: Changing, change: NewBot) {
  checkChange(change)
  const definition = mergeDefinition(now.definition, change)
  checkDefinition(definition)
  return {
    definition: JSON.stringify(definition) as never,
    tags: JSON.stringify(
      mergeKeys(now.tags, change.tags && withoutEmpty(change.tags), (value) => value),
    ) as never,
    secrets: JSON.stringify(await sealBotSecrets(secrets, now, change.secrets ?? {})) as never,
    name: change.name ?? now.name,
    description: change.description ?? now.description,
    url: change.url === undefined ? now.url : change.url || null,
    max_execution_seconds: change.maxExecutionTime ?? now.max_execution_seconds,
    type: change.type ?? now.type,
  }
}

/** Apart, because the bodies are open: a new bot has the table's own, whatever a body says besides. */
const settings = (
  now: Pick<Bot, 'authentication' | 'blocked' | 'always_alive' | 'layers'>,
  change: BotChange,
) => ({
  authentication: change.authentication ?? now.authentication,
  blocked: change.blocked ?? now.blocked,
  always_alive: change.alwaysAlive ?? now.always_alive,
  layers: change.layers ?? now.layers,
})

/** What a bot does, as in one that does nothing yet. */
const blank = {
  definition: emptyDefinition,
  max_execution_seconds: newBot.max_execution_seconds,
  authentication: 'iam',
  always_alive: false,
  layers: [] as string[],
}

/** An empty value removes a tag, as null does. */
const withoutEmpty = (tags: Record<string, string>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, value || null]))

const whole = (row: Selectable<Schema['bot']>): Bot => ({
  ...row,
  definition: { ...emptyDefinition, ...row.definition },
})

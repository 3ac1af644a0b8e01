// Owns the table bot. A bot belongs to one workspace, and every finder takes it: bots of other
// workspaces are not found.

import { ApiError, type BotType } from '@botstead/contract'
import { mergeKeys } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import type { Limits } from '../config/index.ts'
import { type Db, type Schema, toJson } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import type { Secrets } from '../sealing/index.ts'
import { deployCode, removeCode } from './bot-code.ts'
import {
  type BotChange,
  checkBotChange,
  checkBotDefinition,
  checkLayers,
  type NewBot,
} from './bot-rules.ts'
import { createBotSigningSecret, sealBotSecrets } from './bot-secrets.ts'
import {
  type BotDefinition,
  emptyBotDefinition,
  mergeBotDefinition,
} from './definition.ts'
import { rejectLargeDefinition } from './definition-limits.ts'

export type Bot = Omit<Selectable<Schema['bot']>, 'definition'> & {
  definition: BotDefinition
}

/** The columns that the Admin API shows. */
export type ShownBot = Pick<
  Bot,
  | (
      | 'id'
      | 'name'
      | 'description'
      | 'dev'
      | 'status'
      | 'tags'
      | 'type'
      | 'definition'
      | 'secrets'
    )
  | ('always_alive' | 'max_execution_seconds' | 'created_by')
  | ('created_at' | 'updated_at' | 'deployed_at')
>

export const noBot = (id: string) =>
  new ApiError('ResourceNotFound', `Bot "${id}" was not found`)

interface Deps {
  secrets: Secrets
  limits: Limits
}

/** Requires a transaction. `signingSecret` is returned only here. */
async function createBot(
  db: Db,
  { secrets, limits }: Deps,
  owner: { workspaceId: string; accountId: string },
  { dev, ...input }: NewBot & { dev?: boolean },
  loadError: string | null = null,
): Promise<{ bot: Bot; signingSecret: string }> {
  const id = newId('bot')
  const signingSecret = await createBotSigningSecret(secrets, owner.workspaceId, id)
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
        {
          ...newBot,
          id,
          workspace_id: owner.workspaceId,
          name: `bot-${id.slice(-8).toLowerCase()}`,
        },
        input,
      )),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (typeof input.code === 'string') await deployCode(db, id, input.code, loadError)
  const bot = withFullDefinition(made)
  rejectLargeDefinition(limits, bot.definition)
  return { bot, signingSecret: signingSecret.plain }
}

/**
 * Requires a transaction, which keeps the row locked, so that of two concurrent updates neither
 * loses the other's keys. `afresh` resets fields that the change omits to those of a new bot,
 * except name, description, tags, secrets and the location of the code.
 */
async function updateBot(
  db: Db,
  { secrets, limits }: Deps,
  workspaceId: string,
  id: string,
  change: BotChange,
  {
    afresh = false,
    loadError = null,
  }: { afresh?: boolean; loadError?: string | null } = {},
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
  const base = { ...withFullDefinition(now), ...(afresh && blank) }
  const changed = await db
    .updateTable('bot')
    .set({
      updated_at: sql`now()`,
      ...(await columns(secrets, base, change)),
      ...settings(base, change),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (typeof change.code === 'string') await deployCode(db, id, change.code, loadError)
  if (change.code === null) await removeCode(db, id)
  const bot = withFullDefinition(changed)
  rejectLargeDefinition(limits, bot.definition)
  return bot
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
  return withFullDefinition(found)
}

/**
 * For callers that have already checked the workspace, such as deliveries. Returns null for a
 * deleted bot.
 */
async function findBotById(db: Db, id: string): Promise<Bot | null> {
  const found = await db
    .selectFrom('bot')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return found ? withFullDefinition(found) : null
}

/** Returns null for an unknown bot. */
export async function findBotWorkspace(db: Db, id: string): Promise<string | null> {
  return (
    (
      await db
        .selectFrom('bot')
        .select('workspace_id')
        .where('id', '=', id)
        .executeTakeFirst()
    )?.workspace_id ?? null
  )
}

interface BotListing {
  dev: boolean
  tags: Record<string, string>
  /** Names of packages: bots with any of them installed. */
  integrationNames?: string[] | undefined
  pluginNames?: string[] | undefined
  sortField: 'created_at' | 'updated_at'
  sortDirection: 'asc' | 'desc'
  /** Account id: omits bots with an allowlist that does not contain it. Null omits none. */
  seenBy: string | null
  /** Position of the previous page's last row. */
  after: { at: string; id: string } | null
  limit: number
}

export async function listBots(
  db: Db,
  workspaceId: string,
  {
    dev,
    tags,
    integrationNames,
    pluginNames,
    sortField,
    sortDirection,
    seenBy,
    after,
    limit,
  }: BotListing,
) {
  let query = db
    .selectFrom('bot')
    .select(['id', 'name', 'tags', 'type', 'created_at', 'updated_at', 'deployed_at'])
    .where('workspace_id', '=', workspaceId)
    .where('dev', '=', dev)
    .where(sql<boolean>`tags @> ${JSON.stringify(tags)}::jsonb`)
  if (integrationNames)
    query = query.where(await hasInstalled(db, 'integration', integrationNames))
  if (pluginNames) query = query.where(await hasInstalled(db, 'plugin', pluginNames))
  if (seenBy !== null) query = query.where(isSeenBy(seenBy))
  const beyond = sql.raw(sortDirection === 'asc' ? '>' : '<')
  if (after)
    query = query.where(
      sql<boolean>`(${sql.ref(sortField)}, id) ${beyond} (${after.at}::timestamptz, ${after.id})`,
    )
  return query
    .orderBy(sortField, sortDirection)
    .orderBy('id', sortDirection)
    .limit(limit)
    .execute()
}

type PackageKind = 'integration' | 'plugin'

/** With more bots, the listing looks at the packages of each bot in its own order. */
const fewBots = 1_000

/** Condition on `bot`: has a package of one of these names installed. */
async function hasInstalled(db: Db, kind: PackageKind, names: string[]) {
  const installation = sql.table(kind === 'integration' ? 'installation' : 'bot_plugin')
  const packageId = sql.ref(`installed.${kind}_id`)
  const named = sql`(select id from ${sql.table(kind)} where name = any(${names}::text[])) package`
  const { rows } = await sql<{ bot_id: string }>`
    select bot_id from ${named} cross join lateral (select bot_id from ${installation} installed
      where ${packageId} = package.id limit ${fewBots + 1}) found limit ${fewBots + 1}`.execute(
    db,
  )
  if (rows.length <= fewBots)
    return sql<boolean>`bot.id = any(${rows.map(({ bot_id }) => bot_id)}::text[])`
  // a scalar, which the planner does not join for all bots at once
  return sql<boolean>`(select true from ${installation} installed join ${named} on package.id = ${packageId}
    where installed.bot_id = bot.id limit 1)`
}

const isSeenBy = (accountId: string) => sql<boolean>`(
  allowlist = 'ALL_WORKSPACE_USERS' or exists (select from bot_allowed_member where bot_id = bot.id
    and account_id = ${accountId}))`

/**
 * Requires a transaction. Keeps the allowlist's setting, and its accounts that are members of the
 * new workspace. Throws ResourceNotFound.
 */
async function moveBot(db: Db, from: string, id: string, to: string): Promise<void> {
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
      select from workspace_member known where known.workspace_id = ${to}
        and known.account_id = listed.account_id)`.execute(db)
  await db
    .updateTable('bot_allowed_member')
    .set({ workspace_id: to })
    .where('bot_id', '=', id)
    .execute()
}

export async function listBotIds(db: Db, workspaceId: string): Promise<string[]> {
  return (
    await db
      .selectFrom('bot')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .execute()
  ).map(({ id }) => id)
}

/** Blocks invocations of all bots of the workspace. Returns their ids. */
async function blockBots(db: Db, workspaceId: string): Promise<string[]> {
  return (
    await db
      .updateTable('bot')
      .set({ blocked: true })
      .where('workspace_id', '=', workspaceId)
      .returning('id')
      .execute()
  ).map(({ id }) => id)
}

/** Deletes the bot and all its data. Returns false when it does not exist. */
export async function deleteBot(
  db: Db,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('bot')
    .where('id', '=', id)
    .where('workspace_id', '=', workspaceId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

const newBot = {
  definition: emptyBotDefinition,
  tags: {},
  secrets: {},
  description: '',
  url: null,
  max_execution_seconds: 60,
  type: 'studio' as BotType,
}
type Changing = Pick<Bot, keyof typeof newBot | 'id' | 'workspace_id' | 'name'>

async function columns(secrets: Secrets, now: Changing, change: NewBot) {
  checkBotChange(change)
  const definition = mergeBotDefinition(now.definition, change)
  checkBotDefinition(definition)
  return {
    definition: toJson(definition),
    tags: toJson(
      mergeKeys(now.tags, change.tags && withoutEmpty(change.tags), (value) => value),
    ),
    secrets: toJson(await sealBotSecrets(secrets, now, change.secrets ?? {})),
    name: change.name ?? now.name,
    description: change.description ?? now.description,
    url: change.url === undefined ? now.url : change.url || null,
    max_execution_seconds: change.maxExecutionTime ?? now.max_execution_seconds,
    type: change.type ?? now.type,
  }
}

/**
 * Separate, because request bodies are open: a new bot has the table's defaults, regardless of its
 * body.
 */
const settings = (
  now: Pick<Bot, 'authentication' | 'blocked' | 'always_alive' | 'layers'>,
  change: BotChange,
) => ({
  authentication: change.authentication ?? now.authentication,
  blocked: change.blocked ?? now.blocked,
  always_alive: change.alwaysAlive ?? now.always_alive,
  layers: change.layers ?? now.layers,
})

/** The behaviour of a bot without code. */
const blank = {
  definition: emptyBotDefinition,
  max_execution_seconds: newBot.max_execution_seconds,
  authentication: 'iam',
  always_alive: false,
  layers: [] as string[],
}

/** An empty value removes a tag, like null. */
const withoutEmpty = (tags: Record<string, string>) =>
  Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, value || null]))

/** Adds the absent parts of the definition. */
const withFullDefinition = <Row extends { definition: Partial<BotDefinition> }>(
  row: Row,
): Omit<Row, 'definition'> & { definition: BotDefinition } => ({
  ...row,
  definition: { ...emptyBotDefinition, ...row.definition },
})

/** Bots of workspaces. */
export const botStore = {
  create: createBot,
  update: updateBot,
  delete: deleteBot,
  move: moveBot,
  block: blockBots,
  find: findBot,
  findById: findBotById,
  findWorkspace: findBotWorkspace,
  listIds: listBotIds,
  notFound: noBot,
  withFullDefinition,
}

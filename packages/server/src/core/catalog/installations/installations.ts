// Owns the table installation: integrations in bots, each under an alias. The webhook id is stable
// for the life of the alias, through all changes of version, since users have registered it with
// third parties. installation-plan.ts computes the effect of an update.

import { randomUUID } from 'node:crypto'
import { ulid } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import type { IntegrationDefinition } from '../integrations/definition.ts'
import {
  chatIntegrationId,
  chatIntegrationIds,
  findInstallable,
  isBuiltIn,
  isChat,
} from '../integrations/hub.ts'
import { openConfiguration, sealPath } from './configurations.ts'
import {
  type InstallationChanges,
  type InstallationPlan,
  type InstallationStatus,
  type Installed,
  keyedById,
  mentionedIds,
  planInstallations,
  type RegistrationCall,
} from './installation-plan.ts'

/**
 * The row with the name and version of its integration. `builtIn`: the server implements it itself.
 */
export type Installation = Omit<Selectable<Schema['installation']>, 'status'> & {
  status: InstallationStatus
  name: string
  version: string
  builtIn: boolean
  /** URL of the integration; null for hosted and built-in ones. */
  url: string | null
}

/** What the Admin API shows of an installation, with its decrypted configuration. */
export type ShownInstallation = Pick<
  Installation,
  | (
      | 'alias'
      | 'integration_id'
      | 'webhook_id'
      | 'enabled'
      | 'configuration_type'
      | 'identifier'
    )
  | ('status' | 'status_reason' | 'disabled_channels' | 'created_at' | 'updated_at')
  | ('name' | 'version' | 'builtIn')
> & {
  configuration: Record<string, unknown>
  title: string | null
  description: string
  visibility: 'private' | 'unlisted' | 'public'
  iconId: string | null
}

/** Returns null without such an alias; the caller decides about the error. */
export async function findInstallation(
  db: Db,
  botId: string,
  alias: string,
): Promise<Installation | null> {
  return shaped(
    await installations(db)
      .where('installation.bot_id', '=', botId)
      .where('alias', '=', alias)
      .executeTakeFirst(),
  )
}

/**
 * Finds by the id of the version, as older clients do: enabled installations first, then the
 * oldest.
 */
export async function findInstallationById(
  db: Db,
  botId: string,
  integrationId: string,
): Promise<Installation | null> {
  const query = installations(db)
    .where('installation.bot_id', '=', botId)
    .where('integration_id', '=', integrationId)
  return shaped(
    await query
      .orderBy('enabled', 'desc')
      .orderBy('installation.created_at')
      .orderBy('alias')
      .executeTakeFirst(),
  )
}

/** Returns null for a webhook without an installation. */
export async function findInstallationByWebhook(
  db: Db,
  webhookId: string,
): Promise<Installation | null> {
  return shaped(
    await installations(db).where('webhook_id', '=', webhookId).executeTakeFirst(),
  )
}

/** Lists the aliases of the built-in chats in a bot, in any version. */
async function listChatAliases(db: Db, botId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('installation')
    .select('alias')
    .where('bot_id', '=', botId)
    .where('integration_id', 'in', chatIntegrationIds)
    .execute()
  return rows.map(({ alias }) => alias)
}

/** Returns the webhook id of the bot's webchat, or else of its chat; null if it has neither. */
export async function findChatId(db: Db, botId: string): Promise<string | null> {
  const row = await installations(db)
    .select(['installation.webhook_id', 'integration.name'])
    .where('installation.bot_id', '=', botId)
    .where('installation.enabled', '=', true)
    .where('installation.integration_id', 'in', chatIntegrationIds)
    .orderBy('integration.name', 'desc')
    .orderBy('alias')
    .limit(1)
    .executeTakeFirst()
  return row?.webhook_id ?? null
}

/** Lists a bot's installations with title, description and icon of their integrations. */
export async function listInstallations(db: Db, botId: string) {
  const rows = await installations(db)
    .leftJoin('package_line as line', 'line.id', 'integration.line_id')
    .select([
      'integration.title',
      'integration.description',
      'integration.visibility',
      'line.icon_id as iconId',
    ])
    .where('installation.bot_id', '=', botId)
    .orderBy('alias')
    .execute()
  return rows.map((row) => ({ ...row, ...shaped(row)! }))
}

/** Returns the definition of the integration with this alias, or null without such an alias. */
export async function findInstalledDefinition(
  db: Db,
  botId: string,
  alias: string,
): Promise<IntegrationDefinition | null> {
  const row = await installations(db)
    .select('integration.definition')
    .where('installation.bot_id', '=', botId)
    .where('alias', '=', alias)
    .executeTakeFirst()
  return (row?.definition as unknown as IntegrationDefinition) ?? null
}

/** A bot with its workspace. */
type Owner = { id: string; workspaceId: string }

/** Installs the chat, which every new bot has. */
async function installDefaults(db: Db, secrets: Secrets, bot: Owner): Promise<void> {
  await write(db, secrets, bot, {
    put: [
      {
        alias: 'chat',
        integrationId: chatIntegrationId,
        enabled: true,
        configurationType: null,
        configuration: {},
        disabledChannels: [],
        status: 'registered',
        registeredAs: null,
        formerId: null,
        leaves: false,
      },
    ],
    remove: [],
    calls: [],
  })
}

/** The calls to make after the commit, and the id under which their outcome is recorded. */
export interface PendingRegistrations {
  attempt: string
  calls: RegistrationCall[]
  /** The user keys or origins of a chat have changed: listeners must connect again. */
  rekeyed: boolean
}

export interface ChangeInstallationsOptions {
  byAlias?: boolean
  /** By alias: the addresses that new installations get, unless others have them. */
  webhookIds?: Record<string, string>
}

/**
 * Installs, configures, disables and removes integrations. `byAlias: false` is for clients that key
 * installations by integration id. Requires a transaction that locks the bot's row, which
 * serialises concurrent changes. Returns the work that remains after the commit.
 */
export async function changeInstallations(
  db: Db,
  secrets: Secrets,
  bot: { id: string; workspaceId: string; dev: boolean },
  changes: InstallationChanges,
  { byAlias = true, webhookIds = {} }: ChangeInstallationsOptions = {},
): Promise<PendingRegistrations> {
  const rows = await db
    .selectFrom('installation')
    .selectAll()
    .where('bot_id', '=', bot.id)
    .execute()
  const installed = await Promise.all(rows.map((row) => toInstalled(secrets, row)))
  const known = await findInstallable(
    db,
    bot.workspaceId,
    bot.dev,
    mentionedIds(installed, changes),
  )
  const plan = await planInstallations(
    bot.id,
    installed,
    byAlias ? changes : keyedById(installed, changes, known),
    known,
  )
  const attempt = await write(db, secrets, bot, plan, webhookIds)
  return {
    attempt,
    calls: plan.calls,
    rekeyed: installed.some((one) => isChat(one.integrationId) && isRekeyed(one, plan)),
  }
}

function isRekeyed(chat: Installed, { put, remove }: InstallationPlan): boolean {
  const next = put.find(({ alias }) => alias === chat.alias)
  if (!next) return remove.includes(chat.alias)
  const access = ({ encryptionKey, allowedOrigins }: Record<string, unknown>) =>
    JSON.stringify([encryptionKey, allowedOrigins])
  return (
    !next.enabled ||
    !isChat(next.integrationId) ||
    access(next.configuration) !== access(chat.configuration)
  )
}

/**
 * Lists the aliases of installed integrations that this workspace may not install: private ones of
 * others.
 */
export async function listNotInstallable(
  db: Db,
  bot: { id: string; dev: boolean },
  workspaceId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('installation')
    .select(['alias', 'integration_id'])
    .where('bot_id', '=', bot.id)
    .orderBy('alias')
    .execute()
  const known = await findInstallable(
    db,
    workspaceId,
    bot.dev,
    rows.map((row) => row.integration_id),
  )
  return rows.filter((row) => !known.has(row.integration_id)).map(({ alias }) => alias)
}

const installations = (db: Db) =>
  db
    .selectFrom('installation')
    .innerJoin('integration', 'integration.id', 'installation.integration_id')
    .selectAll('installation')
    .select([
      'integration.name',
      'integration.version',
      'integration.url',
      'integration.workspace_id',
    ])

function shaped(
  row:
    | (Selectable<Schema['installation']> & {
        name: string
        version: string
        url: string | null
        workspace_id: string | null
      })
    | undefined,
) {
  if (!row) return null
  const { workspace_id, ...installation } = row
  return {
    ...installation,
    status: row.status as InstallationStatus,
    builtIn: isBuiltIn({ workspace_id, url: row.url }),
  }
}

const toInstalled = async (
  secrets: Secrets,
  row: Selectable<Schema['installation']>,
): Promise<Installed> => ({
  alias: row.alias,
  integrationId: row.integration_id,
  enabled: row.enabled,
  configurationType: row.configuration_type,
  configuration: await openConfiguration(secrets, row),
  disabledChannels: row.disabled_channels,
  status: row.status as InstallationStatus,
  registeredAs: row.registered_as,
})

/**
 * Writes the plan and returns the id of the attempt. The identifier stays with the installation
 * after a change of version unless another installation of the new version has it.
 */
async function write(
  db: Db,
  secrets: Secrets,
  { id: botId, workspaceId }: Owner,
  { put, remove, calls }: InstallationPlan,
  webhookIds: Record<string, string> = {},
): Promise<string> {
  const attempt = ulid()
  if (remove.length)
    await db
      .deleteFrom('installation')
      .where('bot_id', '=', botId)
      .where('alias', 'in', remove)
      .execute()
  if (!put.length) return attempt
  const called = new Set(calls.map(({ alias }) => alias))
  const sealed = async (one: (typeof put)[number]) => ({
    ...one,
    attempt: called.has(one.alias) ? attempt : null,
    webhookId: randomUUID(),
    formerWebhookId: Object.hasOwn(webhookIds, one.alias) ? webhookIds[one.alias] : null,
    configuration: (
      await secrets.seal(
        workspaceId,
        JSON.stringify(one.configuration),
        sealPath(botId, one.alias),
      )
    ).toString('base64'),
  })
  const rows = await Promise.all(put.map(sealed))
  await sql`
    insert into installation as i (bot_id, alias, integration_id, webhook_id, enabled, configuration_type,
      configuration, disabled_channels, status,
      attempt, registered_as, former_id, leaves)
    select ${botId}, alias, "integrationId", case when "formerWebhookId" is null or exists (
        select from installation other where other.webhook_id = "formerWebhookId"
      ) then "webhookId" else "formerWebhookId" end, enabled, "configurationType",
      decode(configuration, 'base64'),
      array(select jsonb_array_elements_text("disabledChannels")), status, attempt, "registeredAs",
        "formerId", leaves
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as put
      (alias text, "integrationId" text, "webhookId" text, "formerWebhookId" text, enabled boolean,
        "configurationType" text, configuration text, "disabledChannels" jsonb, status text,
        attempt text, "registeredAs" text, "formerId" text, leaves boolean)
    on conflict (bot_id, alias) do update set
      integration_id = excluded.integration_id, enabled = excluded.enabled,
        configuration_type = excluded.configuration_type,
      configuration = excluded.configuration, disabled_channels = excluded.disabled_channels,
        status = excluded.status, 
      status_reason = case when excluded.status = i.status then i.status_reason end,
      attempt = excluded.attempt, registered_as = excluded.registered_as, former_id = excluded.former_id,
        leaves = excluded.leaves,
      identifier = case when not exists (
        select from installation other where other.integration_id = excluded.integration_id
          and other.identifier = i.identifier and other.webhook_id <> i.webhook_id
      ) then i.identifier end,
      updated_at = now()
  `.execute(db)
  return attempt
}

/** Installations of integrations in bots. */
export const installationStore = {
  find: findInstallation,
  findById: findInstallationById,
  findByWebhook: findInstallationByWebhook,
  installDefaults,
  listChatAliases,
  list: listInstallations,
  openConfiguration,
}

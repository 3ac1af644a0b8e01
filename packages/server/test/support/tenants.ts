import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Access } from '@botstead/contract'
import { sql } from 'kysely'
import { appendIntegrationLogs } from '../../src/core/catalog/integrations/integration-logs.ts'
import { newId } from '../../src/core/lib/ids.ts'
import type { Scene } from './scene.ts'
import { fillTenant } from './tenant-content.ts'
import { makeIntegration, makePackages, shareInHub } from './tenant-packages.ts'
import { makeKeys, makeLeaver, makePeople } from './tenant-people.ts'

/**
 * Kinds of objects in requests. `chosen…` are ids that a chat client chose; the first chat
 * conversation has one, too.
 */
export type ThingKind =
  | 'account'
  | 'archive'
  | 'bot'
  | 'broadcast'
  | 'botKey'
  | 'botVersion'
  | 'chatConversation'
  | 'chatEvent'
  | 'chatMessage'
  | 'chatUser'
  | 'chosenConversation'
  | 'chosenUser'
  | 'conversation'
  | 'deadLetter'
  | 'spareDeadLetter'
  | 'event'
  | 'feedback'
  | 'file'
  | 'fileKey'
  | 'handle'
  | 'handoff'
  | 'note'
  | 'cannedReply'
  | 'curatedAnswer'
  | 'knowledgeCheck'
  | 'integration'
  | 'issue'
  | 'integrationKey'
  | 'integrationName'
  | 'installed'
  | 'invitation'
  | 'invitee'
  | 'interface'
  | 'interfaceName'
  | 'knowledgeBase'
  | 'knowledgeSource'
  | 'message'
  | 'pat'
  | 'plugin'
  | 'pluginName'
  | 'preference'
  | 'scheduledEvent'
  | 'session'
  | 'spareHandoff'
  | 'spareUser'
  | 'erasure'
  | 'spareBot'
  | 'table'
  | 'tag'
  | 'user'
  | 'webhook'
  | 'webhookRequest'
  | 'workflow'
  | 'workspace'

export interface Tenant {
  /** Occurs in all texts of the tenant. */
  mark: string
  /** Occurs in all names of the tenant, which may be part of requests; never in a text. */
  named: string
  things: Record<ThingKind, string[]>
  token: string
  /** Token of an account of the tenant that is in no workspace. */
  leaver: string
  /** Of the first and of the second bot. */
  botKeys: string[]
  integrationKey: string
  /** Of the first user of the first bot's chat. */
  userKey: string
  /** Of an integration other than chat, in the first bot. */
  webhookOfIntegration: string
}

export type Headers = Record<string, string>
export const bearing = (token: string): Headers => ({ authorization: `Bearer ${token}` })
export const asAdmin = ({ token, things }: Tenant): Headers => ({
  ...bearing(token),
  'x-workspace-id': things.workspace[0]!,
})
export const asBot = ({ token, things }: Tenant): Headers => ({
  ...bearing(token),
  'x-bot-id': things.bot[0]!,
})
export const asIntegration = (tenant: Tenant): Headers => ({
  ...asBot(tenant),
  'x-integration-alias': 'tg',
})
export const asChatUser = ({ userKey }: Tenant): Headers => ({ 'x-user-key': userKey })

/** The owner's headers, by the access of an operation. */
export const rightHeaders: Record<Access, (tenant: Tenant) => Headers> = {
  public: () => ({}),
  token: ({ token }) => bearing(token),
  account: ({ token }) => bearing(token),
  workspace: asAdmin,
  bot: asBot,
  chat: () => ({}),
  chatUser: asChatUser,
}

export async function makeTenant(scene: Scene, name: string): Promise<Tenant> {
  const names = { mark: `mark-of-${name}`, named: `named-by-${name}` }
  const { mark, named } = names
  const call = caller(scene)
  const { token, things } = await makePeople(scene, call, names)
  const [workspaceId] = things.workspace
  const admin = { ...bearing(token), 'x-workspace-id': workspaceId! }
  await makePublicWorkspaces(scene)
  const integrationId = await makeIntegration(scene, { workspaceId: workspaceId!, mark })
  const bots = [
    await makeBot(call, admin, mark, integrationId),
    await makeBot(call, admin, mark, integrationId),
  ]
  const [first] = bots
  await makeRecords(scene, {
    workspaceId: workspaceId!,
    integrationId,
    botId: first.id,
    mark,
  })
  const { bot: spare } = await call('POST', '/v1/admin/bots', admin, { name: mark })
  const keys = await makeKeys(call, admin, { bots, integrationId, mark })
  const second = await call('POST', '/v1/admin/integrations', admin, {
    name: `${named}/second`,
    version: '1.0.0',
    title: mark,
    secrets: { MARK: mark },
  })
  const packages = await makePackages(call, admin, names)
  await shareInHub(scene)
  const versions = []
  // Tests delete the second of each kind: the version of the second bot.
  for (const { id } of bots)
    versions.push(
      await call('POST', `/v1/admin/bots/${id}/versions`, admin, {
        name: mark,
        description: mark,
      }),
    )
  return {
    ...names,
    token,
    leaver: await makeLeaver(scene, mark),
    integrationKey: keys.integration[0]!.value,
    webhookOfIntegration: first.integrations.tg.webhookId,
    botKeys: keys.bot.map(({ value }) => value),
    ...(await fillTenant(scene, {
      call,
      ...names,
      bot: { ...bearing(token), 'x-bot-id': first.id },
      webhookId: first.integrations.chat.webhookId,
      things: {
        ...things,
        ...packages,
        integration: [integrationId, second.integration.id],
        integrationName: [`${named}/second`],
        integrationKey: keys.integration.map(({ id }) => id),
        spareBot: [spare.id],
        bot: bots.map(({ id }) => id),
        botKey: keys.bot.slice(1).map(({ id }) => id),
        installed: bots.map(() => integrationId),
        botVersion: versions.map(({ version }) => version.id),
        webhook: bots.map(({ integrations }) => integrations.chat.webhookId),
        tag: [`${mark}-1`, mark],
      },
    })),
  }
}

/** Two archives with files. */
export async function makeArchives(
  { db, archives: { folder } }: Scene['app']['services'],
  workspaceId: string,
  accountId: string,
) {
  const ids = [newId('archive'), newId('archive')]
  await mkdir(folder, { recursive: true })
  for (const id of ids) {
    await writeFile(join(folder, id), 'archive')
    await sql`
      insert into archive_job (id, kind, workspace_id, file_name, has_secrets, created_by, worker, host,
        ended_at)
      values (${id}, 'archive', ${workspaceId}, ${id}, false, ${accountId}, '', '', now())`.execute(
      db,
    )
  }
  return ids
}

/** Writes logs of the integration, counted usage and calls of models of the bot. */
async function makeRecords(
  { app }: Scene,
  {
    workspaceId,
    integrationId,
    botId,
    mark,
  }: { workspaceId: string; integrationId: string; botId: string; mark: string },
) {
  const { db } = app.services
  const lines = ['1', '2'].map((nth) => ({
    at: new Date(),
    level: 'info',
    message: `${mark}-${nth}`,
  }))
  await appendIntegrationLogs(app.services, integrationId, lines)
  await sql`
    insert into usage_count (workspace_id, type, day, bot_id, value)
    select ${workspaceId}, 'ai_spend', current_date - n, ${botId}, 1
    from generate_series(1, 2) n`.execute(db)
  await sql`
    insert into model_call (workspace_id, id, bot_id, kind, model, provider, fallback_path, input_tokens,
      output_tokens, cost, ms, cached, outcome, created_at)
    select ${workspaceId}, 'mcall_' || ${mark} || n, ${botId}, 'text', 'model', 'provider', '{}', 1,
      1, 0, 1, false, 'ok', now()
    from generate_series(1, 2) n`.execute(db)
}

/** Public workspaces without members. */
export const publicWorkspaceId = '22222222-2222-4222-8222-222222222222'
async function makePublicWorkspaces({ app }: Scene) {
  for (const id of [publicWorkspaceId, publicWorkspaceId.replaceAll('2', '3')])
    await sql`
      insert into workspace (id, name, profile)
      values (${id}, 'Public', '{"isPublic": true}') on conflict do nothing`.execute(
      app.services.db,
    )
}

// biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape; callers pick fields
type AnyBody = any

export type TenantCall = ReturnType<typeof caller>
/** Returns the body of a successful response; throws otherwise. */
const caller =
  (scene: Scene) =>
  async (
    method: 'GET' | 'POST' | 'PUT',
    url: string,
    headers: Headers,
    body?: unknown,
  ): Promise<AnyBody> => {
    const reply = await scene.call(method, url, { headers, body })
    if (reply.status >= 300)
      throw new Error(`${method} ${url}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

async function makeBot(
  call: TenantCall,
  admin: Headers,
  mark: string,
  integrationId: string,
) {
  const byAlias = { ...admin, 'x-multiple-integrations': 'true' }
  const given = {
    name: mark,
    description: mark,
    tags: { mark },
    secrets: { MARK: mark },
    configuration: { data: { mark } },
  }
  const { bot } = await call('POST', '/v1/admin/bots', byAlias, {
    ...given,
    user: { tags: { mark: {} } },
  })
  const installed = { tg: { integrationId, enabled: true, configuration: { mark } } }
  const made = (
    await call('PUT', `/v1/admin/bots/${bot.id}`, byAlias, { integrations: installed })
  ).bot
  await call('PUT', `/v1/platform/bots/${bot.id}/mcp-servers/docs`, admin, {
    url: 'https://mcp.example.org',
    key: mark,
  })
  await call(
    'POST',
    `/v1/admin/bots/${bot.id}/integrations/${integrationId}/shareable-id`,
    admin,
    {},
  )
  return made
}

/** Tables that change in the background. */
const background = [
  'worker',
  'lane',
  'delivery',
  'delivery_attempt',
  'bot_log',
  'issue',
  'issue_event',
  'usage_count',
  'migration',
  'message_search',
  'message_search_fill',
  'message_search_refill',
  'webhook_request',
  'retention_sweep',
]

/** Returns a digest of all rows of the tenant, except those in background tables. */
export async function digestTenant(
  { app }: Scene,
  { things }: Tenant,
): Promise<Record<string, string>> {
  const { db } = app.services
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by column_name) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name <> all(${background})
      and (table_name, column_name) not in (('event', 'status'), ('event', 'failure_reason'))
    group by table_name`.execute(db)
  const theirs = [things.account, things.workspace, things.integration, things.bot]
    .flat()
    .map((text) => `%${text}%`)
  const digests = await Promise.all(
    tables.map(async ({ name, columns }) => {
      const row = sql.raw(`row(${columns})::text`)
      const { rows } = await sql<{ digest: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(${row}, '' order by ${row})), '') as digest
        from ${sql.table(name)} where ${row} like any(${theirs})
      `.execute(db)
      return [name, rows[0]!.digest] as const
    }),
  )
  return Object.fromEntries(digests)
}

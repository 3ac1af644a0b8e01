// Owns the table channel_activity: the account of each installed channel, and when messages last arrived,
// left or failed. Times are exact to some seconds, so that a busy channel does not write its row each time.
import type { Account } from '@botstead/channels'
import { maxReasonLength, storableText } from '@botstead/lib'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import type { ConnectorKey } from './connectors.ts'

const exactness = sql`interval '5 seconds'`

const isInstalled = ({ botId, alias }: ConnectorKey) =>
  sql`from installation where bot_id = ${botId} and alias = ${alias}`

/** A message of a person was stored. */
export async function noteReceived(
  db: Db,
  { botId, alias }: ConnectorKey,
): Promise<void> {
  await sql`
    insert into channel_activity as a (bot_id, alias, received_at)
    select bot_id, alias, now() ${isInstalled({ botId, alias })} and not exists (
      select from channel_activity where bot_id = ${botId} and alias = ${alias}
        and received_at > greatest(now() - ${exactness}, error_at, forged_at, configured_at))
    on conflict (bot_id, alias) do update set received_at = excluded.received_at`.execute(
    db,
  )
}

/** A message of the bot was sent. Returns whether an error of sending was the state of the channel until now. */
export async function noteSent(db: Db, { botId, alias }: ConnectorKey): Promise<boolean> {
  const { rows } = await sql<{ was_lasting: boolean }>`
    with former as (
      select is_lasting, error_of from channel_activity
      where bot_id = ${botId} and alias = ${alias}
    ),
    noted as (
      insert into channel_activity as a (bot_id, alias, sent_at)
      select bot_id, alias, now() ${isInstalled({ botId, alias })} and not exists (
        select from channel_activity where bot_id = ${botId} and alias = ${alias}
          and sent_at > greatest(now() - ${exactness}, error_at))
      on conflict (bot_id, alias) do update set sent_at = excluded.sent_at,
        is_lasting = a.is_lasting and a.error_of <> 'sending'
      returning bot_id
    )
    select is_lasting and error_of = 'sending' as was_lasting from former, noted`.execute(
    db,
  )
  return rows[0]?.was_lasting ?? false
}

interface ChannelFailure {
  of: 'receiving' | 'sending'
  message: string
  /** Until the configuration changes, or it works again. */
  isLasting: boolean
}

/** Anyone can cause errors at the address of a channel, so equal ones are written every few seconds only. */
export async function noteFailure(
  db: Db,
  { botId, alias }: ConnectorKey,
  { of, message, isLasting }: ChannelFailure,
): Promise<void> {
  const text = storableText(message, maxReasonLength)
  await sql`
    insert into channel_activity as a (bot_id, alias, error_at, error, error_of, is_lasting)
    select bot_id, alias, now(), ${text}::text, ${of}::text, ${isLasting}::boolean
    ${isInstalled({ botId, alias })} and not exists (
      select from channel_activity where bot_id = ${botId} and alias = ${alias}
        and error = ${text} and error_at > greatest(now() - ${exactness}, received_at, sent_at))
    on conflict (bot_id, alias) do update set error_at = excluded.error_at, error = excluded.error,
      error_of = excluded.error_of, is_lasting = excluded.is_lasting`.execute(db)
}

/**
 * A request had no right signature: the secret is wrong, or it is not from the provider. Only a message with
 * the right one, or another configuration, ends this.
 */
export async function noteForged(
  db: Db,
  { botId, alias }: ConnectorKey,
  message: string,
): Promise<void> {
  const text = storableText(message, maxReasonLength)
  await sql`
    insert into channel_activity as a (bot_id, alias, forged_at, forged)
    select bot_id, alias, now(), ${text}::text ${isInstalled({ botId, alias })} and not exists (
      select from channel_activity where bot_id = ${botId} and alias = ${alias}
        and forged = ${text} and forged_at > greatest(now() - ${exactness}, received_at))
    on conflict (bot_id, alias) do update set forged_at = excluded.forged_at, forged = excluded.forged
    `.execute(db)
}

/** A later request was right. */
export const forgetForged = (db: Db, { botId, alias }: ConnectorKey) =>
  db
    .updateTable('channel_activity')
    .set({ forged_at: null, forged: null })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('forged_at', 'is not', null)
    .execute()

/**
 * Returns whether the channel has another configuration than when it last registered; forged requests are
 * then over. `digest`: of the configuration.
 */
export async function storeConfiguration(
  db: Db,
  { botId, alias }: ConnectorKey,
  digest: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into channel_activity as a (bot_id, alias, configuration)
    select bot_id, alias, ${digest}::text ${isInstalled({ botId, alias })}
    on conflict (bot_id, alias) do update set configuration = excluded.configuration,
      configured_at = case when a.configuration is null then null else now() end,
      forged_at = null, forged = null
    where a.configuration is distinct from excluded.configuration`.execute(db)
  return numAffectedRows === 1n
}

/**
 * The provider accepts the account. `account`: its digest; null if it may be in use twice. `endsErrors`:
 * earlier errors are over.
 */
export async function storeAccount(
  db: Db,
  { botId, alias }: ConnectorKey,
  account: string | null,
  { name = '', link = '', endsErrors }: Account & { endsErrors: boolean },
): Promise<void> {
  const [shownName, shownLink] = [name, link].map(
    (text) => storableText(text, 500) || null,
  )
  await sql`
    insert into channel_activity as a (bot_id, alias, account, account_name, account_link)
    select bot_id, alias, ${account}::text, ${shownName}::text, ${shownLink}::text
    ${isInstalled({ botId, alias })}
    on conflict (bot_id, alias) do update set account = excluded.account,
      account_name = excluded.account_name, account_link = excluded.account_link,
      error_at = case when ${endsErrors} then null else a.error_at end,
      error = case when ${endsErrors} then null else a.error end,
      error_of = case when ${endsErrors} then null else a.error_of end,
      is_lasting = a.is_lasting and not ${endsErrors}`.execute(db)
}

/** Another installation may have the account. */
export const releaseAccount = (db: Db, { botId, alias }: ConnectorKey) =>
  db
    .updateTable('channel_activity')
    .set({ account: null })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .execute()

/** Another enabled installation with the same account; without a key if it is in another workspace. */
export type Sharing = ConnectorKey | 'elsewhere'

interface SharingRow {
  other_bot: string
  other_alias: string
  other_workspace: string
}

const toSharing = (row: SharingRow, workspaceId: string): Sharing =>
  row.other_workspace === workspaceId
    ? { botId: row.other_bot, alias: row.other_alias }
    : 'elsewhere'

/** Those of the bot and of the workspace come first. */
const selectSharing = (
  own: { botId: Value; alias: Value; workspaceId: Value },
  account: Value,
) => sql<SharingRow>`
  select o.bot_id as other_bot, o.alias as other_alias, b.workspace_id as other_workspace
  from channel_activity o
  join bot b on b.id = o.bot_id
  join installation i on i.bot_id = o.bot_id and i.alias = o.alias and i.enabled and not i.leaves
  where o.account = ${account} and (o.bot_id, o.alias) <> (${own.botId}, ${own.alias})
  order by o.bot_id = ${own.botId} desc, b.workspace_id = ${own.workspaceId} desc, o.bot_id, o.alias
  limit 1`
type Value = string | RawBuilder<string>

export async function findSharing(
  db: Db,
  workspaceId: string,
  { botId, alias }: ConnectorKey,
  account: string,
): Promise<Sharing | null> {
  const { rows } = await selectSharing({ botId, alias, workspaceId }, account).execute(db)
  return rows[0] ? toSharing(rows[0], workspaceId) : null
}

/** Returns the sharing of each channel of the bot that has any, by alias. */
export async function listSharing(
  db: Db,
  workspaceId: string,
  botId: string,
): Promise<Map<string, Sharing>> {
  const other = selectSharing({ botId, alias: sql`a.alias`, workspaceId }, sql`a.account`)
  const { rows } = await sql<SharingRow & { alias: string }>`
    select a.alias, other.* from channel_activity a cross join lateral (${other}) other
    where a.bot_id = ${botId} and a.account is not null`.execute(db)
  return new Map(rows.map((row) => [row.alias, toSharing(row, workspaceId)]))
}

export interface ActivityRow {
  alias: string
  account_name: string | null
  account_link: string | null
  received_at: Date | null
  configured_at: Date | null
  sent_at: Date | null
  error_at: Date | null
  error: string | null
  error_of: 'receiving' | 'sending' | null
  is_lasting: boolean
  forged_at: Date | null
  forged: string | null
  /** Of the connection; null for a channel without one. */
  state: 'connecting' | 'connected' | 'failing' | null
  reason: string | null
  changed_at: Date | null
}

/** Whether the last signature was wrong: no message with the right one has arrived since. */
export const isForged = ({ forged_at, received_at }: ActivityRow): boolean =>
  forged_at !== null && !(received_at && received_at > forged_at)

/** Whether a message has arrived since the configuration last changed. */
export const isProved = ({ received_at, configured_at }: ActivityRow): boolean =>
  received_at !== null && !(configured_at && configured_at > received_at)

/** Lists the activities and connections of a bot by alias. */
export async function listActivities(
  db: Db,
  botId: string,
): Promise<Map<string, ActivityRow>> {
  const { rows } = await sql<ActivityRow>`
    select coalesce(a.alias, c.alias) as alias, account_name, account_link, received_at, configured_at,
      sent_at, error_at, error, error_of, coalesce(is_lasting, false) as is_lasting, forged_at, forged,
      c.state, c.reason,
      c.changed_at
    from (select * from channel_activity where bot_id = ${botId}) a
    full join (select * from connector where bot_id = ${botId} and is_active) c on c.alias = a.alias
    `.execute(db)
  return new Map(rows.map((row) => [row.alias, row]))
}

/** Returns the newest conversation of the channel; null if no person has written. */
export async function findLatestConversation(
  db: Db,
  { botId, alias }: ConnectorKey,
): Promise<string | null> {
  const row = await db
    .selectFrom('conversation')
    .select('id')
    .where('bot_id', '=', botId)
    .where('integration', '=', alias)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id ?? null
}

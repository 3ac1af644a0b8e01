// Which first steps with a bot are done. It reads tables of other modules on purpose, with one statement;
// the configuration of the webchat is encrypted, so it comes from the installations.
import type { FirstStep } from '@botstead/contract'
import { sql } from 'kysely'
import { installationStore } from '../../core/catalog/index.ts'
import type { Db } from '../../core/db/index.ts'
import type { Secrets } from '../../core/sealing/index.ts'

interface Scope {
  workspaceId: string
  botId: string
}

/** Rows that the search for one of a kind reads at most. */
const maxRows = 100

/** Returns all steps in the order of the contract. The caller checks that the bot is in the workspace. */
export async function listFirstSteps(
  { db, secrets }: { db: Db; secrets: Secrets },
  scope: Scope,
): Promise<FirstStep[]> {
  const [rows, chats] = await Promise.all([
    findRows(db, scope),
    listChatSettings(db, secrets, scope.botId),
  ])
  return [
    { name: 'talk', isDone: rows.talk },
    { name: 'document', isDone: rows.document },
    {
      name: 'greeting',
      isDone: chats.some(({ appearance }) => isFilled(appearance?.greeting)),
    },
    {
      name: 'website',
      isDone: chats.some(({ allowedOrigins }) => isFilled(allowedOrigins)),
    },
    { name: 'invite', isDone: rows.invite },
    { name: 'channel', isDone: rows.channel },
    { name: 'handoff', isDone: rows.handoff },
  ]
}

const isFilled = (value: unknown) =>
  (typeof value === 'string' || Array.isArray(value)) && value.length > 0

type FoundRows = Record<'talk' | 'document' | 'invite' | 'channel' | 'handoff', boolean>

/** The orders lead the planner to an index, also for a bot with many rows. */
async function findRows(db: Db, { workspaceId, botId }: Scope): Promise<FoundRows> {
  const { rows } = await sql<FoundRows>`
    select
      exists (
        select from (
          select direction from message where bot_id = ${botId} order by id limit ${maxRows}
        ) first_messages
        where direction = 'incoming'
      ) as talk,
      exists (
        select from (
          select tags from file where bot_id = ${botId} and index
          order by created_at desc, id desc limit ${maxRows}
        ) last_files
        where not tags @> '{"sample": "true"}'
      ) as document,
      exists (
        select from (
          select from handoff where bot_id = ${botId} order by requested_at limit 1
        ) first_handoff
      ) as handoff,
      exists (
        select from installation
        join integration on integration.id = installation.integration_id
        where installation.bot_id = ${botId} and installation.enabled
          and installation.status = 'registered'
          and not (integration.workspace_id is null and integration.name in ('chat', 'webchat'))
          and integration.definition -> 'channels' <> '{}'
      ) as channel,
      (select count(*) from (
        (select from workspace_member where workspace_id = ${workspaceId}
          order by created_at, account_id limit 2)
        union all
        (select from invitation where workspace_id = ${workspaceId} order by created_at, id limit 1)
        union all
        (select from pending_member where workspace_id = ${workspaceId}
          order by created_at, account_id limit 1)
      ) people) > 1 as invite`.execute(db)
  return rows[0]!
}

interface ChatSettings {
  allowedOrigins?: unknown
  appearance?: { greeting?: unknown }
}

/** Returns the configurations of the bot's chats that are enabled. */
async function listChatSettings(
  db: Db,
  secrets: Secrets,
  botId: string,
): Promise<ChatSettings[]> {
  const installed = await installationStore.list(db, botId)
  const chats = installed.filter(
    ({ builtIn, enabled, name }) =>
      builtIn && enabled && (name === 'chat' || name === 'webchat'),
  )
  return Promise.all(
    chats.map((row) => installationStore.openConfiguration(secrets, row)),
  )
}

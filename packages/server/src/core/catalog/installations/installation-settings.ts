// Settings that an integration changes in its own installation with configureIntegration: the
// identifier that finds the installation, and the schedule of `register` calls.

import { ApiError } from '@botstead/contract'
import { ulid } from '@botstead/lib'
import { sql } from 'kysely'
import { type Db, isConflict } from '../../db/index.ts'
import { isAwake } from '../../queue/index.ts'
import { nextRegisterAt, type RegisterSchedule } from './register-schedule.ts'
import type { Attempt } from './registration-rows.ts'

/** Absent fields stay. */
interface InstallationSettings {
  /**
   * Unique among the installations of an integration in all versions: setting it takes it from its
   * previous holder. Null releases it.
   */
  identifier?: string | null | undefined
  scheduleRegisterCall?: RegisterSchedule | undefined
  sandboxIdentifiers?: object | null
}

interface InstallationClaim {
  /**
   * Scope from which an identifier may be taken: the workspace for callers inside a bot, any
   * workspace for the integration's own code.
   */
  from: 'workspace' | 'anybody'
  /** Maximum number of identifiers that a workspace's bots may have with one integration. */
  max: number
}

/**
 * Throws ResourceNotFound, AlreadyExists when another workspace has the identifier, LimitExceeded.
 */
export async function configureInstallation(
  db: Db,
  botId: string,
  alias: string,
  settings: InstallationSettings,
  claim: InstallationClaim,
): Promise<void> {
  const done = db.transaction().execute(async (trx) => {
    if (settings.identifier)
      await checkClaim(trx, botId, alias, settings.identifier, claim)
    await configure(trx, botId, alias, settings)
  })
  await done.catch((error) => {
    throw isConflict(error) ? taken(settings.identifier) : error
  })
}

const taken = (identifier: string | null | undefined) =>
  new ApiError('AlreadyExists', `The identifier "${identifier}" is already in use`)

async function checkClaim(
  db: Db,
  botId: string,
  alias: string,
  identifier: string,
  { from, max }: InstallationClaim,
) {
  // Serialises claims within one integration, because a claim changes another row and the rows are
  // counted.
  await sql`
    select pg_advisory_xact_lock(hashtextextended('identifiers ' || coalesce(workspace_id, '')
      || ' ' || name, 0))
    from installation join integration on integration.id = integration_id where bot_id = ${botId}
      and alias = ${alias}
  `.execute(db)
  const { rows } = await sql<{ elsewhere: boolean; others: number }>`
    with mine as (
      select bot.workspace_id, integration.name, integration.workspace_id as owner
      from installation join bot on bot.id = bot_id join integration on integration.id = integration_id
        where bot_id = ${botId} and alias = ${alias}
    )
    select coalesce(bool_or(bot.workspace_id <> mine.workspace_id and i.identifier = ${identifier}),
      false) as elsewhere,
      (count(*) filter (where bot.workspace_id = mine.workspace_id and i.identifier <> ${identifier}
        and (i.bot_id, i.alias) <> (${botId}, ${alias})))::int as others
    from mine join integration on integration.name = mine.name and integration.workspace_id
      is not distinct from mine.owner
      join installation i on i.integration_id = integration.id and i.identifier is not null
        join bot on bot.id = i.bot_id
  `.execute(db)
  const { elsewhere, others } = rows[0]!
  if (elsewhere && from === 'workspace') throw taken(identifier)
  if (others >= max)
    throw new ApiError(
      'LimitExceeded',
      `The bots of a workspace can claim at most ${max} identifiers of one integration`,
    )
}

async function configure(
  db: Db,
  botId: string,
  alias: string,
  {
    identifier,
    scheduleRegisterCall: schedule,
    sandboxIdentifiers,
  }: InstallationSettings,
) {
  const { rows } = await sql<{ alias: string }>`
    with mine as (
      select name, workspace_id from installation join integration on integration.id = integration_id
        where bot_id = ${botId} and alias = ${alias}
    ), released as (
      update installation i set identifier = null, updated_at = now()
      from mine join integration on integration.name = mine.name and integration.workspace_id
        is not distinct from mine.workspace_id
      where i.identifier = ${identifier ?? null} and i.integration_id = integration.id
        and (i.bot_id, i.alias) <> (${botId}, ${alias})
      returning 1
    )
    update installation set
      identifier = case when ${identifier !== undefined} then ${identifier ?? null} else identifier end,
      register_schedule = coalesce(${schedule ?? null}, register_schedule),
      register_at = coalesce(${schedule ? nextRegisterAt(schedule, new Date()) : null}::timestamptz,
        register_at),
      sandbox_identifiers = case when ${sandboxIdentifiers !== undefined} then
        ${sandboxIdentifiers ? JSON.stringify(sandboxIdentifiers) : null}::jsonb else sandbox_identifiers end,
      updated_at = now()
    -- counting the released rows makes its update run first, which frees the identifier
    where bot_id = ${botId} and alias = ${alias} and (select count(*) from released) >= 0
    returning alias
  `.execute(db)
  if (!rows.length)
    throw new ApiError(
      'ResourceNotFound',
      `No integration is installed under the alias "${alias}"`,
    )
}

/**
 * Claims due installations and sets their next time. Concurrent servers never claim the same
 * installation.
 */
export function claimDueRegistrations(
  db: Db,
  now: Date,
  limit: number,
): Promise<Attempt[]> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('installation')
      .select([
        'bot_id as botId',
        'alias',
        'register_schedule as schedule',
        'register_at as at',
      ])
      .where('register_at', '<=', now)
      .where('enabled', '=', true)
      .where('attempt', 'is', null)
      .where(sql<boolean>`${sql.raw(isAwake('installation.bot_id'))}`)
      .orderBy('register_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    const attempt = ulid()
    const next = due.map(({ botId, alias, schedule, at }) => ({
      botId,
      alias,
      at: nextRegisterAt(schedule as RegisterSchedule, at!, now),
    }))
    await sql`
      update installation set register_at = next.at, attempt = ${attempt}, updated_at = now()
      from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as next ("botId" text, alias text,
        at timestamptz)
      where installation.bot_id = next."botId" and installation.alias = next.alias
    `.execute(trx)
    return due.map(({ botId, alias }) => ({ botId, alias, attempt }))
  })
}

// What an integration says of its own installation, by configureIntegration: which identifier finds it, and how often it wants to register again.
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { isConflict } from '../db/conflicts.ts'
import type { Db } from '../db/open.ts'
import { nextRegisterAt, type RegisterSchedule } from './register-schedule.ts'

/** What is absent stays. */
export interface InstallationSettings {
  /** One installation of an integration has it at a time: it is taken from the bot of the same workspace that had it. Null releases it. */
  identifier?: string | null | undefined
  scheduleRegisterCall?: RegisterSchedule | undefined
  sandboxIdentifiers?: object | null
}

/** Throws ResourceNotFound without such an installation, AlreadyExists when another workspace has the identifier. */
export async function configureInstallation(db: Db, botId: string, alias: string, settings: InstallationSettings): Promise<void> {
  const done = db.transaction().execute(async (trx) => {
    // Who claims an identifier takes it from another's row: one after the other, or two would wait for each other's.
    if (settings.identifier) {
      await sql`
        select pg_advisory_xact_lock(hashtextextended(integration_id || ' ' || ${settings.identifier}, 0)) from installation where bot_id = ${botId} and alias = ${alias}
      `.execute(trx)
    }
    await configure(trx, botId, alias, settings)
  })
  await done.catch((error) => {
    throw isConflict(error) ? new ApiError('AlreadyExists', `The identifier "${settings.identifier}" is taken`) : error
  })
}

async function configure(db: Db, botId: string, alias: string, { identifier, scheduleRegisterCall: schedule, sandboxIdentifiers }: InstallationSettings) {
  const { rows } = await sql<{ alias: string }>`
    with mine as (
      select integration_id, workspace_id from installation join bot on bot.id = bot_id where bot_id = ${botId} and alias = ${alias}
    ), released as (
      update installation i set identifier = null, updated_at = now() from mine
      where i.identifier = ${identifier ?? null} and i.integration_id = mine.integration_id and (i.bot_id, i.alias) <> (${botId}, ${alias})
        and exists (select from bot where bot.id = i.bot_id and bot.workspace_id = mine.workspace_id)
      returning 1
    )
    update installation set
      identifier = case when ${identifier !== undefined} then ${identifier ?? null} else identifier end,
      register_schedule = coalesce(${schedule ?? null}, register_schedule),
      register_at = coalesce(${schedule ? nextRegisterAt(schedule, new Date()) : null}::timestamptz, register_at),
      sandbox_identifiers = case when ${sandboxIdentifiers !== undefined} then ${sandboxIdentifiers ? JSON.stringify(sandboxIdentifiers) : null}::jsonb else sandbox_identifiers end,
      updated_at = now()
    -- reading what was released makes that happen first, and the identifier free
    where bot_id = ${botId} and alias = ${alias} and (select count(*) from released) >= 0
    returning alias
  `.execute(db)
  if (!rows.length) throw new ApiError('ResourceNotFound', `No integration is installed as "${alias}"`)
}

/** Takes the installations that are due, and moves each to its next time; several servers share them without taking one twice. */
export function claimDueRegistrations(db: Db, now: Date, limit: number): Promise<{ botId: string; alias: string }[]> {
  return db.transaction().execute(async (trx) => {
    const due = await trx
      .selectFrom('installation')
      .select(['bot_id as botId', 'alias', 'register_schedule as schedule', 'register_at as at'])
      .where('register_at', '<=', now)
      .where('enabled', '=', true)
      .orderBy('register_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()
      .execute()
    const next = due.map(({ botId, alias, schedule, at }) => ({ botId, alias, at: nextRegisterAt(schedule as RegisterSchedule, at!, now) }))
    await sql`
      update installation set register_at = next.at
      from jsonb_to_recordset(${JSON.stringify(next)}::jsonb) as next ("botId" text, alias text, at timestamptz)
      where installation.bot_id = next."botId" and installation.alias = next.alias
    `.execute(trx)
    return due.map(({ botId, alias }) => ({ botId, alias }))
  })
}

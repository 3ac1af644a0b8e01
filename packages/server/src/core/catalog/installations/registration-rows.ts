// Records the outcomes of `register` and `unregister` in the rows of installation. Each call has an
// attempt id, and only the latest attempt is recorded, so that a slow earlier call does not
// overwrite a later outcome.

import { maxReasonLength, storableText } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { isAwake } from '../../queue/index.ts'
import type { InstallationStatus } from './installation-plan.ts'

export interface Attempt {
  botId: string
  alias: string
  attempt: string
}

/** `status` null: the called version is no longer installed, so the status stays. */
export async function recordRegistration(
  db: Db,
  { botId, alias, attempt }: Attempt,
  status: InstallationStatus | null,
  reason: string | null,
): Promise<void> {
  const outcome = status && {
    status,
    status_reason: reason === null ? null : storableText(reason, maxReasonLength),
  }
  await db
    .updateTable('installation')
    .set({ attempt: null, former_id: null, updated_at: sql`now()`, ...outcome })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('attempt', '=', attempt)
    .execute()
}

/**
 * Records whether a registered installation works now: the reason why not, or null. Changes nothing while it
 * is registered or removed, and returns whether it has changed something.
 */
export async function recordWorking(
  db: Db,
  { botId, alias }: Omit<Attempt, 'attempt'>,
  reason: string | null,
): Promise<boolean> {
  const status: InstallationStatus =
    reason === null ? 'registered' : 'registration_failed'
  const status_reason = reason === null ? null : storableText(reason, maxReasonLength)
  const { numUpdatedRows } = await db
    .updateTable('installation')
    .set({ status, status_reason })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('enabled', '=', true)
    .where('attempt', 'is', null)
    .where('status', 'in', ['registered', 'registration_failed'])
    .where(
      sql<boolean>`(status, status_reason) is distinct from (${status}, ${status_reason}::text)`,
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Deletes the installation after `unregister`, unless it was installed again meanwhile. */
export async function removeLeaving(
  db: Db,
  { botId, alias, attempt }: Attempt,
): Promise<void> {
  await db
    .deleteFrom('installation')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('attempt', '=', attempt)
    .where('leaves', '=', true)
    .execute()
}

/** More than both calls of an upgrade can take. */
const maxDuration = '5 minutes'

/**
 * Ends attempts of a server that stopped during a call: deletes installations that were being
 * removed, and marks the others as failed.
 */
export async function endForgottenRegistrations(db: Db): Promise<void> {
  const abandoned = sql`attempt is not null and updated_at < now() - ${maxDuration}::interval
    and ${sql.raw(isAwake('installation.bot_id'))}`
  await sql`
    with removed as (delete from installation where ${abandoned} and leaves)
    update installation set attempt = null, former_id = null, updated_at = now(),
      status = case status when 'registration_pending' then 'registration_failed'
        when 'unregistration_pending' then 'unregistration_failed' else status end,
      status_reason = case
        when status like '%_pending' then 'The server stopped before it received a response'
          else status_reason end
    where ${abandoned} and not leaves`.execute(db)
}

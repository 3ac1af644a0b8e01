// How `register` and `unregister` went, in the rows of installation. Each telling has a name, the attempt: only the last one's outcome is recorded,
// so that of two updates at once the earlier, whose call took longer, does not have the last word.
import { sql } from 'kysely'
import type { Db } from '../db/open.ts'
import { longestReason, storableText } from '../lib/storable-text.ts'
import type { InstallationStatus } from './installation-plan.ts'

export interface Attempt {
  botId: string
  alias: string
  attempt: string
}

/** `status` null: whoever was told is not there any more, and what is there stays as it is. */
export async function recordRegistration(
  db: Db,
  { botId, alias, attempt }: Attempt,
  status: InstallationStatus | null,
  reason: string | null,
): Promise<void> {
  const outcome = status && {
    status,
    status_reason: reason === null ? null : storableText(reason, longestReason),
  }
  await db
    .updateTable('installation')
    .set({ attempt: null, former_id: null, updated_at: sql`now()`, ...outcome })
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('attempt', '=', attempt)
    .execute()
}

/** After `unregister`; who installed it again meanwhile keeps it. */
export async function removeLeaving(db: Db, { botId, alias, attempt }: Attempt): Promise<void> {
  await db
    .deleteFrom('installation')
    .where('bot_id', '=', botId)
    .where('alias', '=', alias)
    .where('attempt', '=', attempt)
    .where('leaves', '=', true)
    .execute()
}

/** Longer than both calls of an upgrade may take. */
const longest = '5 minutes'

/** A server that stopped while it waited leaves nobody to record the outcome: what was to leave has gone then, the others have failed. */
export async function endForgottenRegistrations(db: Db): Promise<void> {
  const forgotten = sql`attempt is not null and updated_at < now() - ${longest}::interval`
  await sql`
    with gone as (delete from installation where ${forgotten} and leaves)
    update installation set attempt = null, former_id = null, updated_at = now(),
      status = case status when 'registration_pending' then 'registration_failed' when 'unregistration_pending' then 'unregistration_failed' else status end,
      status_reason = case when status like '%_pending' then 'The server stopped before it had an answer' else status_reason end
    where ${forgotten} and not leaves`.execute(db)
}

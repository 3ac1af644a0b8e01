// Retention of recordings of model calls (models/recordings.ts). They are files, so each server
// deletes the recordings in its own folder.
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import type { RecordedCalls } from './person-recordings.ts'
import { toCutoff } from './retention-steps.ts'

export async function countOldRecordings(
  recordings: RecordedCalls,
  botId: string,
  days: number,
): Promise<number> {
  let count = 0
  if (recordings?.mode === 'record')
    for await (const one of recordings.before(toCutoff(days)))
      if (one.botId === botId) count++
  return count
}

/** Periodic task: deletes recordings that are older than the rule of their bot. */
export async function removeOldRecordings(
  db: Db,
  recordings: RecordedCalls,
): Promise<void> {
  if (recordings?.mode !== 'record') return
  const { rows } = await sql<{ id: string; days: number }>`
    select id, (retention ->> 'recordings')::int as days from bot
    where retention ? 'recordings'`.execute(db)
  if (rows.length === 0) return
  const daysByBot = new Map(rows.map(({ id, days }) => [id, days]))
  for await (const { name, botId, at } of recordings.before(
    toCutoff(Math.min(...daysByBot.values())),
  )) {
    const days = daysByBot.get(botId)
    if (days !== undefined && at < toCutoff(days)) await recordings.remove([name])
  }
}

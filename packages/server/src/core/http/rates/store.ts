// Stores rate counters across restarts. Owns the table rate_window, which is unlogged and does not
// wait for the disk, since its loss is harmless.
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../../db/index.ts'
import type { Dump } from './rate.ts'

/** A window without counts since then has none left. */
const isRecent = sql`written_at > clock_timestamp() -
  case when split_part(key, ' ', 1) like '%PerHour' then interval '61 minutes'
  else interval '2 minutes' end`

const keepRatesStatement = statement<{ keys: string[]; counts: string[] }>(
  'keep-rates',
  `insert into rate_window (key, counts) select * from unnest(:keys::text[], :counts::text[])
     on conflict (key) do update set counts = excluded.counts, written_at = excluded.written_at`,
)

export async function keepWindows(database: Database, windows: Dump[]): Promise<void> {
  if (windows.length === 0) return
  await database.lazily(
    ...keepRatesStatement({
      keys: windows.map(([key]) => key),
      counts: windows.map(([, counts]) => counts.join()),
    }),
  )
}

/** Returns the windows with their age by the database's clock. */
export async function readWindows(db: Db): Promise<{ window: Dump; ageMs: number }[]> {
  const { rows } = await sql<{ key: string; counts: string; age_ms: number }>`
    select key, counts, (extract(epoch from clock_timestamp() - written_at) * 1000)::float8 as age_ms
    from rate_window where ${isRecent}
  `.execute(db)
  return rows.map(({ key, counts, age_ms }) => ({
    window: [key, counts.split(',').map(Number)],
    ageMs: age_ms,
  }))
}

/** Keys contain addresses and ids of users, so no row stays longer than it counts. */
export const removeOldWindows = (db: Db) =>
  sql`delete from rate_window where not ${isRecent}`.execute(db)

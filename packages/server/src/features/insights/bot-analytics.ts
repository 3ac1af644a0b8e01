// Owns the tables analytics_day and analytics_progress: daily statistics of each bot. A background
// task counts each finished day once and keeps its record; today and uncounted days are counted on
// request. So a request costs as much as its days, not the entire history.
import { type AnalyticsRecord, ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import {
  type BotDay,
  type CountedDay,
  countDays,
  countFailures,
  quietDay,
} from './day-counts.ts'

const dayMs = 86_400_000
const maxDays = 400
/** Delay after midnight: by then all writes of the day are committed. */
const delayMs = 900_000
/** Bots per statement. */
const botsPerStatement = 100

const toDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/**
 * Returns a record for each day that begins before `until`, up to today. Throws InvalidQuery for
 * more than 400 days.
 */
export async function listBotDays(
  db: Db,
  bot: { id: string; created_at: Date },
  from: Date,
  until: Date,
  now = Date.now(),
): Promise<AnalyticsRecord[]> {
  const days = daysBetween(from, until, now)
  if (!days.length) return []
  const ofBot = (day: string) => ({ botId: bot.id, day })
  const [{ rows: progress }, kept, failures] = await Promise.all([
    sql<{
      through: string
    }>`select through::text as through from analytics_progress where bot_id = ${bot.id}`.execute(
      db,
    ),
    sql<{ day: string; record: CountedDay }>`
      select day::text as day, record from analytics_day where bot_id = ${bot.id}
        and day between ${days[0]}::date and ${days.at(-1)}::date`.execute(db),
    countFailures(db, days.map(ofBot)),
  ])
  const known = new Map(kept.rows.map(({ day, record }) => [day, record]))
  const through = progress[0]?.through ?? toDay(bot.created_at.getTime() - dayMs)
  const open = days.filter((day) => day > through)
  const counted = await countDays(db, open.map(ofBot))
  for (const [i, day] of open.entries()) known.set(day, counted[i]!)
  return days.map((day, i) => ({
    ...(known.get(day) ?? quietDay(day)),
    failures: failures[i]!,
  }))
}

function daysBetween(from: Date, until: Date, now: number): string[] {
  const first = Math.floor(from.getTime() / dayMs)
  const last = Math.min(Math.ceil(until.getTime() / dayMs) - 1, Math.floor(now / dayMs))
  if (last - first >= maxDays)
    throw new ApiError(
      'InvalidQuery',
      `The range may span at most ${maxDays} days; request a shorter one`,
    )
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) =>
    toDay((first + i) * dayMs),
  )
}

/** Periodic task: counts finished days that have no record yet, each bot's in order. */
export async function storeDays(db: Db, now = Date.now()): Promise<void> {
  const last = toDay(now - delayMs - dayMs)
  for (;;) {
    const { rows } = await sql<{ bot_id: string; day: string }>`
      select b.id as bot_id, day::date::text as day
      from bot b left join analytics_progress p on p.bot_id = b.id,
        generate_series(coalesce(p.through + 1, b.created_at::date)::timestamp, ${last}::timestamp,
          interval '1 day') day
      where coalesce(p.through, b.created_at::date - 1) < ${last}::date
        and not exists (select from resting_bot resting where resting.bot_id = b.id)
      order by b.id, day limit ${botsPerStatement}`.execute(db)
    if (rows.length > 0)
      await keep(
        db,
        rows.map(({ bot_id: botId, day }) => ({ botId, day })),
      )
    if (rows.length < botsPerStatement) break
  }
  await sql`
    delete from analytics_day where ctid = any(array(
      select d.ctid from analytics_progress p join analytics_day d on d.bot_id = p.bot_id
        and d.day < ${last}::date - ${maxDays}::int limit 10000
    ))`.execute(db)
}

async function keep(db: Db, days: BotDay[]): Promise<void> {
  const records = await countDays(db, days)
  const rows = days.map(({ botId, day }, i) => ({
    bot_id: botId,
    day,
    record: records[i]!,
    quiet: isQuiet(records[i]!),
  }))
  await sql`
    with given as (
      select b.id as bot_id, day, record, quiet
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (bot_id text, day date, record jsonb,
          quiet bool)
      join bot b on b.id = given.bot_id
    ),
    kept as (insert into analytics_day (bot_id, day, record) select bot_id, day, record from given
      where not quiet on conflict do nothing)
    insert into analytics_progress as p (bot_id, through) select bot_id, max(day) from given group by bot_id
      order by bot_id
    on conflict (bot_id) do update set through = greatest(p.through, excluded.through)`.execute(
    db,
  )
}

const isQuiet = ({ messages, events, newUsers, customEvents, llm }: CountedDay) =>
  messages + events + newUsers + llm.calls + Object.keys(customEvents).length === 0

// Counts the events of a bot and day from the rows of messages, events and action runs. Their ids
// begin with the time, so only the day's own rows are read. It reads tables of other modules on
// purpose: their writers need not count.
import type { AnalyticsRecord } from '@botstead/contract'
import { sql } from 'kysely'
import type { Db } from '../../core/db/index.ts'
import { earliestId } from '../../core/lib/index.ts'

/** A day of a bot, as `2026-11-21`. */
export interface BotDay {
  botId: string
  day: string
}

const dayMs = 86_400_000
/** Silence that ends a session, in ms. */
const silenceMs = 1_800_000
/** Maximum number of custom counter names; the largest counters are kept. */
const maxNames = 1_000

/** Without failures, which a later redelivery ends. */
export type CountedDay = Omit<AnalyticsRecord, 'failures'>

export async function countDays(db: Db, days: BotDay[]): Promise<CountedDay[]> {
  if (!days.length) return []
  const { rows } = await sql<DayRow>`
    select day.bot_id, day.start, talk.*, born.*, happened.*, counted.*, llm.*
    from jsonb_to_recordset(${JSON.stringify(days.map(toBounds))}::jsonb) as day (
      ord int, bot_id text, start timestamptz, "end" timestamptz,
      earlier_message text, first_message text, last_message text, first_event text, last_event text,
        first_run text, last_run text
    )
    cross join lateral (
      select coalesce(sum(incoming), 0)::int as user_messages,
        coalesce(sum(outgoing), 0)::int as bot_messages,
        coalesce(sum(begun), 0)::int as sessions,
        (count(*) filter (where incoming > 0 and user_id <> day.bot_id
          and ${userCreatedAt} < day.start))::int as returning_users
      from (
        select user_id, count(*) filter (where today and direction = 'incoming') as incoming,
          count(*) filter (where today and direction = 'outgoing') as outgoing,
          count(*) filter (where today and direction = 'incoming'
            and coalesce(silence >= ${silenceMs} * interval '1 millisecond', true)) as begun
        from (
          select m.user_id, m.direction, m.id >= day.first_message as today,
            m.created_at - lag(m.created_at) over (partition by m.user_id, m.direction
              order by m.created_at, m.id) as silence
          from message m where m.bot_id = day.bot_id and m.id >= day.earlier_message
            and m.id < day.last_message
        ) sent group by user_id
      ) person
    ) talk
    cross join lateral (
      select count(*)::int as new_users from "user" u
      where u.bot_id = day.bot_id and u.created_at >= day.start and u.created_at < day."end"
        and u.id <> day.bot_id and ${isCustomer}
    ) born
    cross join lateral (
      select coalesce(sum(n), 0)::int as events, coalesce(jsonb_object_agg(type, n), '{}') as event_types
        from (
        select type, count(*) as n from event v where v.bot_id = day.bot_id and v.id >= day.first_event
          and v.id < day.last_event group by type
      ) typed
    ) happened
    cross join lateral (
      select coalesce(jsonb_object_agg(name, n), '{}') as custom_events from (
        select name, sum(count) as n from analytics_count c where c.bot_id = day.bot_id
          and c.hour >= day.start and c.hour < day."end"
        group by name order by n desc, name limit ${maxNames}
      ) named
    ) counted
    cross join lateral (
      select count(*)::int as calls, (count(*) filter (where not succeeded))::int as errors,
        sum(input_tokens) as input_tokens, sum(output_tokens) as output_tokens,
        ${spreadInSql('ms')} as latency, ${spreadInSql('output_tokens * 1000 / nullif(ms, 0)')} as speed,
          ${spreadInSql('cost')} as cost, sum(cost) as cost_sum
      from (
        select succeeded, ms, ${numberAt('usage', 'inputTokens')} as input_tokens,
          ${numberAt('usage', 'outputTokens')} as output_tokens,
          coalesce(${numberAt('botpress', 'cost')}, ${numberAt('metadata', 'cost')}) as cost
        from action_run r where r.bot_id = day.bot_id and r.id >= day.first_run and r.id < day.last_run
          and r.action = 'generateContent'
      ) run
    ) llm
    order by day.ord`.execute(db)
  return rows.map(toRecord)
}

/** Returns the present number of failures of each day. */
export async function countFailures(db: Db, days: BotDay[]): Promise<number[]> {
  const { rows } = await sql<{ failures: number }>`
    select (
      select count(*) from event v where v.bot_id = day.bot_id and v.unusual_status = 'failed'
        and v.id >= day.first_event and v.id < day.last_event
    )::int + (
      select count(*) from delivery d where d.bot_id = day.bot_id and d.kind <> 'event'
        and d.dead_at >= day.start and d.dead_at < day."end"
    )::int as failures
    from jsonb_to_recordset(${JSON.stringify(days.map(toBounds))}::jsonb) as day (
      ord int, bot_id text, start timestamptz, "end" timestamptz, first_event text, last_event text
    )
    order by day.ord`.execute(db)
  return rows.map(({ failures }) => failures)
}

/** Returns the record of a day without activity. */
export const quietDay = (day: string): CountedDay =>
  toRecord({ ...nothing, start: new Date(day) })

function toBounds({ botId, day }: BotDay, ord: number) {
  const start = Date.parse(day)
  const end = start + dayMs
  return {
    ord,
    bot_id: botId,
    start: new Date(start),
    end: new Date(end),
    earlier_message: earliestId('message', start - silenceMs),
    first_message: earliestId('message', start),
    last_message: earliestId('message', end),
    first_event: earliestId('event', start),
    last_event: earliestId('event', end),
    first_run: earliestId('actionRun', start),
    last_run: earliestId('actionRun', end),
  }
}

/**
 * Members of the workspace are no customers of the bot: they try it in the emulator, which tags its
 * users, or answer in the inbox.
 */
const isCustomer = sql`not u.tags ? 'emulator' and not exists (select from handoff_agent a
  where a.bot_id = u.bot_id and a.user_id = u.id)`

/** A lookup for each person of the day: the planner would join all users of all bots. */
const userCreatedAt = sql`(select u.created_at from "user" u
  where u.bot_id = day.bot_id and u.id = person.user_id and ${isCustomer})`

const spreadInSql = (value: string) =>
  sql.raw(
    `array[avg(${value}), stddev_pop(${value}), min(${value}), max(${value})]::float8[]`,
  )

/** Reads a number from the output of code; ignores other types and impossible values. */
const numberAt = (...path: string[]) => {
  const at = sql`r.output #> ${sql.lit(`{${path.join(',')}}`)}::text[]`
  return sql`case when jsonb_typeof(${at}) = 'number' then least(greatest((${at})::numeric, 0), 1e12) end`
}

type Spread = (number | null)[]

interface DayRow {
  start: Date
  user_messages: number
  bot_messages: number
  sessions: number
  returning_users: number
  new_users: number
  events: number
  event_types: Record<string, number>
  custom_events: Record<string, number>
  calls: number
  errors: number
  input_tokens: string | null
  output_tokens: string | null
  latency: Spread
  speed: Spread
  cost: Spread
  cost_sum: string | null
}

const nothing = {
  user_messages: 0,
  bot_messages: 0,
  sessions: 0,
  returning_users: 0,
  new_users: 0,
  events: 0,
  event_types: {},
  custom_events: {},

  calls: 0,
  errors: 0,
  input_tokens: null,
  output_tokens: null,
  latency: [],
  speed: [],
  cost: [],
  cost_sum: null,
}

const toRecord = (row: DayRow): CountedDay => ({
  startDateTimeUtc: row.start.toISOString(),
  endDateTimeUtc: new Date(row.start.getTime() + dayMs).toISOString(),
  returningUsers: row.returning_users,
  newUsers: row.new_users,
  sessions: row.sessions,
  messages: row.user_messages + row.bot_messages,
  userMessages: row.user_messages,
  botMessages: row.bot_messages,
  events: row.events,
  eventTypes: row.event_types,
  customEvents: row.custom_events,
  llm: {
    calls: row.calls,
    errors: row.errors,
    inputTokens: Math.round(Number(row.input_tokens)),
    outputTokens: Math.round(Number(row.output_tokens)),
    latency: spread(row.latency),
    tokensPerSecond: spread(row.speed),
    cost: { sum: Number(row.cost_sum), ...spread(row.cost) },
  },
})

const spread = ([mean, sd, min, max]: Spread) => ({
  mean: mean ?? 0,
  sd: sd ?? 0,
  min: min ?? 0,
  max: max ?? 0,
})

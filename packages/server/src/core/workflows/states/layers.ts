// Owns the table state_layer: what each user of a person contributes to the bot's states of the person.
// Invariant: of each key, a state has the value of the layer that was written last. Every write through a
// user of a person adds to the layer of that user, in the same statement; a split takes the layers apart.
//
// A write holds the row of its user (for key share), and a merge or split those of all users (for update).
// So a write belongs wholly to the time before it or after it.
import { ulid } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../db/index.ts'
import { newId } from '../../lib/index.ts'
import { type ExpiryDeps, expireState } from './expiry.ts'

/** Microseconds since 1970, when the row lock is held: the later of two writes has the larger one. */
const stamp = 'floor(extract(epoch from clock_timestamp()) * 1000000)::bigint'

export interface LayerValues {
  /** JSON of the keys that are written; null: all of the payload, and the other keys are removed. */
  patch: string | null
}

/** Adds the layer to a statement that writes a state and returns it. */
export const withLayer = (write: (subject: string) => string) => `
  with home as materialized (
    select home_id from "user" where bot_id = :botId and id = :subjectId for key share
  ),
  written as (${write('coalesce((select home_id from home), :subjectId)')}),
  layer as (
    insert into state_layer as l (bot_id, subject_id, name, user_id, payload, written)
    select w.bot_id, w.subject_id, w.name, :subjectId, p.payload, stamps.written
    from home cross join written w
    cross join lateral (select coalesce(:patch::jsonb, w.payload) as payload) p
    cross join lateral (
      select coalesce(jsonb_object_agg(key, ${stamp}), '{}') as written from (
        select jsonb_object_keys(p.payload) as key
        union
        select jsonb_object_keys(o.written) from state_layer o
        where :patch::jsonb is null and o.bot_id = w.bot_id and o.subject_id = w.subject_id
          and o.name = w.name
      ) keys
    ) stamps
    where home.home_id is not null
    on conflict (bot_id, subject_id, name, user_id) do update set
      payload = case when :patch::jsonb is null then excluded.payload
        else l.payload || excluded.payload end,
      written = l.written || excluded.written
  )
  select * from written`

/** The states of a person by the layers at its home: of each key the value that was written last. */
const combined = (botId: string, home: string) => sql`(
  select name, coalesce(jsonb_object_agg(key, value) filter (where value is not null), '{}') as payload
  from (
    select distinct on (l.name, w.key) l.name, w.key, l.payload -> w.key as value
    from state_layer l left join lateral jsonb_each_text(l.written) w on true
    where l.bot_id = ${botId} and l.subject_id = ${home}
    order by l.name, w.key, w.value::bigint desc, l.user_id
  ) latest group by name)`

/** Selects the bot's states of these users. */
const isOfUsers = (
  botId: string,
  ids: string[],
) => sql`s.bot_id = ${botId} and s.owner = ''
  and s.type = 'user' and s.subject_id = any(${ids}::text[])`

interface PersonsToMerge {
  /** Where the states will be. */
  home: string
  /** Where else states of the users are. */
  others: string[]
  /** Users that were persons alone: their states have no layers yet. */
  newcomers: string[]
}

/**
 * Makes the states of several persons those of one. Requires locks on all of their users. Returns the
 * names of the states that are larger than `maxBytes` now.
 */
async function mergeUserStates(
  deps: ExpiryDeps & { db: Db },
  botId: string,
  { home, others, newcomers }: PersonsToMerge,
  maxBytes: number,
): Promise<string[]> {
  const { db } = deps
  await expireOverdue(deps, botId, [home, ...others])
  await sql`
    insert into state_layer (bot_id, subject_id, name, user_id, payload, written)
    select bot_id, subject_id, name, subject_id, payload, (
      select coalesce(jsonb_object_agg(key, (extract(epoch from updated_at) * 1000000)::bigint), '{}')
      from jsonb_object_keys(payload) key)
    from state s where ${isOfUsers(botId, newcomers)}`.execute(db)
  await moveToHome(db, botId, home, others)
  return combineAt(db, botId, home, maxBytes)
}

/** Otherwise a merge would revive a state that nothing reads any more, or delete it without its event. */
async function expireOverdue(
  deps: ExpiryDeps & { db: Db },
  botId: string,
  ids: string[],
): Promise<void> {
  const { rows } = await sql<{ name: string; subjectId: string }>`
    select name, subject_id as "subjectId" from state s where ${isOfUsers(botId, ids)}
      and s.expires_at <= now()`.execute(deps.db)
  for (const row of rows)
    await expireState(deps, { botId, alias: null, type: 'user', ...row })
}

/** The state that was written last keeps its row, with its expiry. */
async function moveToHome(
  db: Db,
  botId: string,
  home: string,
  others: string[],
): Promise<void> {
  await sql`
    with latest as (
      select distinct on (name) name, subject_id from state s where ${isOfUsers(botId, [home, ...others])}
      order by name, updated_at desc, subject_id
    )
    update state h set expiry_ms = s.expiry_ms, expiry_given = s.expiry_given, expires_at = s.expires_at,
      updated_at = s.updated_at
    from latest join state s on s.bot_id = ${botId} and s.owner = '' and s.type = 'user'
      and s.subject_id = latest.subject_id and s.name = latest.name
    where h.bot_id = ${botId} and h.owner = '' and h.type = 'user' and h.subject_id = ${home}
      and h.name = latest.name and latest.subject_id <> ${home}`.execute(db)
  await sql`
    with latest as (
      select distinct on (name) name, subject_id from state s where ${isOfUsers(botId, others)}
        and not exists (select from state h where h.bot_id = ${botId} and h.owner = '' and h.type = 'user'
          and h.subject_id = ${home} and h.name = s.name)
      order by name, updated_at desc, subject_id
    )
    update state s set subject_id = ${home} from latest
    where ${isOfUsers(botId, others)} and s.subject_id = latest.subject_id and s.name = latest.name`.execute(
    db,
  )
  await sql`update state_layer set subject_id = ${home}
    where bot_id = ${botId} and subject_id = any(${others}::text[])`.execute(db)
  await sql`delete from state s where ${isOfUsers(botId, others)}`.execute(db)
}

/** The time of the last write stays: a later merge compares it. */
async function combineAt(
  db: Db,
  botId: string,
  home: string,
  maxBytes: number,
): Promise<string[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    update state s set payload = c.payload, revision = ${ulid()}
    from ${combined(botId, home)} c
    where ${isOfUsers(botId, [home])} and s.name = c.name
    returning s.name, octet_length(s.payload::text) as bytes`.execute(db)
  return rows.filter(({ bytes }) => bytes > maxBytes).map(({ name }) => name)
}

interface PersonToSplit {
  user: string
  home: string
  /** Where the states of the others will be. */
  restHome: string
  /** The others are a person alone: their states need no layers. */
  isLast: boolean
}

/**
 * Gives a user its own states: its values at the merge, and those that were written through it since. The
 * others keep the rest. Requires locks on all users of the person.
 */
async function splitUserStates(
  db: Db,
  botId: string,
  { user, home, restHome, isLast }: PersonToSplit,
): Promise<void> {
  if (home !== restHome)
    await sql`update state s set subject_id = ${restHome} where ${isOfUsers(botId, [home])}`.execute(
      db,
    )
  const isOfRest = sql`bot_id = ${botId} and subject_id = ${restHome}`
  const { rows } = await sql<{ name: string }>`
    select name from state_layer where ${isOfRest} and user_id = ${user}`.execute(db)
  const names = rows.map(({ name }) => name)
  const ids = names.map(() => newId('state'))
  await sql`
    insert into state (bot_id, type, subject_id, name, id, payload, revision, expiry_ms, expiry_given,
      expires_at, created_at, updated_at)
    select s.bot_id, s.type, ${user}, s.name, own.id, l.payload, ${ulid()}, s.expiry_ms, s.expiry_given,
      s.expires_at, s.created_at, coalesce((select to_timestamp(max(value::bigint) / 1000000.0)
        from jsonb_each_text(l.written)), s.updated_at)
    from unnest(${names}::text[], ${ids}::text[]) own (name, id)
    join state_layer l on l.bot_id = ${botId} and l.subject_id = ${restHome} and l.name = own.name
      and l.user_id = ${user}
    join state s on ${isOfUsers(botId, [restHome])} and s.name = own.name
    on conflict do nothing`.execute(db)
  await sql`delete from state_layer where ${isOfRest} and user_id = ${user}`.execute(db)
  await sql`delete from state s where ${isOfUsers(botId, [restHome])} and s.name = any(${names}::text[])
    and not exists (select from state_layer l where l.bot_id = ${botId} and l.subject_id = ${restHome}
      and l.name = s.name)`.execute(db)
  await combineAt(db, botId, restHome, Number.MAX_SAFE_INTEGER)
  if (isLast) await sql`delete from state_layer where ${isOfRest}`.execute(db)
}

/** States of users who are one person. */
export const userStates = {
  merge: mergeUserStates,
  split: splitUserStates,
}

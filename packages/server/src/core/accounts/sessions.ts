// Owns the table session: sign-ins with a browser. The cookie's value is random, and the
// server stores its SHA-256. It is renewed while it is used; the next value is derived from the
// current one, so parallel requests and servers give the browser the same one. The previous value
// stays valid until the browser has the new one, and a minute longer. A later use of it means that
// two browsers have the cookie: browser-sessions.ts then ends the session.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { hmac, sha256 } from '@botstead/lib'
import { type Selectable, sql } from 'kysely'
import { type Database, type Db, type Schema, statement } from '../db/index.ts'
import type { CallerSession } from '../http/index.ts'
import { newId } from '../lib/index.ts'

export type SessionRow = Omit<Selectable<Schema['session']>, 'hash' | 'previous_hash'>
export type SignInMethod = SessionRow['method']

/** In seconds. */
export interface SessionAges {
  /** Without a use. */
  idle: number
  /** Since the sign-in. */
  total: number
}

export interface Visit {
  browser: string
  address: string
}

const renewalMs = 600_000
const overlapMs = 60_000
/** The precision of the last use, and so of the idle time. */
const useMs = 60_000

const form = /^[\w-]{43}$/

/**
 * `value` is returned only here. Also deletes some expired sessions. The account is in use from now
 * on: its workspace can no longer create its first token.
 */
export async function createSession(
  database: Database,
  owner: { accountId: string; method: SignInMethod },
  visit: Visit,
  ages: SessionAges,
): Promise<{ id: string; value: string }> {
  const value = randomBytes(32).toString('base64url')
  const id = newId('session')
  await database.run(
    ...insertSession({ ...owner, ...visit, ...ages, id, hash: sha256(value) }),
  )
  return { id, value }
}

const insertSession = statement<
  { id: string; hash: Buffer; accountId: string; method: SignInMethod } & Visit &
    SessionAges
>(
  'create-session',
  `with expired as (
     delete from session where id in (select id from session where expires_at < now()
       order by expires_at limit 100 for update skip locked)
   ), held as (
     update account set invited_by = null where id = :accountId and invited_by is not null
   )
   insert into session (id, account_id, hash, method, browser, address, expires_at, ends_at)
   values (:id, :accountId, :hash, :method, :browser, :address,
     now() + least(:idle::float8, :total) * interval '1 second',
     now() + :total::float8 * interval '1 second')`,
)

/** Returns null for a malformed, unknown or expired value. */
export async function findSession(db: Db, value: string): Promise<CallerSession | null> {
  if (!form.test(value)) return null
  const hash = sha256(value)
  const row = await db
    .selectFrom('session')
    .select(['id', 'account_id', 'hash', 'renewed_at', 'confirmed_at', 'last_used_at'])
    .where((is) => is.or([is('hash', '=', hash), is('previous_hash', '=', hash)]))
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!row) return null
  return {
    id: row.id,
    accountId: row.account_id,
    botId: null,
    integrationId: null,
    workspaceId: null,
    hash: hash.toString('hex'),
    isPrevious: !row.hash.equals(hash),
    renewedAt: row.renewed_at.getTime(),
    confirmedAt: row.confirmed_at?.getTime() ?? null,
    lastUsedAt: row.last_used_at.getTime(),
  }
}

/** Returns whether the browser has had a newer value for longer than requests take. */
export const isOutdated = ({ isPrevious, confirmedAt }: CallerSession, now: number) =>
  isPrevious && confirmedAt !== null && now - confirmedAt > overlapMs

/**
 * Notes a use, and returns the cookie's next value if the browser should replace the one that it
 * sent. Changes `session`, which is cached, so that further requests do not repeat the writes.
 */
export async function useSession(
  database: Database,
  key: Buffer,
  session: CallerSession,
  { value, visit, idle, now }: { value: string; visit: Visit; idle: number; now: number },
): Promise<string | null> {
  const { id, isPrevious, confirmedAt } = session
  const isDue = !isPrevious && now - session.renewedAt > renewalMs
  const next =
    isDue || (isPrevious && confirmedAt === null) ? nextValue(key, value) : null
  const use = { id, ...visit, idle }
  if (isDue) {
    const hashes = { hash: Buffer.from(session.hash, 'hex'), nextHash: sha256(next!) }
    await database.run(...renewSession({ ...use, ...hashes }))
    Object.assign(session, { isPrevious: true, confirmedAt: null, lastUsedAt: now })
  } else if (now - session.lastUsedAt > useMs || (!isPrevious && confirmedAt === null)) {
    await database.run(...noteUse({ ...use, confirms: !isPrevious }))
    Object.assign(session, { lastUsedAt: now, ...(!isPrevious && { confirmedAt: now }) })
  }
  return next
}

const nextValue = (key: Buffer, value: string) => hmac(key, value).toString('base64url')

type Use = Visit & { id: string; idle: number }
const used = `browser = :browser, address = :address, last_used_at = now(),
  expires_at = least(ends_at, now() + :idle::float8 * interval '1 second')`

const noteUse = statement<Use & { confirms: boolean }>(
  'use-session',
  `update session set ${used},
     confirmed_at = case when :confirms then coalesce(confirmed_at, now()) else confirmed_at end
   where id = :id`,
)

/** Writes nothing if another request has renewed the value. */
const renewSession = statement<Use & { hash: Buffer; nextHash: Buffer }>(
  'renew-session',
  `update session set ${used}, previous_hash = hash, hash = :nextHash, renewed_at = now(),
     confirmed_at = null
   where id = :id and hash = :hash`,
)

/** Returns the newest first. */
export function listSessions(
  db: Db,
  accountId: string,
  page: { after: { at: Date; id: string } | null; limit: number },
): Promise<SessionRow[]> {
  let query = shown(db).where('account_id', '=', accountId)
  if (page.after)
    query = query.where(
      sql<boolean>`(created_at, id) < (${page.after.at}::timestamptz, ${page.after.id})`,
    )
  return query
    .where('expires_at', '>', sql<Date>`now()`)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Whether the session has not ended. */
export async function hasSession(db: Db, id: string): Promise<boolean> {
  const session = await findSessionRow(db, id)
  return session !== null && session.expires_at > new Date()
}

/** Returns null for a session that has ended. */
export const findSessionRow = async (db: Db, id: string): Promise<SessionRow | null> =>
  (await shown(db).where('id', '=', id).executeTakeFirst()) ?? null

const shown = (db: Db) =>
  db
    .selectFrom('session')
    .select([
      'id',
      'account_id',
      'renewed_at',
      'confirmed_at',
      'method',
      'browser',
      'address',
    ])
    .select(['created_at', 'last_used_at', 'expires_at', 'ends_at'])

/** Invalidate the account afterwards. Throws ResourceNotFound. */
export async function endSession(db: Db, accountId: string, id: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows)
    throw new ApiError('ResourceNotFound', `Session "${id}" was not found`)
}

/**
 * Ends all sessions of the account except `keep`, and returns their number. Invalidate the account
 * afterwards.
 */
export async function endOtherSessions(
  db: Db,
  accountId: string,
  keep: string | null,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('account_id', '=', accountId)
    .where('id', '<>', keep ?? '')
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Sessions of accounts. */
export const sessionStore = {
  endOthers: endOtherSessions,
  find: findSessionRow,
}

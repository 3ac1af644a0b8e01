// Owns the table sign_in_attempt: limits guesses of passwords and codes, per e-mail address and per
// network, over all servers. An attempt counts before it is checked, so parallel guesses cannot pass
// the limit. One-time links do not count: strangers cannot keep a person from signing in by a link.
import { ApiError } from '@botstead/contract'
import { FairTurns, sha256, toNetwork } from '@botstead/lib'
import { sql } from 'kysely'
import { type Database, type Db, statement } from '../../../core/db/index.ts'

/** Attempts without a delay. Then each failed one doubles the delay. */
const freeOfAccount = 5
const freeOfNetwork = 20
const firstDelaySeconds = 15
const maxDelaySeconds = 900

export interface Attempt {
  /** Known or not. */
  email: string
  address: string
}

/** Checks of one account at a time: each takes memory, time, and a place in the queue of hashes. */
const maxAtOnce = 2
const running = new Map<string, number>()

/** Runs a check, if the account has few running ones. Throws RateLimited otherwise. */
export async function asOneOfFew<Result>(
  email: string,
  check: () => Promise<Result>,
): Promise<Result> {
  const account = email.toLowerCase()
  const others = running.get(account) ?? 0
  if (others >= maxAtOnce)
    throw new ApiError(
      'RateLimited',
      'Other sign-ins with this e-mail address are being checked: retry in a second',
    )
  running.set(account, others + 1)
  try {
    return await check()
  } finally {
    const left = running.get(account)! - 1
    if (left > 0) running.set(account, left)
    else running.delete(account)
  }
}

/**
 * Counts an attempt. Returns null, or the milliseconds until the next one is possible. An attempt
 * from a locked network does not count for the account.
 */
export async function takeAttempt(
  database: Database,
  attempt: Attempt,
): Promise<number | null> {
  const network = ofNetwork(attempt)
  if (!(await take(database, network, freeOfNetwork)))
    return msUntilFree(database.db, network)
  const account = ofAccount(attempt)
  if (await take(database, account, freeOfAccount)) return null
  await refund(database, network)
  return msUntilFree(database.db, account)
}

/** After a success: the account starts again, and the network gets its attempt back. */
export async function forgiveAttempts(
  database: Database,
  attempt: Attempt,
): Promise<void> {
  await database.db
    .deleteFrom('sign_in_attempt')
    .where('subject', '=', ofAccount(attempt))
    .execute()
  await refund(database, ofNetwork(attempt))
}

/** Takes back an attempt that was neither a success nor a guess. */
export async function returnAttempt(database: Database, attempt: Attempt): Promise<void> {
  await refund(database, ofAccount(attempt))
  await refund(database, ofNetwork(attempt))
}

/** E-mail addresses of strangers are stored as hashes. */
const ofAccount = ({ email }: Attempt) =>
  `account ${sha256(email.toLowerCase()).toString('base64url')}`
const ofNetwork = ({ address }: Attempt) => `network ${toNetwork(address)}`

/**
 * Statements on one row wait for each other, and each holds a connection meanwhile: a flood of
 * sign-ins would take all connections of messages.
 */
const turns = new FairTurns({ capacity: 2, maxPerKey: 1 })
async function inTurn<Result>(
  subject: string,
  change: () => Promise<Result>,
): Promise<Result> {
  const turn = turns.take(subject)
  try {
    await turn.admitted
    return await change()
  } finally {
    turn.leave()
  }
}

async function take(database: Database, subject: string, free: number): Promise<boolean> {
  const limits = { subject, free, first: firstDelaySeconds, max: maxDelaySeconds }
  const rows = await inTurn(subject, () => database.run(...countAttempt(limits)))
  return rows.length > 0
}

const countAttempt = statement<{
  subject: string
  free: number
  first: number
  max: number
}>(
  'count-sign-in-attempt',
  `with old as (
     delete from sign_in_attempt where subject in (select subject from sign_in_attempt
       where last_at < now() - interval '1 day' and subject <> :subject
       order by last_at limit 100 for update skip locked)
   )
   insert into sign_in_attempt as known (subject, count) values (:subject, 1)
   on conflict (subject) do update set last_at = now(),
     count = case when known.last_at < now() - interval '1 day' then 1 else known.count + 1 end,
     locked_until = case when known.last_at >= now() - interval '1 day' and known.count + 1 >= :free
       then now() + interval '1 second'
         * least(:max::float8, :first * 2.0 ^ least(known.count + 1 - :free, 20)) end
   where known.locked_until is null or known.locked_until <= now()
   returning 1`,
)

const refund = (database: Database, subject: string) =>
  inTurn(subject, () => database.run(...returnOne({ subject })))

const returnOne = statement<{ subject: string }>(
  'return-sign-in-attempt',
  `update sign_in_attempt set count = greatest(count - 1, 0), locked_until = null
   where subject = :subject`,
)

async function msUntilFree(db: Db, subject: string): Promise<number> {
  const row = await db
    .selectFrom('sign_in_attempt')
    .select(sql<number>`extract(epoch from locked_until - now())::float8 * 1000`.as('ms'))
    .where('subject', '=', subject)
    .executeTakeFirst()
  return Math.max(1_000, Math.ceil(row?.ms ?? 0))
}

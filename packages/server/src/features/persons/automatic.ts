// Merges users by rule: those with the same verified address, when one of them writes. An address counts
// only if neither user has ever used it without a proof: someone else may have written under it before, to be
// found in the conversation and the variables of its owner later.
import { type AddressKind, ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '../../core/db/index.ts'
import { areNoted, type NewAddress, storeAddresses, toAddress } from './addresses.ts'
import { type MergeDeps, maxUsers, mergeUsers } from './merging.ts'

export interface AddressDeps {
  log: Logger
  db: Db
  inTransaction: <T>(work: (inside: MergeDeps) => Promise<T>) => Promise<T>
}

interface Writer {
  botId: string
  userId: string
}

/**
 * Notes the addresses under which a user writes, and merges the user as the rules of its bot say. Call it
 * before the message is stored: then the bot sees the variables of the person in this turn. Ignores texts
 * that are no addresses. A merge that is not possible is logged; the users remain a suggestion.
 */
export async function noteAddresses(
  deps: AddressDeps,
  writer: Writer,
  given: NewAddress[],
): Promise<void> {
  const addresses = given.flatMap(({ kind, address: text, verifiedBy }) => {
    const address = toAddress(kind, text)
    return address === null ? [] : [{ kind, address, verifiedBy }]
  })
  if (addresses.length === 0) return
  if (!(await areNoted(deps.db, writer, addresses)))
    await deps.inTransaction(({ db }) => storeAddresses(db, writer, addresses))
  for (const { kind, address, verifiedBy } of addresses)
    if (verifiedBy) await mergeByAddress(deps, writer, kind, address)
}

async function mergeByAddress(
  deps: AddressDeps,
  writer: Writer,
  kind: AddressKind,
  address: string,
): Promise<void> {
  const find = (db: Db) => findOthers(db, writer, kind, address)
  if ((await find(deps.db)).length === 0) return
  try {
    await deps.inTransaction(async (inside) => {
      const ids = [writer.userId, ...(await find(inside.db))]
      await undone(inside.db, () =>
        mergeUsers(inside, writer.botId, ids, { by: kind, accountId: null }),
      )
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    deps.log.warn(
      { ...writer, kind, reason: error.message },
      'a rule could not merge users',
    )
  }
}

/** A request with an Idempotency-Key commits its transaction although the merge in it has failed. */
async function undone(db: Db, work: () => Promise<void>): Promise<void> {
  await sql`savepoint merge_users`.execute(db)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint merge_users`.execute(db)
    throw error
  }
}

/** People keep a user of the person of `u` apart from one of the person of the writer `w`. */
const isKeptApart = sql`exists (
  select from "user" x join "user" y on y.bot_id = x.bot_id
    join separated_user s on s.bot_id = x.bot_id and s.user_id = least(x.id collate "C", y.id)
      and s.other_id = greatest(x.id collate "C", y.id)
  where x.bot_id = w.bot_id and (x.id = w.id or x.home_id = w.home_id)
    and (y.id = u.id or y.home_id = u.home_id))`

/** Returns the users of other persons that the rules of the bot merge with the writer by this address. */
async function findOthers(
  db: Db,
  { botId, userId }: Writer,
  kind: AddressKind,
  address: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select u.id from "user" w
    join person_rules r on r.bot_id = w.bot_id and ${kind} = any(r.merge_by)
    join user_address o on o.bot_id = w.bot_id and o.kind = ${kind} and o.address = ${address}
      and o.user_id <> w.id and o.verified_at is not null and o.claimed_at is null
    join "user" u on u.bot_id = o.bot_id and u.id = o.user_id
    where w.bot_id = ${botId} and w.id = ${userId} and u.id <> u.bot_id
      and (w.home_id is null or u.home_id is distinct from w.home_id)
      and exists (select from user_address a where a.bot_id = w.bot_id and a.user_id = w.id
        and a.kind = ${kind} and a.address = ${address} and a.verified_at is not null
        and a.claimed_at is null)
      and not ${isKeptApart}
      and not exists (select from handoff_agent h where h.bot_id = u.bot_id and h.user_id in (u.id, w.id))
    order by u.id limit ${maxUsers}`.execute(db)
  return rows.map(({ id }) => id)
}

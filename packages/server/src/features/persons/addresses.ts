// Owns the table user_address: addresses under which users of a bot have written, and who vouches for each.
// An address that a user only claims never merges anyone.
import {
  type AddressKind,
  type AddressProof,
  ApiError,
  type UserAddress,
} from '@botstead/contract'
import { type Selectable, sql } from 'kysely'
import type { Db, Schema } from '../../core/db/index.ts'

export interface NewAddress {
  kind: AddressKind
  address: string
  /** Null: the user only claims it. */
  verifiedBy: AddressProof | null
}

/**
 * Only ASCII: letters that look alike, or become equal as small letters, would be the address of another
 * person.
 */
const forms: Record<AddressKind, RegExp> = {
  email: /^[\x21-\x3f\x41-\x7e]{1,64}@[a-z\d](?:[a-z\d.-]{0,251}[a-z\d])?$/i,
  phone: /^\+[1-9]\d{6,14}$/,
  id: /^[^\p{Cc}]{1,320}$/u,
}

/** Returns an address as all channels write it, or null for a text that is none. */
export function toAddress(kind: AddressKind, text: string): string | null {
  const trimmed = kind === 'id' ? text : text.trim()
  if (!trimmed.isWellFormed() || !forms[kind].test(trimmed)) return null
  return kind === 'email' ? trimmed.toLowerCase() : trimmed
}

/** Throws InvalidPayload. */
export function requireAddress(kind: AddressKind, text: string): string {
  const address = toAddress(kind, text)
  if (address === null)
    throw new ApiError('InvalidPayload', `\`address\` is no ${examples[kind]}`)
  return address
}

const examples: Record<AddressKind, string> = {
  email: 'e-mail address of ASCII characters, such as ana@example.org',
  phone: 'phone number with its country code, such as +40712345678',
  id: 'id of 1 to 320 characters without control characters',
}

interface Owner {
  botId: string
  userId: string
}

/**
 * Notes that a user has written under these addresses. A use without a proof after verified ones is noted,
 * too. Requires a transaction: the locks let one of two users with a new address see the other.
 */
export async function storeAddresses(
  db: Db,
  owner: Owner,
  addresses: NewAddress[],
): Promise<void> {
  const toKey = ({ kind, address }: NewAddress) =>
    JSON.stringify([owner.botId, kind, address])
  const sorted = [...addresses].sort((one, other) => (toKey(one) < toKey(other) ? -1 : 1))
  for (const each of sorted) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${toKey(each)}, 0))`.execute(
      db,
    )
    await storeAddress(db, owner, each)
  }
}

async function storeAddress(
  db: Db,
  { botId, userId }: Owner,
  { kind, address, verifiedBy }: NewAddress,
): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .insertInto('user_address')
    .values({
      bot_id: botId,
      user_id: userId,
      kind,
      address,
      verified_by: verifiedBy,
      verified_at: verifiedBy && now,
      claimed_at: verifiedBy ? null : now,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['bot_id', 'user_id', 'kind', 'address'])
        .doUpdateSet(
          verifiedBy
            ? { verified_by: verifiedBy, verified_at: now }
            : { claimed_at: now },
        ),
    )
    .execute()
  await sql`
    update user_address a set is_shared = true
    where a.bot_id = ${botId} and a.kind = ${kind} and a.address = ${address} and not a.is_shared
      and exists (select from user_address o where o.bot_id = a.bot_id and o.kind = a.kind
        and o.address = a.address and o.user_id <> a.user_id)`.execute(db)
}

/** Returns whether all of these are noted already, in the last hour if they are only claimed. */
export async function areNoted(
  db: Db,
  { botId, userId }: Owner,
  addresses: NewAddress[],
): Promise<boolean> {
  const { rows } = await sql<{ noted: number }>`
    select count(*)::int as noted from user_address a
    join unnest(${addresses.map(({ kind }) => kind)}::text[],
      ${addresses.map(({ address }) => address)}::text[],
      ${addresses.map(({ verifiedBy }) => verifiedBy ?? '')}::text[]) given (kind, address, verified_by)
      on given.kind = a.kind and given.address = a.address
    where a.bot_id = ${botId} and a.user_id = ${userId}
      and case when given.verified_by = '' then a.claimed_at > now() - interval '1 hour'
        else a.verified_by = given.verified_by end`.execute(db)
  return rows[0]!.noted === addresses.length
}

export type AddressRow = Selectable<Schema['user_address']>

export const listAddresses = (
  db: Db,
  botId: string,
  userIds: string[],
): Promise<AddressRow[]> =>
  db
    .selectFrom('user_address')
    .selectAll()
    .where('bot_id', '=', botId)
    .where('user_id', 'in', userIds)
    .orderBy('kind')
    .orderBy('address')
    .limit(maxListed)
    .execute()

/** Of all users of a person. */
const maxListed = 1_000

export const toUserAddress = (row: AddressRow): UserAddress => ({
  kind: row.kind,
  address: row.address,
  ...(row.verified_by && { verifiedBy: row.verified_by }),
  ...(row.verified_at && { verifiedAt: row.verified_at.toISOString() }),
  ...(row.claimed_at && { claimedAt: row.claimed_at.toISOString() }),
})

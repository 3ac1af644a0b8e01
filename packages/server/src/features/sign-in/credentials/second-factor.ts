// Owns the tables account_totp and recovery_code: the second factor of an account that signs in with
// a password. Each code of the app counts once; a recovery code replaces one.
import { randomBytes } from 'node:crypto'
import { ApiError } from '@botstead/contract'
import { sha256 } from '@botstead/lib'
import { sql } from 'kysely'
import type { Db } from '../../../core/db/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import { findStep, toBase32, toOtpAuthUrl } from './one-time-codes.ts'

const recoveryCodeCount = 10

interface SecondFactor {
  isEnabled: boolean
  recoveryCodesLeft: number
}

export async function findSecondFactor(db: Db, accountId: string): Promise<SecondFactor> {
  const row = await db
    .selectFrom('account_totp')
    .select(
      sql<number>`(select count(*)::int from recovery_code code
        where code.account_id = account_totp.account_id)`.as('left'),
    )
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return { isEnabled: row !== undefined, recoveryCodesLeft: row?.left ?? 0 }
}

/**
 * Creates the secret, which counts after `confirmSecondFactor`. Throws RelationConflict for an
 * account with a confirmed one.
 */
export async function createSecondFactor(
  db: Db,
  secrets: Secrets,
  account: { id: string; email: string },
): Promise<{ secret: string; url: string }> {
  const secret = randomBytes(20)
  const sealed = await secrets.seal(null, secret.toString('hex'), toLocation(account.id))
  const { numInsertedOrUpdatedRows: stored } = await db
    .insertInto('account_totp')
    .values({ account_id: account.id, secret: sealed, confirmed_at: null })
    .onConflict((on) =>
      on
        .column('account_id')
        .doUpdateSet({ secret: sealed, last_step: '0' })
        .where('account_totp.confirmed_at', 'is', null),
    )
    .executeTakeFirst()
  if (!stored)
    throw new ApiError(
      'RelationConflict',
      'The account has a second factor: remove it first',
    )
  return { secret: toBase32(secret), url: toOtpAuthUrl(secret, account.email) }
}

const toLocation = (accountId: string) => `account_totp.secret/${accountId}`

type Deps = { db: Db; secrets: Secrets }

/** Enables the second factor with its first code. Returns the recovery codes; null for a wrong code. */
export async function confirmSecondFactor(
  { db, secrets }: Deps,
  accountId: string,
  code: string,
): Promise<string[] | null> {
  const step = await matchingStep({ db, secrets }, accountId, code)
  if (step === null) return null
  const { numUpdatedRows } = await db
    .updateTable('account_totp')
    .set({ confirmed_at: sql<Date>`now()`, last_step: String(step) })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows ? replaceRecoveryCodes(db, accountId) : null
}

/** Uses up a code of the app or a recovery code of an enabled second factor. */
export async function useSecondFactor(
  { db, secrets }: Deps,
  accountId: string,
  code: string,
): Promise<boolean> {
  if (!/^\d{6}$/.test(code)) return useRecoveryCode(db, accountId, code)
  const step = await matchingStep({ db, secrets }, accountId, code)
  if (step === null) return false
  const { numUpdatedRows } = await db
    .updateTable('account_totp')
    .set({ last_step: String(step) })
    .where('account_id', '=', accountId)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', String(step))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function matchingStep({ db, secrets }: Deps, accountId: string, code: string) {
  const row = await db
    .selectFrom('account_totp')
    .select('secret')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row) return null
  const secret = await secrets.open(row.secret, toLocation(accountId))
  return findStep(Buffer.from(secret, 'hex'), code, Date.now())
}

async function useRecoveryCode(
  db: Db,
  accountId: string,
  code: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('account_id', '=', accountId)
    .where('hash', '=', sha256(code.toUpperCase().replaceAll(/[\s-]/g, '')))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** The former ones stop working. Call it within a transaction. */
export async function replaceRecoveryCodes(db: Db, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () => toBase32(randomBytes(10)))
  await db.deleteFrom('recovery_code').where('account_id', '=', accountId).execute()
  await db
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ account_id: accountId, hash: sha256(code) })))
    .execute()
  return codes.map((code) => code.match(/.{4}/g)!.join('-'))
}

export const removeSecondFactor = async (db: Db, accountId: string): Promise<void> =>
  void (await db.deleteFrom('account_totp').where('account_id', '=', accountId).execute())

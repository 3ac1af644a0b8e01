// Owns the table account_identity: accounts at an OpenID Connect provider. A known subject is the
// same person, whatever the address is now. An unknown one gets the account with its verified
// address, unless that account belongs to another subject of the provider. An account that merely
// claimed the address loses all earlier credentials (proofs.ts).
import { ApiError } from '@botstead/contract'
import { sql } from 'kysely'
import { accountStore, addressProofs } from '../../../core/accounts/index.ts'
import type { Db } from '../../../core/db/index.ts'
import { proveAddress } from '../proofs.ts'

interface Person {
  issuer: string
  subject: string
  /** Verified by the provider. */
  email: string | null
  name: string | null
}

/**
 * Returns the person's account, and whether this sign-in proves its address. Creates one with `mayCreate`.
 * Call it within the transaction that signs in. Throws Forbidden.
 */
export async function findOrCreateAccount(
  db: Db,
  person: Person,
  { mayCreate }: { mayCreate: boolean },
): Promise<{ accountId: string; isProof: boolean }> {
  const { issuer, subject, email } = person
  // Two sign-ins of one person at the same time.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer} ${email}`}, 0))`.execute(
    db,
  )
  const known = await findBySubject(db, issuer, subject)
  if (known?.email_verified_at) {
    if (email && email !== known.email.toLowerCase())
      await addressProofs.move(db, known.id, email)
    return { accountId: known.id, isProof: false }
  }
  if (!email)
    throw forbidden(
      'The provider has not verified your e-mail address: sign in another way',
    )
  const accountId = known?.id ?? (await linkIdentity(db, { ...person, email }, mayCreate))
  const isProof = await proveAddress(db, accountId)
  if (known && email !== known.email.toLowerCase())
    await addressProofs.move(db, accountId, email)
  return { accountId, isProof }
}

const findBySubject = (db: Db, issuer: string, subject: string) =>
  db
    .selectFrom('account_identity')
    .innerJoin('account', 'account.id', 'account_id')
    .select(['account.id', 'email', 'email_verified_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()

async function linkIdentity(
  db: Db,
  { issuer, subject, email, name }: Person & { email: string },
  mayCreate: boolean,
): Promise<string> {
  const account = await accountStore.findByEmail(db, email)
  if (account) await rejectOtherSubject(db, issuer, account)
  else if (!mayCreate)
    throw forbidden(
      `There is no account with the address ${email}: ask for an invitation`,
    )
  const accountId = account?.id ?? (await accountStore.create(db, email, name))
  await db
    .insertInto('account_identity')
    .values({ issuer, subject, account_id: accountId })
    .execute()
  return accountId
}

/** A provider may give the address of a former employee to another person. */
async function rejectOtherSubject(
  db: Db,
  issuer: string,
  { id, email }: { id: string; email: string },
) {
  const other = await db
    .selectFrom('account_identity')
    .select('subject')
    .where('issuer', '=', issuer)
    .where('account_id', '=', id)
    .executeTakeFirst()
  if (other)
    throw forbidden(
      `The account with the address ${email} belongs to another person at the provider`,
    )
}

const forbidden = (message: string) => new ApiError('Forbidden', message)

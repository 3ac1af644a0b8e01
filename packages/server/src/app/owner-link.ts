// The link with which the owner of the installation signs in once, printed at each start.
import type { Db } from '../infra/db/database.ts'
import { findAccountByEmail } from '../modules/accounts/accounts.ts'
import { createSignInLink, longMinutes, toSignInUrl } from '../modules/accounts/sign-in-links.ts'
import { findOwnerEmail } from '../modules/accounts/workspaces.ts'

/** Returns a link for the owner of the installation; null without one. */
export async function createOwnerLink(db: Db, url: string): Promise<string | null> {
  const email = await findOwnerEmail(db)
  const owner = email === null ? null : await findAccountByEmail(db, email)
  return owner && toSignInUrl(url, await createSignInLink(db, owner.id, longMinutes))
}

// The link with which the owner of the installation signs in once, printed at each start.

import { findAccountByEmail } from '../../core/accounts/accounts.ts'
import { findOwnerEmail } from '../../core/accounts/workspaces.ts'
import type { Db } from '../../core/db/database.ts'
import { createSignInLink, longMinutes, toSignInUrl } from '../sign-in/sign-in-links.ts'

/** Returns a link for the owner of the installation; null without one. */
export async function createOwnerLink(db: Db, url: string): Promise<string | null> {
  const email = await findOwnerEmail(db)
  const owner = email === null ? null : await findAccountByEmail(db, email)
  return owner && toSignInUrl(url, await createSignInLink(db, owner.id, longMinutes))
}

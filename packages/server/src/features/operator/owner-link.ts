// The link with which the owner of the installation signs in once, printed at each start.

import { findAccountByEmail, findOwnerEmail } from '../../core/accounts/index.ts'
import type { Db } from '../../core/db/index.ts'
import { createSignInLink, longMinutes, toSignInUrl } from '../sign-in/index.ts'

/** Returns a link for the owner of the installation; null without one. */
export async function createOwnerLink(db: Db, url: string): Promise<string | null> {
  const email = await findOwnerEmail(db)
  const owner = email === null ? null : await findAccountByEmail(db, email)
  return owner && toSignInUrl(url, await createSignInLink(db, owner.id, longMinutes))
}

// The link with which the owner of the installation signs in once, printed at each start.

import { accountStore, workspaceStore } from '../../core/accounts/index.ts'
import type { Db } from '../../core/db/index.ts'
import { createSignInUrl } from '../sign-in/index.ts'

/** The link is read later, in the output of the start. */
const minutes = 24 * 60

/** Returns a link for the owner of the installation; null without one. */
export async function createOwnerLink(db: Db, url: string): Promise<string | null> {
  const email = await workspaceStore.findOwnerEmail(db)
  const owner = email === null ? null : await accountStore.findByEmail(db, email)
  return owner && createSignInUrl(db, owner.id, { server: url, minutes })
}

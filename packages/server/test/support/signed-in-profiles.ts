// Profiles of the dashboard's browser, each signed in as a member with a role. Tests reuse them, because a
// new profile loads and compiles all scripts again.
import { randomUUID } from 'node:crypto'
import type { Role } from '@botstead/contract'
import type { Browser, BrowserContext } from '@playwright/test'
import type { Database } from '../../src/core/db/database.ts'
import { createSignInLink } from '../../src/features/sign-in/sign-in-links.ts'
import { sessionHeaders } from './sign-in.ts'

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

export interface OpenOptions {
  size?: { width: number; height: number }
  scheme?: 'light' | 'dark'
}

/** Returns the profiles of a browser; the caller closes the browser. */
export function signedInProfiles(
  browser: Browser,
  database: Database,
  { url, workspaceId }: { url: string; workspaceId: string },
) {
  /** By role and look. */
  const reused = new Map<string, BrowserContext>()

  async function open(role: Role, { size = desktop, scheme = 'light' }: OpenOptions) {
    const name = `${role} ${size.width} ${scheme}`
    const known = reused.get(name)
    const isFree = !known || known.pages().length === 0
    if (known && isFree && (await isSignedIn(known))) return known
    const profile = await browser.newContext({ viewport: size, colorScheme: scheme })
    const account = await getAccountId(database, workspaceId, role)
    const code = await createSignInLink(database.db, account, 15)
    await profile.request.post(`${url}/v1/platform/sign-in/link`, {
      headers: sessionHeaders,
      data: { code },
      failOnStatusCode: true,
    })
    if (isFree) reused.set(name, profile)
    return profile
  }

  async function isSignedIn({ request }: BrowserContext) {
    const session = await request.get(`${url}/v1/platform/session`, {
      headers: sessionHeaders,
    })
    return session.ok()
  }

  return {
    /** Returns a profile without pages. */
    open,
    /** Closes all pages, and profiles that are not reused. */
    async empty() {
      const kept = new Set(reused.values())
      for (const profile of browser.contexts())
        await (kept.has(profile) ? emptyProfile(profile) : profile.close())
    },
  }
}

/** Closes the pages and deletes what they stored, except the session. */
async function emptyProfile(profile: BrowserContext) {
  const [page] = profile.pages()
  if (page?.url().startsWith('http'))
    await page
      .evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
      .catch(() => {})
  for (const each of profile.pages()) await each.close()
  await profile.clearPermissions()
}

/** Returns the workspace's first member with this role, and creates one if there is none. */
async function getAccountId(
  { db }: Database,
  workspaceId: string,
  role: Role,
): Promise<string> {
  const known = await db
    .selectFrom('workspace_member')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', role)
    .executeTakeFirst()
  if (known) return known.account_id
  const id = randomUUID()
  await db
    .insertInto('account')
    .values({ id, email: `${role}@example.org` })
    .execute()
  await db
    .insertInto('workspace_member')
    .values({ workspace_id: workspaceId, account_id: id, role })
    .execute()
  return id
}

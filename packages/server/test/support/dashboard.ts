// The dashboard in Chromium, of a real server: pages signed in with a role, and their faults.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Role } from '@botstead/contract'
import { type Browser, type Page, expect as playwrightExpect } from '@playwright/test'
import pino from 'pino'
import { type Database, openDatabase } from '../../src/infra/db/open.ts'
import { newUuid } from '../../src/infra/lib/ids.ts'
import { createSignInLink, toSignInUrl } from '../../src/modules/accounts/sign-in-links.ts'
import { openBrowser } from './browser.ts'
import { type RunningServer, runServer } from './running-server.ts'

/** Waits longer than by default, because the machine of the tests is busy. */
export const expect = playwrightExpect.configure({ timeout: 15_000 })

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

interface OpenOptions {
  size?: { width: number; height: number }
  scheme?: 'light' | 'dark'
}

export interface Dashboard {
  server: RunningServer
  browser: Browser
  database: Database
  /** Errors of pages: exceptions, console errors, violations of the security policy. */
  complaints: string[]
  /** Returns a page in a new browser profile, signed in as a member with this role. */
  open(role: Role, options?: OpenOptions): Promise<Page>
  /** The address of a page of the first bot: `botPage('/versions')`. */
  botPage(path?: string): string
  /** Calls the API as the owner, within the first bot. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on fields
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Closes the pages of a test. */
  closePages(): Promise<void>
  close(): Promise<void>
}

export async function openDashboard(env: NodeJS.ProcessEnv = {}): Promise<Dashboard> {
  const server = await runServer(env)
  const browser = await openBrowser()
  const database = openDatabase(server.database, { log: pino({ level: 'silent' }) })
  const complaints: string[] = []
  const { url, workspaceId, botId, token } = server.credentials

  async function signedIn(role: Role, { size = desktop, scheme = 'light' }: OpenOptions) {
    const profile = await browser.newContext({ viewport: size, colorScheme: scheme })
    const page = await profile.newPage()
    page.setDefaultTimeout(15_000)
    watch(page, complaints)
    const code = await createSignInLink(
      database.db,
      await accountOf(database, workspaceId, role),
      15,
    )
    await page.goto(toSignInUrl(url, code))
    await page.waitForURL('**/w/**')
    return page
  }

  return {
    ...{ server, browser, database, complaints },
    open: (role, options = {}) => signedIn(role, options),
    botPage: (path = '') => `${url}/w/${workspaceId}/bots/${botId}${path}`,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          'x-workspace-id': workspaceId,
          'x-bot-id': botId,
          'content-type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return response.json()
    },
    async closePages() {
      for (const profile of browser.contexts()) await profile.close()
      complaints.length = 0
    },
    async close() {
      await browser.close()
      await database.close()
      await server.remove()
    },
  }
}

/** Responses with an error status appear in the console, too; tests of error states expect them. */
function watch(page: Page, complaints: string[]) {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
}

/** Returns the workspace's first member with this role, and creates one if there is none. */
async function accountOf({ db }: Database, workspaceId: string, role: Role): Promise<string> {
  const known = await db
    .selectFrom('workspace_member')
    .select('account_id')
    .where('workspace_id', '=', workspaceId)
    .where('role', '=', role)
    .executeTakeFirst()
  if (known) return known.account_id
  const id = newUuid()
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

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Returns the violations that axe finds on the page: rule and element. */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  return page.evaluate(async () => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(document, {
      resultTypes: ['violations'],
    })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  })
}
interface Axe {
  run(
    root: unknown,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

// The dashboard in Chromium, of a real server: pages signed in with a role, and their faults.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Role } from '@botstead/contract'
import {
  type Browser,
  type Locator,
  type Page,
  expect as playwrightExpect,
} from '@playwright/test'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import type { Database } from '../../src/core/db/database.ts'
import { openDatabase } from '../../src/core/db/open.ts'
import { chromiumPath, noChromium, openBrowser } from './browser.ts'
import { type RunningServer, runServer } from './running-server.ts'
import {
  desktop,
  type OpenOptions,
  phone,
  signedInProfiles,
} from './signed-in-profiles.ts'

export { desktop, phone }

/** Waits longer than by default: the machine is busy, and hashing a password takes seconds. */
export const expect = playwrightExpect.configure({ timeout: 20_000 })

/** Sizes and themes in which every page is accessible. */
const looks = [phone, desktop].flatMap((size) =>
  (['light', 'dark'] as const).map((scheme) => ({ scheme, size })),
)

/** A chat user with a conversation with the first bot. */
interface Talker {
  userId: string
  conversationId: string
  say(text: string, metadata?: object): Promise<unknown>
  /** Shows that it writes. */
  type(): Promise<unknown>
  /** The texts of its messages, newest first. */
  texts(): Promise<string[]>
}

interface Dashboard {
  server: RunningServer
  browser: Browser
  database: Database
  /** Errors of pages: exceptions, console errors, violations of the security policy. */
  complaints: string[]
  /** Returns a page in a separate browser profile, signed in as a member with this role. */
  open(role: Role, options?: OpenOptions): Promise<Page>
  /** The address of a page of the first bot: `botPage('/versions')`. */
  botPage(path?: string): string
  /** Calls the API as the owner, within the first bot. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on fields
  call(method: string, path: string, body?: unknown): Promise<any>
  /** Creates a chat user, maybe with its own id, with a conversation. */
  converse(name?: string, ownId?: string): Promise<Talker>
  /** Closes the pages of a test. */
  closePages(): Promise<void>
  close(): Promise<void>
}

/** The dashboard of the test file that calls `describeDashboard`. */
export let dashboard: Dashboard

/**
 * Describes tests of the dashboard of one server. Each test ends without errors in its pages.
 * Without Chromium, one test is skipped with the reason.
 */
export const describeDashboard = (name: string, defineTests: () => void) =>
  describeDashboardWith(() => ({}), name, defineTests)

/** `env` returns settings of the server. */
export function describeDashboardWith(
  env: () => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>,
  name: string,
  defineTests: () => void,
): void {
  if (!chromiumPath) {
    test(name, ({ skip }) => skip(noChromium))
    return
  }
  describe(name, { timeout: 60_000 }, () => {
    beforeAll(async () => {
      dashboard = await openDashboard(await env())
    }, 90_000)
    afterAll(() => dashboard?.close())
    afterEach(async () => {
      expect(dashboard.complaints).toEqual([])
      await dashboard.closePages()
    })
    defineTests()
  })
}

/**
 * Returns the code of a bot. `handle` gets the `text` of a message, may call `echo()`, and may return
 * a response; 200 by default.
 */
export const botCode = (handle: string) => `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
const headers = {
  authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
}
exports.handler = async (request) => {
  if (request.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { type, conversationId, payload } = JSON.parse(request.body).event
  if (type !== 'message_created') return { status: 200 }
  const { text } = payload.message.payload
  const echo = () => fetch(BP_API_URL + '/v1/chat/messages', {
    method: 'POST',
    headers,
    body: JSON.stringify({
      conversationId, userId: BP_BOT_ID, type: 'text', tags: {}, payload: { text: 'echo ' + text }
    })
  })
  ${handle}
  return { status: 200 }
}`

const maxTabs = 150

/** Moves the focus to the control with the tab key, as people without a mouse do. */
export async function tabTo(control: Locator): Promise<void> {
  await control.waitFor()
  for (let tabs = 0; tabs < maxTabs; tabs++) {
    if (await control.evaluate((element) => element === document.activeElement)) return
    await control.page().keyboard.press('Tab')
  }
  throw new Error(`The tab key does not reach ${control}`)
}

/** Moves the focus to the control, and presses the enter key. */
export async function pressEnterOn(control: Locator): Promise<void> {
  await tabTo(control)
  await control.page().keyboard.press('Enter')
}

/** Tests that the owner's pages at these paths of the bot are accessible. */
export const testAccessibility = (paths: () => string[]) =>
  test('is accessible at both sizes and in both themes', async () => {
    const page = await dashboard.open('owner')
    for (const path of paths()) {
      await page.goto(new URL(path, dashboard.server.credentials.url).href)
      await expectAccessibleLooks(page, path)
    }
  })

/**
 * Expects a loaded page without violations that axe finds, of all rules or of some, and no wider than
 * its window.
 */
export async function expectAccessible(
  page: Page,
  name = '',
  rules?: string[],
): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByLabel('Loading …')).toHaveCount(0)
  expect(await findViolations(page, rules), name).toEqual([])
  const width = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(width, name).toBeLessThanOrEqual(page.viewportSize()!.width)
}

/**
 * Expects the same at both sizes and in both themes, which differ in colours only. Changes them in
 * place: loading a page again takes longer than the check.
 */
export async function expectAccessibleLooks(page: Page, name = ''): Promise<void> {
  for (const { size, scheme } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme: scheme })
    const rules = scheme === 'dark' ? ['color-contrast'] : undefined
    await expectAccessible(page, `${name} ${size.width} ${scheme}`, rules)
  }
}

/** Returns the elements that make the page wider than its place: then it scrolls sideways. */
export const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const content = document.querySelector('#content') ?? document.documentElement
    if (content.scrollWidth <= content.clientWidth) return []
    const end = content.getBoundingClientRect().left + content.clientWidth
    const wide = [...content.querySelectorAll('*')].filter(
      (one) => one.getBoundingClientRect().right > end + 1,
    )
    return [
      `${content.scrollWidth} in ${content.clientWidth}`,
      ...wide.map((one) => one.className),
    ]
  })

async function openDashboard(env: NodeJS.ProcessEnv): Promise<Dashboard> {
  const server = await runServer(env)
  const browser = await openBrowser()
  const database = openDatabase(server.database, { log: pino({ level: 'silent' }) })
  const complaints: string[] = []
  const { url, chatUrl, workspaceId, botId, token } = server.credentials

  const profiles = signedInProfiles(browser, database, server.credentials)

  async function openPage(role: Role, options: OpenOptions) {
    const profile = await profiles.open(role, options)
    const page = await profile.newPage()
    page.setDefaultTimeout(20_000)
    watch(page, complaints)
    await page.goto(`${url}/w/${workspaceId}/bots`, { waitUntil: 'commit' })
    return page
  }

  return {
    server,
    browser,
    database,
    complaints,
    open: (role, options = {}) => openPage(role, options),
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
    converse: (...who) => converse(chatUrl!, ...who),
    async closePages() {
      await profiles.empty()
      complaints.length = 0
    },
    async close() {
      await browser.close()
      await database.close()
      await server.remove()
    },
  }
}

async function converse(chatUrl: string, name?: string, ownId?: string): Promise<Talker> {
  async function call(path: string, body: object, key = '') {
    const headers = {
      'content-type': 'application/json',
      ...(key && { 'x-user-key': key }),
    }
    const sent = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await fetch(chatUrl + path, sent)).json()
  }

  const { user, key } = await call('/users', { name, id: ownId })
  const { conversation } = await call('/conversations', {}, key)
  const conversationId = conversation.id as string
  return {
    userId: user.id as string,
    conversationId,
    say: (text, metadata) =>
      call(
        '/messages',
        { conversationId, payload: { type: 'text', text }, metadata },
        key,
      ),
    type: () => call(`/conversations/${conversationId}/typing`, { isTyping: true }, key),
    async texts() {
      const response = await fetch(
        `${chatUrl}/conversations/${conversationId}/messages`,
        {
          headers: { 'x-user-key': key },
        },
      )
      const { messages } = await response.json()
      return messages.map(
        ({ payload }: { payload: { text?: string } }) => payload.text ?? '',
      )
    },
  }
}

/** Responses with an error status appear in the console, too; tests of error states expect them. */
function watch(page: Page, complaints: string[]) {
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (
      message.type() === 'error' &&
      !message.text().startsWith('Failed to load resource')
    )
      complaints.push(message.text())
  })
}

const axe = readFileSync(
  createRequire(import.meta.url).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** Returns the violations that axe finds on the page: rule and element. */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  await endAnimations(page)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  return page.evaluate(async (runOnly) => {
    const { violations } = await (globalThis as unknown as { axe: Axe }).axe.run(
      document,
      {
        resultTypes: ['violations'],
        ...(runOnly && { runOnly }),
      },
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html }) => `${id}: ${html}`),
    )
  }, rules)
}

/** A colour in transition has another contrast. */
const endAnimations = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) =>
      requestAnimationFrame(() => requestAnimationFrame(resolve)),
    )
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        animation.finish()
  })

interface Axe {
  run(
    root: unknown,
    options: object,
  ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

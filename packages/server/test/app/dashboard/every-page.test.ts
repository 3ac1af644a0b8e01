// Each page of the dashboard, for each role: accessible at both sizes and in both themes, and without
// a control that the server would reject. The router lists the pages.
import { may, type Role, roles } from '@botstead/contract'
import type { Locator, Page, Request } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboardWith,
  desktop,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  findOverflow,
} from '../../support/dashboard.ts'
import {
  type PageIds,
  pageAddresses,
  publicPages,
} from '../../support/dashboard-pages.ts'
import { fillPages } from '../../support/filled-pages.ts'
import {
  permits,
  type ServedOperation,
  servedOperations,
} from '../../support/served-operations.ts'

let ids: PageIds

const withQuickRetries = () => ({ BOTSTEAD_RETRY_SECONDS: '0.05' })

describeDashboardWith(withQuickRetries, 'every page of the dashboard', () => {
  beforeAll(async () => {
    ids = await fillPages()
  }, 60_000)

  test('is accessible at both sizes, in both themes and by keyboard', async () => {
    const page = await dashboard.open('owner')
    // Other tests ignore responses with an error status there.
    page.on('console', (message) => {
      if (message.type() === 'error')
        dashboard.complaints.push(`${message.text()}: ${message.location().url}`)
    })
    for (const address of addresses()) {
      await navigate(page, address)
      await expectAccessibleLooks(page, address)
      await page.setViewportSize(desktop)
      expect(await unreachedControls(page), address).toEqual([])
    }
  }, 180_000)

  test('is no wider than its place, whatever the width of the window', async () => {
    const page = await dashboard.open('owner')
    await expect.poll(() => countMessages()).toBeGreaterThan(0)
    for (const address of addresses()) {
      await navigate(page, address)
      for (const width of [390, 1024, 1280, 1600]) {
        await page.setViewportSize({ width, height: 800 })
        await expect.poll(() => findOverflow(page), `${address} at ${width}`).toEqual([])
      }
    }
  }, 180_000)

  test('opens the first row or the form of each page with the enter key', async () => {
    const page = await dashboard.open('owner')
    for (const [path, control, opened] of mainTasks) {
      const workspace = botAddress().replace(/\/bots\/.*/, '')
      await navigate(
        page,
        path.startsWith('/bot/') ? path.replace('/bot', botAddress()) : workspace + path,
      )
      await page
        .getByRole('main')
        .getByRole(...control)
        .and(page.locator(':not([href^="/docs"])'))
        .first()
        .focus()
      await page.keyboard.press('Enter')
      if (opened === 'dialog') {
        const dialog = page.getByRole('dialog')
        await expect(dialog, path).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(dialog, path).toHaveCount(0)
      } else await expect(page, path).toHaveURL(opened)
    }
  })

  test('sends a message and opens the trace of its answer by keyboard', async () => {
    const page = await dashboard.open('developer')
    await navigate(page, botAddress())
    await page.getByRole('button', { name: 'Try the bot', exact: true }).focus()
    await page.keyboard.press('Enter')
    const text = page.getByLabel('Your message')
    await expect(text).toBeFocused()
    await page.keyboard.type('hello')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Why this answer?' }).focus()
    await page.keyboard.press('Enter')
    const timeline = page.getByRole('region', { name: 'Timeline' })
    await expect(timeline).toContainText('received hello')
    await expect(timeline).toContainText('echo hello')
    await expectAccessible(page)
  })

  test.for(publicPages)('is accessible before signing in: %s', async (path) => {
    const profile = await dashboard.browser.newContext()
    const page = await profile.newPage()
    await page.goto(dashboard.server.credentials.url + path)
    await expectAccessibleLooks(page, path)
  })

  /** Controls that a role with fewer permissions has used. */
  const used = new Set<string>()

  test.for(rolesByPower())(
    'shows a %s no control that the server would reject',
    { timeout: 180_000 },
    async (role) => {
      const page = await dashboard.open(role)
      const usedApart = new Set<string>()
      // The list of bots opens for every role. A role that may not see it has no link to it.
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByLabel('Loading …')).toHaveCount(0)
      const sent = await watchRequests(page, role)
      if (may(role, 'bots.list')) await navigate(page, botAddress())
      const known = await linkedAddresses(page)
      for (const address of addresses().filter((one) => isLinked(one, known))) {
        await navigate(page, address)
        await useControls(page, address, isApart(role) ? usedApart : used)
      }
      expect(sent.rejected).toEqual([])
      const requests = `of ${sent.requests.join(', ')} at ${known.length} links`
      const expected = expect.arrayContaining(expectedChanges[role] ?? [])
      expect(sent.changes, requests).toEqual(expected)
    },
  )
})

/** Messages of the overview's chart, which is empty without any. */
async function countMessages(): Promise<number> {
  const { botId } = dashboard.server.credentials
  const day = 86_400_000
  const [from, to] = [Date.now() - day, Date.now() + day].map((at) =>
    new Date(at).toISOString(),
  )
  const range = new URLSearchParams({ startDate: from!, endDate: to! })
  const { records } = await dashboard.call(
    'GET',
    `/v1/admin/bots/${botId}/analytics?${range}`,
  )
  return records.reduce(
    (sum: number, { messages }: { messages: number }) => sum + messages,
    0,
  )
}

type Control = Parameters<ReturnType<Page['getByRole']>['getByRole']>

/** The path, its first control, and what that opens. */
const mainTasks: [path: string, control: Control, opened: 'dialog' | RegExp][] = [
  ['/bots', ['link', { name: 'Echo bot' }], /bots\/bot_/],
  ['/members', ['button', { name: 'Invite' }], 'dialog'],
  ['/bot/inbox', ['link'], /inbox\/handoff_/],
  ['/bot/conversations', ['link'], /conversations\/conv_/],
  ['/bot/users', ['link', { name: /chat/ }], /users\/user_/],
  ['/bot/deliveries', ['button', { name: /broken/ }], 'dialog'],
  ['/bot/issues', ['button', { name: /broken/ }], 'dialog'],
  ['/bot/logs', ['button', { name: /received/ }], 'dialog'],
  ['/bot/tables', ['link', { name: /OrdersTable/ }], /tables\/table_/],
  ['/bot/versions', ['button', { name: 'Save current state' }], 'dialog'],
  ['/bot/integrations', ['button', { name: 'Connect a channel' }], 'dialog'],
  ['/bot/integrations', ['link', { name: /chat/ }], /integrations\/chat/],
]

/** Presses the tab key through the page. Returns the visible controls that it did not focus. */
async function unreachedControls(page: Page): Promise<string[]> {
  const kinds = ['button:not([aria-hidden=true])', 'input', 'textarea'].map(
    (one) => `${one}:enabled`,
  )
  const controls = page.locator(
    [...kinds, 'a[href]'].map((one) => `main ${one}:visible`).join(', '),
  )
  const count = await controls.evaluateAll((all) => {
    for (const one of all) one.setAttribute('data-unreached', '')
    document.querySelector<HTMLElement>('#content')!.focus()
    return all.length
  })
  for (let press = 0; press < 2 * count + 5; press++) {
    await page.keyboard.press('Tab')
    const left = await page.evaluate(() => {
      // One button of a group is focused by the tab key, the others by arrows.
      const group = document.activeElement?.closest('[role=radiogroup], [role=tablist]')
      for (const one of [document.activeElement, ...(group?.querySelectorAll('*') ?? [])])
        one?.removeAttribute('data-unreached')
      return document.querySelectorAll('[data-unreached]').length
    })
    if (left === 0) return []
  }
  return page
    .locator('[data-unreached]')
    .evaluateAll((all) => all.map((one) => one.outerHTML))
}

/** No other role before it has fewer permissions: a viewer reads what it must not. */
const isApart = (role: Role) => role === 'agent' || role === 'editor'

/** Some changes that a role can make, and those before it cannot: the controls were used. */
const expectedChanges: Partial<Record<Role, string[]>> = {
  editor: ['platform.createKnowledgeCheck'],
  developer: ['admin.createBotVersion'],
  administrator: ['admin.deleteWorkspaceMember', 'platform.deleteInvitation'],
}

/** Each role after those with permissions that it includes. The owner is never rejected. */
function rolesByPower(): Role[] {
  return roles.filter((role) => role !== 'owner')
}

const botAddress = () => new URL(dashboard.botPage()).pathname

const addresses = () => pageAddresses(ids)

/** A page is open to a role if the navigation has it, or the page above it. */
function isLinked(address: string, known: string[]) {
  const above = address.slice(0, address.lastIndexOf('/'))
  const isDetail = above !== botAddress() && known.includes(above)
  return address === '/account' || known.includes(address) || isDetail
}

const linkedAddresses = (page: Page) =>
  page
    .getByRole('navigation')
    .getByRole('link')
    .evaluateAll((links) =>
      links.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
    )

/** Opens a page without loading the application again. */
async function navigate(page: Page, address: string) {
  const isHere = new URL(page.url()).pathname === address
  await page.evaluate((path) => {
    document.querySelector('h1')?.setAttribute('data-former', '')
    history.pushState(null, '', path)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)
  await expect(page.locator(isHere ? 'h1' : 'h1:not([data-former])')).toBeVisible()
  await expect(page.getByLabel('Loading …')).toHaveCount(0)
}

interface Sent {
  rejected: string[]
  changes: string[]
  /** All that are no GET. */
  requests: string[]
}

/**
 * Records the requests that the server would reject for the role, and answers those that would
 * change something, so that each control can be used. Replaces `fetch` in the page, because the
 * interception by the browser sometimes misses requests.
 */
async function watchRequests(page: Page, role: Role): Promise<Sent> {
  const sent: Sent = { rejected: [], changes: [], requests: [] }
  page.on('response', (response) => {
    if (response.status() === 403) sent.rejected.push(toName(response.request()))
  })
  await page.exposeFunction('isAnswered', (method: string, path: string) => {
    const operation = operationAt(method, path)
    const name = `${method} ${path}`
    sent.requests.push(name)
    if (operation?.permission?.endsWith('.read')) return false
    sent.changes.push(operation?.name ?? name)
    if (!operation || !permits(operation, role)) sent.rejected.push(name)
    return true
  })
  await page.evaluate(() => {
    const send = globalThis.fetch
    const { isAnswered } = globalThis as unknown as {
      isAnswered: (method: string, path: string) => Promise<boolean>
    }
    globalThis.fetch = async (input, init) => {
      const { method, url } = new Request(input, init)
      const { pathname } = new URL(url)
      if (method === 'GET' || !pathname.startsWith('/v1/')) return send(input, init)
      if (!(await isAnswered(method, pathname))) return send(input, init)
      return Response.json(
        { code: 503, type: 'Unavailable', message: '' },
        { status: 503 },
      )
    }
  })
  return sent
}

const toName = (request: Request) =>
  `${request.method()} ${new URL(request.url()).pathname}`

const operationAt = (sentMethod: string, path: string): ServedOperation | undefined =>
  servedOperations.find(
    ({ method, url }) =>
      method === sentMethod &&
      new RegExp(`^${url.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )

/** Clicks each button of the page, and sends the form of each dialog that opens. */
async function useControls(page: Page, address: string, used: Set<string>) {
  const main = page.getByRole('main')
  for (const name of await listNames(main)) {
    const key = `${address} ${name}`
    if (used.has(key)) continue
    used.add(key)
    const button = main.getByRole('button', { name, exact: true, disabled: false })
    if ((await button.count()) === 0) continue
    await click(button)
    await completeDialog(page)
    if (new URL(page.url()).pathname !== address) await navigate(page, address)
  }
}

/** The page may have removed the control meanwhile, or shows it later on a busy machine. */
const briefly = { timeout: 3_000 }

/** Notifications may cover a button, so no mouse is involved. */
const click = (button: Locator) =>
  button
    .first()
    .evaluate((element) => (element as HTMLElement).click(), undefined, briefly)
    .catch(() => {})

const listNames = (main: Locator): Promise<string[]> =>
  main
    .getByRole('button')
    .evaluateAll((all) => [
      ...new Set(
        all.map((one) => one.ariaLabel ?? one.textContent.trim()).filter(Boolean),
      ),
    ])

async function completeDialog(page: Page) {
  const dialog = page.getByRole('dialog')
  if ((await dialog.count()) === 0) return
  for (const field of await dialog.locator('input:visible, textarea:visible').all()) {
    const typed = /^Type (.*) to confirm/.exec(await toLabel(field))?.[1]
    const isAddress =
      (await field.getAttribute('type', briefly).catch(() => null)) === 'email'
    await field
      .fill(typed ?? (isAddress ? 'a@example.org' : '1'), briefly)
      .catch(() => {})
  }
  // The button that sends is the last one.
  const buttons = await dialog.locator('button:enabled:visible').all()
  if (buttons.length > 0) await click(buttons.at(-1)!)
  while (await dialog.count()) await page.keyboard.press('Escape')
}

/** Filling one field may have removed the others. */
const toLabel = (field: Locator) =>
  field
    .evaluate(
      (element) => (element as HTMLInputElement).labels?.[0]?.textContent ?? '',
      undefined,
      briefly,
    )
    .catch(() => '')

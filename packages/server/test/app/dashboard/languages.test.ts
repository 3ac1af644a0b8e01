// The languages of the dashboard: that of the browser, and the choice of a person.
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import { createSignInLink } from '../../../src/features/sign-in/sign-in-links.ts'
import {
  dashboard,
  describeDashboard,
  desktop,
  expect,
  findOverflow,
  findViolations,
  phone,
} from '../../support/dashboard.ts'
import { type PageIds, pageAddresses } from '../../support/dashboard-pages.ts'
import { fillPages } from '../../support/filled-pages.ts'
import { deploy } from '../../support/studio.ts'

let ids: PageIds

describeDashboard('languages of the dashboard', () => {
  beforeAll(async () => {
    ids = await fillPages()
  }, 60_000)

  test('follows the browser, then the choice of a person', async () => {
    const page = await open('de-AT')
    await page.goto(toUrl('/sign-in'))
    await expect(page.getByRole('heading', { level: 1, name: 'Anmelden' })).toBeVisible()
    expect(await getLanguage(page)).toBe('de')
    expect(await findViolations(page)).toEqual([])
    await choose(page, page.getByRole('group', { name: 'Sprache' }), 'Français')
    await expect(page.getByRole('group', { name: 'Langue' })).toBeVisible()
    await choose(page, page.getByRole('group', { name: 'Langue' }), 'Deutsch')
    await signIn(page)
    await page.goto(dashboard.botPage())
    await expect(
      page.getByRole('navigation').getByRole('link', { name: 'Wissen' }),
    ).toBeVisible()
    await expectFormats(page, /^1\.234$/, /^\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d$/)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Ihr Konto', exact: true }).click()
    await expect(page.getByRole('menuitemradio', { name: 'Deutsch' })).toBeChecked()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await chooseInMenu(page, 'Ihr Konto', '日本語')
    await expect(
      page.getByRole('navigation').getByRole('link', { name: 'ナレッジ' }),
    ).toBeVisible()
    expect(await getLanguage(page)).toBe('ja')
    await expectFormats(page, /^1,234$/, /^\d{4}\/\d\d\/\d\d \d+:\d\d:\d\d$/)
    expect(await findViolations(page)).toEqual([])
    await page.goto(dashboard.botPage('/inbox'))
    await expect(page).toHaveTitle(/^受信トレイ · /)
    expect(await findViolations(page)).toEqual([])
    await chooseInMenu(page, 'アカウント', 'English')
    await expect(page.getByRole('heading', { level: 1, name: 'Inbox' })).toBeVisible()
    expect(await getLanguage(page)).toBe('en')
    await page.goto(dashboard.botPage())
    await expectFormats(page, /^1,234$/, /^[A-Z][a-z]{2} \d+, \d{4}, /)
  })

  test('finds pages by their names, and by the English words of their addresses', async () => {
    const page = await open('de')
    await signIn(page)
    await page.goto(dashboard.botPage('/inbox'))
    await expect(
      page.getByRole('heading', { level: 1, name: 'Posteingang' }),
    ).toBeVisible()
    await page.keyboard.press('Control+k')
    for (const text of ['zustell', 'deliver']) {
      await page.getByRole('dialog').getByRole('combobox').fill(text)
      await expect(page.getByRole('option', { name: 'Zustellungen' })).toBeVisible()
    }
  })

  test('shows the words of messages in its language', async () => {
    const { conversationId } = await dashboard.converse('Ana')
    const { url, token, botId } = dashboard.server.credentials
    const message = {
      type: 'location',
      payload: { latitude: 1.5, longitude: -2 },
      tags: {},
    }
    const { status } = await fetch(`${new URL(url).origin}/v1/chat/messages`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'x-bot-id': botId,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ conversationId, userId: botId, ...message }),
    })
    expect(status).toBe(201)
    const page = await open('de')
    await signIn(page)
    await page.goto(dashboard.botPage(`/conversations/${conversationId}`))
    await expect(page.getByText('Karte öffnen')).toBeVisible()
  })

  test('asks before a choice loses unsaved changes', async () => {
    const page = await open('en')
    await signIn(page)
    await page.goto(dashboard.botPage('/settings'))
    const name = page.getByRole('region', { name: 'General' }).getByLabel('Name')
    await name.fill('Changed name')
    const asked: string[] = []
    const answer = (choice: 'accept' | 'dismiss') =>
      page.once('dialog', async (dialog) => {
        asked.push(dialog.type())
        await dialog[choice]()
      })
    answer('dismiss')
    await clickInMenu(page, 'Your account', 'Deutsch')
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await expect(name).toHaveValue('Changed name')
    answer('accept')
    await clickInMenu(page, 'Your account', 'Deutsch')
    await expect(
      page.getByRole('region', { name: 'Allgemein' }).getByLabel('Name'),
    ).toHaveValue('Echo bot')
    expect(await getLanguage(page)).toBe('de')
  })

  test('needs no more width than a phone has in German', async () => {
    const page = await open('de', phone)
    await signIn(page)
    for (const address of pageAddresses(ids)) {
      await page.goto(toUrl(address))
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByLabel('Wird geladen …')).toHaveCount(0)
      await expect.poll(() => findOverflow(page), address).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width, address).toBeLessThanOrEqual(phone.width)
    }
  }, 120_000)

  test('sends a page with its translation only, which no cache mixes up', async () => {
    const read = async (headers: Record<string, string>) => {
      const response = await fetch(toUrl('/sign-in'), { headers })
      expect(response.headers.get('vary')).toBe('cookie, accept-language')
      const text = await response.text()
      const scripts = [...text.matchAll(/<script[^>]* src="([^"]+)"/g)].map(
        ([, path]) => path!,
      )
      return { language: /<html lang="([^"]+)">/.exec(text)?.[1], scripts }
    }
    const german = await read({ 'accept-language': 'it, de-CH;q=0.8, en;q=0.1' })
    expect(german).toEqual({
      language: 'de',
      scripts: [
        expect.stringMatching(/^\/assets\/texts-de-.+\.js$/),
        expect.stringMatching(/^\/assets\/index-.+\.js$/),
      ],
    })
    const script = await (await fetch(toUrl(german.scripts[0]!))).text()
    expect(/(?:^|;)import[\s{*"'`]/.test(script), 'imports other files').toBe(false)
    const cookie = 'botstead_language=pt-BR'
    expect((await read({ cookie, 'accept-language': 'de' })).language).toBe('pt-BR')
    const hostile = await read({
      cookie: 'botstead_language="><script>',
      'accept-language': 'xx',
    })
    expect(hostile).toMatchObject({ language: 'en', scripts: [german.scripts[1]] })
  })

  test('shows helps of fields, and warnings of the check, in its language', async () => {
    const start = { type: 'start', cards: [{ type: 'send', message: ' ' }] }
    const settings = { typingIndicator: true }
    await deploy({
      kind: 'bot',
      version: 2,
      settings,
      flows: { main: { nodes: { start } } },
    })
    const page = await open('de')
    await signIn(page)
    await page.goto(dashboard.botPage('/flows?part=settings'))
    await expect(
      page.getByText(/^Zeigt, dass der Bot schreibt, solange ein Durchgang/),
    ).toBeVisible()
    await page.getByRole('button', { name: '1 Warnung' }).click()
    await expect(
      page.getByText('ist leer. Schreiben Sie, was der Bot sagt'),
    ).toBeVisible()
  })
})

const toUrl = (path: string) => dashboard.server.credentials.url + path
const getLanguage = (page: Page) => page.evaluate(() => document.documentElement.lang)

async function open(locale: string, viewport = desktop) {
  const profile = await dashboard.browser.newContext({ locale, viewport })
  const page = await profile.newPage()
  page.setDefaultTimeout(20_000)
  page.on('pageerror', (error) => dashboard.complaints.push(error.message))
  await page.route('**/analytics?*', async (route) => {
    const response = await route.fetch()
    const { records } = await response.json()
    await route.fulfill({
      response,
      json: { records: [{ ...records[0], newUsers: 1234 }] },
    })
  })
  return page
}

async function signIn(page: Page) {
  const { account_id } = await dashboard.database.db
    .selectFrom('workspace_member')
    .select('account_id')
    .where('workspace_id', '=', ids.workspaceId)
    .where('role', '=', 'owner')
    .executeTakeFirstOrThrow()
  const code = await createSignInLink(dashboard.database.db, account_id, 15)
  // From the page of the form, the browser would only change the fragment.
  await page.goto('about:blank')
  await page.goto(toUrl(`/sign-in#link=${code}`))
  await expect(page).not.toHaveURL(/sign-in/)
}

/** Clicks a language, which loads the page again. */
async function choose(page: Page, menu: ReturnType<Page['getByRole']>, language: string) {
  const loaded = page.waitForEvent('load')
  await menu.getByText(language, { exact: true }).click()
  await loaded
}

async function clickInMenu(page: Page, menu: string, language: string) {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page
    .getByRole('menuitemradio', { name: language, exact: true })
    .click({ noWaitAfter: true })
}

async function chooseInMenu(page: Page, menu: string, language: string) {
  const loaded = page.waitForEvent('load')
  await clickInMenu(page, menu, language)
  await loaded
}

/** Expects a figure and a time of the overview in these forms. */
async function expectFormats(page: Page, figure: RegExp, time: RegExp) {
  await expect(page.getByText(figure).first()).toBeVisible()
  await expect(page.locator('time').first()).toHaveAttribute('title', time)
}

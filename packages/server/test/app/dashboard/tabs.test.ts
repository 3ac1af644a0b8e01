// Many tabs of one browser, of which one is shown. Over HTTP/1.1 a browser opens six connections to a server.
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { dashboard, describeDashboard, expect } from '../../support/dashboard.ts'

/** Chromium without a window shows all tabs. */
const hide = (page: Page, isHidden = true) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

/** Opens a tab of the same browser, as its only visible one. */
async function openTab(first: Page, before: Page, path = '') {
  await hide(before)
  const page = await first.context().newPage()
  page.setDefaultTimeout(20_000)
  await page.goto(dashboard.botPage(path))
  return page
}

/** Counts the streams of live updates that are open. */
function countStreams(page: Page) {
  const open = new Set<unknown>()
  page.context().on('request', (request) => {
    if (request.url().endsWith('/v1/platform/live')) open.add(request)
  })
  page.context().on('requestfailed', (request) => open.delete(request))
  page.context().on('requestfinished', (request) => open.delete(request))
  return () => open.size
}

const answers = (page: Page) => page.getByRole('log').locator('.theirs .bubble')

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

const nobodyWaits = 'No conversation waits for a person'

const rename = (name: string) =>
  dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, { name })

describeDashboard('tabs of the dashboard', () => {
  test('eight tabs work, each with the emulator', async () => {
    const first = await dashboard.open('owner')
    await first.goto(dashboard.botPage('?emulator=open'))
    await say(first, 'in tab 1')
    await expect(answers(first)).toHaveCount(1)
    const tabs = [first]
    for (let number = 2; number <= 8; number++) {
      const tab = await openTab(first, tabs.at(-1)!, '?emulator=open')
      await expect(answers(tab)).toHaveCount(number - 1)
      await say(tab, `in tab ${number}`)
      await expect(answers(tab)).toHaveCount(number)
      tabs.push(tab)
    }
    await rename('Renamed meanwhile')
    await hide(tabs.at(-1)!)
    await hide(first, false)
    await expect(first.getByRole('heading', { level: 1 })).toHaveText('Renamed meanwhile')
    await expect(answers(first)).toHaveCount(8)
    await rename('Echo bot')
    await expect(first.getByRole('heading', { level: 1 })).toHaveText('Echo bot')
  })

  test('keeps a long conversation of the emulator in a tab that was hidden', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('?emulator=open'))
    for (let number = 1; number <= 12; number++) {
      await say(page, `${number}`)
      await expect(answers(page)).toHaveCount(number)
    }
    await hide(page)
    const read = page.waitForResponse((response) => response.url().includes('/messages'))
    await hide(page, false)
    await read
    await say(page, 'and more')
    await expect(answers(page)).toHaveCount(13)
  })

  test('hidden tabs share one stream for notifications', async () => {
    const first = await dashboard.open('administrator')
    await first.context().addInitScript(() => {
      const shown: string[] = []
      const Notification = Object.assign(
        function Notification(title: string) {
          shown.push(title)
        },
        { permission: 'granted', requestPermission: async () => 'granted' },
      )
      Object.assign(window, { shown, Notification })
    })
    const streams = countStreams(first)
    await first.goto(dashboard.botPage('/inbox'))
    const notify = first.getByRole('button', { name: 'Notify me' })
    await notify.click()
    await expect(notify).toHaveAttribute('aria-pressed', 'true')
    const tabs = [first]
    for (let number = 2; number <= 8; number++) {
      tabs.push(await openTab(first, tabs.at(-1)!, '/inbox'))
      await expect(tabs.at(-1)!.getByText(nobodyWaits)).toBeVisible()
    }
    await hide(tabs.at(-1)!)
    await expect.poll(streams).toBe(1)
    const shown = (page: Page) =>
      page.evaluate(() => (window as unknown as { shown: string[] }).shown.length)
    await expectNotices(tabs, shown)
    // The tab with the stream closes: another one takes over.
    await first.close()
    await expect.poll(streams).toBe(1)
    await expectNotices(tabs.slice(1), shown)
  })
})

/** Hands a conversation over, and expects one more notification in each tab. */
async function expectNotices(tabs: Page[], shown: (page: Page) => Promise<number>) {
  const before = await Promise.all(tabs.map(shown))
  const { conversationId } = await dashboard.converse()
  const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', {
    conversationId,
  })
  for (const [index, tab] of tabs.entries())
    await expect.poll(() => shown(tab)).toBe(before[index]! + 1)
  await dashboard.call('POST', `/v1/platform/handoffs/${handoff.id}/close`, {
    outcome: 'solved',
  })
  for (const tab of tabs) await expect(tab.getByText(nobodyWaits)).toBeVisible()
}

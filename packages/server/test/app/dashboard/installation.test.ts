// The installation in the dashboard: for its operator only.
import { expect } from '@playwright/test'
import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { chromiumPath, noChromium } from '../../support/browser.ts'
import { type Dashboard, openDashboard, phone, violationsOf } from '../../support/dashboard.ts'

let dashboard: Dashboard

describe.skipIf(!chromiumPath)('the installation in the dashboard', () => {
  beforeAll(async () => {
    dashboard = await openDashboard()
  }, 60_000)
  afterAll(() => dashboard?.close())
  afterEach(async () => {
    expect(dashboard.complaints).toEqual([])
    await dashboard.closePages()
  })

  const address = () => {
    const { url, workspaceId } = dashboard.server.credentials
    return `${url}/w/${workspaceId}/installation`
  }

  test('shows servers, tables and settings, and runs the checks', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('link', { name: 'Installation' }).click()
    const servers = page.getByRole('region', { name: 'Servers' })
    await expect(servers.getByText(String(dashboard.server.pid()))).toBeVisible()
    await expect(page.getByRole('cell', { name: 'message', exact: true })).toBeVisible()
    await expect(page.getByRole('cell', { name: 'messageDays', exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Run the checks' }).click()
    await expect(page.getByText(/^Good: /).first()).toBeVisible({ timeout: 30_000 })
  })

  test('is closed to other people', async () => {
    const page = await dashboard.open('administrator')
    await expect(page.getByRole('link', { name: 'Bots', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Installation' })).toHaveCount(0)
    await page.goto(address())
    await expect(page.getByRole('alert')).toBeVisible()
  })

  test.for([{ scheme: 'light', size: phone }, { scheme: 'dark' }] as const)(
    'is accessible: %o',
    { timeout: 60_000 },
    async (options) => {
      const page = await dashboard.open('owner', options)
      await page.goto(address())
      await expect(page.getByRole('region', { name: 'Servers' })).toBeVisible()
      expect(await violationsOf(page)).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBeLessThanOrEqual(page.viewportSize()!.width)
    },
  )
})

if (!chromiumPath) test('the installation in the dashboard', ({ skip }) => skip(noChromium))

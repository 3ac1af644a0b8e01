// The installation in the dashboard: for its operator only.
import { test } from 'vitest'
import { dashboard, describeDashboard, expect } from '../../support/dashboard.ts'

describeDashboard('the installation in the dashboard', () => {
  const address = () => {
    const { url, workspaceId } = dashboard.server.credentials
    return `${url}/w/${workspaceId}/installation`
  }

  test('shows servers, tables and settings, and runs the checks', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('link', { name: 'Installation' }).click()
    const servers = page.getByRole('region', { name: 'Servers' })
    await expect(servers.getByText(String(dashboard.server.pid()))).toBeVisible()
    const tables = page.getByRole('region', { name: /^Database/ })
    // With the head.
    await expect(tables.getByRole('row')).toHaveCount(11)
    await tables.getByRole('button', { name: /^Show all \d+ tables$/ }).click()
    await expect(page.getByRole('cell', { name: 'message', exact: true })).toBeVisible()
    const settings = page.getByRole('region', { name: 'Settings' })
    await settings.getByLabel('Search settings').fill('message_days')
    await expect(
      settings.locator('code', { hasText: 'BOTSTEAD_MESSAGE_DAYS' }),
    ).toBeVisible()
    await expect(settings.getByText('unlimited', { exact: true })).toBeVisible()
    await expect(settings.getByText('BOTSTEAD_USER_DAYS')).toHaveCount(0)
    await page.getByRole('button', { name: 'Run the checks' }).click()
    await expect(page.getByText(/^\d+ checks passed$/)).toBeVisible({ timeout: 30_000 })
    // Another page begins at its top.
    const content = page.locator('#content')
    await content.evaluate((element) => element.scrollTo(0, 300))
    await page.getByRole('link', { name: 'Usage' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Usage' })).toBeVisible()
    expect(await content.evaluate((element) => element.scrollTop)).toBe(0)
  })

  test('is closed to other people', async () => {
    const page = await dashboard.open('administrator')
    await expect(page.getByRole('link', { name: 'Bots', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Installation' })).toHaveCount(0)
    await page.goto(address())
    await expect(page.getByRole('alert')).toBeVisible()
  })
})

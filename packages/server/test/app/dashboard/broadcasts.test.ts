// The page Broadcasts: a dry run, a broadcast with its report, stop and resume, by role.
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('broadcasts in the dashboard', () => {
  test('sends a message after a dry run, on a phone, and reports each recipient', async () => {
    const ana = await dashboard.converse('Ana')
    await dashboard.converse('Bo')
    await dashboard.call('POST', '/v1/platform/opt-outs', {
      integration: 'chat',
      channel: 'channel',
      userId: ana.userId,
    })
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage('/broadcasts'))
    await expect(page.getByText('No broadcasts')).toBeVisible()
    await page.getByRole('button', { name: 'New broadcast' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name', { exact: true }).fill('Spring')
    await dialog.getByLabel('Message', { exact: true }).fill('Hello {{ user.name }}')
    await dialog.getByRole('combobox', { name: 'Integration' }).click()
    await page.getByRole('option', { name: 'chat', exact: true }).click()
    await expect(dialog.getByLabel('Channel', { exact: true })).toHaveValue('channel')
    await dialog.getByLabel('Quiet hours').check()
    await expectAccessible(page)
    await dialog.getByLabel('Quiet hours').uncheck()
    await dialog.getByLabel('Only users with tags').fill('Rome')
    await dialog.getByLabel('Only users with tags').press('Enter')
    await expect(dialog.getByText('"Rome" is not of the form name=value')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled()
    await dialog.getByLabel('Only users with tags').press('Backspace')
    await dialog.getByRole('button', { name: 'Dry run' }).click()
    const result = dialog.getByRole('status')
    await expect(
      result.getByText('1 person would get the message, 1 would be skipped'),
    ).toBeVisible()
    await expect(result.getByText('Hello Bo')).toBeVisible()
    await dialog.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('link', { name: 'Spring' }).click()
    await expect(page.getByText('Done', { exact: true })).toBeVisible()
    await expect(page.getByText('2 of 2')).toBeVisible()
    await expect(page.getByText('wants no broadcasts').first()).toBeVisible()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    expect((await download).suggestedFilename()).toBe('recipients.csv')
    await expectAccessible(page)
  })

  test('a running broadcast is stopped, resumed and deleted; a viewer only sees it', async () => {
    const { broadcast } = await dashboard.call('POST', '/v1/platform/broadcasts', {
      name: 'Later',
      audience: { integration: 'chat', channel: 'channel' },
      message: { type: 'text', payload: { text: 'Hi' } },
      startAt: '2100-01-01T00:00:00Z',
    })
    const address = dashboard.botPage(`/broadcasts/${broadcast.id}`)
    const viewer = await dashboard.open('viewer')
    await viewer.goto(address)
    await expect(viewer.getByText('Scheduled', { exact: true })).toBeVisible()
    await expect(viewer.getByRole('button', { name: 'Stop' })).toBeHidden()
    const page = await dashboard.open('developer')
    await page.goto(address)
    await page.getByRole('button', { name: 'Stop' }).click()
    // The other page follows.
    await expect(viewer.getByText('Stopped', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect(viewer.getByText('Scheduled', { exact: true })).toBeVisible()
    await page.getByRole('button', { name: 'Stop' }).click()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('link', { name: 'Later' })).toBeHidden()
    await expect(page.getByRole('button', { name: 'New broadcast' })).toBeVisible()
    const { broadcasts } = await dashboard.call('GET', '/v1/platform/broadcasts')
    expect(broadcasts.map(({ name }: { name: string }) => name)).not.toContain('Later')
  })
})

// The list of bots, and creating, transferring and deleting bots.
import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import { dashboard, describeDashboard, expect, testAccessibility } from '../../support/dashboard.ts'

describeDashboard('bots in the dashboard', () => {
  test('lists the bots, and opens one by keyboard', async () => {
    const page = await dashboard.open('owner')
    const bot = page.getByRole('link', { name: 'Echo bot' })
    await expect(bot).toBeVisible()
    await bot.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Echo bot', level: 1 })).toBeVisible()
  })

  test('creates a bot from a bundle, and deletes it after its name is typed', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    await page.getByLabel('Name').fill('<b>Second</b> bot')
    await page.locator('input[type=file]').setInputFiles(bundle)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: '<b>Second</b> bot' })).toBeVisible()

    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Delete bot' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Delete bot' })).toBeDisabled()
    await dialog.getByLabel('Type <b>Second</b> bot to confirm').fill('<b>Second</b> bot')
    await dialog.getByRole('button', { name: 'Delete bot' }).click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Second' })).toHaveCount(0)
  })

  test('leaves no bot behind when the file cannot be deployed', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    await page.getByLabel('Name').fill('Broken')
    const file = { name: 'bot.json', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('dialog').getByRole('alert')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Broken')
    const { bots } = await dashboard.call('GET', '/v1/admin/bots')
    expect(bots.map(({ name }: { name: string }) => name)).toEqual(['Echo bot'])
  })

  test('shows a viewer no control that the role may not use', async () => {
    const page = await dashboard.open('viewer')
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create bot' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Echo bot' }).click()
    await page.getByRole('link', { name: 'Settings' }).click()
    await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible()
    for (const name of ['Save', 'Set secret', 'Delete bot', 'Transfer', 'Create key', 'Rotate'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  })

  testAccessibility(() => ['/', ...['', '/versions', '/settings'].map(dashboard.botPage)])
})

const bundle = fileURLToPath(
  new URL('../../../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
)

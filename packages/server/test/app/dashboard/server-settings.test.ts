// The settings of the installation in the browser: tested, saved and removed by its operator.
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { type Mailbox, openMailbox } from '../../channels/email-stand-in.ts'
import {
  dashboard,
  describeDashboardWith,
  desktop,
  expect,
  expectAccessible,
  phone,
} from '../../support/dashboard.ts'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../../support/model-provider.ts'

const withSchedule = () => ({ BOTSTEAD_BACKUP_SCHEDULE: '0 3 * * *' })

describeDashboardWith(withSchedule, 'the settings of the server in the dashboard', () => {
  let provider: ModelProvider
  let mailbox: Mailbox
  let reply: Reply = {}
  beforeAll(async () => {
    provider = await openModelProvider(() => reply)
    mailbox = await openMailbox()
  })
  afterAll(async () => {
    await provider?.close()
    await mailbox?.close()
  })

  async function open(role: 'owner' | 'administrator' = 'owner'): Promise<Page> {
    const { url, workspaceId } = dashboard.server.credentials
    const page = await dashboard.open(role)
    await page.goto(`${url}/w/${workspaceId}/server-settings`)
    return page
  }
  const form = (page: Page, name: string) => page.getByRole('form', { name })
  const region = (page: Page, name: string) => page.getByRole('region', { name })

  test('tests a model, and saves one that fails only on request', async () => {
    const page = await open()
    const model = form(page, 'Language model')
    await model.getByLabel('Provider').click()
    await page.getByRole('option', { name: /on your own machine/ }).click()
    await model.getByLabel('Address').fill(`${provider.url}/v1`)
    await model.getByRole('textbox', { name: 'Model', exact: true }).fill('small')
    await model.getByRole('textbox', { name: 'Key' }).fill('sk-of-the-test')
    reply = { status: 401 }
    await model.getByRole('button', { name: 'Save' }).click()
    await expect(model.getByRole('alert')).toContainText('does not accept the key')
    await expectAccessible(page)
    reply = { text: ['OK'] }
    await model.getByRole('button', { name: 'Test', exact: true }).click()
    await expect(model.getByRole('status')).toContainText('"small" answered')
    await expect(model.getByRole('status')).toContainText('Not saved yet')
    await model.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await page.reload()
    await expect(model.getByLabel('Address')).toHaveValue(`${provider.url}/v1`)
    await expect(model.getByRole('textbox', { name: 'Key' })).toHaveValue('')
    await expect(model.getByText('Leave it empty to keep the stored one.')).toBeVisible()
    await model.getByRole('button', { name: /^Remove/ }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await expect(page.getByText('Removed', { exact: true })).toBeVisible()
    await expect(model.getByRole('textbox', { name: 'Model', exact: true })).toHaveValue(
      '',
    )
  })

  test('names the variable that wins', async () => {
    const page = await open()
    const backups = region(page, 'Backup schedule')
    await expect(
      backups.getByText('Set by BOTSTEAD_BACKUP_SCHEDULE on the server'),
    ).toBeVisible()
    await expect(backups.getByRole('button')).toHaveCount(0)
  })

  test('sends a test e-mail, then invitations', async () => {
    const page = await open()
    const mail = form(page, 'E-mail server')
    await mail
      .getByRole('textbox', { name: 'SMTP server', exact: true })
      .fill('127.0.0.1')
    await mail.getByLabel('Encryption of SMTP').click()
    await page.getByRole('option', { name: /^None/ }).click()
    await mail
      .getByLabel('Port of the SMTP server')
      .fill(String(mailbox.configuration.smtpPort))
    await mail.getByLabel('User').fill(String(mailbox.configuration.user))
    await mail
      .getByRole('textbox', { name: 'Password' })
      .fill(String(mailbox.configuration.password))
    await mail.getByLabel('Sender').fill('Bots <bots@shop.example>')
    await mail.getByLabel('Send the test e-mail to').fill('me@shop.example')
    await mail.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect(mailbox.sent.map(({ to }) => to![0]!.address)).toEqual(['me@shop.example'])
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail address').fill('ana@shop.example')
    await page.getByRole('button', { name: 'Create link' }).click()
    await expect(
      page.getByText('The server sends this link to ana@shop.example.'),
    ).toBeVisible()
    await expect.poll(() => mailbox.sent.length).toBe(2)
    expect(mailbox.sent[1]!.text).toContain('/invitation#code=')
  })

  test('fits on a phone and a desktop, and is closed to other people', async () => {
    const page = await open()
    for (const size of [phone, desktop]) {
      await page.setViewportSize(size)
      await expect(form(page, 'Public address')).toBeVisible()
      await expectAccessible(page)
      if (process.env.SHOTS)
        await page.screenshot({
          path: `${process.env.SHOTS}/settings-${size.width}.png`,
          fullPage: true,
        })
    }
    const other = await open('administrator')
    await expect(other.getByRole('alert')).toBeVisible()
    await expect(other.getByRole('link', { name: 'Server settings' })).toHaveCount(0)
  })
})

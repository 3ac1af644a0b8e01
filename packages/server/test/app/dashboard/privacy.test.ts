// The page Privacy: days by kind with a dry run, and redaction with a text to try, by role.
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('privacy in the dashboard', () => {
  const address = () => dashboard.botPage('/privacy')
  /** A conversation of 100 days ago. */
  const oldId = 'conv_01J00000000000000000000000'

  beforeAll(async () => {
    const { db } = dashboard.database
    const { botId } = dashboard.server.credentials
    const at = sql`now() - interval '100 days'`
    await sql`insert into analytics_progress (bot_id, through) values (${botId}, current_date - 1)
      on conflict (bot_id) do update set through = excluded.through`.execute(db)
    await sql`insert into conversation (bot_id, id, integration, channel, message_count, last_number,
        created_at, updated_at, updated_slot)
      values (${botId}, ${oldId}, 'chat', 'channel', 0, 0, ${at}, ${at},
        date_bin('10 minutes', ${at}, timestamptz '2000-01-01 00:00:00+00'))`.execute(db)
  })

  test('begins with the data of one person, and says how to find it', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(address())
    const main = page.getByRole('main')
    await expect(main.getByRole('heading', { level: 2 }).first()).toHaveText(
      'Data of one person',
    )
    const person = main.getByRole('region', { name: 'Data of one person' })
    await expect(person.getByRole('link', { name: 'Choose a user' })).toBeVisible()
    await expect(
      person.getByText('Developers, managers, administrators and owners'),
    ).toBeVisible()
    await person.getByRole('link', { name: 'Search messages' }).click()
    await expect(page.getByLabel('Search messages')).toBeVisible()
  })

  test('keeps conversations for 90 days after a dry run, on a phone', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(address())
    const retention = page.getByRole('region', { name: 'Retention' })
    await expect(retention.getByRole('button', { name: 'Save…' })).toBeDisabled()
    await retention.getByLabel('Conversations (days)', { exact: true }).fill('90')
    const recordings = retention.getByLabel('Recordings of model calls (days)', {
      exact: true,
    })
    await recordings.fill('30')
    await retention.getByRole('button', { name: 'Count what would be deleted' }).click()
    await expect(retention.getByRole('status').getByText('Conversations')).toBeVisible()
    await retention.getByLabel('Conversations (days)', { exact: true }).press('Enter')
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Conversations')).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save and delete' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    expect((await dashboard.call('GET', '/v1/platform/retention')).rules).toEqual({
      conversations: 90,
      recordings: 30,
    })
    await expect(async () => {
      const found = await dashboard.call('GET', `/v1/chat/conversations/${oldId}`)
      expect(found.code).toBe(404)
    }).toPass()
  })

  test('redacts by kinds and an own pattern, which a text shows first', async () => {
    const page = await dashboard.open('developer')
    await page.goto(address())
    const redaction = page.getByRole('region', { name: 'Redaction' })
    await redaction
      .getByRole('group', { name: 'E-mail addresses' })
      .getByLabel('Storage')
      .check()
    await redaction.getByRole('button', { name: 'Add a pattern' }).click()
    await redaction.getByRole('textbox', { name: 'Pattern' }).fill('K-\\d{6}')
    await redaction.getByLabel('Try a text').fill('ana@example.org has K-123456')
    await redaction.getByRole('button', { name: 'Show matches' }).click()
    await expect(redaction.getByText('[e-mail] has [redacted]')).toBeVisible()
    await expectAccessibleLooks(page)
    await redaction.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    const { rules } = await dashboard.call('GET', '/v1/platform/redaction')
    expect(rules).toMatchObject([
      { kind: 'email', where: ['storage'] },
      { kind: 'custom', pattern: 'K-\\d{6}' },
    ])
  })

  test('asks before unsaved changes of a form are lost', async () => {
    const page = await dashboard.open('developer')
    await page.goto(address())
    const retention = page.getByRole('region', { name: 'Retention' })
    await retention.getByLabel('Messages (days)', { exact: true }).fill('30')
    await page.keyboard.press('Tab')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expectAccessibleLooks(page)
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(retention.getByLabel('Messages (days)', { exact: true })).toHaveValue(
      '30',
    )
    const beforeUnload = page.waitForEvent('dialog')
    const reload = page.reload()
    await (await beforeUnload).accept()
    await reload
    await expect(retention.getByLabel('Messages (days)', { exact: true })).toHaveValue('')
    await page.getByRole('link', { name: 'Webchat', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('Another name')
    await page.goBack()
    await expect(dialog).toBeVisible()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  })

  test('shows a viewer the rules without controls', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(address())
    await expect(
      page.getByLabel('Conversations (days)', { exact: true }),
    ).toHaveAttribute('readonly')
    const storage = page
      .getByRole('group', { name: 'Card numbers' })
      .getByLabel('Storage')
    await expect(storage).toBeDisabled()
    for (const name of ['Save…', 'Save', 'Add a pattern', 'Remove', 'Show matches'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  })
})

// Integrations in the dashboard: install, configure, last requests, removal.
import { afterAll, beforeAll, test } from 'vitest'
import { openCodeServer } from '../../support/code-at-url.ts'
import { dashboard, describeDashboard, expect, testAccessibility } from '../../support/dashboard.ts'

let code: Awaited<ReturnType<typeof openCodeServer>>
let received: unknown[] = []

describeDashboard('integrations in the dashboard', () => {
  beforeAll(async () => {
    code = await openCodeServer(async ({ operation, body }) => {
      if (operation === 'webhook_received') received.push(body)
      return {}
    })
    const schema = { type: 'object', properties: { channel: { type: 'string', title: 'Channel' } } }
    await dashboard.call('POST', '/v1/admin/integrations', {
      ...{ name: 'news', version: '1.0.0', title: 'News', url: `${code.url}/` },
      configuration: { schema },
    })
  }, 60_000)
  afterAll(() => code?.close())

  const list = () => dashboard.botPage('/integrations')
  const installed = async () =>
    (await dashboard.call('GET', `/v1/admin/bots/${dashboard.server.credentials.botId}`)).bot
      .integrations

  test('installs an own integration, and shows its state and address', async () => {
    const page = await dashboard.open('owner')
    await page.goto(list())
    await expect(page.getByRole('link', { name: 'chat' })).toBeVisible()
    await page.getByRole('button', { name: 'Install integration' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Own', { exact: true }).click()
    await dialog.getByRole('button', { name: /News/ }).click()
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(page.getByRole('link', { name: 'news' })).toBeVisible()
    const row = page.getByRole('listitem').filter({ hasText: 'News' })
    await expect(row.getByText('Registered')).toBeVisible({ timeout: 15_000 })
    await expect(row.getByText(/\/webhooks?\//)).toBeVisible()
  })

  test('configures it by the form of its schema', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const form = page.getByRole('region', { name: 'Configuration' })
    await form.getByLabel('Channel').fill('sports')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The configuration was saved')).toBeVisible()
    await expect
      .poll(
        async () =>
          Object.values<{ name: string; configuration: unknown }>(await installed()).find(
            ({ name }) => name === 'news',
          )?.configuration,
      )
      .toEqual({ channel: 'sports' })
  })

  test('shows the last requests, and repeats one', async () => {
    received = []
    const { webhookId } = Object.values<{ name: string; webhookId: string }>(
      await installed(),
    ).find(({ name }) => name === 'news')!
    const { url } = dashboard.server.credentials
    await fetch(`${url}/webhooks/${webhookId}/hook?token=hidden`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer hidden' },
      body: '{"text":"<b>hi</b>"}',
    })
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const requests = page.getByRole('region', { name: 'Last requests' })
    await requests.getByRole('button', { name: 'POST /hook' }).click({ timeout: 15_000 })
    const details = page.getByRole('dialog')
    await expect(details.getByText('token=[redacted]')).toBeVisible()
    await expect(details.getByText('{"text":"<b>hi</b>"}')).toBeVisible()
    await expect(details.getByText('hidden')).toHaveCount(0)
    await details.getByRole('button', { name: 'Repeat' }).click()
    await expect(page.getByText('The integration answered 200')).toBeVisible()
    expect(received).toHaveLength(2)
    expect(received[1]).toEqual(received[0])
    await page.keyboard.press('Escape')
    await expect(requests.getByText('repeated')).toBeVisible({ timeout: 15_000 })
  })

  test('shows a viewer no control that the role may not use', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}/news`)
    await page.getByRole('button', { name: 'POST /hook' }).first().click({ timeout: 15_000 })
    await expect(page.getByRole('dialog').getByText('Headers').first()).toBeVisible()
    for (const name of ['Save', 'Remove', 'Repeat', 'Install integration'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  })

  testAccessibility(() => ['/integrations', '/integrations/news'].map(dashboard.botPage))

  test('names what breaks before it removes an integration', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Nothing in this bot uses the integration.')).toBeVisible()
    await dialog.getByLabel('Type news to confirm').fill('news')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page).toHaveURL(/\/integrations$/)
    await expect(page.getByRole('link', { name: 'news' })).toHaveCount(0)
  })
})

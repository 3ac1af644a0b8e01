// Integrations in the dashboard: install, register, configure, shared address and number, last
// requests, removal.
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { type CodeAtUrl, openCodeServer } from '../../support/code-at-url.ts'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
  phone,
  pressEnterOn,
  tabTo,
  testAccessibility,
} from '../../support/dashboard.ts'

let code: CodeAtUrl
let received: unknown[] = []

const refused = 'The newsroom does not know this <b>key</b>'
const failure = { id: 'err_x', code: 400, type: 'Runtime', message: refused }

const schema = {
  type: 'object',
  properties: {
    key: { type: 'string', title: 'Key', 'x-zui': { secret: true } },
    channel: { type: 'string', title: 'Channel' },
    sections: {
      type: 'array',
      title: 'Sections',
      items: { type: 'string', pattern: '^[a-z]+$' },
    },
    apiKey: { type: 'string', title: 'Signature' },
  },
  required: ['key'],
}
const definition = {
  configuration: { schema },
  configurations: {
    guest: { title: 'As a guest', schema: { type: 'object', properties: {} } },
  },
  identifier: { extractScript: 'parse_json!(.body).team' },
  sandbox: {
    identifierExtractScript: 'parse_json!(.body).from',
    messageExtractScript: 'parse_json!(.body).text',
  },
}

/** Connects by a script, in the spelling of published integrations; `manual` does not. */
const connected = {
  configuration: {
    identifier: {
      linkTemplateScript:
        'webhookId = to_string!(.webhookId)\nwebhookUrl = to_string!(.webhookUrl)\n' +
        '"{{ webhookUrl }}/oauth/wizard/start?state={{ webhookId }}"',
    },
    schema: {
      type: 'object',
      properties: {
        greeting: { type: 'string', title: 'Greeting' },
        internal: { type: 'string', title: 'Internal', 'x-zui': { hidden: true } },
        rules: {
          type: 'array',
          title: 'Rules',
          items: {
            type: 'object',
            properties: {
              word: { type: 'string', title: 'Word' },
              origin: { type: 'string', title: 'Origin', 'x-zui': { hidden: true } },
            },
          },
        },
      },
    },
  },
  configurations: {
    manual: { title: 'By hand', schema: { type: 'object', properties: {} } },
  },
}

interface Installed {
  webhookId: string
  identifier?: string
  configuration: unknown
  configurationType: string | null
}

describeDashboard('integrations in the dashboard', () => {
  beforeAll(async () => {
    code = await openCodeServer(async ({ operation, headers, body }) => {
      if (operation === 'webhook_received' && body.req.path.startsWith('/oauth'))
        return { headers: { 'x-bp-integration-identifier': 'shop-7' } }
      if (operation === 'webhook_received') received.push(body)
      const configuration = Buffer.from(
        String(headers['x-bp-configuration']),
        'base64',
      ).toString()
      const isWrong = operation === 'register' && configuration.includes('wrong')
      return isWrong ? { status: 400, body: failure } : {}
    })
    await dashboard.call('POST', '/v1/admin/integrations', {
      name: 'shop',
      version: '1.0.0',
      title: 'Shop',
      url: `${code.url}/`,
      ...connected,
    })
    await dashboard.call('POST', '/v1/admin/integrations', {
      name: 'news',
      version: '1.0.0',
      title: 'News',
      url: `${code.url}/`,
      ...definition,
    })
  }, 60_000)
  afterAll(() => code?.close())

  const list = () => dashboard.botPage('/integrations')
  const openOthers = async (page: Page) => {
    await page.getByRole('button', { name: 'Connect a channel' }).click()
    await page.getByRole('button', { name: 'Other channels and services' }).click()
  }
  const installed = async (alias = 'news'): Promise<Installed> => {
    const { url, workspaceId, botId, token } = dashboard.server.credentials
    const response = await fetch(`${url}/v1/admin/bots/${botId}`, {
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspaceId,
        'x-multiple-integrations': 'true',
      },
    })
    return (
      (await response.json()) as { bot: { integrations: Record<string, Installed> } }
    ).bot.integrations[alias]!
  }
  const sendSandboxed = (from: string, text: string) =>
    fetch(`${dashboard.server.credentials.url}/integration/global/news/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ from, text }),
    })

  test('asks for the configuration, and shows why the registration failed', async () => {
    const page = await dashboard.open('owner')
    await page.goto(list())
    await expect(page.getByRole('link', { name: 'chat', exact: true })).toBeVisible()
    await openOthers(page)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Installed as chat')).toBeVisible()
    await dialog.getByRole('button', { name: /News/ }).click()
    await dialog.getByLabel('Alias').fill('chat')
    await expect(
      dialog.getByText('This bot has an integration with this alias'),
    ).toBeVisible()
    await dialog.getByLabel('Alias').fill('news')
    const key = dialog.getByRole('textbox', { name: 'Key' })
    await expect(key).toHaveAttribute('type', 'password')
    expect(await findViolations(page)).toEqual([])
    await key.fill('wrong')
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(page).toHaveURL(/\/integrations\/news$/)
    const alert = page.getByRole('main').getByRole('alert')
    await expect(alert).toContainText(refused)
    // Until the notification of the first attempt has closed.
    await expect(page.getByText(refused)).toHaveCount(1)
    await alert.getByRole('button', { name: 'Register again' }).click()
    await expect(page.getByText(refused)).toHaveCount(2)
  })

  test('registers with the right configuration, and shows state and address in the list', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const form = page.getByRole('region', { name: 'Configuration' })
    await form.getByRole('textbox', { name: 'Key' }).fill('right')
    await form.getByLabel('Channel').fill('sports')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The configuration was saved')).toBeVisible()
    await expect(page.getByText('Ready', { exact: true })).toBeVisible()
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
    expect((await installed()).configuration).toEqual({ key: 'right', channel: 'sports' })
    await page.goto(list())
    const row = page.getByRole('listitem').filter({ hasText: 'News' })
    await expect(row.getByText('Ready', { exact: true })).toBeVisible()
    await expect(row.getByText(/\/webhooks?\//)).toBeVisible()
  })

  test('explains a wrong value by an example, and shows defaults and descriptions', async () => {
    const page = await dashboard.open('owner')
    await page.goto(list())
    await openOthers(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^Webchat/ }).click()
    await expect(dialog.getByLabel('Admin secret').first()).toHaveAccessibleDescription(
      /x-admin-secret/,
    )
    await dialog
      .getByText(/^More settings/)
      .click({ timeout: 2_000 })
      .catch(() => {})
    await expect(dialog.getByLabel('Visitors can send files')).toBeChecked()
    // The words of the page "Webchat".
    await expect(dialog.getByLabel('Theme', { exact: true }).first()).toHaveValue(
      'System',
    )
    await dialog.getByRole('combobox', { name: 'Language' }).click()
    await page.getByRole('option', { name: 'Deutsch' }).click()
    const colour = dialog.getByRole('textbox', { name: 'Colour' })
    await colour.fill('purpleish')
    await colour.press('Enter')
    await expect(dialog.getByText('Use a colour such as #0f766e.').first()).toBeVisible()
    const questions = dialog.getByRole('group', { name: 'Suggested questions' })
    await questions.getByRole('button', { name: 'Add' }).click()
    await expect(questions.getByLabel('Suggested question 1')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })

  test('fills a list by mouse, inside of the form, and hides fields with names of secrets', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const form = page.getByRole('region', { name: 'Configuration' })
    await expect(form.getByRole('textbox', { name: 'Signature' })).toHaveAttribute(
      'type',
      'password',
    )
    const items = form.getByRole('group', { name: 'Sections' })
    await items.getByRole('button').click()
    const field = items.getByRole('textbox')
    await field.click()
    await page.keyboard.type('world')
    const [inner, outer] = await Promise.all([field.boundingBox(), items.boundingBox()])
    expect(inner!.y).toBeGreaterThan(outer!.y)
    expect(inner!.y + inner!.height).toBeLessThan(outer!.y + outer!.height)
    await form.getByRole('textbox', { name: 'Key', exact: true }).fill('right')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(async () => (await installed()).configuration)
      .toEqual({ key: 'right', channel: 'sports', sections: ['world'] })
  })

  test('changes the type of the configuration by keyboard', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const form = page.getByRole('region', { name: 'Configuration' })
    await form.getByLabel('Type of the configuration').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { name: 'As a guest' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await installed()).configurationType).toBe('guest')
  })

  test('sets and removes the identifier at the shared address', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    const section = page.getByRole('region', { name: 'Shared address' })
    await expect(section.getByText('/integration/global/news')).toBeVisible()
    const field = section.getByLabel('Identifier of this bot')
    await field.fill('team-a')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The identifier was saved')).toBeVisible()
    expect((await installed()).identifier).toBe('team-a')
    await field.fill('')
    await section.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The identifier was removed')).toBeVisible()
    expect(await installed()).not.toHaveProperty('identifier')
  })

  test('shows the shareable id and the linked conversations, and unlinks them', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(`${list()}/news`)
    const section = page.getByRole('region', { name: 'Shared number' })
    await section.getByRole('button', { name: 'Create shareable id' }).click()
    const id = (await section.locator('code').first().textContent())!
    expect(id).toMatch(/^[A-Z2-9]{6}$/)
    await sendSandboxed('+41 <b>1</b>', id)
    await page.reload()
    await expect(section.getByRole('listitem')).toHaveText('+41 <b>1</b>')
    expect(await findViolations(page)).toEqual([])
    await section.getByRole('button', { name: 'Unlink all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink all' }).click()
    await expect(section.getByText('Nobody has sent the shareable id yet')).toBeVisible()
    expect(await section.getByRole('listitem').count()).toBe(0)
  })

  test('shows the last requests, and repeats one', async () => {
    received = []
    const { webhookId } = await installed()
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
    await page.reload()
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
    await page
      .getByRole('button', { name: 'POST /hook' })
      .first()
      .click({ timeout: 15_000 })
    await expect(page.getByRole('dialog').getByText('Headers').first()).toBeVisible()
    for (const name of ['Save', 'Remove', 'Repeat', 'Extend by 24 hours', 'Unlink all'])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
    await page.goto(list())
    await expect(page.getByRole('link', { name: 'news' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Connect a channel' })).toHaveCount(0)
  })

  test('connects an account by the link of the integration, and hides hidden fields', async () => {
    const page = await dashboard.open('owner')
    await page.goto(list())
    await openOthers(page)
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /Shop/ }).click()
    await expect(dialog.getByLabel('Greeting')).toBeVisible()
    await expect(dialog.getByLabel('Internal')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Install', exact: true }).click()
    await expect(page).toHaveURL(/\/integrations\/shop$/)
    const form = page.getByRole('region', { name: 'Configuration' })
    await form.getByRole('group', { name: 'Rules' }).getByRole('button').first().click()
    await expect(form.getByLabel('Word')).toBeVisible()
    for (const title of ['Internal', 'Origin'])
      await expect(form.getByText(title, { exact: true })).toBeHidden()
    const section = page.getByRole('region', { name: 'Set-up' })
    const link = section.getByRole('link', { name: 'Connect an account' })
    const { webhookId } = await installed('shop')
    await expect(link).toHaveAttribute(
      'href',
      `${new URL(page.url()).origin}/webhooks/oauth/wizard/start?state=${webhookId}`,
    )
    expect(await findViolations(page)).toEqual([])
    const opened = page.waitForEvent('popup')
    await link.click()
    await expect(await opened).toHaveURL(/\/oauth\/interstitial\?success=true$/)
    expect((await installed('shop')).identifier).toBe('shop-7')
    await page.bringToFront()
    await expect(section.getByText('Connected as shop-7')).toBeVisible()
    await expect(section.getByRole('link', { name: 'Connect again' })).toBeVisible()
    await page.reload()
    await expect(section.getByText('Connected as shop-7')).toBeVisible()
    await form.getByLabel('Type of the configuration').click()
    await page.getByRole('option', { name: 'By hand' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(section).toHaveCount(0)
  })

  testAccessibility(() => [dashboard.botPage('/integrations/news')])

  test('keeps the form of a disabled webchat, and says what its removal deletes', async () => {
    const { url, botId, token } = dashboard.server.credentials
    const hub = await fetch(`${url}/v1/admin/hub/integrations/webchat/latest`, {
      headers: { authorization: `Bearer ${token}` },
    })
    const { integration } = await hub.json()
    const configuration = { allowedOrigins: ['https://shop.example.org'] }
    const webchat = { integrationId: integration.id, enabled: true, configuration }
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, { integrations: { webchat } })
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/webchat`)
    const form = page.getByRole('region', { name: 'Configuration' })
    const fields = form.locator('form input:visible, form textarea:visible')
    await expect(form.getByText('The chat has one appearance')).toBeVisible()
    await expect(form.getByRole('button', { name: 'Save' })).toBeVisible()
    const count = await fields.count()
    await page.getByRole('switch', { name: 'Enabled' }).click({ force: true })
    await expect(form.getByText('While the integration is disabled')).toBeVisible()
    await expect(fields).toHaveCount(count)
    await expect(page.getByText(/^Changed/)).toBeVisible()
    await page.getByRole('button', { name: 'Remove' }).first().click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(
      /use the integration chat and its configuration. Name, greeting/,
    )
    await expect(dialog).toContainText('Every website may show the chat then')
    await dialog.getByLabel('Type webchat to confirm').fill('webchat')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page).toHaveURL(/\/integrations$/)
  })

  test('names what breaks before it removes an integration', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/news`)
    await page.getByRole('button', { name: 'Remove' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Its webhook address stops working')).toBeVisible()
    await expect(
      dialog.getByText('No conversation, user, plugin or reference'),
    ).toBeVisible()
    await dialog.getByLabel('Type news to confirm').fill('news')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expect(page).toHaveURL(/\/integrations$/)
    await expect(page.getByRole('link', { name: 'news' })).toHaveCount(0)
  })

  test('installs an integration by keyboard on a phone', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(list())
    await pressEnterOn(page.getByRole('button', { name: 'Connect a channel' }))
    await pressEnterOn(page.getByRole('button', { name: 'Other channels and services' }))
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByLabel('Search')).toBeFocused()
    await page.keyboard.type('news')
    await expect(dialog.getByLabel('Search')).toHaveValue('news')
    await pressEnterOn(dialog.getByRole('button', { name: /News/ }))
    await tabTo(dialog.getByRole('textbox', { name: 'Key' }))
    await page.keyboard.type('right')
    await pressEnterOn(dialog.getByRole('button', { name: 'Install', exact: true }))
    await expect(page).toHaveURL(/\/integrations\/news$/)
    expect((await installed()).configuration).toMatchObject({ key: 'right' })
  })
})

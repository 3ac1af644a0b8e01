// Connecting channels by their pages alone: from the first step to the green light.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { type Line, openLine } from '../../channels/line-stand-in.ts'
import { openGateway } from '../../channels/sms-stand-in.ts'
import { openTelegram, type Telegram } from '../../channels/telegram-stand-in.ts'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
  phone,
  testAccessibility,
} from '../../support/dashboard.ts'

const token = `110201543:${'AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'.padEnd(35, 'x')}`

let telegram: Telegram
let line: Line

/** The page scrolls inside of the window. */
const look = async (page: Page, name: string) => {
  const size = page.viewportSize()
  if (!process.env.LOOK || !size) return
  await page.setViewportSize({ ...size, height: 2_600 })
  await page.screenshot({ path: `${process.env.LOOK}/${name}.png` })
  await page.setViewportSize(size)
}

describeDashboard('channels in the dashboard', () => {
  beforeAll(async () => {
    telegram = await openTelegram({ token })
    line = await openLine()
  }, 60_000)
  afterAll(async () => {
    await telegram?.close()
    await line?.close()
  })

  const open = async (title: string | RegExp, options = {}): Promise<Page> => {
    const page = await dashboard.open('owner', options)
    await page.goto(dashboard.botPage('/integrations'))
    await page.getByRole('button', { name: 'Connect a channel' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: title }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    return page
  }

  test('Telegram: checks the token while it is pasted, and turns green with the first message', async () => {
    const page = await open(/^Telegram/)
    const field = page.getByRole('textbox', { name: 'Bot token' })
    await expect(page.getByText('Still needed: Bot token.')).toBeVisible()
    await field.fill('@stand_in_bot')
    await expect(page.getByText('This is the username.')).toBeVisible()
    await field.fill(token.slice(0, 20))
    await expect(page.getByText('A token is a number, a colon')).toBeVisible()
    await page.getByText('More settings').click()
    await page
      .getByLabel('Address of the Bot API')
      .fill(String(telegram.configuration.apiUrl))
    await field.fill(token.replaceAll('A', 'B'))
    await expect(page.getByText('Telegram does not know this bot token.')).toBeVisible()
    await look(page, 'telegram-wrong')
    await field.fill(` ${token} `)
    await expect(page.getByText('The provider accepts them: @stand_in_bot')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(
      page.getByText('Ready: waits for the first message').first(),
    ).toBeVisible()
    await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible()
    await expect(
      page.getByRole('link', { name: 'https://t.me/stand_in_bot' }),
    ).toBeVisible()
    await look(page, 'telegram-waiting')
    await telegram.say('hello')
    await expect(page.getByText('Messages arrive').first()).toBeVisible()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(
      page.getByText(
        'The provider accepted the test message for the newest conversation.',
      ),
    ).toBeVisible()
    await expect(page.getByRole('link', { name: 'Open the conversation' })).toBeVisible()
    expect(
      telegram.shown().some(({ text }) => text?.startsWith('This is a test message')),
    ).toBe(true)
    await look(page, 'telegram-green')
  })

  test('explains a failed test message, and why the channel stopped working', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/channels/telegram?alias=telegram'))
    await page.getByLabel('Id of a chat').fill('99')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(
      page.getByRole('alert').getByText('the person must write to the bot first'),
    ).toBeVisible()
    telegram.revoke()
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(page.getByText('Does not work').first()).toBeVisible()
    await expect(
      page.getByText('Copy it again from the chat with @BotFather').first(),
    ).toBeVisible()
    await look(page, 'telegram-red')
    telegram.revoke(false)
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(page.getByText('Messages arrive').first()).toBeVisible()
  })

  test('an answer that cannot be sent has the reason and a button in the conversation', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/channels/telegram?alias=telegram'))
    telegram.revoke()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByText('Does not work').first()).toBeVisible()
    const [, userId] = /bots\/([^/]+)/.exec(dashboard.botPage()) ?? []
    const path = '/v1/chat/conversations?integrationName=telegram'
    const { conversations } = await dashboard.call('GET', path)
    const conversationId = conversations[0].id
    const payload = { text: 'Your order is ready' }
    const message = { conversationId, userId, type: 'text', payload, tags: {} }
    await dashboard.call('POST', '/v1/chat/messages', message)
    await page.goto(dashboard.botPage(`/conversations/${conversationId}`))
    await expect(page.getByText(/Not delivered: .*@BotFather/)).toBeVisible({
      timeout: 20_000,
    })
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', {
      conversationId,
    })
    await page.goto(dashboard.botPage(`/inbox/${handoff.id}`))
    await expect(page.getByText(/Not delivered: .*@BotFather/)).toBeVisible()
    telegram.revoke(false)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(page.getByText(/Not delivered:/)).toBeHidden({ timeout: 20_000 })
    const close = `/v1/platform/handoffs/${handoff.id}/close`
    await dashboard.call('POST', close, { outcome: 'solved' })
    expect(telegram.shown().at(-1)?.text).toBe('Your order is ready')
  })

  test('the provider checks corrected values, and the working ones stay if it rejects them', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/channels/telegram?alias=telegram'))
    await page.getByRole('button', { name: 'Change the values' }).click()
    await page
      .getByRole('textbox', { name: 'Bot token' })
      .fill(token.replaceAll('A', 'B'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Telegram does not know this bot token.')).toBeVisible()
    await page.goto(dashboard.botPage('/integrations/telegram'))
    await page.getByLabel('Bot token').first().fill(token.replaceAll('A', 'B'))
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(page.getByText('Not saved: the former values stay')).toBeVisible()
    await page.goto(dashboard.botPage('/channels/telegram?alias=telegram'))
    await expect(page.getByText('Messages arrive').first()).toBeVisible()
  })

  test('LINE on a phone: from the steps by the webhook to the green light', async () => {
    const page = await open(/^LINE/, { size: phone })
    await expect(page.getByText(/needs a public address with HTTPS/)).toBeVisible()
    await look(page, 'line-steps')
    const { channelSecret, channelAccessToken, apiUrl } = line.configuration
    await page.getByRole('textbox', { name: 'Channel secret' }).fill('1234567890')
    await expect(page.getByText('This is the channel ID.')).toBeVisible()
    await page
      .getByRole('textbox', { name: 'Channel secret' })
      .fill(String(channelSecret))
    await page
      .getByRole('textbox', { name: 'Channel access token' })
      .fill(String(channelAccessToken))
    await page.getByText('More settings').click()
    await page.getByLabel('Address of the API').fill(String(apiUrl))
    line.isActive = false
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(
      page.getByRole('alert').getByText('switch on "Use webhook"').first(),
    ).toBeVisible()
    line.isActive = true
    await page.getByRole('button', { name: 'Register again' }).click()
    await expect(
      page.getByText('Ready: waits for the first message').first(),
    ).toBeVisible()
    await expect(page.getByText('Not checked yet: Channel secret.')).toBeVisible()
    await expect(page.getByText(line.endpoint)).toBeVisible()
    line.setWebhook(line.endpoint)
    await line.say('hello')
    await expect(page.getByText('Messages arrive').first()).toBeVisible()
    await look(page, 'line-green')
    await fetch(line.endpoint, { method: 'POST', body: '{}' })
    const unsure = page.getByText(
      'Messages arrive, but the last request had a wrong signature',
    )
    await expect(unsure.first()).toBeVisible()
    await page.getByRole('button', { name: 'Check now' }).click()
    await expect(
      page.getByText('Checked just now: the problem is still there.'),
    ).toBeVisible()
    await expect(
      page.getByText(/the channel secret in the settings is wrong/),
    ).toBeVisible()
    await expect(page.getByText('The provider accepts the values.')).toBeHidden()
    await line.say('again')
    await expect(unsure).toHaveCount(0)
    await expect(page.getByText('Messages arrive').first()).toBeVisible()
  })

  test('e-mail: the servers follow from the address until a person changes them', async () => {
    const page = await open(/^E-mail/)
    const address = page.getByRole('textbox', { name: 'E-mail address' })
    const server = (name: string) => page.getByRole('textbox', { name, exact: true })
    await address.fill('bakery@gmail.com')
    await expect(server('IMAP server')).toHaveValue('imap.gmail.com')
    await expect(server('Port of the SMTP server')).toHaveValue('465')
    await expect(page.getByRole('link', { name: 'Gmail: app passwords' })).toBeVisible()
    await look(page, 'email-gmail')
    await server('SMTP server').fill('smtp.bakery.example')
    await address.fill('Bakery@GMX.de')
    await expect(server('IMAP server')).toHaveValue('imap.gmx.net')
    await expect(server('SMTP server')).toHaveValue('smtp.bakery.example')
    await address.fill('bakery@bakery.example')
    await expect(server('IMAP server')).toHaveValue('')
    await expect(server('SMTP server')).toHaveValue('smtp.bakery.example')
    await address.fill('bakery@outlook.com')
    await expect(
      page.getByText('Microsoft admits no passwords from programs'),
    ).toBeVisible()
  })

  test('asks before typed values are left, and keeps none of them in the browser', async () => {
    const page = await open(/^Telegram/)
    await page.getByRole('textbox', { name: 'Bot token' }).fill(token)
    await page.getByRole('link', { name: 'Overview' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect(dialog).toBeVisible()
    const stored = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }])
    expect(await page.evaluate(stored)).not.toContain(token)
    await dialog.getByRole('button', { name: 'Stay' }).click()
    await expect(page.getByRole('textbox', { name: 'Bot token' })).toHaveValue(token)
    await page.getByRole('link', { name: 'Overview' }).first().click()
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await expect(page).not.toHaveURL(/channels/)
  })

  test('SMS: shows the fields of one way, and copies the whole address with its secret', async () => {
    const gateway = await openGateway()
    const page = await open(/^SMS \(any gateway\)/)
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(4)
    await look(page, 'sms')
    await page.getByText('Twilio', { exact: true }).click()
    await expect(page.getByRole('textbox', { name: 'Account SID' })).toBeVisible()
    await page.getByText('Another gateway', { exact: true }).click()
    const fill = (name: string, value: unknown) =>
      page.getByRole('textbox', { name, exact: true }).fill(String(value))
    const { sendUrl, sender } = gateway.configuration
    await fill('Address that sends an SMS', sendUrl)
    await fill('Sender', sender ?? 'Bakery')
    const secret = 'a secret/of & signs'.replaceAll(' ', '-')
    await fill('Secret of the webhook', secret)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(
      page.getByText('Ready: waits for the first message').first(),
    ).toBeVisible()
    const address = page.locator('code', { hasText: /^http.*\?secret=/ })
    await expect(address).toContainText(`?secret=${encodeURIComponent(secret)}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy', exact: true }).first().click()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toBe(await address.textContent())
    await look(page, 'sms-connected')
    await gateway.close()
  })

  test('a success removes the failure of an earlier attempt', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/integrations/telegram'))
    telegram.revoke()
    const enabled = page.getByRole('switch', { name: 'Enabled' })
    await enabled.click({ force: true })
    await expect(enabled).not.toBeChecked()
    await enabled.click({ force: true })
    const failure = page.getByText(/registration failed/i).locator('visible=true')
    await expect(failure.first()).toBeVisible()
    telegram.revoke(false)
    await page.getByRole('button', { name: 'Register again' }).click()
    await expect(page.getByText('The integration is registered')).toBeVisible()
    await expect(failure).toHaveCount(0, { timeout: 2_000 })
  })

  test('Teams: the tenant ID is required for its type of bot only', async () => {
    const page = await open(/^Microsoft Teams/)
    await expect(page.getByRole('textbox', { name: 'App tenant ID' })).toHaveAttribute(
      'required',
      '',
    )
    await page.getByRole('combobox', { name: 'Bot type' }).click()
    await page.getByRole('option', { name: 'Multi Tenant' }).click()
    await expect(page.getByRole('textbox', { name: 'App tenant ID' })).toHaveCount(0)
    await look(page, 'teams')
  })

  test('warns of an account that another connection has', async () => {
    const { id } = await dashboard.call('POST', '/v1/admin/workspaces', { name: 'Shop' })
    const { url, token: pat, botId } = dashboard.server.credentials
    const call = async (method: string, path: string, body?: object) => {
      const headers = {
        authorization: `Bearer ${pat}`,
        'x-workspace-id': id,
        'content-type': 'application/json',
      }
      const reply = await fetch(url + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return reply.json()
    }
    const { bot } = await call('POST', '/v1/admin/bots', { name: 'Secret bot' })
    const { integrations } = await call('GET', '/v1/admin/hub/integrations?name=telegram')
    const telegramHere = {
      integrationId: integrations[0].id,
      enabled: true,
      configuration: telegram.configuration,
    }
    await call('PUT', `/v1/admin/bots/${bot.id}`, {
      integrations: { telegram: telegramHere },
    })
    expect(botId).not.toBe(bot.id)
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/channels/telegram?alias=telegram'))
    await expect(
      page.getByText(/^Another connection of this server uses the same account/),
    ).toBeVisible()
    expect(await page.getByRole('main').textContent()).not.toContain('Secret bot')
    await look(page, 'telegram-shared')
    await call('DELETE', `/v1/admin/bots/${bot.id}`)
  })

  test('gives the manifest of Slack and invents the verify token of WhatsApp', async () => {
    const page = await open(/^Slack/)
    const waiting = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download slack-manifest.json' }).click()
    const manifest = JSON.parse(await readFile(await (await waiting).path(), 'utf8'))
    expect(manifest.settings.event_subscriptions.bot_events).toContain('message.im')
    await look(page, 'slack')
    await page.goto(dashboard.botPage('/channels/whatsapp'))
    await expect(page.getByRole('textbox', { name: 'Verify token' })).toHaveValue(
      /^\w{44}$/,
    )
    await look(page, 'whatsapp')
  })

  testAccessibility(() => [
    dashboard.botPage('/channels/slack'),
    dashboard.botPage('/channels/telegram?alias=telegram'),
    dashboard.botPage('/integrations/telegram'),
  ])
})

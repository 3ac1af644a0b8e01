// Talking to a bot beside its pages, and its versions: save, compare, return to one.
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  phone,
  violationsOf,
} from '../../support/dashboard.ts'

async function openEmulator(page: Page) {
  await page.getByRole('button', { name: 'Emulator', exact: true }).click()
  await expect(page.getByLabel('Your message')).toBeEnabled()
}

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

const answers = (page: Page) => page.getByRole('log').locator('.theirs .bubble')

describeDashboard('emulator and versions', () => {
  test('talks to the bot, keeps the conversation after a reload, and begins a new one', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'Hello <i>there</i>')
    await expect(answers(page).first()).toContainText('Hello <i>there</i>')
    await page.getByRole('button', { name: 'Why this answer?' }).click()
    const trace = page.getByRole('log')
    await expect(trace.getByText('message_created')).toBeVisible()
    await expect(trace.getByRole('region', { name: 'Timeline' })).toContainText('Sent')
    expect(await violationsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.reload()
    await openEmulator(page)
    await expect(answers(page).first()).toContainText('Hello <i>there</i>')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await expect(page.getByRole('log')).toContainText('Say hello')
  })

  test('shows cards and choices, and sends the answer of a button', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'choice')
    await page.getByRole('log').locator('.options button').first().click()
    await expect(page.locator('.own .bubble')).toHaveCount(2)
    await expect(answers(page)).toHaveCount(2)
    const bubbles = await page
      .getByRole('log')
      .locator('.message')
      .evaluateAll((all) =>
        all.map(({ classList }) => (classList.contains('own') ? 'own' : 'theirs')),
      )
    expect(bubbles).toEqual(['own', 'theirs', 'own', 'theirs'])
    expect(await violationsOf(page)).toEqual([])
  })

  test('sends a file as an image', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    const buffer = Buffer.from(pixel, 'base64')
    await page
      .locator('aside input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer })
    const image = page.getByRole('log').locator('.own img')
    await expect(image).toBeVisible()
    expect(await image.evaluate((element: HTMLImageElement) => element.naturalWidth)).toBe(1)
  })

  test('keeps a message that was not sent, and sends it after a restart of the server', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await dashboard.server.stop('SIGKILL')
    await say(page, 'While you were away')
    await expect(page.getByText('Not sent')).toBeVisible()
    // The emulator's own state: it has read the history again when this text disappears.
    const state = page.getByText('Reconnecting …', { exact: true })
    await expect(state).toBeVisible()
    await dashboard.server.start()
    await expect(state).toHaveCount(0)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(answers(page).last()).toContainText('While you were away')
    await expect(page.locator('.own .bubble').last()).toHaveText('While you were away')
    await expect(page.getByText('Not sent')).toHaveCount(0)
  })

  test('deploys a file, sees the new answer, and returns to the saved version', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await page.getByRole('button', { name: 'Save current state' }).click()
    await page.getByLabel('Name').fill('Echoing')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Echoing is saved')).toBeVisible()

    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'bot.cjs',
        mimeType: 'text/javascript',
        buffer: Buffer.from(greetingBot),
      })
    await expect(page.getByText('The file is deployed')).toBeVisible()
    await openEmulator(page)
    await say(page, 'Hi')
    await expect(answers(page).first()).toHaveText('A new version')

    await expect(page.getByText('Before bot.cjs, ')).toBeVisible()
    const saved = page.getByRole('listitem').filter({ hasText: 'Echoing' })
    await saved.getByRole('button', { name: 'Compare' }).click()
    await expect(page.getByRole('dialog').locator('.cm-mergeView')).toContainText('BP_API_URL')
    await page.keyboard.press('Escape')
    await saved.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy' }).click()
    await expect(page.getByText('Echoing is deployed')).toBeVisible()
    await expect(page.getByText('Before Echoing')).toBeVisible()
    await say(page, 'Hi again')
    await expect(answers(page).last()).toContainText('Hi again')
  })

  test('says that the bot failed, and leads to the failed delivery', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    const code = 'exports.handler = async () => { throw new Error("No <b>luck</b>") }'
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'bot.cjs', mimeType: 'text/javascript', buffer: Buffer.from(code) })
    await expect(page.getByText('The file is deployed')).toBeVisible()
    await openEmulator(page)
    await say(page, 'Anyone there?')
    const failure = page.getByRole('alert').filter({ hasText: 'The bot failed to handle' })
    await expect(failure).toContainText('No <b>luck</b>', { timeout: 40_000 })
    await failure.getByRole('link', { name: 'See the failed delivery' }).click()
    await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible()
  })
})

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** A bot without libraries that answers each message. */
const greetingBot = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(body)
  if (event.type !== 'message_created') return { status: 200 }
  await fetch(BP_API_URL + '/v1/chat/messages', {
    method: 'POST',
    headers: {
      authorization: 'Bearer ' + BP_TOKEN,
      'x-bot-id': BP_BOT_ID,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      conversationId: event.conversationId,
      userId: BP_BOT_ID,
      type: 'text',
      tags: {},
      payload: { text: 'A new version' },
    }),
  })
  return { status: 200 }
}`

// Talking to a bot beside its pages.
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
  await page.getByRole('button', { name: 'Talk to the bot', exact: true }).click()
  await expect(page.getByLabel('Your message')).toBeFocused()
}

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

const answers = (page: Page) => page.getByRole('log').locator('.theirs .bubble')

describeDashboard('emulator', () => {
  test('talks to the bot, keeps the conversation after a reload, and begins a new one', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    const conversations = () => dashboard.call('GET', '/v1/platform/conversations')
    expect((await conversations()).conversations).toEqual([])
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
    await say(page, 'Are you there?')
    await expect(answers(page)).toHaveCount(1)
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

  test('shows that the bot failed on a message, and redelivers it', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    const deploy = (code: string) =>
      dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, { code })
    await deploy(`exports.handler = async () => ({
      status: 400, body: JSON.stringify({ message: 'No <b>luck</b>' }),
    })`)
    await openEmulator(page)
    await say(page, 'Anyone there?')
    const failure = page.getByRole('alert').filter({ hasText: 'The bot failed on this message' })
    await expect(failure).toContainText('No <b>luck</b>')
    await failure.getByRole('button', { name: 'Why?' }).click()
    await expect(failure.getByText('message_created')).toBeVisible()
    await page.goto(dashboard.botPage())
    const figure = page.locator('.panel').filter({ hasText: 'Failures' })
    await expect(figure).toContainText('1')
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('link').filter({ hasText: 'Anyone there?' }).first().click()
    await expect(page.getByText('The bot failed on this message')).toBeVisible()
    await openEmulator(page)
    await deploy(
      `exports.handler = async () => ({ status: 400, body: '{"message":"Still none"}' })`,
    )
    await failure.getByRole('button', { name: 'Redeliver' }).first().click()
    await expect(page.getByText('Failed again')).toBeVisible()
    await deploy('exports.handler = async () => ({ status: 200 })')
    await failure.getByRole('button', { name: 'Redeliver' }).first().click()
    await expect(page.getByText('The bot failed on this message')).toHaveCount(0)
  })
})

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

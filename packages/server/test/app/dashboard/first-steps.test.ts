// The first steps with a new bot on its overview: shown instead of numbers without data, done by facts of the
// server, and dismissed for one bot and one account.
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
  pressEnterOn,
} from '../../support/dashboard.ts'

/** A bot without any content. */
let newBot: string

describeDashboard('first steps', () => {
  beforeAll(async () => {
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', { name: 'New bot' })
    newBot = bot.id
  })

  test('replace the numbers of a bot without data, with a link for each', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toOverview(newBot))
    const steps = getSteps(page)
    await expect(steps.getByRole('listitem')).toHaveCount(7)
    await expect(page.getByText('Messages per day')).toHaveCount(0)
    await expectAccessibleLooks(page, 'first steps')
    for (const [name, address] of [
      ['Add a document', /\/knowledge$/],
      ['Set the greeting', /\/chat$/],
      ['Put the bot on your website', /\/chat$/],
      ['Invite somebody', /\/members$/],
      ['Connect a channel', /\/integrations$/],
      ['Answer in place of the bot', /\/conversations$/],
    ] as const) {
      await pressEnterOn(steps.getByRole('link', { name }))
      await expect(page).toHaveURL(address)
      await page.goBack()
    }
    for (const _ of [1, 2]) {
      await pressEnterOn(steps.getByRole('link', { name: 'Talk to the bot' }))
      await expect(page.getByRole('complementary', { name: 'Try the bot' })).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('complementary', { name: 'Try the bot' })).toHaveCount(
        0,
      )
    }
  })

  test('tick themselves, above the numbers of a bot with data', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    const talk = getSteps(page)
      .getByRole('listitem')
      .filter({ hasText: 'Talk to the bot' })
    await expect(talk).not.toContainText('Done:')
    const { say } = await dashboard.converse('Ana')
    await say('hello')
    await expect(talk).toContainText('Done:')
    const greeting = getSteps(page).getByRole('listitem').filter({ hasText: 'greeting' })
    await expect(greeting).not.toContainText('Done:')
    await dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
      integrations: {
        chat: { configuration: { appearance: { greeting: 'Good morning' } } },
      },
    })
    await expect(greeting).toContainText('Done:')
    await page.reload()
    await expect(page.getByText('Messages per day')).toBeVisible()
    await expect(getSteps(page).getByRole('status')).toHaveText(/^\d of 7 done$/)
  })

  test('stay dismissed for this bot and account only', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toOverview(newBot))
    await pressEnterOn(getSteps(page).getByRole('button', { name: 'Do not show again' }))
    await expect(page.getByText('Messages per day')).toBeVisible()
    await page.reload()
    await expect(page.getByText('Messages per day')).toBeVisible()
    await expect(getSteps(page)).toHaveCount(0)
    await page.goto(dashboard.botPage())
    await expect(getSteps(page)).toBeVisible()
    const other = await dashboard.open('manager')
    await other.goto(toOverview(newBot))
    await expect(getSteps(other).getByRole('listitem')).toHaveCount(6)
    await expect(getSteps(other).getByText('Invite somebody')).toHaveCount(0)
  })

  test('are hidden from roles that may change nothing, and of bots that are not new', async () => {
    const page = await dashboard.open('viewer')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(toOverview(newBot))
    await expect(page.getByText('Messages per day')).toBeVisible()
    await expect(getSteps(page)).toHaveCount(0)
    await dashboard.database.db
      .updateTable('bot')
      .set({ created_at: new Date(Date.now() - 100 * 86_400_000) })
      .where('id', '=', newBot)
      .execute()
    const manager = await dashboard.open('manager')
    manager.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await manager.goto(toOverview(newBot))
    await expect(manager.getByText('Messages per day')).toBeVisible()
    await expect(getSteps(manager)).toHaveCount(0)
    expect(asked.filter((path) => path.includes('first-steps'))).toEqual([])
  })
})

const toOverview = (botId: string) =>
  dashboard.botPage().replace(dashboard.server.credentials.botId!, botId)
const getSteps = (page: Page) => page.getByRole('region', { name: 'First steps' })

// People who only answer users, and people who only write texts: what the dashboard has for them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
} from '../../support/dashboard.ts'

describeDashboard('roles in the dashboard', () => {
  let folder: string
  let ana: Awaited<ReturnType<typeof dashboard.converse>>

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'botstead-roles-'))
    ana = await dashboard.converse('Ana')
    await ana.say('I want a refund')
    const body = { conversationId: ana.conversationId, reason: 'refund' }
    await dashboard.call('POST', '/v1/platform/handoffs', body)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const navigation = (page: Page) => page.getByRole('navigation', { name: 'Navigation' })
  const listEntries = async (page: Page) => {
    const links = navigation(page).getByRole('link')
    await expect(links.first()).toBeVisible()
    return (await links.allTextContents()).map((text) => text.replace(/\d+$/, ''))
  }

  /** The addresses say that the role does not include their pages, and the server is not asked. */
  async function expectForbidden(page: Page, role: string, paths: string[]) {
    const rejected: string[] = []
    page.on('response', (response) => {
      if (response.status() === 403) rejected.push(response.url())
    })
    const { url, workspaceId } = dashboard.server.credentials
    const workspace = `${url}/w/${workspaceId}`
    for (const path of paths) {
      await page.goto(
        path.startsWith('/bot') ? dashboard.botPage(path.slice(4)) : workspace + path,
      )
      const alert = page.getByRole('main').getByRole('alert')
      await expect(alert, path).toContainText('Your role does not include this')
      await expect(alert, path).toContainText(`Your role in this workspace is ${role}.`)
    }
    await expectAccessible(page)
    expect(rejected).toEqual([])
  }

  test('an agent answers a handoff by keyboard, and sees nothing else', async () => {
    const page = await dashboard.open('agent')
    expect(await listEntries(page)).toEqual(['Bots'])
    const bot = page.getByRole('link', { name: 'Echo bot' })
    await expectAccessible(page)
    await bot.focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/inbox$/)
    expect(await listEntries(page)).toEqual([
      'Inbox',
      'Conversations',
      'Knowledge',
      'Bots',
    ])
    await expect(page.getByRole('button', { name: 'Try the bot' })).toHaveCount(0)
    const list = page.getByRole('region', { name: 'Handoffs' })
    await list.getByRole('link', { name: /Ana/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Take', exact: true }).focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Your name in the chat' })
    await dialog.getByRole('button', { name: 'Take', exact: true }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Your answer')).toBeFocused()
    await expectAccessibleLooks(page)
    await page.getByLabel('Your answer').focus()
    await page.keyboard.type('We refund it')
    await page.keyboard.press('Enter')
    await expect.poll(() => ana.texts()).toContain('We refund it')
    await page.getByLabel('New note').fill('Paid twice')
    await page.getByRole('button', { name: 'Save note' }).click()
    await expect(page.getByText('Paid twice')).toBeVisible()
    for (const name of ['Attach a file', 'Edit', 'Delete', 'Rules', 'Canned replies'])
      await expect(page.getByRole('button', { name, exact: true }), name).toHaveCount(0)
    await page.getByRole('button', { name: /^Save as answer/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The answer was saved.', { exact: false })).toBeVisible()
    await page.getByRole('button', { name: 'Close as solved' }).click()
    await expect(page.getByLabel('Your answer')).toBeDisabled()
    await navigation(page).getByRole('link', { name: 'Knowledge' }).click()
    await expect(page.getByRole('main').getByText('We refund it')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0)
  })

  test('the address of the server leads an agent to the bots', async () => {
    const page = await dashboard.open('agent')
    await page.goto(dashboard.server.credentials.url)
    await expect(page).toHaveURL(/\/bots$/)
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
  })

  test('an agent who types other addresses reads that the role does not include them', async () => {
    const page = await dashboard.open('agent')
    const ofBot = [
      'users',
      'logs',
      'tables',
      'integrations',
      'versions',
      'settings',
      'issues',
    ]
    const paths = [
      ...ofBot,
      'deliveries',
      'chat',
      'privacy',
      'access',
      'knowledge/search',
    ]
    await expectForbidden(page, 'Agent', [
      ...paths.map((path) => `/bot/${path}`),
      ...['/members', '/usage', '/audit', '/archives', '/tokens'],
    ])
  })

  test('an editor adds a document, and reads conversations and figures', async () => {
    const page = await dashboard.open('editor')
    await page.getByRole('link', { name: 'Echo bot' }).click()
    await expect(page.getByText('Messages', { exact: true }).first()).toBeVisible()
    expect(await listEntries(page)).toEqual([
      'Inbox',
      'Conversations',
      'Flows',
      'Knowledge',
      'Overview',
      'Bots',
    ])
    await navigation(page).getByRole('link', { name: 'Knowledge' }).click()
    const file = join(folder, 'returns.md')
    writeFileSync(file, '# Returns\n\nYou may return goods within thirty days.')
    await page.getByRole('button', { name: 'Add files' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog
      .locator('input[type=file]:not([webkitdirectory])')
      .first()
      .setInputFiles(file)
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(page.getByRole('button', { name: '1 searchable' })).toBeVisible()
    await expect(page.getByLabel('Also files outside of knowledge')).toHaveCount(0)
    await page.getByRole('link', { name: 'Try a question' }).click()
    await page.getByLabel('Question').fill('within how many days may I return goods?')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('article', { name: 'returns.md' })).toBeVisible()
    await expectAccessible(page)
    await navigation(page).getByRole('link', { name: 'Conversations' }).click()
    await page
      .getByRole('region', { name: 'Conversations' })
      .getByRole('link')
      .first()
      .click()
    await expect(page.getByText('I want a refund', { exact: true })).toBeVisible()
    for (const name of ['Take over', 'Export', 'Save note'])
      await expect(page.getByRole('button', { name }), name).toHaveCount(0)
    await expectForbidden(page, 'Editor', [
      '/bot/settings',
      '/bot/logs',
      '/members',
      '/tokens',
    ])
  })
})

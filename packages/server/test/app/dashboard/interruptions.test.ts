// What happens to open pages, with half-filled forms, when the server restarts, the session ends, the
// role changes, or another browser deletes the object.
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  createSignInLink,
  toSignInUrl,
} from '../../../src/features/sign-in/sign-in-links.ts'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
} from '../../support/dashboard.ts'

let user: { id: string; conversationId: string }

describeDashboard('interruptions of the dashboard', () => {
  beforeAll(async () => {
    user = await createUser()
  }, 60_000)

  async function createUser() {
    const { userId, conversationId } = await dashboard.converse('Ana')
    return { id: userId, conversationId }
  }

  const openDetails = (page: Page) =>
    page.getByRole('complementary').getByText('Details', { exact: true }).click()

  /** Three pages of one browser, each with a half-filled form, and checks that they keep it. */
  async function fillForms(first: Page, name: string) {
    const users = await first.context().newPage()
    await users.goto(dashboard.botPage(`/users/${user.id}`))
    await users.getByLabel('Name').first().fill(name)
    const conversation = await first.context().newPage()
    await conversation.goto(dashboard.botPage(`/conversations/${user.conversationId}`))
    await openDetails(conversation)
    await conversation.getByRole('complementary').getByLabel('Name').fill('half')
    await first.goto(dashboard.botPage('/versions'))
    await first.getByRole('button', { name: 'Save current state' }).click()
    await first.getByRole('dialog').getByLabel('Name').fill('Half a version')
    const fields = [
      [first.getByLabel('Name'), 'Half a version'],
      [users.getByLabel('Name').first(), name],
      [conversation.getByRole('complementary').getByLabel('Name'), 'half'],
    ] as const
    const expectKept = async () => {
      for (const [field, value] of fields) await expect(field).toHaveValue(value)
    }
    return { pages: [first, users, conversation], users, expectKept }
  }

  async function saveName(page: Page, name: string) {
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name)
  }

  test('forms keep their input while the server is away', {
    timeout: 120_000,
  }, async () => {
    const { pages, users, expectKept } = await fillForms(
      await dashboard.open('owner'),
      'Before the restart',
    )
    await dashboard.server.stop('SIGKILL')
    for (const page of pages)
      await expect(page.getByText('Connection lost')).toBeVisible()
    await users.getByRole('button', { name: 'Save' }).click()
    await expect(users.getByRole('alert')).toContainText(
      'The server cannot be reachedYour input stays. Try again when the server responds.',
    )
    await expectKept()
    await dashboard.server.start()
    for (const page of pages)
      await expect(page.getByText('Connection lost')).toHaveCount(0)
    await expectKept()
    await saveName(users, 'Before the restart')
  })

  test('one tab renews a session that another browser ended, and forms keep their input', {
    timeout: 120_000,
  }, async () => {
    const page = await dashboard.open('administrator')
    const { pages, users, expectKept } = await fillForms(page, 'Before the end')
    const polling = await page.context().newPage()
    await polling.clock.install()
    await polling.goto(dashboard.botPage('/deliveries'))
    await expect(polling.getByText('0 pending')).toBeVisible()
    const { db } = dashboard.database
    const { account_id: accountId } = await db
      .selectFrom('workspace_member')
      .select('account_id')
      .where('role', '=', 'administrator')
      .executeTakeFirstOrThrow()
    const other = await dashboard.open('administrator')
    await other.goto(`${dashboard.server.credentials.url}/account`)
    await other.getByRole('button', { name: 'Sign out everywhere else' }).click()
    for (const each of [...pages, polling])
      await expect(each.getByText('You were signed out')).toBeVisible()
    const rejected: string[] = []
    polling.on(
      'response',
      (response) => response.status() === 401 && rejected.push(response.url()),
    )
    await polling.clock.runFor(60_000)
    await polling.waitForTimeout(500)
    expect(rejected).toEqual([])
    expect(await findViolations(page)).toEqual([])
    await expectKept()
    const tab = await page.context().newPage()
    const code = await createSignInLink(db, accountId, 15)
    await tab.goto(toSignInUrl(dashboard.server.credentials.url, code))
    await tab.waitForURL('**/w/**')
    for (const each of pages)
      await expect(each.getByText('You were signed out')).toHaveCount(0)
    await expectKept()
    await saveName(users, 'Before the end')
  })

  test('controls disappear when the role changes to viewer', async () => {
    const page = await dashboard.open('manager')
    const versions = await page.context().newPage()
    await page.goto(dashboard.botPage(`/users/${user.id}`))
    await versions.goto(dashboard.botPage('/versions'))
    await expect(page.getByRole('button', { name: 'Save' })).toBeVisible()
    await expect(
      versions.getByRole('button', { name: 'Save current state' }),
    ).toBeVisible()
    const { members } = await dashboard.call('GET', '/v1/admin/workspace-members')
    const { id } = members.find(({ role }: { role: string }) => role === 'manager')
    await dashboard.call('PUT', `/v1/admin/workspace-members/${id}`, { role: 'viewer' })
    for (const name of ['Save', 'Add', 'Delete user'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expect(
      versions.getByRole('button', { name: 'Save current state' }),
    ).toHaveCount(0)
    await expect(page.getByText('Connection lost')).toHaveCount(0)
  })

  test('a page says that its object was deleted, and keeps its input', async () => {
    user = await createUser()
    const page = await dashboard.open('owner')
    const conversation = await page.context().newPage()
    await page.goto(dashboard.botPage(`/users/${user.id}`))
    await page.getByLabel('Name').first().fill('Half a na')
    await conversation.goto(dashboard.botPage(`/conversations/${user.conversationId}`))
    await openDetails(conversation)
    await expect(
      conversation.getByRole('complementary').getByText(user.conversationId),
    ).toBeVisible()
    await dashboard.call('DELETE', `/v1/chat/conversations/${user.conversationId}`)
    await dashboard.call('DELETE', `/v1/chat/users/${user.id}`)
    for (const each of [page, conversation])
      await expect(
        each.getByRole('alert').filter({ hasText: 'This was deleted' }),
      ).toBeVisible()
    await expect(page.getByLabel('Name').first()).toHaveValue('Half a na')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(
      page.getByRole('alert').filter({ hasText: 'This does not exist' }),
    ).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })

  test('every page of a bot says that it was deleted', async () => {
    const { workspaceId, url } = dashboard.server.credentials
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', {
      name: 'Short-lived',
    })
    const page = await dashboard.open('owner')
    await page.goto(`${url}/w/${workspaceId}/bots/${bot.id}/logs`)
    await expect(page.getByRole('banner').getByText('Short-lived')).toBeVisible()
    await dashboard.call('DELETE', `/v1/admin/bots/${bot.id}`)
    await expect(
      page.getByRole('alert').filter({ hasText: 'This was deleted' }),
    ).toBeVisible()
  })

  test('makes no request that fails while signed out', async () => {
    const page = await (await dashboard.browser.newContext()).newPage()
    const failed: string[] = []
    page.on('response', (response) => {
      if (response.status() >= 400) failed.push(response.url())
    })
    await page.goto(dashboard.server.credentials.url)
    await expect(page.getByRole('link', { name: 'Talk to Echo bot' })).toBeVisible()
    await page.goto(dashboard.botPage('/versions'))
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(failed).toEqual([])
  })
})

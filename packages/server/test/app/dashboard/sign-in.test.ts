// Signing in to the dashboard in every way, and accepting invitations.

import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import { hashPassword } from '../../../src/features/sign-in/credentials/password-hash.ts'
import { storePasswordHash } from '../../../src/features/sign-in/credentials/passwords.ts'
import { createSignInLink } from '../../../src/features/sign-in/sign-in-links.ts'
import {
  dashboard,
  describeDashboardWith,
  desktop,
  expect,
  expectAccessibleLooks,
} from '../../support/dashboard.ts'
import { type OpenIdProvider, openProvider } from '../../support/open-id-provider.ts'

let provider: OpenIdProvider
const password = 'correct horse battery staple'

async function openConfiguredProvider() {
  provider = await openProvider()
  return {
    BOTSTEAD_OIDC_ISSUER: provider.issuer,
    BOTSTEAD_OIDC_CLIENT_ID: provider.clientId,
    BOTSTEAD_OIDC_CLIENT_SECRET: provider.clientSecret,
    BOTSTEAD_OIDC_NAME: 'Our provider',
  }
}

describeDashboardWith(openConfiguredProvider, 'signing in to the dashboard', () => {
  beforeAll(() => provider.permit(`${dashboard.server.credentials.url}/sign-in`))
  afterAll(() => provider?.close())

  /** Creates a member with a password; the account signs in by it. */
  async function createMember(role: 'viewer' | null = 'viewer') {
    const { db } = dashboard.database
    const id = randomUUID()
    const email = `${id}@example.org`
    await db
      .insertInto('account')
      .values({ id, email, email_verified_at: new Date() })
      .execute()
    if (role)
      await db
        .insertInto('workspace_member')
        .values({
          workspace_id: dashboard.server.credentials.workspaceId,
          account_id: id,
          role,
        })
        .execute()
    await storePasswordHash(db, id, await hashPassword(password, '127.0.0.1'))
    return { id, email }
  }

  async function open(
    path: string,
    { size = desktop, scheme = 'light' as 'light' | 'dark' } = {},
  ) {
    const profile = await dashboard.browser.newContext({
      viewport: size,
      colorScheme: scheme,
    })
    const page = await profile.newPage()
    page.setDefaultTimeout(20_000)
    page.on('pageerror', (error) => dashboard.complaints.push(error.message))
    await page.goto(dashboard.server.credentials.url + path)
    return page
  }

  async function enter(page: Page, email: string, entered = password) {
    await page.getByLabel('E-mail address').fill(email)
    await page.locator('input[type=password]').fill(entered)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  test('removes a used link from the address, and explains it at its second use', async () => {
    const { id } = await createMember()
    const code = await createSignInLink(dashboard.database.db, id, 15)
    const page = await open(`/sign-in#link=${code}`)
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await page.goBack()
    expect(page.url()).not.toContain(code)
    const second = await open(`/sign-in#link=${code}`)
    await expect(second.getByRole('alert')).toContainText('The link is invalid')
    await expect(second.getByRole('alert').locator('code')).toHaveText(
      'botstead login-link',
    )
    await expect(second.getByLabel('E-mail address')).toBeVisible()
  })

  test('with a password, after a wrong one, and returns to the page', async () => {
    const { email } = await createMember()
    const { workspaceId, botId } = dashboard.server.credentials
    const page = await open(`/w/${workspaceId}/bots/${botId}/versions`)
    await enter(page, email, 'wrong')
    await expect(page.getByRole('alert')).toContainText('wrong')
    await expect(page.getByLabel('E-mail address')).toHaveValue(email)
    await enter(page, email)
    await expect(page).toHaveURL(/\/versions$/)
    expect(await page.evaluate(() => document.cookie)).toBe('')
  })

  test('says when to try again after too many failures', async () => {
    const { email } = await createMember()
    const page = await open('/sign-in')
    for (let i = 0; i < 6; i++) {
      await enter(page, email, `wrong ${i}`)
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeEnabled()
    }
    await expect(page.getByRole('alert')).toContainText(/Try again in \d+ s/)
  }, 90_000)

  test('at a provider on another site', async () => {
    const { id, email } = await createMember()
    provider.people[id] = { email, email_verified: true }
    const { workspaceId } = dashboard.server.credentials
    const page = await open(`/w/${workspaceId}/members`)
    await page.getByRole('button', { name: 'Continue with Our provider' }).click()
    await page.locator('input[name=login]').fill(id)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('heading', { name: 'Members' })).toBeVisible()
    await expect(page).toHaveURL(/\/members$/)
    expect(page.url()).not.toContain('code=')
  })

  test('at a provider fails in one sentence for an unknown person', async () => {
    provider.people.unknown = { email: 'unknown@example.org', email_verified: true }
    const page = await open('/sign-in')
    await page.getByRole('button', { name: 'Continue with Our provider' }).click()
    await page.locator('input[name=login]').fill('unknown')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await expect(page.getByRole('alert')).toContainText('ask for an invitation')
  })

  async function invite(email: string): Promise<string> {
    const { url } = await dashboard.call('POST', '/v1/platform/invitations', {
      email,
      role: 'developer',
    })
    return url.slice(dashboard.server.credentials.url.length)
  }

  test('accepts an invitation with a new account', async () => {
    const page = await open(await invite('new-person@example.org'))
    await expect(
      page.getByText('You are invited to the workspace “Workspace” as a developer.'),
    ).toBeVisible()
    await page.getByLabel('Your name').fill('<b>Robin</b>')
    await page.locator('input[type=password]').fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await page.getByRole('button', { name: 'Your account' }).click()
    await expect(page.getByText('new-person@example.org')).toBeVisible()
  })

  test('accepts an invitation with an existing account', async () => {
    const { email } = await createMember(null)
    const page = await open(await invite(email))
    await page.getByRole('button', { name: 'I have an account' }).click()
    await expect(page.getByText('Sign in with the account of this address')).toBeVisible()
    await enter(page, email)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
  })

  test('explains an invalid and an incomplete invitation', async () => {
    const page = await open('/invitation#code=unknown')
    await expect(page.getByRole('alert')).toContainText('This link no longer works')
    await expect(page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await expect(page.getByRole('link', { name: 'Sign in' })).toBeVisible()
    await page.goto(`${dashboard.server.credentials.url}/invitation`)
    await page.reload()
    await expect(page.getByText('The link is incomplete')).toBeVisible()
  })

  test('is accessible at both sizes and in both themes', async () => {
    await createMember()
    const invitation = await invite(`accessible-${randomUUID()}@example.org`)
    for (const path of ['/sign-in', invitation]) {
      const page = await open(path)
      await expectAccessibleLooks(page, path)
    }
  })
})

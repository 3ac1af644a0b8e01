// Members, invitations, access to bots, and the audit log.
import { readFileSync } from 'node:fs'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('members in the dashboard', () => {
  const toPath = (path: string) => {
    const { url, workspaceId } = dashboard.server.credentials
    return `${url}/w/${workspaceId}${path}`
  }
  const add = (email: string, role: string) =>
    dashboard.call('POST', '/v1/admin/workspace-members', { email, role })

  test('changes a role and removes a member', async () => {
    await add('ada@example.org', 'viewer')
    const page = await dashboard.open('owner')
    await page.getByRole('link', { name: 'Members' }).click()
    const ada = page.getByRole('listitem').filter({ hasText: 'ada@example.org' })
    await expect(ada.getByText('address not verified')).toBeVisible()
    await page.getByRole('combobox', { name: 'Role of ada@example.org' }).click()
    await page.getByRole('option', { name: /^Developer/ }).click()
    await expect(page.getByText('Saved')).toBeVisible()
    const listed = await dashboard.call('GET', '/v1/admin/workspace-members')
    expect(
      listed.members.find(({ email }: { email: string }) => email === 'ada@example.org')
        .role,
    ).toBe('developer')
    await page.getByRole('button', { name: 'Remove ada@example.org' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('ada@example.org')).toHaveCount(0)
  })

  test('keeps the role of the last owner, with the reason below it', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(toPath('/members'))
    const role = page.getByRole('combobox', { name: 'Role of Owner' })
    await role.click()
    await page.getByRole('option', { name: /^Viewer/ }).click()
    await expect(role).toHaveAccessibleDescription(/^A workspace must have an owner/)
    await expect(role).toHaveValue(/^Owner/)
    // A notification would cover the title and the button "Invite".
    await expect(page.getByText('A workspace must have an owner')).toHaveCount(1)
    await expectAccessible(page)
  })

  test('creates an invitation link and withdraws the invitation', async () => {
    const page = await dashboard.open('administrator')
    await page.goto(toPath('/members'))
    await page.getByRole('button', { name: 'Invite' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail address').fill('grace@example.org')
    await dialog.getByRole('combobox', { name: 'Role' }).click()
    await expect(page.getByRole('option', { name: /^Owner/ })).toHaveCount(0)
    await page.getByRole('option', { name: /^Manager/ }).click()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await expect(dialog.locator('code')).toContainText('/invitation#code=')
    await expect(
      dialog.getByText(
        'This address works only on this computer: other people cannot reach it',
      ),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
    const withdraw = page.getByRole('button', {
      name: 'Withdraw the invitation of grace@',
    })
    await withdraw.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await expect(page.getByText('No open invitations.')).toBeVisible()
  })

  test('shows an accepted invitation as a member at once', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toPath('/members'))
    await expect(page.getByText('No open invitations.')).toBeVisible()
    const { url } = await dashboard.call('POST', '/v1/platform/invitations', {
      email: 'lin@example.org',
      role: 'billing',
    })
    const open = page.getByText(/lin@example.org · Billing · expires in 7 days/)
    await expect(open).toBeVisible()
    const code = new URLSearchParams(new URL(url).hash.slice(1)).get('code')
    const body = { code, displayName: 'Lin', password: 'correct horse battery staple' }
    await fetch(`${dashboard.server.credentials.url}/v1/platform/sign-in/invitation`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-botstead-session': '1' },
      body: JSON.stringify(body),
    })
    await expect(page.getByRole('listitem').filter({ hasText: 'Lin' })).toBeVisible()
    await expect(open).toHaveCount(0)
  })

  test('shows a viewer no control, and no page that the role may not open', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(toPath('/members'))
    await expect(page.getByText('viewer@example.org')).toBeVisible()
    for (const name of ['Invite', /^Remove/, /^Withdraw/])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expect(page.getByRole('combobox')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
    await page.goto(dashboard.botPage())
    await expect(page.getByRole('link', { name: 'Versions', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Access' })).toHaveCount(0)
    await page.goto(toPath('/audit'))
    await expect(page.getByText('Your role does not include this')).toBeVisible()
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('searchbox')).toHaveCount(0)
  })

  test('limits a bot to some members', async () => {
    const { id } = await add('guest@example.org', 'viewer')
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/access'))
    await page.getByLabel('Selected members').click()
    await page.getByRole('combobox', { name: 'Members with access' }).click()
    await page.getByRole('option', { name: 'guest@example.org' }).click()
    const path = `/v1/admin/bots/${dashboard.server.credentials.botId}/allowlist`
    await expect
      .poll(() => dashboard.call('GET', path))
      .toEqual({
        setting: 'SELECTED_USERS',
        users: [{ id }],
      })
    await page.getByLabel('All members of the workspace').click()
    await expect
      .poll(async () => (await dashboard.call('GET', path)).setting)
      .toBe('ALL_WORKSPACE_USERS')
  })

  test('searches, verifies and exports the audit log', async () => {
    await add('searched@example.org', 'viewer')
    const page = await dashboard.open('manager')
    await page.getByRole('link', { name: 'Audit log' }).click()
    await page.getByRole('searchbox').fill('SEARCHED@')
    await expect(page).toHaveURL(/search=SEARCHED/)
    await expect(page.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('listitem')).toContainText('Add a workspace member')
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { operation: 'admin.createWorkspaceMember', email: 'owner@localhost' },
    ])
    await page.getByRole('searchbox').fill('nothing like this')
    await expect(page.getByText('No entry contains this text.')).toBeVisible()
    await page.getByRole('button', { name: 'Verify' }).click()
    await expect(page.getByText(/\d+ entries checked, none changed/)).toBeVisible()
  })

  test('is accessible at both sizes and in both themes', async () => {
    await dashboard.call('POST', '/v1/platform/invitations', {
      email: 'shown@example.org',
      role: 'viewer',
    })
    const page = await dashboard.open('owner')
    const paths = ['/members', '/tokens', '/audit'].map(toPath)
    for (const path of [...paths, dashboard.botPage('/access')]) {
      await page.goto(path)
      await expectAccessibleLooks(page, path)
    }
  })
})

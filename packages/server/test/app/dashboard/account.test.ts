// The account page: password, second factor, sessions; and the tokens of the account.
import { test } from 'vitest'
import { toCode } from '../../../src/features/sign-in/credentials/one-time-codes.ts'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
  phone,
} from '../../support/dashboard.ts'

const password = 'correct horse battery staple'
const fromBase32 = (text: string) => {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  return Buffer.from(
    bits
      .join('')
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  )
}
const step = () => Math.floor(Date.now() / 30_000)

describeDashboard('the account in the dashboard', () => {
  const openAccount = async (
    role: Parameters<typeof dashboard.open>[0],
    options = {},
  ) => {
    const page = await dashboard.open(role, options)
    await page.goto(`${dashboard.server.credentials.url}/account`)
    await expect(page.getByRole('heading', { name: 'Sessions' })).toBeVisible()
    return page
  }

  test('sets a password and a second factor, which signing in then needs', async () => {
    const page = await openAccount('developer')
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await expect(page.getByText('The password is set.')).toBeVisible()
    const current = page.getByLabel('Current password')
    await current.fill('not the password')
    await page.getByLabel('New password').fill(`${password}!`)
    await page.getByRole('button', { name: 'Change password' }).click()
    await expect(current).toHaveAccessibleDescription(/is wrong/)
    await page.reload()

    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(page.getByRole('img', { name: 'QR code with the secret' })).toBeVisible()
    const secret = (await page.locator('code').first().textContent())!.trim()
    await page.getByLabel('Code of the app').fill('000000')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByLabel('Code of the app')).toHaveAccessibleDescription(
      /The code is wrong/,
    )
    await expect(page.getByText('Your role does not include this')).toHaveCount(0)
    await page.getByLabel('Code of the app').fill(toCode(fromBase32(secret), step() - 1))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByText('Your recovery codes')).toBeVisible()
    const codes = (await page.locator('pre').textContent())!.split('\n')
    expect(codes).toHaveLength(10)
    await expect(
      page.getByLabel('Code of the app, or a recovery code'),
    ).toHaveAccessibleDescription(/^Only for new recovery codes/)

    const other = await (await dashboard.browser.newContext()).newPage()
    await other.goto(`${dashboard.server.credentials.url}/sign-in`)
    await other.getByLabel('E-mail address').fill('developer@example.org')
    await other.locator('input[type=password]').fill(password)
    await other.getByRole('button', { name: 'Sign in' }).click()
    const code = other.getByLabel('Code of your authenticator app')
    await code.fill('123')
    await other.getByRole('button', { name: 'Sign in' }).click()
    expect(
      await code.evaluate((field: HTMLInputElement) => field.validity.tooShort),
    ).toBe(true)
    await expect(other.getByRole('alert')).toHaveCount(0)
    await code.fill(` ${codes[0]!} `)
    await other.getByRole('button', { name: 'Sign in' }).click()
    await expect(other.getByRole('link', { name: 'Echo bot' })).toBeVisible()

    await page.getByLabel('Code of the app, or a recovery code').fill(codes[1]!)
    await page.getByRole('button', { name: 'Turn off' }).click()
    await expect(
      page.getByRole('button', { name: 'Set up an authenticator app' }),
    ).toBeVisible()
  }, 90_000)

  test('is suggested a password, until the suggestion is dismissed or followed', async () => {
    const page = await dashboard.open('viewer')
    const hint = page.getByRole('link', {
      name: 'Set a password to sign in without a link',
    })
    await hint.click()
    await expect(page.getByRole('button', { name: 'Set password' })).toBeVisible()
    await page.goBack()
    await page.getByRole('button', { name: 'Not now' }).click()
    await page.reload()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await expect(hint).toHaveCount(0)
  })

  test('leads back to the workspace, on a phone too', async () => {
    const page = await openAccount('viewer', { size: phone })
    const account = page.getByRole('banner').getByRole('button', { name: 'Your account' })
    const back = page.getByRole('link', { name: 'Back to the workspace' })
    const [box, next] = [(await back.boundingBox())!, (await account.boundingBox())!]
    expect(box.x + box.width).toBeLessThanOrEqual(next.x)
    await back.click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
  })

  test('lists sessions, and ends one and all others', async () => {
    const page = await openAccount('manager')
    const second = await dashboard.open('manager')
    const third = await dashboard.open('manager')
    const end = page.getByRole('button', { name: 'Sign out', exact: true })
    // The list follows without a reload.
    await expect(end).toHaveCount(2, { timeout: 20_000 })
    await expect(page.getByText('Chrome, Linux').first()).toBeVisible()
    await end.first().click()
    await expect(end).toHaveCount(1)
    await third.reload()
    await expect(third.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await expect(page.getByText('One session ended.')).toBeVisible()
    await second.reload()
    await expect(second.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await page.reload()
    await expect(page.getByText('This browser')).toBeVisible()
    await expect(page.getByText('in use now')).toBeVisible()
  }, 90_000)

  test('creates a token, which works, and revokes it', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('link', { name: 'Tokens' }).click()
    await page.getByLabel('Note').fill('<i>laptop</i>')
    await page.getByRole('button', { name: 'Create token' }).click()
    await expect(page.getByText('The token is shown only now:')).toBeVisible()
    const token = (await page.locator('code').textContent())!.trim()
    const ask = () =>
      fetch(`${dashboard.server.credentials.url}/v1/admin/account/me`, {
        headers: { authorization: `Bearer ${token}` },
      })
    expect((await ask()).status).toBe(200)
    await page.getByRole('button', { name: 'Revoke <i>laptop</i>' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(page.getByRole('button', { name: 'Revoke <i>laptop</i>' })).toHaveCount(
      0,
    )
    expect((await ask()).status).toBe(401)
  })

  test('is accessible at both sizes and in both themes', async () => {
    const page = await openAccount('owner')
    await expectAccessibleLooks(page)
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('button', { name: 'Set up an authenticator app' }).click()
    await expect(page.getByRole('img', { name: 'QR code with the secret' })).toBeVisible()
    await expectAccessibleLooks(page, 'with a secret')
  })
})

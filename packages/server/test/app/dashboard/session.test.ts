// States of the session and the connection: signed out, expired, interrupted, without access.
import { gzipSync } from 'node:zlib'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
} from '../../support/dashboard.ts'

describeDashboard('session in the dashboard', () => {
  const url = () => dashboard.server.credentials.url

  test.for(['light', 'dark'] as const)(
    'offers visitors a talk and says how to sign in: %s',
    async (colorScheme) => {
      const page = await (await dashboard.browser.newContext({ colorScheme })).newPage()
      await page.goto(url())
      await expect(page.getByText('login-link --account')).toBeVisible()
      expect(await findViolations(page)).toEqual([])
      await page.getByRole('link', { name: 'Talk to Echo bot' }).click()
      await expect(page.getByRole('heading', { name: 'Echo bot' })).toBeVisible()
      await expect(page.getByLabel('Your message')).toBeEnabled()
    },
  )

  test('opens the wanted page after signing in, and no address of another site', async () => {
    const page = await (await dashboard.browser.newContext()).newPage()
    await page.goto(dashboard.botPage('/versions'))
    await expect(page).toHaveURL(/sign-in\?returnTo=/)
    await page.goto(`${url()}/sign-in?returnTo=//example.org/`)
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  })

  test('keeps the input of a form when the session expires', async () => {
    const page = await dashboard.open('administrator')
    await page.goto(dashboard.botPage('/versions'))
    await page.getByRole('button', { name: 'Save current state' }).click()
    await page.getByLabel('Name').fill('Before the weekend')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await expect(page.getByText('You were signed out')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('Before the weekend')
  })

  test('reconnects after the server was killed, and refreshes the page', async () => {
    const page = await dashboard.open('owner')
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await dashboard.server.stop('SIGKILL')
    await expect(page.getByText('Connection lost. Reconnecting')).toBeVisible()
    await dashboard.server.start()
    await dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
      name: 'Renamed meanwhile',
    })
    await expect(page.getByText('Connection lost. Reconnecting')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Renamed meanwhile' })).toBeVisible()
    await dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
      name: 'Echo bot',
    })
  })

  test('says that a deleted bot or an unknown page does not exist', async () => {
    const page = await dashboard.open('owner')
    await page.goto(
      `${url()}/w/${dashboard.server.credentials.workspaceId}/bots/bot_01ARZ3NDEKTSV4RRFFQ69G5FAV`,
    )
    await expect(page.getByRole('heading', { name: 'This does not exist' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Versions' })).toHaveCount(0)
    expect((await page.goto(`${url()}/nothing`))!.status()).toBe(404)
    await page.getByRole('link', { name: 'Back to the bots' }).click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    const unknown = await fetch(`${url()}/nothing`)
    expect(await unknown.json()).toMatchObject({ code: 404, type: 'ResourceNotFound' })
  })

  test('two browsers see each other’s changes', async () => {
    const first = await dashboard.open('owner')
    const second = await dashboard.open('administrator')
    await second.goto(dashboard.botPage('/versions'))
    await expect(
      second.getByRole('listitem').getByText('Echo bot', { exact: true }),
    ).toBeVisible()
    await first.goto(dashboard.botPage('/versions'))
    await first.getByRole('button', { name: 'Save current state' }).click()
    await first.getByLabel('Name').fill('Shared')
    await first.keyboard.press('Enter')
    await expect(second.getByText('Shared', { exact: true })).toBeVisible()
  })

  test('loads at most 300 KB of compressed scripts at first, and nothing from elsewhere', async () => {
    const page = await dashboard.open('owner')
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(loaded.filter((name) => !name.startsWith(`${url()}/`))).toEqual([])
    const files = [...new Set(loaded)].filter((name) => /\.(js|css|woff2?)$/.test(name))
    const sizes = await Promise.all(
      files.map(async (file) => {
        const content = Buffer.from(await (await fetch(file)).arrayBuffer())
        return { isScript: file.endsWith('.js'), bytes: gzipSync(content).length }
      }),
    )
    const sum = (some: typeof sizes) => some.reduce((all, { bytes }) => all + bytes, 0)
    expect(sizes.length).toBeGreaterThanOrEqual(3)
    expect(sum(sizes.filter(({ isScript }) => isScript)) / 1024).toBeLessThan(300)
    expect(sum(sizes.filter(({ isScript }) => !isScript)) / 1024).toBeLessThan(100)
  })

  test('serves assets for ever, the page never from a cache, and no other files', async () => {
    const page = await fetch(url())
    const policy = page.headers.get('content-security-policy')!
    expect(policy).not.toContain('unsafe')
    expect(policy).toContain("default-src 'none'")
    // Messages have pictures and sounds of any site.
    expect(policy.replaceAll(/(img|media)-src [^;]+;/g, '')).not.toMatch(/https?:|\*/)
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers.get('cache-control')).toBe('no-store')
    const nonces = [/'nonce-(\S+)'/.exec(policy)![1]]
    nonces.push(
      /'nonce-(\S+)'/.exec(
        (await fetch(url())).headers.get('content-security-policy')!,
      )![1],
    )
    expect(nonces[0]).not.toBe(nonces[1])
    const [, script] = /src="(\/assets\/[\w.-]+\.js)"/.exec(await page.text())!
    const asset = await fetch(url() + script)
    expect(asset.headers.get('cache-control')).toContain('immutable')
    for (const path of [
      '/assets/..%2findex.html',
      `${script}.br`,
      '/assets/constructor',
      '/assets/',
    ])
      expect((await fetch(url() + path)).status, path).toBe(404)
  })
})

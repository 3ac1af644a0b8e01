// Backups of the installation and archives of a workspace in the dashboard.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
  phone,
} from '../../support/dashboard.ts'

describeDashboard('archives in the dashboard', () => {
  const toPath = (path: string) => {
    const { url, workspaceId } = dashboard.server.credentials
    return `${url}/w/${workspaceId}${path}`
  }
  const folder = () => join(dashboard.server.dataFolder, 'backups')
  const passphrase = 'correct horse battery staple'

  async function expectArchive(page: Page, button: RegExp, format: string) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: button }).first().click()
    const file = await downloading
    const content = gunzipSync(readFileSync(await file.path()))
    expect(content.toString('latin1', 0, 2_000)).toContain(`"format":"${format}"`)
    expect(await readdir(folder())).toContain(file.suggestedFilename())
  }

  test('backs up the installation, downloads and deletes the file, shows the commands', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toPath('/installation'))
    const section = page.getByRole('region', { name: 'Backups', exact: true })
    await expect(section.getByText('No backups yet.')).toBeVisible()
    await expect(section).toContainText('Newest backup: none')
    await expect(section).toContainText('Next scheduled backup: not scheduled')
    await section.getByRole('button', { name: 'Back up now' }).click()
    await expect(section.getByText('Done', { exact: true })).toBeVisible()
    await expectArchive(page, /^Download botstead-/, 'botstead installation')
    await section.getByRole('button', { name: /^Restore botstead-/ }).click()
    const dialog = page.getByRole('dialog')
    const [file] = await readdir(folder())
    await expect(dialog).toContainText(
      `cp ${join(dashboard.server.dataFolder, 'keys')}/* /srv/new`,
    )
    await expect(dialog).toContainText(`botstead -- restore ${join(folder(), file!)}`)
    await page.keyboard.press('Escape')
    await section.getByRole('button', { name: /^Delete botstead-/ }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(section.getByText('No backups yet.')).toBeVisible()
    expect(await readdir(folder())).toEqual([])
  })

  test('shows why a backup failed', async () => {
    await rename(folder(), `${folder()}-away`)
    await writeFile(folder(), '')
    const page = await dashboard.open('owner')
    await page.goto(toPath('/installation'))
    await page.getByRole('button', { name: 'Back up now' }).click()
    const reason = /Cannot write to .*: a part of the path is not/
    await expect(page.getByText(reason).first()).toBeVisible()
    await expect(page.getByRole('alert').filter({ hasText: reason })).toContainText(
      /^The backup of .* failed: /,
      { timeout: 30_000 },
    )
    await rm(folder())
    await mkdir(folder())
  })

  test('creates an archive by keyboard alone', async () => {
    const page = await dashboard.open('administrator')
    await page.goto(toPath('/archives'))
    await expect(page.getByText('No archives', { exact: true })).toBeVisible()
    await expect(page.getByRole('main')).toContainText(
      'contains everything in this workspace',
    )
    await page.getByRole('button', { name: 'Create archive' }).focus()
    await page.keyboard.press('Enter')
    const field = page.getByLabel(/^Passphrase/)
    await expect(field).toBeFocused()
    await page.keyboard.type(passphrase)
    await page.keyboard.press('Enter')
    await expect(page.getByText('Done', { exact: true })).toBeVisible()
    await expectArchive(page, /^Download workspace-/, 'botstead workspace')
    await page.getByRole('button', { name: /^Import workspace-/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('--passphrase-file passphrase.txt')
    await expect(dialog).toContainText(/It must not have the workspace ".+" yet/)
  })

  test('imports an archive on the page of bots, after an explained failure', async () => {
    const { url, token } = dashboard.server.credentials
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    }
    const call = async (method: string, path: string, body?: object, more = {}) => {
      const init = { method, headers: { ...headers, ...more } }
      const sent = body ? { ...init, body: JSON.stringify(body) } : init
      return (await fetch(url + path, sent)).json()
    }
    const created = await call('POST', '/v1/admin/workspaces', { name: 'Travelling' })
    const { id } = created.workspace ?? created
    const inside = { 'x-workspace-id': id }
    const archives = '/v1/platform/archives'
    const { archive } = await call('POST', archives, { passphrase }, inside)
    const state = async () =>
      (await call('GET', archives, undefined, inside)).archives[0].state
    await expect.poll(state).toBe('done')
    const link = await call('POST', `${archives}/${archive.id}/link`, {}, inside)
    const buffer = Buffer.from(await (await fetch(new URL(link.url, url))).arrayBuffer())

    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('An archive', { exact: true }).click()
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: archive.fileName, mimeType: 'application/gzip', buffer })
    await dialog.getByLabel(/^Passphrase/).fill(passphrase)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(dialog.getByRole('alert')).toContainText('already exists')
    await expectAccessibleLooks(page, 'import')
    await call('DELETE', `/v1/admin/workspaces/${id}`)
    await dialog.getByRole('button', { name: 'Import' }).click()
    await expect(dialog).toContainText('Travelling was imported')
    await dialog.getByRole('link', { name: 'Open the workspace' }).click()
    await expect(page).toHaveURL(`${url}/w/${id}/bots`)
  })

  test('explains that a proxy limits the size of archives', async () => {
    const page = await dashboard.open('owner')
    const tooLarge = { name: 'large.botstead', mimeType: 'application/gzip' }
    for (const [answers, reason] of [
      [true, 'The archive is too large for a proxy'],
      [false, 'The connection ended before the archive was sent'],
    ] as const) {
      const proxy = await openLimitingProxy(dashboard.server.credentials.url, answers)
      await page.goto(proxy.url)
      await page.getByRole('button', { name: 'Create bot' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('An archive', { exact: true }).click()
      const buffer = randomBytes(8 * 2 ** 20)
      await dialog.locator('input[type=file]').setInputFiles({ ...tooLarge, buffer })
      await dialog.getByRole('button', { name: 'Import' }).click()
      await expect(dialog.getByRole('alert')).toContainText(reason)
      await expect(dialog.getByRole('alert')).toContainText('npm run botstead -- import')
      await page.goto('about:blank')
      await proxy.close()
    }
  })

  test('creates and deletes one without secrets on a phone', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(toPath('/archives'))
    await expect(page.getByText('Create bot > An archive')).toBeVisible()
    await page.getByRole('button', { name: 'Create archive' }).click()
    await page.getByRole('checkbox', { name: /^Include secrets/ }).uncheck()
    await page.getByRole('button', { name: 'Start' }).click()
    const row = page
      .getByRole('listitem')
      .filter({ hasText: 'by owner@localhost, without secrets' })
    await expect(row.getByText('Done', { exact: true })).toBeVisible()
    await row.getByRole('button', { name: /^Delete/ }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText('The file is deleted for all people.')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(row).toHaveCount(0)
  })

  test('shows the archive of another administrator while it runs', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toPath('/archives'))
    await expect(page.getByRole('listitem')).toHaveCount(1)
    const { archive } = await dashboard.call('POST', '/v1/platform/archives', {
      passphrase,
    })
    const button = page.getByRole('button', { name: `Download ${archive.fileName}` })
    // Earlier than the page asks by itself.
    await expect(button).toBeVisible({ timeout: 9_000 })
  })

  test('is closed to other roles', async () => {
    const page = await dashboard.open('manager')
    await expect(page.getByRole('link', { name: 'Bots', exact: true })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Archives' })).toHaveCount(0)
    await page.goto(toPath('/archives'))
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create archive' })).toHaveCount(0)
  })

  test('is accessible at both sizes and in both themes', async () => {
    const page = await dashboard.open('owner')
    await page.goto(toPath('/archives'))
    await expect(page.getByText('Done', { exact: true }).first()).toBeVisible()
    await expectAccessibleLooks(page)
    await page.getByRole('button', { name: 'Create archive' }).click()
    await expect(page.getByLabel(/^Passphrase/)).toBeVisible()
    await expectAccessibleLooks(page, 'dialog')
  })
})

/** Forwards to the server. It answers bodies over 1 MB with 413, or resets their connections. */
async function openLimitingProxy(target: string, answers: boolean) {
  const server = createServer((request, response) => {
    if (Number(request.headers['content-length'] ?? 0) > 1e6) {
      if (!answers) return void request.socket.resetAndDestroy()
      request.resume()
      return void response.writeHead(413).end('<h1>413 Request Entity Too Large</h1>')
    }
    const { method, headers, url } = request
    const forwarded = send(
      new URL(url!, target),
      { method: method!, headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(response)
      },
    )
    response.on('close', () => forwarded.destroy())
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

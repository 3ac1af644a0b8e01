// Knowledge in the dashboard: from documents to an explained answer, imports of folders that continue,
// failures, and the pages of a file.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { strToU8, zipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  findViolations,
  phone,
} from '../../support/dashboard.ts'
import { html, openWebsite, sitemap } from '../../support/website.ts'

let folder: string

const documents: Record<string, string> = {
  'returns.md': '# Returns\n\nYou may return goods within thirty days.',
  'shipping.md': '# Shipping\n\nParcels to Norway cost nine euros.',
  'team/opening hours.txt': 'The shop opens at nine in the morning.',
}

describeDashboard('knowledge in the dashboard', () => {
  beforeAll(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'botstead-knowledge-')), 'handbook')
    mkdirSync(join(folder, 'team'), { recursive: true })
    for (const [name, text] of Object.entries(documents))
      writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, '.DS_Store'), 'hidden')
  })
  afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true }))

  const rows = (page: Page) =>
    page.getByRole('region', { name: 'Files' }).getByRole('listitem')
  const open = (page: Page, path = '') =>
    page.goto(dashboard.botPage(`/knowledge${path}`))
  const progress = (page: Page) =>
    page.getByRole('region', { name: 'Upload' }).getByRole('status')

  async function uploadFolder(page: Page, from = folder) {
    await page.getByRole('button', { name: 'Add files' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[webkitdirectory]').setInputFiles(from)
    await expect(dialog.getByText(/\.md/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(dialog).toHaveCount(0)
  }

  test('leads from three documents to an explained answer', async () => {
    const page = await dashboard.open('developer')
    await page.getByRole('link', { name: 'Echo bot' }).click()
    await page.getByRole('link', { name: 'Knowledge' }).click()
    await expect(
      page.getByRole('heading', { name: 'Give the bot something to read' }),
    ).toBeVisible()
    await page.getByRole('button', { name: 'Add files' }).first().click()
    await expect(page.getByRole('dialog').getByText('No files chosen')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await uploadFolder(page)
    await expect(progress(page)).toHaveText('3 files uploaded')
    await expect(rows(page)).toHaveCount(3)
    await expect(page.getByRole('button', { name: '3 searchable' })).toBeVisible()
    await page.getByRole('link', { name: 'Try a question' }).click()
    await page.getByLabel('Question').fill('can I retunr umbrellas after thirty days?')
    await page.keyboard.press('Enter')
    const found = page.getByRole('article', { name: 'returns.md' })
    await expect(found.locator('mark')).toContainText(['thirty', 'days'])
    const verdict = page.getByRole('region', { name: 'What the bot does' })
    await expect(verdict).toContainText('You may return goods within thirty days.')
    await expect(verdict).toContainText('Source: returns')
    await expect(
      page.getByText(/^Searched .*“return”.* in place of “retunr”\.$/),
    ).toBeVisible()
    await expect(found.getByText(/^Score 0\.\d\d$/)).toBeVisible()
    await expect(found.getByText(/^Matched: .*thirty.*; needs 0\.35\.$/)).toBeVisible()
    await expect(page.getByText('No passage contains', { exact: false })).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    const minimum = (score: string) =>
      page.getByRole('button', {
        name: `Change the minimum score (${score}) of “Documents”`,
      })
    await expect(minimum('0.35')).toHaveText('Change the minimum score (0.35)')
    await minimum('0.35').click()
    const dialog = page.getByRole('dialog', { name: 'Minimum score of “Documents”' })
    await expect(dialog.getByText('it holds for all answers')).toBeVisible()
    await expect(dialog.getByLabel('Name')).toHaveCount(0)
    await dialog.getByLabel('Minimum score', { exact: true }).fill('0.9')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    const below = 'Below the minimum score 0.9 of the knowledge base: not used'
    await expect(found.getByText(below)).toBeVisible()
    await expect(verdict).toHaveText(
      /The bot does not answer: the best passage has 0\.\d+, it needs 0\.9\./,
    )
    await verdict.getByRole('button', { name: 'Add an answer' }).click()
    const form = page.getByRole('dialog', { name: 'New answer' })
    await expect(form.getByLabel('Questions')).toHaveValue(
      'can I retunr umbrellas after thirty days?',
    )
    await expect(
      form.getByText('The same question in other words needs another'),
    ).toBeVisible()
    await form.getByRole('button', { name: 'Use this passage' }).click()
    await expect(form.getByLabel('Answer', { exact: true })).toHaveValue(
      /within thirty days/,
    )
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await expect(minimum('0.9')).toBeVisible()
    await found.getByRole('link', { name: 'returns.md' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('returns.md')
    await expect(page.getByRole('region', { name: 'Document' })).toContainText(
      '# Returns',
    )
    await expect(
      page.getByRole('listitem').filter({ hasText: 'thirty days' }),
    ).toBeVisible()
  })

  test('leads from each page of knowledge to the others, and keeps the knowledge base', async () => {
    const page = await dashboard.open('developer')
    await open(page, '/search?base=kb_1')
    const tabs = page.getByRole('navigation', { name: 'Pages of knowledge' })
    const names = [
      'Documents',
      'Websites',
      'Answers',
      'Unanswered',
      'Checks',
      'Try a question',
    ]
    for (const name of names) {
      await tabs.getByRole('link', { name, exact: true }).click()
      await expect(page).toHaveURL(/base=kb_1/)
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(
        name === 'Documents' ? 'Knowledge' : name,
      )
      await expect(tabs.locator('[aria-current]')).toHaveText(name)
    }
  })

  test('shows words as people write them', async () => {
    const text = 'Ist mein Gutschein noch gültig? Er gilt ein Jahr.'
    const { file } = await dashboard.call('PUT', '/v1/files', {
      key: 'gutschein.md',
      contentType: 'text/markdown',
      size: Buffer.byteLength(text),
      index: true,
    })
    await fetch(file.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'text/markdown' },
      body: text,
    })
    const page = await dashboard.open('developer')
    await open(page, `/files/${file.id}`)
    await expect(page.getByText('Searchable')).toBeVisible()
    await expect(page.getByText('Changed:')).toBeVisible()
    const shown = page.getByRole('region', {
      name: /Why these passages|Nothing was found/,
    })
    await open(
      page,
      `/search?q=${encodeURIComponent('Sind Gutschiene gültig für Flüge?')}`,
    )
    await expect(shown).toContainText('“gültig”')
    await expect(shown).toContainText('Searched “Gutschein” in place of “Gutschiene”.')
    await expect(shown).toContainText('“Flüge”')
    await expect(shown).not.toContainText('gultig')
    await dashboard.call('DELETE', `/v1/files/${file.id}`)
  })

  test('offers the minimum score of the only knowledge base without a choice', async () => {
    const page = await dashboard.open('developer')
    await open(page)
    await page.getByRole('button', { name: 'Change the knowledge base' }).click()
    await page.getByRole('menuitem', { name: 'Minimum score' }).click()
    const dialog = page.getByRole('dialog', { name: 'Minimum score of “Documents”' })
    await expect(dialog.getByLabel('Minimum score', { exact: true })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  test('shows the text of a document that the browser cannot show, beside its passages', async () => {
    const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`
    const document = ['Goods are <b>fresh</b>.', 'Parcels leave on Mondays.']
      .map((text) => paragraph(text.replaceAll('<', '&lt;')))
      .join('')
    const docx = zipSync({
      'word/document.xml': strToU8(
        `<w:document xmlns:w="w"><w:body>${document}</w:body></w:document>`,
      ),
    })
    const page = await dashboard.open('developer')
    const upload = async (
      key: string,
      contentType: string,
      content: Uint8Array<ArrayBuffer>,
    ) => {
      const { file } = await dashboard.call('PUT', '/v1/files', {
        key,
        contentType,
        size: content.length,
        index: true,
      })
      await fetch(file.uploadUrl, {
        method: 'PUT',
        headers: { 'content-type': contentType },
        body: content,
      })
      await open(page, `/files/${file.id}`)
      return file.key
    }
    const word = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
    const first = await upload('Delivery.docx', word, new Uint8Array(docx))
    const shown = page.getByRole('region', { name: 'Document' })
    await expect(shown).toContainText('This is the text that the server read from it')
    await expect(shown).toContainText(
      /Goods are <b>fresh<\/b>\..*Parcels leave on Mondays\./s,
    )
    await expectAccessible(page)
    const source = '<title>Hours</title><p>Open on <b>Sundays</b>.</p>'
    const second = await upload(
      'hours.html',
      'text/html',
      new Uint8Array(Buffer.from(source)),
    )
    await expect(shown).toContainText('Open on Sundays.')
    await expect(shown).not.toContainText('<b>')
    for (const key of [first, second]) await dashboard.call('DELETE', `/v1/files/${key}`)
  })

  test('takes a folder that is dropped on the page', async () => {
    const page = await dashboard.open('developer')
    await open(page)
    const { x, y } = (await page
      .getByRole('button', { name: 'Add files' })
      .first()
      .boundingBox())!
    // As the system drops it: the browser reads the folder itself.
    const session = await page.context().newCDPSession(page)
    const data = { items: [], files: [folder], dragOperationsMask: 1 }
    const dialog = page.getByRole('dialog')
    // A busy browser may drop before the page has accepted the drag.
    await expect(async () => {
      for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
        await session.send('Input.dispatchDragEvent', { type, x, y, data })
      await expect(dialog).toBeVisible({ timeout: 5_000 })
    }).toPass()
    await expect(dialog).toContainText('handbook/team/opening hours.txt')
    await expect(dialog).not.toContainText('.DS_Store')
    await page.keyboard.press('Escape')
  })

  test('skips the files of a folder that are there already', async () => {
    const page = await dashboard.open('developer')
    await open(page)
    writeFileSync(join(folder, 'shipping.md'), 'Parcels to Norway cost ten euros.')
    await page.getByRole('button', { name: 'Add files' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[webkitdirectory]').setInputFiles(folder)
    await expect(dialog.getByText('Replaces 1 file: handbook/shipping.md')).toBeVisible()
    await expect(
      dialog.getByText('2 files with the same content will be skipped.'),
    ).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Upload and replace' }).click()
    await expect(progress(page)).toHaveText(
      '1 file uploaded · 1 replaced · 2 were here already',
    )
    await expect(rows(page)).toHaveCount(3)
  })

  test('continues an upload when the server responds again', async () => {
    const page = await dashboard.open('developer')
    let failures = 0
    await page.route('**/v1/platform/files/stored', (route) =>
      failures++ < 2 ? route.abort() : route.continue(),
    )
    await page.route('**/v1/files', (route) =>
      failures++ < 4 ? route.abort() : route.continue(),
    )
    await open(page)
    writeFileSync(join(folder, 'shipping.md'), 'Parcels to Norway cost eleven euros.')
    await uploadFolder(page)
    await expect(
      page.getByText('The server cannot be reached.', { exact: false }),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'Knowledge' }).click()
    await expect(progress(page)).toHaveText(
      '1 file uploaded · 1 replaced · 2 were here already',
    )
    expect(failures).toBeGreaterThan(4)
  })

  test('finishes an import of many files although the server is killed', async () => {
    const count = 300
    const many = join(folder, '..', 'many')
    mkdirSync(many)
    for (let n = 0; n < count; n++) writeFileSync(join(many, `${n}.md`), `Number ${n}`)
    const page = await dashboard.open('developer')
    await open(page)
    await uploadFolder(page, many)
    await expect(progress(page)).toHaveText(/^[4-9]\d of 300 files/)
    await dashboard.server.stop('SIGKILL')
    await expect(
      page.getByText('The server cannot be reached.', { exact: false }),
    ).toBeVisible()
    await dashboard.server.start()
    await expect(progress(page)).toHaveText(/^300 files uploaded$/, { timeout: 60_000 })
    const { rows } = await sql<{ files: number; keys: number; pending: number }>`
      select count(*)::int as files, count(distinct key)::int as keys,
        (count(*) filter (where blob is null or upload_id is not null))::int as pending
      from file where key like '%/many/%'`.execute(dashboard.database.db)
    expect(rows).toEqual([{ files: count, keys: count, pending: 0 }])
    await sql`delete from file where key like '%/many/%'`.execute(dashboard.database.db)
    // Failed requests of the page while the server was down.
    dashboard.complaints.length = 0
  }, 120_000)

  test('shows the reason of a failure, and filters by state and name', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await open(page)
    await page.getByRole('button', { name: 'Add files' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.locator('input[type=file]:not([webkitdirectory])').setInputFiles({
      name: 'voice.bin',
      mimeType: 'audio/x-none',
      buffer: Buffer.from('abc'),
    })
    await dialog.getByRole('button', { name: 'Upload' }).click()
    await expect(
      page.getByText('Files of the type audio/x-none are not indexed'),
    ).toBeVisible()
    await page.getByRole('button', { name: '1 indexing failed' }).click()
    await expect(rows(page)).toHaveCount(1)
    await page.goto(dashboard.botPage('/knowledge?name=open'))
    await expect(rows(page)).toHaveText(/opening hours/)
    await page.getByRole('button', { name: 'Actions: opening hours.txt' }).click()
    await page.getByRole('menuitem', { name: 'Delete file' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'No files match' })).toBeVisible()
  })

  test('creates, renames and deletes a knowledge base by keyboard', async () => {
    const page = await dashboard.open('developer')
    await dashboard.call('PUT', '/v1/files', { key: 'imports/people.csv', size: 3 })
    await open(page)
    await expect(rows(page).first()).toBeVisible()
    await expect(rows(page).filter({ hasText: 'people.csv' })).toHaveCount(0)
    await page.getByLabel('Also files outside of knowledge').check()
    await expect(rows(page).filter({ hasText: 'people.csv' })).toHaveCount(1)
    await page.getByLabel('Also files outside of knowledge').uncheck()
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Change the knowledge base' }).press('Enter')
      await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
    }
    const dialog = page.getByRole('dialog')
    await choose('New knowledge base')
    await dialog.getByLabel('Name').fill('Rules')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Knowledge base' })).toHaveValue(
      'Rules',
    )
    await expect(
      page.getByRole('heading', { name: 'This knowledge base is empty' }),
    ).toBeVisible()
    await choose('Minimum score')
    await dialog.getByLabel('Minimum score', { exact: true }).fill('0.3')
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    await choose('Rename')
    await dialog.getByLabel('Name').fill('Documents')
    await expect(dialog.getByText('Another knowledge base has this name.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await dialog.getByLabel('Name').fill('House rules')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Knowledge base' })).toHaveValue(
      'House rules',
    )
    const { knowledgeBases } = await dashboard.call('GET', '/v1/files/knowledge-bases')
    expect(knowledgeBases).toContainEqual(
      expect.objectContaining({ name: 'House rules', tags: { minScore: '0.3' } }),
    )
    await choose('Delete')
    await dialog.getByLabel('Type House rules to confirm').fill('House rules')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('combobox', { name: 'Knowledge base' })).toHaveValue('')
  })

  test('adds a sitemap, shows the pages with their reasons, and reads them again', async () => {
    const site = await openWebsite({
      '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /private' },
      '/a': html('Tea', 'Tea is at four.'),
    })
    site.pages.set(
      '/sitemap.xml',
      sitemap(['/a', '/b', '/private'].map((at) => site.url + at)),
    )
    const page = await dashboard.open('developer', { size: phone })
    await open(page)
    await page.getByRole('link', { name: 'Websites' }).click()
    await expect(page.getByRole('heading', { name: 'No websites yet' })).toBeVisible()
    await page.getByRole('button', { name: 'Add a website' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill(`${site.url}/sitemap.xml`)
    await expect(dialog.getByLabel('All pages of this sitemap')).toBeChecked()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    const websites = page.getByRole('region', { name: 'Websites' })
    await expect(websites.getByText('3 pages, 2 not read')).toBeVisible()
    await websites.getByRole('link', { name: '/sitemap.xml' }).click()
    const pages = page.getByRole('region', { name: 'Pages' }).getByRole('listitem')
    await expect(pages).toHaveText([
      /\/aRead/,
      /Deleted.*responded with 404/,
      /Not allowed/,
    ])
    await expectAccessible(page)
    site.pages.set('/b', html('Cake', 'Cake is at five.'))
    await page.getByRole('button', { name: 'Read again now' }).click()
    await expect(pages.nth(1)).toHaveText(/\/bRead/)
    await expect(pages.nth(0)).toHaveText(/\/aUnchanged/)
    await page.getByRole('combobox', { name: /^Read again:/ }).click()
    await page.getByRole('option', { name: 'Daily' }).click()
    await expect(page.getByText('Next:')).toBeVisible()
    await pages.nth(1).getByRole('link', { name: 'Passages' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${site.url}/b`)
    await expect(page.getByRole('link', { name: `${site.url}/b` })).toHaveAttribute(
      'href',
      /b$/,
    )
    await page.goBack()
    await page.getByRole('button', { name: 'Delete website' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'No websites yet' })).toBeVisible()
    await site.close()
  })

  test('deletes the sample documents of an example', async () => {
    const { id } = await dashboard.call('POST', '/v1/admin/workspaces', { name: 'Shop' })
    const page = await dashboard.open('owner')
    await page.goto(`${dashboard.server.credentials.url}/w/${id}/bots`)
    await page.getByRole('button', { name: 'Create Questions and answers' }).click()
    const note = page.getByRole('note')
    await expect(note.getByText('The bot answers from 3 sample documents')).toBeVisible({
      timeout: 30_000,
    })
    await expect(note).toContainText('about: returns, opening hours, delivery.')
    await expect(note).toContainText('Click “Try the bot” and ask')
    await expect(page.getByText('The search finds passages by words only.')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await note.getByRole('button', { name: 'Delete the samples' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(rows(page)).toHaveCount(0)
    await expect(note).toHaveCount(0)
  })

  test('shows no controls for changes to a viewer', async () => {
    const page = await dashboard.open('viewer', { scheme: 'dark' })
    await open(page)
    await expect(rows(page).first()).toBeVisible()
    await expect(
      page.getByRole('button', { name: /Add files|Actions|Change the/ }),
    ).toHaveCount(0)
    await open(page, '/search?q=morning')
    await expect(page.getByRole('heading', { name: 'Nothing was found' })).toBeVisible()
    await expectAccessible(page)
    await open(page, '/search?q=norway')
    await expect(page.locator('mark').first()).toBeVisible()
    await expectAccessible(page)
  })
})

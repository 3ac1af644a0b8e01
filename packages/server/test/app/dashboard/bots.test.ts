// The list of bots, and creating, transferring and deleting bots.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
  phone,
} from '../../support/dashboard.ts'

/** An export of Typebot. */
const typebot = {
  version: '6',
  name: 'Ask a name',
  groups: [
    {
      id: 'g',
      title: 'Name',
      blocks: [
        { id: 'a', type: 'email input', options: { variableId: 'v' } },
        { id: 'b', type: 'Pixel' },
      ],
    },
  ],
  edges: [],
  variables: [{ id: 'v', name: 'E-mail' }],
}

/** Creating a bot loads its code, at the lowest priority. */
const slowly = { timeout: 40_000 }

describeDashboard('bots in the dashboard', () => {
  test('lists the bots, and opens one by keyboard', async () => {
    const page = await dashboard.open('owner')
    const bot = page.getByRole('link', { name: 'Echo bot' })
    await expect(bot).toBeVisible()
    await bot.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Echo bot', level: 1 })).toBeVisible()
  })

  test('names the product, and leads back to the bot from a page of the workspace', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/logs'))
    await expect(
      page.getByRole('banner').getByRole('link', { name: 'Botstead' }),
    ).toBeVisible()
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('link', { name: 'Back to Echo bot' }).click()
    await expect(page.getByRole('heading', { name: 'Echo bot', level: 1 })).toBeVisible()
  })

  test('says why a viewer cannot change settings, and suggests nothing to them', async () => {
    const page = await dashboard.open('viewer')
    for (const path of ['/settings', '/privacy']) {
      await page.goto(dashboard.botPage(path))
      await expect(page.getByText('Your role may not change this.')).toBeVisible()
    }
    await page.goto(dashboard.botPage('/tables'))
    await expect(page.getByText('Nobody has created a table yet.')).toBeVisible()
  })

  test('hides the navigation or a part of it, and remembers it', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage())
    const navigation = page.getByRole('navigation', { name: 'Main navigation' })
    const members = navigation.getByRole('link', { name: 'Members' })
    await navigation.getByRole('button', { name: 'Workspace' }).click()
    await expect(members).toBeHidden()
    await page.reload()
    await expect(navigation.getByRole('link', { name: 'Logs' })).toBeVisible()
    await expect(members).toBeHidden()
    await page.getByRole('button', { name: 'Show the navigation' }).click()
    await expect(navigation).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(navigation).toBeHidden()
  })

  test('imports a bot of another builder by mouse and keyboard, as a draft', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Another builder', { exact: true }).click()
    const choose = dialog.locator('input[type=file]').first()
    const toFile = (name: string, text: string) => ({
      name,
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await choose.setInputFiles(toFile('other.json', '{}'))
    await expect(dialog.getByText(/is no export that can be imported/)).toBeVisible()
    await choose.setInputFiles(toFile('empty.json', ''))
    await expect(
      dialog.getByText('empty.json is empty. Export the bot again'),
    ).toBeVisible()
    // Each tab passes files of the other on.
    await choose.setInputFiles(
      toFile('own.json', JSON.stringify({ kind: 'bot', version: 2 })),
    )
    await expect(dialog.getByRole('radio', { name: 'Bot files' })).toBeChecked()
    await expect(dialog.getByText('own.json', { exact: true })).toBeVisible()
    await choose.setInputFiles(toFile('ask.json', JSON.stringify(typebot)))
    await expect(dialog.getByRole('radio', { name: 'Another builder' })).toBeChecked()
    const report = dialog.getByRole('region', { name: 'Report' })
    await expect(report.getByRole('status')).toHaveText(
      'Typebot (version 6): 1 carried, 0 with a difference, 1 not carried.',
    )
    const rows = report.getByRole('row')
    await expect(rows.nth(1)).toContainText('Not carried')
    await expect(rows.nth(1)).toContainText('Pixel')
    await expect(rows.nth(2)).toContainText('main/name')
    expect(await findViolations(page)).toEqual([])
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Ask a name')
    await dialog.getByRole('textbox', { name: 'Name' }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText('Ask a name was created as a draft')).toBeVisible(slowly)
    await expect(page).toHaveURL(/\/flows/)
    const [, bot] = /bots\/(bot_\w+)/.exec(page.url())!
    const { draft } = await dashboard.call('GET', `/v1/platform/bots/${bot}/draft`)
    expect(draft).toMatchObject({ hasChanges: true, publishedRevision: 0 })
    expect(JSON.parse(draft.text).flows.main.nodes.name.cards[0]).toMatchObject({
      kind: 'email',
    })
    const { versions } = await dashboard.call('GET', `/v1/platform/bots/${bot}/versions`)
    expect(versions).toEqual([])
  })

  test('creates a bot from an example in one click, and talks to it', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Create Appointments' }).click()
    const title = page.getByRole('heading', { name: 'Appointments', level: 1 })
    await expect(title).toBeVisible(slowly)
    await page.getByLabel('Your message').fill('hi')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('log').locator('.theirs .bubble')
    await expect(answer.first()).toHaveText('Welcome! What is your name?')
    const [, bot] = /bots\/(bot_\w+)/.exec(page.url())!
    const { versions } = await dashboard.call('GET', `/v1/platform/bots/${bot}/versions`)
    expect(versions).toMatchObject([{ number: 1, name: 'Appointments' }])
    const version = `/v1/admin/bots/${bot}/versions/${versions[0].id}`
    const { url } = await dashboard.call('GET', version)
    expect(await (await fetch(url)).text()).toMatch(/^\{\n {2}"/)
  })

  test('fills the knowledge base of an example', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    await page.getByRole('button', { name: 'Create Questions and answers' }).click()
    await page.getByLabel('Your message').fill('When are you open?', slowly)
    await page.keyboard.press('Enter')
    const answers = page.getByRole('log').locator('.theirs .bubble')
    await expect(answers.last()).toContainText('from 9 to 5')
    await expect(answers.last()).toContainText('Source: opening-hours')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Knowledge')
    await page.getByRole('button', { name: 'Why this answer?' }).last().click()
    const trace = page.getByRole('log')
    const parts = trace.getByRole('region')
    await expect(parts.first()).toContainText('Passages found')
    await expect(parts.first()).toContainText('When are you open?')
    await expect(
      parts
        .first()
        .getByRole('link', { name: /\(score 0\.\d\d\)$/ })
        .first(),
    ).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await trace.getByRole('link', { name: 'Explain this search' }).click()
    await expect(page.getByLabel('Question')).toHaveValue('When are you open?')
    await expect(page.getByRole('article').first()).toContainText('from 9 to 5')
    await expect(page.getByRole('note')).toContainText('at most 5 passages.')
    await page.getByRole('button', { name: 'Search without these limits' }).click()
    await expect(page.getByRole('note')).toHaveCount(0)
    await page.getByRole('button', { name: 'Change the minimum score' }).click()
    await page
      .getByRole('dialog')
      .getByLabel('Minimum score', { exact: true })
      .fill('0.99')
    await page.keyboard.press('Enter')
    await expect(
      page.getByText('0.99 of the knowledge base: not used').first(),
    ).toBeVisible()
    const count = await answers.count()
    await page.getByLabel('Your message').fill('When are you open?')
    await page.keyboard.press('Enter')
    await expect(answers).not.toHaveCount(count)
    await page.getByRole('button', { name: 'Why this answer?' }).last().click()
    await expect(
      trace.getByText(/best one has the score 0\.\d+; the minimum is 0\.99/),
    ).toBeVisible()
    expect(page.url()).not.toMatch(/limit|min=/)
    await expect(page.getByLabel('Question')).toHaveValue('When are you open?')
  })

  test('changes a sentence of an example in the settings', async () => {
    const { id } = await dashboard.call('POST', '/v1/admin/workspaces', { name: 'Salon' })
    const page = await dashboard.open('owner')
    await page.goto(`${dashboard.server.credentials.url}/w/${id}/bots`)
    await page.getByRole('button', { name: 'Create Questions and answers' }).click()
    await expect(page.getByLabel('Your message')).toBeFocused({ timeout: 30_000 })
    await page.getByRole('link', { name: 'General', exact: true }).click()
    const configuration = page.getByRole('region', { name: 'Configuration' })
    const former = 'Das weiß ich nicht. Soll ein Mensch antworten?'
    const fields = configuration.getByRole('textbox')
    await expect(fields.first()).toBeVisible()
    const values = await fields.evaluateAll((all) =>
      all.map((one) => (one as HTMLInputElement).value),
    )
    const field = fields.nth(values.indexOf(former))
    await field.fill('Rufen Sie uns bitte an.')
    expect(await findViolations(page)).toEqual([])
    await configuration.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Saved').first()).toBeVisible()
    await page.getByLabel('Your message').fill('Verkaufen Sie auch Fahrräder?')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('log')).toContainText('Rufen Sie uns bitte an.')
    await expect(
      page.getByRole('log').getByRole('button', { name: 'Antwort per E-Mail' }),
    ).toBeVisible()
  })

  test('creates a bot from a bundle, and deletes it after its name is typed', async () => {
    const page = await dashboard.open('owner')
    await chooseFiles(page, bundle)
    await expect(page.getByRole('dialog').getByText('bot.cjs')).toBeVisible()
    await page.getByLabel('Name').fill('<b>Second</b> bot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: '<b>Second</b> bot' })).toBeVisible()
    await page.getByRole('link', { name: 'Versions', exact: true }).click()
    const version = page.getByRole('listitem').filter({ hasText: 'bot.cjs' })
    await expect(version.getByText('Running')).toBeVisible()

    await page.getByRole('link', { name: 'General' }).click()
    await page.getByRole('button', { name: 'Delete bot' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('button', { name: 'Delete bot' })).toBeDisabled()
    await dialog.getByLabel('Type <b>Second</b> bot to confirm').fill('<b>Second</b> bot')
    await dialog.getByRole('button', { name: 'Delete bot' }).click()
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Second' })).toHaveCount(0)
  })

  test('says that an empty bot has no code, and where to deploy it', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    await page.getByText('Empty bot', { exact: true }).click()
    await page.getByLabel('Name').fill('Blank')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Blank', level: 1 })).toBeVisible()
    const main = page.getByRole('main')
    await expect(main.getByRole('alert')).toContainText(
      'Deploy files or a version on the page Versions.',
    )
    await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
    const emulator = page.locator('.emulator')
    await expect(emulator.getByRole('alert')).toContainText('This bot has no code yet')
    expect(await findViolations(page)).toEqual([])
    await emulator.getByRole('link', { name: 'Versions' }).click()
    await expect(page.getByRole('heading', { name: 'Versions', level: 1 })).toBeVisible()
    const [, id] = /bots\/(bot_\w+)/.exec(page.url())!
    const viewer = await dashboard.open('viewer')
    const row = viewer.getByRole('listitem').filter({ hasText: 'Blank' })
    await expect(row.getByText('Not deployed', { exact: true })).toBeVisible()
    await expect(row.getByText('Healthy')).toHaveCount(0)
    await row.getByRole('link').click()
    await expect(viewer.getByRole('alert')).toContainText(
      'A member who may change the bot',
    )

    await page.goto(listSettings(id!))
    await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Rotate' })).toHaveCount(0)
    await dashboard.call('PUT', `/v1/admin/bots/${id}`, {
      url: 'https://bot.example.org/',
    })
    await page.reload()
    await expect(page.getByRole('button', { name: 'Rotate' })).toBeVisible()
    await page.getByRole('link', { name: 'Overview' }).click()
    await expect(main.getByText('This bot runs at a URL.')).toBeVisible()
    await expect(page.getByText('This bot has no code yet')).toHaveCount(0)
    await page.getByRole('link', { name: 'Bots', exact: true }).click()
    const atUrl = page.getByRole('listitem').filter({ hasText: 'Blank' })
    await expect(atUrl).toBeVisible()
    await expect(atUrl.getByText('Not deployed', { exact: true })).toHaveCount(0)
    await dashboard.call('DELETE', `/v1/admin/bots/${id}`)
  })

  test('creates a bot from a folder with code files', async () => {
    const page = await dashboard.open('owner')
    await openFiles(page)
    await page.locator('input[webkitdirectory]').setInputFiles(appointments)
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Bot document with 1 code file')).toBeVisible()
    await expect(page.getByLabel('Name')).toHaveValue('appointment-bot')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(
      page.getByRole('heading', { name: 'appointment-bot', level: 1 }),
    ).toBeVisible()
    const { bots } = await dashboard.call('GET', '/v1/admin/bots')
    const { id } = bots.find(({ name }: { name: string }) => name === 'appointment-bot')
    const { files } = await dashboard.call('GET', `/v1/admin/bots/${id}/bot-json`)
    expect(Object.keys(files)).toEqual(['code/book.ts'])
  })

  test('creates a bot from several files, one of them YAML, by keyboard on a phone', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.getByRole('button', { name: 'Create bot' }).focus()
    await page.keyboard.press('Enter')
    for (const name of [
      'An example',
      'From scratch',
      'Bot files',
      'An archive',
      'Empty bot',
    ])
      await expect(
        page.getByRole('dialog').getByText(name, { exact: true }),
      ).toBeInViewport({
        ratio: 1,
      })
    await page.getByRole('radio', { name: 'From scratch' }).focus()
    await page.keyboard.press('ArrowRight')
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles([
        toFile('bot.yaml', yaml),
        toFile('greet.ts', 'await Promise.resolve(1 as number)'),
      ])
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByText('Bot document with 1 code file')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Name').fill('From YAML')
    await page.keyboard.press('Enter')
    const message = page.getByLabel('Your message')
    await message.fill('hi')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('log').locator('.theirs .bubble')).toHaveText(
      'Hello from YAML',
    )
  })

  test('takes dropped files', async () => {
    const page = await dashboard.open('owner')
    await openFiles(page)
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([text], 'bot.cjs', { type: 'text/javascript' }))
      return transfer
    }, 'exports.handler = () => {}')
    await page.locator('.drop-zone').dispatchEvent('drop', { dataTransfer: data })
    await expect(page.getByRole('dialog').getByText('Bundle, 26 B')).toBeVisible()
  })

  test('leaves no bot behind when the file cannot be deployed, and lists its problems', async () => {
    const page = await dashboard.open('owner')
    await chooseFiles(page, toFile('shop.yaml', uninstallable))
    await expect(page.getByLabel('Name')).toHaveValue('shop')
    await page.getByLabel('Name').fill('Broken')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const alert = page.getByRole('dialog').getByRole('alert')
    await expect(alert).toContainText('shop.yaml has 2 problems')
    await expect(alert.getByRole('listitem')).toContainText([
      'shop.yaml:5:3 /integrations/first integration "nobody@1.0.0" was not found',
      'shop.yaml:6:3 /integrations/second integration "nobody@2.0.0" was not found',
    ])
    await expect(page.getByLabel('Name')).toHaveValue('Broken')
    const { bots } = await dashboard.call('GET', '/v1/admin/bots')
    expect(bots.map(({ name }: { name: string }) => name)).not.toContain('Broken')
  })

  test('shows the problems of a document with their lines, and does not create it', async () => {
    const page = await dashboard.open('owner')
    await openFiles(page)
    const input = page.locator('input[type=file]').first()
    const code = 'const a = 1\n  const b = = 2\n'
    const wrong = yaml.replace('Hello from YAML', '"{{ workflow.nmae }} {{ user.nmae }}"')
    await input.setInputFiles([
      toFile('hello.yaml', declared + wrong),
      toFile('greet.ts', ''),
    ])
    const alert = page.getByRole('dialog').getByRole('alert')
    const create = page.getByRole('button', { name: 'Create', exact: true })
    await expect(alert).toContainText('hello.yaml has 2 problems')
    await expect(alert.getByRole('listitem').last()).toContainText(
      /hello.yaml:11:27 .* uses the variable "user.nmae", which is not declared. Did you mean name\?/,
    )
    expect(await findViolations(page)).toEqual([])
    await page.getByLabel('Name').fill('Wrong')
    await expect(create).toBeDisabled()
    await input.setInputFiles([toFile('hello.yaml', yaml), toFile('greet.ts', code)])
    await expect(alert.getByRole('listitem')).toHaveText([
      'code/greet.ts:2:13 Expression expected',
    ])
    await expect(create).toBeDisabled()
    await input.setInputFiles([
      toFile('hello.yaml', yaml),
      toFile('greet.ts', 'const a = 1'),
    ])
    await expect(alert).toHaveCount(0)
    await expect(create).toBeEnabled()
  })

  test.for([
    { files: [['bot.json', '{']], message: 'bot.json cannot be read' },
    { files: [['bot.json', '{\n  "a": 1,,\n}']], message: 'bot.json:2:10 Expected' },
    { files: [['hi.yaml', 'a: 1\nb: {']], message: 'hi.yaml:2:' },
    { files: [['bot.yaml', '- a']], message: 'bot.yaml is not a bot document' },
    {
      files: [
        ['a.cjs', ''],
        ['b.cjs', ''],
      ],
      message: 'There are several bots',
    },
    { files: [['readme.md', '']], message: 'There is no bot in these files' },
  ] as { files: [string, string][]; message: string }[])(
    'explains why it cannot read $message',
    async ({ files, message }) => {
      const page = await dashboard.open('owner')
      await chooseFiles(
        page,
        files.map(([name, text]) => toFile(name, text)),
      )
      await expect(page.getByRole('dialog').getByRole('alert')).toContainText(message)
      await expect(
        page.getByRole('button', { name: 'Create', exact: true }),
      ).toBeDisabled()
    },
  )

  test('exports a bot and creates another from its document, which names missing parts', async () => {
    const first = { name: 'First & only', code: 'exports.handler = () => {}' }
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', first)
    await dashboard.call('PUT', `/v1/admin/bots/${bot.id}`, {
      secrets: { WORD: 'secret' },
    })
    const page = await dashboard.open('owner')
    await page.goto(listSettings(bot.id))
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export bot' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('first-only.json')
    const document = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(document).toMatchObject({
      code: 'exports.handler = () => {}',
      secrets: ['WORD'],
    })

    await page.getByRole('link', { name: 'Bots', exact: true }).click()
    await chooseFiles(page, toFile('first-only.json', JSON.stringify(document)))
    await page.getByLabel('Name').fill('Copy')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Copy', level: 1 })).toBeVisible()
    await expect(page.getByText('Set these secrets in the settings: WORD.')).toBeVisible()
  })

  test('transfers a bot to a workspace of the account, or explains why it cannot', async () => {
    const { id: target } = await dashboard.call('POST', '/v1/admin/workspaces', {
      name: 'Target',
    })
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', { name: 'Mover' })
    const { integration } = await dashboard.call('POST', '/v1/admin/integrations', {
      name: 'own',
      version: '1.0.0',
      url: 'https://example.org/',
    })
    const own = { own: { integrationId: integration.id, enabled: false } }
    await dashboard.call('PUT', `/v1/admin/bots/${bot.id}`, { integrations: own })
    const page = await dashboard.open('owner')
    await page.goto(listSettings(bot.id))
    await page.getByRole('button', { name: 'Transfer' }).click()
    const dialog = page.getByRole('dialog')
    const transfer = dialog.getByRole('button', { name: 'Transfer' })
    await dialog.getByLabel('Type Mover to confirm').fill('Mover')
    await expect(transfer).toBeDisabled()
    await dialog.getByLabel('Workspace').click()
    await expect(
      page.getByRole('option', { name: 'Workspace', exact: true }),
    ).toHaveCount(0)
    await page.getByRole('option', { name: 'Target' }).click()
    await transfer.click()
    await expect(dialog.getByRole('alert')).toContainText('cannot install own')
    await dashboard.call('PUT', `/v1/admin/bots/${bot.id}`, {
      integrations: { own: null },
    })
    await transfer.click()
    await expect(page.getByText('The bot was transferred')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Mover' })).toHaveCount(0)
    await page.goto(`${dashboard.server.credentials.url}/w/${target}/bots`)
    await expect(page.getByRole('link', { name: 'Mover' })).toBeVisible()
  })

  test('finds a bot by a part of its name, and keeps the search in the address', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `Number ${index}`)
    for (const name of names) await dashboard.call('POST', '/v1/admin/bots', { name })
    const page = await dashboard.open('owner')
    await page.getByLabel('Search by name').fill('NUMBER 5')
    await expect(page.getByRole('link', { name: 'Echo bot' })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Number 5' })).toBeVisible()
    await expect(page).toHaveURL(/search=NUMBER/)
    await page.getByLabel('Search by name').fill('100%')
    await expect(page.getByText('No bot has this name')).toBeVisible()
  })

  test('offers the examples in a workspace without bots', async () => {
    const { id } = await dashboard.call('POST', '/v1/admin/workspaces', { name: 'Empty' })
    const page = await dashboard.open('owner')
    await page.goto(`${dashboard.server.credentials.url}/w/${id}/bots`)
    await expect(page.getByRole('heading', { name: 'No bots yet' })).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    await expect(page.getByRole('article').first()).toContainText('Questions and answers')
    await page.getByRole('button', { name: 'Create Greeting' }).click()
    await expect(page.getByRole('heading', { name: 'Greeting', level: 1 })).toBeVisible()
  })

  test('shows a viewer no control that the role may not use', async () => {
    const page = await dashboard.open('viewer')
    await expect(page.getByRole('link', { name: 'Echo bot' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create bot' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Echo bot' }).click()
    await page.getByRole('link', { name: 'General' }).click()
    await expect(page.getByRole('heading', { name: 'Secrets' })).toBeVisible()
    for (const name of [
      'Save',
      'Set secret',
      'Delete bot',
      'Transfer',
      'Create key',
      'Rotate',
    ])
      await expect(page.getByRole('button', { name, exact: true })).toHaveCount(0)
  })
})

const bundle = fileURLToPath(
  new URL('../../../../../examples/echo-bot/dist/bot.cjs', import.meta.url),
)
const appointments = fileURLToPath(
  new URL('../../../../../examples/appointment-bot', import.meta.url),
)

const yaml = `
kind: bot
version: 2
flows:
  main:
    nodes:
      start:
        type: start
        cards:
          - { type: code, code: { file: ./code/greet.ts } }
          - { type: send, message: Hello from YAML }
`

/** Its integrations are unknown to the server. */
const uninstallable = `
kind: bot
version: 2
integrations:
  first: { name: nobody, version: 1.0.0, enabled: true }
  second: { name: nobody, version: 2.0.0, enabled: true }
`

const declared = 'variables: { user: { name: { type: string } } }'

const toFile = (name: string, text: string) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
})

const listSettings = (botId: string) =>
  dashboard.botPage('/settings').replace(dashboard.server.credentials.botId!, botId)

async function openFiles(page: Page) {
  await page.getByRole('button', { name: 'Create bot' }).click()
  await page.getByText('Bot files', { exact: true }).click()
}

async function chooseFiles(
  page: Page,
  files: string | ReturnType<typeof toFile> | ReturnType<typeof toFile>[],
) {
  await openFiles(page)
  await page.locator('input[type=file]').first().setInputFiles(files)
}

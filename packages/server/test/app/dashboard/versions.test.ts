// Versions of a bot: deploy files, see which one runs, compare, roll back, rename, delete.
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  findViolations,
  phone,
  pressEnterOn,
  tabTo,
} from '../../support/dashboard.ts'

const getRow = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })

async function deployFile(
  page: Page,
  code: string,
  name: string,
  done = `${name} is deployed`,
) {
  await page.getByRole('button', { name: 'Deploy files' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .locator('input[type=file]')
    .first()
    .setInputFiles({
      name: 'bot.cjs',
      mimeType: 'text/javascript',
      buffer: Buffer.from(code),
    })
  await expect(dialog.getByLabel('Name')).toHaveValue('bot.cjs')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Deploy', exact: true }).click()
  await expect(page.getByText(done)).toBeVisible()
}

const readText = async (download: Download) => readFile(await download.path(), 'utf8')

async function answerTo(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
  await expect(page.locator('.own .bubble').last()).toHaveText(text)
  return page.getByRole('log').locator('.theirs .bubble').last()
}

describeDashboard('versions in the dashboard', () => {
  test('saves the current state, and marks it as running', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    // The server deployed it at its first start.
    await expect(getRow(page, 'Echo bot').getByText('#1')).toBeVisible()
    await page.getByRole('button', { name: 'Save current state' }).click()
    await page.getByLabel('Name').fill('Echoing')
    await page.keyboard.press('Enter')
    await expect(page.getByText('Echoing is saved')).toBeVisible()
    const row = getRow(page, 'Echoing')
    await expect(row.getByText('Running', { exact: true })).toBeVisible()
    await expect(row.getByText('#2')).toBeVisible()
    await expect(row.getByText('by owner@localhost')).toBeVisible()
    await expect(
      row.getByRole('button', { name: 'Roll back to this version' }),
    ).toHaveCount(0)
  })

  test('deploys a file as a version, compares the code, and rolls back to the saved one', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await deployFile(page, greetingBot, 'Greeting')
    await expect(
      getRow(page, 'Greeting').getByText('Running', { exact: true }),
    ).toBeVisible()
    // The state before it has a version already.
    await expect(page.getByText('Saved before deployment')).toHaveCount(0)
    await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
    await expect(await answerTo(page, 'Hi')).toHaveText('A new version')

    const saved = getRow(page, 'Echoing')
    await saved.getByRole('button', { name: 'Compare' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('listitem').filter({ hasText: 'code' })).toBeVisible()
    await expect(dialog.locator('.cm-mergeView')).toContainText('BP_API_URL')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByText('Contents', { exact: true }).click()
    await expect(dialog.getByRole('textbox', { name: 'Definition' })).toBeVisible()
    await dialog.getByText('Changes since the version before', { exact: true }).click()
    await expect(dialog.getByText(/They are equal|Changes since/).last()).toBeVisible()
    await page.keyboard.press('Escape')
    // Its name opens the code, and gets the focus back.
    const opener = getRow(page, 'Greeting').getByRole('button', {
      name: 'Greeting',
      exact: true,
    })
    await opener.click()
    await dialog.getByText('Code', { exact: true }).click()
    await expect(dialog.getByRole('textbox', { name: 'Code' })).toContainText(
      'A new version',
    )
    await page.keyboard.press('Escape')
    await expect(opener).toBeFocused()

    await saved.getByRole('button', { name: 'Roll back to this version' }).click()
    await expect(dialog).toContainText('Roll back to version #2 (Echoing)?')
    await expect(dialog.getByText('The current state is saved already')).toBeVisible()
    await expect(dialog.getByRole('listitem').filter({ hasText: 'code' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(
      page.getByText('The bot is rolled back to version #2 (Echoing)'),
    ).toBeVisible()
    await expect(saved.getByText('Running', { exact: true })).toBeVisible()
    await expect(await answerTo(page, 'Hi again')).toContainText('Hi again')
  })

  test('saves an unsaved state before a rollback', async () => {
    const { botId } = dashboard.server.credentials
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      configuration: { data: { a: 1 } },
    })
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    const row = getRow(page, 'Echoing')
    await expect(row.getByText('Running, changed since')).toBeVisible()
    await row.getByRole('button', { name: 'Roll back to this version' }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText('The current state is saved as a version first'),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(getRow(page, 'Saved before rollback')).toBeVisible()
    await expect(row.getByText('Running', { exact: true })).toBeVisible()
  })

  test('deploys a file and rolls back by keyboard', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await pressEnterOn(page.getByRole('button', { name: 'Deploy files' }))
    const dialog = page.getByRole('dialog')
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      pressEnterOn(dialog.getByRole('button', { name: 'Choose files' })),
    ])
    const buffer = Buffer.from(greetingBot)
    await chooser.setFiles({ name: 'bot.cjs', mimeType: 'text/javascript', buffer })
    const name = dialog.getByLabel('Name')
    await expect(name).toHaveValue('bot.cjs')
    await tabTo(name)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Enter')
    await expect(page.getByText('By keyboard is deployed')).toBeVisible()
    const row = getRow(page, 'Echoing')
    await pressEnterOn(row.getByRole('button', { name: 'Roll back to this version' }))
    await pressEnterOn(dialog.getByRole('button', { name: 'Roll back', exact: true }))
    await expect(
      page.getByText('The bot is rolled back to version #2 (Echoing)'),
    ).toBeVisible()
    await expect(row.getByText('Running', { exact: true })).toBeVisible()
  })

  test('warns of a misspelt property with its line, and deploys the document nevertheless', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(dashboard.botPage('/versions'))
    await page.getByRole('button', { name: 'Deploy files' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'shop.json',
        mimeType: 'text/plain',
        buffer: Buffer.from(misspelt),
      })
    const warning = dialog.getByRole('status')
    await expect(warning).toContainText('shop.json has a warning')
    await expect(warning.getByRole('listitem')).toHaveText(
      'shop.json:9:29 /flows/main/nodes/start/cards/0/message reads "user.name.lenght", but a ' +
        'variable of type "string" has no member "lenght". Did you mean length?',
    )
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Deploy', exact: true }).click()
    await expect(page.getByText('shop.json is deployed')).toBeVisible()
    await getRow(page, 'Echoing').getByRole('button', { name: 'Roll back' }).click()
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(
      getRow(page, 'Echoing').getByText('Running', { exact: true }),
    ).toBeVisible()
  })

  test('warns that the deployed code does not load, and offers the version before it', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(dashboard.botPage('/versions'))
    await deployFile(
      page,
      'console.log(1)',
      'Broken',
      'Broken is deployed, but does not load',
    )
    const row = getRow(page, 'Broken')
    await expect(row.getByText('Does not load', { exact: true })).toBeVisible()
    await expect(row.getByText('exports no function named "handler"')).toBeVisible()
    await expect(row).not.toContainText('The code does not load:')
    expect(await findViolations(page)).toEqual([])
    await row.getByRole('button', { name: 'Try again' }).click()
    await expect(row.getByText('deployed again')).toBeVisible()
    const top = async (part: Locator) => (await part.boundingBox())!.y
    const more = row.getByRole('button', { name: 'More actions for Broken' })
    const heading = row.getByText('Broken', { exact: true })
    expect(Math.abs((await top(more)) - (await top(heading)))).toBeLessThan(12)
    await row.getByRole('button', { name: /^Roll back to #\d+$/ }).click()
    await expect(page.getByRole('dialog')).toContainText(
      /Roll back to version #\d+ \(Echoing\)\?/,
    )
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Roll back', exact: true })
      .click()
    await expect(
      getRow(page, 'Echoing').getByText('Running', { exact: true }),
    ).toBeVisible()
    await expect(row.getByText('Does not load', { exact: true })).toBeVisible()
    for (const name of ['Try again', /^Roll back to #/])
      await expect(row.getByRole('button', { name })).toHaveCount(0)
  })

  test('lists integrations that a rollback removes, in words', async () => {
    const { botId } = dashboard.server.credentials
    const found = await dashboard.call('GET', '/v1/admin/hub/integrations/webchat/latest')
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      integrations: { [found.integration.id]: { enabled: true } },
    })
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    const row = getRow(page, 'Echoing')
    const top = async (name: string) =>
      (await row.getByRole('button', { name }).boundingBox())!.y
    expect(Math.abs((await top('Compare')) - (await top('More actions')))).toBeLessThan(4)
    await row.getByRole('button', { name: 'Roll back' }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText('Removes the integration webchat and its settings'),
    ).toBeVisible()
    await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
    await expect(
      page.getByText('The bot is rolled back to version #2 (Echoing)'),
    ).toBeVisible()
  })

  test('downloads a version with the names of bot and version, and example files', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await page.getByRole('button', { name: 'More actions for Echoing' }).click()
    const [version] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Download' }).click(),
    ])
    expect(version.suggestedFilename()).toBe('echo-bot-2.json')
    expect(await readText(version)).toMatch(/^\{\n {2}"/)
    await page.getByRole('button', { name: 'Deploy files' }).click()
    const [bundle] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /a bundle \(8\d\d(\.\d)? KB\)/ }).click(),
    ])
    expect(await readText(bundle)).toContain('handler')
  })

  test('renames and deletes a version by keyboard', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await page
      .getByRole('button', { name: 'More actions for Saved before rollback' })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Rename' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('With <b>more</b>')
    await page.getByLabel('Description').fill('A line of comment')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const row = getRow(page, 'With <b>more</b>')
    await expect(row.getByText('A line of comment')).toBeVisible()
    await row.getByRole('button', { name: /More actions/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(/Delete version #\d+ \(With <b>more<\/b>\)\?/)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await expect(row).toHaveCount(0)
    const running = page.getByRole('listitem').filter({ hasText: /Running/ })
    await running.getByRole('button', { name: /More actions/ }).click()
    await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toHaveCount(0)
  })

  test('compares in one column on a phone, with readable lines of minified code', async () => {
    const { botId } = dashboard.server.credentials
    const minified = `exports.handler=async()=>{${'f(1);'.repeat(100)}g(2)};function f(){}function g(){}`
    const put = (code: string) =>
      dashboard.call('PUT', `/v1/admin/bots/${botId}`, { code })
    await put(minified)
    await dashboard.call('POST', `/v1/admin/bots/${botId}/versions`, { name: 'Minified' })
    await put(minified.replace('g(2)', 'g(3)'))
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(dashboard.botPage('/versions'))
    await getRow(page, 'Minified').getByRole('button', { name: 'Compare' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.locator('.cm-deletedChunk')).toHaveText('g(2)}')
    await page.reload()
    await expect(dialog.locator('.cm-deletedChunk')).toHaveText('g(2)}')
    await expect(dialog.locator('.cm-changedLine')).toHaveText('g(3)}')
    expect(await findViolations(page)).toEqual([])
  })

  test('creates the declared knowledge bases and tables, and adds missing columns', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    const columnsAfter = async (name: string, columns: string[]) => {
      await page.getByRole('button', { name: 'Deploy files' }).click()
      const file = {
        name,
        mimeType: 'text/plain',
        buffer: Buffer.from(declaring(columns)),
      }
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type=file]').first().setInputFiles(file)
      await dialog.getByRole('button', { name: 'Deploy', exact: true }).click()
      await expect(page.getByText(`${name} is deployed`)).toBeVisible()
      const { table } = await dashboard.call('GET', '/v1/tables/OrdersTable')
      return Object.keys(table.schema.properties).sort()
    }
    expect(await columnsAfter('first.json', ['item'])).toEqual(['item'])
    // A removed column stays.
    expect(await columnsAfter('second.json', ['status'])).toEqual(['item', 'status'])
    const { knowledgeBases } = await dashboard.call('GET', '/v1/files/knowledge-bases')
    expect(knowledgeBases.map(({ name }: { name: string }) => name)).toEqual([
      'Questions',
    ])
  })

  test('shows a viewer no control that the role may not use', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/versions'))
    await getRow(page, 'Greeting')
      .getByRole('button', { name: /More actions/ })
      .click()
    await expect(page.getByRole('menuitem', { name: 'Download' })).toBeVisible()
    for (const name of ['Rename', 'Delete'])
      await expect(page.getByRole('menuitem', { name })).toHaveCount(0)
    for (const name of [
      'Roll back to this version',
      'Save current state',
      'Deploy files',
    ])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
  })
})

const misspelt = `{
  "kind": "bot",
  "version": 2,
  "variables": { "user": { "name": { "type": "string" } } },
  "flows": {
    "main": {
      "nodes": {
        "start": { "type": "start", "cards": [
          { "type": "send", "message": "{{ user.name.lenght }}" }
        ] }
      }
    }
  }
}`

/** Returns a document with a table of these columns, and a knowledge base. */
const declaring = (columns: string[]) =>
  JSON.stringify({
    kind: 'bot',
    version: 2,
    knowledgeBases: { faq: { name: 'Questions' } },
    tables: {
      OrdersTable: {
        schema: {
          type: 'object',
          properties: Object.fromEntries(
            columns.map((name) => [name, { type: 'string' }]),
          ),
        },
      },
    },
    flows: { main: { nodes: { start: { type: 'start' } } } },
  })

/** A bot without libraries that answers each message. */
const greetingBot = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
exports.handler = async ({ headers, body }) => {
  if (headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(body)
  if (event.type !== 'message_created') return { status: 200 }
  await fetch(BP_API_URL + '/v1/chat/messages', {
    method: 'POST',
    headers: {
      authorization: 'Bearer ' + BP_TOKEN,
      'x-bot-id': BP_BOT_ID,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      conversationId: event.conversationId,
      userId: BP_BOT_ID,
      type: 'text',
      tags: {},
      payload: { text: 'A new version' },
    }),
  })
  return { status: 200 }
}`

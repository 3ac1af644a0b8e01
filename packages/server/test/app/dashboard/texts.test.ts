// The page of texts: a bot is translated in the browser, exported, imported, and tried in a language.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'
import { begin } from '../../support/studio.ts'

const bot = {
  kind: 'bot',
  version: 2,
  variables: { user: { name: { type: 'string' } } },
  flows: {
    main: {
      variables: { color: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'send', message: 'Hello {{ user.name }}!' },
            {
              type: 'capture',
              kind: 'singleChoice',
              question: 'Which colour?',
              options: [
                { label: 'Red', value: 'red' },
                { label: 'Blue', value: 'blue' },
              ],
              into: 'workflow.color',
            },
          ],
        },
      },
    },
  },
}

async function openTexts(page: Page) {
  await page.goto(dashboard.botPage('/flows?part=texts'))
  await expect(page.getByRole('table', { name: 'Texts of the bot' })).toBeVisible()
}

const field = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true })
const saved = (page: Page) =>
  expect(page.getByText('Saved', { exact: true })).toBeVisible()
const readDraft = async () => {
  const { botId } = dashboard.server.credentials
  const { draft } = await dashboard.call('GET', `/v1/platform/bots/${botId}/draft`)
  return JSON.parse(draft.text)
}
const hello = 'Main flow, start, Message'
const ask = 'Main flow, start, Ask for'

describeDashboard('problems of texts', () => {
  test('leads from the warning of a language to its missing texts', async () => {
    await begin({
      ...bot,
      languages: { default: 'en', translations: { de: {}, fr: {} } },
    })
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/flows'))
    await page.getByRole('button', { name: '2 warnings' }).click()
    const warning = page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: 'German' })
    await expect(warning).toContainText('people with this language read the original')
    await warning.getByRole('button', { name: 'Texts · German' }).click()
    await expect(page.getByRole('combobox', { name: 'Languages' })).toHaveValue('German')
    await expect(page.getByRole('combobox', { name: 'Show' })).toHaveValue(
      'Not translated',
    )
    await expect(field(page, `German text in ${hello}`)).toBeVisible()
    await expect(field(page, `French text in ${hello}`)).toHaveCount(0)
  })

  test('chooses the time zone of the bot from a searched list', async () => {
    await begin({ ...bot, settings: { defaults: { timezone: 'UTC' } } })
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/flows?part=settings'))
    const zone = page.getByRole('combobox', { name: 'Time zone' })
    await expect(zone).toHaveValue('UTC')
    await zone.fill('zurich')
    await page.getByRole('option', { name: 'Europe/Zurich' }).click()
    await saved(page)
    expect((await readDraft()).settings).toEqual({
      defaults: { timezone: 'Europe/Zurich' },
    })
  })
})

describeDashboard('texts in the dashboard', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'botstead-texts-'))
    const { botId } = dashboard.server.credentials
    await dashboard.call('POST', `/v1/admin/bots/${botId}/publish-from-bot-json`, {
      botJson: bot,
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('adds a language by its name, translates texts, and counts the missing ones', async () => {
    const page = await dashboard.open('owner')
    await openTexts(page)
    await page.getByRole('button', { name: 'Add language' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New language').fill('portuguese (br')
    await page.getByRole('option', { name: 'Portuguese (Brazil)' }).click()
    await dialog.getByRole('button', { name: 'Add language' }).click()
    const header = page.getByRole('columnheader', { name: /^Portuguese/ })
    await expect(header).toContainText('4 missing')
    await field(page, `Portuguese (Brazil) text in ${hello}`).fill('Olá {{ user.name }}!')
    await expect(header).toContainText('3 missing')
    await saved(page)
    const { languages, flows } = await readDraft()
    const { textKey } = flows.main.nodes.start.cards[0]
    expect(languages).toEqual({
      default: 'en',
      translations: {
        'pt-BR': {
          [`${textKey}/message`]: {
            text: 'Olá {{ user.name }}!',
            original: 'Hello {{ user.name }}!',
          },
        },
      },
    })
    // A lost variable is shown at the text.
    await field(page, `Portuguese (Brazil) text in ${hello}`).fill('Olá!')
    await expect(
      page.getByText('has no {{ user.name }}, which the original has'),
    ).toBeVisible()
    await field(page, `Portuguese (Brazil) text in ${hello}`).fill('Olá {{ user.name }}!')
  })

  test('marks a changed original, by keyboard, until it is confirmed', async () => {
    const page = await dashboard.open('owner')
    await openTexts(page)
    const original = field(page, `Text in ${hello}`)
    await original.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Hi {{ user.name }}!')
    const header = page.getByRole('columnheader', { name: /^Portuguese/ })
    await expect(header).toContainText('1 to be checked')
    await page.getByRole('combobox', { name: 'Show', exact: true }).click()
    await page.getByRole('option', { name: 'To be checked' }).click()
    await expect(field(page, `Text in ${ask}`)).toHaveCount(0)
    const confirm = page.getByRole('button', { name: /^Still right: Portuguese/ })
    await pressEnterOn(confirm)
    await expect(header).not.toContainText('to be checked')
    await saved(page)
    const [entry] = Object.values((await readDraft()).languages.translations['pt-BR'])
    expect(entry).toMatchObject({ original: 'Hi {{ user.name }}!' })
  })

  test('exports a file, and lists what an import changes before it applies', async () => {
    const page = await dashboard.open('owner')
    await openTexts(page)
    for (const [item, name] of [
      ['All languages for a spreadsheet (CSV)', 'texts.csv'],
      ['Portuguese (Brazil) for translators (XLIFF 1.2)', 'texts-pt-BR.xlf'],
    ] as const) {
      await page.getByRole('button', { name: 'Export' }).click()
      const download = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: item }).click()
      await (await download).saveAs(join(folder, name))
    }
    await saved(page)
    const csv = readFileSync(join(folder, 'texts.csv'), 'utf8')
    expect(csv).toContain('"Which colour?",""')
    const translated = csv
      .replace('"Which colour?",""', '"Which colour?","Que cor?"')
      .replace('"Red",""', '"Rose","Rosa"')
    writeFileSync(
      join(folder, 'back.csv'),
      `${translated}"gone/message","","Gone","Foi"\r\n`,
    )
    await page.getByRole('button', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog')
    const choose = (name: string) =>
      dialog.locator('input[type=file]').setInputFiles(join(folder, name))
    await choose('back.csv')
    await dialog.getByRole('button', { name: 'Show the changes' }).click()
    await expect(dialog.getByText('Que cor?')).toBeVisible()
    await expect(dialog.getByText('The original has changed since')).toBeVisible()
    await expect(dialog.getByText('gone/message: Foi')).toBeVisible()
    expect(JSON.stringify(await readDraft())).not.toContain('Que cor?')
    await dialog.getByRole('button', { name: 'Apply 2 changes' }).click()
    await expect(field(page, `Portuguese (Brazil) text in ${ask}`).first()).toHaveValue(
      'Que cor?',
    )
    await saved(page)
    const xliff = readFileSync(join(folder, 'texts-pt-BR.xlf'), 'utf8')
    writeFileSync(join(folder, 'wrong.xlf'), xliff.slice(0, -20))
    await page.getByRole('button', { name: 'Import' }).click()
    await choose('wrong.xlf')
    await dialog.getByRole('button', { name: 'Show the changes' }).click()
    await expect(dialog.getByRole('alert')).toContainText('it is incomplete')
  })

  test('tries the draft in a language', async () => {
    const page = await dashboard.open('owner')
    await openTexts(page)
    await page.getByRole('button', { name: 'Try the bot in Portuguese (Brazil)' }).click()
    const emulator = page.locator('[data-emulator]')
    await emulator.getByRole('textbox').fill('oi')
    await page.keyboard.press('Enter')
    await expect(emulator.getByRole('log').getByText('Que cor?')).toBeVisible()
    await expect(emulator.getByRole('log').getByText('Olá !')).toBeVisible()
  })

  test('an editor of texts translates, and sees nothing else of the flows', async () => {
    const page = await dashboard.open('editor')
    await page.goto(dashboard.botPage('/flows'))
    await expect(page.getByRole('heading', { name: 'Texts', level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
    const blue = page
      .getByRole('textbox', { name: `Portuguese (Brazil) text in ${ask}`, exact: true })
      .last()
    await blue.fill('Azul')
    await saved(page)
    await expect(blue).toHaveValue('Azul')
    expect(JSON.stringify(await readDraft())).toContain('"Azul"')
    await field(page, `Portuguese (Brazil) text in ${hello}`).fill(
      'Olá {{ env.secret }}!',
    )
    await expect(page.getByText('which the original does not have')).toBeVisible()
    await expect(field(page, `Portuguese (Brazil) text in ${hello}`)).toHaveValue(
      'Olá {{ user.name }}!',
    )
    await expectAccessibleLooks(page, 'texts of an editor')
  })

  test('is accessible with languages and dialogs', async () => {
    const page = await dashboard.open('owner')
    await openTexts(page)
    await expectAccessibleLooks(page, 'texts')
    await page.getByRole('button', { name: 'Add language' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleLooks(page, 'add a language')
    await page.keyboard.press('Escape')
    await page.setViewportSize(phone)
    await page.getByRole('button', { name: 'Import' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectAccessibleLooks(page, 'import')
  })
})

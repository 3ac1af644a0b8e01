// Curated answers and unanswered questions in the dashboard: from a missed question to its answer, the
// fields of an answer, CSV, and the search that names the answer.
import { readFileSync } from 'node:fs'
import { parseKnowledgeChecks } from '@botstead/flows/knowledge-checks'
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  findViolations,
} from '../../support/dashboard.ts'

const answersPath = '/v1/platform/curated-answers'

describeDashboard('answers in the dashboard', () => {
  let talker: Awaited<ReturnType<typeof dashboard.converse>>
  beforeAll(async () => {
    talker = await dashboard.converse('Ana')
  })

  /** The bot says that it cannot answer the question. */
  async function miss(question: string) {
    const { botId } = dashboard.server.credentials
    await dashboard.call('POST', '/v1/chat/messages', {
      conversationId: talker.conversationId,
      userId: botId,
      type: 'text',
      payload: { text: 'I do not know that.', metadata: { unanswered: true, question } },
      tags: {},
    })
  }
  const rows = (page: Page, name: string) =>
    page.getByRole('region', { name }).getByRole('listitem')

  test('a missed question is mended in three clicks, and stays mended', async () => {
    for (const question of [
      'Do you deliver on Sundays?',
      'do you deliver on a sunday',
      'asdf qwer',
    ])
      await miss(question)
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge'))
    await page.getByRole('link', { name: 'Unanswered' }).click()
    const missed = rows(page, 'Unanswered')
    await expect(missed).toHaveCount(2)
    await expect(missed.first()).toContainText('do you deliver on a sunday')
    await expect(missed.first()).toContainText('2 times')
    await expectAccessible(page)
    await missed.first().getByRole('button', { name: 'Add an answer to' }).click()
    const dialog = page.getByRole('dialog', { name: 'New answer' })
    await expect(dialog.getByLabel('Questions')).toHaveValue(
      'do you deliver on a sunday\nDo you deliver on Sundays?',
    )
    await expect(dialog.getByLabel('Answer', { exact: true })).toBeFocused()
    await page.keyboard.type('No, from Monday to Saturday.')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(missed).toHaveCount(1)
    await miss('Do you deliver on Sundays?')
    await page.reload()
    await expect(missed).toHaveCount(1)
    await missed.first().getByRole('button', { name: 'More for' }).click()
    await page.getByRole('menuitem', { name: 'Not a question' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing to fix' })).toBeVisible()
  })

  test('shows new questions, best passages and requests by e-mail, without a reload', async () => {
    const text = `${'The harbour has a lighthouse. '.repeat(20)}It was built in 1907.`
    const { file } = await dashboard.call('PUT', '/v1/files', {
      key: 'harbour.txt',
      contentType: 'text/plain',
      size: text.length,
      index: true,
    })
    const headers = { 'content-type': 'text/plain' }
    await fetch(file.uploadUrl, { method: 'PUT', headers, body: text })
    await expect
      .poll(async () => (await dashboard.call('GET', `/v1/files/${file.id}`)).file.status)
      .toBe('indexing_completed')
    await dashboard.call('POST', '/v1/tables', {
      name: 'OpenQuestionsTable',
      schema: { question: { type: 'string' }, email: { type: 'string' } },
    })
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/unanswered'))
    await expect(page.getByRole('heading', { name: 'Nothing to fix' })).toBeVisible()
    const question = 'Which lighthouse keeper sells painted postcards?'
    await dashboard.call('POST', '/v1/tables/OpenQuestionsTable/rows', {
      rows: [{ question, email: 'ana@example.org' }],
    })
    await miss(question)
    const row = rows(page, 'Unanswered')
    await expect(row).toContainText(question)
    await expect(row).toContainText(/0\.\d+, needs 0\.35/)
    await expect(row).toContainText('asked for an answer by e-mail: ana@example.org')
    await expect(row.getByRole('link', { name: 'ana@example.org' })).toHaveAttribute(
      'href',
      /^mailto:ana%40example\.org\?subject=Which/,
    )
    await expectAccessible(page)
    await row.getByRole('button', { name: 'The harbour has a lighthouse.' }).click()
    const dialog = page.getByRole('dialog', { name: 'Best passage' })
    await expect(dialog).toContainText('It was built in 1907.')
    expect(await findViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Use this passage' }).click()
    const form = page.getByRole('dialog', { name: 'New answer' })
    await expect(form.getByLabel('Answer', { exact: true })).toHaveValue(
      /built in 1907\.$/,
    )
    await expect(form.getByLabel('Questions')).toHaveValue(question)
    await expect(
      form.getByText('The same question in other words needs another'),
    ).toBeVisible()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(row).toContainText('Is answered now')
    await row.getByRole('button', { name: 'More for' }).click()
    await page.getByRole('menuitem', { name: 'Mark the e-mail as answered' }).click()
    await expect(page.getByRole('heading', { name: 'Nothing to fix' })).toBeVisible()
    const { rows: left } = await dashboard.call(
      'POST',
      '/v1/tables/OpenQuestionsTable/rows/find',
      {},
    )
    expect(left).toEqual([])
  })

  test('a bad rating in the emulator leads to the list', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage())
    await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
    await page.getByLabel('Your message').fill('Is the tower open at night?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Bad answer' }).click()
    await expect(page.getByRole('button', { name: 'Bad answer' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
    await page.getByRole('log').getByRole('link', { name: 'Unanswered' }).click()
    const row = rows(page, 'Unanswered').filter({
      hasText: 'Is the tower open at night?',
    })
    await expect(row).toContainText('1 rated badly')
    await page.reload()
    await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
    const bad = page.getByRole('button', { name: 'Bad answer' })
    await expect(bad).toHaveAttribute('aria-pressed', 'true')
    await expectAccessible(page)
    await bad.click()
    await expect(bad).toHaveAttribute('aria-pressed', 'false')
    await expect(row).toHaveCount(0)
  })

  test('leads from a missed question to its conversation and to new documents', async () => {
    await miss('Where is the moon?')
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/unanswered'))
    const menu = page.getByRole('button', { name: 'More for “Where is the moon?”' })
    await menu.click()
    await page.getByRole('menuitem', { name: 'Add a document' }).click()
    await expect(page.getByRole('dialog', { name: 'Add files' })).toBeVisible()
    await page.keyboard.press('Escape')
    await menu.click()
    await page.getByRole('menuitem', { name: 'Open the conversation' }).click()
    await expect(page).toHaveURL(new RegExp(`/conversations/${talker.conversationId}`))
  })

  test('writes, finds, changes and deletes an answer by keyboard', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/answers'))
    await page.getByRole('button', { name: 'New answer' }).first().focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New answer' })
    await expect(dialog.getByLabel('Questions')).toBeFocused()
    await page.keyboard.type('When are you open?')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Opening hours')
    await page.keyboard.press('Tab')
    await page.keyboard.type('From 9 to 5.')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await dialog
      .getByLabel('Buttons below the answer')
      .fill('Where?\nOrder = I want to order')
    await dialog.getByLabel('Address of a picture').fill('ftp://example.org')
    await dialog.getByLabel('First day').fill('2026-02-01')
    await dialog.getByLabel('Last day').fill('2026-01-01')
    await expect(dialog.getByText('The last day is before the first.')).toBeVisible()
    await dialog.getByLabel('Last day').fill('2999-01-01')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('must begin with https://')
    await dialog.getByLabel('Address of a picture').fill('https://example.org/a.png')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const { curatedAnswers } = await dashboard.call(
      'GET',
      `${answersPath}?search=opening`,
    )
    expect(curatedAnswers).toMatchObject([
      {
        questions: ['When are you open?', 'Opening hours'],
        text: 'From 9 to 5.',
        buttons: [{ label: 'Where?' }, { label: 'Order', value: 'I want to order' }],
        imageUrl: 'https://example.org/a.png',
      },
    ])
    await page.getByLabel('Search').fill('hours')
    await expect(rows(page, 'Answers')).toHaveCount(1)
    await page.getByRole('button', { name: 'When are you open?', exact: true }).click()
    const form = page.getByRole('dialog', { name: 'Change the answer' })
    await expect(form.getByLabel('Last day')).toHaveValue('2999-01-01')
    await form.getByLabel('Answer', { exact: true }).fill('Always.')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(rows(page, 'Answers')).toContainText('Always.')

    await page.goto(dashboard.botPage('/knowledge/search?q=when%20is%20it%20open'))
    const found = page.getByRole('region', { name: 'The bot sends an answer of yours' })
    await expect(found).toContainText('Always.')
    await found.getByRole('link', { name: 'Answers' }).click()
    await page.getByRole('button', { name: 'Actions: When are you open?' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await expect(page.getByRole('heading', { name: 'No answers match' })).toBeVisible()
  })

  test('imports CSV and shows the rows that it rejects; exports it', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/answers'))
    await page.getByRole('button', { name: 'Import from CSV' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import from CSV' })
    await dialog.locator('input[type="file"]').setInputFiles({
      name: 'faq.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('question,answer\nIs there tea?,At four\n,Nothing'),
    })
    await dialog.getByRole('button', { name: 'Import from CSV' }).click()
    await expect(dialog.getByRole('status')).toContainText(
      '1 added, 0 changed, 0 unchanged.',
    )
    await expect(dialog.getByRole('status')).toContainText('Line 3: `questions` is empty')
    expect(await findViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).click()
    expect((await download).suggestedFilename()).toBe('answers.csv')
  })

  test('readers see answers, and cannot change them', async () => {
    await dashboard.call('POST', answersPath, {
      questions: ['Is there coffee?'],
      text: 'At three',
    })
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/knowledge/answers'))
    await expect(page.getByText('Is there coffee?')).toBeVisible()
    await expect(page.getByRole('button', { name: 'New answer' })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Import from CSV' })).toHaveCount(0)
    await miss('Is there cake?')
    await page.goto(dashboard.botPage('/knowledge/unanswered'))
    await expect(page.getByText('Is there cake?')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Add an answer' })).toHaveCount(0)
  })

  test('saves the answer of a person in the inbox as the answer to the question before it', async () => {
    const visitor = await dashboard.converse('Ben')
    await visitor.say('Hello')
    await visitor.say('Do you repair watches?')
    const body = {
      conversationId: visitor.conversationId,
      reason: 'watches',
      summary: 'A watch',
    }
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', body)
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage(`/inbox/${handoff.id}`))
    await page.getByRole('button', { name: 'Take', exact: true }).click()
    const named = page.getByRole('dialog', { name: 'Your name in the chat' })
    await named.getByRole('button', { name: 'Take', exact: true }).click()
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Yes, within a week.')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save as answer' }).click()
    const dialog = page.getByRole('dialog', { name: 'New answer' })
    await expect(dialog.getByLabel('Questions')).toHaveValue('Do you repair watches?')
    await expect(dialog.getByLabel('Answer', { exact: true })).toHaveValue(
      'Yes, within a week.',
    )
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toHaveCount(0)
    const found = await dashboard.call('POST', `${answersPath}/find`, {
      question: 'do you repair a watch',
    })
    expect(found.match).toMatchObject({ text: 'Yes, within a week.', kind: 'words' })
  })

  test('runs the check, and shows what got better', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/checks'))
    await page.getByRole('button', { name: 'Add a question' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a question' })
    await page.keyboard.type('Is there a garden?')
    await dialog.getByLabel('Part of the answer').fill('behind the house')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(dialog).toHaveCount(0)
    const row = rows(page, 'Checks')
    await expect(row).toContainText('Not run yet')
    await expect(row).toContainText('Expected: “behind the house”')
    await page.getByRole('button', { name: 'Run the check' }).click()
    await expect(row).toContainText('Wrong')
    await expect(row).toContainText('Nothing')
    await expect(page.getByText('0 of 1 question right.', { exact: true })).toBeVisible()
    const answer = { questions: ['Is there a garden?'], text: 'Yes, behind the house.' }
    await dashboard.call('POST', answersPath, answer)
    await page.getByRole('button', { name: 'Run the check' }).click()
    await expect(page.getByText('1 of 1 question right')).toBeVisible()
    await expect(row).toContainText('Better than before')
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Edit “Is there a garden?”' }).click()
    await page.getByLabel('Part of the answer').fill('on the roof')
    await page.keyboard.press('Enter')
    await expect(row).toContainText('Not run yet')
    await expect(row).toContainText('Expected: “on the roof”')
    await page.getByRole('button', { name: 'Delete “Is there a garden?”' }).click()
    await expect(
      page.getByRole('heading', { name: 'No questions to check yet' }),
    ).toBeVisible()
  })

  test('imports the checks of a file, and exports them', async () => {
    const page = await dashboard.open('developer')
    await page.goto(dashboard.botPage('/knowledge/checks'))
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Import' })
    const load = async (text: string) => {
      const buffer = Buffer.from(text)
      const file = { name: 'checks.yaml', mimeType: 'application/yaml', buffer }
      await dialog.locator('input[type=file]').setInputFiles(file)
      await dialog.getByRole('button', { name: 'Import', exact: true }).click()
    }
    await load('knowledgeChecks:\n  - question: a\n    expected: b\n')
    await expect(dialog).toContainText(
      'checks.yaml, line 3: "expected" is not a known field',
    )
    await expectAccessible(page)
    const first = { question: 'Is there a pool?', expectedText: '24.90' }
    const second = {
      question: 'Is there a lift?',
      expectedFile: 'house.md',
      expectedText: 'yes',
    }
    const text = `knowledgeChecks:
  - { question: Is there a pool?, expectedText: 24.90 }
  - { question: Is there a lift?, expectedFile: house.md, expectedText: yes }
`
    await load(text)
    await expect(dialog.getByRole('status')).toHaveText('2 added, 0 unchanged.')
    await load(text)
    await expect(dialog.getByRole('status')).toHaveText('0 added, 2 unchanged.')
    await page.keyboard.press('Escape')
    await expect(rows(page, 'Checks')).toHaveCount(2)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    expect((await download).suggestedFilename()).toBe('knowledge.yaml')
    const exported = readFileSync(await (await download).path(), 'utf8')
    const checks = parseKnowledgeChecks(exported).map(({ line: _, ...check }) => check)
    expect(checks).toEqual([first, second])
    expect(await findViolations(page)).toEqual([])
    const viewer = await dashboard.open('viewer')
    await viewer.goto(dashboard.botPage('/knowledge/checks'))
    await expect(
      viewer.getByRole('button', { name: 'Export', exact: true }),
    ).toBeVisible()
    await expect(viewer.getByRole('button', { name: 'Import', exact: true })).toHaveCount(
      0,
    )
  })
})

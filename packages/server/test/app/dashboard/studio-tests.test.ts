// Tests of a bot in the page Flows: recorded from a conversation, run, broken, renamed and deleted.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { beforeEach, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'
import {
  begin,
  deploy,
  field,
  node,
  openFlows,
  panel,
  readDraft,
  saved,
} from '../../support/studio.ts'

const document = {
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      variables: { name: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'transition', when: 'event.preview === "help"', to: 'help' },
            {
              type: 'capture',
              kind: 'text',
              question: 'Who are you?',
              into: 'workflow.name',
            },
          ],
          next: 'greet',
        },
        greet: {
          type: 'standard',
          cards: [{ type: 'send', message: 'Hello {{ workflow.name }}!' }],
        },
        help: { type: 'standard', cards: [{ type: 'send', message: 'Ask me.' }] },
      },
    },
  },
}
const steps = [
  { user: 'hi' },
  { bot: 'Who are you?' },
  { user: 'Ana' },
  { bot: 'Hello Ana!' },
]
const helps = { steps: [{ user: 'help' }, { bot: 'Ask me.' }] }

const stored = async () => JSON.parse((await readDraft()).text)
const tests = (page: Page) => page.getByRole('complementary', { name: 'Tests' })
const testNamed = (page: Page, name: string) =>
  tests(page).getByRole('listitem', { name, exact: true })
const untested = (page: Page) => page.getByRole('group', { name: /no test$/ })

async function openTests(page: Page) {
  await pressEnterOn(page.getByRole('button', { name: 'Tests', exact: true }))
  await expect(tests(page)).toBeVisible()
}

async function runAll(page: Page, result: string) {
  await pressEnterOn(tests(page).getByRole('button', { name: 'Run all' }))
  await expect(tests(page).getByRole('status').filter({ hasText: result })).toBeVisible()
}

async function choose(page: Page, name: string, action: string) {
  await pressEnterOn(
    testNamed(page, name).getByRole('button', { name: `Actions of ${name}` }),
  )
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

describeDashboard('tests in the page Flows', () => {
  beforeEach(() => begin(document))

  test('records a conversation, runs it, and shows the line that a new sentence breaks', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await page.getByRole('button', { name: 'Try the draft' }).click()
    const emulator = page.getByRole('complementary', { name: 'Try the draft' })
    for (const { user, bot } of [
      { user: 'hi', bot: 'Who are you?' },
      { user: 'Ana', bot: 'Hello Ana!' },
    ]) {
      await emulator.getByRole('textbox').fill(user)
      await emulator.getByRole('textbox').press('Enter')
      await expect(emulator.getByText(bot)).toBeVisible()
    }
    const save = emulator.getByRole('button', { name: 'Save the conversation as a test' })
    await save.click()
    const name = page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Name of the test' })
    await expect(name).toBeFocused()
    await expect(name).toHaveValue('hi')
    await name.press('Enter')
    await expect(page.getByText('The draft has the test “hi”')).toBeVisible()
    await saved(page)
    expect((await stored()).tests).toEqual({
      hi: { now: expect.stringMatching(/Z$/), steps },
    })

    await save.click()
    await expect(name).toHaveValue('hi 2')
    await name.fill(' hi ')
    await expect(page.getByText('Another test has this name.')).toBeVisible()
    await expect(
      page.getByRole('dialog').getByRole('button', { name: 'Save' }),
    ).toBeDisabled()
    await expectAccessible(page, 'dialog')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('dialog')
        .getByRole('button', { name: 'Download a file instead' })
        .click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toMatch(
      /^name: "hi 2"\nnow: \S+Z\nsteps:\n {2}- user: "hi"/,
    )

    await openTests(page)
    await runAll(page, '1 of 1 test passed')
    await expect(tests(page).getByText('1 of 3 steps has no test')).toBeVisible()
    await expect(untested(page)).toHaveCount(1)
    await expect(node(page, 'help').getByText('no test')).toBeVisible()

    await node(page, 'greet')
      .getByRole('button', { name: /^Message/ })
      .click()
    await field(page, 'Message').fill('Good day, {{ workflow.name }}!')
    await expect(
      testNamed(page, 'hi').getByText('Passed before the last change'),
    ).toBeVisible()
    await panel(page).getByRole('button', { name: 'Close' }).click()
    await pressEnterOn(testNamed(page, 'hi').getByRole('button', { name: 'Run hi' }))
    const failed = testNamed(page, 'hi')
    await expect(failed.getByText('Failed', { exact: true })).toBeVisible()
    await expect(failed.getByText('Line 4: Bot: Hello Ana!')).toBeVisible()
    await expect(failed.getByText('Good day, Ana!', { exact: true })).toBeVisible()
    await expectAccessibleLooks(page, 'failed')
    await failed.getByRole('button', { name: 'Main flow · greet · Message 1' }).click()
    await expect(field(page, 'Message')).toHaveValue('Good day, {{ workflow.name }}!')
  })

  test('marks steps without a test in the list, and not when that is switched off', async () => {
    await deploy({ ...document, tests: { Greets: { steps } } })
    const page = await dashboard.open('owner')
    await page.setViewportSize(phone)
    await openFlows(page)
    await openTests(page)
    await runAll(page, '1 of 1 test passed')
    await tests(page).getByText('Steps without a test').click()
    await tests(page).getByRole('button', { name: 'Main flow · help' }).click()
    await expect(tests(page)).toHaveCount(0)
    await panel(page).getByRole('button', { name: 'Close' }).click()
    const help = page.getByRole('listitem').filter({ hasText: 'Ask me.' })
    await expect(help.getByText('no test')).toBeVisible()
    await expect(page.getByText('no test', { exact: true })).toHaveCount(1)
    await openTests(page)
    await tests(page)
      .getByRole('checkbox', { name: 'Mark them in the flows' })
      .press('Space')
    await tests(page).getByRole('button', { name: 'Close the tests' }).click()
    await expect(page.getByText('no test', { exact: true })).toHaveCount(0)
  })

  test('renames and deletes tests by keyboard, which Undo takes back', async () => {
    await deploy({ ...document, tests: { Greets: { steps }, Helps: helps } })
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openTests(page)
    await runAll(page, '2 of 2 tests passed')
    await expect(untested(page)).toHaveCount(0)
    await expect(tests(page).getByText('Each step has a test')).toBeVisible()
    await choose(page, 'Greets', 'Rename')
    const name = page
      .getByRole('dialog')
      .getByRole('textbox', { name: 'Name of the test' })
    await expect(name).toBeFocused()
    await name.fill('Greets by name')
    await name.press('Enter')
    await expect(
      testNamed(page, 'Greets by name').getByText('Passed', { exact: true }),
    ).toBeVisible()
    const actions = testNamed(page, 'Greets by name').getByRole('button', {
      name: /^Actions/,
    })
    await expect(actions).toBeFocused()
    await saved(page)
    expect(Object.keys((await stored()).tests)).toEqual(['Greets by name', 'Helps'])
    await choose(page, 'Helps', 'Delete')
    await expect(testNamed(page, 'Helps')).toHaveCount(0)
    await expect(untested(page)).toHaveCount(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(
      testNamed(page, 'Helps').getByText('Passed', { exact: true }),
    ).toBeVisible()
    await saved(page)
    expect((await stored()).tests.Helps).toEqual(helps)
  })

  test('explains why tests cannot run, and keeps their results', async () => {
    await deploy({ ...document, tests: { Greets: { steps } } })
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openTests(page)
    await runAll(page, '1 of 1 test passed')
    await node(page, 'start').getByRole('button', { name: /^If/ }).press('Enter')
    await field(page, 'If').fill('event.preview ===')
    await pressEnterOn(tests(page).getByRole('button', { name: 'Run all' }))
    const alert = tests(page).getByRole('alert')
    await expect(alert).toContainText('The draft cannot be tested: correct its problems')
    await expect(alert).toContainText('Main flow · Start · If 1 · If')
    await expect(
      testNamed(page, 'Greets').getByText('Passed before the last change'),
    ).toBeVisible()
  })

  test('saves the conversation of a person as a test; of a bot of code, as a file', async () => {
    const talker = await dashboard.converse('Ben')
    for (const [text, answer] of [
      ['help', 'Ask me.'],
      ['hello there', 'Who are you?'],
    ] as const) {
      await talker.say(text)
      await expect.poll(() => talker.texts()).toContain(answer)
    }
    const page = await dashboard.open('owner')
    const saveAsTest = async () => {
      await page.goto(dashboard.botPage(`/conversations/${talker.conversationId}`))
      await page.getByRole('button', { name: 'Export' }).click()
      await page.getByRole('menuitem', { name: 'Save as a test' }).click()
    }
    await saveAsTest()
    const dialog = page.getByRole('dialog', { name: 'Save the conversation as a test' })
    await expect(dialog.getByRole('textbox', { name: 'Name of the test' })).toHaveValue(
      'help',
    )
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('The draft has the test “help”')).toBeVisible()
    const lines = [...helps.steps, { user: 'hello there' }, { bot: 'Who are you?' }]
    const help = { now: expect.stringMatching(/Z$/), steps: lines }
    await expect.poll(async () => (await stored()).tests).toEqual({ help })

    await dashboard.call(
      'DELETE',
      `/v1/platform/bots/${dashboard.server.credentials.botId}/draft`,
    )
    await dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
      code: 'exports.handler = async () => ({ status: 200 })',
    })
    await saveAsTest()
    await expect(dialog.getByText('This bot has no document')).toBeVisible()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toContain('- bot: "Ask me."')
  })
})

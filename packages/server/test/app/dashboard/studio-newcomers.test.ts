// The page Flows for people who never saw the document: steps join, names suffice, faults are sentences.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { beforeEach, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  expectAccessibleLooks,
} from '../../support/dashboard.ts'
import {
  begin,
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
  variables: { user: { city: { type: 'string' } } },
  flows: {
    main: {
      variables: { name: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          position: { x: 0, y: 0 },
          cards: [
            {
              type: 'capture',
              kind: 'text',
              question: 'Who are you?',
              into: 'workflow.name',
            },
            { type: 'send', message: 'Hello!' },
          ],
        },
      },
    },
  },
}

const stored = async () => JSON.parse((await readDraft()).text)
const openCard = (page: Page, name: RegExp) =>
  node(page, 'start').getByRole('button', { name }).click()
const choose = async (page: Page, label: string, option: string) => {
  await panel(page).getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

describeDashboard('flows for newcomers', () => {
  beforeEach(() => begin(document))

  test('leads the selected step to a new one, and shows that beside the form', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await node(page, 'start').focus()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Search').fill('e-mail')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Ask for: E-mail/ })
      .click()
    await expect(field(page, 'Question')).toHaveValue('')
    await expect(field(page, 'Question')).toHaveAttribute(
      'placeholder',
      'Write the question',
    )
    await expect(node(page, 'step')).toBeInViewport({ ratio: 1 })
    const [box, form] = [
      await node(page, 'step').boundingBox(),
      await panel(page).boundingBox(),
    ]
    expect(box!.x + box!.width).toBeLessThanOrEqual(form!.x)
    await saved(page)
    const { nodes, variables } = (await stored()).flows.main
    expect(nodes.start.next).toBe('step')
    expect(nodes.step.position.x).toBeGreaterThan(250)
    expect(nodes.step.cards).toMatchObject([{ kind: 'email', into: 'workflow.email' }])
    expect(variables.email).toEqual({ type: 'string' })
    await page.getByRole('button', { name: '1 warning' }).click()
    await expect(page.getByRole('dialog').getByText('is empty. Write what')).toBeVisible()
  })

  test('stores a variable with its scope, and explains a name that is not allowed', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openCard(page, /^Ask for/)
    const into = panel(page).getByRole('combobox', { name: 'Save in', exact: true })
    await expect(into).toHaveValue('name')
    await into.fill('city')
    await page.keyboard.press('Escape')
    await choose(page, 'Save in: remember for', 'this person')
    await saved(page)
    expect((await stored()).flows.main.nodes.start.cards[0].into).toBe('user.city')
    await into.fill('my city')
    await expect(
      panel(page).getByText('Begin with a letter. Use letters, digits'),
    ).toBeVisible()
    await page.getByRole('button', { name: '1 problem', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('listitem')).toContainText('is no variable')
    await expect(dialog.getByRole('listitem')).not.toContainText('^')
  })

  test('inserts an answer into a message by a button', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await openCard(page, /^Message/)
    await field(page, 'Message').press('Home')
    await field(page, 'Message').press('ArrowRight')
    await panel(page)
      .getByRole('button', { name: 'Insert an answer into Message' })
      .click()
    await expect(page.getByRole('menu').getByText('this flow')).toBeVisible()
    await page.getByRole('menuitem', { name: 'name', exact: true }).click()
    await expect(field(page, 'Message')).toHaveValue('H{{ workflow.name }}ello!')
    await expect(field(page, 'Message')).toBeFocused()
    await page.keyboard.type('x')
    await expect(field(page, 'Message')).toHaveValue('H{{ workflow.name }}xello!')
  })

  test('shows variables that nothing uses, and removes them in one step', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page, '/flows?part=variables')
    await expect(page.getByText('not used')).toHaveCount(1)
    await expect(
      page.getByText(
        'Nothing uses 1 variable: Variables · Of a person, in all conversations · city',
      ),
    ).toBeVisible()
    await expect(page.getByLabel('New variable of a person')).toBeVisible()
    await expectAccessibleLooks(page, 'variables')
    await page.getByRole('button', { name: 'Remove unused' }).click()
    await expect(page.getByText('not used')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('not used')).toHaveCount(1)
    await saved(page)
  })

  test('lights up the path of the conversation with the draft, and downloads it as a test', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await page.getByRole('button', { name: 'Try the draft' }).click()
    const emulator = page.getByRole('complementary', { name: 'Try the draft' })
    for (const text of ['hi', 'Ana']) {
      await emulator.getByRole('textbox').fill(text)
      await emulator.getByRole('textbox').press('Enter')
      await expect(
        emulator.getByText(text === 'hi' ? 'Who are you?' : 'Hello!'),
      ).toBeVisible()
    }
    await expect(page.getByRole('group', { name: /^start, .*passed$/ })).toBeVisible()
    for (const card of [0, 1])
      await expect(node(page, 'start').locator(`[data-card="${card}"]`)).toHaveAttribute(
        'data-passed',
        'true',
      )
    await emulator.getByText('Variables', { exact: true }).click()
    await expect(emulator.getByRole('row', { name: 'workflow.name "Ana"' })).toBeVisible()
    await emulator
      .getByRole('button', { name: 'Save the conversation as a test' })
      .click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page
        .getByRole('dialog')
        .getByRole('button', { name: 'Download a file instead' })
        .click(),
    ])
    const script = await readFile(await download.path(), 'utf8')
    expect(script).toContain('- user: "hi"\n  - bot: "Who are you?"\n  - user: "Ana"\n')
    await expectAccessible(page, 'try')
    await emulator.getByRole('button', { name: 'Close' }).click()
    await expect(page.getByRole('group', { name: /passed$/ })).toHaveCount(0)
  })

  test('closes the dialog Publish by Escape, and returns the focus', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    const publish = page.getByRole('button', { name: 'Publish', exact: true })
    for (const waits of [true, false]) {
      await publish.click()
      if (waits) await expect(page.getByLabel('Description of the version')).toBeFocused()
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toHaveCount(0)
      await expect(publish).toBeFocused()
    }
  })

  test('reads no draft after its own saves, which leave one audit entry', async () => {
    const [page, other] = [
      await dashboard.open('owner'),
      await dashboard.open('developer'),
    ]
    await openFlows(page)
    await openFlows(other)
    await openCard(page, /^Message/)
    let reads = 0
    page.on('request', (request) => {
      if (request.method() === 'GET' && request.url().endsWith('/draft')) reads++
    })
    const countSaves = async () => {
      const { entries } = await dashboard.call('GET', '/v1/platform/audit')
      return entries.filter(
        ({ operation }: { operation: string }) => operation === 'platform.saveBotDraft',
      ).length
    }
    await field(page, 'Message').fill('first')
    await saved(page)
    const before = await countSaves()
    for (const text of ['second', 'third']) {
      await field(page, 'Message').fill(text)
      await saved(page)
      await expect(node(other, 'start').getByText(text)).toBeVisible()
    }
    expect(reads).toBe(0)
    expect(await countSaves()).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})

/** Answers as a server with another version: without the files of the open page. */
async function upgrade(page: Page) {
  await page.route('**/assets/*.js', (route) => route.fulfill({ status: 404 }))
  await page.route('**/flows*', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replaceAll(/assets\/index-/g, 'assets/newer-')
    await route.fulfill({ response, body })
  })
}

describeDashboard('an open page after an upgrade of the server', () => {
  test('explains that there is a newer version, keeps the page, and reloads', async () => {
    const page = await dashboard.open('owner')
    await begin(document)
    await openFlows(page)
    await openCard(page, /^Message/)
    await upgrade(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByText('A newer version of the dashboard is there'),
    ).toBeVisible()
    await page.keyboard.press('Escape')
    await field(page, 'Message').fill('typed meanwhile')
    await saved(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.unrouteAll()
    await dialog.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(dialog.getByLabel('Description of the version')).toBeVisible()
    dashboard.complaints.length = 0
  })

  test('reloads once for another page, and then explains', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    let loads = 0
    page.on('load', () => loads++)
    // Parts of all pages are still there.
    await page.route('**/assets/*.js', (route) =>
      route.request().isNavigationRequest() || /index-|main-/.test(route.request().url())
        ? route.continue()
        : route.fulfill({ status: 404 }),
    )
    await page.getByRole('link', { name: 'Tables' }).click()
    await expect(page.getByText('A part of this page could not be loaded')).toBeVisible()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { name: 'Tables', level: 1 })).toBeVisible()
    expect(loads).toBe(2)
    dashboard.complaints.length = 0
  })
})

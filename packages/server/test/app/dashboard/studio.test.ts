// The page Flows: a bot that is a document is changed in the browser, checked, and published.
import { readFileSync } from 'node:fs'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  expect,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'
import {
  deploy,
  field,
  node,
  openFlows,
  panel,
  readDraft,
  saved,
} from '../../support/studio.ts'

const example = new URL('../../../../../examples/greeting-bot/bot.json', import.meta.url)

describeDashboard('flows in the dashboard', () => {
  beforeAll(() => deploy(JSON.parse(readFileSync(example, 'utf8'))))

  test('shows a flow, and changes nothing by that', async () => {
    const before = await readDraft()
    const page = await dashboard.open('owner')
    await openFlows(page)
    await expect(node(page, 'start')).toBeVisible()
    await expect(node(page, 'known')).toBeVisible()
    await expect(
      node(page, 'start').getByRole('button', { name: 'Message Nice to meet you' }),
    ).toBeVisible()
    await saved(page)
    await page.goto(dashboard.botPage('/versions'))
    await expect(page.getByRole('heading', { name: 'Versions', level: 1 })).toBeVisible()
    expect(await readDraft()).toEqual(before)
  })

  test('changes a message, undoes and redoes it, and shows it in another browser', async () => {
    const [page, other] = [
      await dashboard.open('owner'),
      await dashboard.open('developer'),
    ]
    await openFlows(page)
    await openFlows(other)
    await node(page, 'known')
      .getByRole('button', { name: /^Message/ })
      .click()
    const message = field(page, 'Message')
    await message.fill('Welcome back!')
    await expect(node(page, 'known').getByText('Welcome back!')).toBeVisible()
    await saved(page)
    await expect(node(other, 'known').getByText('Welcome back!')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(message).toHaveValue('Hello again, {{ user.name }}!')
    await page.getByRole('button', { name: 'Redo' }).click()
    await expect(message).toHaveValue('Welcome back!')
    await saved(page)
    const { text } = await readDraft()
    expect(JSON.parse(text).flows.main.nodes.known.cards[0].message).toBe('Welcome back!')
  })

  test('shows a change that another member makes while the page opens', async () => {
    const page = await dashboard.open('owner')
    const path = `/v1/platform/bots/${dashboard.server.credentials.botId}/draft`
    await page.route(
      `**${path}`,
      async (route) => {
        const response = await route.fetch()
        const { text, revision } = await readDraft()
        const changed = JSON.parse(text)
        changed.flows.main.nodes.known.cards[0].message = 'Meanwhile'
        const body = { baseRevision: revision, text: JSON.stringify(changed) }
        expect(await dashboard.call('PUT', path, body)).toHaveProperty('draft')
        await route.fulfill({ response })
      },
      { times: 1 },
    )
    await openFlows(page)
    await expect(node(page, 'known').getByText('Meanwhile')).toBeVisible()
  })

  test('adds a question by keyboard alone, and deletes it with undo', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await node(page, 'known').focus()
    await page.keyboard.press('/')
    await page.getByRole('dialog').getByLabel('Search').fill('ask for')
    await page.keyboard.press('Enter')
    const question = field(page, 'Question')
    await expect(question).toHaveValue('')
    await expect(question).toHaveAttribute('placeholder', 'Write the question')
    await question.focus()
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('How can I help?')
    await page.keyboard.press('Escape')
    const card = node(page, 'known').getByRole('button', {
      name: 'Ask for How can I help?',
    })
    await expect(card).toBeFocused()
    await page.keyboard.press('Delete')
    await expect(card).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+Z')
    await expect(card).toBeVisible()
    await saved(page)
    const { flows } = JSON.parse((await readDraft()).text)
    expect(flows.main.nodes.known.cards[1]).toMatchObject({
      type: 'capture',
      question: 'How can I help?',
      into: 'workflow.answer',
    })
  })

  test('shows a fault on its step, its card and its field, and does not publish it', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page)
    await node(page, 'start').getByRole('button', { name: /^If/ }).click()
    const condition = field(page, 'If')
    await expect(condition).toHaveAttribute('readonly')
    await page.getByRole('button', { name: 'As code' }).click()
    await condition.fill('user.name ===')
    await expect(page.getByRole('group', { name: /^start, .*1 problem$/ })).toBeVisible()
    await expect(condition).toHaveAttribute('aria-invalid', 'true')
    await expect(
      page.getByRole('button', { name: 'Publish', exact: true }),
    ).toBeDisabled()
    await page.getByRole('button', { name: '1 problem', exact: true }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Main flow · Start · If 1 · If' })
      .click()
    await condition.fill('user.name !== null')
    await expect(page.getByRole('group', { name: /problem$/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeEnabled()
  })

  test('publishes the draft, and the bot answers with the new words', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page, '/flows?part=texts')
    const text = page.getByRole('textbox', { name: 'Text in Main flow, start, Ask for' })
    await text.fill('Good day! Who are you?')
    await saved(page)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await expect(
      dialog.getByRole('listitem').filter({ hasText: 'Main flow · Start' }),
    ).toBeVisible()
    await dialog.getByLabel('Description of the version').fill('Friendlier')
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await expect(page.getByText('The changes are published')).toBeVisible()
    const talker = await dashboard.converse('Ana')
    await talker.say('Hi')
    await expect.poll(() => talker.texts()).toContain('Good day! Who are you?')
    expect((await readDraft()).hasChanges).toBe(false)
  })

  test('keeps changes while the server cannot be reached', async () => {
    const page = await dashboard.open('owner')
    await openFlows(page, '/flows?part=texts')
    const text = page.getByRole('textbox', { name: 'Text in Main flow, start, Message' })
    await page.route('**/draft', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    await text.fill('Kept in this browser')
    await expect(page.getByText('Offline: 1 change')).toBeVisible()
    await page.unroute('**/draft')
    await saved(page)
    expect((await readDraft()).text).toContain('Kept in this browser')
  })

  test('creates a bot from scratch, and opens its flow', async () => {
    const page = await dashboard.open('owner')
    await page.getByRole('button', { name: 'Create bot' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('From scratch', { exact: true }).click()
    await dialog.getByLabel('Name').fill('Greeter')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await expect(page.getByRole('heading', { name: 'Flows', level: 1 })).toBeVisible()
    await expect(
      node(page, 'start').getByText('Hello! How can I help you?'),
    ).toBeVisible()
  })

  test('says that a bot of code has no flows', async () => {
    const { bot } = await dashboard.call('POST', '/v1/admin/bots', {
      name: 'Coded',
      code: 'exports.handler = async () => ({ status: 200 })',
    })
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/flows').replace(/bot_\w+/, bot.id))
    await expect(
      page.getByRole('heading', { name: 'This bot has no flows' }),
    ).toBeVisible()
  })

  test('is accessible as canvas, as list, as texts and with a form', async () => {
    const page = await dashboard.open('owner')
    for (const path of [
      '/flows?view=canvas',
      '/flows?view=list',
      '/flows?part=texts',
      '/flows?part=triggers',
    ]) {
      await openFlows(page, path)
      await expectAccessibleLooks(page, path)
    }
    await page.setViewportSize(phone)
    await openFlows(page)
    await pressEnterOn(page.getByRole('button', { name: 'Edit start' }))
    await expect(panel(page)).toBeVisible()
    await expectAccessibleLooks(page, 'form')
  })
})

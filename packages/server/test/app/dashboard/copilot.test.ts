// The copilot beside the flows, with a stand-in for the provider of its model.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { afterAll, beforeEach, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  describeDashboardWith,
  expect,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../../support/model-provider.ts'
import { keys, toModels } from '../../support/model-scene.ts'
import { begin, node, openFlows, readDraft, saved } from '../../support/studio.ts'

let provider: ModelProvider
let replies: Reply[] = []

async function withModel() {
  provider = await openModelProvider(() => replies.shift() ?? { text: ['Nothing more.'] })
  const file = join(await mkdtemp(join(tmpdir(), 'botstead-models-')), 'models.json')
  const models = { ...toModels(provider.url), aliases: { auto: 'openai:gpt' } }
  await writeFile(file, JSON.stringify(models))
  return { ...keys, BOTSTEAD_MODELS: file }
}

const nodes = { start: { type: 'start', cards: [{ type: 'send', message: 'Hello' }] } }
const document = { kind: 'bot', version: 2, flows: { main: { nodes } } }

const edits = (operations: object[]): Reply => ({
  toolCalls: [
    { id: 'call_1', name: 'edit_draft', input: JSON.stringify({ operations }) },
  ],
})
const greeting = edits([
  { op: 'set', pointer: '/flows/main/nodes/start/cards/0/message', value: 'Welcome!' },
  {
    op: 'set',
    pointer: '/tests',
    value: { Greets: { steps: [{ user: 'hi' }, { bot: 'Welcome!' }] } },
  },
])

const panel = (page: Page) => page.getByRole('complementary', { name: 'Copilot' })

async function openPanel(page: Page) {
  await openFlows(page)
  await pressEnterOn(page.getByRole('button', { name: 'Copilot', exact: true }))
  await expect(panel(page)).toBeVisible()
}

async function ask(page: Page, request: string) {
  await panel(page)
    .getByRole('textbox', { name: 'What should the bot do?' })
    .fill(request)
  await pressEnterOn(panel(page).getByRole('button', { name: 'Send' }))
}

const stored = async () => JSON.parse((await readDraft()).text)

describeDashboardWith(withModel, 'the copilot', () => {
  beforeEach(() => begin(document))
  afterAll(() => provider?.close())

  test('shows its steps, costs and the difference; applying it is one step of undo', async () => {
    replies = [greeting, { text: ['The bot says welcome.'] }]
    const page = await dashboard.open('owner')
    await openPanel(page)
    await ask(page, 'Say welcome')
    await expect(panel(page).getByText('The bot says welcome.')).toBeVisible()
    await expect(panel(page).getByText(/^Done · \$0\.\d+, \d+ tokens$/)).toBeVisible()
    await expect(panel(page).getByText(/^Today: \$0\.\d+ of \$10\.00/)).toBeVisible()
    await expect(
      panel(page).getByText('The check finds no problem; 1 test passed.'),
    ).toBeVisible()
    await expect(
      panel(page).getByRole('listitem').filter({ hasText: 'Main flow · Start' }),
    ).toBeVisible()
    expect((await stored()).flows.main.nodes.start.cards[0].message).toBe('Hello')
    await expectAccessibleLooks(page, 'copilot')
    await pressEnterOn(panel(page).getByRole('button', { name: 'Apply' }))
    await expect(node(page, 'start').getByText('Welcome!')).toBeVisible()
    await saved(page)
    expect(await stored()).toMatchObject({ tests: { Greets: {} } })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(node(page, 'start').getByText('Hello')).toBeVisible()
    await saved(page)
    const restored = await stored()
    expect(restored.flows).toEqual(document.flows)
    expect(restored).not.toHaveProperty('tests')
  })

  test('keeps what changed meanwhile, and survives a reload', async () => {
    replies = [{ ...greeting, delayMs: 1_500 }, { text: ['Changed after a reload.'] }]
    const page = await dashboard.open('owner')
    await openPanel(page)
    await ask(page, 'Say welcome after a reload')
    await expect(panel(page).getByText(/^Working …/)).toBeVisible()
    const { botId } = dashboard.server.credentials
    const other = {
      ...document,
      flows: { ...document.flows, help: { nodes: { begin: { type: 'entry' } } } },
    }
    await dashboard.call('PUT', `/v1/platform/bots/${botId}/draft`, {
      baseRevision: (await readDraft()).revision,
      text: JSON.stringify(other, null, 2),
    })
    await page.reload()
    await page.getByRole('button', { name: 'Copilot', exact: true }).click()
    await expect(panel(page).getByText('Changed after a reload.')).toBeVisible()
    await panel(page).getByRole('button', { name: 'Apply' }).first().click()
    await saved(page)
    await expect
      .poll(async () => (await stored()).flows)
      .toMatchObject({
        main: { nodes: { start: { cards: [{ message: 'Welcome!' }] } } },
        help: {},
      })
  })

  test('stops, on a phone', async () => {
    replies = [{ text: ['late'], delayMs: 20_000 }]
    const page = await dashboard.open('owner', { size: phone })
    await openPanel(page)
    await panel(page).getByRole('button', { name: 'Explain this flow' }).click()
    await expect(panel(page).getByRole('textbox')).toHaveValue(/^Explain the flow main/)
    await pressEnterOn(panel(page).getByRole('button', { name: 'Send' }))
    await panel(page).getByRole('button', { name: 'Stop' }).click()
    await expect(panel(page).getByText(/^Stopped/)).toBeVisible()
    const width = await page.evaluate(
      () => globalThis.document.documentElement.scrollWidth,
    )
    expect(width).toBeLessThanOrEqual(page.viewportSize()!.width)
  })
})

describeDashboard('the copilot without a model', () => {
  test('says how to set one up', async () => {
    await begin(document)
    const page = await dashboard.open('owner')
    await openPanel(page)
    await expect(
      panel(page).getByText('There is no language model for the copilot'),
    ).toBeVisible()
    await panel(page).getByRole('link', { name: 'Server settings' }).click()
    await expect(
      page.getByRole('heading', { name: 'Server settings', level: 1 }),
    ).toBeVisible()
  })
})

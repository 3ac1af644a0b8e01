// Talking to a bot beside its pages.
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import {
  botCode,
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  findViolations,
  phone,
} from '../../support/dashboard.ts'
import { begin, field, openFlows } from '../../support/studio.ts'

async function openEmulator(page: Page) {
  await page.getByRole('button', { name: 'Try the bot', exact: true }).click()
  await expect(page.getByLabel('Your message')).toBeFocused()
}

async function say(page: Page, text: string) {
  await page.getByLabel('Your message').fill(text)
  await page.keyboard.press('Enter')
}

const answers = (page: Page) => page.getByRole('log').locator('.theirs .bubble')

describeDashboard('the greeting in the emulator', () => {
  test('is there at once, in the language of the person, and stores nothing', async () => {
    const options = [{ label: 'Book', value: 'start:book' }]
    const message = { type: 'choice', text: 'Welcome to **Ada**', options }
    await begin({
      kind: 'bot',
      version: 2,
      languages: {
        default: 'en',
        translations: { de: { 'hi/message/text': 'Willkommen bei **Ada**' } },
      },
      flows: {
        main: {
          nodes: {
            start: { type: 'start', cards: [{ type: 'send', message, textKey: 'hi' }] },
          },
        },
      },
    })
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await expect(answers(page).locator('strong')).toHaveText('Ada')
    await expect(answers(page)).toContainText('Welcome to Ada')
    expect(
      (await dashboard.call('GET', '/v1/platform/conversations')).conversations,
    ).toEqual([])
    expect((await dashboard.call('GET', '/v1/chat/users')).users).toHaveLength(1)
    expect(await findViolations(page)).toEqual([])
    await page.getByRole('log').getByRole('button', { name: 'Book' }).click()
    await expect(page.getByRole('log').locator('.own .bubble')).toHaveText('Book')
    await openFlows(page, '/flows?part=texts&language=de')
    await page.getByRole('button', { name: 'Try the draft' }).click()
    const draft = page.getByRole('complementary', { name: 'Try the draft' })
    await expect(draft.getByRole('log')).toContainText('Willkommen bei Ada')
  })
})

describeDashboard('the draft in the emulator', () => {
  test('answers by the text that was written before the message', async () => {
    const cards = [{ type: 'send', message: 'The first text' }]
    await begin({
      kind: 'bot',
      version: 2,
      flows: { main: { nodes: { start: { type: 'start', cards } } } },
    })
    const page = await dashboard.open('owner')
    await openFlows(page, '/flows?node=start/0')
    await page.getByRole('button', { name: 'Try the draft' }).click()
    const draft = page.getByRole('complementary', { name: 'Try the draft' })
    const answers = draft.getByRole('log').locator('.theirs .bubble')
    await expect(draft.getByRole('textbox')).toBeVisible()
    for (const [index, text] of ['The second text', 'The third text'].entries()) {
      await field(page, 'Message').fill(text)
      await draft.getByRole('textbox').fill('hi')
      await draft.getByRole('textbox').press('Enter')
      await expect(answers).toHaveCount(index + 1)
      await expect(answers.last()).toHaveText(text)
    }
  })
})

describeDashboard('emulator', () => {
  test('talks to the bot, keeps the conversation after a reload, and begins a new one', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    const conversations = () => dashboard.call('GET', '/v1/platform/conversations')
    expect((await conversations()).conversations).toEqual([])
    await say(page, 'Hello <i>there</i> &copy;&Tab;&notit;')
    await expect(answers(page).first()).toContainText('Hello <i>there</i> © &notit;')
    await page.getByRole('button', { name: 'Why this answer?' }).click()
    const trace = page.getByRole('log')
    await expect(trace.getByText('Message received')).toBeVisible()
    await expect(trace.getByRole('region', { name: 'Timeline' })).toContainText('Sent')
    expect(await findViolations(page)).toEqual([])
    await expect(trace.getByText('Message received')).toHaveAttribute(
      'title',
      'message_created',
    )
    await page.keyboard.press('Escape')
    await expect(page.getByRole('log')).toHaveCount(0)
    const [{ conversation }] = (await conversations()).conversations
    const { participants } = await dashboard.call(
      'GET',
      `/v1/chat/conversations/${conversation.id}/participants`,
    )
    expect(participants).toContainEqual(
      expect.objectContaining({ tags: { emulator: 'true' } }),
    )
    await page.reload()
    await openEmulator(page)
    await expect(answers(page).first()).toContainText('Hello <i>there</i>')
    await page.getByRole('button', { name: 'New conversation' }).click()
    await expect(page.getByRole('log')).toContainText('Say hello')
  })

  test('reads older messages, which keep the place of the newest', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'number 1')
    await expect(answers(page)).toHaveCount(1)
    for (let number = 2; number <= 14; number++) {
      await say(page, `number ${number}`)
      await expect(answers(page)).toHaveCount(number)
    }
    await page.reload()
    await openEmulator(page)
    await expect(answers(page)).toHaveCount(10)
    const oldest = page.getByText('number 5', { exact: true })
    await page.getByRole('button', { name: 'Older messages' }).click()
    await expect(answers(page)).toHaveCount(14)
    await expect(page.getByText('number 1', { exact: true })).toHaveCount(1)
    await expect(oldest).toBeInViewport()
    await expect(page.getByRole('button', { name: 'Older messages' })).toHaveCount(0)
    await page.getByRole('button', { name: 'New conversation' }).click()
  })

  test('reports that the member writes, as the chat page does', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'Hello')
    await expect(answers(page)).toHaveCount(1)
    const reported = (isTyping: boolean) =>
      page.waitForResponse(
        async (response) =>
          response.url().endsWith('/typing') &&
          response.request().postDataJSON().isTyping === isTyping &&
          response.ok(),
      )
    const [started] = await Promise.all([
      reported(true),
      page.getByLabel('Your message').fill('I'),
    ])
    expect(started.status()).toBe(200)
    await Promise.all([reported(false), page.keyboard.press('Enter')])
  })

  test('shows cards and choices, and sends the answer of a button', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'choice')
    await page.getByRole('log').locator('.options button').first().click()
    await expect(page.locator('.own .bubble')).toHaveCount(2)
    await expect(answers(page)).toHaveCount(2)
    await page.reload()
    await openEmulator(page)
    const chosen = page.getByRole('log').locator('.options button').first()
    await expect(chosen).toBeDisabled()
    await expect(chosen).toHaveAttribute('aria-pressed', 'true')
    const bubbles = await page
      .getByRole('log')
      .locator('.message')
      .evaluateAll((all) =>
        all.map(({ classList }) => (classList.contains('own') ? 'own' : 'theirs')),
      )
    expect(bubbles).toEqual(['own', 'theirs', 'own', 'theirs'])
    expect(await findViolations(page)).toEqual([])
  })

  test('sends a file as an image', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    const buffer = Buffer.from(pixel, 'base64')
    await page
      .locator('aside input[type=file]')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer })
    const image = page.getByRole('log').locator('.own img')
    await expect(image).toBeVisible()
    expect(
      await image.evaluate((element: HTMLImageElement) => element.naturalWidth),
    ).toBe(1)
  })

  test('keeps a message that was not sent, and sends it after a restart of the server', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await say(page, 'Are you there?')
    await expect(answers(page)).toHaveCount(1)
    await dashboard.server.stop('SIGKILL')
    await say(page, 'While you were away')
    await expect(page.getByText('Not sent')).toBeVisible()
    // The emulator's own state: it has read the history again when this text disappears.
    const state = page.getByText('Reconnecting …', { exact: true })
    await expect(state).toBeVisible()
    await dashboard.server.start()
    await expect(state).toHaveCount(0)
    await page.getByRole('button', { name: 'Send again' }).click()
    await expect(answers(page).last()).toContainText('While you were away')
    await expect(page.locator('.own .bubble').last()).toHaveText('While you were away')
    await expect(page.getByText('Not sent')).toHaveCount(0)
  })

  test('shows that the bot works on an answer, and its failed attempts', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    const deploy = (code: string) =>
      dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
        code,
      })
    await deploy(
      botCode('await new Promise((resolve) => setTimeout(resolve, 3000)); await echo()'),
    )
    await openEmulator(page)
    // Live updates may come late: the emulator does not wait for them.
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/v1/platform/queue/deliveries**', async (route) => {
      await held
      await route.continue()
    })
    await say(page, 'slowly')
    await expect(page.getByText('The bot is answering …')).toBeVisible({ timeout: 2_500 })
    answer()
    await page.unrouteAll({ behavior: 'wait' })
    await expect(answers(page).last()).toHaveText('echo slowly')
    await expect(page.getByText('The bot is answering …')).toHaveCount(0)
    // The first load ends after the answer, with what it read before it.
    let isFirst = true
    await page.route(
      '**/v1/platform/queue/deliveries?conversationId**',
      async (route) => {
        const response = await route.fetch()
        if (isFirst) {
          isFirst = false
          await expect(answers(page).last()).toHaveText('echo again')
          await page.waitForTimeout(1_000)
        }
        await route.fulfill({ response })
      },
    )
    await say(page, 'again')
    await expect(answers(page).last()).toHaveText('echo again')
    await page.waitForTimeout(1_500)
    await expect(page.getByText('The bot is answering …')).toHaveCount(0)
    expect(isFirst).toBe(false)
    await page.unrouteAll({ behavior: 'wait' })
    await deploy(botCode(`throw new Error('No <b>luck</b>')`))
    await say(page, 'fail')
    await expect(page.getByText(/Attempt 3 of 3 in [1-6] s/)).toBeVisible()
    await expect(page.getByText('No <b>luck</b>')).toBeVisible()
    expect(await findViolations(page)).toEqual([])
    const failure = page
      .getByRole('alert')
      .filter({ hasText: 'The bot failed on this message' })
    await expect(failure).toContainText('No <b>luck</b>')
    await expect(page.getByText(/Attempt 3 of 3/)).toHaveCount(0)
    await failure.getByRole('button', { name: 'Why?' }).click()
    await expect(failure.getByRole('region', { name: 'Attempts 1, 2, 3' })).toBeVisible()
    await expect(failure.locator('pre').filter({ hasText: 'bot.cjs' })).toHaveCount(1)
    await expect(failure.getByRole('region', { name: 'Attempt 1 failed' })).toHaveCount(0)
    await expect(failure.locator('pre').first()).toContainText('bot.cjs')
    await expect(failure.locator('pre').first()).not.toContainText('bot-host')
    await deploy('exports.handler = async () => ({ status: 200 })')
    await failure.getByRole('button', { name: 'Redeliver' }).first().click()
    await expect(failure).toHaveCount(0)
  })

  test('covers no button of the page with a notification', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage('/versions'))
    await openEmulator(page)
    await page.getByRole('button', { name: 'Save current state' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('A long name '.repeat(8))
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    const notification = page.locator('.toasts [role=alert]')
    await expect(notification).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    const buttons = await page.locator('main button, aside button').all()
    expect(buttons.length).toBeGreaterThan(4)
    const [covering, ...covered] = await Promise.all(
      [notification, ...buttons].map((one) => one.boundingBox()),
    )
    for (const box of covered) {
      const isBeside =
        box!.x >= covering!.x + covering!.width || box!.x + box!.width <= covering!.x
      const isBelow = box!.y >= covering!.y + covering!.height
      expect(isBeside || isBelow, JSON.stringify([covering, box])).toBe(true)
    }
  })

  test('shows that the bot failed on a message, and redelivers it', async () => {
    const page = await dashboard.open('owner')
    await page.goto(dashboard.botPage())
    const deploy = (code: string) =>
      dashboard.call('PUT', `/v1/admin/bots/${dashboard.server.credentials.botId}`, {
        code,
      })
    await deploy(`exports.handler = async () => ({
      status: 400, body: JSON.stringify({ message: 'No <b>luck</b>' }),
    })`)
    await openEmulator(page)
    await say(page, 'Anyone there?')
    const failure = page
      .getByRole('alert')
      .filter({ hasText: 'The bot failed on this message' })
    await expect(failure).toContainText('No <b>luck</b>')
    await failure.getByRole('button', { name: 'Why?' }).click()
    await expect(failure.getByText('Message received')).toBeVisible()
    await page.goto(dashboard.botPage())
    const figure = page.locator('.panel').filter({ hasText: 'Failures' })
    await expect(figure).toContainText('1')
    await page.getByRole('link', { name: 'Conversations' }).click()
    await page.getByRole('link').filter({ hasText: 'Anyone there?' }).first().click()
    await expect(page.getByText('The bot failed on this message')).toBeVisible()
    await openEmulator(page)
    await deploy(
      `exports.handler = async () => ({ status: 400, body: '{"message":"Still none"}' })`,
    )
    await failure.getByRole('button', { name: 'Redeliver' }).first().click()
    await expect(page.getByText('Failed again')).toBeVisible()
    await deploy('exports.handler = async () => ({ status: 200 })')
    await failure.getByRole('button', { name: 'Redeliver' }).first().click()
    await expect(page.getByText('The bot failed on this message')).toHaveCount(0)
  })

  test('explains answers of a flow, and closes on a phone when a link opens a page', async () => {
    const page = await dashboard.open('owner', { size: phone })
    await page.getByRole('button', { name: 'Create bot' }).click()
    await page.getByRole('button', { name: 'Create Questions and answers' }).click()
    await expect(page.getByLabel('Your message')).toBeFocused({ timeout: 30_000 })
    await say(page, 'When are you open?')
    await expect(answers(page).last()).toContainText('from 9 to 5')
    const why = page.getByRole('button', { name: 'Why this answer?' })
    await why.last().click()
    await expect(page.getByRole('log').getByRole('region').first()).toContainText(
      'Passages found',
    )
    await page.getByRole('link', { name: 'Explain this search' }).click()
    await expect(page.getByRole('log')).toHaveCount(0)
    await expect(page.getByLabel('Question')).toHaveValue('When are you open?')
    await expectAccessible(page)
    await openEmulator(page)
    await say(page, 'Do you sell boats?')
    await expect(answers(page).last()).toContainText('Shall a person answer?')
    const count = await answers(page).count()
    await say(page, 'Do you sell planes?')
    await expect(answers(page)).toHaveCount(count + 1)
    await why.last().click()
    const steps = page.getByRole('region', { name: 'Steps' })
    await expect(steps).toHaveCount(0)
    await page.getByText('Details for programmers').last().click()
    await expect(steps).toContainText('Did not answer the question. The flow continued')
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'Tables' }).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tables')
    await expect(page.getByRole('log')).toHaveCount(0)
  })

  test('marks an answer whose hook failed', async () => {
    const page = await dashboard.open('owner')
    const { botId } = dashboard.server.credentials
    const flow = {
      nodes: { start: { type: 'start', cards: [{ type: 'send', message: 'Fine' }] } },
    }
    const hooks = [
      { kind: 'afterIncoming', name: 'greet', code: `throw new Error('No <b>hook</b>')` },
    ]
    await dashboard.call('POST', `/v1/admin/bots/${botId}/publish-from-bot-json`, {
      botJson: { kind: 'bot', version: 2, flows: { main: flow }, hooks },
    })
    await page.goto(dashboard.botPage())
    await openEmulator(page)
    await page.getByRole('button', { name: 'New conversation' }).click()
    await say(page, 'hi')
    await expect(answers(page).last()).toHaveText('Fine')
    await page.getByRole('button', { name: 'Why this answer?' }).last().click()
    const trace = page.getByRole('log')
    await expect(trace.getByText('A hook failed', { exact: true })).toBeVisible()
    await expect(trace.getByText('No <b>hook</b>').first()).toBeVisible()
    expect(await findViolations(page)).toEqual([])
  })
})

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

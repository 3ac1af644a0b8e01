// The inbox: members take and answer conversations in place of the bot.
import type { Page } from '@playwright/test'
import { beforeAll, test } from 'vitest'
import {
  botCode,
  dashboard,
  describeDashboard,
  expect,
  expectAccessible,
  phone,
} from '../../support/dashboard.ts'

const hostile = '<b>Ana</b> \u202e 🦊'
let ana: Awaited<ReturnType<typeof dashboard.converse>>

const inbox = (path = '') => dashboard.botPage(`/inbox${path}`)
const composer = (page: Page) => page.getByLabel('Your answer')
const transcript = (page: Page) => page.getByRole('region', { name: 'Transcript' })
const button = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true })

async function handOver(conversationId: string) {
  const body = { conversationId, reason: 'refund', summary: 'Order 17 arrived broken' }
  return (await dashboard.call('POST', '/v1/platform/handoffs', body)).handoff
}

/** Begins a session as the plugin hitl does. Returns the path of its state, too. */
async function escalate(name: string) {
  const user = await dashboard.converse(name)
  const path = `/v1/chat/states/conversation/${user.conversationId}/hitl`
  await dashboard.call('POST', path, { payload: { hitlActive: true } })
  return [user, path] as const
}

/** Clicks the button; the first time in a browser, it asks for the name that visitors see. */
async function take(page: Page, name: string) {
  await button(page, name).click()
  const dialog = page.getByRole('dialog', { name: 'Your name in the chat' })
  await dialog.getByRole('button', { name, exact: true }).click()
}

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((isHidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })
    document.dispatchEvent(new Event('visibilitychange'))
  }, isHidden)

describeDashboard('inbox', () => {
  beforeAll(async () => {
    const { botId } = dashboard.server.credentials
    await dashboard.call('PUT', `/v1/admin/bots/${botId}`, {
      code: botCode('await echo()'),
    })
    ana = await dashboard.converse(hostile)
    await ana.say('I want a refund')
  }, 60_000)

  test('two members see a new handoff; one takes it, answers and returns it', async () => {
    const [owner, developer] = [
      await dashboard.open('owner'),
      await dashboard.open('developer'),
    ]
    for (const page of [owner, developer]) {
      await page.goto(inbox())
      await expect(page.getByText('No conversation waits for a person')).toBeVisible()
      await expect(
        page.getByRole('main').getByRole('link', { name: 'Conversations' }),
      ).toBeVisible()
    }
    await handOver(ana.conversationId)
    for (const page of [owner, developer]) {
      const row = page.getByRole('region', { name: 'Handoffs' }).getByRole('link')
      await expect(row).toContainText(hostile)
      await expect(row).toContainText('refund')
      await expect(page.getByRole('navigation').getByLabel('1 waiting')).toBeVisible()
      await row.click()
      await expect(page.getByText('Order 17 arrived broken')).toBeVisible()
      await expect(
        transcript(page).getByText('I want a refund', { exact: true }),
      ).toBeVisible()
      await expect(composer(page)).toBeDisabled()
    }
    await take(owner, 'Take')
    await expect(composer(owner)).toBeFocused()
    // The list follows, so that it still contains the conversation.
    await expect(owner).toHaveURL(/list=mine/)
    await expect(owner.getByRole('region', { name: 'Handoffs' })).toContainText(hostile)
    await owner.keyboard.type('Hello Ana')
    await expect(developer.getByRole('alert')).toContainText('Owner answers')
    await expect(composer(developer)).toBeDisabled()
    await owner.keyboard.press('Enter')
    for (const page of [owner, developer])
      await expect(transcript(page).getByText('Hello Ana')).toBeVisible()
    await expect(composer(owner)).toHaveValue('')
    expect(await ana.texts()).toContain('Hello Ana')

    await owner.keyboard.type('My draft')
    await ana.type()
    await expect(owner.getByText('The user is writing')).toBeVisible()
    await take(developer, 'Take over')
    await expect(owner.getByRole('alert')).toContainText('developer@example.org answers')
    await expect(composer(owner)).toBeDisabled()
    await owner.reload()
    await expect(composer(owner)).toHaveValue('My draft')
    await expect(button(owner, 'Return to the bot')).toHaveCount(0)
    await composer(developer).fill('I am new here')
    await developer.keyboard.press('Enter')
    // This account has no name for users.
    await expect(
      transcript(owner).getByRole('link', { name: 'developer@example.org' }),
    ).toBeVisible()
    await ana.say('are you there?')
    await expect(transcript(developer).getByText('are you there?')).toBeVisible()
    await button(developer, 'Return to the bot').focus()
    await expect(developer.getByRole('tooltip')).toContainText(
      'The request is not settled.',
    )
    await button(developer, 'Return to the bot').click()
    const returned = owner.getByText('Returned to the bot, which answers again.')
    await expect(returned.first()).toBeVisible()
    await ana.say('and now?')
    await expect(transcript(owner).getByText('echo and now?')).toBeVisible()
    for (const [text, author] of [
      ['Hello Ana', 'Team'],
      ['and now?', 'User'],
      ['echo and now?', 'Bot'],
    ] as const) {
      const bubble = owner.locator('.bubble').getByText(text, { exact: true })
      const message = transcript(owner).locator('[class*="_message_"]', { has: bubble })
      await expect(message.getByText(author, { exact: true })).toBeVisible()
    }
    expect(await ana.texts()).not.toContain('echo are you there?')
  })

  test('takes over a conversation, attaches a file, and closes as solved on a phone', async () => {
    const page = await dashboard.open('developer', { size: phone })
    await page.goto(dashboard.botPage(`/conversations/${ana.conversationId}`))
    await take(page, 'Take over')
    await expect(page).toHaveURL(/\/inbox\/handoff_/)
    await expect(composer(page)).toBeFocused()
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      button(page, 'Attach a file').click(),
    ])
    await chooser.setFiles({
      name: 'form.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('x'),
    })
    await expect(page.getByText('Attached: form.txt')).toBeVisible()
    await composer(page).fill('Please fill this in')
    await page.keyboard.press('Enter')
    await expect(transcript(page).getByText('form.txt')).toBeVisible()
    await expect(page.getByText('Attached: form.txt')).toHaveCount(0)
    const sent = transcript(page).locator('.message.own', {
      hasText: 'Please fill this in',
    })
    await expect(sent).toBeVisible()
    await expect(transcript(page).locator('.message.theirs').first()).toBeVisible()
    await button(page, 'About').click()
    const about = page.getByRole('dialog', { name: 'About' })
    await expect(about.getByRole('link', { name: hostile })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await button(page, 'Close as solved').click()
    await expect(page.getByText('The bot answers new messages').first()).toBeVisible()
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByText('Closed', { exact: true }).first().click()
    await expect(page).toHaveURL(/list=closed/)
    await expect(
      page.getByRole('region', { name: 'Handoffs' }).getByRole('link'),
    ).toHaveCount(2)
  })

  test('sends a text and a file again after lost responses, and both are stored once', async () => {
    const eve = await dashboard.converse('Eve')
    const { id } = await handOver(eve.conversationId)
    const page = await dashboard.open('developer')
    await page.goto(inbox(`/${id}`))
    await take(page, 'Take')
    const loseResponse = () =>
      page.route(
        '**/v1/platform/handoffs/*/messages',
        async (route) => {
          await route.fetch()
          await route.abort()
        },
        { times: 1 },
      )
    const failure = page.locator('form').getByRole('alert')
    const file = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('x') }
    await loseResponse()
    await composer(page).fill('The plan:')
    await page.keyboard.press('Enter')
    await expect(failure).toBeVisible()
    await page.reload()
    await expect(composer(page)).toHaveValue('The plan:')
    await composer(page).press('Enter')
    await expect(composer(page)).toHaveValue('')
    await loseResponse()
    await page.locator('input[type=file]').first().setInputFiles(file)
    await button(page, 'Send').click()
    await expect(failure).toBeVisible()
    await button(page, 'Send').click()
    await expect(page.getByText('Attached: plan.txt')).toHaveCount(0)
    const path = `/v1/chat/messages?conversationId=${eve.conversationId}`
    const { messages } = await dashboard.call('GET', path)
    const payloads = messages.map(({ payload }: { payload: object }) => payload)
    expect(payloads).toMatchObject([{ title: 'plan.txt' }, { text: 'The plan:' }])
    // The same text again, on purpose.
    await composer(page).fill('The plan:')
    await page.keyboard.press('Enter')
    await expect(transcript(page).getByText('The plan:')).toHaveCount(2)
    await dashboard.call('POST', `/v1/platform/handoffs/${id}/close`, {
      outcome: 'solved',
    })
  })

  test('keeps notes from users, marks handoffs, and inserts canned replies', async () => {
    const { id } = await handOver(ana.conversationId)
    const page = await dashboard.open('developer')
    await page.goto(inbox(`/${id}`))
    const about = page.getByRole('complementary', { name: 'About' })
    await about.getByLabel('New note', { exact: true }).fill('Is a friend of Bo')
    await page.keyboard.press('Control+Enter')
    await expect(about.getByText('Is a friend of Bo')).toBeVisible()
    const tags = about.getByRole('form', { name: 'New tag of the handoff' })
    await tags.getByLabel('Name').fill('urgent')
    await tags.getByLabel('Value').fill('yes')
    await page.keyboard.press('Enter')
    await expect(about.getByText('urgent=yes')).toBeVisible()

    await take(page, 'Take')
    await expect(composer(page)).toBeFocused()
    await button(page, 'Try the bot').click()
    await expect(page.getByLabel('Your message')).toBeFocused()
    expect((await composer(page).boundingBox())!.width).toBeGreaterThan(300)
    await button(page, 'Try the bot').click()
    await composer(page).focus()
    await page.keyboard.press('Control+J')
    const replies = page.getByRole('dialog', { name: 'Canned replies' })
    await expectAccessible(page)
    await replies.getByRole('button', { name: 'New reply' }).click()
    const form = page.getByRole('dialog', { name: 'New reply' })
    await form.getByLabel('Name').fill('greeting')
    await form.getByLabel('Text').fill('Hello {{user.name|there}}, {{order}}')
    await expect(form.getByText('{{order}} is no variable')).toBeVisible()
    await form.getByRole('button', { name: 'Save' }).click()
    await replies.getByLabel('Find a reply').fill('greet')
    await expect(replies.getByText('Hello {{user.name|there}}')).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(composer(page)).toHaveValue(`Hello ${hostile}, {{order}}`)
    await expect(composer(page)).toBeFocused()
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Replace {{order}} before you send this.')).toBeVisible()
    await expect(button(page, 'Send')).toBeDisabled()
    await composer(page).fill(`Hello ${hostile}, order 17`)
    await page.keyboard.press('Control+Enter')
    await expect(transcript(page).getByText(`Hello ${hostile}, order 17`)).toBeVisible()
    expect((await ana.texts()).join()).not.toContain('{{')
    expect((await ana.texts()).join()).not.toContain('friend')

    await page.keyboard.press('Control+J')
    await replies.getByRole('button', { name: 'Edit greeting' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit reply' })
    await edit.getByLabel('Text').fill('Bye')
    await edit.getByRole('button', { name: 'Save' }).click()
    await expect(replies.getByText('Bye')).toBeVisible()
    await replies.getByRole('button', { name: 'Delete greeting' }).click()
    await expect(replies.getByText('no canned replies yet')).toBeVisible()
    await page.keyboard.press('Escape')
    await about.getByRole('button', { name: /Delete the note/ }).click()
    await expect(about.getByText('Is a friend of Bo')).toHaveCount(0)
    await button(page, 'Close as solved').click()
    await expect(page.getByText('The bot answers new messages').first()).toBeVisible()
  })

  test('notifies of handoffs and messages that the member does not see', async () => {
    const page = await dashboard.open('owner')
    await page.context().grantPermissions(['notifications'])
    await page.addInitScript(() => {
      const shown: string[] = []
      const Fake = Object.assign((title: string) => shown.push(title), {
        permission: 'granted',
        requestPermission: async () => 'granted',
      })
      Object.assign(window, {
        shown,
        Notification: function Notification(title: string) {
          Fake(title)
        },
      })
      Object.assign(window.Notification, { requestPermission: Fake.requestPermission })
      Object.defineProperty(window.Notification, 'permission', { value: 'granted' })
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    })
    await page.goto(inbox())
    const shown = () =>
      page.evaluate(() => (window as unknown as { shown: string[] }).shown)
    const notify = button(page, 'Notify me')
    await expect(notify).toHaveAttribute('aria-pressed', 'false')
    await notify.click()
    await expect(notify).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText('No conversation waits for a person')).toBeVisible()
    const bo = await dashboard.converse('Bo')
    const { id } = await handOver(bo.conversationId)
    await expect.poll(shown).toEqual(['A conversation waits for a person'])
    const close = (id: string) =>
      dashboard.call('POST', `/v1/platform/handoffs/${id}/close`, { outcome: 'solved' })
    await close(id)

    const body = { conversationId: bo.conversationId, assign: true }
    const { handoff } = await dashboard.call('POST', '/v1/platform/handoffs', body)
    const assigned = 'A conversation was assigned to you'
    await expect.poll(async () => (await shown()).slice(1)).toEqual([assigned])
    await bo.say('hello?')
    await expect.poll(async () => (await shown()).slice(2)).toEqual(['Bo wrote to you'])
    await page.goto(inbox(`/${handoff.id}`))
    await hide(page, false)
    await expect(transcript(page).getByText('hello?')).toBeVisible()
    const refreshed = page.waitForResponse(/assignedTo=me&pageSize=50/)
    await bo.say('are you there?')
    await refreshed
    await page.waitForTimeout(1_500)
    await expect(transcript(page).getByText('are you there?')).toBeVisible()
    expect(await shown()).toEqual([])
    await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).click()
    await expect(composer(page)).toHaveCount(0)
    await bo.say('anybody?')
    await expect.poll(shown).toEqual(['Bo wrote to you'])
    await close(handoff.id)
  })

  test('edits the rules, and shows response times in the overview', async () => {
    const page = await dashboard.open('developer')
    await page.goto(inbox())
    await button(page, 'Rules').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox', { name: 'Keywords' }).click()
    await page.keyboard.type('human')
    await page.keyboard.press('Enter')
    await page.keyboard.type('real person')
    await page.keyboard.press('Tab')
    await dialog.getByLabel('Failed answers').fill('2')
    await dialog
      .getByLabel('Message to the user')
      .fill('A colleague will write to you here.')
    await dialog.getByLabel('Opening hours').first().check()
    await dialog.getByText('Fri', { exact: true }).click()
    await dialog.getByLabel('To', { exact: true }).fill('00:00')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeVisible() // The message at other times is missing.
    await dialog.getByLabel('Message at other times').fill('We are back at nine.')
    await expectAccessible(page, 'rules')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    const { rules } = await dashboard.call('GET', '/v1/platform/handoff-rules')
    expect(rules).toEqual({
      keywords: ['human', 'real person'],
      afterFailures: 2,
      message: 'A colleague will write to you here.',
      hours: {
        timezone: expect.any(String),
        open: [
          {
            days: ['monday', 'tuesday', 'wednesday', 'thursday'],
            from: '09:00',
            to: '24:00',
          },
        ],
        message: 'We are back at nine.',
        handsOver: false,
      },
    })
    await button(page, 'Rules').click()
    await expect(dialog.getByLabel('Failed answers')).toHaveValue('2')
    await dialog.getByRole('combobox', { name: 'Keywords' }).press('Backspace')
    await dialog.getByLabel('Failed answers').fill('')
    await dialog.getByLabel('Opening hours').first().uncheck()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(dialog).toBeHidden()
    expect((await dashboard.call('GET', '/v1/platform/handoff-rules')).rules).toEqual({
      keywords: ['human'],
      message: 'A colleague will write to you here.',
    })
    await page.goto(dashboard.botPage(''))
    await page.getByRole('button', { name: 'Do not show again' }).click()
    await expect(page.getByText('Until the first answer of a person')).toBeVisible()
    await expect(page.getByText(/^Median of \d/).first()).toBeVisible()
  })

  test('shows receipts, edits and deletes on both sides, and filters by the address', async () => {
    const { url, webhookId } = dashboard.server.credentials
    const rules = { keywords: ['human'], message: 'A colleague will write to you here.' }
    await dashboard.call('PUT', '/v1/platform/handoff-rules', rules)
    const owner = await dashboard.open('owner')
    const talker = await (await owner.context().browser()!.newContext()).newPage()
    await talker.goto(`${url}/talk/${webhookId}`)
    await talker.getByLabel('Your message').fill('A human, about periwinkles')
    await talker.keyboard.press('Enter')
    await expect(talker.locator('.message.own.sent')).toHaveCount(1)
    await owner.goto(inbox('?list=open'))
    const rows = owner.getByRole('region', { name: 'Handoffs' }).getByRole('link')
    await owner.getByRole('combobox', { name: 'Handed over by' }).click()
    await owner.getByRole('option', { name: 'A rule' }).click()
    await owner.getByLabel('User or words').fill('periwin')
    await expect(owner).toHaveURL(/source=rule.*text=periwin/)
    await expect(async () => {
      await owner.reload()
      await expect(rows).toHaveCount(1)
    }).toPass()
    await expect(owner.getByLabel('User or words')).toHaveValue('periwin')
    await expectAccessible(owner)
    await owner.getByLabel('Tag', { exact: true }).fill('topic=none')
    await expect(owner.getByText('No handoff matches the filters')).toBeVisible()
    await owner.getByLabel('Tag', { exact: true }).fill('')
    await rows.click()
    await expect(talker.locator('.receipt')).toHaveCount(0)
    await take(owner, 'Take')
    await expect(talker.locator('.receipt')).toHaveText('Read')
    // A person's answer cannot be stopped.
    const stop = talker.getByRole('button', { name: 'Stop answer' })
    await expect(stop).toBeHidden()
    await composer(owner).pressSequentially('Helo')
    await expect(talker.locator('#typing')).toBeVisible()
    expect(await stop.isVisible()).toBe(false)

    const below = (state: string) => transcript(owner).getByText(state, { exact: true })
    await composer(owner).fill('Helo')
    await owner.keyboard.press('Control+Enter')
    await expect(below('Read')).toHaveCount(1)
    await hide(talker, true)
    await composer(owner).fill('Are you there?')
    await owner.keyboard.press('Control+Enter')
    await expect(below('Delivered')).toHaveCount(1)
    await hide(talker, false)
    await expect(below('Read')).toHaveCount(2)

    const other = await dashboard.open('developer')
    await other.goto(owner.url())
    await expect(transcript(other).getByText('Helo', { exact: true })).toBeVisible()
    await expect(other.getByRole('button', { name: /Edit the message/ })).toHaveCount(0)
    const edit = owner.getByRole('button', { name: /Edit the message/ })
    await edit.first().click()
    await owner.getByLabel('Text', { exact: true }).fill('Hello **you**')
    await button(owner, 'Save').click()
    for (const page of [talker, transcript(other), transcript(owner)])
      await expect(page.getByText('Hello you')).toBeVisible()
    await expect(talker.getByText('edited', { exact: true })).toBeVisible()
    await expect(transcript(other).getByText('Read · Edited')).toBeVisible()
    await expect(talker.getByText(/ joined the conversation$/)).toHaveCount(1)
    await owner
      .getByRole('button', { name: /Delete the message/ })
      .first()
      .click()
    await owner.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    for (const page of [talker, transcript(other), transcript(owner)])
      await expect(page.getByText('Hello you')).toHaveCount(0)
    await talker.reload()
    await expect(talker.getByText('Are you there?')).toBeVisible()
    await expect(talker.locator('.receipt')).toHaveText('Read')
    await dashboard.call('PUT', '/v1/platform/handoff-rules', {})
    await button(owner, 'Return to the bot').click()
    const turn = talker.getByText('The bot answers again', { exact: true })
    await expect(turn).toBeVisible()
    await talker.getByLabel('Your message').fill('And now?')
    await talker.keyboard.press('Enter')
    await expect(talker.getByText('echo And now?', { exact: true })).toBeVisible()
    for (const load of [() => {}, () => talker.reload()]) {
      await load()
      await expect(talker.getByText('echo And now?', { exact: true })).toBeVisible()
      await expect(turn).toBeVisible()
      const shown = (await talker.locator('#log').textContent())!
      const order = [
        'Are you there?',
        'The bot answers again',
        'And now?',
        'echo And now?',
      ]
      const places = order.map((text) => shown.indexOf(text))
      expect(places).toEqual(places.toSorted((a, b) => a - b))
    }
  })

  test('a viewer reads handoffs; a member assigns one to another, or lets it wait', async () => {
    const { id } = await handOver(ana.conversationId)
    const viewer = await dashboard.open('viewer')
    await viewer.goto(inbox(`/${id}`))
    await expect(transcript(viewer).getByText('Hello Ana')).toBeVisible()
    for (const name of ['Take', 'Assign', 'Return to the bot', 'Close as solved'])
      await expect(button(viewer, name)).toHaveCount(0)
    const owner = await dashboard.open('owner')
    await owner.goto(inbox(`/${id}`))
    await button(owner, 'Assign').click()
    await expect(owner.getByRole('menuitem', { name: 'viewer@example.org' })).toHaveCount(
      0,
    )
    await owner.getByRole('menuitem', { name: 'developer@example.org' }).click()
    await expect(viewer.getByRole('alert')).toContainText('developer@example.org answers')
    await button(owner, 'Assign').click()
    await owner.getByRole('menuitem', { name: 'Let it wait' }).click()
    await expect(viewer.getByText('No person answers yet')).toBeVisible()
  })

  test('a session of the plugin hitl comes and goes, and is answered at the help desk', async () => {
    const page = await dashboard.open('owner')
    await page.goto(inbox())
    const sessions = page.getByRole('region', { name: 'Handoffs' }).getByRole('link')
    const [eve, path] = await escalate('Eve')
    await sessions.filter({ hasText: 'Eve' }).click()
    await expect(page.getByText('People answer at the help desk.')).toBeVisible()
    for (const name of ['Take', 'Assign']) await expect(button(page, name)).toHaveCount(0)
    await expect(button(page, 'Return to the bot')).toBeVisible()
    await dashboard.call('POST', path, { payload: { hitlActive: false } })
    await expect(
      page.getByText('Returned to the bot, which answers again.'),
    ).toBeVisible()
    await expect(sessions.filter({ hasText: 'Eve' })).toHaveCount(0)
    expect(await eve.texts()).toEqual([])
  })

  test('asks once for the name that visitors see, before the first answer', async () => {
    const dana = await dashboard.converse('Dana')
    await dana.say('Where is my parcel?')
    const { id } = await handOver(dana.conversationId)
    const page = await dashboard.open('manager')
    await page.goto(inbox(`/${id}`))
    await button(page, 'Take').click()
    const dialog = page.getByRole('dialog', { name: 'Your name in the chat' })
    await expect(dialog.getByLabel('Name')).toBeFocused()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('No person answers yet')).toBeVisible()
    await button(page, 'Take').click()
    await dialog.getByLabel('Name').fill('Nadia')
    await page.keyboard.press('Enter')
    await expect(composer(page)).toBeFocused()
    await expect(page.getByText('Visitors see you as Nadia.')).toBeVisible()
    await button(page, 'Assign').click()
    await page.getByRole('menuitem', { name: 'Let it wait' }).click()
    await button(page, 'Take').click()
    await expect(composer(page)).toBeEnabled()
    await expect(dialog).toHaveCount(0)
    await button(page, 'Close as solved').click()
    await expect(page.getByText('The bot answers new messages').first()).toBeVisible()
  })

  test('names a user without a name by the id that its client chose', async () => {
    const buyer = await dashboard.converse(undefined, 'buyer-17')
    await buyer.say('Where is my order?')
    await expect.poll(() => buyer.texts()).toContain('echo Where is my order?')
    const { id } = await handOver(buyer.conversationId)
    const page = await dashboard.open('viewer')
    await page.goto(inbox())
    const rows = page.getByRole('region', { name: 'Handoffs' }).getByRole('link')
    const row = rows.filter({ hasText: 'buyer-17' })
    await expect(row).toContainText('buyer-17')
    // The last message of the user, not of the bot.
    await expect(row.getByText('Where is my order?', { exact: true })).toBeVisible()
    await row.click()
    await expect(page.getByRole('heading', { level: 1, name: 'buyer-17' })).toBeVisible()
    await expect(transcript(page).getByRole('link', { name: 'buyer-17' })).toBeVisible()
    for (const [path, list] of [
      ['/users', 'Users'],
      ['/conversations', 'Conversations'],
    ] as const) {
      await page.goto(dashboard.botPage(path))
      await expect(page.getByRole('region', { name: list })).toContainText('buyer-17')
    }
    await dashboard.call('POST', `/v1/platform/handoffs/${id}/close`, {
      outcome: 'solved',
    })
  })

  test('an open handoff says that it was deleted when the data of its user is erased', async () => {
    const exact = { exact: true }
    const cleo = await dashboard.converse('Cleo')
    await cleo.say('My address is Elm Street 5')
    const { id } = await handOver(cleo.conversationId)
    const [reader, other] = [
      await dashboard.open('developer'),
      await dashboard.open('owner'),
    ]
    await reader.goto(inbox(`/${id}`))
    await expect(
      transcript(reader).getByText('My address is Elm Street 5', exact),
    ).toHaveCount(1)
    await other.goto(dashboard.botPage(`/conversations/${cleo.conversationId}`))
    await expect(
      transcript(other).getByText('My address is Elm Street 5', exact),
    ).toHaveCount(1)
    await dashboard.call('POST', `/v1/platform/users/${cleo.userId}/erasures`, {})
    await expect(reader.getByText('This handoff was deleted')).toBeVisible()
    for (const text of ['Elm Street 5', 'Cleo', 'Order 17'])
      await expect(reader.getByText(text)).toHaveCount(0)
    await expect(other.getByText('Elm Street 5')).toHaveCount(0)
    const missing: string[] = []
    reader.on(
      'response',
      (response) => response.status() === 404 && missing.push(response.url()),
    )
    await escalate('Dora')
    await expect(reader.getByText('Dora', exact)).toBeVisible()
    expect(missing).toEqual([])
  })
})

// Conversations and users in the dashboard: search, transcripts of any length, details, tags.
import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { sql } from 'kysely'
import { beforeAll, test } from 'vitest'
import {
  dashboard,
  describeDashboard,
  desktop,
  expect,
  expectAccessibleLooks,
  phone,
  pressEnterOn,
} from '../../support/dashboard.ts'

let conversationId: string
const hostile = '<img src=x onerror=alert(1)> \u202e Ana'

describeDashboard('conversations in the dashboard', () => {
  beforeAll(talk, 60_000)

  /** A conversation of 1,000 messages, and one in which the visitor writes. */
  async function talk() {
    const { server, database } = dashboard
    const { botId } = server.credentials
    for (const [name, text] of [
      ['Bo', 'hello **there**'],
      [hostile, 'I want a refund'],
    ] as const) {
      const talker = await dashboard.converse(name)
      await talker.say(text)
      conversationId = talker.conversationId
    }
    await sql`
      insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
        created_at, updated_at)
      select ${botId}, 'msg_' || lpad(i::text, 26, '0'), ${conversationId}, ${botId}, -i, 'outgoing',
        'text', jsonb_build_object('text', 'Old message ' || i),
        now() - i * interval '1 minute', now() from generate_series(1, 1000) i`.execute(
      database.db,
    )
    await sql`update conversation set message_count = message_count + 1000, first_number = -1000
      where id = ${conversationId}`.execute(database.db)
    await expect
      .poll(
        async () =>
          (await dashboard.call('GET', '/v1/platform/conversations?text=refund'))
            .conversations.length,
        {
          timeout: 10_000,
        },
      )
      .toBe(1)
  }

  const list = () => dashboard.botPage('/conversations')
  const openDetails = (page: Page) =>
    page.getByRole('complementary').getByText('Details', { exact: true }).click()

  test('searches by words, and keeps the filter in the address', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(list())
    const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
    await expect(rows).toHaveCount(2)
    // The answer of the bot, without its Markdown.
    await expect(rows.filter({ hasText: 'hello there' })).toHaveCount(1)
    await page.getByLabel('Search messages').fill('refu')
    await expect(rows).toHaveCount(1)
    await expect(rows).toContainText('I want a refund')
    await expect(rows.locator('mark')).toHaveText(['refund'])
    await expect(page).toHaveURL(/text=refu/)
    await page.reload()
    await expect(rows).toHaveCount(1)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(rows).toHaveCount(2)
    await page.getByLabel('Search messages').fill('nothing like this')
    await expect(page.getByText('No conversation matches the filters')).toBeVisible()
  })

  test('opens the found message, and scrolls through a long transcript', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}?text=refund`)
    await page.getByRole('region', { name: 'Conversations' }).getByRole('link').click()
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await expect(
      transcript.getByText('I want a refund', { exact: true }),
    ).toBeInViewport()
    await transcript.focus()
    await expect
      .poll(
        async () => {
          await transcript.evaluate((element) => element.scrollTo(0, 0))
          return transcript.getByText('Old message 1000', { exact: true }).count()
        },
        { timeout: 30_000 },
      )
      .toBe(1)
    expect(await transcript.getByRole('listitem').count()).toBeLessThan(60)
  }, 60_000)

  test('shows new messages as they arrive', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}/${conversationId}`)
    const transcript = page.getByRole('region', { name: 'Transcript' })
    await expect(transcript.getByText('Old message 1', { exact: true })).toBeVisible()
    await openDetails(page)
    const count = page.getByText('Messages:', { exact: true }).locator('..')
    const before = Number(/\d+/.exec((await count.textContent())!))
    const overview = await dashboard.open('viewer')
    await overview.goto(list())
    await expect(overview.getByText('I want a refund').first()).toBeVisible()
    await dashboard.call('POST', '/v1/chat/messages', {
      conversationId,
      userId: dashboard.server.credentials.botId,
      type: 'text',
      payload: { text: 'A new answer' },
      tags: {},
    })
    await expect(transcript.getByText('A new answer')).toHaveCount(1, { timeout: 10_000 })
    await expect(count).toContainText(String(before + 1))
    await expect(overview.getByRole('link', { name: /A new answer/ })).toBeVisible()
  })

  test('shows a message as JSON with its event, and exports the conversation', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}?text=refund`)
    await page.getByRole('region', { name: 'Conversations' }).getByRole('link').click()
    const message = page.getByRole('listitem').filter({ hasText: 'I want a refund' })
    await message
      .first()
      .getByRole('button', { name: /Details of the message/ })
      .click()
    const details = page.getByRole('dialog', { name: 'Details' })
    const trace = details.getByRole('region', { name: 'Event' })
    await expect(trace).toContainText('Message received')
    await page.reload()
    await expect(trace).toContainText('Message received')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export JSON' }).click(),
    ])
    const { messages } = JSON.parse(await readFile(await download.path(), 'utf8'))
    expect(messages.length).toBeGreaterThan(1_000)
  })

  test('names the users in its title, and keeps heads beside their messages', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}/${conversationId}`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `Conversation with ${hostile}`,
    )
    // As in the inbox: users at the left, bot and team at the right.
    const findEdge = async (element: Locator, isEnd: boolean) => {
      const box = await element.boundingBox()
      return box ? box.x + (isEnd ? box.width : 0) : Number.NaN
    }
    for (const [text, isOfBot] of [
      ['I want a refund', false],
      ['Old message 1', true],
    ] as const) {
      const bubble = page.locator('.bubble').getByText(text, { exact: true }).first()
      const row = page.getByRole('listitem').filter({ has: bubble })
      const head = isOfBot
        ? row.getByRole('button', { name: /Details/ })
        : row.getByRole('link')
      for (const element of [head, row.locator('.bubble')])
        await expect
          .poll(async () =>
            Math.abs((await findEdge(element, isOfBot)) - (await findEdge(row, isOfBot))),
          )
          .toBeLessThan(40)
    }
  })

  test('filters by a user that is found by name, tag or id', async () => {
    const { users } = await dashboard.call('GET', '/v1/platform/users')
    const { id } = users.find(
      ({ user }: { user: { name?: string } }) => user.name === 'Bo',
    ).user
    await dashboard.call('PUT', `/v1/chat/users/${id}`, { tags: { plan: 'gold' } })
    const page = await dashboard.open('viewer')
    await page.goto(list())
    const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
    const user = page.getByRole('combobox', { name: 'User' })
    for (const text of ['bo', 'plan=gold', id]) {
      await page.getByRole('button', { name: /^Filters/ }).click()
      await user.fill(text)
      await page.getByRole('option', { name: /^Bo / }).click()
      await expect(rows).toHaveCount(1)
      await expect(page).toHaveURL(new RegExp(`user=${id}`))
      await page.reload()
      await page.getByRole('button', { name: /^Remove filter User: Bo / }).click()
      await expect(rows).toHaveCount(2)
    }
  })

  test.each([
    ['phone', phone],
    ['desktop', desktop],
  ])('folds filters behind a button, and removes each: %s', async (_, size) => {
    const page = await dashboard.open('viewer', { size })
    await page.goto(`${list()}?errors=false&feedback=positive&text=refund`)
    const button = page.getByRole('button', { name: 'Filters (2)' })
    await expect(button).toHaveAttribute('aria-expanded', 'false')
    await expect(page.getByLabel('Tag')).toHaveCount(0)
    await pressEnterOn(button)
    await expect(button).toHaveAttribute('aria-expanded', 'true')
    await expect(page.getByLabel('Tag')).toBeVisible()
    await expectAccessibleLooks(page)
    await pressEnterOn(
      page.getByRole('button', { name: 'Remove filter Errors: Without errors' }),
    )
    await expect(page).toHaveURL(/conversations\?(?!.*errors).*feedback=positive/)
    // The focus stays near the removed button.
    await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeFocused()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).toHaveURL(/conversations$/)
    await expect(page.getByRole('button', { name: 'Filters', exact: true })).toBeFocused()
  })

  test('hides conversations in which no visitor has written, until a filter shows them', async () => {
    const silent = await dashboard.converse('Silent Sam')
    const greeted = await dashboard.converse('Greeted Gus')
    await dashboard.call('POST', '/v1/chat/messages', {
      conversationId: greeted.conversationId,
      userId: dashboard.server.credentials.botId,
      type: 'text',
      payload: { text: 'Welcome' },
      tags: {},
    })
    const page = await dashboard.open('viewer')
    await page.goto(list())
    const rows = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
    await expect(rows).toHaveCount(2)
    await expect(page.getByText(/Silent Sam|Greeted Gus/)).toHaveCount(0)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    await page.getByRole('combobox', { name: 'Empty conversations' }).click()
    await page.getByRole('option', { name: 'Only these' }).click()
    await expect(rows).toHaveCount(2)
    await expect(rows.filter({ hasText: 'Silent Sam' })).toContainText('No messages')
    await expect(rows.filter({ hasText: 'Greeted Gus' })).toContainText('Bot: Welcome')
    await expectAccessibleLooks(page)
    for (const { conversationId: id } of [silent, greeted])
      await dashboard.call('DELETE', `/v1/chat/conversations/${id}`)
  })

  test('names visitors, and shows what they wrote last, unread and unanswered', async () => {
    const talker = await dashboard.converse()
    const page = await dashboard.open('viewer')
    await page.goto(list())
    await expect(page.getByText('I want a refund').first()).toBeVisible()
    await talker.say('Are you there?')
    const code = talker.userId.slice(-6).toUpperCase()
    const row = page.getByRole('link', { name: new RegExp(`^Visitor ${code}`) })
    await expect(row).toContainText('Are you there?')
    await expect(row).toContainText(/Bot: .*Are you there/)
    await expect(row.getByText('Unread')).toBeVisible()
    await expect(row.getByText('Unanswered')).toHaveCount(0)
    // As in a conversation with a person, to which the bot says nothing.
    await dashboard.call('POST', '/v1/platform/handoffs', {
      conversationId: talker.conversationId,
      assign: true,
    })
    await talker.say('Hello?', { page: 'https://shop.example/cart', language: 'de-CH' })
    await expect(row).toContainText('Hello?')
    await expect(row.getByText('Unanswered')).toBeVisible()
    // Each visitor has a colour, and white or dark letters on it.
    const colours = await page
      .getByRole('region', { name: 'Conversations' })
      .evaluate((region) => {
        const marks = [...region.querySelectorAll<HTMLElement>('a [aria-hidden=true]')]
        return marks.map((mark) => getComputedStyle(mark).backgroundColor)
      })
    // Two of them may be the same.
    expect(new Set(colours).size).toBeGreaterThan(1)
    expect(colours.join()).not.toMatch(/rgba|transparent/)
    await expect(row).toContainText('German · shop.example/cart')
    await expectAccessibleLooks(page)
    await row.click()
    const info = page.getByRole('complementary')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `Conversation with Visitor ${code}`,
    )
    await expect(info.getByText('https://shop.example/cart')).toBeVisible()
    await expect(info.getByText('German')).toBeVisible()
    await expect(page.getByText('Hello?')).toBeVisible()
    await page.goBack()
    await expect(row).toBeVisible()
    await expect(row.getByText('Unread')).toHaveCount(0)
    await dashboard.call('DELETE', `/v1/chat/conversations/${talker.conversationId}`)
    await dashboard.call('DELETE', `/v1/chat/users/${talker.userId}`)
  })

  test('shows the person and other conversations first, and ids and tags on demand', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/${conversationId}`)
    const info = page.getByRole('complementary')
    const titles = info.getByRole('heading', { level: 2 })
    await expect(titles).toHaveText(['Person', 'Other conversations', 'Notes'])
    await expect(info.getByText('No other conversations')).toBeVisible()
    await expect(info.getByText(conversationId)).toHaveCount(0)
    await pressEnterOn(info.getByText('Details', { exact: true }))
    await expect(info.getByText(conversationId)).toBeVisible()
    await expect(titles).toHaveText([
      'Person',
      'Other conversations',
      'Notes',
      'About the conversation',
      'Participants',
      'Tags',
      'States',
    ])
    await expectAccessibleLooks(page)
  })

  test('edits tags and participants by role', async () => {
    const page = await dashboard.open('owner')
    await page.goto(`${list()}/${conversationId}`)
    const info = page.getByRole('complementary')
    await openDetails(page)
    const participants = info.getByRole('region', { name: 'Participants' })
    await info.getByLabel('Name').fill('topic')
    await info.getByLabel('Value').fill('refund')
    await info.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(info.getByText('topic=refund')).toBeVisible()
    await dashboard.call('POST', '/v1/chat/users', { name: 'Second', tags: {} })
    await info.getByLabel('New participant').fill('secon')
    await page.getByRole('option', { name: /^Second/ }).click()
    await info.getByRole('button', { name: 'Add participant' }).click()
    await expect(participants.getByRole('link', { name: 'Second' })).toBeVisible()
    await info.getByRole('button', { name: 'Remove Second' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: 'Remove', exact: true })
      .click()
    await expect(info.getByRole('link', { name: 'Second' })).toHaveCount(0)
    for (let number = 1; number <= 22; number++) {
      const user = { name: `Guest ${number}`, tags: {} }
      const { id: userId } = (await dashboard.call('POST', '/v1/chat/users', user)).user
      const path = `/v1/chat/conversations/${conversationId}/participants`
      await dashboard.call('POST', path, { userId })
    }
    await page.reload()
    await openDetails(page)
    await info.getByRole('button', { name: 'More participants' }).click()
    await expect(participants.getByRole('link', { name: /^Guest \d+$/ })).toHaveCount(22)
    await page.goto(`${list()}?tag=topic%3Drefund`)
    await expect(
      page.getByRole('region', { name: 'Conversations' }).getByRole('link'),
    ).toHaveCount(1)

    const viewer = await dashboard.open('viewer')
    await viewer.goto(`${list()}/${conversationId}`)
    await openDetails(viewer)
    await expect(viewer.getByText('topic=refund')).toBeVisible()
    for (const name of ['Add', /^Remove /])
      await expect(viewer.getByRole('button', { name })).toHaveCount(0)
  })

  test('finds users, and their conversations', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(dashboard.botPage('/users'))
    await page.getByLabel('Name').fill('ana')
    const rows = page.getByRole('region', { name: 'Users' }).getByRole('link')
    await expect(rows).toHaveCount(1)
    // The bot is no user of this list.
    await page.getByLabel('Name').fill('echo')
    await expect(page.getByText('No user matches the filters')).toBeVisible()
    await page.getByLabel('Name').fill('ana')
    await expect(rows).toHaveCount(1)
    await rows.press('Enter')
    await expect(page).toHaveURL(/\/users\/user_/)
    const found = page.getByRole('region', { name: 'Conversations' }).getByRole('link')
    await found.click()
    await expect(page.getByRole('region', { name: 'Transcript' })).toBeVisible()
    const info = page.getByRole('complementary')
    // An earlier test adds further participants.
    await openDetails(page)
    await info.getByRole('button', { name: 'More participants' }).click()
    await info.getByRole('link', { name: hostile }).first().click()
    await expect(page).toHaveURL(/\/users\/user_/)
  })

  test('shows a deleted conversation as not found', async () => {
    const page = await dashboard.open('viewer')
    await page.goto(`${list()}/conv_${'0'.repeat(26)}`)
    await expect(page.getByRole('alert')).toBeVisible()
  })
})

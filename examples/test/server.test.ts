// Publishes the examples to a server and chats with them.
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from '../../packages/cli/src/documents/bot-document.ts'
import { openScene, type Scene } from '../../packages/server/test/support/scene.ts'

let scene: Scene
const soon = { timeout: 20_000, interval: 50 }
const long = { timeout: 60_000 }

beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
})
afterAll(() => scene?.close())

async function publish(name: string, knowledgeBases: string[] = []) {
  const { document } = readDocument(
    fileURLToPath(new URL(`../${name}/bot.json`, import.meta.url)),
  )
  const { bot } = (
    await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: { name } })
  ).body
  const asBot = { ...scene.asBot, 'x-bot-id': bot.id as string }
  const made = knowledgeBases.map(async (base) => {
    const options = { headers: asBot, body: { name: base } }
    return (await scene.call('POST', '/v1/files/knowledge-bases', options)).body
      .knowledgeBase.id as string
  })
  const knowledgeBaseIds = await Promise.all(made)
  const published = await scene.call(
    'POST',
    `/v1/admin/bots/${bot.id}/publish-from-bot-json`,
    {
      headers: scene.admin,
      body: { botJson: document },
    },
  )
  expect(published.body).not.toHaveProperty('message')
  const { integrations } = (
    await scene.call('GET', `/v1/admin/bots/${bot.id}`, {
      headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
    })
  ).body.bot
  return {
    id: bot.id as string,
    knowledgeBaseIds,
    asBot,
    chat: `/chat/${integrations.chat.webhookId}`,
  }
}

async function talk({ chat, asBot }: Awaited<ReturnType<typeof publish>>) {
  const { user, key } = (await scene.call('POST', `${chat}/users`, { body: {} })).body
  const headers = { 'x-user-key': key as string }
  const { conversation } = (
    await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  ).body
  const botTexts = async (): Promise<string[]> => {
    const { messages } = (
      await scene.call('GET', `${chat}/conversations/${conversation.id}/messages`, {
        headers,
      })
    ).body
    return messages
      .filter(({ userId }: { userId: string }) => userId !== user.id)
      .map(({ payload }: { payload: { text: string } }) => payload.text)
      .reverse()
  }
  let received = 0
  return {
    conversation,
    botTexts,
    asBot,
    /** Sends a text and returns the bot's answers. */
    async say(text: string, answers = 1) {
      received = (await botTexts()).length
      await scene.call('POST', `${chat}/messages`, {
        headers,
        body: { conversationId: conversation.id, payload: { type: 'text', text } },
      })
      return this.receive(answers)
    },
    async receive(answers: number) {
      await expect
        .poll(async () => (await botTexts()).length, soon)
        .toBe(received + answers)
      return (await botTexts()).slice(received)
    },
  }
}

const rowsOf = async (table: string, headers: Record<string, string>) =>
  (await scene.call('POST', `/v1/tables/${table}/rows/find`, { headers, body: {} })).body
    .rows

test(
  'the FAQ bot answers from its knowledge base and stores open questions',
  long,
  async () => {
    const bot = await publish('faq-bot', ['faq'])
    const tags = { source: 'knowledge-base', kbId: bot.knowledgeBaseIds[0]! }
    const { file } = (
      await scene.call('PUT', '/v1/files', {
        headers: bot.asBot,
        body: { key: 'shop.md', size: 1, tags },
      })
    ).body
    const passages = [{ content: 'Opening hours: we are open from 9 to 5 on weekdays.' }]
    await scene.call('PUT', `/v1/files/${file.id}/passages`, {
      headers: bot.asBot,
      body: { passages },
    })
    const ana = await talk(bot)
    expect(await ana.say('What are your opening hours?')).toEqual([
      `${passages[0]!.content}\n\nSource: shop.md`,
    ])
    expect(await ana.say('Boats?')).toEqual(["I don't know that. Shall a person answer?"])
    expect(await ana.say('by e-mail')).toEqual(['What is your e-mail address?'])
    expect(await ana.say('ana@example.com')).toEqual([
      'Thank you. We will write to ana@example.com.',
    ])
    expect(await rowsOf('OpenQuestionsTable', bot.asBot)).toMatchObject([
      {
        question: 'Boats?',
        email: 'ana@example.com',
        userId: expect.stringMatching(/^user_/),
      },
    ])
    const [{ userId }] = await rowsOf('OpenQuestionsTable', bot.asBot)
    const data = `/v1/platform/users/${userId}/personal-data`
    const { counts } = (await scene.call('GET', data, { headers: bot.asBot })).body
    expect(counts.tableRows).toBe(1)
  },
)

test(
  'the appointment bot books and schedules a reminder an hour before',
  long,
  async () => {
    const bot = await publish('appointment-bot')
    const bo = await talk(bot)
    expect(await bo.say('hi')).toEqual(['Welcome! What is your name?'])
    expect(await bo.say('Bo')).toEqual(['What would you like, Bo?'])
    expect(await bo.say('dye')).toEqual([
      expect.stringContaining('When would you like to come?'),
    ])
    const start = new Date(Date.now() + 86_400_000).toISOString()
    expect(await bo.say(start)).toEqual([
      expect.stringMatching(/^A colour on \w+day \d+ \w+ at \d\d:\d\d: is that right\?$/),
    ])
    expect(await bo.say('yes')).toEqual(['Done. I will remind you an hour before.'])
    expect(await rowsOf('AppointmentsTable', bot.asBot)).toMatchObject([
      { start, service: 'colour', name: 'Bo', conversationId: bo.conversation.id },
    ])
    const type = 'reminderDue'
    const about = {
      type,
      payload: { start, service: 'colour' },
      conversationId: bo.conversation.id,
    }
    const { events } = (
      await scene.call('GET', `/v1/chat/events?type=${type}`, { headers: bot.asBot })
    ).body
    expect(events).toMatchObject([{ ...about, status: 'scheduled' }])
    // Send the reminder event now instead of waiting for a day.
    await scene.call('POST', '/v1/chat/events', { headers: bot.asBot, body: about })
    await expect
      .poll(async () => (await bo.botTexts()).at(-1), soon)
      .toMatch(/^See you soon: your colour is at \d\d:\d\d\.$/)
    const { recurringEvents } = (
      await scene.call('GET', `/v1/admin/bots/${bot.id}`, { headers: scene.admin })
    ).body.bot
    expect(Object.values(recurringEvents)).toMatchObject([
      { schedule: { cron: '0 3 * * *' } },
    ])
  },
)

test(
  'the hooks showcase redacts, uses tags, drops secrets and logs; an error of a hook becomes an issue',
  long,
  async () => {
    const bot = await publish('hooks-showcase')
    const cy = await talk(bot)
    expect(await cy.say('my card is 4111 1111 1111 1111')).toEqual([
      'You said in English: my card is [card number]',
    ])
    expect(await cy.say('fail')).toEqual(['You said in English: fail'])
    expect(await cy.say('bye')).toEqual(['Goodbye'])
    const issues = async () =>
      (
        await scene.call('GET', `/v1/admin/bots/${bot.id}/issues`, {
          headers: scene.admin,
        })
      ).body.issues
    await expect
      .poll(async () => (await issues())[0]?.groupedData.message.raw, soon)
      .toContain('This is an issue of the bot now')
    const logs = async () =>
      (
        await scene.call(
          'GET',
          `/v1/admin/bots/${bot.id}/logs?timeStart=2020-01-01T00:00:00Z`,
          {
            headers: scene.admin,
          },
        )
      ).body.logs.map(({ message }: { message: string }) => message)
    await expect.poll(logs, soon).toContain(`over: ${cy.conversation.id}`)
    const { observations } = (
      await scene.call('GET', '/v1/platform/observations?name=flows.turn', {
        headers: bot.asBot,
      })
    ).body
    expect(observations.length).toBeGreaterThan(0)
    expect(JSON.stringify([await logs(), observations])).not.toContain('4111')
  },
)

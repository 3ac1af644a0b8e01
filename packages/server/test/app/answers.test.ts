// The template "Questions and answers" over three documents of a shop, without any model.
import { readFileSync } from 'node:fs'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toDocx, toPdf } from '../support/office-documents.ts'
import { openScene, type Scene } from '../support/scene.ts'

const template = JSON.parse(
  readFileSync(new URL('../../../../examples/faq-bot/bot.json', import.meta.url), 'utf8'),
)

const documents = {
  'return-policy.pdf': toPdf([
    { text: 'Return policy', size: 18 },
    { text: '' },
    { text: 'You can return any unused item within 30 days after the delivery.' },
    { text: '' },
    { text: 'Refunds', size: 14 },
    { text: '' },
    { text: 'We refund the price to your card within five working days.' },
    { text: '' },
    { text: 'Damaged parcels', size: 14 },
    { text: '' },
    {
      text: 'Send us a photo of a damaged parcel within 48 hours, and we replace the item.',
    },
  ]),
  'price-list.docx': toDocx([
    { heading: 'Price list' },
    {
      rows: [
        ['Article', 'Price'],
        ['Baking stone', '24.90 €'],
        ['Rolling pin', '12.50 €'],
        ['Bread basket', '17.00 €'],
        ['Flour sieve', '8.20 €'],
      ],
    },
    { heading: 'Shipping' },
    {
      text: 'Shipping costs 4.90 € and takes two to three days. We ship within Germany.',
    },
  ]),
  'opening-hours.md': Buffer.from(
    [
      '# Opening hours',
      'The shop is open Monday to Friday from 9:30 to 18:30, and on Saturday until 14:00.',
      '## Parking',
      'There are six parking spaces in the yard. Parking is free for an hour.',
      '## Holidays',
      'From 24 December to 1 January the shop is closed.',
    ].join('\n\n'),
  ),
}

const questions: [question: string, answer: string][] = [
  ['When are you open?', '9:30 to 18:30'],
  ['How much is a baking stone?', '24.90 €'],
  ['How can I return something?', 'within 30 days'],
  ['How long do I have to return an item?', '30 days'],
  ['What does a rolling pin cost?', '12.50 €'],
  ['What does shipping cost?', '4.90 €'],
  ['When do I get my refund?', 'five working days'],
  ['Where can I park?', 'in the yard'],
  ['My parcel arrived damaged', '48 hours'],
  ['Are you closed over the holidays?', '24 December'],
  ['price of the flour seive', '8.20 €'],
  ['How long does shipping take?', 'two to three days'],
]

let scene: Scene
let client: Client
beforeAll(async () => {
  scene = await openScene()
  const apiUrl = await scene.listen()
  client = new Client({
    apiUrl,
    token: scene.token,
    botId: scene.botId,
    retry: { retries: 0 },
  })
  const { knowledgeBase } = await client.createKnowledgeBase({ name: 'faq' } as never)
  for (const [key, content] of Object.entries(documents))
    await client.uploadFile({
      key,
      content,
      index: true,
      tags: { source: 'knowledge-base', kbId: knowledgeBase.id },
    })
  const all = Object.keys(documents).map(() => 'indexing_completed')
  await vi.waitFor(
    async () =>
      expect((await client.listFiles({})).files.map(({ status }) => status)).toEqual(all),
    { timeout: 90_000, interval: 100 },
  )
  await publish(template)
}, 180_000)
afterAll(() => scene?.close())

async function publish(botJson: object) {
  const { body } = await scene.call(
    'POST',
    `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
    {
      headers: scene.admin,
      body: { botJson },
    },
  )
  expect(body).not.toHaveProperty('message')
}

interface Reply {
  payload: { type: string; text: string; options?: { label: string }[] }
  metadata?: { unanswered?: boolean; citations?: { fileKey: string; page?: number }[] }
}

/** Asks in a new conversation, and returns the bot's reply to the question. */
const ask = async (text: string) => (await converse([text]))[0]!

/** Returns the bot's replies to messages of a new conversation, without its greeting. */
async function converse(texts: string[]): Promise<Reply[]> {
  const { headers } = await scene.chatUser()
  const at = `/chat/${scene.webhookId}`
  const { conversation } = (
    await scene.call('POST', `${at}/conversations`, { headers, body: {} })
  ).body
  const path = `${at}/conversations/${conversation.id}/messages`
  const sent = async () => {
    const { messages } = (await scene.call('GET', path, { headers })).body
    return messages.filter(
      ({ userId, payload }: { userId: string; payload: { text?: string } }) =>
        userId === scene.botId && !payload.text?.startsWith('Hello!'),
    )
  }
  for (const [at, text] of texts.entries()) {
    await scene.call('POST', path.replace(/\/conversations.*/, '/messages'), {
      headers,
      body: { conversationId: conversation.id, payload: { type: 'text', text } },
    })
    await expect.poll(async () => (await sent()).length, { timeout: 60_000 }).toBe(at + 1)
  }
  return (await sent()).sort((a: { createdAt: string }, b: { createdAt: string }) =>
    a.createdAt.localeCompare(b.createdAt),
  )
}

describe('the template "Questions and answers"', () => {
  test('answers at least nine of twelve questions, and none wrongly', {
    timeout: 300_000,
  }, async () => {
    const results = []
    for (const [question, answer] of questions) {
      const { payload, metadata } = await ask(question)
      const isRight = payload.text.includes(answer)
      results.push({
        question,
        text: payload.text,
        isRight,
        isUnknown: metadata?.unanswered,
      })
    }
    expect(results.filter(({ isRight, isUnknown }) => !isRight && !isUnknown)).toEqual([])
    expect(results.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(9)
  })

  test('answers with the row of a table and its source', {
    timeout: 60_000,
  }, async () => {
    const { payload, metadata } = await ask('How much is a baking stone?')
    expect(payload.text).toBe(
      'Article: Baking stone | Price: 24.90 €\n\nSource: price-list.docx',
    )
    expect(metadata!.citations).toMatchObject([{ fileKey: 'price-list.docx' }])
  })

  test.each([
    'do you deliver to Austria?',
    'Do you sell cake tins?',
    'Can I pay with Klarna?',
  ])(
    'does not answer "%s", and offers a person',
    { timeout: 60_000 },
    async (question) => {
      const { payload } = await ask(question)
      expect(payload.text).toBe("I don't know that. Shall a person answer?")
      expect(payload.options!.map(({ label }) => label)).toContain('Talk to a person')
    },
  )

  test.each([
    [
      'Verkaufen Sie auch Fahrräder?',
      'Antwort per E-Mail',
      [
        'Das weiß ich nicht. Soll ein Mensch antworten?',
        'Wie lautet Ihre E-Mail-Adresse?',
        'Das ist keine E-Mail-Adresse.',
        'Danke. Wir schreiben an ana@example.com.',
      ],
    ],
    [
      '¿Cuándo puedo recoger mi bicicleta?',
      'Respuesta por correo',
      [
        'No lo sé. ¿Quiere que le responda una persona?',
        '¿Cuál es su dirección de correo electrónico?',
        'Eso no es una dirección de correo electrónico.',
        'Gracias. Escribiremos a ana@example.com.',
      ],
    ],
  ])(
    'answers "%s" in its language to the end',
    { timeout: 120_000 },
    async (question, byMail, said) => {
      const replies = await converse([question, byMail, 'hm', 'ana@example.com'])
      expect(replies.map(({ payload }) => payload.text)).toEqual(said)
      expect(replies[0]!.payload.options!.map(({ label }) => label)).toContain(byMail)
    },
  )

  test("sends the author's own sentence in every language", {
    timeout: 120_000,
  }, async () => {
    const own = structuredClone(template)
    own.variables.configuration.unknown.default = { en: 'Ask us by phone.' }
    await publish(own)
    expect((await ask('Verkaufen Sie auch Fahrräder?')).payload.text).toBe(
      'Ask us by phone.',
    )
    await publish(template)
  })

  test('records no issue about a model, which the template does not need', async () => {
    const path = `/v1/admin/bots/${scene.botId}/issues`
    const { body } = await scene.call('GET', path, { headers: scene.admin })
    expect(body.issues.map(({ code }: { code: string }) => code)).toEqual([])
    const card = { type: 'aiText', instructions: 'Greet', onFail: 'failed' }
    await publish(withCards([card]))
    await ask('Hi')
    const codes = async () =>
      (await scene.call('GET', path, { headers: scene.admin })).body.issues.map(
        ({ code }: { code: string }) => code,
      )
    await expect.poll(codes, { timeout: 15_000 }).toEqual(['model_missing'])
  })
})

const withCards = (cards: object[]) => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: { type: 'start', cards },
        failed: { type: 'standard', cards: [{ type: 'send', message: 'failed' }] },
      },
    },
  },
})

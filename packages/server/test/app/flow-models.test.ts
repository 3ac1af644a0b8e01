// Cards that call models in real conversations: hosted code, the gateway with its budgets and
// ledger, and the search of indexed files. Only the provider of the models is a stand-in.
import { readFileSync } from 'node:fs'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../support/model-provider.ts'
import { type ModelScene, openModelScene } from '../support/model-scene.ts'
import { killHostedCode } from '../support/processes.ts'

const long = { timeout: 60_000 }
const soon = { timeout: 30_000, interval: 50 }
const hotel = JSON.parse(
  readFileSync(
    new URL('../../../../examples/hotel-bot/bot.json', import.meta.url),
    'utf8',
  ),
)

/** None for embeddings, which would call the provider for files and questions. */
const models = {
  'openai:gpt': { price: { input: 2, output: 8 } },
  'mistral:small': {},
  'local:llama': {},
}

let provider: ModelProvider
let scene: ModelScene
let client: Client
let replies: (Reply | (() => Reply | Promise<Reply>))[]

beforeAll(async () => {
  provider = await openModelProvider(async () => {
    const reply = replies.shift() ?? {}
    return typeof reply === 'function' ? reply() : reply
  })
  const config = { retrySeconds: Array(20).fill(0.2) }
  scene = await openModelScene(provider.url, { models, aliases: {} }, { config })
  const apiUrl = await scene.listen()
  const { token, botId } = scene
  client = new Client({ apiUrl, token, botId, retry: { retries: 0 } })
})
afterAll(async () => {
  await scene?.close()
  await provider?.close()
})
beforeEach(() => {
  replies = []
  provider.requests.length = 0
})

const json = (value: unknown): Reply => ({ text: [JSON.stringify(value)] })

async function publish(botJson: object) {
  const published = await scene.call(
    'POST',
    `/v1/admin/bots/${scene.botId}/publish-from-bot-json`,
    { headers: scene.admin, body: { botJson } },
  )
  expect(published.body).not.toHaveProperty('message')
}

/** Opens a conversation. `say` returns the bot's next message. */
async function talk() {
  const { headers } = await scene.chatUser()
  const at = `/chat/${scene.webhookId}`
  const { conversation } = (
    await scene.call('POST', `${at}/conversations`, { headers, body: {} })
  ).body
  // biome-ignore lint/suspicious/noExplicitAny: the contract check covers its shape
  const sent = async (): Promise<any[]> => {
    const { messages } = (
      await scene.call('GET', `${at}/conversations/${conversation.id}/messages`, {
        headers,
      })
    ).body
    return messages
      .filter(({ userId }: { userId: string }) => userId === scene.botId)
      .sort((a: { createdAt: string }, b: { createdAt: string }) =>
        a.createdAt.localeCompare(b.createdAt),
      )
  }
  const say = async (text: string, count = 1) => {
    const before = (await sent()).length
    const body = { conversationId: conversation.id, payload: { type: 'text', text } }
    await scene.call('POST', `${at}/messages`, { headers, body })
    await expect.poll(async () => (await sent()).length, soon).toBe(before + count)
    return (await sent()).at(-1)
  }
  return { conversation, sent, say }
}

const asBot = async (path: string) =>
  (await scene.call('GET', path, { headers: scene.asBot })).body

/** Returns the steps of this kind of all turns. */
const traced = async (kind: string) =>
  (await asBot(`/v1/platform/observations?name=flows.turn`)).observations.flatMap(
    ({ data }: { data: { steps: { kind: string }[] } }) =>
      data.steps.filter((step) => step.kind === kind),
  )

test(
  'the hotel bot books, answers from an indexed file and does not invent',
  long,
  async () => {
    const { knowledgeBase } = await client.createKnowledgeBase({ name: 'hotel' } as never)
    const tags = {
      source: 'knowledge-base',
      kbId: knowledgeBase.id,
      title: 'House rules',
    }
    const content =
      '# House rules\n\nBreakfast is served from 7 to 10 in the winter garden.'
    const { file } = await client.uploadFile({
      key: 'rules.md',
      content,
      index: true,
      tags,
    })
    await expect
      .poll(async () => (await client.getFile({ id: file.id })).file.status, soon)
      .toBe('indexing_completed')
    await publish(hotel)
    const guest = await talk()

    const answer = 'From 7 to 10 [1], says the chef [9]. On Sundays until noon [1].'
    const unsupported = {
      number: 2,
      verdict: 'unsupported',
      reason: 'nothing about Sundays',
    }
    const verdicts = [{ number: 1, verdict: 'supported', passage: 1 }, unsupported]
    replies = [json({ choice: 2 }), json({ answer }), json({ sentences: verdicts })]
    const { payload, metadata } = await guest.say('When is breakfast served?')
    expect(payload.text).toBe(
      'From 7 to 10 [1], says the chef.\n\nSources:\n[1] House rules',
    )
    expect(metadata.citations).toMatchObject([
      { number: 1, title: 'House rules', fileId: file.id, fileKey: 'rules.md' },
    ])
    expect(metadata.citations[0].passage).toContain('winter garden')
    for (const at of [1, 2]) expect(provider.requests[at]!.raw).toContain('winter garden')

    replies = [json({ choice: 2 })]
    expect((await guest.say('Qualified helicopter mechanics?')).payload.text).toBe(
      'I do not know that. Please ask at the reception.',
    )
    expect(provider.requests).toHaveLength(4)

    replies = [json({ choice: 1 }), json({ room: 'double', guests: 2 })]
    await guest.say('a double room for two')
    replies = [json({ value: 14 })]
    expect((await guest.say('a fortnight')).payload.text).toBe(
      'A double room for 2, 14 nights. Thank you!',
    )

    const calls = async () =>
      (await asBot(`/v1/platform/model-calls?conversationId=${guest.conversation.id}`))
        .calls
    await expect.poll(calls, soon).toHaveLength(7)
    expect((await calls()).at(-1)).toMatchObject({
      source: 'main/start',
      eventId: expect.stringMatching(/^evt_/),
      outcome: 'ok',
    })
    await expect.poll(() => traced('model'), soon).toHaveLength(7)
    expect(await traced('note')).toContainEqual(
      expect.objectContaining({
        text: 'removed “On Sundays until noon [1].”: no cited passage supports it (nothing about Sundays)',
      }),
    )
    expect((await traced('model'))[0]).toMatchObject({
      model: 'openai:gpt',
      inputTokens: 10,
      outputTokens: 5,
      cost: expect.closeTo(0.00006),
    })
  },
)

const failing = (card: object) => ({
  kind: 'bot',
  version: 2,
  flows: {
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [{ type: 'aiText', instructions: 'Greet', onFail: 'failed', ...card }],
        },
        failed: {
          type: 'standard',
          cards: [{ type: 'send', message: '{{ turn.error.reason }}' }],
        },
      },
    },
  },
})

test(
  'an agent that searches knowledge sends the curated answer to the question',
  long,
  async () => {
    const nodes = {
      start: { type: 'start', next: 'help' },
      help: { type: 'agent', instructions: 'Help.', tools: [{ type: 'knowledge' }] },
    }
    const knowledgeBases = { spa: { name: 'spa' } }
    await client.createKnowledgeBase({ name: 'spa' } as never)
    await publish({ kind: 'bot', version: 2, knowledgeBases, flows: { main: { nodes } } })
    const headers = scene.asBot
    const curated = {
      questions: ['Is there a sauna?'],
      text: 'Yes, in the cellar.',
      buttons: [{ label: 'Book it' }],
      validTo: '2999-01-01T00:00:00Z',
    }
    await scene.call('POST', '/v1/platform/curated-answers', { headers, body: curated })
    const search = (query: string) => ({
      toolCalls: [
        { id: 'call_1', name: 'search_knowledge', input: JSON.stringify({ query }) },
      ],
    })
    const guest = await talk()
    replies = [search('sauna spa')]
    expect(await guest.say('is there a sauna')).toMatchObject({
      payload: {
        type: 'choice',
        text: 'Yes, in the cellar.',
        options: [{ label: 'Book it' }],
      },
      metadata: { curatedAnswer: { question: 'Is there a sauna?' } },
    })
    expect(provider.requests).toHaveLength(1)
    await expect
      .poll(() => traced('note'), soon)
      .toContainEqual(
        expect.objectContaining({
          text: expect.stringContaining('answered by a curated answer'),
        }),
      )
    replies = [search('pool'), { text: ['There is no pool.'] }]
    expect((await guest.say('And a pool?')).payload.text).toBe('There is no pool.')
    expect(provider.requests.at(-1)!.raw).toContain('Yes, in the cellar.')
  },
)

test('continues at onFail after each kind of failure', long, async () => {
  await publish(failing({ model: 'local:llama' }))
  const { say } = await talk()
  replies = [{ status: 500 }, { status: 500 }, { status: 500 }]
  expect((await say('hi')).payload.text).toBe('unavailable')
  replies = [{ status: 401 }]
  expect((await say('hi')).payload.text).toBe('rejected')
  await publish(failing({ model: 'none:none' }))
  expect((await say('hi')).payload.text).toBe('notConfigured')
  await publish({
    ...failing({ model: 'mistral:small' }),
    settings: { modelTimeout: 300 },
  })
  replies = [{ delayMs: 5_000 }]
  expect((await say('hi')).payload.text).toBe('unavailable')
  const { budget } = (
    await scene.call('POST', '/v1/platform/model-budgets', {
      headers: scene.admin,
      body: { scope: 'conversation', unit: 'calls', period: 'total', maximum: 1 },
    })
  ).body
  await publish(failing({}))
  const other = await talk()
  expect((await other.say('hi')).payload.text).toBe('Hello')
  expect((await other.say('hi')).payload.text).toBe('budget')
  await scene.call('DELETE', `/v1/platform/model-budgets/${budget.id}`, {
    headers: scene.admin,
  })
})

test(
  'pays for no call again when the process ends in the middle of a turn',
  long,
  async () => {
    const output = { type: 'string', minLength: 3 }
    const task = { type: 'aiTask', instructions: 'First', output, into: 'workflow.text' }
    const bot = failing({ instructions: 'Second' })
    const { main } = bot.flows
    Object.assign(main, { variables: { text: { type: 'string' } } })
    main.nodes.start.cards.unshift(task as never)
    await publish(bot)
    const { say } = await talk()
    let kills = 0
    const end = (reply: Reply): Reply => {
      kills += killHostedCode(process.pid)
      // The gateway notices the disconnection first, and cancels the call.
      return { ...reply, delayMs: 1_000 }
    }
    replies = [
      json({ value: 'x' }),
      () => end(json({ value: 'never received' })),
      json({ value: 'long enough' }),
      () => end({ text: ['never received'] }),
      { text: ['Done'] },
    ]
    expect((await say('hi')).payload.text).toBe('Done')
    expect(kills).toBeGreaterThanOrEqual(2)
    const isFirst = ({ raw }: { raw: string }) =>
      raw.includes('First') && !raw.includes('not valid')
    expect(provider.requests.filter(isFirst)).toHaveLength(1)
    expect(provider.requests).toHaveLength(5)
  },
)

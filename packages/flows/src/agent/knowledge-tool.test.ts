// Agents that search knowledge, and curated answers.
import { expect, test } from 'vitest'
import { inTurn, openBot, type Reply, withAgent } from '../../test/agent-bot.ts'
import type { Json } from '../engine/platform.ts'

type Curated = Record<string, Json & { text: string }>

const search = (query: string): [string, Json] => ['search_knowledge', { query }]

/** A bot on a server with these curated answers by question. */
function openShop(curated: Curated, replies: Reply[], fields: Json = {}) {
  const asked: Json[] = []
  const searches: string[] = []
  const given = withAgent(
    { tools: [{ type: 'knowledge', knowledgeBases: ['docs'] }], ...fields },
    { knowledgeBases: { docs: { name: 'Documents' } } },
  )
  const bot = openBot(given, {
    model: inTurn(...replies),
    others({ path, body }) {
      if (path === '/v1/platform/curated-answers/find') {
        asked.push(body as Json)
        const { question } = body as { question: string }
        const found = Object.hasOwn(curated, question) ? curated[question] : undefined
        return found
          ? { match: { id: `answer of ${found.text}`, question, buttons: [], ...found } }
          : {}
      }
      if (path.startsWith('/v1/files/knowledge-bases'))
        return { knowledgeBases: [{ id: 'kb_1', name: 'Documents' }], meta: {} }
      searches.push(path)
      return {
        passages: [
          { content: 'At nine.', score: 1, file: { id: 'f', key: 'k', tags: {} } },
        ],
      }
    },
  })
  const notes = () =>
    bot.state.traces
      .at(-1)!
      .steps.flatMap((step) => (step.kind === 'note' ? [step.text] : []))
  return { ...bot, asked, searches, notes }
}

test('sends the curated answer to the words of the user as it is, without the model', async () => {
  const curated = { 'When open?': { text: 'From {{ 9 }} to 5.' } }
  const bot = openShop(curated, [
    { calls: [search('opening hours')] },
    'You are welcome.',
  ])
  expect(await bot.say('When open?')).toEqual(['From {{ 9 }} to 5.'])
  expect(bot.server.sent[0]!.payload.metadata).toEqual({
    curatedAnswer: { id: 'answer of From {{ 9 }} to 5.', question: 'When open?' },
  })
  expect(bot.asked).toEqual([{ question: 'When open?', knowledgeBases: ['Documents'] }])
  expect([bot.searches, bot.requests.length]).toEqual([[], 1])
  expect(bot.notes()).toEqual([
    'answered by a curated answer: answer of From {{ 9 }} to 5. (“When open?”)',
  ])
  expect(await bot.say('Thanks')).toEqual(['You are welcome.'])
  expect(bot.requests[1]!.messages.slice(2)).toMatchObject([
    {
      type: 'tool_result',
      content: expect.stringContaining('"answer":"From {{ 9 }} to 5."'),
    },
    { role: 'assistant', content: 'From {{ 9 }} to 5.' },
    { role: 'user', content: 'Thanks' },
  ])
})

test('finds the answer by the words of the model, and sends picture and buttons', async () => {
  const buttons = [{ label: 'Where?' }, { label: 'Order', value: 'I order' }]
  const imageUrl = 'https://ok.test/a.png'
  const curated = { 'opening hours': { text: 'From 9 to 5.', buttons, imageUrl } }
  const bot = openShop(curated, [
    { text: 'One moment.', calls: [search('opening hours')] },
  ])
  await bot.say('hm, tell me when I can come')
  expect(
    bot.server.sent.map(({ type, payload }) => ({ type, ...payload })),
  ).toMatchObject([
    { type: 'text', text: 'One moment.' },
    { type: 'image', imageUrl },
    {
      type: 'choice',
      text: 'From 9 to 5.',
      options: [
        { label: 'Where?', value: 'Where?' },
        { label: 'Order', value: 'I order' },
      ],
    },
  ])
  expect(bot.requests).toHaveLength(1)
})

test('searches the documents without a curated answer', async () => {
  const bot = openShop({}, [{ calls: [search('hours')] }, 'At nine.'])
  expect(await bot.say('When?')).toEqual(['At nine.'])
  expect(bot.results()).toEqual([[{ source: 'k', content: 'At nine.' }]])
})

test('continues with further calls of the reply, and sends no answer twice', async () => {
  const curated = { 'When open?': { text: 'From 9 to 5.' } }
  const calls = [search('hours'), search('parking')]
  const bot = openShop(curated, [{ calls }, 'Parking is free.'])
  expect(await bot.say('When open?')).toEqual(['From 9 to 5.', 'Parking is free.'])
  expect(bot.results()).toMatchObject([
    { answer: 'From 9 to 5.', note: expect.stringContaining('has received') },
    [{ source: 'k' }],
  ])
  const again = openShop(curated, [{ calls: [search('hours')] }])
  expect(await again.say('When open?')).toEqual(['From 9 to 5.'])
  expect(await again.say('When open?')).toEqual(['From 9 to 5.'])
})

test('takes an exit that the answer leaves open', async () => {
  const curated = { 'When open?': { text: 'From 9 to 5.' } }
  const exits = {
    done: { when: 'event.preview === "When open?" && workflow.count === 1', to: 'after' },
  }
  const variables = { set: ['workflow.count'] }
  const calls: [string, Json][] = [
    ['set_variables', { 'workflow.count': 1 }],
    search('hours'),
  ]
  const bot = openShop(curated, [{ calls }], { exits, variables })
  expect(await bot.say('When open?')).toEqual(['From 9 to 5.', 'after  1'])
})

test('an interrupted turn sends picture and answer once', async () => {
  const curated = {
    'When open?': { text: 'From 9 to 5.', imageUrl: 'https://ok.test/a.png' },
  }
  for (let cutAt = 1; cutAt < 30; cutAt++) {
    const bot = openShop(curated, [{ calls: [search('hours')] }])
    const event = bot.createMessage('When open?')
    bot.state.cutAt = cutAt
    await bot.handle(event).catch(() => {})
    bot.state.cutAt = Number.POSITIVE_INFINITY
    await bot.handle(event)
    expect(
      bot.server.sent.map(({ type }) => type),
      `cut at ${cutAt}`,
    ).toEqual(['image', 'text'])
  }
})

// The event objects of flows in a real conversation: every field of the incoming and the outgoing
// event in hooks, actions, code cards and {{ }}.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../support/scene.ts'

let scene: Scene
/** The response to a bot without a knowledge base. */
let rejected: Awaited<ReturnType<Scene['call']>>
let knowledgeBaseId: string
let talk: Awaited<ReturnType<typeof openTalk>>
/** Ids of the messages that the visitor has sent. */
let first: string
let second: string

beforeAll(async () => {
  scene = await openScene()
  await scene.listen()
  rejected = await publish()
  const created = await scene.call('POST', '/v1/files/knowledge-bases', {
    headers: scene.asBot,
    body: { name: 'Handbook' },
  })
  knowledgeBaseId = created.body.knowledgeBase.id
  expect((await publish()).status).toBe(200)
  talk = await openTalk()
  first = await talk.say('hello')
  await untilReported(2)
  second = await talk.say('again')
  await untilReported(3)
}, 60_000)
afterAll(() => scene?.close())

const untilReported = (count: number) =>
  vi.waitFor(async () => expect(await talk.reports()).toHaveLength(count), soon)

const publish = () =>
  scene.call('POST', `/v1/admin/bots/${scene.botId}/publish-from-bot-json`, {
    headers: scene.admin,
    body: { botJson },
  })

/** Returns code for the JSON value of an event, and whether its time is a Date. */
const seen = (name: string) =>
  `({ ...JSON.parse(JSON.stringify(${name})), isDate: ${name}.createdOn instanceof Date })`

/** Sends the events that the hook, a code card, an action and the text itself see. */
const report = [
  {
    type: 'code',
    name: 'look',
    code: `turn.card = ${seen('event')}; turn.action = (await actions.describe()).event`,
  },
  {
    type: 'send',
    name: 'report',
    message: [
      '{{ JSON.stringify({ hook: turn.hook, card: turn.card, action: turn.action, ',
      `field: ${seen('event')} }) }}`,
    ].join(''),
  },
]

const botJson = {
  kind: 'bot',
  version: 2,
  user: { tags: { lang: {} } },
  conversation: { tags: { topic: {} } },
  message: { tags: { kind: {} } },
  knowledgeBases: { docs: { name: 'Handbook' } },
  triggers: { hello: { type: 'conversationStarted', flow: 'greet' } },
  hooks: [
    {
      kind: 'beforeIncoming',
      code: `turn.hook = ${seen('event')}; session.count = (session.count ?? 0) + 1`,
    },
    {
      kind: 'beforeOutgoing',
      code: `outgoingEvent.tags = { ...outgoingEvent.tags, message: { kind: 'test' } }
        turn.second = await actions.describe({ event: ${seen('outgoingEvent')} })`,
    },
    {
      kind: 'beforeOutgoing',
      code: `outgoingEvent.payload.text = JSON.stringify({
        ...JSON.parse(outgoingEvent.payload.text), outgoing: turn.second.event, answered: event })`,
    },
  ],
  actions: {
    describe: {
      input: { schema: {} },
      output: { schema: {} },
      code: `return input.event ? { event: input.event } : { event: ${seen('event')} }`,
    },
  },
  flows: {
    greet: { nodes: { begin: { type: 'entry', cards: report } } },
    main: {
      nodes: {
        start: {
          type: 'start',
          cards: [
            { type: 'transition', when: 'event.preview.startsWith("?")', to: 'search' },
            { type: 'tag', of: 'conversation', tags: { topic: 'events' } },
            { type: 'tag', of: 'user', tags: { lang: 'de' } },
            ...report,
          ],
        },
        search: {
          type: 'standard',
          cards: [
            { type: 'queryKnowledge', query: '{{ event.preview.slice(1) }}' },
            ...report,
          ],
        },
      },
    },
  },
}

type Seen = Record<string, unknown>
const soon = { timeout: 20_000, interval: 50 }

async function openTalk() {
  const ana = await scene.chatUser({ name: 'Ana' })
  const { conversation } = (
    await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: ana.headers,
      body: {},
    })
  ).body
  const say = async (text: string) => {
    const body = { conversationId: conversation.id, payload: { type: 'text', text } }
    return (
      await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
        headers: ana.headers,
        body,
      })
    ).body.message.id as string
  }
  const reports = async (): Promise<Record<string, Seen>[]> => {
    const { messages } = (
      await scene.call('GET', `/v1/chat/messages?conversationId=${conversation.id}`, {
        headers: scene.asBot,
      })
    ).body
    return messages
      .filter(({ direction }: { direction: string }) => direction === 'outgoing')
      .map(({ payload, tags }: { payload: { text: string }; tags: object }) => ({
        ...JSON.parse(payload.text),
        tags,
      }))
      .reverse()
  }
  return { say, reports, conversation }
}

test('has every field in incoming and outgoing events', async () => {
  expect(rejected).toMatchObject({
    status: 400,
    body: {
      metadata: {
        problems: [
          {
            pointer: '/knowledgeBases/docs',
            message: expect.stringContaining('no knowledge base "Handbook"'),
          },
        ],
      },
    },
  })
  const { reports, conversation } = talk
  const [greeting, , later] = (await reports()) as [
    Record<string, Seen>,
    unknown,
    Record<string, Seen>,
  ]
  const events = (
    await scene.call('GET', `/v1/chat/events?conversationId=${conversation.id}`, {
      headers: scene.asBot,
    })
  ).body.events as Seen[]
  const told = events.find(({ messageId }) => messageId === second)!

  const id = {
    botId: scene.botId,
    conversationId: conversation.id,
    integration: 'chat',
    userId: expect.stringMatching(/^user_/),
  }
  const incoming = {
    ...id,
    id: told.id,
    createdOn: told.createdAt,
    isDate: true,
    direction: 'incoming',
    type: 'text',
    messageId: second,
    payload: { text: 'again' },
    preview: 'again',
  }
  const where = (currentCard: string) => ({
    session: { count: 2 },
    context: { currentFlow: 'main', currentNode: 'start', currentCard },
  })
  const tags = { conversation: { topic: 'events' }, user: { lang: 'de' }, message: {} }
  expect(later.hook).toMatchObject({
    ...incoming,
    tags,
    state: { session: {}, context: {} },
  })
  expect(later.card).toMatchObject({ ...incoming, tags, state: where('look') })
  expect(later.action).toMatchObject({ ...incoming, tags, state: where('look') })
  expect(later.field).toMatchObject({ ...incoming, tags, state: where('report') })
  for (const event of [later.hook, later.card, later.action, later.field] as Seen[])
    for (const absent of ['trigger', 'kb', 'incomingEventId'])
      expect(event).not.toHaveProperty(absent)
  const { hook, card, action, field } = later
  expect(later.outgoing).toMatchObject({
    ...id,
    direction: 'outgoing',
    type: 'text',
    incomingEventId: told.id,
    isDate: true,
    createdOn: expect.stringMatching(/^\d{4}-.*Z$/),
    id: expect.any(String),
    payload: { text: JSON.stringify({ hook, card, action, field }) },
    preview: JSON.stringify({ hook, card, action, field }),
    state: where('report'),
    tags: { ...tags, message: { kind: 'test' } },
  })
  expect(later.outgoing).not.toHaveProperty('messageId')
  expect(later.tags).toMatchObject({ kind: 'test' })

  const trigger = {
    flowId: 'greet',
    nodeId: 'begin',
    conversationId: conversation.id,
    integration: 'chat',
    userId: id.userId,
    eventName: 'message_created',
  }
  expect(greeting.field).toMatchObject({
    ...id,
    trigger,
    messageId: first,
    state: {
      context: { currentFlow: 'greet', currentNode: 'begin', currentCard: 'report' },
    },
  })
  expect(greeting.outgoing).toMatchObject({ trigger, direction: 'outgoing' })
})

test('has the results of knowledge bases in every event', {
  timeout: 40_000,
}, async () => {
  const tags = { source: 'knowledge-base', kbId: knowledgeBaseId, title: 'Rules' }
  const { file } = (
    await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: { key: 'rules.md', size: 1, tags },
    })
  ).body
  const content = 'Thirty days of holidays a year'
  const stored = await scene.call('PUT', `/v1/files/${file.id}/passages`, {
    headers: scene.asBot,
    body: { passages: [{ content }] },
  })
  expect(stored.status).toBe(200)
  await talk.say('? how many holidays')
  await untilReported(4)
  const { card, action, field, answered, outgoing } = (await talk.reports())[3]!
  const kb = {
    included: ['Handbook'],
    results: [
      {
        content,
        score: expect.any(Number),
        title: 'Rules',
        fileId: file.id,
        fileKey: 'rules.md',
        knowledgeBase: 'Handbook',
      },
    ],
  }
  for (const event of [card, action, field, answered, outgoing])
    expect(event!.kb).toEqual(kb)
})

test('writes a trace of each turn', async () => {
  const traces = async () =>
    (
      await scene.call('GET', '/v1/platform/observations?name=flows.turn', {
        headers: scene.asBot,
      })
    ).body.observations as { data: Seen }[]
  const findTrace = async (preview: string) =>
    (await traces()).find(({ data }) => (data.event as Seen).preview === preview)?.data
  await expect
    .poll(() => findTrace('again'), soon)
    .toMatchObject({
      outcome: 'done',
      steps: expect.arrayContaining([
        expect.objectContaining({ kind: 'hook', hook: 'beforeIncoming' }),
        expect.objectContaining({
          kind: 'set',
          variable: 'session.count',
          from: '1',
          to: '2',
        }),
        expect.objectContaining({ kind: 'node', flow: 'main', node: 'start' }),
        expect.objectContaining({ kind: 'card', type: 'code', name: 'look' }),
        expect.objectContaining({ kind: 'call', what: 'describe' }),
        expect.objectContaining({ kind: 'said', type: 'text' }),
      ]),
    })
})

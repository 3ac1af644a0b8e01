// The Botpress plugin `hitl` with an integration that implements the interface `hitl`: a handoff
// is open while the plugin's session is active.

import type { Handoff } from '@botstead/contract'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  type CodeAtUrl,
  openCodeServer,
  type ReceivedCall,
} from '../../../test/support/code-at-url.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { hitl, hitlPlugin } from '../../../test/support/sdk-hitl/definition.ts'
import { bundled, packageBody } from '../../../test/support/sdk-sources.ts'

let scene: Scene
let desk: CodeAtUrl
/** Texts and tickets that the help desk received. */
const received: unknown[] = []
let asDesk: Record<string, string>
let user: { id: string; headers: Record<string, string> }
let conversationId: string
const soon = { timeout: 30_000, interval: 50 }
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

async function admin(line: string, body: unknown) {
  const [method, path] = line.split(' ') as ['PUT', string]
  const headers = { ...scene.admin, 'x-multiple-integrations': 'true' }
  const reply = await scene.call(method, `/v1/admin/${path}`, { headers, body })
  expect([line, reply.status, reply.body]).toEqual([line, 200, reply.body])
  return reply.body
}
const runtime = async (path: string, body: object, headers: Record<string, string>) => {
  const reply = await scene.call('POST', `/v1/chat/${path}`, { headers, body })
  expect([reply.status < 300, reply.body]).toEqual([true, reply.body])
  return reply.body
}

/** The help desk: a user and a conversation for each ticket. */
async function atDesk({ operation, body }: ReceivedCall) {
  if (operation === 'message_created') received.push(body.payload.text)
  if (operation !== 'action_triggered') return {}
  received.push(body.type)
  if (body.type === 'createUser') {
    const made = await runtime('users', { name: body.input.name, tags: {} }, asDesk)
    return { body: { output: { userId: made.user.id } } }
  }
  if (body.type !== 'openTicket') return { body: { output: {} } }
  const made = await runtime('conversations', { channel: 'ticket', tags: {} }, asDesk)
  ticketId = made.conversation.id
  return { body: { output: { conversationId: ticketId } } }
}
let ticketId: string

beforeAll(async () => {
  desk = await openCodeServer(atDesk)
  const code = await bundled('sdk-hitl/bot.ts')
  scene = await openScene()
  asDesk = { ...scene.asBot, 'x-integration-alias': 'desk' }
  await scene.listen()
  const body = packageBody(hitl as never)
  const made = await admin('POST interfaces', {
    name: hitl.name,
    version: hitl.version,
    ...body,
    public: true,
  })
  const { createUser, startHitl, stopHitl } = body.actions
  const { hitlAssigned, hitlStopped } = body.events
  const parts = {
    entities: {},
    actions: { startHitl: { name: 'openTicket' }, stopHitl: { name: 'closeTicket' } },
    events: {
      hitlAssigned: { name: 'ticketAssigned' },
      hitlStopped: { name: 'ticketClosed' },
    },
    channels: { hitl: { name: 'ticket' } },
  }
  const { integration } = await admin('POST integrations', {
    name: 'helpdesk',
    version: '1.0.0',
    url: `${desk.url}/`,
    actions: { createUser, openTicket: startHitl, closeTicket: stopHitl },
    events: { ticketAssigned: hitlAssigned, ticketClosed: hitlStopped },
    channels: { ticket: body.channels!.hitl },
    interfaces: { hitl: { id: made.interface.id, ...parts } },
  })
  const { plugin } = await admin('POST plugins', {
    name: hitlPlugin.name,
    version: hitlPlugin.version,
    code: { node: 'x', browser: 'x' },
    ...packageBody(hitlPlugin as never),
    dependencies: { interfaces: { hitl: { id: made.interface.id } } },
  })
  const backing = { integrationId: integration.id, integrationAlias: 'desk' }
  await admin(`PUT bots/${scene.botId}`, {
    code,
    integrations: { desk: { integrationId: integration.id, enabled: true } },
    plugins: {
      hitl: {
        id: plugin.id,
        configuration: {},
        integrations: {},
        interfaces: { hitl: { ...backing, integrationInterfaceAlias: 'hitl' } },
      },
    },
  })
})
afterAll(async () => {
  await scene?.close()
  await desk?.close()
})

const chat = (path: string, body?: object) =>
  scene.call(body ? 'POST' : 'GET', `/chat/${scene.webhookId}/${path}`, {
    headers: user.headers,
    ...(body && { body }),
  })
const say = (text: string) =>
  chat('messages', { conversationId, payload: { type: 'text', text } })
async function lastText(): Promise<string> {
  const { body } = await chat(`conversations/${conversationId}/messages`)
  return body.messages[0].payload.text
}
async function answerAtDesk(text: string) {
  const { user } = await runtime('users', { name: 'Kim', tags: {} }, asDesk)
  const to = { conversationId: ticketId, userId: user.id, tags: {} }
  return (await runtime('messages', { ...to, type: 'text', payload: { text } }, asDesk))
    .message
}
async function findStatus(messageId: string): Promise<string> {
  const path = `/v1/chat/events?messageId=${messageId}`
  return (await scene.call('GET', path, { headers: scene.asBot })).body.events[0]?.status
}
const handoffs = async (query = '') =>
  (await scene.call('GET', `/v1/platform/handoffs?${query}`, { headers: scene.asBot }))
    .body.handoffs
const times = async () =>
  (await scene.call('GET', '/v1/platform/handoff-times', { headers: scene.asBot })).body
const ofConversation = () => handoffs(`conversationId=${conversationId}`)
/** Types of the events that the bot has received, without those of messages. */
async function listEventTypes(): Promise<string[]> {
  const path = `/v1/chat/events?conversationId=${conversationId}`
  const { body } = await scene.call('GET', path, { headers: scene.asBot })
  return body.events
    .map(({ type }: { type: string }) => type)
    .filter((type: string) => type !== 'message_created')
}

/** Opens a conversation that is escalated to the help desk. */
beforeEach(async () => {
  user = await scene.chatUser({ name: 'Ana' })
  conversationId = (await chat('conversations', {})).body.conversation.id
  received.length = 0
  await say('human')
  await expect.poll(() => handoffs('state=open'), soon).toHaveLength(1)
})

test('holds the conversation until the help desk closes the ticket', async () => {
  expect(received).toEqual(['createUser', 'openTicket'])
  // Of the two conversations, only that of the user is held.
  expect(await handoffs('state=open')).toMatchObject([
    { conversationId, source: 'hitl', botReceives: 'everything', state: 'waiting' },
  ])
  await say('my pot is broken')
  await expect.poll(() => received.at(-1), soon).toBe('my pot is broken')
  await answerAtDesk('A new one comes')
  await expect.poll(lastText, soon).toBe('A new one comes')
  // Greetings of the plugin are no answers; a message of the agent is, also before the session ends.
  const before = await times()
  expect(before).toMatchObject({ firstAnswer: { count: 1 }, solution: { count: 0 } })

  const closing = { type: 'ticketClosed', payload: { conversationId: ticketId } }
  await runtime('events', { ...closing, conversationId: ticketId }, asDesk)
  await expect
    .poll(ofConversation, soon)
    .toMatchObject([{ state: 'closed', outcome: 'solved' }])
  await expect.poll(lastText, soon).toBe('The human agent closed the conversation')
  await say('thanks')
  await expect.poll(lastText, soon).toBe('bot: thanks')
  expect(received).not.toContain('thanks')
  const after = await times()
  expect(after).toMatchObject({
    requested: 1,
    return: { count: 0 },
    solution: { count: 1 },
  })
  expect(after.firstAnswer).toEqual(before.firstAnswer)
  expect((await ofConversation())[0].answeredAt).toBeDefined()
  expect(await listEventTypes()).not.toContain('handoff_closed')
})

test('is assigned when an agent takes the ticket, again in each session', async () => {
  const { user: agent } = await runtime('users', { name: 'Kim', tags: {} }, asDesk)
  const take = async () => {
    const taken = { conversationId: ticketId, userId: agent.id }
    const event = { type: 'ticketAssigned', payload: taken, conversationId: ticketId }
    await runtime('events', event, asDesk)
    await expect.poll(ofConversation, soon).toMatchObject([{ state: 'assigned' }])
  }
  const waiting = async () =>
    (await handoffs('state=waiting')).filter(
      (one: Handoff) => one.conversationId === conversationId,
    )
  expect(await waiting()).toHaveLength(1)
  await take()
  expect(await waiting()).toEqual([])
  expect(await handoffs('state=open')).toMatchObject([{ state: 'assigned' }])
  const [{ id, assignedAt, assignedTo }] = await ofConversation()
  expect([Date.parse(assignedAt) > 0, assignedTo]).toEqual([true, undefined])
  const body = { outcome: 'solved' }
  await scene.call('POST', `/v1/platform/handoffs/${id}/close`, {
    headers: scene.asBot,
    body,
  })
  // The tags of the first session remain.
  await say('human')
  await expect.poll(waiting, soon).toHaveLength(1)
  const [{ id: second }] = await waiting()
  await scene.call('POST', `/v1/platform/handoffs/${second}/close`, {
    headers: scene.asBot,
    body,
  })
})

test('the action stopHitl of the plugin closes the handoff', async () => {
  await runtime(
    'actions',
    { type: 'hitl#stopHitl', input: { conversationId } },
    scene.asBot,
  )
  expect(await ofConversation()).toMatchObject([{ state: 'closed', outcome: 'returned' }])
  expect(await times()).toMatchObject({ firstAnswer: { count: 1 }, return: { count: 1 } })
  await expect.poll(() => received.at(-1), soon).toBe('closeTicket')
  expect(await listEventTypes()).not.toContain('handoff_closed')
})

test('the bot receives no event of a session that a member closes', async () => {
  const [{ id }] = await ofConversation()
  const body = { outcome: 'solved' }
  await scene.call('POST', `/v1/platform/handoffs/${id}/close`, {
    headers: scene.asBot,
    body,
  })
  await say('thanks')
  await expect.poll(lastText, soon).toBe('bot: thanks')
  expect(await listEventTypes()).not.toContain('handoff_closed')
})

test('messages of the help desk fire no rule', async () => {
  const setRules = async (rules: object) => {
    const request = { headers: scene.asBot, body: rules }
    const { status } = await scene.call('PUT', '/v1/platform/handoff-rules', request)
    expect(status).toBe(200)
  }
  const hours = { timezone: 'UTC', open: [], message: 'We are closed', handsOver: true }
  for (const rules of [{ keywords: ['person'] }, { hours }]) {
    await setRules(rules)
    const { id } = await answerAtDesk('I am a person')
    await expect.poll(() => findStatus(id), soon).toBe('processed')
    expect(await handoffs(`conversationId=${ticketId}`)).toEqual([])
  }
  await setRules({})
  const [{ id }] = await ofConversation()
  const body = { outcome: 'solved' }
  await scene.call('POST', `/v1/platform/handoffs/${id}/close`, {
    headers: scene.asBot,
    body,
  })
})

test('members cannot take the conversation; closing it ends the session of the plugin', async () => {
  const [{ id }] = await ofConversation()
  const call = (path: string, body: object) =>
    scene.call('POST', `/v1/platform/handoffs/${id}/${path}`, {
      headers: scene.asBot,
      body,
    })
  expect((await call('assign', { from: null, to: scene.accountId })).body).toMatchObject({
    type: 'RelationConflict',
    message: expect.stringContaining('is a session of the plugin "hitl"'),
  })
  expect((await call('close', { outcome: 'solved' })).body.handoff).toMatchObject({
    state: 'closed',
    outcome: 'solved',
  })
  received.length = 0
  await say('still there?')
  await expect.poll(lastText, soon).toBe('bot: still there?')
  expect(received).toEqual([])
  const { id: late } = await answerAtDesk('Are you there?')
  await expect.poll(() => findStatus(late), soon).toBe('processed')
  expect(await lastText()).toBe('bot: still there?')
})

// Handoffs: while a person holds a conversation, the bot receives nothing of it.
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Person } from '../../../test/support/chat-people.ts'
import {
  openRecordedScene,
  type RecordedScene,
} from '../../../test/support/recording-bot.ts'

let recorded: RecordedScene
/** The bot's key. */
let asBot: Record<string, string>
/** Two members. */
let asOwner: Record<string, string>
let asOther: Record<string, string>
let otherId: string

beforeAll(async () => {
  recorded = await openRecordedScene({}, 26)
  const { scene } = recorded
  asOwner = scene.asBot
  const asAdmin = { headers: scene.admin }
  const invited = { email: 'other@example.org', role: 'developer' }
  const member = await scene.call('POST', '/v1/admin/workspace-members', {
    ...asAdmin,
    body: invited,
  })
  otherId = member.body.userId
  const path = `/v1/platform/members/${member.body.id}/token`
  const { pat } = (await scene.call('POST', path, { ...asAdmin, body: {} })).body
  asOther = { ...asOwner, authorization: `Bearer ${pat.value}` }
  const key = await scene.call('POST', '/v1/admin/bots/baks', {
    ...asAdmin,
    body: { botId: scene.botId, note: '' },
  })
  asBot = { ...asOwner, authorization: `Bearer ${key.body.value}` }
}, 60_000)
afterAll(() => recorded?.close())

let person: Person
let next = 0
beforeEach(() => {
  recorded.bot.received.length = 0
  recorded.bot.behave(() => 200)
  person = recorded.people.people[next++]!
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const platform = (method: Method, path: string, body?: object, headers = asOwner) =>
  recorded.scene.call(method, `/v1/platform${path}`, { headers, ...(body && { body }) })
const call = (method: Method, path: string, body?: object, headers = asOwner) =>
  platform(method, `/handoffs${path}`, body, headers)
const request = async (more: object = {}, headers = asBot) => {
  const body = { conversationId: person.conversationId, ...more }
  const { body: reply } = await call('POST', '', body, headers)
  return reply.handoff
}
const say = (text: string) => recorded.people.say(person, text)
const texts = () => recorded.bot.received.map(({ text, event }) => text || event.type)
const receives = (...expected: string[]) =>
  vi.waitFor(() => expect(texts()).toEqual(expected), { timeout: 10_000 })
const findEvent = async (text: string) => {
  const { db } = recorded.scene.app.services
  return db
    .selectFrom('event as e')
    .innerJoin('message as m', (join) =>
      join.onRef('m.bot_id', '=', 'e.bot_id').onRef('m.id', '=', 'e.message_id'),
    )
    .select(['e.status', 'e.failure_reason'])
    .where('m.conversation_id', '=', person.conversationId)
    .where('m.payload', '=', JSON.stringify({ text }) as never)
    .executeTakeFirstOrThrow()
}

test('the bot receives nothing while a person holds the conversation, and then again', async () => {
  await say('before')
  await receives('before')
  const { id, ...handoff } = await request({
    reason: 'unclear',
    summary: 'wants money back',
  })
  expect(handoff).toEqual({
    conversationId: person.conversationId,
    state: 'waiting',
    reason: 'unclear',
    summary: 'wants money back',
    botReceives: 'nothing',
    tags: {},
    source: 'request',
    requestedAt: expect.any(String),
  })
  await say('during')
  await recorded.scene.call('POST', '/v1/chat/events', {
    headers: asBot,
    body: { type: 'reminder', payload: {}, conversationId: person.conversationId },
  })
  await vi.waitFor(async () => expect((await findEvent('during')).status).toBe('ignored'))
  expect((await findEvent('during')).failure_reason).toBe(
    'A person holds the conversation',
  )
  const assigned = await call('POST', `/${id}/assign`, { from: null, to: otherId })
  expect(assigned.body.handoff).toMatchObject({ state: 'assigned', assignedTo: otherId })
  const closed = await call('POST', `/${id}/close`, { outcome: 'returned' }, asOther)
  expect(closed.body.handoff).toMatchObject({ state: 'closed', outcome: 'returned' })
  await say('after')
  await receives('before', 'handoff_closed', 'after')
  expect(recorded.bot.received[1]!.event.payload).toEqual({
    conversationId: person.conversationId,
    handoffId: id,
    outcome: 'returned',
  })
})

test('with `everything`, the bot receives the messages of a held conversation', async () => {
  await request({ botReceives: 'everything' })
  await say('one')
  await receives('one')
})

test('the rules of the bot decide for requests that do not say what the bot receives', async () => {
  const rules = (body: object) => platform('PUT', '/handoff-rules', body)
  await rules({ botReceives: 'everything', keywords: ['human'] })
  const { id } = await request()
  await say('one')
  await receives('one')
  await call('POST', `/${id}/close`, { outcome: 'solved' })
  await say('a human please')
  expect((await request()).source).toBe('rule')
  await receives('one', 'handoff_closed', 'a human please')
  person = recorded.people.people[next++]!
  expect(await request({ botReceives: 'nothing' })).toMatchObject({
    botReceives: 'nothing',
  })
  await rules({})
  person = recorded.people.people[next++]!
  expect(await request()).toMatchObject({ botReceives: 'nothing' })
})

test('only this conversation of the bot is held', async () => {
  await request()
  person = recorded.people.people[next++]!
  await say('another')
  await receives('another')
})

test('a request of a person withholds pending messages and ends the running answer', async () => {
  let release = (_status: number) => {}
  const released = new Promise<number>((resolve) => {
    release = resolve
  })
  recorded.bot.behave(() => released)
  await say('running')
  await receives('running')
  await say('waiting')
  await request({ assign: true }, asOwner)
  release(200)
  for (const text of ['running', 'waiting'])
    await vi.waitFor(async () =>
      expect((await findEvent(text)).status, text).toBe('ignored'),
    )
  await receives('running')
})

test('the answer in which the bot requests a person continues', async () => {
  recorded.bot.behave(async ({ event }) => {
    await request({}, { ...asBot, 'x-botstead-cause': event.id })
    return 200
  })
  await say('help')
  await vi.waitFor(async () => expect((await findEvent('help')).status).toBe('processed'))
  await say('hello?')
  await vi.waitFor(async () => expect((await findEvent('hello?')).status).toBe('ignored'))
  await receives('help')
})

test('the action of the chat hands over, for the official client', async () => {
  const { scene } = recorded
  const { conversationId } = person
  const client = await scene.openClient({ botId: scene.botId })
  const hand = (type: string, input: object) =>
    client.callAction({ type, input: { ...input } })
  const request = { conversationId, reason: 'unclear', summary: 'wants money back' }
  const { output } = await hand('chat:handoff', request)
  const { body } = await call('GET', `?conversationId=${conversationId}`)
  expect(output.handoff).toMatchObject({
    ...request,
    state: 'waiting',
    botReceives: 'nothing',
  })
  expect(body.handoffs).toMatchObject([output.handoff])
  expect((await hand('chat:handoff', { conversationId })).output).toEqual(output)
  await expect(
    hand('chat:handoff', { conversationId: 'conv_unknown' }),
  ).rejects.toMatchObject({
    type: 'ReferenceNotFound',
  })
  for (const wrong of [
    {},
    { conversationId, botReceives: 'some' },
    { ...request, reason: 1 },
  ])
    await expect(hand('chat:handoff', wrong)).rejects.toMatchObject({
      type: 'InvalidPayload',
    })
})

test('a conversation has one open handoff', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => request()))
  expect(new Set(all.map(({ id }) => id)).size).toBe(1)
  const [{ id }] = all
  await call('POST', `/${id}/close`, { outcome: 'solved' }, asBot)
  expect((await request()).id).not.toBe(id)
})

test('one of two people who take a conversation gets it, and only this person answers', async () => {
  const { id } = await request()
  const take = (headers: typeof asOwner, to: string) =>
    call('POST', `/${id}/assign`, { from: null, to }, headers)
  const { accountId } = recorded.scene
  const taken = await Promise.all([take(asOwner, accountId), take(asOther, otherId)])
  expect(taken.map(({ status }) => status).sort()).toEqual([200, 409])
  const isOther = taken[1]!.status === 200
  const [holder, loser] = isOther ? [asOther, asOwner] : [asOwner, asOther]
  const answer = (headers: typeof asOwner) =>
    call('POST', `/${id}/messages`, { type: 'text', payload: { text: 'Hello' } }, headers)
  expect((await answer(loser)).body).toMatchObject({
    type: 'ResourceLockedConflict',
    message: `Handoff "${id}" is assigned to another person`,
  })
  expect((await answer(asBot)).body.type).toBe('ResourceLockedConflict')
  const first = await answer(holder)
  expect(first.status).toBe(201)
  expect(first.body.message).toMatchObject({
    direction: 'outgoing',
    payload: { text: 'Hello' },
  })
  const again = await answer(holder)
  expect(again.body.message.userId).toBe(first.body.message.userId)
  const { body } = await call('GET', `/${id}`)
  expect(body.handoff.answeredAt).toEqual(expect.any(String))
  const listed = await recorded.people.call(
    'GET',
    `/conversations/${person.conversationId}/messages`,
    person.key,
  )
  expect(listed.body.messages.map(({ payload }: { payload: object }) => payload)).toEqual(
    [
      { type: 'text', text: 'Hello' },
      { type: 'text', text: 'Hello' },
    ],
  )
  expect((await call('POST', `/${id}/close`, { outcome: 'solved' }, loser)).status).toBe(
    409,
  )
})

test('a handoff stores no answer after it was assigned to another person', async () => {
  const { db } = recorded.scene.app.services
  const { accountId } = recorded.scene
  const { id } = await request()
  const stored = async () => {
    const { conversationId } = person
    const found = db.selectFrom('message').where('conversation_id', '=', conversationId)
    return Number(
      (await found.select(db.fn.countAll().as('n')).executeTakeFirstOrThrow()).n,
    )
  }
  const answer = async (index: number) => {
    const headers =
      index % 2 ? { ...asOwner, 'idempotency-key': crypto.randomUUID() } : asOwner
    const body = { type: 'text', payload: { text: 'Hello' } }
    return (await call('POST', `/${id}/messages`, body, headers)).status
  }
  const results = new Set<number>()
  for (let round = 0; round < 6; round++) {
    await call('POST', `/${id}/assign`, { from: null, to: accountId })
    let isOver = false
    const statuses = new Set<number>()
    const answering = Array.from({ length: 4 }, async (_, index) => {
      while (!isOver) statuses.add(await answer(index))
    })
    await expect
      .poll(() => statuses.has(201), { timeout: 20_000, interval: 5 })
      .toBe(true)
    await call('POST', `/${id}/assign`, { from: accountId, to: null })
    const before = await stored()
    isOver = true
    await Promise.all(answering)
    expect(await stored()).toBe(before)
    for (const status of statuses) results.add(status)
  }
  expect([...results].sort()).toEqual([201, 409])
})

test('closed handoffs reject changes; unknown ones and people are not found', async () => {
  const { id } = await request()
  await call('POST', `/${id}/close`, { outcome: 'solved' }, asBot)
  const message = `Handoff "${id}" is closed`
  for (const path of ['assign', 'close', 'messages']) {
    const body = {
      ...(path === 'assign' && { from: null, to: otherId }),
      ...(path === 'close' && { outcome: 'solved' }),
      ...(path === 'messages' && { type: 'text', payload: { text: 'late' } }),
    }
    expect((await call('POST', `/${id}/${path}`, body)).body).toMatchObject({ message })
  }
  expect((await call('GET', '/handoff_unknown')).status).toBe(404)
  const unknown = { conversationId: 'conv_unknown' }
  expect((await call('POST', '', unknown)).body.type).toBe('ResourceNotFound')
  const { id: open } = await request()
  const stranger = await call('POST', `/${open}/assign`, { from: null, to: 'nobody' })
  expect(stranger.body.type).toBe('ReferenceNotFound')
})

test('lists by state, person and conversation', async () => {
  const { db } = recorded.scene.app.services
  await db.deleteFrom('handoff').execute()
  const opened = []
  for (let i = 0; i < 3; i++) {
    opened.push((await request()).id)
    person = recorded.people.people[next++]!
  }
  const [first, second, third] = opened
  await call('POST', `/${second}/assign`, { from: null, to: otherId })
  await call('POST', `/${third}/close`, { outcome: 'solved' }, asBot)
  const list = async (query: string, headers = asOwner) =>
    (await call('GET', `?${query}`, undefined, headers)).body.handoffs.map(
      ({ id }: { id: string }) => id,
    )
  expect(await list('')).toEqual([third, second, first])
  expect(await list('state=open')).toEqual([second, first])
  expect(await list('state=waiting')).toEqual([first])
  expect(await list('state=closed')).toEqual([third])
  expect(await list('assignedTo=me')).toEqual([])
  expect(await list('assignedTo=me', asOther)).toEqual([second])
  expect(await list(`assignedTo=${otherId}`)).toEqual([second])
  const page = (await call('GET', '?pageSize=2')).body
  expect(await list(`nextToken=${page.meta.nextToken}&pageSize=2`)).toEqual([first])
})

test('lists show the user and the last message, the oldest first, and are counted', async () => {
  const { db } = recorded.scene.app.services
  await db.deleteFrom('handoff').execute()
  const { id } = await request()
  await say('help me')
  await call('POST', `/${id}/assign`, { from: null, to: otherId })
  const answer = { type: 'text', payload: { text: 'At once' } }
  const { message } = (await call('POST', `/${id}/messages`, answer, asOther)).body
  person = recorded.people.people[next++]!
  const { id: second } = await request()
  const { handoffs } = (await call('GET', '?sortDirection=asc&pageSize=1')).body
  expect(handoffs).toMatchObject([
    { id, user: { id: expect.any(String) }, lastMessage: message },
  ])
  expect(handoffs[0].lastUserMessage.payload.text).toBe('help me')
  await db.deleteFrom('participant').where('user_id', '=', handoffs[0].user.id).execute()
  const { handoff } = (await call('GET', `/${id}`)).body
  expect(handoff).toMatchObject({ id, lastMessage: { userId: message.userId } })
  expect(handoff).not.toHaveProperty('user')
  const { meta } = (await call('GET', '?sortDirection=asc&pageSize=1')).body
  const rest = `?sortDirection=asc&pageSize=1&nextToken=${meta.nextToken}`
  expect((await call('GET', rest)).body.handoffs).toMatchObject([{ id: second }])
  const count = async (query: string) => (await call('GET', `/count?${query}`)).body
  expect(await count('state=open')).toEqual({ count: 2 })
  expect(await count('state=waiting')).toEqual({ count: 1 })
  expect(await count(`assignedTo=${otherId}`)).toEqual({ count: 1 })
  expect(await count('state=closed')).toEqual({ count: 0 })
})

test('filters by source, tags, member, user and words, together and with counts', async () => {
  const { db } = recorded.scene.app.services
  await db.deleteFrom('handoff').execute()
  const names: Record<string, string> = {}
  const odd = { '\u202e"{}': "a'--🦊" }
  for (const [name, tags] of [
    ['Zoë Müller', { topic: 'refund' }],
    ['Bo', odd],
  ] as const) {
    person = recorded.people.people[next++]!
    await recorded.people.call('PUT', '/users/me', person.key, { name })
    await say(`unusual${name[0]} words here`)
    const { id } = await request()
    names[name] = id
    await call('PUT', `/${id}`, { tags })
  }
  const [zoe, bo] = Object.values(names)
  await call('POST', `/${bo}/assign`, { from: null, to: otherId })
  await call('POST', `/${bo}/close`, { outcome: 'solved' }, asOther)
  const list = async (query: Record<string, string>) => {
    const search = new URLSearchParams(query)
    const { handoffs } = (await call('GET', `?${search}`)).body
    const { count } = (await call('GET', `/count?${search}`)).body
    expect(count).toBe(handoffs.length)
    return handoffs.map(({ id }: { id: string }) => id)
  }
  expect(await list({ source: 'request' })).toEqual([bo, zoe])
  expect(await list({ source: 'rule' })).toEqual([])
  expect(await list({ 'tags.topic': 'refund' })).toEqual([zoe])
  expect(await list({ [`tags.${Object.keys(odd)[0]}`]: Object.values(odd)[0]! })).toEqual(
    [bo],
  )
  expect(await list({ 'tags.topic': 'refund', state: 'closed' })).toEqual([])
  expect(await list({ assignedTo: otherId })).toEqual([])
  expect(await list({ assignedTo: otherId, state: 'closed' })).toEqual([bo])
  expect(await list({ text: 'mül' })).toEqual([zoe])
  expect(await list({ text: 'mül', 'tags.topic': 'none' })).toEqual([])
  for (const text of ['!?', "'; drop --", '\\', 'nobody', '\u202e', ':* & |'])
    expect(await list({ text }), text).toEqual([])
  await vi.waitFor(
    async () => expect(await list({ text: 'words unusualb' })).toEqual([bo]),
    15_000,
  )
  expect(await list({ text: 'words' })).toEqual([bo, zoe])
})

test('merges tags with any names and values, up to fifty', async () => {
  const { id } = await request()
  const tag = (tags: object) => call('PUT', `/${id}`, { tags })
  const odd = JSON.parse(
    '{"toString": "a", "constructor": "b", "\\u202eנ🦊": "\'; --", "x": "1"}',
  )
  expect((await tag(odd)).body.handoff.tags).toEqual(odd)
  const changed = await tag({ x: null, constructor: '' })
  expect(Object.keys(changed.body.handoff.tags).sort()).toEqual(
    ['toString', '\u202eנ🦊'].sort(),
  )
  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`tag${i}`, 'a']))
  expect((await tag(many(49))).body.message).toBe('A handoff has 50 tags at most')
  expect((await tag(many(48))).status).toBe(200)
  for (const name of ['', 'n'.repeat(101)])
    expect((await tag({ [name]: 'a' })).body.type, name).toBe('InvalidPayload')
  expect((await tag(JSON.parse('{"__proto__": "a"}'))).status).toBe(400)
  expect((await tag({ nul: '\u0000' })).status).toBe(400)
  expect((await call('PUT', '/handoff_unknown', { tags: {} })).status).toBe(404)
})

test('users of a conversation do not see its notes; only authors delete them', async () => {
  const path = `/conversations/${person.conversationId}/notes`
  const text = 'Angry \u202e <b>since</b> 🦊 Monday'
  const { note } = (await platform('POST', path, { text })).body
  expect(note).toMatchObject({ accountId: recorded.scene.accountId, text })
  const other = (await platform('POST', path, { text: 'Is a friend' }, asOther)).body.note
  const own = (await platform('POST', path, { text: 'From the bot' }, asBot)).body.note
  expect(own).not.toHaveProperty('accountId')
  const page = (await platform('GET', `${path}?pageSize=2`, undefined, asOther)).body
  expect(page.notes).toEqual([own, other])
  const rest = await platform(
    'GET',
    `${path}?pageSize=2&nextToken=${page.meta.nextToken}`,
  )
  expect(rest.body.notes).toEqual([note])
  const seen = await recorded.people.call(
    'GET',
    `/conversations/${person.conversationId}/messages`,
    person.key,
  )
  expect(JSON.stringify(seen.body)).not.toContain('Monday')
  const { body } = await platform('DELETE', `/notes/${note.id}`, undefined, asOther)
  expect(body).toMatchObject({ type: 'ResourceNotFound' })
  expect((await platform('DELETE', `/notes/${note.id}`)).status).toBe(200)
  for (const invalid of ['', 'n'.repeat(10_001)])
    expect((await platform('POST', path, { text: invalid })).status).toBe(400)
  const unknown = await platform('POST', '/conversations/conv_unknown/notes', { text })
  expect(unknown.body.type).toBe('ResourceNotFound')
})

test('creates, renames, lists and deletes canned replies; a name exists once', async () => {
  const create = (name: string, text = 'Hello {{user.name}}') =>
    platform('POST', '/canned-replies', { name, text })
  const names = ['a greeting', '\u202e🦊 b', 'c']
  const made: { id: string }[] = []
  for (const name of names) made.push((await create(name)).body.cannedReply)
  expect((await create('c')).body).toMatchObject({
    type: 'AlreadyExists',
    message: 'The bot has a canned reply "c" already',
  })
  const change = (body: object) => platform('PUT', `/canned-replies/${made[2]!.id}`, body)
  expect((await change({ name: 'a greeting' })).body.type).toBe('AlreadyExists')
  expect((await change({ text: 'Bye' })).body.cannedReply).toMatchObject({
    name: 'c',
    text: 'Bye',
  })
  const page = (await platform('GET', '/canned-replies?pageSize=2')).body
  const rest = `/canned-replies?pageSize=2&nextToken=${page.meta.nextToken}`
  const listed = [
    ...page.cannedReplies,
    ...(await platform('GET', rest)).body.cannedReplies,
  ]
  expect(listed.map(({ name }) => name).sort()).toEqual([...names].sort())
  expect((await platform('DELETE', `/canned-replies/${made[0]!.id}`)).status).toBe(200)
  expect((await platform('DELETE', `/canned-replies/${made[0]!.id}`)).status).toBe(404)
  for (const [name, text] of [
    ['', 'a'],
    ['n'.repeat(101), 'a'],
    ['n', 't'.repeat(5_001)],
  ] as const)
    expect((await create(name, text)).status).toBe(400)
})

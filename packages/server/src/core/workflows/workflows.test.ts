// The operations of workflows over HTTP: results, permissions and errors. The loop is tested in
// workflow-loop.test.ts.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeCaller,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { newId } from '../lib/ids.ts'

let scene: RuntimeScene
const ids: Record<string, string> = {}

const filled = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value).replaceAll(/\{(\w+)\}/g, (_, name) => ids[name] ?? `{${name}}`),
  )
const call = (as: RuntimeCaller, line: string, body?: unknown) => {
  const [method, path] = (filled(line) as string).split(' ') as ['GET', string]
  return scene.call(method, `/v1/chat/${path}`, {
    headers: scene.headersOf(as),
    ...(body !== undefined && { body: filled(body) }),
  })
}
const make = async (as: RuntimeCaller, input: object) => {
  const { status, body } = await call(as, 'POST workflows', {
    name: 'w',
    status: 'listening',
    ...input,
  })
  expect(status).toBe(201)
  return body.workflow
}

beforeAll(async () => {
  scene = await openRuntimeScene()
  ids.user = (await call('tg', 'POST users', { tags: {} })).body.user.id
  ids.conversation = (
    await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
  ).body.conversation.id
  ids.event = (await call('bot', 'POST events', { type: 'a', payload: {} })).body.event.id
  for (const kind of ['user', 'conversation', 'event', 'workflow'] as const)
    ids[`no${kind}`] = newId(kind)
  ids.workflow = (await make('bot', { name: 'mine' })).id
  ids.tgs = (await make('tg', { name: 'tgs', tags: { id: '1' } })).id
  ids.done = (await make('bot', { name: 'done' })).id
  await call('bot', 'PUT workflows/{done}', { status: 'completed' })
})
afterAll(() => scene.close())

test('creates and returns a workflow with all its fields', async () => {
  const input = {
    name: 'full',
    status: 'listening',
    input: { a: [1] },
    tags: { k: 'v' },
    parentWorkflowId: '{workflow}',
    conversationId: '{conversation}',
  }
  const made = await make('bot', {
    ...input,
    userId: '{user}',
    timeoutAt: '2999-01-01T01:00:00.5+01:00',
  })
  expect(made).toEqual({
    id: expect.stringMatching(/^wrkflow_/),
    name: 'full',
    status: 'listening',
    input: { a: [1] },
    output: {},
    tags: { k: 'v' },
    parentWorkflowId: ids.workflow,
    conversationId: ids.conversation,
    userId: ids.user,
    timeoutAt: '2999-01-01T00:00:00.500Z',
    createdAt: made.updatedAt,
    updatedAt: made.createdAt,
  })
  expect((await call('bot', `GET workflows/${made.id}`)).body.workflow).toEqual(made)
})

test('sets a default timeout of five minutes', async () => {
  const { createdAt, timeoutAt } = await make('bot', {})
  expect(Date.parse(timeoutAt) - Date.parse(createdAt)).toBe(300_000)
})

test('an update changes only the given fields', async () => {
  const { id, ...made } = await make('bot', {
    tags: { a: '1', b: '2', c: '3' },
    input: { x: 1 },
  })
  const { body } = await call('bot', `PUT workflows/${id}`, {
    tags: { a: '', b: null, d: '4' },
    output: { y: 2 },
    userId: '{user}',
  })
  expect(body.workflow).toEqual({
    ...made,
    id,
    tags: { c: '3', d: '4' },
    output: { y: 2 },
    userId: ids.user,
    updatedAt: expect.any(String),
  })
  const { body: ended } = await call('bot', `PUT workflows/${id}`, {
    status: 'failed',
    failureReason: 'x'.repeat(3_000),
  })
  expect(ended.workflow).toMatchObject({
    status: 'failed',
    failureReason: 'x'.repeat(2_000),
    output: { y: 2 },
    completedAt: expect.any(String),
  })
  const { body: again } = await call('bot', `PUT workflows/${id}`, { status: 'failed' })
  expect(again.workflow).toEqual({
    ...ended.workflow,
    updatedAt: again.workflow.updatedAt,
  })
})

describe('a status change', () => {
  const ends = ['completed', 'failed', 'cancelled', 'timedout'] as const
  test.each(
    ends.flatMap((from) =>
      ['completed', 'failed', 'cancelled', 'listening', 'paused', 'in_progress'].map(
        (to): [string, string] => [from, to],
      ),
    ),
  )('from %s to %s keeps or rejects the end status', async (from, to) => {
    const { id } = await make('bot', {})
    if (from === 'timedout')
      await sql`update workflow set status = 'timedout' where id = ${id}`.execute(
        scene.app.services.db,
      )
    else await call('bot', `PUT workflows/${id}`, { status: from })
    const reply = await call('bot', `PUT workflows/${id}`, { status: to })
    const isFine =
      from === to || (from === 'timedout' && (to === 'completed' || to === 'failed'))
    expect(isFine ? reply.body.workflow.status : [reply.status, reply.body.type]).toEqual(
      isFine ? to : [400, 'InvalidPayload'],
    )
    if (isFine) expect(reply.body.workflow.completedAt).toEqual(expect.any(String))
  })
})

test.each<[string, RuntimeCaller, string, unknown, number, string]>([
  ['without a token', 'nobody', 'GET workflows', undefined, 401, 'Unauthorized'],
  [
    'without a name',
    'bot',
    'POST workflows',
    { status: 'pending' },
    400,
    'InvalidPayload',
  ],
  [
    'with a name of 201 characters',
    'bot',
    'POST workflows',
    { name: 'n'.repeat(201), status: 'pending' },
    400,
    'InvalidPayload',
  ],
  [
    'with an end status at creation',
    'bot',
    'POST workflows',
    { name: 'n', status: 'completed' },
    400,
    'InvalidPayload',
  ],
  [
    'in progress without an event',
    'bot',
    'POST workflows',
    { name: 'n', status: 'in_progress' },
    400,
    'InvalidPayload',
  ],
  [
    'in progress in an unknown event',
    'bot',
    'POST workflows',
    { name: 'n', status: 'in_progress', eventId: '{noevent}' },
    400,
    'ReferenceNotFound',
  ],
  [
    "in progress in another bot's event",
    'strangers bot',
    'POST workflows',
    { name: 'n', status: 'in_progress', eventId: '{event}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'of an unknown conversation',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', conversationId: '{noconversation}' },
    400,
    'ReferenceNotFound',
  ],
  [
    "of another bot's conversation",
    'stranger',
    'POST workflows',
    { name: 'n', status: 'listening', conversationId: '{conversation}' },
    400,
    'ReferenceNotFound',
  ],
  [
    "of another integration's user",
    'other',
    'POST workflows',
    { name: 'n', status: 'listening', userId: '{user}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'with an unknown parent',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', parentWorkflowId: '{noworkflow}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'with a workflow of the bot as parent, by an integration',
    'tg',
    'POST workflows',
    { name: 'n', status: 'listening', parentWorkflowId: '{workflow}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'with a # in a tag',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', tags: { 'a#b': 'c' } },
    400,
    'InvalidPayload',
  ],
  [
    "with an integration's tag",
    'bot',
    'PUT workflows/{workflow}',
    { tags: { 'tg:id': 'c' } },
    400,
    'InvalidPayload',
  ],
  [
    'with a tag of 501 characters',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', tags: { a: 'c'.repeat(501) } },
    400,
    'InvalidPayload',
  ],
  [
    'with NUL in its input',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', input: { a: 'b\0' } },
    400,
    'InvalidPayload',
  ],
  [
    'with NUL in its name',
    'bot',
    'POST workflows',
    { name: 'n\0', status: 'listening' },
    400,
    'InvalidPayload',
  ],
  [
    'with an invalid timeout',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', timeoutAt: 'tomorrow' },
    400,
    'InvalidPayload',
  ],
  [
    'with a timeout beyond the maximum',
    'bot',
    'POST workflows',
    { name: 'n', status: 'listening', timeoutAt: '9999-12-31T23:00:00-10:00' },
    400,
    'InvalidPayload',
  ],
  [
    'with an absent discriminating tag',
    'bot',
    'POST workflows/get-or-create',
    { name: 'n', status: 'listening', discriminateByTags: ['a'] },
    400,
    'InvalidPayload',
  ],
  [
    'an unknown workflow',
    'bot',
    'GET workflows/{noworkflow}',
    undefined,
    404,
    'ResourceNotFound',
  ],
  [
    "another bot's workflow",
    'strangers bot',
    'GET workflows/{workflow}',
    undefined,
    404,
    'ResourceNotFound',
  ],
  [
    "the bot's workflow, by an integration",
    'tg',
    'GET workflows/{workflow}',
    undefined,
    404,
    'ResourceNotFound',
  ],
  [
    "another integration's workflow",
    'other',
    'PUT workflows/{tgs}',
    { status: 'completed' },
    404,
    'ResourceNotFound',
  ],
  [
    'a change back to pending',
    'bot',
    'PUT workflows/{workflow}',
    { status: 'pending' },
    400,
    'InvalidPayload',
  ],
  [
    'a change to timedout',
    'bot',
    'PUT workflows/{workflow}',
    { status: 'timedout' },
    400,
    'InvalidPayload',
  ],
  [
    'a change in an unknown event',
    'bot',
    'PUT workflows/{workflow}',
    { status: 'in_progress', eventId: '{noevent}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'a change to an unknown user',
    'bot',
    'PUT workflows/{workflow}',
    { userId: '{nouser}' },
    400,
    'ReferenceNotFound',
  ],
  [
    'an update of an unknown workflow',
    'bot',
    'PUT workflows/{noworkflow}',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'a change after the end',
    'bot',
    'PUT workflows/{done}',
    { status: 'in_progress' },
    400,
    'InvalidPayload',
  ],
  [
    'deletion of an unknown workflow',
    'bot',
    'DELETE workflows/{noworkflow}',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    "deletion of another integration's workflow",
    'other',
    'DELETE workflows/{tgs}',
    {},
    404,
    'ResourceNotFound',
  ],
  [
    'an unknown status',
    'bot',
    'GET workflows?statuses=done',
    undefined,
    400,
    'InvalidQuery',
  ],
  [
    'a page token of another listing',
    'bot',
    'GET workflows?nextToken=AAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    undefined,
    400,
    'InvalidQuery',
  ],
  [
    'an event of an unknown workflow',
    'bot',
    'POST events',
    { type: 'a', payload: {}, workflowId: '{noworkflow}' },
    400,
    'ReferenceNotFound',
  ],
  [
    "an event of another bot's workflow",
    'strangers bot',
    'POST events',
    { type: 'a', payload: {}, workflowId: '{workflow}' },
    400,
    'ReferenceNotFound',
  ],
])('rejects a request: %s', async (_, as, line, body, status, type) => {
  const reply = await call(as, line, body)
  expect([reply.status, reply.body.type]).toEqual([status, type])
})

describe('listing', () => {
  const names = async (query: string, as: RuntimeCaller = 'bot') =>
    (await call(as, `GET workflows?${query}`)).body.workflows.map(
      ({ name }: { name: string }) => name,
    ) as string[]

  beforeAll(async () => {
    const parent = await make('bot', { name: 'l-parent', tags: { list: 'yes' } })
    ids.parent = parent.id
    await make('bot', {
      name: 'l-1',
      tags: { list: 'yes', n: '1' },
      conversationId: '{conversation}',
      parentWorkflowId: '{parent}',
    })
    await make('bot', {
      name: 'l-2',
      tags: { list: 'yes', n: '2' },
      userId: '{user}',
      parentWorkflowId: '{parent}',
    })
    const { id } = await make('bot', {
      name: 'l-3',
      tags: { list: 'yes', n: '1', constructor: 'x' },
    })
    await call('bot', `PUT workflows/${id}`, { status: 'cancelled' })
  })

  test.each<[string, string[]]>([
    ['tags.list=yes', ['l-3', 'l-2', 'l-1', 'l-parent']],
    ['tags.list=yes&tags.n=1', ['l-3', 'l-1']],
    ['tags.constructor=x', ['l-3']],
    ['tags.tg%3Aid=1', ['tgs']],
    ['tags.list=yes&statuses=cancelled', ['l-3']],
    [
      'tags.list=yes&statuses=cancelled&statuses=listening&statuses=listening',
      ['l-3', 'l-2', 'l-1', 'l-parent'],
    ],
    ['tags.list=yes&statuses=pending', []],
    ['name=l-2', ['l-2']],
    ['name=l-2&conversationId={conversation}', []],
    ['parentWorkflowId={parent}', ['l-2', 'l-1']],
    ['parentWorkflowId={parent}&userId={user}', ['l-2']],
    ['parentWorkflowId={parent}&conversationId={conversation}', ['l-1']],
    ['userId={nouser}', []],
  ])('filters by %s', async (query, expected) =>
    expect(await names(query)).toEqual(expected),
  )

  test('an integration finds its own workflows by its own tag names', async () => {
    expect(await names('tags.id=1', 'tg')).toEqual(['tgs'])
    expect(await names('', 'tg')).toEqual(['tgs'])
    expect(await names('', 'other')).toEqual([])
    expect((await call('tg', 'GET workflows/{tgs}')).body.workflow.tags).toEqual({
      id: '1',
    })
    expect((await call('bot', 'GET workflows/{tgs}')).body.workflow.tags).toEqual({
      'tg:id': '1',
    })
  })

  test('pages have no repeats or gaps while others are created', async () => {
    const seen: string[] = []
    let token = ''
    for (let page = 0; page < 10; page++) {
      const { body } = await call(
        'bot',
        `GET workflows?tags.list=yes&pageSize=1${token && `&nextToken=${token}`}`,
      )
      seen.push(...body.workflows.map(({ name }: { name: string }) => name))
      await make('bot', { name: 'late', tags: { list: 'yes' } })
      token = body.meta.nextToken
      if (!token) break
    }
    expect(seen).toEqual(['l-3', 'l-2', 'l-1', 'l-parent'])
  })
})

describe('get or create', () => {
  const getOrCreate = async (input: object, as: RuntimeCaller = 'bot') => {
    const { status, body } = await call(as, 'POST workflows/get-or-create', {
      status: 'listening',
      ...input,
    })
    expect(status).toBe(200)
    return { ...body.workflow, created: body.meta.created }
  }

  test('creates one workflow for concurrent calls', async () => {
    const many = await Promise.all(
      Array.from({ length: 30 }, () => getOrCreate({ name: 'race', tags: { key: 'k' } })),
    )
    expect(new Set(many.map(({ id }) => id)).size).toBe(1)
    expect(many.filter(({ created }) => created)).toHaveLength(1)
  })

  test('starts a pending workflow once', async () => {
    const many = await Promise.all(
      Array.from({ length: 10 }, () =>
        getOrCreate({ name: 'started', status: 'pending', tags: { key: 'k' } }),
      ),
    )
    expect(new Set(many.map(({ id }) => id)).size).toBe(1)
    const { events } = (await call('bot', `GET events?workflowId=${many[0].id}`)).body
    expect(
      events.filter(
        ({ payload }: { payload: { type: string } }) =>
          payload.type === 'workflow_started',
      ).length,
    ).toBeLessThanOrEqual(4)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from event where workflow_id = ${many[0].id} and cause is null`.execute(
      scene.app.services.db,
    )
    expect(rows[0]!.n).toBe(1)
  })

  test('matches by name and all or the discriminating tags, and sets the others', async () => {
    const first = await getOrCreate({ name: 'goc', tags: { a: '1', b: '1' } })
    expect(
      await getOrCreate({
        name: 'goc',
        tags: { a: '1', b: '1' },
        input: { ignored: true },
      }),
    ).toMatchObject({
      id: first.id,
      created: false,
      input: {},
    })
    expect((await getOrCreate({ name: 'goc', tags: { a: '1', b: '2' } })).id).not.toBe(
      first.id,
    )
    expect((await getOrCreate({ name: 'other', tags: { a: '1', b: '1' } })).id).not.toBe(
      first.id,
    )
    expect(
      await getOrCreate({
        name: 'goc',
        tags: { b: '1', c: '3' },
        discriminateByTags: ['b'],
      }),
    ).toMatchObject({
      id: first.id,
      tags: { a: '1', b: '1', c: '3' },
    })
    expect(
      await getOrCreate({
        name: 'goc',
        tags: { b: '1', c: null },
        discriminateByTags: ['b'],
      }),
    ).toMatchObject({
      id: first.id,
      tags: { a: '1', b: '1' },
    })
  })

  test('matches within the group of active or finished workflows', async () => {
    const by = (group: string) => ({
      name: 'group',
      tags: { a: '1' },
      discriminateByStatusGroup: group,
    })
    const active = await getOrCreate(by('active'))
    expect(active.created).toBe(true)
    expect((await getOrCreate(by('active'))).id).toBe(active.id)
    await call('bot', `PUT workflows/${active.id}`, { status: 'completed' })
    expect((await getOrCreate(by('finished'))).id).toBe(active.id)
    const next = await getOrCreate(by('active'))
    expect([next.created, next.id === active.id]).toEqual([true, false])
    expect((await getOrCreate({ name: 'group', tags: { a: '1' } })).id).toBe(next.id)
  })

  test('matches by name within a group, and always creates without tags or group', async () => {
    const one = await getOrCreate({ name: 'only', discriminateByStatusGroup: 'active' })
    expect(
      (await getOrCreate({ name: 'only', discriminateByStatusGroup: 'active' })).id,
    ).toBe(one.id)
    expect((await getOrCreate({ name: 'only' })).created).toBe(true)
  })

  test('keeps workflows of the bot and of each integration apart', async () => {
    const ids = await Promise.all(
      (['tg', 'other', 'bot'] as const).map(
        async (as) => (await getOrCreate({ name: 'whose', tags: { id: '7' } }, as)).id,
      ),
    )
    expect(new Set(ids).size).toBe(3)
    expect((await getOrCreate({ name: 'whose', tags: { id: '7' } }, 'tg')).id).toBe(
      ids[0],
    )
  })
})

describe('deletion', () => {
  test('of conversation and user keeps the workflow without them', async () => {
    const conversationId = (
      await call('tg', 'POST conversations', { channel: 'dm', tags: {} })
    ).body.conversation.id
    const userId = (await call('tg', 'POST users', { tags: {} })).body.user.id
    const { id } = await make('bot', { conversationId, userId })
    expect((await call('bot', `DELETE conversations/${conversationId}`, {})).status).toBe(
      200,
    )
    expect((await call('bot', `DELETE users/${userId}`, {})).status).toBe(200)
    const { workflow } = (await call('bot', `GET workflows/${id}`)).body
    expect([workflow.status, workflow.conversationId, workflow.userId]).toEqual([
      'listening',
      undefined,
      undefined,
    ])
  })

  test('of a workflow deletes its states and events', async () => {
    const { id } = await make('bot', {})
    expect(
      (await call('bot', `POST states/workflow/${id}/memory`, { payload: { a: 1 } }))
        .status,
    ).toBe(200)
    expect(
      (await call('tg', `POST states/workflow/${id}/memory`, { payload: { a: 1 } })).body
        .type,
    ).toBe('ReferenceNotFound')
    await call('bot', 'POST events', {
      type: 'a',
      payload: {},
      workflowId: id,
      schedule: { delay: 3_600_000 },
    })
    expect(
      (await call('bot', `GET events?workflowId=${id}&status=scheduled`)).body.events,
    ).toMatchObject([{ workflowId: id, type: 'a' }])
    expect((await call('bot', `DELETE workflows/${id}`, {})).status).toBe(200)
    expect((await call('bot', `GET states/workflow/${id}/memory`)).status).toBe(404)
    expect((await call('bot', `GET events?workflowId=${id}`)).body.events).toEqual([])
  })
})

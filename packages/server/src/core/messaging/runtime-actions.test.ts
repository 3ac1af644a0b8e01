// Actions: routing of calls to integrations and the bot, and mapping of their errors.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene.close())

const call = (method: 'GET' | 'POST', path: string, body?: unknown) =>
  scene.call(method, `/v1/chat/${path}`, { headers: scene.asBot, body })

describe('callAction', () => {
  const act = (type: string, input: unknown = {}) =>
    call('POST', 'actions', { type, input })

  test('calls an integration by alias and by name', async () => {
    scene.answerWith(({ body }) => ({
      body: body.input ? { output: { y: body.input.x + 1 } } : {},
    }))
    expect(await act('tg:add', { x: 1 })).toMatchObject({
      status: 200,
      body: { output: { y: 2 }, meta: { cached: false } },
    })
    expect((await act('telegram:add', { x: 2 })).body.output).toEqual({ y: 3 })
    const [first] = await scene.heard('action_triggered', 1)
    expect(first).toMatchObject({
      headers: { 'x-integration-alias': 'tg', 'x-bot-id': scene.botId },
      body: { type: 'add', input: { x: 1 } },
    })
  })

  describe('with a cacheable action', () => {
    const cacheable = (on: boolean) =>
      sql`
        update integration
        set definition = jsonb_set(definition, '{actions,add,cacheable}', ${String(on)}::jsonb)
        where name = 'telegram'`.execute(scene.app.services.db)
    beforeAll(() => cacheable(true))
    afterAll(() => cacheable(false))

    test('returns a cached output until the configuration changes, and never caches a failure', async () => {
      const failing = { code: 400, type: 'Runtime', id: 'err_1', message: 'not now' }
      let calls = 0
      scene.answerWith(() => {
        calls += 1
        return calls === 1
          ? { status: 400, body: failing }
          : { body: { output: { y: calls } } }
      })
      const outcome = async (type: string, x: number) => {
        const { body } = await act(type, { x })
        return [body.output?.y, body.meta?.cached]
      }
      expect(await outcome('tg:add', 90)).toEqual([undefined, undefined])
      expect(await outcome('tg:add', 90)).toEqual([2, false])
      expect(await outcome('tg:add', 90)).toEqual([2, true])
      expect(await outcome('tg:add', 91)).toEqual([3, false])
      expect(await outcome('other:add', 90)).toEqual([4, false])
      const path = `/v1/admin/bots/${scene.botId}/action-runs?integrationName=telegram`
      const runs = async () =>
        (await scene.call('GET', path, { headers: scene.admin })).body.data
      const isCached = ({ cached }: { cached: boolean }) => cached
      await vi.waitFor(
        async () => expect((await runs()).filter(isCached)).toHaveLength(1),
        10_000,
      )
      await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers: { ...scene.admin, 'x-multiple-integrations': 'true' },
        body: {
          integrations: { tg: { enabled: true, configuration: { changed: true } } },
        },
      })
      expect(await outcome('tg:add', 90)).toEqual([5, false])
      expect(await outcome('other:add', 90)).toEqual([4, true])
      await cacheable(false)
      expect(await outcome('tg:add', 90)).toEqual([6, false])
    })
  })

  test('adds up reported costs and ignores invalid ones', async () => {
    const spent = async () =>
      (
        await scene.call('GET', `/v1/admin/usages/${scene.botId}?type=ai_spend`, {
          headers: scene.admin,
        })
      ).body.usage.value as number
    const before = await spent()
    for (const cost of [0.25, -1, '7', null, 0.5]) {
      scene.answerWith(() => ({ body: { output: { y: 2 }, meta: { cost } } }))
      await act('tg:add', { x: 1 })
    }
    await vi.waitFor(async () => expect(await spent()).toBe(before + 0.75), 10_000)
  })

  test('calls an action of the bot, declared or not', async () => {
    scene.answerWith(({ body }) => ({ body: { output: { got: body.type } } }))
    expect((await act('plugin#greet')).body.output).toEqual({ got: 'plugin#greet' })
    const action = {
      input: { schema: { type: 'object', required: ['name'] } },
      output: { schema: { type: 'object', required: ['text'] } },
    }
    await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { actions: { greet: action } },
    })
    expect(await act('greet')).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    })
    expect(await act('greet', { name: 'x' })).toMatchObject({
      status: 400,
      body: { type: 'Runtime' },
    })
    scene.answerWith(() => ({ body: { output: { text: 'hi' } } }))
    expect((await act('greet', { name: 'x' })).body.output).toEqual({ text: 'hi' })
  })

  const runtime = { code: 400, type: 'Runtime', id: 'err_1', message: 'No such chat' }
  test.each<
    [string, string, unknown, { status?: number; body?: unknown }, number, string]
  >([
    ['an unknown alias', 'mail:add', {}, {}, 400, 'ReferenceNotFound'],
    ['an unknown action', 'tg:subtract', {}, {}, 400, 'ReferenceNotFound'],
    ['an inherited name', 'tg:constructor', {}, {}, 400, 'ReferenceNotFound'],
    ['input that violates the schema', 'tg:add', { x: 'one' }, {}, 400, 'InvalidPayload'],
    [
      'an error of the integration',
      'tg:add',
      { x: 1 },
      { status: 400, body: runtime },
      400,
      'Runtime',
    ],
    [
      'a 404 of the integration',
      'tg:add',
      { x: 1 },
      { status: 404, body: { ...runtime, code: 404, type: 'ResourceNotFound' } },
      404,
      'ResourceNotFound',
    ],
    [
      'an internal error of the integration',
      'tg:add',
      { x: 1 },
      { status: 500, body: { ...runtime, type: 'Internal' } },
      400,
      'Runtime',
    ],
    [
      'a status that contradicts the error type',
      'tg:add',
      { x: 1 },
      { status: 400, body: { ...runtime, type: 'Internal' } },
      400,
      'Runtime',
    ],
    [
      'a response that is not JSON',
      'tg:add',
      { x: 1 },
      { status: 502, body: '<html>' },
      400,
      'Runtime',
    ],
    ['a response without output', 'tg:add', { x: 1 }, { body: {} }, 400, 'Runtime'],
    [
      'output that violates the schema',
      'tg:add',
      { x: 1 },
      { body: { output: { y: 'two' } } },
      400,
      'Runtime',
    ],
  ])('reports %s', async (_, type, input, answer, status, error) => {
    scene.answerWith(() => answer)
    const reply = await act(type, input)
    expect([reply.status, reply.body.type]).toEqual([status, error])
    if (
      error === 'Runtime' &&
      answer.body &&
      typeof answer.body === 'object' &&
      'message' in answer.body
    )
      expect(reply.body.message).toBe('No such chat')
  })

  test('returns OperationTimeout when the code exceeds the maximum execution time', async () => {
    await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { maxExecutionTime: 1 },
    })
    scene.answerWith(() => ({ afterMs: 3_000 }))
    expect(await act('slow')).toMatchObject({
      status: 504,
      body: { type: 'OperationTimeout' },
    })
    await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
      headers: scene.admin,
      body: { maxExecutionTime: 60 },
    })
  })

  test('sends events and stream signals of the chat to listeners', async () => {
    scene.answerWith(() => ({}))
    const eve = await scene.chatUser({ id: 'eve' })
    await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
      headers: eve.headers,
      body: { id: 'stream' },
    })
    const [conversation] = (await call('GET', 'conversations?tags.chat%3Afid=stream'))
      .body.conversations
    const received: unknown[] = []
    const stop = scene.app.services.signals.listen(scene.botId, conversation.id, '0', {
      userId: 'x',
      send: (signal) => received.push(signal),
      end: () => {},
    })
    const input = {
      conversationId: conversation.id,
      userId: 'any-user',
      payload: { foo: 'bar' },
    }
    expect(await act('chat:sendEvent', input)).toMatchObject({
      status: 200,
      body: { output: {} },
    })
    const delta = {
      streamId: 's',
      createdAt: '2026-01-01T00:00:00.000Z',
      sequence: 1,
      delta: 'he',
    }
    await act('chat:publishMessageStream', {
      conversationId: conversation.id,
      signal: { type: 'delta', ...delta },
    })
    await act('chat:publishMessageStream', {
      conversationId: conversation.id,
      signal: { type: 'abort', streamId: 's' },
    })
    await expect.poll(() => received).toHaveLength(3)
    expect(received).toEqual([
      {
        number: null,
        type: 'event_created',
        data: {
          id: null,
          createdAt: expect.any(String),
          payload: { foo: 'bar' },
          conversationId: 'stream',
          userId: scene.botId,
          isBot: true,
        },
      },
      {
        number: null,
        type: 'message_stream_delta',
        data: { ...delta, conversationId: 'stream', userId: scene.botId },
      },
      {
        number: null,
        type: 'message_stream_abort',
        data: { streamId: 's', conversationId: 'stream' },
      },
    ])
    stop()
    const other = await scene.call('POST', '/v1/chat/conversations', {
      headers: scene.asTg,
      body: { channel: 'dm', tags: {} },
    })
    expect(
      await act('chat:sendEvent', {
        conversationId: other.body.conversation.id,
        payload: {},
      }),
    ).toMatchObject({
      status: 400,
      body: { type: 'ReferenceNotFound' },
    })
    expect(await act('chat:sendEvent', { payload: {} })).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    })
    expect(await act('chat:toString', {})).toMatchObject({
      status: 400,
      body: { type: 'ReferenceNotFound' },
    })
  })
})

// Analytics, observations and action runs: recording, queries, and deletion after a time.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'
import { removeOldInsights } from './retention.ts'

let scene: RuntimeScene
beforeAll(async () => {
  scene = await openRuntimeScene()
})
afterAll(() => scene.close())

type Caller = 'asTg' | 'asOther' | 'asStranger' | 'asBot'
const ask = (
  line: string,
  body?: unknown,
  headers: Record<string, string> = scene.asBot,
) => {
  const [method, path] = line.split(' ') as ['GET', string]
  return scene.call(method, `/v1/${path}`, { headers, body })
}
const askAs = (as: Caller, line: string, body?: unknown) => ask(line, body, scene[as])
const stranger = () => ({ ...scene.asBot, 'x-bot-id': scene.strangerBotId })
const db = () => scene.app.services.db

describe('analytics', () => {
  test('sums concurrent counts of a name per hour', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        askAs(i % 2 ? 'asBot' : 'asTg', 'POST chat/analytics', {
          name: 'sold',
          count: i + 1,
        }),
      ),
    )
    expect(
      replies.every(
        ({ status, body }) => status === 200 && Object.keys(body).length === 0,
      ),
    ).toBe(true)
    const { analytics } = (await ask('GET platform/analytics?name=sold')).body
    expect(
      analytics.reduce((sum: number, { count }: { count: number }) => sum + count, 0),
    ).toBe((60 * 61) / 2)
    expect(
      analytics.every(({ hour }: { hour: string }) => /:00:00\.000Z$/.test(hour)),
    ).toBe(true)
    expect(
      (await ask('GET platform/analytics', undefined, stranger())).body.analytics,
    ).toEqual([])
  })

  test.each<[string, unknown]>([
    ['no name', { count: 1 }],
    ['an empty name', { name: '', count: 1 }],
    ['a long name', { name: 'x'.repeat(201), count: 1 }],
    ['a count of 0', { name: 'a', count: 0 }],
    ['a fraction', { name: 'a', count: 0.5 }],
    ['a count over the limit', { name: 'a', count: 1e300 }],
    ['a text', { name: 'a', count: '1' }],
    ['NUL', { name: '\0', count: 1 }],
  ])('rejects %s', async (_, body) => {
    expect(await ask('POST chat/analytics', body)).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    })
  })

  test('lists by name and time, in pages', async () => {
    const hour = (i: number) => new Date(Date.UTC(2026, 0, 1, i)).toISOString()
    for (let i = 0; i < 9; i++)
      for (const name of ['a', 'b'])
        await sql`
          insert into analytics_count (bot_id, name, hour, count)
          values (${scene.botId}, ${name}, ${hour(i)}, ${i + 1})`.execute(db())
    const pages = async (query: string, pageSize = 4) => {
      const all: string[] = []
      for (let token: string | undefined = ''; token !== undefined; ) {
        const page = `pageSize=${pageSize}${token && `&nextToken=${token}`}`
        const parameters = `beforeDate=2026-01-02&${page}${query}`
        const { body }: Awaited<ReturnType<typeof ask>> = await ask(
          `GET platform/analytics?${parameters}`,
        )
        all.push(
          ...body.analytics.map(
            ({ name, hour }: { name: string; hour: string }) =>
              `${hour.slice(11, 13)}${name}`,
          ),
        )
        token = body.meta.nextToken
      }
      return all
    }
    expect(await pages('&name=a')).toEqual([
      '08a',
      '07a',
      '06a',
      '05a',
      '04a',
      '03a',
      '02a',
      '01a',
      '00a',
    ])
    expect(await pages(`&afterDate=${hour(7)}`, 1)).toEqual(['08b', '08a', '07b', '07a'])
    expect((await ask('GET platform/analytics?afterDate=now')).body.type).toBe(
      'InvalidQuery',
    )
    expect((await askAs('asTg', 'GET platform/analytics')).body.type).toBe('Forbidden')
  })
})

describe('observations', () => {
  test('stores the data and ids, and finds observations by them', async () => {
    const links = {
      id: 'ctx-1',
      messageId: 'm',
      eventId: 'e',
      conversationId: 'c',
      userId: 'u',
      errorId: 'x',
      traceId: 't',
    }
    const data = { deep: [{ a: null }], constructor: 1, '😀': 'é' }
    expect(await ask('POST chat/observations', { name: 'step', data, ...links })).toEqual(
      {
        status: 200,
        body: {},
      },
    )
    expect(
      await askAs('asTg', 'POST chat/observations', {
        name: 'step',
        data: {},
        traceId: 't',
      }),
    ).toEqual({
      status: 200,
      body: {},
    })
    await ask('POST chat/observations', { name: 'other', data: {}, id: 'ctx-1' })
    const find = async (query: string) =>
      (await ask(`GET platform/observations?${query}`)).body.observations
    const whole = { createdAt: expect.any(String), name: 'step', data, ...links }
    expect(await find('name=step')).toEqual([
      {
        createdAt: expect.any(String),
        name: 'step',
        data: {},
        traceId: 't',
        integration: 'tg',
      },
      whole,
    ])
    expect((await find('id=ctx-1')).map(({ name }: { name: string }) => name)).toEqual([
      'other',
      'step',
    ])
    expect(await find('conversationId=c')).toEqual([whole])
    expect(await find('traceId=t&name=step&id=ctx-1')).toEqual([whole])
    expect(await find('beforeDate=2020-01-01')).toEqual([])
    expect(await find('afterDate=2020-01-01')).toHaveLength(3)
    expect(
      (await ask('GET platform/observations', undefined, stranger())).body.observations,
    ).toEqual([])
    expect((await askAs('asTg', 'GET platform/observations')).body.type).toBe('Forbidden')
    const first = await ask('GET platform/observations?pageSize=2')
    const second = await ask(
      `GET platform/observations?pageSize=2&nextToken=${first.body.meta.nextToken}`,
    )
    expect([...first.body.observations, ...second.body.observations]).toEqual(
      await find(''),
    )
    expect(second.body.meta).toEqual({})
  })

  test.each<[string, unknown]>([
    ['no data', { name: 'a' }],
    ['a text for data', { name: 'a', data: 'x' }],
    ['a long id', { name: 'a', data: {}, traceId: 'x'.repeat(201) }],
    ['NUL inside', { name: 'a', data: { a: '\0' } }],
    ['half a character', { name: 'a', data: { '\ud800': 1 } }],
    ['an unknown field', { name: 'a', data: {}, level: 1 }],
  ])('rejects %s', async (_, body) => {
    expect(await ask('POST chat/observations', body)).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    })
  })
})

describe('counts of nodes', () => {
  const list = async (query = '', headers?: Record<string, string>) =>
    ask(`GET platform/flow-node-counts${query}`, undefined, headers)

  test('are sums of days by flow and node, in pages, of the own bot', async () => {
    for (const [flow, node, day] of [
      ['help', 'entry', 0],
      ['main', 'ask', 0],
      ['main', 'start', 0],
      ['main', 'start', 29],
      ['main', 'start', 30],
    ])
      await sql`insert into flow_node_day (bot_id, flow, node, day, passed, ended)
        values (${scene.botId}, ${flow}, ${node}, (now() at time zone 'UTC')::date - ${day}::int,
          5, 2)`.execute(db())
    const counts = [
      { flow: 'help', node: 'entry', passed: 5, ended: 2 },
      { flow: 'main', node: 'ask', passed: 5, ended: 2 },
      { flow: 'main', node: 'start', passed: 10, ended: 4 },
    ]
    expect((await list()).body).toEqual({ counts, meta: {} })
    expect((await list('?flow=main&days=90')).body.counts).toEqual([
      counts[1],
      { ...counts[2], passed: 15, ended: 6 },
    ])
    const first = (await list('?pageSize=2')).body
    expect(first.counts).toEqual(counts.slice(0, 2))
    const rest = await list(`?pageSize=2&nextToken=${first.meta.nextToken}`)
    expect(rest.body).toEqual({ counts: counts.slice(2), meta: {} })
    expect((await list('', stranger())).body.counts).toEqual([])
  })

  test.each(['days=0', 'days=91', 'days=1.5', 'nextToken=x'])(
    'rejects %s',
    async (query) => {
      expect(await list(`?${query}`)).toMatchObject({
        status: 400,
        body: { type: 'InvalidQuery' },
      })
    },
  )
})

describe('action runs', () => {
  const act = (type: string, input: unknown) => ask('POST chat/actions', { type, input })
  const runs = (query = '') =>
    ask(
      `GET admin/bots/${scene.botId}/action-runs?integrationName=telegram${query}`,
      undefined,
      scene.admin,
    )
  const recorded = async (count: number) => {
    await expect.poll(async () => (await runs()).body.data.length).toBe(count)
    return (await runs()).body.data
  }

  test('record status, input and output of each call, newest first', async () => {
    scene.answerWith(({ body }) => ({ body: { output: { y: body.input.x } } }))
    await act('tg:add', { x: 1 })
    await recorded(1)
    scene.answerWith(() => ({
      status: 400,
      body: { code: 400, type: 'Runtime', id: 'err_1', message: 'No such list' },
    }))
    expect((await act('tg:add', { x: 2, secret: '\ud83d\ude00' })).body.message).toBe(
      'No such list',
    )
    await recorded(2)
    scene.answerWith(() => ({ body: '{"output": {"y": "\\u0000 \\ud800"}}' }))
    await act('telegram:add', { x: 3 })
    await recorded(3)
    scene.answerWith(() => ({
      body: { output: { y: 1, note: '\\u0000'.repeat(10) + 'ä'.repeat(20_000) } },
    }))
    expect((await act('tg:add', { x: 4 })).status).toBe(200)
    const [large, odd, failed, done] = await recorded(4)
    const common = {
      integrationName: 'telegram',
      actionType: 'add',
      cached: false,
      inputTruncated: false,
      timestamp: expect.any(String),
      durationMs: expect.any(Number),
    }
    expect(done).toEqual({
      ...common,
      input: { x: 1 },
      output: { y: 1 },
      outputTruncated: false,
      status: 'SUCCESS',
      errorMessage: null,
    })
    expect(failed).toEqual({
      ...common,
      input: { x: 2, secret: '😀' },
      output: null,
      outputTruncated: false,
      status: 'FAILURE',
      errorMessage: 'No such list',
    })
    expect(odd).toMatchObject({ status: 'FAILURE', input: { x: 3 } })
    expect(large).toMatchObject({
      status: 'SUCCESS',
      outputTruncated: true,
      output: { beginning: expect.stringMatching(/^\{"y":1/) },
    })
    expect(done.timestamp <= failed.timestamp).toBe(true)
  })

  test('are not recorded for calls rejected before any code runs', async () => {
    const before = (await runs()).body.data.length
    for (const [type, input] of [
      ['tg:add', {}],
      ['tg:nothing', {}],
      ['unknown:add', { x: 1 }],
    ] as const)
      expect((await act(type, input)).status, type).toBe(400)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect((await runs()).body.data).toHaveLength(before)
  })

  test('are listed by integration and time, in pages, for members of the workspace', async () => {
    const all = (await runs()).body.data
    const first = await runs('&pageSize=3')
    const second = await runs(`&pageSize=3&nextToken=${first.body.meta.nextToken}`)
    expect([...first.body.data, ...second.body.data]).toEqual(all)
    const at = encodeURIComponent(all[1].timestamp)
    expect(
      (await runs(`&timestampFrom=${at}&timestampUntil=${at}`)).body.data,
    ).toContainEqual(all[1])
    expect((await runs('&timestampFrom=2999-01-01')).body.data).toEqual([])
    expect((await runs('&timestampFrom=soon')).body.type).toBe('InvalidQuery')
    expect(
      (
        await ask(
          `GET admin/bots/${scene.botId}/action-runs?integrationName=mail`,
          undefined,
          scene.admin,
        )
      ).body.data,
    ).toEqual([])
    expect(
      (await ask(`GET admin/bots/${scene.botId}/action-runs`, undefined, scene.admin))
        .body.type,
    ).toBe('InvalidQuery')
    expect(
      (
        await ask(
          'GET admin/bots/unknown/action-runs?integrationName=telegram',
          undefined,
          scene.admin,
        )
      ).status,
    ).toBe(404)
    expect(
      (
        await ask(
          `GET admin/bots/${scene.strangerBotId}/action-runs?integrationName=telegram`,
          undefined,
          scene.admin,
        )
      ).body.data,
    ).toEqual([])
  })

  test('nested actions and API calls do not block each other', async () => {
    const nested = async (depth: number): Promise<unknown> =>
      depth === 0
        ? askAs('asTg', 'POST chat/users', { tags: {} })
        : (await act(depth % 2 ? 'tg:add' : 'own', { x: depth })).body
    scene.answerWith(({ body }) => ({ body: { output: { y: body.input.x } } }))
    // The scene's code answers at once; here it first calls back as often as its input requests.
    const { invoker } = scene.app.services
    const invoke = invoker.invoke.bind(invoker)
    invoker.invoke = async (invocation) => {
      const { input } = invocation.body as { input?: { x?: number } }
      if (invocation.operation === 'action_triggered') await nested((input?.x ?? 1) - 1)
      return invoke(invocation)
    }
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => act('tg:add', { x: 5 })),
    )
    expect(replies.map(({ body }) => body)).toEqual(
      replies.map(() => ({ output: { y: 5 }, meta: { cached: false } })),
    )
    invoker.invoke = invoke
  })

  test('a failing database loses runs, but not answers', async () => {
    const { database } = scene.app.services
    const lazily = database.lazily
    scene.answerWith(() => ({ body: { output: {} } }))
    database.lazily = () => Promise.reject(new Error('away'))
    expect((await act('tg:add', { x: 1 })).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 50))
    database.lazily = lazily
  })
})

test('deletes old entries, and the oldest beyond the limit', async () => {
  await removeOldInsights(db(), 30)
  const kept = async () => {
    const { rows } = await sql<{ counts: number; observations: number; runs: number }>`
      select (select count(*)::int from analytics_count) as counts,
        (select count(*)::int from observation) as observations,
        (select count(*)::int from action_run) as runs`.execute(db())
    return rows[0]!
  }
  const before = await kept()
  await sql`
    insert into analytics_count (bot_id, name, hour, count)
    values (${scene.botId}, 'old', now() - interval '401 days', 1),
      (${scene.botId}, 'new', now() - interval '399 days', 1)`.execute(db())
  for (const [days, id] of [
    [31, 'obs_0old'],
    [29, 'obs_0new'],
  ] as const)
    await sql`
      insert into observation (bot_id, id, name, data, created_at)
      values (${scene.botId}, ${id}, 'a', '{}', now() - ${days} * interval '1 day')`.execute(
      db(),
    )
  await sql`
    insert into action_run (bot_id, id, action, succeeded, ms, input, input_truncated, output_truncated,
      started_at)
    select ${scene.strangerBotId}, 'run_' || lpad(i::text, 6, '0'), 'a', true, 1, '{}', false, false, now()
    from generate_series(1, 10500) i`.execute(db())
  await removeOldInsights(db(), 30)
  expect(await kept()).toEqual({
    counts: before.counts + 1,
    observations: before.observations + 1,
    runs: before.runs + 10_000,
  })
  const { rows } = await sql<{
    id: string
  }>`select min(id) as id from action_run where bot_id = ${scene.strangerBotId}`.execute(
    db(),
  )
  expect(rows[0]!.id).toBe('run_000501')
})

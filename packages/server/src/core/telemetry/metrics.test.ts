// `/metrics`: the format of Prometheus, counters that follow the events, a bounded number of
// series, and access control.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import {
  openRecordingBot,
  type RecordingBot,
} from '../../../test/support/recording-bot.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { createDepthReader } from '../queue/depth.ts'

let scene: Scene
let bot: RecordingBot
beforeAll(async () => {
  scene = await openScene({ config: { retrySeconds: [0.02] } })
  bot = await openRecordingBot()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
})
afterAll(async () => {
  await scene.close()
  await bot.close()
})
afterEach(() => bot.behave(() => 200))

interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

const nameForm = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const sampleForm = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const labelForm = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/g

/**
 * Checks like promtool: each sample belongs to the last declared metric, no sample is repeated,
 * labels are well formed, histograms are cumulative and complete.
 */
function parseMetrics(text: string): Series[] {
  const series: Series[] = []
  const declared = new Map<string, string>()
  const seen = new Set<string>()
  let current = ''
  expect(text.endsWith('\n')).toBe(true)
  for (const line of text.trimEnd().split('\n')) {
    const [, keyword, name = '', rest = ''] =
      /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === 'HELP') {
      expect(name).toMatch(nameForm)
      expect(declared.has(name), name).toBe(false)
      current = name
    } else if (keyword === 'TYPE') {
      expect(name).toBe(current)
      expect(['counter', 'gauge', 'histogram']).toContain(rest)
      declared.set(name, rest)
    } else {
      const [, sample = '', labelText = '', value = ''] = sampleForm.exec(line) ?? []
      expect(
        declared.get(current) === 'histogram'
          ? sample.replace(/_(bucket|sum|count)$/, '')
          : sample,
        line,
      ).toBe(current)
      expect(labelText.replaceAll(labelForm, ''), line).toBe('')
      expect(seen.has(`${sample}{${labelText}}`), line).toBe(false)
      seen.add(`${sample}{${labelText}}`)
      const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value)
      expect(number, line).not.toBeNaN()
      series.push({
        name: sample,
        labels: Object.fromEntries(
          [...labelText.matchAll(labelForm)].map(([, label, text]) => [label, text]),
        ),
        value: number,
      })
    }
  }
  for (const [name, type] of declared)
    if (type === 'histogram') checkHistogram(series, name)
  return series
}

function checkHistogram(series: Series[], name: string) {
  const counts = series.filter((one) => one.name === `${name}_count`)
  for (const { labels, value } of counts) {
    const isSame = (one: Series) =>
      Object.entries(labels).every(([label, text]) => one.labels[label] === text)
    const buckets = series.filter((one) => one.name === `${name}_bucket` && isSame(one))
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value })
    expect(buckets.map((one) => one.value)).toEqual(
      buckets.map((one) => one.value).sort((a, b) => a - b),
    )
  }
}

const read = async (of = scene) =>
  parseMetrics(
    (await of.call('GET', '/metrics', { headers: { host: '127.0.0.1' } })).body,
  )
const sumValues = (series: Series[], name: string, labels: Record<string, string> = {}) =>
  series
    .filter(
      (one) =>
        one.name === name &&
        Object.entries(labels).every(([label, value]) => one.labels[label] === value),
    )
    .reduce((sum, one) => sum + one.value, 0)
const change = async (
  name: string,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
) => {
  const before = sumValues(await read(), name, labels)
  await work()
  return sumValues(await read(), name, labels) - before
}

async function openConversation() {
  const { headers } = await scene.chatUser()
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers,
    body: {},
  })
  const say = (text: string) =>
    scene.call('POST', `/chat/${scene.webhookId}/messages`, {
      headers,
      body: { conversationId: body.conversation.id, payload: { type: 'text', text } },
    })
  return { say, headers, id: body.conversation.id as string }
}

const settled = (kind: string, outcome: string, count: number) =>
  expect
    .poll(
      async () => sumValues(await read(), 'botstead_deliveries_total', { kind, outcome }),
      {
        timeout: 10_000,
      },
    )
    .toBe(count)

describe('counts', () => {
  test('requests by operation and status class', async () => {
    const { headers } = await scene.chatUser()
    const of = (operation: string, status: string) => ({
      family: 'chat',
      operation,
      status,
    })
    const name = 'botstead_http_requests_total'
    const url = `/chat/${scene.webhookId}/users/me`
    const three = async () => {
      for (let i = 0; i < 3; i++) await scene.call('GET', url, { headers })
    }
    expect(await change(name, of('getUser', '2xx'), three)).toBe(3)
    expect(
      await change(name, of('getUser', '4xx'), () => scene.call('GET', url, {})),
    ).toBe(1)
    expect(
      await change(
        'botstead_http_request_duration_seconds_count',
        { family: 'chat', operation: 'getUser' },
        three,
      ),
    ).toBe(3)
    const nowhere = () =>
      Promise.all(
        ['/a', '/b?c=d', '/chat/x/y/z', '/%zz'].map((place) =>
          scene.call('GET', place, {}),
        ),
      )
    expect(
      await change(
        name,
        { family: 'none', operation: 'unknown', status: '4xx' },
        nowhere,
      ),
    ).toBe(3)
    expect(sumValues(await read(), name, { operation: 'unreadable' })).toBe(1)
  })

  test('deliveries by outcome, attempts by result, invocations by outcome', async () => {
    const { say } = await openConversation()
    const outcomes = ['done', 'failed', 'dead'] as const
    const before = await read()
    bot.behave(({ text }) => ({ good: 200, refused: 400, broken: 500 })[text]!)
    for (const text of ['good', 'refused', 'broken', 'good']) await say(text)
    const had = (outcome: string) =>
      sumValues(before, 'botstead_deliveries_total', { kind: 'event', outcome })
    await settled('event', 'done', had('done') + 2)
    const after = await read()
    const grown = (name: string, labels: Record<string, string>) =>
      sumValues(after, name, labels) - sumValues(before, name, labels)
    expect(
      outcomes.map((outcome) => grown('botstead_deliveries_total', { outcome })),
    ).toEqual([2, 1, 1])
    // The failing event has two attempts.
    expect(
      ['done', 'failed', 'retry', 'dead'].map((result) =>
        grown('botstead_delivery_attempts_total', { result }),
      ),
    ).toEqual([2, 1, 1, 1])
    const invoked = (outcome: string) =>
      grown('botstead_invocation_duration_seconds_count', {
        place: 'url',
        callee: 'bot',
        outcome,
      })
    expect(['2xx', '4xx', '5xx'].map(invoked)).toEqual([2, 1, 2])
    expect(grown('botstead_delivery_wait_seconds_count', { kind: 'event' })).toBe(4)
  })

  test('pending and running deliveries, and their age', async () => {
    const { say } = await openConversation()
    let go = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const before = bot.received.length
    bot.behave(() => gate.then(() => 200))
    await say('one')
    await say('two')
    await expect.poll(() => bot.received.length).toBe(before + 1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    const depth = (await createDepthReader(scene.app.services.database)())!
    expect(depth).toMatchObject({
      waiting: 2,
      lanes: 1,
    })
    const ofBot = { waiting: 2, lanes: 1, inProgress: 1 }
    expect([...depth.bots]).toMatchObject([[scene.botId, ofBot]])
    expect(depth.oldestSeconds).toBeGreaterThan(0.25)
    expect(depth.oldestSeconds).toBeLessThan(60)
    expect(sumValues(await read(), 'botstead_queue_running')).toBe(1)
    expect(sumValues(await read(), 'botstead_queue_held')).toBe(2)
    go()
    await expect
      .poll(
        async () => (await createDepthReader(scene.app.services.database)())!.waiting,
        {
          timeout: 10_000,
        },
      )
      .toBe(0)
    expect(sumValues(await read(), 'botstead_queue_running')).toBe(0)
  })

  test('listeners while they are connected', async () => {
    const base = await scene.listen()
    const { headers, id } = await openConversation()
    const stop = new AbortController()
    const before = sumValues(await read(), 'botstead_listeners', { transport: 'sse' })
    await fetch(`${base}/chat/${scene.webhookId}/conversations/${id}/listen`, {
      headers,
      signal: stop.signal,
    })
    expect(sumValues(await read(), 'botstead_listeners', { transport: 'sse' })).toBe(
      before + 1,
    )
    stop.abort()
    await expect
      .poll(async () =>
        sumValues(await read(), 'botstead_listeners', { transport: 'sse' }),
      )
      .toBe(before)
    // Listening time is not request duration.
    expect(
      sumValues(await read(), 'botstead_http_request_duration_seconds_count', {
        operation: 'listenConversation',
      }),
    ).toBe(0)
  })

  test('the process and its database connections', async () => {
    const series = await read()
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
    ])
      expect(sumValues(series, name), name).toBeGreaterThan(0)
    expect(sumValues(series, 'process_start_time_seconds')).toBeLessThan(
      Date.now() / 1000,
    )
    const connections = series.filter(
      ({ name }) => name === 'botstead_database_connections',
    )
    const pools = new Set(connections.map(({ labels }) => labels.pool))
    expect([...pools].sort()).toEqual(['general', 'hot', 'lazy'])
    expect(connections).toHaveLength(9)
  })
})

test('has a bounded number of series for a thousand bots, and none per conversation', async () => {
  const { db, database } = scene.app.services
  const { id } = await openConversation()
  const count = (await read()).length
  // Lanes of another process, so that this process does not claim them.
  await sql`
    insert into worker (id, host, pid, alive_until)
    values ('another', 'elsewhere', 1, now() + interval '1 hour')`.execute(db)
  await sql`
    insert into lane (bot_id, key, pending, last_number, owner, ready_at)
    select 'bot_' || i, 'conv_secret_' || i, 1 + i % 7, 9, 'another', now()
    from generate_series(1, 1000) i`.execute(db)
  await sql`
    insert into delivery (bot_id, lane, number, id, kind, subject_id, created_at, dead_at)
    select 'bot_' || i, 'conv_secret_' || i, 1 + n, 'dlv_' || i || '_' || n, 'event', 'evt',
      now() - interval '1 hour', case when n = 0 then now() end
    from generate_series(1, 1000) i, generate_series(0, 1) n`.execute(db)
  const depth = (await createDepthReader(database)())!
  expect(depth).toMatchObject({ waiting: 4_003, lanes: 1_000, dead: expect.any(Number) })
  expect(depth.oldestSeconds).toBeGreaterThan(3_500)
  expect(depth.bots.size).toBe(1_000)
  expect(
    [...depth.bots.values()].slice(0, 20).every(({ waiting }) => waiting === 7),
  ).toBe(true)

  await expect
    .poll(async () => sumValues(await read(), 'botstead_queue_waiting_lanes'), {
      timeout: 15_000,
      interval: 500,
    })
    .toBe(1_000)
  const { body: text } = await scene.call('GET', '/metrics', {
    headers: { host: 'localhost' },
  })
  const series = parseMetrics(text)
  expect(series.length).toBeLessThanOrEqual(count + 3 * 20 + 20)
  expect(series.filter(({ labels }) => labels.bot).length).toBeLessThanOrEqual(60)
  for (const forbidden of ['conv_', id, 'dlv_', 'evt_'])
    expect(text.includes(forbidden), forbidden).toBe(false)
  await sql`delete from lane where owner = 'another'`.execute(db)
})

test('reads the queue with indexes on pending deliveries', async () => {
  const { database } = scene.app.services
  for (const busy of ['owner is not null', 'owner is null and pending > 0']) {
    const rows = await database.run<{ 'QUERY PLAN': string }>(
      `plan ${busy}`,
      `explain select bot_id, key, pending from lane where ${busy}`,
      [],
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index/)
  }
  const dead = await database.run<{ 'QUERY PLAN': string }>(
    'plan dead',
    'explain select bot_id, count(*) from delivery where dead_at is not null group by 1',
    [],
  )
  expect(dead.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index/)
})

describe('access', () => {
  const ask = (of: Scene, headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    of.app.server
      .inject({
        method: 'GET',
        url: '/metrics',
        headers: { host: 'localhost:4000', ...headers },
        remoteAddress,
      })
      .then(({ statusCode }) => statusCode)

  test('without a token: only from this machine, without a proxy', async () => {
    const ips = ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1']
    expect(
      await Promise.all(ips.map(async (ip) => [ip, await ask(scene, {}, ip)])),
    ).toEqual(ips.map((ip) => [ip, 200]))
    const others = [
      '10.0.0.1',
      '::ffff:10.0.0.1',
      '128.0.0.1',
      '2001:db8::1',
      '127.0.0.1.example',
    ]
    expect(
      await Promise.all(others.map(async (ip) => [ip, await ask(scene, {}, ip)])),
    ).toEqual(others.map((ip) => [ip, 403]))
    const handedOn = {
      'x-forwarded-for': '127.0.0.1',
      forwarded: 'for=127.0.0.1',
      'x-real-ip': '127.0.0.1',
      via: '1.1 proxy',
    }
    for (const [name, value] of Object.entries(handedOn))
      expect(await ask(scene, { [name]: value }), name).toBe(403)
    expect(await ask(scene, { 'x-forwarded-for': '127.0.0.1' }, '10.0.0.1')).toBe(403)
    expect(await ask(scene, { host: 'rebound.example' })).toBe(403)
    expect(await ask(scene, { host: 'localhost.example' })).toBe(403)
  })

  test('with a token: from every address with the token, and not without it', async () => {
    const token = 'a-token-for-metrics'
    const other = await openScene({ config: { metricsToken: token } })
    try {
      expect(
        await ask(
          other,
          {
            authorization: `Bearer ${token}`,
            'x-forwarded-for': '10.0.0.1',
            host: 'any.example',
          },
          '10.0.0.1',
        ),
      ).toBe(200)
      for (const authorization of [
        '',
        `Bearer ${token}x`,
        'Bearer ',
        `Basic ${token}`,
        `Bearer ${other.token}`,
      ])
        expect(await ask(other, { authorization }), authorization).toBe(401)
      expect(await ask(other, {})).toBe(401)
    } finally {
      await other.close()
    }
  })
})

test('returns the metrics of the process when the database fails', async () => {
  const other = await openScene()
  const { database } = other.app.services
  const run = database.run
  database.run = (name, ...rest) =>
    (name.startsWith('depth')
      ? Promise.reject(new Error('away'))
      : run(name, ...rest)) as never
  const series = await read(other)
  expect(
    series.filter(({ name }) => name === 'botstead_queue_waiting_deliveries'),
  ).toEqual([])
  expect(sumValues(series, 'process_cpu_seconds_total')).toBeGreaterThan(0)
  database.run = run
  await other.close()
})

describe('deploy/', () => {
  const deployed = (path: string) =>
    readFileSync(new URL(`../../../../../deploy/${path}`, import.meta.url), 'utf8')
  const listQueries = (path: string) =>
    [
      ...JSON.stringify(parseYaml(deployed(path))).matchAll(
        /"(?:expr|query)":("(?:[^"\\]|\\.)*")/g,
      ),
    ].map(([, query]) => JSON.parse(query!) as string)
  /** Labels that Prometheus adds, and that of histograms. */
  const general = ['job', 'instance', 'le']

  test.each(['prometheus/botstead.rules.yml', 'grafana/botstead.json'])(
    '%s contains only metrics and labels that exist',
    async (path) => {
      const { models, requests } = scene.app.services.metrics
      requests.answered('chat', 'getUser', 500, 0.1)
      models.called({
        kind: 'chat',
        model: 'm',
        outcome: 'failed',
        cached: false,
        ms: 5,
        cost: 0.1,
        usage: { inputTokens: 1, outputTokens: 1 },
      } as never)
      const { body } = await scene.call('GET', '/metrics', {
        headers: { host: '127.0.0.1' },
      })
      const series = parseMetrics(body)
      const declared = [...String(body).matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(
        ([, name, type]) => (type === 'histogram' ? [`${name}_bucket`] : [name]),
      )
      const queries = listQueries(path)
      expect(queries.length).toBeGreaterThan(8)
      for (const query of queries) {
        const names: string[] = query.match(/\b(?:botstead|nodejs|process)_\w+/g) ?? []
        const samples = series.filter(({ name }) => names.includes(name))
        const labels = samples.flatMap((one) => Object.entries(one.labels))
        const known = [...general, ...labels.map(([label]) => label)]
        const grouped = [...query.matchAll(/by \(([^)]+)\)/g)].flatMap(([, list]) =>
          list!.split(', '),
        )
        const selected = [...query.matchAll(/(\w+)=~?"([^"]*)"/g)].map(
          ([, ...pair]) => pair,
        )
        for (const name of names) expect(declared, query).toContain(name)
        if (samples.length === 0) continue
        for (const label of grouped) expect(known, query).toContain(label)
        for (const pair of selected)
          if (!general.includes(pair[0]!)) expect(labels, query).toContainEqual(pair)
      }
    },
  )
})

// Usage: events are counted as they happen, stored objects are counted where they are; workspaces
// see their own usage; quotas are enforced.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  openRecordedScene,
  type RecordedScene,
} from '../../../test/support/recording-bot.ts'
import type { Scene } from '../../../test/support/scene.ts'
import { type Limits, toLimits } from '../../core/config/limits.ts'

let opened: RecordedScene
let scene: Scene
let otherBot: string
const month = `${new Date().toISOString().slice(0, 7)}-01T00:00:00.000Z`
const anyNumber = Number.MAX_SAFE_INTEGER

const get = (path: string, headers: Record<string, string> = scene.admin) =>
  scene.call('GET', `/v1/admin/${path}`, { headers })
const findUsage = async (id: string, type: string) =>
  (await get(`usages/${id}?type=${type}`)).body.usage.value

beforeAll(async () => {
  opened = await openRecordedScene({}, 1)
  scene = opened.scene
  otherBot = (
    await scene.call('POST', '/v1/admin/bots', { headers: scene.admin, body: {} })
  ).body.bot.id
  const { db } = scene.app.services
  await sql`
    insert into file (bot_id, id, key, content_type, size, status, owner)
    values (${scene.botId}, 'file_1', 'a', 'text/plain', 30, 'indexing_completed', '{}'),
      (${scene.botId}, 'file_2', 'b', 'text/plain', 12, 'upload_completed', '{}'),
      (${otherBot}, 'file_3', 'a', 'text/plain', 5, 'indexing_completed', '{}')`.execute(
    db,
  )
  await sql`
    insert into bot_table (bot_id, bot_table_id, name, factor, schema, columns, next_column)
    values (${scene.botId}, 'a', 'aTable', 2, '{}', '[]', 1),
      (${otherBot}, 'b', 'bTable', 1, '{}', '[]', 1)`.execute(db)
  await sql`
    insert into table_counter (bot_id, bot_table_id) select bot_id, bot_table_id from bot_table`.execute(
    db,
  )
  // With a factor of 2, a row counts as two.
  await sql`
    insert into table_row (bot_id, bot_table_id, row_id, data)
    select bot_id, bot_table_id, n, '{}'
    from bot_table, generate_series(1, case name when 'aTable' then 3 else 5 end) n`.execute(
    db,
  )
  await sql`
    insert into usage_count (workspace_id, type, day, bot_id, value)
    select ${scene.workspaceId}, 'ai_spend', day, bot, value from (values
      (${month}::date, ${scene.botId}, 1.5), (${month}::date, ${otherBot}, 0.25),
      ((${month}::date - 1), ${scene.botId}, 4), ((${month}::date - 1), 'gone', 8),
      ((${month}::date - 40), ${scene.botId}, 16)
    ) as given (day, bot, value)`.execute(db)
}, 60_000)
afterAll(() => opened?.close())

test.each([
  ['bot_count', 2, 1],
  ['storage_count', 47, 42],
  ['file_max_size_bytes', 30, 30],
  ['indexed_file_count', 2, 1],
  ['workspace_member_count', 1, 0],
  ['integrations_owned_count', 0, 0],
  ['always_alive', 0, 0],
  ['ai_spend', 1.75, 1.5],
  ['table_row_count', 11, 6],
  ['openai_spend', 0, 0],
])('%s: %s in the workspace, %s in one bot', async (type, inWorkspace, inBot) => {
  const { body } = await get(`workspaces/${scene.workspaceId}/usages?type=${type}`)
  expect(body.usages).toEqual([
    {
      id: scene.workspaceId,
      period: month,
      value: inWorkspace,
      quota: type === 'file_max_size_bytes' ? 2 ** 30 : anyNumber,
      type,
    },
  ])
  expect(await findUsage(scene.botId, type)).toBe(inBot)
})

test('counts each event once, and not the registration of the bot', async () => {
  for (const text of ['a', 'b', 'c'])
    await opened.people.say(opened.people.people[0]!, text)
  const { db } = scene.app.services
  const processedEvents = async () =>
    (
      await db
        .selectFrom('event')
        .select('id')
        .where('bot_id', '=', scene.botId)
        .where('status', '=', 'processed')
        .execute()
    ).length
  await vi.waitFor(
    async () => expect(await processedEvents()).toBeGreaterThanOrEqual(3),
    10_000,
  )
  await vi.waitFor(
    async () =>
      expect(await findUsage(scene.botId, 'invocation_calls')).toBe(
        await processedEvents(),
      ),
    5_000,
  )
  expect(await findUsage(otherBot, 'invocation_calls')).toBe(0)
})

test('by bot, month and day; usage of a deleted bot stays', async () => {
  const workspace = `workspaces/${scene.workspaceId}/usages`
  const lastMonth = new Date(Date.parse(month) - 1).toISOString().slice(0, 7)
  expect((await get(`${workspace}/by-bot?type=ai_spend`)).body.data).toEqual([
    { botId: scene.botId, value: 1.5 },
    { botId: otherBot, value: 0.25 },
  ])
  expect(
    (await get(`${workspace}?type=ai_spend&period=${lastMonth}`)).body.usages[0],
  ).toMatchObject({
    period: `${lastMonth}-01T00:00:00.000Z`,
    value: 12,
  })
  const history = (await get(`usages/${scene.workspaceId}/history?type=ai_spend`)).body
    .usages
  expect(history.map(({ value }: { value: number }) => value).slice(0, 2)).toEqual([
    1.75, 12,
  ])
  expect(
    history.reduce((sum: number, { value }: { value: number }) => sum + value, 0),
  ).toBe(29.75)

  const daily = (
    await get(
      `usages/${scene.workspaceId}/daily-activity?type=ai_spend&dateFrom=${lastMonth}-15`,
    )
  ).body
  expect(daily.data.map(({ value }: { value: number }) => value)).toEqual([1.75, 12])
  const activity = (await get(`usages/${scene.botId}/activity?type=ai_spend`)).body.data
  expect(
    activity.map(({ value, metadata }: { value: number; metadata: object }) => [
      value,
      metadata,
    ]),
  ).toEqual([1.5, 4, 16].map((value) => [value, { botId: scene.botId }]))
})

test('lists days in pages, each once', async () => {
  const { db } = scene.app.services
  await sql`
    insert into usage_count (workspace_id, type, day, bot_id, value)
    select ${scene.workspaceId}, 'ai_spend', date '2020-01-01' + n, bot, 1
    from generate_series(1, 30) n, unnest(${[scene.botId, otherBot]}::text[]) bot`.execute(
    db,
  )
  for (const [path, count] of [
    ['activity', 60],
    ['daily-activity', 30],
  ] as const) {
    const [from, until] =
      path === 'activity'
        ? ['timestampFrom', 'timestampUntil']
        : ['dateFrom', 'dateUntil']
    const seen: string[] = []
    for (let token = ''; ; ) {
      const next = token && `&nextToken=${encodeURIComponent(token)}`
      const query = `type=ai_spend&${from}=2020-01-01&${until}=2020-12-31${next}`
      const { body } = await get(`usages/${scene.workspaceId}/${path}?${query}`)
      seen.push(
        ...body.data.map(
          (one: { timestamp?: string; date?: string; metadata?: object }) =>
            JSON.stringify([one.timestamp ?? one.date, one.metadata]),
        ),
      )
      token = body.meta.nextToken ?? ''
      if (!token) break
    }
    expect([path, seen.length, new Set(seen).size]).toEqual([path, count, count])
    expect(
      seen.map((one) => one.slice(2, 12)),
      path,
    ).toEqual(
      seen
        .map((one) => one.slice(2, 12))
        .sort()
        .reverse(),
    )
  }
})

test('rejects invalid types, periods, and ids of other workspaces', async () => {
  const findError = async (path: string, headers?: Record<string, string>) => {
    const { status, body } = await get(path, headers)
    return [status, body.type]
  }
  expect(
    await findError(`usages/${scene.botId}?type=storage_count&period=2020-01`),
  ).toEqual([400, 'InvalidQuery'])
  expect(await findError(`usages/${scene.botId}?type=ai_spend&period=never`)).toEqual([
    400,
    'InvalidQuery',
  ])
  expect(await findError(`usages/${scene.botId}?type=nothing`)).toEqual([
    400,
    'InvalidQuery',
  ])
  expect(await findError(`usages/multiple?types=nothing&ids=${scene.botId}`)).toEqual([
    400,
    'InvalidQuery',
  ])
  expect(
    await findError(`usages/${scene.botId}/activity?type=ai_spend&timestampFrom=x`),
  ).toEqual([400, 'InvalidQuery'])
  expect(
    await findError('usages/bot_01AAAAAAAAAAAAAAAAAAAAAAAAA?type=bot_count'),
  ).toEqual([404, 'ResourceNotFound'])
  const { body: second } = await scene.call('POST', '/v1/admin/workspaces', {
    headers: scene.admin,
    body: { name: 'Second' },
  })
  expect(
    await findError(`usages/${scene.botId}?type=bot_count`, {
      ...scene.admin,
      'x-workspace-id': second.id,
    }),
  ).toEqual([404, 'ResourceNotFound'])
  const { body: charged } = await scene.call(
    'POST',
    `/v1/admin/workspaces/${scene.workspaceId}/billing/invoices/charge-unpaid`,
    {
      headers: scene.admin,
      body: { invoiceIds: ['in_1'] },
    },
  )
  expect(charged.type).toBe('ResourceNotFound')
})

test('enforces quotas of objects and returns their completion', async () => {
  const { services } = scene.app
  const relaxed = { ...services.limits }
  Object.assign(
    services.limits,
    toLimits('relaxed', {
      botsPerWorkspace: 3,
      membersPerWorkspace: 2,
      integrationsPerWorkspace: 1,
    }),
  )
  try {
    const post = async (path: string, body: object) => {
      const reply = await scene.call('POST', `/v1/admin/${path}`, {
        headers: scene.admin,
        body,
      })
      return reply.status < 300 ? 'made' : `${reply.status} ${reply.body.type}`
    }
    expect(await post('bots', {})).toBe('made')
    expect(await post('bots', {})).toBe('403 QuotaExceeded')
    expect(
      await post('workspace-members', { email: 'a@example.org', role: 'viewer' }),
    ).toBe('made')
    expect(
      await post('workspace-members', { email: 'b@example.org', role: 'viewer' }),
    ).toBe('403 QuotaExceeded')
    expect(await post('integrations', { name: 'one', version: '1.0.0' })).toBe('made')
    expect(await post('integrations', { name: 'one', version: '1.0.1' })).toBe('made')
    expect(await post('integrations', { name: 'two', version: '1.0.0' })).toBe(
      '403 QuotaExceeded',
    )
    expect(await post('integrations', { name: 'two', version: '1.0.0', dev: true })).toBe(
      'made',
    )
    Object.assign(
      services.limits,
      toLimits('relaxed', {
        botsPerWorkspace: 5,
        membersPerWorkspace: 4,
        integrationsPerWorkspace: 3,
        versionsPerPackage: 4,
      }),
    )
    const atOnce = async (path: string, body: (n: number) => object) =>
      (
        await Promise.all(Array.from({ length: 6 }, (_, n) => post(path, body(n))))
      ).filter((answer) => answer === 'made').length
    expect(await atOnce('bots', () => ({}))).toBe(2)
    expect(
      await atOnce('workspace-members', (n) => ({
        email: `at-once-${n}@example.org`,
        role: 'viewer',
      })),
    ).toBe(2)
    expect(
      await atOnce('integrations', (n) => ({ name: `at-once-${n}`, version: '1.0.0' })),
    ).toBe(2)
    expect(
      await atOnce('integrations', (n) => ({ name: 'one', version: `2.0.${n}` })),
    ).toBe(2)
    Object.assign(
      services.limits,
      toLimits('relaxed', {
        botsPerWorkspace: 5,
        membersPerWorkspace: 8,
        integrationsPerWorkspace: 8,
      }),
    )
    expect(
      (await get(`workspaces/${scene.workspaceId}/quota?type=bot_count`)).body.quota,
    ).toEqual({
      period: month,
      type: 'bot_count',
      value: 5,
    })
    expect(
      (await get('workspaces/usages/quota-completion')).body[scene.workspaceId]
        .completion,
    ).toBe(1)
  } finally {
    Object.assign(services.limits, relaxed)
  }
})

test('an agent reads no usage, also not with operations of accounts', async () => {
  const body = { email: 'agent@example.org', role: 'agent' }
  const { admin: headers, workspaceId: id } = scene
  const member = await scene.call('POST', '/v1/admin/workspace-members', {
    headers,
    body,
  })
  const token = `/v1/platform/members/${member.body.id}/token`
  const { body: made } = await scene.call('POST', token, { headers })
  const agent = { ...headers, authorization: `Bearer ${made.pat.value}` }
  expect((await get('workspaces/usages/quota-completion', agent)).body).toEqual({})
  expect((await get(`usages/multiple?ids=${id}&types=bot_count`, agent)).status).toBe(404)
  expect((await get(`usages/${id}?type=bot_count`, agent)).status).toBe(403)
})

describe('quotas of storage:', () => {
  let relaxed: Limits
  const toOutcome = ({ status, body }: { status: number; body?: { type?: string } }) =>
    status < 300 ? 'done' : `${status} ${body?.type}`
  const allow = (limits: Partial<Limits>) =>
    void Object.assign(scene.app.services.limits, toLimits('relaxed', limits))
  const ask = (method: 'POST' | 'PUT', path: string, body: object) =>
    scene.call(method, `/v1/${path}`, { headers: scene.asBot, body })
  const usedBy = async (type: string) =>
    (await get(`workspaces/${scene.workspaceId}/usages?type=${type}`)).body.usages[0]
      .value as number

  beforeAll(() => {
    relaxed = { ...scene.app.services.limits }
  })
  afterEach(() => void Object.assign(scene.app.services.limits, relaxed))

  test('limit rows of tables, for every kind of write', async () => {
    const schema = { n: { type: 'number' } }
    expect(toOutcome(await ask('POST', 'tables', { name: 'QuotaTable', schema }))).toBe(
      'done',
    )
    const before = await usedBy('table_row_count')
    allow({ tableRowsPerWorkspace: before + 5 })
    const add = async (count: number, more = '', table = 'QuotaTable') =>
      toOutcome(
        await ask('POST', `tables/${table}/rows${more}`, {
          rows: Array.from({ length: count }, (_, n) => ({ n })),
          ...(more && { keyColumn: 'n' }),
        }),
      )
    expect(await add(3)).toBe('done')
    expect(await add(3)).toBe('403 QuotaExceeded')
    // Two of these rows exist.
    expect([await add(2, '/upsert'), await add(6, '/upsert')]).toEqual([
      'done',
      '403 QuotaExceeded',
    ])
    expect(toOutcome(await ask('PUT', 'tables/QuotaTable', { factor: 2 }))).toBe(
      '403 QuotaExceeded',
    )
    expect(
      toOutcome(
        await ask('POST', 'tables/QuotaTable/duplicate', { tableName: 'QuotaCopyTable' }),
      ),
    ).toBe('403 QuotaExceeded')
    const others = Array.from({ length: 6 }, (_, n) => `Quota${n}Table`)
    for (const name of others) await ask('POST', 'tables', { name, schema })
    const atOnce = await Promise.all(others.map((table) => add(1, '', table)))
    expect(atOnce.filter((answer) => answer === 'done')).toHaveLength(2)
    expect(await usedBy('table_row_count')).toBe(before + 5)
    expect(
      (await get(`workspaces/${scene.workspaceId}/quota?type=table_row_count`)).body.quota
        .value,
    ).toBe(before + 5)
    expect(
      (await get('workspaces/usages/quota-completion')).body[scene.workspaceId],
    ).toEqual({
      type: 'table_row_count',
      completion: 1,
    })
    // Existing rows may be changed and deleted over the quota.
    allow({ tableRowsPerWorkspace: 1 })
    expect(
      toOutcome(await ask('PUT', 'tables/QuotaTable/rows', { rows: [{ id: 1, n: 7 }] })),
    ).toBe('done')
    expect(
      toOutcome(
        await ask('POST', 'tables/QuotaTable/rows/upsert', {
          rows: [{ n: 7 }],
          keyColumn: 'n',
        }),
      ),
    ).toBe('done')
    expect(
      toOutcome(
        await ask('POST', 'tables/QuotaTable/rows/delete', { deleteAllRows: true }),
      ),
    ).toBe('done')
  })

  test('limit the content of files and imported rows', async () => {
    const begin = async (key: string, size: number) =>
      ask('PUT', 'files', { key, size, contentType: 'text/plain' })
    const put = async (reply: Awaited<ReturnType<typeof begin>>, content: string) => {
      const { pathname, search } = new URL(reply.body.file.uploadUrl)
      const answer = await fetch((await scene.listen()) + pathname + search, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: content,
      })
      return answer.ok
        ? 'done'
        : toOutcome({ status: answer.status, body: (await answer.json()) as object })
    }
    const rows = 'n\n1\n2\n3\n'
    const file = await begin('rows.csv', rows.length)
    expect(await put(file, rows)).toBe('done')
    const before = await usedBy('storage_count')
    allow({ storageBytesPerWorkspace: before + 10 })
    expect(toOutcome(await begin('large', 11))).toBe('403 QuotaExceeded')
    const both = [await begin('one', 6), await begin('other', 6)]
    expect((await Promise.all(both.map((one) => put(one, 'sixsix')))).sort()).toEqual([
      '403 QuotaExceeded',
      'done',
    ])
    expect(toOutcome(await ask('POST', 'files/rows.csv/copy.csv', {}))).toBe(
      '403 QuotaExceeded',
    )
    expect(await usedBy('storage_count')).toBe(before + 6)
    // When a file is replaced, only the additional bytes count.
    expect(toOutcome(await begin('rows.csv', rows.length + 4))).toBe('done')

    allow({ tableRowsPerWorkspace: (await usedBy('table_row_count')) + 2 })
    await ask('POST', 'tables', { name: 'ImportTable', schema: {} })
    await ask('POST', 'tables/ImportTable/import', { fileId: file.body.file.id })
    const job = async () =>
      (await scene.call('GET', '/v1/tables/ImportTable/jobs', { headers: scene.asBot }))
        .body.jobs[0]
    await expect.poll(job, { timeout: 10_000 }).toMatchObject({
      status: 'failed',
      failureReason: expect.stringContaining('table_row_count'),
    })
  })
})

// A log line belongs to the conversation that the bot was handling when it wrote the line, in any
// way of writing. Searching the log is bounded.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { listBotLogs } from './bot-log-listing.ts'

let scene: Scene
const past = '2020-01-01'
const soon = { timeout: 9_000, interval: 50 }

/**
 * Writes in every possible way, before and after a pause, so that lines of concurrent requests are
 * interleaved.
 */
const code = `
  exports.handler = async ({ body, headers }) => {
    if (headers['x-bp-operation'] !== 'event_received') return
    const { text } = JSON.parse(body).event.payload.message.payload
    console.log(text, 'says hello')
    await new Promise((resolve) => setTimeout(resolve, 50))
    process.stdout.write(Buffer.from(text + ' in bytes\\n'))
    process.stdout.write(text + ' in '); process.stdout.write('pieces\\n')
    console.error(text + ' first line\\n' + text + ' second line')
    console.log(JSON.stringify({
      msg: text + ' of another', level: 'warn', options: { conversationId: 'conv_of_its_own' },
    }))
    console.log('\\u001e9999\\u001e' + text + ' pretends')
    console.log(Buffer.from(text + ' in hex').toString('hex') && text + ' ends')
    const later = '6c61746572' + Buffer.from(' ' + text + '\\n').toString('hex')
    setTimeout(() => process.stdout.write(later, 'hex'), 20)
  }
  setTimeout(() => console.log('no request'), 0)
`

beforeAll(async () => {
  scene = await openScene({ code })
})
afterAll(() => scene?.close())

const logs = async (query: Record<string, string>) => {
  const { status, body } = await scene.call(
    'GET',
    `/v1/admin/bots/${scene.botId}/logs?${new URLSearchParams({ timeStart: past, ...query })}`,
    {
      headers: scene.admin,
    },
  )
  expect(status, JSON.stringify(body)).toBe(200)
  return body as {
    logs: {
      timestamp: string
      level: string
      message: string
      userId?: string
      conversationId?: string
    }[]
    nextToken?: string
  }
}
const messages = async (query: Record<string, string>) =>
  (await logs(query)).logs.map(({ message }) => message).reverse()

test('each line is assigned to the conversation in which it was written', async () => {
  const conversations = await Promise.all(
    ['Ann', 'Bea', 'Cid'].map(async (name) => {
      const { id: claim, headers } = await scene.chatUser({ name })
      const { conversation } = (
        await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
          headers,
          body: {},
        })
      ).body
      const message = {
        conversationId: conversation.id,
        payload: { type: 'text', text: name },
      }
      expect(
        (
          await scene.call('POST', `/chat/${scene.webhookId}/messages`, {
            headers,
            body: message,
          })
        ).status,
      ).toBe(201)
      return { name, claim, conversationId: conversation.id as string }
    }),
  )
  for (const { name, conversationId } of conversations) {
    const expected = ['says hello', 'in bytes', 'in pieces', 'pretends', 'ends'].map(
      (what) => `${what === 'pretends' ? '\u001e9999\u001e' : ''}${name} ${what}`,
    )
    await expect
      .poll(() => messages({ conversationId, level: 'info' }), soon)
      .toEqual([...expected, `later ${name}`])
    await expect
      .poll(() => messages({ conversationId, level: 'ERROR' }), soon)
      .toEqual([`${name} first line\n${name} second line`])
    const [line] = (await logs({ conversationId, messageContains: 'SAYS HELLO' })).logs
    expect(line).toMatchObject({
      level: 'info',
      conversationId,
      userId: expect.stringMatching(/^user_/),
    })
    expect(await messages({ userId: line!.userId!, messageContains: 'bytes' })).toEqual([
      `${name} in bytes`,
    ])
  }
  expect((await messages({ conversationId: 'conv_of_its_own' })).sort()).toEqual(
    conversations.map(({ name }) => `${name} of another`),
  )
  const [unassigned] = (await logs({ messageContains: 'no request' })).logs
  expect(Object.keys(unassigned!).sort()).toEqual(['level', 'message', 'timestamp'])
})

test('lists lines of a time range in pages, newest first', async () => {
  const { rows } = await sql<{
    id: string
  }>`select id from bot where id = ${scene.botId}`.execute(scene.app.services.db)
  await sql`
    insert into bot_log (bot_id, at, level, message, workflow_id)
    select ${rows[0]!.id}, timestamptz '2024-05-01Z' + i / 2 * interval '1 second', 'debug', 'line ' || i,
      'wrkflow_1' from generate_series(0, 49) i`.execute(scene.app.services.db)
  const query = {
    timeStart: '2024-05-01T00:00:05Z',
    timeEnd: '2024-05-01T00:00:20.000Z',
    workflowId: 'wrkflow_1',
    pageSize: '7',
  }
  const found: string[] = []
  let nextToken: string | undefined
  do {
    const page = await logs({ ...query, ...(nextToken && { nextToken }) })
    found.push(...page.logs.map(({ message }) => message))
    nextToken = page.nextToken
  } while (nextToken)
  expect(found).toEqual(Array.from({ length: 32 }, (_, i) => `line ${41 - i}`))
  expect((await logs({ level: 'debug', timeEnd: '2024-04-30' })).logs).toEqual([])
})

test.each([
  ['no start time', ''],
  ['an invalid time', '?timeStart=yesterday'],
  ['a page token of another query', '?timeStart=2020-01-01&level=info&nextToken=x'],
])('rejects %s', async (_, query) => {
  expect(
    await scene.call('GET', `/v1/admin/bots/${scene.botId}/logs${query}`, {
      headers: scene.admin,
    }),
  ).toMatchObject({ status: 400 })
})

test('reads a bounded number of lines per page when matches are rare', async () => {
  const { db } = scene.app.services
  const many = 50_000
  await sql`
    insert into bot_log (bot_id, at, level, message, user_id, conversation_id)
    select ${scene.botId}, timestamptz '2023-01-01Z' + i * interval '1 second', 'info',
      case i when 7 then 'the needle' else 'hay' end, 'user_' || i % 10, 'conv_' || i % 100
    from generate_series(1, ${many}::int) i`.execute(db)
  await sql`analyze bot_log`.execute(db)
  const from = new Date('2023-01-01')
  const until = new Date('2023-12-31')
  const fetchedSoFar = async (trx: typeof db) => {
    const { rows } = await sql<{ n: string }>`
      select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) as n
      from pg_stat_xact_user_tables where relname = 'bot_log'`.execute(trx)
    return Number(rows[0]!.n)
  }
  const fetched = (work: (trx: typeof db) => Promise<unknown>) =>
    db.transaction().execute(async (trx) => {
      const before = await fetchedSoFar(trx)
      await work(trx)
      return (await fetchedSoFar(trx)) - before
    })
  const base = { from, until, position: null, limit: 20 }
  for (const more of [
    {},
    { level: 'info' },
    { userId: 'user_3' },
    { conversationId: 'conv_3', level: 'info' },
    { position: { at: new Date('2023-01-01T05:00Z'), id: '9' } },
  ])
    expect(
      await fetched((trx) => listBotLogs(trx, scene.botId, { ...base, ...more })),
      JSON.stringify(more),
    ).toBeLessThan(100)
  const pages: string[][] = []
  let position: { at: Date; id: string } | null = null
  do {
    const looked: number = await fetched(async (trx) => {
      const { rows, next } = await listBotLogs(trx, scene.botId, {
        ...base,
        contains: 'NEEDLE',
        position,
      })
      pages.push(rows.map(({ message }) => message))
      position = next
    })
    // A second read of 20,000 lines finds the position of the next page.
    expect(looked).toBeLessThan(40_100)
  } while (position)
  expect(pages).toEqual([[], [], ['the needle']])
})

test.each([
  [
    'preconfigured',
    new RegExp(
      '^<script src="http://localhost(:\\d+)?/webchat/v3\\.6/inject\\.js"></script>\n' +
        '<script src="http://localhost(:\\d+)?/webchat/[\\w-]+/config\\.js" defer></script>$',
    ),
  ],
  ['configurable', /window\.botpress\.init\(\{[^<]*"botName": "\\u003cb>\\"x\\""/],
  [
    'fullscreen',
    /^<iframe src="http:\/\/localhost(:\d+)?\/webchat\?clientId=[\w-]+" title="&lt;b&gt;/,
  ],
  ['sharableUrl', /^http:\/\/localhost(:\d+)?\/webchat\?clientId=[\w-]+$/],
])('returns the %s code of the webchat', async (type, expected) => {
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { name: '<b>"x"' },
  })
  const { status, body } = await scene.call(
    'GET',
    `/v1/admin/bots/${scene.botId}/webchat?type=${type}`,
    {
      headers: { ...scene.admin, host: 'localhost' },
    },
  )
  expect([status, body.code]).toEqual([200, expect.stringMatching(expected)])
  expect(body.code).toContain(scene.webhookId)
})

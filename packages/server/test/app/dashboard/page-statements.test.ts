// The SQL statements of each page of the dashboard: as many on a bot with many rows as on an empty
// one, and none that scans a large table. Chromium opens the pages of a server in this process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  createSignInLink,
  toSignInUrl,
} from '../../../src/features/sign-in/sign-in-links.ts'
import { chromiumPath, noChromium, openBrowser } from '../../support/browser.ts'
import { pageAddresses } from '../../support/dashboard-pages.ts'
import { fillTables } from '../../support/many-rows.ts'
import { openRuntimeScene, type RuntimeScene } from '../../support/runtime-scene.ts'
import {
  listNodes,
  openExplainer,
  recordStatements,
  type SentStatement,
} from '../../support/sent-statements.ts'
import { broadcastBody } from '../../support/tenant-content.ts'

/** Conversations and rows of a table. */
const largest = 20_000
const manyMessages = 5_000

/** A sequential scan of a table with fewer rows is accepted. */
const manyRows = 1_000

let scene: RuntimeScene
let url: string
let browser: Browser
let conversationId: string
let chatUser: string
let handoffId: string
let broadcastId: string
let fileId: string
let tableId: string
/** Id of the table's column. */
let column: string
let sourceId: string
/** The statements of each request of the current page. */
let sent = new Map<string, SentStatement[]>()
let running = 0

describe.skipIf(!chromiumPath)(chromiumPath ? 'statements of pages' : noChromium, () => {
  beforeAll(async () => {
    scene = await openRuntimeScene({ servesDashboard: true })
    await converse()
    url = await scene.listen()
    recordRequests()
    browser = await openBrowser()
  }, 90_000)
  afterAll(async () => {
    vi.restoreAllMocks()
    await browser?.close()
    await scene?.close()
  })

  test('each page of a bot with many rows needs as many as that of an empty bot', async () => {
    await openPages() // fills the server's caches
    const few = await openPages()
    await fill()
    const many = await openPages()
    for (const requests of few.values()) expect(requests.size).toBeGreaterThan(0)
    expect(toTexts(many)).toEqual(toTexts(few))
    expect(
      await findScans([...many.values()].flatMap((one) => [...one.values()].flat())),
    ).toEqual([])
  }, 300_000)
})

/** A conversation with one message that waits for a person. */
async function converse() {
  const person = await scene.chatUser()
  chatUser = person.id
  const { body } = await scene.call('POST', `/chat/${scene.webhookId}/conversations`, {
    headers: person.headers,
    body: {},
  })
  conversationId = body.conversation.id
  // Lists hide conversations in which only the bot wrote.
  await insertMessages(1, 1)
  const requested = await scene.call('POST', '/v1/platform/handoffs', {
    headers: scene.asBot,
    body: { conversationId, reason: 'refund' },
  })
  handoffId = requested.body.handoff.id
  const planned = await scene.call('POST', '/v1/platform/broadcasts', {
    headers: scene.asBot,
    body: broadcastBody('planned'),
  })
  broadcastId = planned.body.broadcast.id
  const announced = await scene.call('PUT', '/v1/files', {
    headers: scene.asBot,
    body: { key: 'notes.txt', size: 5 },
  })
  fileId = announced.body.file.id
  const created = await scene.call('POST', '/v1/tables', {
    headers: scene.asBot,
    body: { name: 'OrdersTable', schema: { number: { type: 'string' } } },
  })
  tableId = created.body.table.id
  const base = await scene.call('POST', '/v1/files/knowledge-bases', {
    headers: scene.asBot,
    body: { name: 'Website' },
  })
  const source = await scene.call('POST', '/v1/platform/knowledge-sources', {
    headers: scene.asBot,
    body: {
      knowledgeBaseId: base.body.knowledgeBase.id,
      type: 'page',
      url: 'http://127.0.0.1:9/',
    },
  })
  sourceId = source.body.source.id
  await scene.call('POST', `/v1/tables/${tableId}/rows`, {
    headers: scene.asBot,
    body: { rows: [{ number: 'A1' }] },
  })
  // The others have a curated answer.
  await sql`
    insert into missed_question (bot_id, answer_id, message_id, conversation_id, key, text, reason)
    select bot_id, id, id, conversation_id, 'key0', 'name 0', 'unanswered' from message limit 1`.execute(
    scene.app.services.db,
  )
  const { rows } = await sql<{ id: string }>`
    select columns -> 0 ->> 'id' as id from bot_table where bot_table_id = ${tableId}`.execute(
    scene.app.services.db,
  )
  column = rows[0]!.id
}

function recordRequests() {
  const record = recordStatements()
  const { server } = scene.app.server
  const emit = server.emit.bind(server) as (...values: unknown[]) => boolean
  vi.spyOn(server, 'emit').mockImplementation((...values: unknown[]) => {
    const [event, request, response] = values as [string, IncomingMessage, ServerResponse]
    if (event !== 'request' || !isRecorded(request)) return emit(...values)
    const statements: SentStatement[] = []
    const [requests, name] = [sent, toName(request)]
    running++
    response.once('close', () => {
      running--
      // A request that the page repeats, or leaves on a busy machine, may have sent fewer.
      if (!response.writableFinished) return
      const own = statements.filter(({ text }) => !isOfDepth(text))
      if (own.length >= (requests.get(name)?.length ?? 0)) requests.set(name, own)
    })
    void record(statements, async () => emit(...values))
    return true
  })
}

/** The depth of the queue is read at intervals, for all requests. */
const isOfDepth = (text: string) => /all_(dead|waiting)/.test(text)

/** Requests of the first screen, except for the stream of live updates. */
const isRecorded = ({ url = '' }: IncomingMessage) =>
  url.startsWith('/v1/') &&
  !url.startsWith('/v1/platform/live') &&
  !url.includes('nextToken=')

/** Ids of rows differ between the passes, and times. */
const toName = ({ method, url = '' }: IncomingMessage) =>
  `${method} ${url.replaceAll(/[a-z]+_[0-9A-Za-z]{20,}/g, '…').replaceAll(/=20\d\d-[^&]*/g, '=…')}`

type Requests = Map<string, SentStatement[]>

/** Opens each page in a new profile. Returns the statements of the requests, by address. */
async function openPages(): Promise<Map<string, Requests>> {
  sent = new Map()
  const profile = await browser.newContext()
  const page = await profile.newPage()
  const code = await createSignInLink(scene.app.services.db, scene.accountId, 15)
  await page.goto(toSignInUrl(url, code))
  await page.waitForURL('**/w/**')
  // Its requests would count as those of the first page.
  await loads(page)
  const { workspaceId, botId } = scene
  const pages = new Map<string, Requests>()
  const ids = {
    workspaceId,
    botId,
    conversationId,
    userId: chatUser,
    handoffId,
    broadcastId,
    fileId,
    tableId,
    sourceId,
    alias: 'chat',
    channelName: 'telegram',
  }
  const order = JSON.stringify([['number', 'desc']])
  const table = `/w/${workspaceId}/bots/${botId}/tables/${tableId}`
  const views: Record<string, string>[] = [
    { sort: order },
    { filter: '{"number":"A1"}', sort: order },
    { group: '{"number":["key","count"]}' },
  ]
  const addresses = [
    ...pageAddresses(ids),
    ...views.map((view) => `${table}?${new URLSearchParams(view)}`),
  ]
  for (const address of addresses) pages.set(address, await visitPage(page, address))
  await profile.close()
  return pages
}

async function visitPage(page: Page, address: string): Promise<Requests> {
  sent = new Map()
  await page.goto(url + address)
  await loads(page)
  return sent
}

/** Waits until the page shows its content and has no pending request. */
async function loads(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByLabel('Loading …').first().waitFor({ state: 'detached' })
  for (let quiet = 0; quiet < 4; quiet = running === 0 ? quiet + 1 : 0) await pause(50)
}

/** Only sent if one of the newest records of the audit log names an object. */
const namesOfRecords = ' select id, name from bot where workspace_id = $ and id = any('

/** Returns the texts of the statements by page and request. A list of values counts as one. */
const toTexts = (pages: Map<string, Requests>) =>
  Object.fromEntries(
    [...pages].map(([address, requests]) => [
      address,
      Object.fromEntries(
        [...requests].map(([name, sent]) => [
          name,
          sent
            .filter((one) => !isCached(one))
            .map(toForm)
            .filter((text) => !text.startsWith(namesOfRecords))
            .sort(),
        ]),
      ),
    ]),
  )

/**
 * Session, role, allow-list, orders of rows and the questions of curated answers are cached for a time,
 * so any request may read them.
 */
const isCached = ({ text }: SentStatement) =>
  /^select ("id"|\*) from "curated_answer"|ts_lexize/.test(text) ||
  /\b(from|update) "?session"?/.test(text) ||
  text.startsWith('select "workspace_id", "role" from "workspace_member"') ||
  // The order of the rows of a view is read again after a change of the table, in a transaction.
  text.includes('string_agg(int4send(row_id') ||
  text.startsWith("select set_config('statement_timeout'") ||
  /^(begin|commit)$/.test(text) ||
  text.includes('from bot where id = any($')

const toForm = ({ text }: SentStatement) =>
  text.replaceAll(/\$\d+(, \$\d+)*/g, '$').replaceAll(/\s+/g, ' ')

async function fill() {
  await fillTables(
    scene.connection,
    {
      bot: scene.botId,
      workspace: scene.workspaceId,
      account: scene.accountId,
      chatUser,
      telegram: 'intver_01J0000000000000000TELEGRAM',
      table: tableId,
      column,
    },
    { largest, others: manyMessages },
  )
  const { db } = scene.app.services
  await insertMessages(2, manyMessages)
  await sql`
    update table_counter set row_count = ${largest + 1}, last_row_id = ${largest + 1}
    where bot_table_id = ${tableId}`.execute(db)
  await addOthers()
}

/** Adds messages of the person with these numbers. */
async function insertMessages(first: number, last: number) {
  const { db } = scene.app.services
  await sql`
    insert into message (bot_id, id, conversation_id, user_id, number, direction, type, payload,
      created_at, updated_at)
    select ${scene.botId}, 'msg_x' || lpad(i::text, 25, '0'), ${conversationId}, ${chatUser}, i,
      'incoming', 'text', '{"text": "Hello"}', now(), now()
    from generate_series(${first}::int, ${last}::int) i`.execute(db)
  await sql`
    update conversation set last_number = ${last}, message_count = ${last}
    where id = ${conversationId}`.execute(db)
}

/**
 * Adds rows of other bots and workspaces. Without them, an aggregate over all rows of a bot would
 * concern a whole table, and a sequential scan would be the right plan.
 */
async function addOthers() {
  const id = (prefix: string) =>
    `'${prefix}_y' || lpad(n::text || '0' || row_number() over (), 25, '0')`
  const others: Record<string, string> = {
    file: `'bot_id', 'bot_y' || n, 'id', ${id('file')}`,
    message: `'bot_id', 'bot_y' || n, 'id', ${id('msg')}`,
    workspace: `'id', ${id('wkspace')}, 'handle', ${id('handle')}`,
    table_row: `'bot_id', 'bot_y' || n, 'bot_table_id', 'table_y' || n`,
    // The hub and the workspace may have the same name and version.
    integration: `'workspace_id', 'wkspace_y' || n || coalesce(workspace_id, ''), 'id', ${id('intver')}`,
  }
  const client = new pg.Client(scene.connection)
  await client.connect()
  await client.query('set session_replication_role = replica')
  for (const [table, values] of Object.entries(others))
    await client.query(`
      insert into ${table} select (jsonb_populate_record(given, values)).* from (
        select given, jsonb_build_object(${values}) as values
        from ${table} given, generate_series(1, 9) n
      ) other`)
  await client.query('vacuum analyze')
  await client.end()
}

/** Returns the sequential scans of large tables that the planner chooses. */
/** Reads all curated answers of a bot into a cache, so it may scan a table in which no other bot has any. */
const loadsCurated = ({ text }: SentStatement) =>
  text.startsWith('select * from "curated_answer"')

async function findScans(statements: SentStatement[]): Promise<string[]> {
  const { rows } = await sql<{ relname: string }>`
    select relname from pg_class where relkind = 'r'
    and relnamespace = 'public'::regnamespace and reltuples >= ${manyRows}`.execute(
    scene.app.services.db,
  )
  const large = new Set(rows.map(({ relname }) => relname))
  const explainer = openExplainer(scene.connection)
  const scans = new Set<string>()
  const unique = new Map(statements.map((one) => [one.text, one]))
  for (const statement of unique.values()) {
    if (!/^\s*(with|select)\b/i.test(statement.text) || loadsCurated(statement)) continue
    const { options } = statement
    const { root } = await explainer.explain({ ...statement, options })
    for (const node of listNodes(root))
      if (node['Node Type'] === 'Seq Scan' && large.has(node['Relation Name']!))
        scans.add(`${node['Relation Name']}: ${statement.text}`)
  }
  await explainer.close()
  return [...scans]
}

// `migrate cloud` with a second server as the source, behind proxies that inject failures.
import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  expectSame,
  fillBot,
  openClient,
  runCommand,
  upload,
} from '../support/cloud-migration.ts'
import { openFailingProxy } from '../support/failing-proxy.ts'
import { createRandom } from '../support/random.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

let source: RunningServer
let target: RunningServer
let folder: string
vi.setConfig({ testTimeout: 90_000 })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-migrate-'))
  ;[source, target] = await Promise.all([runServer(), runServer()])
  await fillBot(source.credentials, { conversations: 10, messages: 1_200, rows: 450 })
}, 90_000)

afterAll(async () => {
  await Promise.all([source?.remove(), target?.remove()])
  await rm(folder, { recursive: true, force: true })
}, 60_000)

const args = (...more: string[]) => [
  '--from',
  source.credentials.url,
  '--rate',
  '1000',
  '--json',
  '--to-workspace',
  target.credentials.workspaceId,
  '--state',
  join(folder, 'state.json'),
  ...more,
]
const env = (server = target.credentials.url) => ({
  BOTSTEAD_SOURCE_TOKEN: source.credentials.token,
  BOTSTEAD_TARGET_TOKEN: target.credentials.token,
  BOTSTEAD_SERVER: server,
})

test('a dry run counts, lists everything that cannot be moved, and writes nothing', async () => {
  const bots = async () =>
    (await openClient(target.credentials).admin.listBots({})).bots.length
  const before = await bots()
  const { code, stdout, stderr } = await runCommand(args('--dry-run'), env())
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { counts, notMoved, never } = JSON.parse(stdout)
  expect(counts).toEqual({
    bots: 1,
    versions: 2,
    tables: 1,
    rows: 450,
    files: 2,
    'knowledge bases': 1,
    users: 10,
    conversations: 10,
    messages: 1_164,
    states: 5,
  })
  const whats = notMoved.map(({ what, count }: { what: string; count: number }) => [
    what,
    count,
  ])
  expect(whats).toEqual([
    ['secrets', 1],
    ['recurring events', 1],
  ])
  expect(never).toContainEqual(expect.stringContaining('keys of chat users'))
  expect(await bots()).toBe(before)
})

test('moves everything once through failures and kills, and delivers nothing', async () => {
  const { next, between } = createRandom()
  const failing = { share: 0.15, random: next }
  const from = await openFailingProxy(source.credentials.url, failing)
  const to = await openFailingProxy(target.credentials.url, failing)
  const through = args('--from', from.url, '--files-from', source.credentials.url)
  for (let kill = 0; kill < 3; kill++) {
    const end = to.passed() + between(3, 25)
    const { code } = await runCommand(through, env(to.url), () => to.passed() >= end)
    expect(code).toBe(null)
  }
  const { code, stdout, stderr } = await runCommand(through, env(to.url))
  await Promise.all([from.close(), to.close()])
  expect({ code, stderr: stderr.replaceAll(/^.* …\n/gm, '') }).toEqual({
    code: 0,
    stderr: '',
  })
  for (const { failures } of [from, to])
    expect(Math.min(...Object.values(failures))).toBeGreaterThan(0)
  expect(JSON.parse(stdout).notMoved).toHaveLength(2)
  const state = readFileSync(join(folder, 'state.json'), 'utf8')
  for (const { token } of [source.credentials, target.credentials])
    expect(state + stdout + stderr).not.toContain(token)
  await expectSame(source.credentials, target.credentials, await movedBot())
})

test('a repetition moves only new messages', async () => {
  const client = openClient(source.credentials, source.credentials.botId)
  const { conversations } = await client.runtime.listConversations({})
  const conversationId = conversations[0]!.id
  const userId = source.credentials.botId
  const body = {
    conversationId,
    userId,
    type: 'text',
    payload: { text: 'Later' },
    tags: {},
  }
  await client.runtime.createMessage({ body })
  const { code, stdout } = await runCommand(
    args('--state', join(folder, 'new.json')),
    env(),
  )
  expect(code).toBe(1)
  const { counts, notMoved } = JSON.parse(stdout)
  expect(counts).toMatchObject({ users: 0, conversations: 0, messages: 1 })
  expect(Object.keys(counts).sort()).toEqual([
    'conversations',
    'messages',
    'states',
    'users',
  ])
  expect(notMoved.map(({ what }: { what: string }) => what)).toEqual([
    'tables',
    'secrets',
    'recurring events',
    'definition',
  ])
  const read = openClient(target.credentials, await movedBot()).runtime
  const { messages } = await read.listMessages({ query: { conversationId } })
  expect(messages[0]!.payload).toEqual({ text: 'Later' })
})

test('a dry run lists the same obstacles as the run', async () => {
  const { botId, foreign } = await fillHardBot()
  const bundle = '/bundle.cjs'
  const from = await openFailingProxy(source.credentials.url, {
    share: 0,
    random: () => 1,
    answer(path) {
      if (path === bundle) return 'module.exports = {}'
      if (path.endsWith('/bot-json')) return '{"code":"module.exports = {}"}'
      if (path.endsWith(`/versions/${foreign}`)) return '{"url":"https://example.org/1"}'
      if (/\/versions\/[^/]+$/.test(path))
        return JSON.stringify({ url: from.url + bundle })
      return undefined
    },
  })
  const findObstacles = async (expected: number, state: string, ...more: string[]) => {
    const file = join(folder, state)
    const limits = ['--max-file-mb', '0.001', '--state', file, ...more]
    const run = args('--from', from.url, '--bot', botId, ...limits)
    const { code, stdout, stderr } = await runCommand(run, env())
    expect({ code, stderr }).toEqual({ code: expected, stderr: '' })
    const sorted = (one: { what: string; reason: string }) => `${one.what}: ${one.reason}`
    return JSON.parse(stdout).notMoved.map(sorted).sort()
  }
  const foreseen = await findObstacles(0, 'hard.json', '--dry-run')
  expect(foreseen).toEqual([
    'code: the code is not a bot document: deploy the bot from its sources',
    'files: it is larger than --max-file-mb',
    expect.stringContaining('versions: its content is at https://example.org: '),
    'versions: the code is not a bot document: deploy the bot from its sources',
  ])
  expect(await findObstacles(1, 'hard.json')).toEqual(foreseen)
  const again = await findObstacles(0, 'again.json', '--dry-run')
  expect(await findObstacles(1, 'again.json')).toEqual(again)
  expect(again).toEqual([...foreseen, 'tables: the target has a table with rows'].sort())
  await from.close()
})

/** Creates a bot with two versions, a table with a row, and a file that is too large. */
async function fillHardBot(): Promise<{ botId: string; foreign: string }> {
  const { bot } = await openClient(source.credentials).admin.createBot({
    body: { name: 'Hard' },
  })
  const client = openClient(source.credentials, bot.id)
  const params = { id: bot.id }
  await client.admin.createBotVersion({ params, body: { name: 'Bundle' } })
  const { version } = await client.admin.createBotVersion({
    params,
    body: { name: 'Elsewhere' },
  })
  for (const [name, size] of Object.entries({ large: 1_001, small: 1_000 }))
    await upload(client, `${name}.bin`, Buffer.alloc(size), {})
  const schema = { type: 'object', properties: { n: { type: 'number' } } }
  await client.tables.createTable({ body: { name: 'HardTable', schema } })
  const rows = [{ n: 1 }]
  await client.tables.createTableRows({ params: { table: 'HardTable' }, body: { rows } })
  return { botId: bot.id, foreign: version.id }
}

async function movedBot(): Promise<string> {
  const tags = { migratedFrom: source.credentials.botId }
  const { bots } = await openClient(target.credentials).admin.listBots({
    query: { tags },
  })
  expect(bots).toHaveLength(1)
  return bots[0]!.id
}

// `migrate cloud` with 100,000 messages, injected failures, and a command that is killed again and again.
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import {
  expectSame,
  fillBot,
  openClient,
  runCommand,
} from '../support/cloud-migration.ts'
import { openFailingProxy } from '../support/failing-proxy.ts'
import { createRandom } from '../support/random.ts'
import { type RunningServer, runServer } from '../support/running-server.ts'

let source: RunningServer
let target: RunningServer
let folder: string
const total = Number(process.env.MESSAGES) || 100_000
vi.setConfig({ testTimeout: 900_000 })

/**
 * As autovacuum does, which the database of the tests lacks: otherwise, connections keep plans that
 * were made for empty tables.
 */
async function analyze({ database }: RunningServer): Promise<void> {
  const client = new pg.Client(database)
  await client.connect()
  await client.query('analyze')
  await client.end()
}
let isAnalyzing = true
async function analyzeOften(): Promise<void> {
  while (isAnalyzing) {
    await Promise.all([analyze(source), analyze(target)])
    await pause(5_000)
  }
}
let analyzing: Promise<void> | undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'botstead-migrate-'))
  ;[source, target] = await Promise.all([runServer(), runServer()])
  analyzing = analyzeOften()
  const size = { conversations: total / 200, messages: total, rows: 1_000 }
  await fillBot(source.credentials, size)
}, 600_000)

afterAll(async () => {
  isAnalyzing = false
  await analyzing
  await Promise.all([source?.remove(), target?.remove()])
  await rm(folder, { recursive: true, force: true })
}, 60_000)

test('moves 100,000 messages once, through failures and ten kills', async () => {
  const { next, between } = createRandom()
  const failing = { share: 0.03, random: next }
  const from = await openFailingProxy(source.credentials.url, failing)
  const to = await openFailingProxy(target.credentials.url, failing)
  const args = [
    '--from',
    from.url,
    '--files-from',
    source.credentials.url,
    '--rate',
    '2000',
    '--json',
    '--to-workspace',
    target.credentials.workspaceId,
    '--state',
    join(folder, 'state.json'),
  ]
  const env = {
    BOTSTEAD_SOURCE_TOKEN: source.credentials.token,
    BOTSTEAD_TARGET_TOKEN: target.credentials.token,
    BOTSTEAD_SERVER: to.url,
  }
  const started = Date.now()
  for (let kill = 0; kill < 10; kill++) {
    const end = to.passed() + between(5, total / 1_000)
    const { code } = await runCommand(args, env, () => to.passed() >= end)
    expect(code).toBe(null)
  }
  const { code, stderr } = await runCommand(args, env)
  const seconds = Math.round((Date.now() - started) / 1_000)
  console.log(`Moved in ${seconds} s`, {
    from: from.failures,
    to: to.failures,
    requests: from.passed(),
  })
  await Promise.all([from.close(), to.close()])
  expect(code, stderr).toBe(0)
  const tags = { migratedFrom: source.credentials.botId }
  const { bots } = await openClient(target.credentials).admin.listBots({
    query: { tags },
  })
  expect(bots).toHaveLength(1)
  await expectSame(source.credentials, target.credentials, bots[0]!.id)
})

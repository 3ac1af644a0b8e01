// Keys of providers never leave the server except to their provider: here, every response of a
// provider quotes the key. The test searches all bytes that others can read.
import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { captureLog } from '../../../test/support/captured-log.ts'
import {
  type ModelProvider,
  openModelProvider,
  type ProviderRequest,
} from '../../../test/support/model-provider.ts'
import {
  keys,
  type ModelScene,
  openModelScene,
} from '../../../test/support/model-scene.ts'
import { exportWorkspace } from '../archive/export.ts'

/** Keys without any form by which they could be recognized. */
const plainKey = 'Tr0ub4dor&3'
const oddKey = 'a"b%c/d'
const types = ['openai', 'anthropic', 'google', 'mistral', 'openai-compatible']
const operators = ['openai', 'anthropic', 'google-ai', 'mistral']
const statuses = [400, 401, 403, 404, 413, 422, 429, 500, 503]

const code = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
const headers = {
  authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
}
exports.handler = async (req) => {
  if (req.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const body = JSON.stringify({ model: 'own-openai:x-400', messages: [{ role: 'user', content: 'Hi' }] })
  const reply = await fetch(BP_API_URL + '/v2/cognitive/generate-text', { method: 'POST', headers, body })
  console.error('the model failed: ' + await reply.text())
  throw new Error('the model failed')
}`

let provider: ModelProvider
let scene: ModelScene
afterEach(async () => {
  await scene?.close()
  await provider?.close()
})

/** Quotes the key in all forms in which a provider may do it. A model's name has the status. */
function quoting({ headers, path, raw }: ProviderRequest) {
  const { authorization, 'x-api-key': anthropic, 'x-goog-api-key': google } = headers
  const key = String(authorization?.slice('Bearer '.length) ?? anthropic ?? google)
  const quoted = [JSON.stringify(headers), key, encodeURIComponent(key), path]
  const status = Number(/-(\d{3})/.exec(`${path} ${raw}`)?.[1] ?? 400)
  return { status, error: quoted.join(' ') }
}

async function setProviders() {
  const entries = statuses.flatMap((status) => [
    [`x-${status}`, {}],
    [`v-${status}`, { kind: 'embedding' }],
  ])
  for (const [name, key] of [...types.map((type) => [type, plainKey]), ['odd', oddKey]]) {
    const type = types.includes(name!) ? name : 'mistral'
    const { status } = await scene.call(
      'PUT',
      `/v1/platform/model-providers/own-${name}`,
      {
        headers: scene.admin,
        body: {
          type,
          key,
          url: `${provider.url}/v1`,
          models: Object.fromEntries(entries),
        },
      },
    )
    expect(status).toBe(200)
  }
}

const messages = [{ role: 'user', content: 'Hi' }]

/** The path and the body of each call. */
function listCalls(): [string, object][] {
  const own = [...types, 'odd'].map((type) => `own-${type}`)
  return statuses.flatMap((status) => [
    ...[...own, ...operators].flatMap((name): [string, object][] => {
      const body = { model: `${name}:x-${status}`, messages }
      return [
        ['/v2/cognitive/generate-text', body],
        ['/v2/cognitive/generate-text-stream', body],
        ['/v1/openai/chat/completions', body],
      ]
    }),
    ...own.map((name): [string, object] => [
      '/v1/openai/embeddings',
      { model: `${name}:v-${status}`, input: 'x' },
    ]),
    ['/v2/cognitive/generate-audio', { model: `openai:s-${status}`, input: 'x' }],
    ['/v2/cognitive/generate-image', { model: `openai:i-${status}`, prompt: 'x' }],
  ])
}

async function callAll(url: string): Promise<string[]> {
  return Promise.all(
    listCalls().map(async ([path, body]) => {
      const response = await fetch(url + path, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: { ...scene.asBot, 'content-type': 'application/json' },
      })
      return `${path} ${JSON.stringify([...response.headers])} ${await response.text()}`
    }),
  )
}

/** All rows of all tables. */
async function readDatabase(): Promise<string> {
  const { db } = scene.app.services
  const texts: string[] = []
  const { rows: tables } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()`.execute(
    db,
  )
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} t`.execute(db)
    texts.push(...rows.map(({ row }) => row))
  }
  return texts.join('\n')
}

async function readArchive(): Promise<string> {
  const { database, blobs, secrets, tableRules } = scene.app.services
  const path = join(scene.folder, 'archive')
  await exportWorkspace(
    { database, blobs, secrets, tableRules, version: '0.0.0' },
    scene.workspaceId,
    createWriteStream(path),
    { passphrase: 'correct horse battery staple' },
  )
  return gunzipSync(await readFile(path)).toString('latin1')
}

test('removes a key that a provider quotes from errors, logs, metrics and the database', {
  timeout: 120_000,
}, async () => {
  provider = await openModelProvider(quoting)
  const { log, text } = captureLog()
  const models = statuses.flatMap((status) => [
    ...operators.map((name) => [`${name}:x-${status}`, {}]),
    [`openai:s-${status}`, { kind: 'speech' }],
    [`openai:i-${status}`, { kind: 'image' }],
  ])
  const endpoint = { url: `${provider.url}/v1`, key: plainKey }
  scene = await openModelScene(
    provider.url,
    { models: Object.fromEntries(models), aliases: {} },
    { log, code, config: { embeddings: { ...endpoint, model: 'v-400' } } },
  )
  await setProviders()
  const url = await scene.listen()
  const responses = await callAll(url)
  const { headers } = await scene.chatUser()
  await talk(headers)
  await storeFile(url)
  await vi.waitFor(
    async () => {
      const rows = await readDatabase()
      expect(rows).toContain('the model failed: ')
      expect(rows).toContain('own-odd')
      expect(rows).toContain('embeddings:v-400')
    },
    { timeout: 20_000, interval: 200 },
  )
  const metrics = await (await fetch(`${url}/metrics`)).text()
  const bytes = [
    text(),
    ...responses,
    metrics,
    await readDatabase(),
    await readArchive(),
  ].join('\n')
  for (const key of [plainKey, oddKey, ...Object.values(keys)])
    for (const form of listForms(key)) expect(bytes.includes(form), form).toBe(false)
})

const listForms = (key: string) => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString('hex'),
  Buffer.from(key).toString('base64'),
]

/** The bot calls a model and logs the error. */
async function talk(headers: Record<string, string>): Promise<void> {
  const path = `/chat/${scene.webhookId}`
  const { body } = await scene.call('POST', `${path}/conversations`, {
    headers,
    body: {},
  })
  const { status } = await scene.call('POST', `${path}/messages`, {
    headers,
    body: { conversationId: body.conversation.id, payload: { type: 'text', text: 'x' } },
  })
  expect(status).toBe(201)
}

/** The endpoint of BOTSTEAD_EMBEDDINGS_URL gets the passages of a file. */
async function storeFile(url: string) {
  const content = 'Refunds take a week.'
  const body = { key: 'refunds.txt', size: content.length, index: true }
  const { body: sent } = await scene.call('PUT', '/v1/files', {
    headers: scene.asBot,
    body,
  })
  const { pathname, search } = new URL(sent.file.uploadUrl)
  const { status } = await fetch(`${url}${pathname}${search}`, {
    method: 'PUT',
    body: content,
  })
  expect(status).toBe(200)
}

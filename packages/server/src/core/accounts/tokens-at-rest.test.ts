// Tokens are shown once. Neither the database nor the log contains them. They are found by their
// SHA-256, with the same single query whether they exist or not.
import { randomBytes } from 'node:crypto'
import { sha256 } from '@botstead/lib'
import { type KyselyPlugin, type RootOperationNode, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { captureLog } from '../../../test/support/captured-log.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { hostedBotKey } from '../bots/bot-keys.ts'
import { createTokenValue } from './token-format.ts'
import { createToken, findToken } from './tokens.ts'

let scene: Scene
const kept = captureLog()
let shown: Record<string, string>
const readable = 'this-one-is-stored-as-it-is'

beforeAll(async () => {
  scene = await openScene({ log: kept.log })
  const { admin, asBot, botId, webhookId } = scene
  const { body: pat } = await scene.call('POST', '/v1/admin/account/pats', {
    headers: admin,
    body: { note: readable },
  })
  const { body: key } = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: admin,
    body: { botId, note: readable },
  })
  const { body: made } = await scene.call('POST', '/v1/admin/bots', {
    headers: admin,
    body: { secrets: { WORD: 'a-secret-word-of-the-bot' } },
  })
  const configuration = { encryptionKey: 'a-key-that-signs-user-keys-of-the-chat' }
  const [integrationId] = Object.keys(made.bot.integrations)
  await scene.call('PUT', `/v1/admin/bots/${made.bot.id}`, {
    headers: admin,
    body: { integrations: { [integrationId!]: { configuration } } },
  })
  const registered = {
    name: 'sealed',
    version: '1.0.0',
    secrets: { WORD: 'a-secret-word-of-the-integration' },
  }
  const keyed = { ...admin, 'idempotency-key': 'sealed' }
  const { integration } = (
    await scene.call('POST', '/v1/admin/integrations', {
      headers: keyed,
      body: registered,
    })
  ).body
  const rotation = { headers: { ...admin, 'idempotency-key': 'rotated' }, body: {} }
  const { body: rotated } = await scene.call(
    'POST',
    `/v1/admin/integrations/${integration.id}/signing-secrets/rotate`,
    rotation,
  )
  const { headers } = await scene.chatUser()
  await scene.call('POST', `/chat/${webhookId}/conversations`, { headers, body: {} })
  await scene.call('GET', '/v1/chat/conversations', {
    headers: { ...asBot, authorization: `Bearer ${key.value}` },
  })
  const { body: changed } = await scene.call(
    'POST',
    `/v1/admin/bots/${made.bot.id}/signing-secrets/rotate`,
    {
      headers: admin,
      body: {},
    },
  )
  await scene.call('POST', `/v1/admin/bots/${made.bot.id}/versions`, {
    headers: admin,
    body: { name: 'kept' },
  })
  shown = {
    'the first token': scene.token,
    'a personal access token': pat.pat.value,
    'a bot key': key.value,
    'a hosted bot’s key': await hostedBotKey(
      scene.app.services.db,
      scene.app.services.secrets,
      botId,
    ),
    'an integration key': (
      await createToken(
        scene.app.services.db,
        { kind: 'iak', integrationId: integrationId! },
        '',
      )
    ).value,
    'a user key': headers['x-user-key']!,
    'a signing secret': made.bot.signingSecret,
    'a signing secret that took over': changed.newSigningSecret,
    'a secret of a bot': 'a-secret-word-of-the-bot',
    'a secret of an integration': registered.secrets.WORD,
    'a signing secret of an integration': integration.signingSecret,
    'the one that came after': rotated.newSigningSecret,
    'a key in a configuration': configuration.encryptionKey,
    'the key that signs user keys': scene.chatKey,
    'an unknown token': createTokenValue('pat'),
  }
  for (const token of Object.values(shown)) {
    const line = { method: 'GET', url: '/v1/admin/bots' } as const
    await scene.call(line.method, `${line.url}?token=${token}`, {
      headers: { ...admin, authorization: `Bearer ${token}` },
    })
    await scene.call('GET', `/chat/${webhookId}/users/me`, {
      headers: { 'x-user-key': token },
    })
  }
})
afterAll(() => scene?.close())

/** The token itself, its secret part, and both as hex and base64. */
function forms(token: string): string[] {
  const secret = token.replace(/^bp_[a-z]{3}_/, '').slice(0, 32)
  const bytes = [token, secret].map((text) => Buffer.from(text))
  return [
    token,
    secret,
    ...bytes.map((one) => one.toString('hex')),
    ...bytes.map((one) => one.toString('base64').replaceAll('=', '')),
  ]
}

/** Names of the tables with a row that contains one of the texts in any column. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const { db } = scene.app.services
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(
    db,
  )
  const patterns = texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)
  const found = rows.map(async ({ name }) => {
    const hit =
      await sql`select 1 from ${sql.table(name)} t where t::text like any(${patterns}) limit 1`.execute(
        db,
      )
    return hit.rows.length ? [name] : []
  })
  return (await Promise.all(found)).flat()
}

test('no table contains a token or secret', async () => {
  for (const [what, token] of Object.entries(shown))
    expect([what, await tablesWith(forms(token))]).toEqual([what, []])
})

test('the search finds values that are stored in clear, and hashes', async () => {
  expect(await tablesWith([readable])).toEqual(['token'])
  expect(await tablesWith([sha256(shown['a bot key']!).toString('hex')])).toEqual([
    'token',
  ])
})

test('the log contains no token or secret at any level', () => {
  expect(kept.text()).toContain('"operation":"admin.listBots"')
  for (const [what, token] of Object.entries(shown))
    expect([what, forms(token).filter((form) => kept.text().includes(form))]).toEqual([
      what,
      [],
    ])
})

test('a list of tokens contains neither tokens nor hashes', async () => {
  const { botId, admin } = scene
  for (const url of ['/v1/admin/account/pats', `/v1/admin/bots/baks?botId=${botId}`]) {
    const { body } = await scene.call('GET', url, { headers: admin })
    for (const one of Object.values(body).flat() as object[])
      expect(Object.keys(one).sort(), url).toEqual(['createdAt', 'id', 'note'])
  }
})

/** A connection that records the parameters of each statement. */
function recordingParameters(): {
  db: typeof scene.app.services.db
  parameters: unknown[][]
} {
  const parameters: unknown[][] = []
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      parameters.push(valuesIn(node))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: scene.app.services.db.withPlugin(plugin), parameters }
}
function valuesIn(node: unknown): unknown[] {
  if (typeof node !== 'object' || node === null || Buffer.isBuffer(node)) return []
  const { kind, value } = node as RootOperationNode & { value?: unknown }
  if ((kind as string) === 'ValueNode') return [value]
  return Object.values(node).flatMap(valuesIn)
}

test('looks up each well-formed token once, by its hash only', async () => {
  const known = shown['a personal access token']!
  const lookUp = async (token: string) => {
    const { db, parameters } = recordingParameters()
    const found = await findToken(db, token)
    return {
      found: found !== null,
      parameters: parameters.map((values) =>
        values.filter((value) => value !== null && !(value instanceof Date)),
      ),
    }
  }
  const near = nearest(known)
  expect([near.slice(0, -8), near === known]).toEqual([known.slice(0, -8), false])
  for (const [what, token] of Object.entries({
    'a known token': known,
    'a token with another ending': near,
    'an unknown personal access token': createTokenValue('pat'),
    'an unknown bot key': createTokenValue('bak'),
    'an unknown integration key': createTokenValue('iak'),
  }))
    expect(await lookUp(token), what).toEqual({
      found: token === known,
      parameters: [[sha256(token)]],
    })
  for (const [what, text] of Object.entries({
    'an empty text': '',
    'one word': 'garbage',
    'one character too many': `${known}x`,
    'one character too few': known.slice(0, -1),
    'random hexadecimal digits': randomBytes(20).toString('hex'),
    'a wrong checksum': `bp_pat_${'0'.repeat(38)}`,
  }))
    expect(await lookUp(text), what).toEqual({ found: false, parameters: [] })
})

/** A well-formed token that differs from this one only at the end of its secret. */
function nearest(token: string): string {
  const secret = token.slice('bp_pat_'.length, -6)
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const number = [...secret].reduce(
    (sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)),
    0n,
  )
  const next = secret.endsWith('z') ? number - 1n : number + 1n
  return createTokenValue('pat', Buffer.from(next.toString(16).padStart(64, '0'), 'hex'))
}

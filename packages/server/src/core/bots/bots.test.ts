// Bots and their installed integrations, on a real database with a mocked invoker.

import pino from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { AllServices } from '../../app/all-services.ts'
import { createHooks } from '../../app/hooks.ts'
import { openRedactions, setRedaction } from '../../features/privacy/redaction-rules.ts'
import { keepDeployed } from '../../features/versions/deployed-versions.ts'
import { bootstrap, firstWorkspaceId } from '../accounts/bootstrap.ts'
import { findToken } from '../accounts/tokens.ts'
import { createWorkspace } from '../accounts/workspaces.ts'
import { changeBot, makeBot, removeBot } from '../api/admin/bot-changes.ts'
import { chatDefinition } from '../catalog/installations/chat-definition.ts'
import { openConfiguration } from '../catalog/installations/configurations.ts'
import type { InstallationChanges } from '../catalog/installations/installation-plan.ts'
import {
  claimDueRegistrations,
  configureInstallation,
} from '../catalog/installations/installation-settings.ts'
import {
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
  findInstalledDefinition,
  listInstallations,
} from '../catalog/installations/installations.ts'
import { chatIntegrationId, seedHub } from '../catalog/integrations/hub.ts'
import { readConfig } from '../config/config.ts'
import type { Database, Db } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import type { Invocation, Reply } from '../delivery/calls/invoker.ts'
import type { Caller } from '../http/index.ts'
import { newId } from '../lib/ids.ts'
import { openKeyring } from '../sealing/keyring.ts'
import type { Secrets } from '../sealing/secrets.ts'
import { findCode, findCodeVersion } from './bot-code.ts'
import { createBotKey, deleteBotKey, hostedBotKey, listBotKeys } from './bot-keys.ts'
import { openBotSecrets } from './bot-secrets.ts'
import { findBot, findBotWorkspace, listBots } from './bots.ts'
import { appendBotLogs } from './logs/bot-logs.ts'

let clone: TestDatabase
let database: Database
let db: Db
let services: AllServices
let caller: Caller<'workspace'>
let otherWorkspace: string

let secrets: Secrets
const calls: string[] = []
let answer: (invocation: Invocation) => Reply | Promise<Reply>

const claim = { from: 'workspace', max: 50 } as const
const failure = (type: string) => expect.objectContaining({ type })
const done: Reply = { status: 200, headers: {}, body: '{}' }
const make = async (given: Parameters<typeof makeBot>[2] = {}) =>
  (await makeBot(services, caller, given)).id
const change = (id: string, what: Parameters<typeof changeBot>[3]) =>
  changeBot(services, firstWorkspaceId, id, what)
const bot = (id: string) => findBot(db, firstWorkspaceId, id)
const selectLogs = (id: string) =>
  db
    .selectFrom('bot_log')
    .select(['level', 'message'])
    .where('bot_id', '=', id)
    .orderBy('id')
    .execute()

/** Creates an integration at a URL, owned by the workspace. */
async function integration(
  name: string,
  version = '1.0.0',
  workspaceId: string | null = firstWorkspaceId,
) {
  const id = newId('integration')
  const schema = {
    type: 'object',
    properties: { key: { type: 'string' } },
    required: ['key'],
    additionalProperties: false,
  }
  const definition = {
    ...chatDefinition,
    title: name,
    configuration: { ...chatDefinition.configuration, schema },
    configurations: { plain: { identifier: { required: false }, schema: {} } },
  }
  await db
    .insertInto('integration')
    .values({
      id,
      workspace_id: workspaceId,
      name,
      version,
      url: 'http://127.0.0.1:9',
      definition: JSON.stringify(definition) as never,
    })
    .execute()
  return id
}

beforeAll(async () => {
  clone = await cloneDatabase()
  const log = pino({ level: 'silent' })
  database = openDatabase(clone.settings, { log })
  db = database.db
  secrets = (await openKeyring(database, Buffer.alloc(32, 3), {
    exists: async () => false,
    opensWith: async () => true,
  }))!.secrets
  const { accountId } = await bootstrap(db)
  caller = { accountId, workspaceId: firstWorkspaceId, role: 'owner' }
  otherWorkspace = (await createWorkspace(db, accountId, 'Other')).id
  await Promise.all([seedHub(db), seedHub(db)])
  const hooks = createHooks()
  hooks.botDeployed.push((trx, ...what) => keepDeployed(trx, secrets, ...what))
  services = {
    db,
    hooks,
    secrets,
    log,
    limits: readConfig({}).limits,
    publicUrl: () => 'http://127.0.0.1',
    blobs: { remove: async () => {} },
    invalidate: async () => void calls.push('forget'),
    afterCommit: (step: (given: AllServices) => Promise<void>) => step(services),
    inTransaction: <T>(work: (inside: AllServices) => Promise<T>) =>
      database.inTransaction((inside) =>
        work({ ...services, db: inside.db, database: inside }),
      ),
    signals: { cutEverywhere: () => void calls.push('cut') },
    dueIn: () => {},
    outgoing: { checkUrl: async () => {} },
    issues: { report: () => {}, resolveRegistration: async () => {} },
    getRedactors: openRedactions({ db, config: { redact: [] }, report: () => {} }).of,
    invoker: {
      invoke: async (invocation: Invocation) => {
        calls.push(`${invocation.operation} ${invocation.target.alias ?? 'bot'}`)
        return answer(invocation)
      },
      recycle: async () => void calls.push('recycle'),
    },
  } as unknown as AllServices
})
beforeEach(() => {
  calls.length = 0
  answer = () => done
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})

describe('a new bot', () => {
  test('has a user, a chat, and a signing secret that is returned once', async () => {
    const made = await makeBot(services, caller, {})
    expect(made).toEqual({
      id: expect.stringMatching(/^bot_.{26}$/),
      name: expect.stringMatching(/^bot-\w{8}$/),
      signingSecret: expect.stringMatching(/^.{43}$/),
    })
    expect(
      await db
        .selectFrom('user')
        .select(['id', 'name'])
        .where('bot_id', '=', made.id)
        .execute(),
    ).toEqual([{ id: made.id, name: made.name }])
    const chat = await findInstallation(db, made.id, 'chat')
    expect(chat).toMatchObject({
      integration_id: chatIntegrationId,
      name: 'chat',
      version: '0.99.0',
      enabled: true,
      status: 'registered',
      builtIn: true,
    })
    expect(await openConfiguration(secrets, chat!)).toEqual({})
    expect(await findInstallationByWebhook(db, chat!.webhook_id)).toEqual(chat)
    expect(await findInstallationById(db, made.id, chatIntegrationId)).toEqual(chat)
    expect(JSON.stringify(await bot(made.id))).not.toContain(made.signingSecret)
    expect(calls).toEqual([])
  })

  test('accepts all fields in one request', async () => {
    const id = await make({
      name: 'Whole',
      code: 'exports.handler = 1',
      tags: { team: 'a', none: '' },
      secrets: { KEY: 'value' },
      states: { s: { type: 'bot', schema: {} } },
      dev: true,
    })
    expect(await bot(id)).toMatchObject({
      name: 'Whole',
      tags: { team: 'a' },
      dev: true,
      definition: { states: { s: { type: 'bot', schema: {} } } },
      deployed_at: expect.any(Date),
    })
    expect(String(await findCode(db, id))).toBe('exports.handler = 1')
    expect(calls).toEqual(['register bot'])
  })

  test('is not created when any field is invalid', async () => {
    const before = await db.selectFrom('bot').select('id').execute()
    await expect(make({ url: 'ftp://example.com' })).rejects.toEqual(
      failure('InvalidPayload'),
    )
    await expect(
      make({
        recurringEvents: { e: { schedule: { cron: 'never' }, type: 't', payload: {} } },
      }),
    ).rejects.toEqual(failure('InvalidPayload'))
    expect(await db.selectFrom('bot').select('id').execute()).toEqual(before)
  })
})

describe('an update', () => {
  test('merges fields, deploys the code, and registers the bot', async () => {
    const id = await make({
      code: 'one',
      events: { a: { schema: {} }, b: { schema: {} } },
      secrets: { KEEP: '1', DROP: '2' },
    })
    const first = await findCodeVersion(db, id)
    calls.length = 0
    await change(id, {
      code: 'two',
      events: { a: null },
      secrets: { DROP: null, NEW: '3' },
      configuration: { data: { mood: 'good' } },
      maxExecutionTime: 30,
    })
    const now = await bot(id)
    expect(now).toMatchObject({
      definition: {
        events: { b: { schema: {} } },
        configuration: { data: { mood: 'good' } },
      },
      max_execution_seconds: 30,
    })
    expect(Object.keys(now.definition.events)).toEqual(['b'])
    expect(await openBotSecrets(secrets, now)).toEqual({ KEEP: '1', NEW: '3' })
    expect(JSON.stringify(now.secrets)).not.toContain('"3"')
    const second = await findCodeVersion(db, id)
    expect(String(await findCode(db, id))).toBe('two')
    expect(second! > first!).toBe(true)
    expect(calls).toEqual(['forget', 'recycle', 'register bot'])
  })

  test('succeeds when the bot fails to register, and logs the failure', async () => {
    const id = await make()
    answer = () => ({
      status: 500,
      headers: {},
      body: JSON.stringify({
        code: 500,
        type: 'Internal',
        id: 'err',
        message: 'broken on purpose',
      }),
    })
    await change(id, { code: 'x' })
    answer = () =>
      Promise.reject(Object.assign(new Error('took too long'), { reason: 'timeout' }))
    await change(id, { code: 'y' })
    answer = () =>
      Promise.reject(Object.assign(new Error('nothing to run'), { reason: 'no-code' }))
    await change(id, { configuration: { data: {} } })
    expect(await selectLogs(id)).toEqual([
      { level: 'error', message: 'register failed: broken on purpose' },
      { level: 'error', message: 'register failed: took too long' },
    ])
  })

  test('keeps the keys of concurrent updates', async () => {
    const id = await make()
    await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        change(id, { tags: { [`k${i}`]: 'v' }, user: { tags: { [`t${i}`]: {} } } }),
      ),
    )
    const { tags, definition } = await bot(id)
    expect([Object.keys(tags).length, Object.keys(definition.user.tags).length]).toEqual([
      12, 12,
    ])
  })

  test.each([
    [
      "another workspace's bot",
      () => changeBot(services, otherWorkspace, known, { name: 'stolen' }),
      'ResourceNotFound',
    ],
    ['an unknown bot', () => change('bot_unknown', { name: 'x' }), 'ResourceNotFound'],
    [
      'an invalid name of a secret',
      () => change(known, { secrets: { 'A=B': 'x' } }),
      'InvalidIdentifier',
    ],
    [
      'too many secrets',
      () =>
        change(known, {
          secrets: Object.fromEntries(
            Array.from({ length: 26 }, (_, i) => [`S${i}`, 'x']),
          ),
        }),
      'LimitExceeded',
    ],
    [
      'too large a configuration',
      () => change(known, { configuration: { data: { text: 'x'.repeat(20_000) } } }),
      'LimitExceeded',
    ],
    [
      'an endless execution',
      () => change(known, { maxExecutionTime: 2 ** 40 }),
      'InvalidPayload',
    ],
    [
      'an unknown integration',
      () => change(known, { integrations: { x: { integrationId: 'intver_nothing' } } }),
      'ReferenceNotFound',
    ],
    [
      'an alias with a colon',
      () =>
        change(known, { integrations: { 'a:b': { integrationId: chatIntegrationId } } }),
      'InvalidIdentifier',
    ],
    [
      'a configuration that does not fit',
      () =>
        change(known, {
          integrations: { chat: { configuration: { encryptionKey: 1 } } },
        }),
      'InvalidDataFormat',
    ],
    [
      'a configuration with more than it should',
      () => change(known, { integrations: { chat: { configuration: { surprise: 1 } } } }),
      'InvalidDataFormat',
    ],
    [
      'an unknown configuration type',
      () =>
        change(known, { integrations: { chat: { configurationType: 'constructor' } } }),
      'ReferenceNotFound',
    ],
    [
      'one installation twice',
      () => change(known, { integrations: { chat: {}, [chatIntegrationId]: {} } }),
      'InvalidPayload',
    ],
  ])('%s is rejected without any change', async (_, attempt, type) => {
    known = await make()
    const before = await bot(known)
    await expect(attempt()).rejects.toEqual(failure(type))
    expect(await bot(known)).toEqual(before)
  })
  let known = ''
})

describe('installed integrations', () => {
  test('merge their configuration by key and keep their webhook', async () => {
    const id = await make()
    const { webhook_id } = (await findInstallation(db, id, 'chat'))!
    await change(id, {
      integrations: { chat: { configuration: { encryptionKey: 'k'.repeat(32) } } },
    })
    await change(id, { integrations: { chat: { disabledChannels: ['channel'] } } })
    const chat = (await findInstallation(db, id, 'chat'))!
    expect(chat).toMatchObject({
      webhook_id,
      enabled: true,
      status: 'registered',
      disabled_channels: ['channel'],
    })
    expect(await openConfiguration(secrets, chat)).toEqual({
      encryptionKey: 'k'.repeat(32),
    })
    expect(chat.configuration.toString('latin1')).not.toContain('kkk')
    await change(id, { integrations: { [chatIntegrationId]: { enabled: false } } })
    expect(await findInstallation(db, id, 'chat')).toMatchObject({
      webhook_id,
      enabled: false,
      status: 'unregistered',
    })
    await change(id, { integrations: { chat: null, never: null } })
    expect(await findInstallation(db, id, 'chat')).toBeNull()
    expect(calls.filter((line) => line.includes('register'))).toEqual([])
  })

  test('may be installed twice under two aliases', async () => {
    const id = await make()
    await change(id, {
      integrations: { second: { integrationId: chatIntegrationId, enabled: true } },
    })
    expect((await listInstallations(db, id)).map((one) => one.alias)).toEqual([
      'chat',
      'second',
    ])
    expect((await findInstallationById(db, id, chatIntegrationId))?.alias).toBe('chat')
    expect(await findInstalledDefinition(db, id, 'second')).toEqual(chatDefinition)
  })

  test('at a URL are registered during the update', async () => {
    const [id, v1, v2] = [
      await make(),
      await integration('mail'),
      await integration('mail', '2.0.0'),
    ]
    const mail = () => findInstallation(db, id, 'mail')
    answer = () => ({
      status: 400,
      headers: {},
      body: JSON.stringify({
        code: 400,
        type: 'Runtime',
        id: 'err',
        message: 'wrong key\0',
      }),
    })
    await change(id, {
      integrations: { mail: { integrationId: v1, configuration: { key: 'a' } } },
    })
    expect(await mail()).toMatchObject({
      status: 'registration_failed',
      status_reason: 'wrong key\uFFFD',
      builtIn: false,
    })
    answer = () => done
    await change(id, { integrations: { mail: {} } })
    expect(await mail()).toMatchObject({ status: 'registered', status_reason: null })
    // Rules of the bot for logs redact the reason.
    const redacted = await make()
    await setRedaction(
      { db, workspaceId: firstWorkspaceId, botId: redacted, installation: [] },
      [{ kind: 'email', where: ['logs'] }],
    )
    answer = () => ({
      status: 400,
      headers: {},
      body: '{"error":"a@example.org is unknown"}',
    })
    await change(redacted, {
      integrations: { mail: { integrationId: v1, configuration: { key: 'a' } } },
    })
    expect(await findInstallation(db, redacted, 'mail')).toMatchObject({
      status: 'registration_failed',
      status_reason: '[e-mail] is unknown',
    })
    answer = () => done
    calls.length = 0
    await change(id, { integrations: { mail: { configuration: { key: 'a' } } } })
    expect(calls.filter((line) => line.includes('mail'))).toEqual([])
    await change(id, { integrations: { mail: { configuration: { key: 'b' } } } })
    await change(id, { integrations: { mail: { integrationId: v2 } } })
    await change(id, { integrations: { mail: { enabled: false } } })
    expect(await mail()).toMatchObject({ status: 'unregistered', integration_id: v2 })
    await change(id, { integrations: { mail: { enabled: false, configuration: {} } } })
    await change(id, {
      integrations: { mail: { enabled: true, configurationType: 'plain' } },
    })
    await change(id, { integrations: { mail: null } })
    expect(calls.filter((line) => line.includes('mail'))).toEqual([
      'register mail',
      // The old version is unregistered before the new one is registered.
      'unregister mail',
      'register mail',
      'unregister mail',
      'register mail',
      'unregister mail',
    ])
    expect(await mail()).toBeNull()
  })

  test('are replaced by another version in the format of older clients: null for the old id', async () => {
    const [id, v1, v2] = [
      await make(),
      await integration('post'),
      await integration('post', '2.0.0'),
    ]
    await change(id, {
      integrations: { [v1]: { enabled: true, configuration: { key: 'a' } } },
    })
    const { webhook_id } = (await findInstallation(db, id, 'post'))!
    calls.length = 0
    await change(id, {
      integrations: { [v1]: null, [v2]: { enabled: true, configuration: { key: 'a' } } },
    })
    expect(await findInstallation(db, id, 'post')).toMatchObject({
      integration_id: v2,
      webhook_id,
      status: 'registered',
    })
    expect(calls.filter((line) => line.includes('post'))).toEqual([
      'unregister post',
      'register post',
    ])
    await change(id, { integrations: { [v1]: {} } })
    expect(await findInstallation(db, id, 'post')).toMatchObject({
      integration_id: v1,
      webhook_id,
    })
    // An installation under another alias is independent.
    await change(id, {
      integrations: { second: { integrationId: v2, configuration: { key: 'b' } } },
    })
    await change(id, { integrations: { [v2]: null, post: {} } })
    expect(
      (await listInstallations(db, id)).map(({ alias, integration_id }) => [
        alias,
        integration_id,
      ]),
    ).toContainEqual(['post', v1])
    await change(id, { integrations: { [v1]: null } })
    expect(await findInstallation(db, id, 'post')).toBeNull()
  })

  test('are installed once by clients that use the id as key and in the entry', async () => {
    const [id, v1, v2] = [
      await make(),
      await integration('twice'),
      await integration('twice', '2.0.0'),
    ]
    const byId = (integrations: InstallationChanges) =>
      changeBot(services, firstWorkspaceId, id, { integrations }, { byAlias: false })
    const installed = async () =>
      (await listInstallations(db, id))
        .filter(({ name }) => name === 'twice')
        .map(({ alias, integration_id }) => [alias, integration_id])
    const configuration = { key: 'a' }
    await byId({ [v1]: { integrationId: v1, configuration } })
    expect(await installed()).toEqual([['twice', v1]])
    await byId({ [v1]: { integrationId: v1, enabled: false } })
    await byId({ [v1]: { integrationId: v2, enabled: true } })
    expect(await installed()).toEqual([['twice', v2]])
    await byId({ [v1]: { integrationId: v2 } })
    await byId({ [v1]: null, [v2]: { integrationId: v2, configuration } })
    expect(await installed()).toEqual([['twice', v2]])
    await expect(byId({ [v1]: { integrationId: v2 }, [v2]: {} })).rejects.toEqual(
      failure('InvalidPayload'),
    )
    // A key that is not an id is an alias, as the contract specifies for entries with an
    // integrationId.
    await byId({ second: { integrationId: v1, configuration } })
    expect(await installed()).toEqual([
      ['second', v1],
      ['twice', v2],
    ])
    await byId({ [v1]: { integrationId: v1, enabled: false } })
    expect(await installed()).toHaveLength(2)
  })

  test('the later of two concurrent updates sets the status, even if the earlier one ends last', async () => {
    const [id, v1] = [await make(), await integration('slow')]
    const answers: ((reply: Reply) => void)[] = []
    answer = () => new Promise((resolve) => answers.push(resolve))
    const first = change(id, {
      integrations: { slow: { integrationId: v1, configuration: { key: 'a' } } },
    })
    await vi.waitFor(() => expect(answers).toHaveLength(1))
    const second = change(id, { integrations: { slow: { configuration: { key: 'b' } } } })
    await vi.waitFor(() => expect(answers).toHaveLength(2))
    answers[1]!(done)
    await second
    answers[0]!({ status: 500, headers: {}, body: '{"error":"key a is wrong"}' })
    await first
    expect(await findInstallation(db, id, 'slow')).toMatchObject({
      status: 'registered',
      status_reason: null,
      attempt: null,
    })
    answer = () => done
  })

  test('cannot be private to another workspace, or in development unless the bot is, too', async () => {
    const [id, foreign, dev] = [
      await make(),
      await integration('foreign', '1.0.0', otherWorkspace),
      await integration('draft'),
    ]
    await db.updateTable('integration').set({ dev: true }).where('id', '=', dev).execute()
    const draft = {
      integrations: { draft: { integrationId: dev, configuration: { key: '1' } } },
    }
    await expect(
      change(id, {
        integrations: {
          foreign: { integrationId: foreign, configuration: { key: '1' } },
        },
      }),
    ).rejects.toEqual(failure('ReferenceNotFound'))
    await expect(change(id, draft)).rejects.toEqual(failure('ReferenceNotFound'))
    await change(await make({ dev: true }), draft)
  })

  test('move an identifier to the last installation that claims it', async () => {
    const [a, b, mail, chat] = [
      await make(),
      await make(),
      await integration('claims'),
      chatIntegrationId,
    ]
    for (const id of [a, b])
      await change(id, {
        integrations: { m: { integrationId: mail, configuration: { key: '1' } } },
      })
    const owners = async () =>
      (
        await db
          .selectFrom('installation')
          .select('bot_id')
          .where('integration_id', '=', mail)
          .where('identifier', '=', 'acme')
          .execute()
      ).map((row) => row.bot_id)
    await configureInstallation(db, a, 'm', { identifier: 'acme' }, claim)
    expect(await owners()).toEqual([a])
    await configureInstallation(db, b, 'm', { identifier: 'acme' }, claim)
    await configureInstallation(
      db,
      b,
      'm',
      { identifier: 'acme', sandboxIdentifiers: {} },
      claim,
    )
    expect(await owners()).toEqual([b])
    await configureInstallation(db, a, 'chat', { identifier: 'acme' }, claim)
    expect(await owners()).toEqual([b])
    expect(await findInstallationById(db, a, chat)).toMatchObject({ identifier: 'acme' })
    await configureInstallation(db, b, 'm', { sandboxIdentifiers: null }, claim)
    expect(await findInstallation(db, b, 'm')).toMatchObject({
      identifier: 'acme',
      sandbox_identifiers: null,
    })
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        configureInstallation(db, i % 2 ? a : b, 'm', { identifier: 'contested' }, claim),
      ),
    )
    await configureInstallation(db, b, 'm', { identifier: null }, claim)
    await expect(
      configureInstallation(db, a, 'nothing', { identifier: 'x' }, claim),
    ).rejects.toEqual(failure('ResourceNotFound'))
  })

  test('are registered again when due, each by one server', async () => {
    const [id, mail] = [await make(), await integration('timely')]
    await change(id, {
      integrations: {
        a: { integrationId: mail, configuration: { key: '1' } },
        b: { integrationId: mail, configuration: { key: '1' } },
        off: { integrationId: mail, enabled: false },
      },
    })
    for (const alias of ['a', 'b', 'off'])
      await configureInstallation(
        db,
        id,
        alias,
        { scheduleRegisterCall: 'hourly' },
        claim,
      )
    expect(await claimDueRegistrations(db, new Date(), 10)).toEqual([])
    const later = new Date(Date.now() + 26.5 * 3_600_000)
    const claims = await Promise.all([
      claimDueRegistrations(db, later, 1),
      claimDueRegistrations(db, later, 1),
      claimDueRegistrations(db, later, 1),
    ])
    claims.push(await claimDueRegistrations(db, later, 5))
    expect(
      claims
        .flat()
        .map((one) => one.alias)
        .sort(),
    ).toEqual(['a', 'b'])
    const { register_at } = (await findInstallation(db, id, 'a'))!
    expect(register_at!.getTime() - later.getTime()).toBeGreaterThan(0)
    expect(register_at!.getTime() - later.getTime()).toBeLessThanOrEqual(3_600_000)
    await configureInstallation(db, id, 'a', { identifier: 'x' }, claim)
    expect((await findInstallation(db, id, 'a'))!.register_at).toEqual(register_at)
  })
})

describe('lists', () => {
  test('return pages in both directions, filtered', async () => {
    const workspaceId = (await createWorkspace(db, caller.accountId, 'Lists')).id
    const ids: string[] = []
    for (let i = 0; i < 7; i++)
      ids.push(
        (
          await makeBot(
            services,
            { ...caller, workspaceId },
            { tags: { odd: String(i % 2) }, dev: i === 6 },
          )
        ).id,
      )
    const all = async (
      tags: Record<string, string>,
      sortDirection: 'asc' | 'desc',
      sortField: 'created_at' | 'updated_at',
      dev = false,
    ) => {
      const seen: string[] = []
      for (let after: { at: string; id: string } | null = null; ; ) {
        const sorted = { sortField, sortDirection }
        const rows = await listBots(db, workspaceId, {
          dev,
          tags,
          seenBy: null,
          ...sorted,
          after,
          limit: 2,
        })
        if (!rows.length) return seen
        seen.push(...rows.map((row) => row.id))
        const last = rows.at(-1)!
        after = { at: last[sortField].toISOString(), id: last.id }
      }
    }
    const production = ids.slice(0, 6)
    expect(await all({}, 'asc', 'created_at')).toEqual(production)
    expect(await all({}, 'desc', 'created_at')).toEqual(production.toReversed())
    expect(await all({ odd: '1' }, 'asc', 'created_at')).toEqual([ids[1], ids[3], ids[5]])
    expect(await all({ odd: '1', even: '0' }, 'asc', 'created_at')).toEqual([])
    expect(await all({}, 'asc', 'created_at', true)).toEqual([ids[6]])
    await changeBot(services, workspaceId, ids[2]!, { name: 'touched' })
    expect((await all({}, 'desc', 'updated_at'))[0]).toBe(ids[2])
  })
})

describe('keys', () => {
  test('belong to one bot and its workspace', async () => {
    const id = await make()
    const anybody = async () => false
    const key = await createBotKey(db, firstWorkspaceId, id, 'ci')
    expect(await findToken(db, key.value)).toMatchObject({ kind: 'bak', botId: id })
    expect(await findToken(db, await hostedBotKey(db, secrets, id))).toMatchObject({
      botId: id,
    })
    expect(await listBotKeys(db, firstWorkspaceId, id)).toEqual([
      { id: key.id, note: 'ci', createdAt: key.createdAt },
    ])
    await expect(createBotKey(db, otherWorkspace, id, '')).rejects.toEqual(
      failure('ResourceNotFound'),
    )
    await expect(listBotKeys(db, otherWorkspace, id)).rejects.toEqual(
      failure('ResourceNotFound'),
    )
    await expect(deleteBotKey(db, otherWorkspace, key.id, anybody)).rejects.toEqual(
      failure('ResourceNotFound'),
    )
    await expect(
      deleteBotKey(db, firstWorkspaceId, key.id, async () => true),
    ).rejects.toEqual(failure('ResourceNotFound'))
    await deleteBotKey(db, firstWorkspaceId, key.id, anybody)
    expect(await findToken(db, key.value)).toBeNull()
  })
})

describe('logs', () => {
  test('are stored in order, with characters that the database accepts', async () => {
    const id = await make()
    const line = (message: string) => ({
      at: new Date(),
      level: 'info' as const,
      message,
    })
    await appendBotLogs(services, id, [
      line('one'),
      line('nul \0 and half \ud83d'),
      line('x'.repeat(20_000)),
      { ...line('four'), conversationId: 'conv_1' },
    ])
    await appendBotLogs(services, 'bot_gone', [line('dropped')])
    const rows = await selectLogs(id)
    expect(rows.map((row) => row.message.slice(0, 30))).toEqual([
      'one',
      'nul \uFFFD and half \uFFFD',
      'x'.repeat(30),
      'four',
    ])
  })
})

describe('a deleted bot', () => {
  test('leaves no rows in any table', async () => {
    const [id, mail] = [await make({ code: 'x' }), await integration('leaving')]
    await change(id, {
      integrations: { m: { integrationId: mail, configuration: { key: '1' } } },
    })
    const key = await createBotKey(db, firstWorkspaceId, id, '')
    await appendBotLogs(services, id, [{ at: new Date(), level: 'info', message: 'x' }])
    await db
      .insertInto('conversation')
      .values({
        bot_id: id,
        id: 'conv',
        fid: null,
        owner_id: null,
        integration: 'chat',
        channel: 'channel',
        last_message_at: null,
      })
      .execute()
    await db
      .insertInto('participant')
      .values({ bot_id: id, conversation_id: 'conv', user_id: id })
      .execute()
    await db.insertInto('lane').values({ bot_id: id, key: 'conv', owner: null }).execute()
    await db
      .insertInto('delivery')
      .values({
        bot_id: id,
        lane: 'conv',
        number: 1,
        id: 'dlv',
        kind: 'event',
        subject_id: 'evt',
        last_error: null,
        dead_at: null,
      })
      .execute()
    calls.length = 0
    await expect(
      removeBot(services, { id, workspace_id: otherWorkspace }),
    ).rejects.toEqual(failure('ResourceNotFound'))
    await removeBot(services, { id, workspace_id: firstWorkspaceId })
    expect(calls.slice(-4)).toEqual(['unregister m', 'forget', 'cut', 'recycle'])
    expect(await findToken(db, key.value)).toBeNull()
    expect(await findBotWorkspace(db, id)).toBeNull()
    const tables = await db.introspection.getTables()
    for (const table of tables.filter(({ columns }) =>
      columns.some(({ name }) => name === 'bot_id'),
    )) {
      const rows = await db
        .selectFrom(table.name as 'lane')
        .select('bot_id')
        .where('bot_id', '=', id)
        .execute()
      expect([table.name, rows]).toEqual([table.name, []])
    }
    await expect(
      removeBot(services, { id, workspace_id: firstWorkspaceId }),
    ).rejects.toEqual(failure('ResourceNotFound'))
  })
})

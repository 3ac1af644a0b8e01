// Settings of the installation in the dashboard: for its operator, effective on all servers, without secrets.
import { Client } from '@botpress/client'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type ModelProvider,
  openModelProvider,
  type Reply,
} from '../../../test/support/model-provider.ts'
import { openScene, type Scene, testConfig } from '../../../test/support/scene.ts'
import { signIn } from '../../../test/support/sign-in.ts'
import { bearing, makeTenant } from '../../../test/support/tenants.ts'
import { type App, openApp } from '../../app/app.ts'
import type { Config } from '../../core/config/config.ts'

const path = '/v1/platform/installation/settings'
const secret = 'sk-live-0123456789abcdef'

let scene: Scene
let provider: ModelProvider
let reply: Reply = {}

beforeAll(async () => {
  scene = await openScene()
  provider = await openModelProvider(() => reply)
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await provider?.close()
})

const read = async () => (await scene.call('GET', path, { headers: scene.admin })).body
const set = (body: object, headers = scene.admin) =>
  scene.call('PUT', path, { headers, body })
const probe = (setting: object) =>
  scene.call('POST', `${path}/test`, { headers: scene.admin, body: { setting } })

/** A second server of the same database. */
const openOther = (config: Partial<Config> = {}): Promise<App> =>
  openApp({
    config: {
      ...testConfig(),
      dataFolder: scene.app.services.config.dataFolder,
      ...config,
    },
    log: pino({ level: 'silent' }),
    connection: scene.connection,
    masterKey: scene.masterKey,
    chatKey: scene.chatKey,
  })

const ask = () =>
  scene.call('POST', '/v2/cognitive/generate-text', {
    headers: scene.asBot,
    body: { messages: [{ role: 'user', content: 'Hi' }] },
  })

const toModel = (more: object = {}) => ({
  type: 'openai-compatible',
  url: `${provider.url}/v1/`,
  model: 'small',
  ...more,
})

test('rejects everyone but owners of the first workspace', async () => {
  const { token } = await makeTenant(scene, 'other')
  const headers = bearing(token)
  const body = { backups: null }
  const all = [
    await scene.call('GET', path, { headers }),
    await set(body, headers),
    await scene.call('POST', `${path}/test`, { headers, body: { setting: body } }),
  ]
  expect(all.map(({ body }) => body.type)).toEqual([
    'Forbidden',
    'Forbidden',
    'Forbidden',
  ])
})

describe('the public address', () => {
  test('takes effect on all servers at once, and the sign-in at the former address stays', async () => {
    const other = await openOther()
    try {
      const before = scene.app.services.publicUrl()
      const host = new URL(before).host
      const browser = await signIn(scene.app, scene.accountId)
      const name = browser.cookie.split('=')[0]
      expect(await set({ address: { url: 'https://Bots.example.org/' } })).toMatchObject({
        status: 200,
      })
      expect(scene.app.services.publicUrl()).toBe('https://bots.example.org')
      await vi.waitFor(() =>
        expect(other.services.publicUrl()).toBe('https://bots.example.org'),
      )
      const session = await browser.call('GET', '/v1/platform/session', {
        headers: { host },
      })
      expect(session.status).toBe(200)
      expect(browser.cookie.split('=')[0]).toBe(name)
      // Behind the address itself, only the cookie of this address counts.
      const there = { host: 'bots.example.org' }
      expect(
        (await browser.call('GET', '/v1/platform/session', { headers: there })).status,
      ).toBe(401)
      const fresh = await signIn(scene.app, scene.accountId)
      expect(fresh.setCookie).toMatch(/^__Host-botstead-session=.*; Secure$/)
      expect(await read()).toMatchObject({
        address: { value: { url: 'https://bots.example.org' }, setBy: null },
        publicUrl: 'https://bots.example.org',
      })
      await set({ address: null })
      expect(scene.app.services.publicUrl()).toBe(before)
    } finally {
      await other.close()
    }
  })

  test('is replaced by the environment variable, which the page names', async () => {
    await set({ address: { url: 'https://bots.example.org' } })
    const other = await openOther({ publicUrl: 'https://of-the-environment.example' })
    try {
      expect(other.services.publicUrl()).toBe('https://of-the-environment.example')
      const inject = (method: 'GET' | 'PUT', payload?: object) =>
        other.server.inject({
          method,
          url: path,
          headers: scene.admin,
          ...(payload && { payload }),
        })
      expect((await inject('GET')).json().address.setBy).toBe('BOTSTEAD_PUBLIC_URL')
      const rejected = (await inject('PUT', { address: null })).json()
      expect(rejected.type).toBe('ReferenceConstraint')
      expect(rejected.message).toContain('BOTSTEAD_PUBLIC_URL')
    } finally {
      await other.close()
      await set({ address: null })
    }
  })

  test('is tested by a request that only this installation answers', async () => {
    const url = await scene.listen()
    expect((await probe({ address: { url } })).body).toEqual({
      isGood: true,
      message: `${url} leads to this server.`,
    })
    const { body } = await probe({ address: { url: provider.url } })
    expect(body).toMatchObject({
      isGood: false,
      message: expect.stringContaining('not this server'),
    })
    const silent = await probe({ address: { url: 'http://127.0.0.1:9' } })
    expect(silent.body).toMatchObject({
      isGood: false,
      message: expect.stringContaining('127.0.0.1:9'),
    })
  })

  test.each([
    'bots.example.org',
    'ftp://bots.example.org',
    'https://u:p@bots.example.org',
    'https://a.example/x',
  ])('rejects %s', async (url) => {
    const { status, body } = await set({ address: { url } })
    expect([status, body.type]).toEqual([400, 'InvalidPayload'])
    expect(body.message).toContain('`address.url`')
  })
})

describe('the language model', () => {
  test('is asked by the test, whose result is in words', async () => {
    reply = { text: ['O', 'K'] }
    const good = await probe({ model: toModel({ key: secret }) })
    expect(good.body).toMatchObject({
      isGood: true,
      message: expect.stringMatching(/"small" answered .*"OK"/),
    })
    expect(provider.requests.at(-1)!.headers.authorization).toBe(`Bearer ${secret}`)
    reply = { status: 401, error: `wrong key ${secret}` }
    const bad = await probe({ model: toModel({ key: secret }) })
    expect(bad.body).toMatchObject({
      isGood: false,
      message: expect.stringContaining('not accept the key'),
    })
    reply = { status: 404, error: 'no such model' }
    expect((await probe({ model: toModel() })).body.message).toContain('no such model')
    const silent = await probe({ model: toModel({ url: 'http://127.0.0.1:9/v1' }) })
    expect(silent.body).toMatchObject({
      isGood: false,
      message: expect.stringContaining('not reachable'),
    })
    expect((await read()).model.value).toBeNull()
  })

  test('answers bots at once, and its key stays here', async () => {
    reply = { text: ['Hello'] }
    expect((await set({ model: toModel({ key: secret }) })).status).toBe(200)
    const { body } = await ask()
    expect(body).toMatchObject({ output: 'Hello' })
    const settings = await read()
    expect(settings.model).toMatchObject({
      value: { url: `${provider.url}/v1`, hasKey: true },
      setBy: null,
    })
    const { rows } = await sql`select * from server_setting`.execute(
      scene.app.services.db,
    )
    const audit = await sql`select * from audit_record`.execute(scene.app.services.db)
    for (const shown of [
      settings,
      rows.map((row) => ({ ...(row as object), secret: null })),
      audit.rows,
    ])
      expect(JSON.stringify(shown)).not.toContain(secret)
    expect(
      Buffer.from((rows[0] as { secret: Buffer }).secret).toString('latin1'),
    ).not.toContain(secret)
    const [latest] = (
      await sql<{ operation: string; chain: string }>`
      select operation, chain from audit_record where operation like '%ServerSettings'
      order by number desc limit 1`.execute(scene.app.services.db)
    ).rows
    expect(latest).toEqual({
      operation: 'platform.setServerSettings',
      chain: scene.workspaceId,
    })
  })

  test('keeps its key only for the same address', async () => {
    reply = { text: ['Hello'] }
    expect((await set({ model: toModel({ model: 'large' }) })).status).toBe(200)
    await probe({ model: toModel({ model: 'large' }) })
    expect(provider.requests.at(-1)!.headers.authorization).toBe(`Bearer ${secret}`)
    const elsewhere = toModel({ url: 'http://127.0.0.1:9/v1' })
    for (const { body } of [
      await set({ model: elsewhere }),
      await probe({ model: elsewhere }),
    ]) {
      expect(body.type).toBe('InvalidPayload')
      expect(body.message).toContain('`model.key`')
    }
    expect((await read()).model.value).toMatchObject({
      model: 'large',
      url: `${provider.url}/v1`,
    })
    expect((await set({ model: { ...elsewhere, key: null } })).status).toBe(200)
    expect((await read()).model.value.hasKey).toBe(false)
  })

  test('is gone for bots after its removal', async () => {
    await set({ model: null })
    expect((await ask()).body).toMatchObject({ code: 400 })
  })

  test('may not be at an address that the workspace may not reach', async () => {
    const { body } = await set({ model: toModel({ url: 'http://169.254.169.254/v1' }) })
    expect(body.type).toBe('InvalidPayload')
    expect(body.message).toContain('`model.url`')
  })

  test('embeds documents again after the model of embeddings has changed', {
    timeout: 60_000,
  }, async () => {
    reply = {}
    const client = new Client({
      apiUrl: await scene.listen(),
      token: scene.token,
      botId: scene.botId,
    })
    await client.uploadFile({
      key: 'cake.md',
      content: '# Oven\nWe bake with sugar.',
      index: true,
    })
    const meaning = async () =>
      (await scene.call('GET', '/v1/platform/files/counts', { headers: scene.asBot }))
        .body.meaning
    for (const model of ['first', 'second']) {
      const good = await probe({ embeddings: toModel({ model }) })
      expect(good.body).toMatchObject({
        isGood: true,
        message: expect.stringContaining('numbers'),
      })
      await set({ embeddings: toModel({ model }) })
      await vi.waitFor(
        async () =>
          expect(await meaning()).toMatchObject({
            state: 'ready',
            embedded: 1,
            model: `embeddings:${model}`,
          }),
        { timeout: 25_000, interval: 200 },
      )
    }
    await set({ embeddings: null })
    await vi.waitFor(async () => expect((await meaning()).state).toBe('disabled'), 5_000)
  })
})

describe('the schedule of backups', () => {
  const backups = async () =>
    (await scene.call('GET', '/v1/platform/installation', { headers: scene.admin })).body
      .backups

  test('begins now, whatever was before, and ends with its removal', async () => {
    await sql`insert into archive_job
      (id, kind, file_name, has_secrets, worker, host, created_at, scheduled_for, ended_at,
       progress)
      values ('old', 'backup', 'old.backup', true, 'worker', 'host', '2020-01-01', '2020-01-01', '2020-01-01', 1)`.execute(
      scene.app.services.db,
    )
    const value = { schedule: '0 3 1 1 *', keep: 3, verify: false }
    expect((await probe({ backups: value })).body.message).toContain('-01-01 03:00 UTC')
    await set({ backups: value })
    const state = await backups()
    expect(state.schedule).toBe('0 3 1 1 *')
    expect(Date.parse(state.nextAt)).toBeGreaterThan(Date.now())
    const settings = (
      await scene.call('GET', '/v1/platform/installation', { headers: scene.admin })
    ).body.settings
    expect(settings).toContainEqual({ name: 'BOTSTEAD_BACKUP_KEEP', value: '3' })
    await set({ backups: null })
    expect(await backups()).toMatchObject({ schedule: null, nextAt: null })
  })

  test('must be a cron expression', async () => {
    const { body } = await set({
      backups: { schedule: 'every night', keep: 3, verify: false },
    })
    expect(body.type).toBe('InvalidPayload')
    expect(body.message).toContain('`backups.schedule`')
  })
})

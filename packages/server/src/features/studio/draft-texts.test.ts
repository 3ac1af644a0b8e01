// Texts of drafts by their keys, for people who may edit nothing else of a bot.
import type { Role } from '@botstead/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  asAdmin,
  bearing,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'
import { makeMembers } from '../../../test/support/wrong-credentials.ts'

let scene: Scene
let tenant: Tenant
let members: Record<Role, string>
beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'texts')
  members = await makeMembers(scene, tenant)
}, 60_000)
afterAll(() => scene?.close())

const yaml = `kind: bot
version: 2
languages:
  default: en
  translations:
    de: {} # German
variables:
  configuration: { key: { type: string } }
  user: { name: { type: string } }
flows:
  main:
    nodes:
      start:
        type: start
        cards:
          - { type: send, message: "Hello {{ user.name }}" } # greets
          - { type: send, message: "{{ env.key ? 'yes' : 'no' }}" }
`

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH'

async function call(role: Role, line: string, body?: unknown) {
  const [method, path] = line.split(' ') as [Method, string]
  const headers = { ...asAdmin(tenant), ...bearing(members[role]) }
  return scene.call(method, `/v1/${path}`, {
    headers,
    ...(body !== undefined && { body }),
  })
}

async function openBot(text = yaml) {
  const { bot } = (await call('developer', 'POST admin/bots', { name: 'texts' })).body
  const path = `platform/bots/${bot.id}/draft`
  const saved = await call('developer', `PUT ${path}`, {
    baseRevision: 0,
    text,
    format: 'YAML',
  })
  expect(saved.status).toBe(200)
  return {
    list: async (role: Role = 'editor') => (await call(role, `GET ${path}/texts`)).body,
    save: (changes: object[], role: Role = 'editor') =>
      call(role, `PATCH ${path}/texts`, { changes }),
    read: async () => (await call('developer', `GET ${path}`)).body.draft.text as string,
    path,
  }
}

const hello = 'Hello {{ user.name }}'
const german = (text: string | null, more: object = {}) => ({
  key: 'main.start.0/message',
  language: 'de',
  original: hello,
  text,
  ...more,
})

test('an editor translates a text, and nothing else of the document changes', async () => {
  const bot = await openBot()
  expect(await bot.list()).toMatchObject({
    original: 'en',
    languages: ['de'],
    texts: [
      {
        key: 'main.start.0/message',
        text: hello,
        flow: 'main',
        node: 'start',
        card: 'send',
        translations: { de: { state: 'missing', text: null } },
      },
      { key: 'main.start.1/message' },
    ],
  })
  expect(await bot.save([german('Hallo {{ user.name }}')])).toMatchObject({
    status: 200,
    body: { revision: 2 },
  })
  const { texts } = await bot.list()
  expect(texts[0].translations.de).toEqual({
    state: 'translated',
    text: 'Hallo {{ user.name }}',
  })
  const text = await bot.read()
  expect(text).toContain('# German')
  expect(text).toContain('# greets')
  const rest = text.split('\n').filter((line) => yaml.includes(`${line}\n`))
  expect(rest.length).toBeGreaterThan(yaml.split('\n').length - 4)
  // A repetition, also by the former key, changes nothing.
  expect((await bot.save([german('Hallo {{ user.name }}')])).body).toEqual({
    revision: 2,
  })
  expect(texts[0].key).toMatch(/^start-[0-9a-z]{6}\/message$/)
  const original = {
    ...german('Hi {{ user.name }}', { key: texts[0].key }),
    language: null,
  }
  expect((await bot.save([original])).body).toEqual({ revision: 3 })
  expect((await bot.save([original])).body).toEqual({ revision: 3 })
  expect((await bot.list()).texts[0]).toMatchObject({
    text: 'Hi {{ user.name }}',
    translations: { de: { state: 'outdated' } },
  })
})

test.each([
  ['{{ env.key }}', 'expression'],
  ['@env.key', 'expression'],
  ['{{ user.name + env.key }}', 'expression'],
  ['{{ "}}" + env.key }}', 'expression'],
  ['{{ user. }}', 'syntax'],
])('an editor cannot add the expression %s', async (text, reason) => {
  const bot = await openBot()
  for (const language of ['de', null])
    expect(await bot.save([german(`Hallo ${text}`, { language })])).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload', metadata: { reason, key: 'main.start.0/message' } },
    })
  const escaped = await bot.save([german('Hallo \\{{ env.key }}')])
  expect(escaped.status).toBe(200)
})

test('rejects unknown texts, languages and earlier originals, and then stores nothing', async () => {
  const bot = await openBot()
  const before = await bot.read()
  const expectRejected = async (change: object, type: string, reason?: string) =>
    expect(await bot.save([german('Hallo'), change])).toMatchObject({
      body: { type, ...(reason && { metadata: { reason } }) },
    })
  await expectRejected(german('x', { key: 'no/message' }), 'RelationConflict', 'unknown')
  await expectRejected(german('x', { key: '__proto__' }), 'RelationConflict', 'unknown')
  await expectRejected(german('x', { original: 'Bye' }), 'RelationConflict', 'outdated')
  await expectRejected(german('x', { language: 'fr' }), 'InvalidPayload', 'language')
  await expectRejected(
    german('x', { language: '__proto__' }),
    'InvalidPayload',
    'language',
  )
  await expectRejected(german(' ', { language: null }), 'InvalidPayload', 'empty')
  await expectRejected(german('a\0b'), 'InvalidPayload')
  await expectRejected(german('\ud800'), 'InvalidPayload')
  expect(await bot.read()).toBe(before)
})

test('a deployed bot keeps its languages', async () => {
  const { bot } = (await call('developer', 'POST admin/bots', { name: 'deployed' })).body
  const languages = { default: 'en', translations: { de: { 'hi/message': 'Hallo' } } }
  const cards = [{ type: 'send', message: 'Hi', textKey: 'hi' }]
  const flows = { main: { nodes: { start: { type: 'start', cards } } } }
  const botJson = { kind: 'bot', version: 2, languages, flows }
  const path = `admin/bots/${bot.id}/publish-from-bot-json`
  expect((await call('developer', `POST ${path}`, { botJson })).status).toBe(200)
  const { draft } = (await call('developer', `GET platform/bots/${bot.id}/draft`)).body
  expect(JSON.parse(draft.text)).toMatchObject({ languages, flows })
  const { texts } = (await call('editor', `GET platform/bots/${bot.id}/draft/texts`)).body
  expect(texts[0].translations.de).toEqual({ state: 'translated', text: 'Hallo' })
})

test('two editors at once lose nothing, and only some roles may read or write', async () => {
  const bot = await openBot()
  const second = { ...german('ja'), key: 'main.start.1/message' }
  const [{ texts }] = [await bot.list()]
  await Promise.all([
    bot.save([german('Hallo')]),
    bot.save([{ ...second, original: texts[1].text }], 'manager'),
  ])
  const found = (await bot.list('viewer')).texts
  expect(found.map((text: { translations: object }) => text.translations)).toMatchObject([
    { de: { text: 'Hallo' } },
    { de: { text: 'ja' } },
  ])
  expect((await bot.save([german('x')], 'viewer')).status).toBe(403)
  expect((await call('agent', `GET ${bot.path}/texts`)).status).toBe(403)
  expect((await call('editor', `GET ${bot.path}`)).status).toBe(403)
  const page = await call('editor', `GET ${bot.path}/texts?pageSize=1`)
  expect(page.body.texts).toHaveLength(1)
  const { nextToken } = page.body.meta
  const next = await call(
    'editor',
    `GET ${bot.path}/texts?pageSize=1&nextToken=${nextToken}`,
  )
  expect(next.body).toMatchObject({ texts: [{ text: texts[1].text }], meta: {} })
})

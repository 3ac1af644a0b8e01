// The uses of an installed integration, and its identifiers.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  openRuntimeScene,
  type RuntimeScene,
} from '../../../test/support/runtime-scene.ts'

let scene: RuntimeScene

beforeAll(async () => {
  scene = await openRuntimeScene()
}, 60_000)
afterAll(() => scene?.close())

const installed = (alias = 'tg', botId = scene.botId) =>
  `/v1/platform/bots/${botId}/integrations/${alias}`
const toReservation = async (...where: [alias?: string, botId?: string]) =>
  scene.call('GET', `${installed(...where)}/uses`, { headers: scene.admin })

test('counts conversations and users, and names plugins and references', async () => {
  const made = (url: string, body: object, headers = scene.asTg) =>
    scene.call('POST', url, { headers, body })
  await made('/v1/chat/users', { tags: {} })
  await made('/v1/chat/users', { tags: {} })
  await made('/v1/chat/conversations', { channel: 'dm', tags: {} })
  await made('/v1/chat/conversations', { channel: 'dm', tags: {} }, scene.asOther)
  const { db } = scene.app.services
  await sql`insert into package_line (id, kind, workspace_id, name)
    values ('line', 'plugin', ${scene.workspaceId}, 'p')`.execute(db)
  await sql`insert into plugin (id, workspace_id, line_id, name, version, rank, visibility, definition)
    values ('p', ${scene.workspaceId}, 'line', 'p', '1.0.0', '', 'private', '{}')`.execute(
    db,
  )
  const backing = JSON.stringify({
    messages: { integrationId: 'i', integrationAlias: 'tg' },
  })
  await sql`insert into bot_plugin (bot_id, alias, plugin_id, enabled, configuration, interfaces,
      integrations, definition)
    values (${scene.botId}, 'alerts', 'p', true, '', '{}', ${backing}::jsonb, '{}')`.execute(
    db,
  )
  const { status, body } = await toReservation()
  expect([status, body]).toMatchObject([
    200,
    {
      conversations: 1,
      users: 2,
      plugins: ['alerts'],
      references: [],
      sandboxConversations: 0,
    },
  ])
  expect((await toReservation('other')).body).toMatchObject({
    conversations: 1,
    users: 0,
    plugins: [],
  })
})

test('sets and releases the identifier', async () => {
  const set = (body: object) =>
    scene.call('PUT', `${installed()}/identifier`, { headers: scene.admin, body })
  expect((await set({ identifier: 'me' })).status).toBe(200)
  expect((await toReservation()).body.identifier).toBe('me')
  expect((await set({ identifier: null, sandboxIdentifiers: null })).status).toBe(200)
  expect((await toReservation()).body.identifier).toBeUndefined()
  expect((await set({ sandboxIdentifiers: { a: 1 } })).status).toBe(400)
  expect((await toReservation('none')).status).toBe(404)
})

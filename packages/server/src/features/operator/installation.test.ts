// The installation as its operator sees it, and only its operator.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, makeTenant } from '../../../test/support/tenants.ts'
import { readConfig } from '../../core/config/config.ts'
import { listSettings } from './installation.ts'

let scene: Scene

beforeAll(async () => {
  scene = await openScene()
}, 60_000)
afterAll(() => scene?.close())

const read = (path = '', headers = scene.admin) =>
  scene.call('GET', `/v1/platform/installation${path}`, { headers })

test('shows servers, queue, database and settings', async () => {
  const { status, body } = await read()
  expect(status).toBe(200)
  expect(body.servers).toMatchObject([{ pid: process.pid, isAlive: true }])
  expect(body.queue).toMatchObject({ pending: 0, deadLetters: 0 })
  expect(body.database.bytes).toBeGreaterThan(1_000_000)
  expect(body.database.tables.map(({ name }: { name: string }) => name)).toContain(
    'message',
  )
  expect(body.settings).toContainEqual({ name: 'BOTSTEAD_MESSAGE_DAYS', value: '0' })
})

test('checks the installation', async () => {
  const { status, body } = await read('/checks')
  expect(status).toBe(200)
  expect(body.findings.length).toBeGreaterThan(3)
})

test('rejects owners of other workspaces', async () => {
  const { token } = await makeTenant(scene, 'other')
  for (const path of ['', '/checks'])
    expect((await read(path, bearing(token))).body.type).toBe('Forbidden')
})

test('contains no secret of the settings', () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://user:SECRET@db:5432/botstead?password=SECRET',
    NATS_URL: 'nats://user:SECRET@nats:4222',
    BOTSTEAD_MASTER_KEY:
      '5EC4E75EC4E75EC4E75EC4E75EC4E75EC4E75EC4E75EC4E75EC4E75EC4E75EC4',
    BOTSTEAD_CHAT_KEY: 'SECRET'.repeat(10),
    BOTSTEAD_METRICS_TOKEN: 'SECRETSECRETSECRET',
    S3_BUCKET: 'b',
    S3_ACCESS_KEY_ID: 'SECRET',
    S3_SECRET_ACCESS_KEY: 'SECRET',
    BOTSTEAD_MODEL_URL: 'https://m',
    BOTSTEAD_MODEL: 'm',
    BOTSTEAD_MODEL_KEY: 'SECRET',
  })
  const settings = listSettings(config)
  expect(JSON.stringify(settings.map(({ value }) => value))).not.toMatch(/SECRET|5EC4E7/)
  expect(settings).toContainEqual({
    name: 'DATABASE_URL',
    value: 'postgres://db:5432/botstead',
  })
  expect(settings).toContainEqual({ name: 'BOTSTEAD_MASTER_KEY', value: 'set' })
})

test('names the settings as the documentation does', async () => {
  const documented = await readFile(
    new URL('../../../../../docs/configuration.md', import.meta.url),
    'utf8',
  )
  for (const { name } of listSettings(readConfig({})))
    expect(documented).toContain(`\`${name}\``)
})

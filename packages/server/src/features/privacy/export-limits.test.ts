// Exports of people's data that run at the same time: one of each workspace, six in all. A locked
// table holds them, so that they run as long as the test needs.
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

interface Tenant {
  headers: Record<string, string>
  userId: string
}

let scene: Scene
let url: string
let tenants: Tenant[]

beforeAll(async () => {
  scene = await openScene()
  url = await scene.listen()
  tenants = []
  for (let i = 0; i < 7; i++) tenants.push(await createTenant(`Tenant ${i}`))
}, 60_000)
afterAll(() => scene?.close())

/** Makes a workspace with a bot and a user. */
async function createTenant(name: string): Promise<Tenant> {
  const account = { authorization: scene.admin.authorization! }
  const post = async (path: string, headers: Record<string, string>, body: object) => {
    const reply = await scene.call('POST', path, { headers, body })
    expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
    return reply.body
  }
  const { id } = await post('/v1/admin/workspaces', account, { name })
  const { bot } = await post(
    '/v1/admin/bots',
    { ...account, 'x-workspace-id': id },
    { name },
  )
  const headers = { ...account, 'x-bot-id': bot.id }
  const { user } = await post('/v1/chat/users', headers, { tags: {} })
  return { headers, userId: user.id }
}

/** Resolves with the status, and the message of an error, when the export ends. */
async function exportUser({ headers, userId }: Tenant) {
  const reply = await fetch(`${url}/v1/platform/users/${userId}/personal-data/export`, {
    headers,
  })
  const content = Buffer.from(await reply.arrayBuffer())
  const error = reply.ok ? null : JSON.parse(content.toString())
  return { status: reply.status, message: error?.message ?? null, bytes: content.length }
}

/** Exports read this table after others. Returns what ends the lock. */
async function holdExports(): Promise<() => Promise<void>> {
  const held = await scene.app.services.db.startTransaction().execute()
  await sql`lock table conversation_note in access exclusive mode`.execute(held)
  return async () => void (await held.rollback().execute())
}

async function countHeld() {
  const { rows } = await sql<{
    count: number
  }>`select count(*)::int as count from pg_locks
    where not granted and relation = 'conversation_note'::regclass`.execute(
    scene.app.services.db,
  )
  return rows[0]!.count
}

test('a workspace has one at a time, and all workspaces have six', async () => {
  const begun = (count: number) => expect.poll(countHeld, { timeout: 30_000 }).toBe(count)
  const [first, ...others] = tenants
  const last = others.pop()!
  const release = await holdExports()
  const running = [exportUser(first!)]
  try {
    await begun(1)
    const second = exportUser(first!)
    expect(
      await Promise.race([second, pause(15_000, 'It runs beside the first')]),
    ).toMatchObject({
      status: 503,
      message: 'An export of this workspace is running: wait for its end',
    })
    running.push(...others.map(exportUser))
    await begun(6)
    expect(await exportUser(last)).toMatchObject({
      status: 503,
      message: '6 exports are running: wait for their end',
    })
  } finally {
    await release()
  }
  for (const ended of await Promise.all(running)) {
    expect(ended).toMatchObject({ status: 200, message: null })
    expect(ended.bytes).toBeGreaterThan(100)
  }
  // The ends, and the rejections, have freed all places.
  for (const tenant of [last, first!]) expect((await exportUser(tenant)).status).toBe(200)
}, 60_000)

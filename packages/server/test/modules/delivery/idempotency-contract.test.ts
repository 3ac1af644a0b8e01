// Every POST of the contract takes an Idempotency-Key: it says again what it said, does nothing more, and, where it may, does all that it does in
// the one transaction that keeps its answer. An operation that is new is tried here without anybody having to think of it.
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { outside } from '../../../src/modules/delivery/idempotency/outside.ts'
import {
  addressOf,
  alwaysRefused,
  endsItsCaller,
  requestFor,
  type ServedOperation,
  servedOperations,
} from '../../support/operation-requests.ts'
import { openScene, type Scene } from '../../support/scene.ts'
import { tableJobsOver } from '../../support/table-rows.ts'
import { makeTenant, type Tenant } from '../../support/tenants.ts'

let scene: Scene
let tenant: Tenant
/** What listeners were told. */
let published: string[]

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'keyed')
}, 60_000)
afterAll(() => scene?.close())
beforeEach(() => {
  published = []
  scene.app.services.signals.onPublished = (_bot, conversation) => void published.push(conversation)
})
afterEach(() => {
  scene.app.services.signals.onPublished = null
})

const posts = servedOperations.filter(
  ({ method, name }) =>
    method === 'POST' && !endsItsCaller.includes(name) && !Object.hasOwn(alwaysRefused, name),
)

async function perform(operation: ServedOperation, key: string) {
  const { method, headers, body, ...rest } = requestFor(operation, tenant)
  const url = addressOf(operation, { method, headers, ...rest })
  const chosen = fresh[operation.name]?.(key)
  const reply = await scene.app.server.inject({
    method,
    url,
    headers: { ...headers, 'idempotency-key': key },
    payload: { ...body, ...chosen },
  })
  return { status: reply.statusCode, body: reply.body, replayed: reply.headers['idempotency-replayed'] }
}

/** What can be had once only. */
const fresh: Record<string, (key: string) => object> = {
  'chat.createUser': (key) => ({ id: key.replaceAll('.', '-') }),
  'chat.createConversation': (key) => ({ id: key.replaceAll('.', '-') }),
}

/** All that is kept, apart from what workers and deliveries change by themselves, and from keys to seal with, which are made ahead. */
async function digest(): Promise<string> {
  await tableJobsOver(scene)
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by column_name) as columns from information_schema.columns
    where table_schema = 'public' and table_name <> all(${['worker', 'lane', 'delivery', 'delivery_attempt', 'bot_log', 'issue', 'issue_event', 'usage_count', 'idempotency_key', 'data_key', 'token_address']})
      and (table_name, column_name) not in (('event', 'status'), ('event', 'failure_reason'))
    group by table_name order by table_name`.execute(scene.app.services.db)
  const digests: string[] = []
  for (const { name, columns } of tables) {
    const row = sql.raw(`row(${columns})::text`)
    const { rows } = await sql<{
      of: string
    }>`select count(*) || ' ' || coalesce(md5(string_agg(${row}, '' order by ${row})), '') as of from ${sql.table(name)}`.execute(
      scene.app.services.db,
    )
    digests.push(`${name} ${rows[0]!.of}`)
  }
  return digests.join('\n')
}

test('there are POSTs of each family that has any', () => {
  expect(posts.map(({ family }) => family)).toEqual(
    expect.arrayContaining(['runtime', 'chat', 'admin', 'platform']),
  )
  expect(posts.length).toBeGreaterThan(20)
})

test('what is listed as reaching outside is served', () => {
  expect(
    Object.keys(outside).filter((name) => !servedOperations.some((operation) => operation.name === name)),
  ).toEqual([])
})

describe.each(posts.map((operation) => [operation.name, operation] as const))('%s', (name, operation) => {
  if (!(name in outside)) {
    test('is undone whole when its answer cannot be kept', async () => {
      const before = await digest()
      await sql`alter table idempotency_key add constraint full_up check (status is null) not valid`.execute(
        scene.app.services.db,
      )
      const reply = await perform(operation, `undone-${name}`).finally(() =>
        sql`alter table idempotency_key drop constraint full_up`.execute(scene.app.services.db),
      )
      expect(reply.status).toBe(500)
      expect(await digest()).toBe(before)
      expect(published).toEqual([])
    })
  }

  test('is done once', async () => {
    const first = await perform(operation, `once-${name}`)
    expect([first.status, first.replayed], first.body).toEqual([operation.status ?? 200, undefined])
    const before = await digest()
    const heard = published.length
    expect(await perform(operation, `once-${name}`)).toEqual({ ...first, replayed: 'true' })
    expect(await digest()).toBe(before)
    expect(published).toHaveLength(heard)
  })
})

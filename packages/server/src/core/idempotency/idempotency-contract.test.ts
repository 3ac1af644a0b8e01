// Every POST of the contract accepts an Idempotency-Key: it replays its answer without further
// effects and, where possible, stores the answer in the same transaction as its effects. The test
// covers new operations automatically.
import { sql } from 'kysely'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  test,
} from 'vitest'
import { backgroundJobsOver } from '../../../test/support/background-jobs.ts'
import {
  alwaysRejected,
  endsItsCaller,
  requestFor,
  toAddress,
} from '../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ServedOperation,
  servedOperations,
} from '../../../test/support/served-operations.ts'
import { makeTenant, type Tenant } from '../../../test/support/tenants.ts'
import { outsideTransaction } from './outside-transaction.ts'

let scene: Scene
let tenant: Tenant
/** Ids of the conversations with notified listeners. */
let published: string[]

beforeAll(async () => {
  scene = await openScene({ config: { messageSearch: false } })
  tenant = await makeTenant(scene, 'keyed')
}, 60_000)
afterAll(() => scene?.close())
beforeEach(() => {
  published = []
  scene.app.services.signals.onPublished = (_bot, conversation) =>
    void published.push(conversation)
})
afterEach(() => {
  scene.app.services.signals.onPublished = null
})

const posts = servedOperations.filter(
  ({ method, name, stream }) =>
    method === 'POST' &&
    !stream &&
    !endsItsCaller.includes(name) &&
    !Object.hasOwn(alwaysRejected, name),
)

async function perform(operation: ServedOperation, key: string) {
  const { method, headers, body, ...rest } = requestFor(operation, tenant)
  const url = toAddress(operation, { method, headers, ...rest })
  const chosen = fresh[operation.name]?.(key)
  const reply = await scene.app.server.inject({
    method,
    url,
    headers: { ...headers, 'idempotency-key': key },
    payload: { ...body, ...chosen },
  })
  return {
    status: reply.statusCode,
    body: reply.body,
    replayed: reply.headers['idempotency-replayed'],
  }
}

/** Unique values for operations that can create an object only once. */
const fresh: Record<string, (key: string) => object> = {
  'chat.createUser': (key) => ({ id: key.replaceAll('.', '-') }),
  'chat.createConversation': (key) => ({ id: key.replaceAll('.', '-') }),
}

const changedElsewhere = [
  'worker',
  'lane',
  'delivery',
  'delivery_attempt',
  'bot_log',
  'issue',
  'issue_event',
  'usage_count',
  'idempotency_key',
  'data_key',
  'token_address',
]

/**
 * A digest of all tables, without those that workers and deliveries change, and without data keys,
 * which are created in advance.
 */
async function digest(): Promise<string> {
  await backgroundJobsOver(scene)
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by column_name) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name <> all(${changedElsewhere})
      and (table_name, column_name) not in (('event', 'status'), ('event', 'failure_reason'))
    group by table_name order by table_name`.execute(scene.app.services.db)
  const digests: string[] = []
  for (const { name, columns } of tables) {
    const row = sql.raw(`row(${columns})::text`)
    const { rows } = await sql<{ of: string }>`
      select count(*) || ' ' || coalesce(md5(string_agg(${row}, '' order by ${row})), '') as of
      from ${sql.table(name)}`.execute(scene.app.services.db)
    digests.push(`${name} ${rows[0]!.of}`)
  }
  return digests.join('\n')
}

test('the contract has POSTs of each family', () => {
  expect(posts.map(({ family }) => family)).toEqual(
    expect.arrayContaining(['runtime', 'chat', 'admin', 'platform']),
  )
  expect(posts.length).toBeGreaterThan(20)
})

test('each operation listed as reaching outside is served', () => {
  expect(
    Object.keys(outsideTransaction).filter(
      (name) => !servedOperations.some((operation) => operation.name === name),
    ),
  ).toEqual([])
})

describe.each(posts.map((operation) => [operation.name, operation] as const))(
  '%s',
  (name, operation) => {
    if (!(name in outsideTransaction)) {
      test('is rolled back completely when its answer cannot be stored', async () => {
        const before = await digest()
        await sql`alter table idempotency_key add constraint full_up check (status is null) not valid`.execute(
          scene.app.services.db,
        )
        const reply = await perform(operation, `undone-${name}`).finally(() =>
          sql`alter table idempotency_key drop constraint full_up`.execute(
            scene.app.services.db,
          ),
        )
        expect(reply.status).toBe(500)
        expect(await digest()).toBe(before)
        expect(published).toEqual([])
      })
    }

    test('has its effect once and replays its answer', async () => {
      const first = await perform(operation, `once-${name}`)
      expect([first.status, first.replayed], first.body).toEqual([
        operation.status ?? 200,
        undefined,
      ])
      const before = await digest()
      const heard = published.length
      expect(await perform(operation, `once-${name}`)).toEqual({
        ...first,
        replayed: 'true',
      })
      expect(await digest()).toBe(before)
      expect(published).toHaveLength(heard)
    })
  },
)

// Audit records: each operation that changes something leaves exactly one record, also when
// requests are concurrent; no record contains values of a request; and manipulations of the records
// are detected.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  alwaysRejected,
  endsItsCaller,
  headersFor,
  requestFor,
  toAddress,
} from '../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ServedOperation,
  servedOperations,
} from '../../../test/support/served-operations.ts'
import {
  asAdmin,
  asBot,
  bearing,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'
import { makeMembers } from '../../../test/support/wrong-credentials.ts'
import { getAuditAction } from '../http/audit.ts'
import { findAuditNames } from './audit-names.ts'

let scene: Scene
let tenant: Tenant
let members: Awaited<ReturnType<typeof makeMembers>>

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'tenant')
  members = await makeMembers(scene, tenant)
}, 60_000)
afterAll(() => scene?.close())

const db = () => scene.app.services.db
const all = () =>
  db().selectFrom('audit_record').selectAll().orderBy('at').orderBy('number').execute()
const newAddress = 'token.firstUseFromAddress'
const everything = async () =>
  (await all()).filter(({ operation }) => operation !== newAddress)
/** Deleted workspaces take their records with them, so records are compared by chain and number. */
const since = async (before: Awaited<ReturnType<typeof everything>>) => {
  const known = new Set(before.map(({ chain, number }) => `${chain} ${number}`))
  return (await everything()).filter(
    ({ chain, number }) => !known.has(`${chain} ${number}`),
  )
}
const verified = async (headers = asAdmin(tenant), query = '') =>
  (await scene.call('GET', `/v1/platform/audit/verification${query}`, { headers })).body

async function send(
  operation: ServedOperation,
  more: Record<string, string> = {},
  nth = 0,
) {
  const request = requestFor(operation, tenant, nth)
  const { statusCode, body } = await scene.app.server.inject({
    method: request.method,
    url: toAddress(operation, request),
    headers: { ...headersFor(operation, tenant), ...more },
    ...(request.body && { payload: request.body }),
  })
  return { status: statusCode, body }
}

/** Deletions run last, on the second object of their kind. */
const changes = servedOperations
  .filter(
    (operation) =>
      getAuditAction(operation) !== null &&
      !Object.hasOwn(alwaysRejected, operation.name),
  )
  .sort(
    (a, b) =>
      Number(a.method === 'DELETE') - Number(b.method === 'DELETE') ||
      b.url.length - a.url.length,
  )

describe('one record, in the chain of its workspace or account', () => {
  test('covers every operation that changes something, except those that only check or pass on', () => {
    expect(changes.length).toBeGreaterThan(20)
    const silent = servedOperations.filter(
      ({ access, method, audit }) =>
        (access === 'workspace' || access === 'account') &&
        method !== 'GET' &&
        audit === false,
    )
    expect(silent.map(({ name }) => name).sort()).toEqual([
      'admin.checkHandleAvailability',
      'admin.runVrl',
      'admin.validateIntegrationCreation',
      'admin.validateIntegrationUpdate',
      'mcp.sendAuthoringMessage',
      'platform.checkBotDocument',
      'platform.checkChannel',
      'platform.convertBot',
      'platform.testBotDraft',
      'platform.testServerSettings',
      'platform.verifyChannel',
      'platform.verifyErasureReceipt',
    ])
  })

  test.each(changes.map((operation) => [operation.name, operation] as const))(
    '%s',
    async (name, operation) => {
      const before = await everything()
      const { status, body } = await send(
        operation,
        {},
        operation.method === 'DELETE' ? 1 : 0,
      )
      expect([status, body]).toEqual([operation.status ?? 200, body])
      const added = await since(before)
      expect(added.map(({ chain }) => chain).length).toBe(await countChains(name))
      const by = endsItsCaller.includes(name)
        ? {}
        : { account_id: tenant.things.account[0] }
      expect(added[0]).toMatchObject({
        operation: name,
        ...by,
        result: 'done',
        ip: '127.0.0.1',
      })
      expect(added[0]!.token_id).toMatch(/^pat_/)
      expect(added[0]!.target_id).not.toBeNull()
    },
  )

  /** Changes of signing in are in the chains of all workspaces of the account. */
  async function countChains(name: string): Promise<number> {
    if (name === 'admin.transferBot') return 2
    if (
      !/^platform\.(setPassword|\w+SecondFactor|replaceRecovery\w+|end\w+Sessions?)$/.test(
        name,
      )
    )
      return 1
    if (name === 'platform.createSecondFactor') return 1
    const { rows } = await sql`select from workspace_member
      where account_id = ${tenant.things.account[0]}`.execute(scene.app.services.db)
    return rows.length
  }

  test('creates one record for repeated requests with an idempotency key', async () => {
    const operation = changes.find(({ name }) => name === 'admin.createBot')!
    const before = await everything()
    for (let i = 0; i < 3; i++)
      expect((await send(operation, { 'idempotency-key': 'audit' })).status).toBe(200)
    expect(await since(before)).toMatchObject([{ operation: 'admin.createBot' }])
  })

  test('creates no record for invalid requests and unknown objects', async () => {
    const before = await everything()
    for (const [method, path, body] of [
      ['POST', '/v1/admin/bots', { name: 7 }],
      ['DELETE', '/v1/admin/bots/none', undefined],
      ['PUT', `/v1/admin/bots/${scene.botId}`, { name: 'mine' }],
      ['PUT', `/v1/admin/workspaces/${scene.workspaceId}`, { name: 'mine' }],
    ] as const)
      expect(
        (await scene.call(method, path, { headers: asAdmin(tenant), body })).status,
        `${method} ${path}`,
      ).toBeGreaterThanOrEqual(400)
    expect(await everything()).toEqual(before)
  })

  test('creates a record for a change rejected for missing permission', async () => {
    const before = await everything()
    const [botId] = tenant.things.bot
    const asViewer = { ...asAdmin(tenant), ...bearing(members.viewer) }
    const asDeveloper = { ...asAdmin(tenant), ...bearing(members.developer) }
    expect(
      (await scene.call('DELETE', `/v1/admin/bots/${botId}`, { headers: asViewer }))
        .status,
    ).toBe(403)
    expect(
      (await scene.call('DELETE', `/v1/admin/bots/${botId}`, { headers: asDeveloper }))
        .status,
    ).toBe(403)
    // Rejected reads are not recorded.
    expect(
      (
        await scene.call(
          'GET',
          `/v1/admin/workspaces/${tenant.things.workspace[0]}/audit-records`,
          {
            headers: asDeveloper,
          },
        )
      ).status,
    ).toBe(403)
    const added = await since(before)
    expect(added).toMatchObject(
      [1, 2].map(() => ({
        operation: 'admin.deleteBot',
        action: 'DELETE_BOT',
        result: 'refused',
        target_id: botId,
      })),
    )
    const { body } = await scene.call('GET', '/v1/platform/audit', {
      headers: asAdmin(tenant),
    })
    const rejected = { action: 'DELETE_BOT', result: 'refused', targetId: botId }
    expect(
      body.entries.filter((one: typeof rejected) => one.targetId === botId).slice(0, 2),
    ).toMatchObject([rejected, rejected])
  })
})

describe('operations inside a bot, and backups', () => {
  const resolve = (headers: Record<string, string>) =>
    scene.call('POST', '/v1/platform/issues/resolve', {
      headers,
      body: { lastSeenBefore: '2020-01-01T00:00:00.000Z' },
    })

  test('creates a record for a member, none for the bot', async () => {
    const before = await everything()
    expect((await resolve(asBot(tenant))).status).toBe(200)
    const key = await scene.call('POST', '/v1/admin/bots/baks', {
      headers: asAdmin(tenant),
      body: { botId: tenant.things.bot[0], note: 'audit' },
    })
    const asCode = { ...asBot(tenant), ...bearing(key.body.value) }
    expect((await resolve(asCode)).status).toBe(200)
    const operation = 'platform.resolveIssues'
    const [chain, target_id] = [tenant.things.workspace[0], tenant.things.bot[0]]
    expect(await since(before)).toMatchObject([
      {
        operation,
        chain,
        target_id,
        account_id: tenant.things.account[0],
        result: 'done',
      },
      { operation: expect.stringContaining('admin.') },
    ])
  })

  test('creates no second record for a repeated request, and none for a failed one', async () => {
    const before = await everything()
    for (let i = 0; i < 3; i++)
      expect(
        (await resolve({ ...asBot(tenant), 'idempotency-key': 'in-bot' })).status,
      ).toBe(200)
    expect(
      await scene.call('POST', '/v1/platform/events/evt_none/redeliver', {
        headers: asBot(tenant),
        body: {},
      }),
    ).toMatchObject({ status: 404 })
    expect(await since(before)).toMatchObject([{ operation: 'platform.resolveIssues' }])
  })

  test('records backups and their links in the chain of the first workspace', async () => {
    const before = await everything()
    const backups = '/v1/platform/installation/backups'
    const created = await scene.call('POST', backups, { headers: scene.admin, body: {} })
    expect(created.status).toBe(200)
    const { id } = created.body.backup
    await vi.waitFor(
      async () => {
        const link = await scene.call('POST', `${backups}/${id}/link`, {
          headers: scene.admin,
          body: {},
        })
        expect(link.status).toBe(200)
      },
      { timeout: 30_000, interval: 200 },
    )
    const deleted = await scene.call('DELETE', `${backups}/${id}`, {
      headers: scene.admin,
    })
    expect(deleted.status).toBe(200)
    const record = { chain: scene.workspaceId, target_id: id, result: 'done' }
    expect(await since(before)).toMatchObject([
      { operation: 'platform.createBackup', ...record },
      { operation: 'platform.createBackupLink', ...record },
      { operation: 'platform.deleteBackup', ...record },
    ])
  })
})

describe('search', () => {
  const search = async (text: string, rest = '') => {
    const query = `search=${encodeURIComponent(text)}${rest}`
    const reply = await scene.call('GET', `/v1/platform/audit?${query}`, {
      headers: asAdmin(tenant),
    })
    expect(reply.status).toBe(200)
    return reply.body as { entries: { number: number }[]; meta: { nextToken?: string } }
  }

  test('has the present name of its target, of this workspace only', async () => {
    const { db } = scene.app.services
    const id = tenant.things.bot[0]!
    const { name } = await db
      .selectFrom('bot')
      .select('name')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { entries } = await search(id)
    expect(entries[0]).toMatchObject({ targetId: id, presentName: name })
    expect(await findAuditNames(db, tenant.things.workspace[0]!, [id])).toEqual(
      new Map([[id, name]]),
    )
    expect(await findAuditNames(db, scene.workspaceId, [id])).toEqual(new Map())
  })

  test('finds operations, targets and accounts in any case, and pages through them', async () => {
    const email = `${tenant.mark}@example.org`
    const all = await search(email.toUpperCase(), '&pageSize=100')
    expect(all.entries.length).toBeGreaterThan(3)
    const paged: number[] = []
    let token = ''
    do {
      const { entries, meta } = await search(email, `&pageSize=2${token}`)
      paged.push(...entries.map(({ number }) => number))
      token = meta.nextToken ? `&nextToken=${encodeURIComponent(meta.nextToken)}` : ''
    } while (token && paged.length < all.entries.length)
    expect(paged).toEqual(all.entries.map(({ number }) => number))
    expect((await search('DELETEBOT')).entries.length).toBeGreaterThan(0)
  })

  test.each(['%', '_', '\\', "'", '__proto__', '.*'])(
    'takes %j literally',
    async (text) => {
      const found = await search(text)
      for (const entry of found.entries) expect(JSON.stringify(entry)).toContain(text)
    },
  )

  test('rejects a token of another search, and texts that are too long', async () => {
    const { meta } = await search(tenant.mark, '&pageSize=1')
    const token = encodeURIComponent(meta.nextToken!)
    for (const query of [`search=other&nextToken=${token}`, `search=${'a'.repeat(201)}`])
      expect(
        await scene.call('GET', `/v1/platform/audit?${query}`, {
          headers: asAdmin(tenant),
        }),
      ).toMatchObject({ status: 400 })
  })
})

test('no record contains values of a request', async () => {
  const canary = 'canary-0123456789-abcdef'
  const headers = { ...asAdmin(tenant), 'x-multiple-integrations': 'true' }
  const [botId] = tenant.things.bot
  const input = {
    secrets: { KEY: canary },
    configuration: { data: { key: canary } },
    description: canary,
    code: `// ${canary}`,
    tags: { canary },
  }
  expect(
    (await scene.call('PUT', `/v1/admin/bots/${botId}`, { headers, body: input })).status,
  ).toBe(200)
  expect(
    (
      await scene.call('POST', '/v1/admin/account/preferences/p', {
        headers,
        body: { value: canary },
      })
    ).status,
  ).toBe(200)
  const { pat } = (
    await scene.call('POST', '/v1/admin/account/pats', {
      headers,
      body: { note: canary },
    })
  ).body
  const key = (
    await scene.call('POST', '/v1/admin/bots/baks', {
      headers,
      body: { botId, note: canary },
    })
  ).body
  const rows = JSON.stringify(await everything())
  for (const secret of [
    canary,
    pat.value,
    key.value,
    tenant.token,
    tenant.token.slice(7),
  ])
    expect(rows).not.toContain(secret)
  expect((await everything()).at(-3)).toMatchObject({
    operation: expect.stringContaining('set'),
  })
})

describe('a token used from a new address', () => {
  const uses = async (chain: string) =>
    (await all()).filter((row) => row.operation === newAddress && row.chain === chain)
  const from = async (address: string, url: string, headers: Record<string, string>) => {
    const { statusCode } = await scene.app.server.inject({
      method: 'GET',
      url,
      headers,
      remoteAddress: address,
    })
    return statusCode
  }

  test('leaves one record in the workspace and one in the account, none for chat user keys', async () => {
    const [[workspaceId], [accountId], [botId]] = [
      tenant.things.workspace,
      tenant.things.account,
      tenant.things.bot,
    ] as [string[], string[], string[]]
    const before = {
      workspace: await uses(workspaceId!),
      account: await uses(accountId!),
    }
    const bearer = { authorization: asAdmin(tenant).authorization! }
    for (let i = 0; i < 3; i++) {
      const requests = [
        from('203.0.113.7', '/v1/admin/bots', asAdmin(tenant)),
        from('203.0.113.7', '/v1/chat/conversations', { ...bearer, 'x-bot-id': botId! }),
        from('203.0.113.7', '/v1/admin/account/me', bearer),
      ]
      expect(await Promise.all(requests)).toEqual([200, 200, 200])
    }
    expect(
      await from('203.0.113.9', '/v1/admin/bots', {
        ...asAdmin(tenant),
        authorization: 'Bearer bp_pat_wrong',
      }),
    ).toBe(401)
    const { webhookId } = scene
    const { headers } = await scene.chatUser()
    expect(await from('203.0.113.9', `/chat/${webhookId}/conversations`, headers)).toBe(
      200,
    )
    const added = {
      workspace: (await uses(workspaceId!)).slice(before.workspace.length),
      account: (await uses(accountId!)).slice(before.account.length),
    }
    const record = {
      account_id: accountId,
      ip: '203.0.113.7',
      target_name: '203.0.113.7',
      result: 'done',
    }
    expect(added).toMatchObject({ workspace: [record], account: [record] })
    expect((await all()).filter(({ ip }) => ip === '203.0.113.9')).toEqual([])
    expect((await verified()).whole).toBe(true)
  })

  test('counts a /64 network of IPv6 as one address', async () => {
    const [workspaceId] = tenant.things.workspace
    const before = (await uses(workspaceId!)).length
    for (const address of ['2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
      expect(await from(address, '/v1/admin/bots', asAdmin(tenant)), address).toBe(200)
    expect((await uses(workspaceId!)).slice(before).map(({ ip }) => ip)).toEqual([
      '2001:db8::1',
      '2001:db8:0:1::1',
    ])
  })
})

test('concurrent changes do not fork the chain', async () => {
  const [botId] = tenant.things.bot
  const before = (await verified()).checked
  const writes = Array.from({ length: 30 }, (_, i) => [
    scene.call('POST', '/v1/admin/bots/baks', {
      headers: asAdmin(tenant),
      body: { botId, note: `${i}` },
    }),
    scene.call('PUT', `/v1/admin/bots/${botId}`, {
      headers: asAdmin(tenant),
      body: { description: `${i}` },
    }),
  ])
  expect((await Promise.all(writes.flat())).map(({ status }) => status)).toEqual(
    Array(60).fill(200),
  )
  expect(await verified()).toMatchObject({ whole: true, checked: before + 60 })
})

test('official clients list the completed changes of their workspace, newest first, in pages', async () => {
  const [workspaceId] = tenant.things.workspace
  const headers = { ...asAdmin(tenant), ...bearing(members.manager) }
  const seen: { id: string; action: string; value: string; userEmail: string | null }[] =
    []
  for (
    let nextToken: string | undefined, more = true;
    more;
    more = nextToken !== undefined
  ) {
    const query = `pageSize=20${nextToken ? `&nextToken=${encodeURIComponent(nextToken)}` : ''}`
    const { body } = await scene.call(
      'GET',
      `/v1/admin/workspaces/${workspaceId}/audit-records?${query}`,
      {
        headers,
      },
    )
    seen.push(...body.records)
    nextToken = body.meta.nextToken
  }
  const kept = (await all()).filter(({ chain }) => chain === workspaceId)
  const done = kept.filter(({ result }) => result === 'done').reverse()
  expect(done.length).toBeLessThan(kept.length)
  expect(seen.map(({ id, action, value }) => [id, action, value])).toEqual(
    done.map(({ number, action, operation }) => [
      `${workspaceId}:${number}`,
      action,
      operation,
    ]),
  )
  expect(seen.at(-1)).toMatchObject({
    action: 'CREATE_WORKSPACE',
    userEmail: `${tenant.mark}@example.org`,
  })
  expect(JSON.stringify(seen)).not.toContain(scene.botId)
})

describe('manipulated records are detected', () => {
  const [name, chain] = ['audit_record', () => tenant.things.workspace[0]!]
  /** Changes records like an attacker with access to the database. */
  const manipulate = async (statement: ReturnType<typeof sql>) => {
    await sql`alter table ${sql.table(name)} disable trigger user`.execute(db())
    await statement
      .execute(db())
      .finally(() =>
        sql`alter table ${sql.table(name)} enable trigger user`.execute(db()),
      )
  }
  let kept: Awaited<ReturnType<typeof everything>>
  let end: { number: string; hash: Buffer }

  beforeEach(async () => {
    kept = await db()
      .selectFrom('audit_record')
      .selectAll()
      .where('chain', '=', chain())
      .orderBy('number')
      .execute()
    end = await db()
      .selectFrom('audit_chain')
      .select(['number', 'hash'])
      .where('chain', '=', chain())
      .executeTakeFirstOrThrow()
    expect(await verified()).toEqual({
      whole: true,
      checked: kept.length,
      last: { number: kept.length, hash: end.hash.toString('hex') },
    })
  })
  const restore = async () => {
    await manipulate(sql`delete from audit_record where chain = ${chain()}`)
    await db().insertInto('audit_record').values(kept).execute()
    await db().updateTable('audit_chain').set(end).where('chain', '=', chain()).execute()
  }

  test.each([
    [
      'update',
      () => sql`update audit_record set ip = '10.0.0.1' where chain = ${chain()}`,
    ],
    ['delete', () => sql`delete from audit_record where chain = ${chain()}`],
    ['truncate', () => sql`truncate audit_record`],
  ])('rejects an ordinary %s statement', async (_, statement) => {
    await expect(statement().execute(db())).rejects.toThrow('neither changed nor deleted')
    expect(await verified()).toMatchObject({ whole: true, checked: kept.length })
  })

  const columns = [
    'at',
    'account_id',
    'token_id',
    'ip',
    'operation',
    'action',
    'target_id',
    'target_name',
    'result',
  ] as const
  test.each(columns)('detects a changed %s', async (column) => {
    let value = sql`'forged'`
    if (column === 'at') value = sql`at + interval '1 ms'`
    if (column === 'result') value = sql`'failed'`
    await manipulate(
      sql`update audit_record set ${sql.ref(column)} = ${value} where chain = ${chain()} and number = 3`,
    )
    expect(await verified()).toMatchObject({
      whole: false,
      checked: 2,
      fault: { number: 3 },
    })
    await restore()
  })

  test.each([
    ['one record', () => sql`number = 3`, () => 3],
    ['the first records', () => sql`number <= 2`, () => 1],
    ['the newest record', () => sql`number = ${kept.length}`, () => kept.length],
    ['all records', () => sql`true`, () => 1],
  ])('detects the removal of %s', async (_, where, number) => {
    await manipulate(
      sql`delete from audit_record where chain = ${chain()} and ${where()}`,
    )
    const found = await verified()
    await restore()
    expect(found).toMatchObject({
      whole: false,
      fault: { number: number(), reason: 'a record is missing' },
    })
  })

  test('detects the removal of the end of the chain', async () => {
    await db().deleteFrom('audit_chain').where('chain', '=', chain()).execute()
    expect((await verified()).whole).toBe(false)
    await db()
      .insertInto('audit_chain')
      .values({ ...end, chain: chain() })
      .execute()
  })

  test('detects reordered records', async () => {
    await manipulate(
      sql`update audit_record set number = -number where chain = ${chain()} and number in (3, 4)`,
    )
    await manipulate(
      sql`update audit_record set number = 7 + number where chain = ${chain()} and number < 0`,
    )
    expect(await verified()).toMatchObject({ whole: false, fault: { number: 3 } })
    await restore()
  })

  test('detects a removed newest record with a forged end of the chain, by a noted anchor', async () => {
    const last = kept.at(-1)!
    const noted = `?number=${last.number}&hash=${last.hash.toString('hex')}`
    expect((await verified(asAdmin(tenant), noted)).whole).toBe(true)
    await manipulate(
      sql`delete from audit_record where chain = ${chain()} and number = ${last.number}`,
    )
    const { number, hash } = kept.at(-2)!
    await db()
      .updateTable('audit_chain')
      .set({ number, hash })
      .where('chain', '=', chain())
      .execute()
    expect((await verified()).whole).toBe(true)
    expect(await verified(asAdmin(tenant), noted)).toMatchObject({
      whole: false,
      fault: { reason: 'the anchor record is missing' },
    })
    // Another record in its place.
    await scene.call('POST', '/v1/admin/workspaces/preferences/a', {
      headers: asAdmin(tenant),
      body: {},
    })
    expect(await verified(asAdmin(tenant), noted)).toMatchObject({
      whole: false,
      fault: { reason: 'the record does not match the anchor' },
    })
    await restore()
  })
})

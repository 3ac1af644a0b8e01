// The endpoint to which the dashboard sends archives.
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  asAdmin,
  bearing,
  type Headers,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'
import { firstWorkspaceId } from '../../core/accounts/bootstrap.ts'
import { findFirstWorkspaceId } from '../../core/accounts/workspaces.ts'
import { exportWorkspace } from './export.ts'

const passphrase = 'correct horse battery staple: ü'
let scene: Scene
let tenant: Tenant
/** Another installation. */
let other: Scene
let archive: Buffer

beforeAll(async () => {
  scene = await openScene()
  tenant = await makeTenant(scene, 'traveller')
  other = await openScene()
  await other.app.server.listen({ host: '127.0.0.1', port: 0 })
  archive = await createArchive(tenant.things.workspace[0]!)
}, 120_000)
afterAll(() => Promise.all([scene?.close(), other?.close()]))

async function createArchive(workspaceId: string): Promise<Buffer> {
  const { database, blobs, secrets, tableRules } = scene.app.services
  const out = new PassThrough()
  const read = buffer(out)
  const installation = { database, blobs, secrets, tableRules, version: '0.0.0' }
  await exportWorkspace(installation, workspaceId, out, { passphrase })
  return read
}

async function send(to: Scene, headers: Headers, body = archive) {
  const url = `${to.app.server.listeningOrigin}/v1/platform/installation/imports`
  const sent = { ...headers, 'content-type': 'application/gzip' }
  const reply = await fetch(url, {
    method: 'POST',
    headers: sent,
    body: new Uint8Array(body),
  })
  return { status: reply.status, body: await reply.json() }
}
const unlocked = (secret = passphrase) => ({
  'x-botstead-passphrase': encodeURIComponent(secret),
})

test('admits only owners of the first workspace', async () => {
  expect((await send(scene, {})).status).toBe(401)
  expect((await send(scene, asAdmin(tenant))).status).toBe(403)
  expect((await send(scene, bearing(tenant.botKeys[0]!))).status).toBe(403)
})

test('explains why it imports nothing', async () => {
  const operator = bearing(other.token)
  const rejected = async (headers: Headers, payload?: Buffer, to = other) => {
    const { status, body } = await send(to, headers, payload)
    return `${status} ${body.type} ${body.message}`
  }
  expect(await rejected(operator)).toMatch(/^400 InvalidPayload .*specify the passphrase/)
  expect(await rejected({ ...operator, ...unlocked('another passphrase') })).toMatch(
    /^400 .*passphrase/,
  )
  expect(await rejected({ ...operator, 'x-botstead-passphrase': '%' })).toMatch(
    /^400 .*Percent-encode/,
  )
  expect(await rejected(operator, Buffer.from('no archive'))).toMatch(
    /^400 InvalidPayload /,
  )
  // A client without early responses gets the reason, too.
  const large = Buffer.alloc(40 * 2 ** 20, 'no archive')
  expect(await lateRejection(large)).toMatch(/^HTTP\/1.1 400 .*not a Botstead archive/s)
  const cut = archive.subarray(0, archive.length - 100)
  expect(await rejected({ ...operator, ...unlocked() }, cut)).toMatch(
    /^400 InvalidPayload /,
  )
  const known = { ...bearing(scene.token), ...unlocked() }
  expect(await rejected(known, archive, scene)).toMatch(
    /^400 .*already exists: delete it first/,
  )
  const ofFirst = await createArchive(firstWorkspaceId)
  expect(await rejected({ ...operator, ...unlocked() }, ofFirst)).toMatch(
    /^400 .*each installation has a first workspace with this id.*before the first start/,
  )
  expect(await workspaces()).toBe(0)
  expect(await recorded(other)).toEqual([])
})

test('imports a workspace with its secrets, and gives away no token', async () => {
  const { status, body } = await send(other, { ...bearing(other.token), ...unlocked() })
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { workspace: { id: tenant.things.workspace[0] }, hasSecrets: true },
  })
  expect(Object.keys(body).sort()).toEqual(['hasSecrets', 'rows', 'signer', 'workspace'])
  expect(await workspaces()).toBe(1)
  const tokens = await sql<{ count: string }>`
    select count(*) from token t join workspace_member m on m.account_id = t.account_id
    where m.workspace_id = ${tenant.things.workspace[0]} and t.kind = 'pat'`.execute(
    other.app.services.db,
  )
  expect(Number(tokens.rows[0]!.count)).toBe(0)
})

test('records the import in the audit logs of the workspace and the installation', async () => {
  const imported = tenant.things.workspace[0]!
  const { db, audit } = other.app.services
  const first = (await findFirstWorkspaceId(db))!
  const entry = { result: 'done', account_id: other.accountId, target_id: imported }
  expect(await recorded(other)).toMatchObject(
    [imported, first]
      .sort()
      .map((chain) => ({ ...entry, chain, target_name: tenant.mark })),
  )
  expect((await audit.verify(imported, null)).fault).toBeNull()
})

test('records an attempt without permission', async () => {
  const before = await recorded(scene)
  await send(scene, asAdmin(tenant))
  const [last, ...rest] = (await recorded(scene)).slice(before.length)
  expect({ last, rest }).toMatchObject({ last: { result: 'refused' }, rest: [] })
})

const recorded = ({ app }: Scene) =>
  app.services.db
    .selectFrom('audit_record')
    .selectAll()
    .where('operation', '=', 'platform.importWorkspace')
    .orderBy('chain')
    .orderBy('number')
    .execute()

/** Returns the response to a client that reads nothing before it has sent the body. */
async function lateRejection(body: Buffer): Promise<string> {
  const { port, hostname } = new URL(other.app.server.listeningOrigin)
  const socket = connect(Number(port), hostname)
  const head = [
    'POST /v1/platform/installation/imports HTTP/1.1',
    `host: ${hostname}`,
    `authorization: ${bearing(other.token).authorization}`,
    'content-type: application/gzip',
    `content-length: ${body.length}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  for (let at = 0; at < body.length; at += 2 ** 20) {
    await pause(5)
    await new Promise<void>((resolve, reject) =>
      socket.write(body.subarray(at, at + 2 ** 20), (error) =>
        error ? reject(error) : resolve(),
      ),
    )
  }
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

async function workspaces() {
  const { rows } = await sql`
    select from workspace where id = ${tenant.things.workspace[0]}`.execute(
    other.app.services.db,
  )
  return rows.length
}

// Backups and archives that the dashboard starts: written in the background, downloaded by signed
// links, deleted with their files.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import { bearing, makeTenant, type Tenant } from '../../../test/support/tenants.ts'
import { createArchiveJob, findArchiveJob } from './archive-jobs.ts'
import { readFileLink } from './file-links.ts'
import { readArchive, writeArchive } from './format/container.ts'
import { unlockWith } from './format/passphrase.ts'
import { createSigner } from './format/signing.ts'
import { archiveFileName, startArchiveRunner } from './job-runner.ts'

const passphrase = 'correct horse battery staple'
const backups = '/v1/platform/installation/backups'
const archives = '/v1/platform/archives'
let folder: string
let scene: Scene
let tenant: Tenant
let other: Scene | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-backups-'))
  scene = await openScene({ config: { backupFolder: join(folder, 'backups') } })
  tenant = await makeTenant(scene, 'tenant')
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await rm(folder, { recursive: true, force: true })
})
afterEach(async () => {
  await other?.close()
  other = undefined
})

type Method = 'GET' | 'POST' | 'DELETE'
const call = (
  method: Method,
  url: string,
  body?: unknown,
  { headers } = { headers: scene.admin },
) => scene.call(method, url, { headers, body })

const listed = async (url: string, at = scene) => {
  const { body } = await at.call('GET', url, { headers: at.admin })
  return body.backups ?? body.archives
}
/** Returns the newest one after its end. */
const ended = (url: string, at = scene) =>
  vi.waitFor(
    async () => {
      const [newest] = await listed(url, at)
      expect(newest.state).not.toBe('running')
      return newest
    },
    { timeout: 20_000, interval: 50 },
  )

async function started(url: string, body?: unknown) {
  const { status } = await call('POST', url, body)
  expect(status).toBe(200)
  return ended(url)
}

async function download(url: string, headers = {}) {
  const { pathname, search } = new URL(url)
  return scene.app.server.inject({ method: 'GET', url: pathname + search, headers })
}

const readHeading = async (
  content: Buffer,
  format: Parameters<typeof readArchive>[1],
) => {
  const archive = await readArchive(Readable.from([content]), format, 2 ** 30)
  for await (const { content } of archive.parts()) for await (const _ of content);
  return archive.heading as { tables: object; locked?: { salt: string; check: string } }
}

test('writes a backup and sends it by a link, in ranges too', async () => {
  const backup = await started(backups)
  expect(backup).toMatchObject({
    state: 'done',
    progress: 1,
    createdBy: 'owner@localhost',
  })
  const file = await stat(join(folder, 'backups', backup.fileName))
  expect([file.mode & 0o777, file.size]).toEqual([0o600, backup.bytes])
  const { body } = await call('POST', `${backups}/${backup.id}/link`)
  const whole = await download(body.url)
  expect(whole.headers['content-disposition']).toBe(
    `attachment; filename="${backup.fileName}"`,
  )
  const { tables } = await readHeading(whole.rawPayload, 'botstead installation')
  expect(Object.keys(tables)).toContain('message')
  expect(Object.keys(tables)).not.toContain('archive_job')
  const part = await download(body.url, { range: 'bytes=10-19' })
  expect([part.statusCode, part.rawPayload]).toEqual([
    206,
    whole.rawPayload.subarray(10, 20),
  ])
})

test('encrypts the secrets of an archive with the passphrase, or omits them', async () => {
  const archive = await started(archives, { passphrase })
  expect(archive).toMatchObject({ state: 'done', hasSecrets: true })
  const link = await call('POST', `${archives}/${archive.id}/link`)
  const content = (await download(link.body.url)).rawPayload
  const { locked } = await readHeading(content, 'botstead workspace')
  await expect(unlockWith(scene.workspaceId, passphrase, locked!)).resolves.toBeDefined()
  const bare = await started(archives, { passphrase: null })
  const bareLink = await call('POST', `${archives}/${bare.id}/link`)
  const without = await readHeading(
    (await download(bareLink.body.url)).rawPayload,
    'botstead workspace',
  )
  expect(without.locked).toBeUndefined()
  const { rows } =
    await sql`select row_to_json(j)::text as row from archive_job j`.execute(
      scene.app.services.db,
    )
  expect(JSON.stringify(rows)).not.toContain(passphrase)
})

test('rejects a short passphrase before it starts', async () => {
  const { status, body } = await call('POST', archives, { passphrase: 'short' })
  expect([status, body.type]).toEqual([400, 'InvalidPayload'])
})

test('rejects links that were changed or have expired', async () => {
  const [archive, second] = await listed(archives)
  const { body } = await call('POST', `${archives}/${archive.id}/link`)
  const of = (change: (url: URL) => void) => {
    const url = new URL(body.url)
    change(url)
    return download(url.href)
  }
  const changes = [
    (url: URL) =>
      Object.assign(url, { pathname: url.pathname.replace(archive.id, second.id) }),
    (url: URL) =>
      Object.assign(url, { pathname: url.pathname.replace('/archive/', '/backup/') }),
    (url: URL) => url.searchParams.set('workspace', tenant.things.workspace[0]!),
    (url: URL) => url.searchParams.set('expires', String(Date.now() + 10 ** 9)),
    (url: URL) => url.searchParams.delete('signature'),
    (url: URL) => url.searchParams.append('expires', '1'),
  ]
  for (const change of changes) expect((await of(change)).statusCode).toBe(403)
  const query = Object.fromEntries(new URL(body.url).searchParams)
  const parts = { kind: 'archive', id: archive.id, ...query }
  const at = (ms: number) =>
    readFileLink(scene.app.services.secrets, parts, Date.now() + ms)
  expect([at(590_000), at(601_000)]).toEqual([
    expect.objectContaining({ id: archive.id }),
    null,
  ])
})

test('shows archives only to their workspace', async () => {
  const headers = {
    ...bearing(tenant.token),
    'x-workspace-id': tenant.things.workspace[0]!,
  }
  const [archive] = await listed(archives)
  const { body } = await call('GET', archives, undefined, { headers })
  const own = [...tenant.things.archive].reverse()
  expect(body.archives.map(({ id }: { id: string }) => id)).toEqual(own)
  for (const [method, path] of [
    ['POST', '/link'],
    ['DELETE', ''],
  ] as const)
    expect(
      (await call(method, `${archives}/${archive.id}${path}`, undefined, { headers }))
        .status,
    ).toBe(404)
  const [backup] = await listed(backups)
  expect((await call('DELETE', `${archives}/${backup.id}`)).status).toBe(404)
  for (const [method, path] of [
    ['GET', ''],
    ['POST', ''],
    ['POST', `/${backup.id}/link`],
    ['DELETE', `/${backup.id}`],
  ] as const)
    expect((await call(method, backups + path, undefined, { headers })).body.type).toBe(
      'Forbidden',
    )
})

test('deletes a file with its entry, also one that another server deleted', async () => {
  const [archive] = await listed(archives)
  expect((await call('DELETE', `${archives}/${archive.id}`)).status).toBe(200)
  expect(await readdir(join(folder, 'backups'))).not.toContain(archive.fileName)
  expect((await listed(archives)).map(({ id }: { id: string }) => id)).not.toContain(
    archive.id,
  )
  const [next] = await listed(archives)
  await sql`update archive_job set deleted_at = now() where id = ${next.id}`.execute(
    scene.app.services.db,
  )
  await scene.app.services.archives.sweep()
  expect(await readdir(join(folder, 'backups'))).not.toContain(next.fileName)
})

test('names the server of a file that is not here', async () => {
  const archive = await started(archives, { passphrase: null })
  await rm(join(folder, 'backups', archive.fileName))
  const { status, body } = await call('POST', `${archives}/${archive.id}/link`)
  expect([status, body.message]).toEqual([
    410,
    expect.stringContaining('BOTSTEAD_BACKUPS'),
  ])
})

test('runs one backup at a time, and shows one of a stopped server as failed', async () => {
  const { db, archives: runner } = scene.app.services
  const running = (worker: string) =>
    sql`insert into archive_job (id, kind, file_name, has_secrets, worker, host)
      values (${`archive_${worker}`}, 'backup', ${worker}, true, ${worker}, 'host')`.execute(
      db,
    )
  await running(runner.workerId())
  const { status, body } = await call('POST', backups)
  expect([status, body.type]).toEqual([409, 'ResourceLockedConflict'])
  await sql`update archive_job set ended_at = now() where ended_at is null`.execute(db)
  await running('worker_gone')
  expect(await listed(backups)).toContainEqual(
    expect.objectContaining({
      id: 'archive_worker_gone',
      state: 'failed',
      failure: 'The server stopped before the end',
    }),
  )
  expect((await started(backups)).state).toBe('done')
})

test('stores the end of a backup after the database has failed', async () => {
  const { db } = scene.app.services
  await sql`
    create function fail_ends() returns trigger language plpgsql as
      'begin raise exception ''the database fails''; end'`.execute(db)
  await sql`
    create trigger fail_ends before update of ended_at on archive_job
    for each row execute function fail_ends()`.execute(db)
  await call('POST', backups)
  await pause(1_500)
  expect((await listed(backups))[0].state).toBe('running')
  await sql`drop function fail_ends cascade`.execute(db)
  expect(await ended(backups)).toMatchObject({ state: 'done' })
})

test('keeps at most ten archives of a workspace', async () => {
  const { db } = scene.app.services
  await sql`insert into archive_job (id, kind, workspace_id, file_name, has_secrets, worker, host, ended_at)
    select 'archive_' || n, 'archive', ${scene.workspaceId}, n, false, 'w', 'h', now()
    from generate_series(1, 10) n`.execute(db)
  const { status, body } = await call('POST', archives, { passphrase: null })
  expect([status, body.message]).toEqual([413, '10 archives exist: delete one first'])
  await sql`delete from archive_job where worker = 'w'`.execute(db)
})

test('deletes the archives of a deleted workspace', async () => {
  const headers = {
    ...bearing(tenant.token),
    'x-workspace-id': tenant.things.workspace[1]!,
  }
  await call('POST', archives, { passphrase: null }, { headers })
  const fileName = await vi.waitFor(async () => {
    const [archive] = (await call('GET', archives, undefined, { headers })).body.archives
    expect(archive.state).toBe('done')
    return archive.fileName
  })
  const url = `/v1/admin/workspaces/${tenant.things.workspace[1]}`
  expect((await call('DELETE', url, undefined, { headers })).status).toBe(200)
  await scene.app.services.archives.sweep()
  expect(await readdir(join(folder, 'backups'))).not.toContain(fileName)
})

test('shows why the folder cannot be used', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  other = await openScene({ config: { backupFolder: join(file, 'backups') } })
  await other.call('POST', backups, { headers: other.admin })
  expect(await ended(backups, other)).toMatchObject({
    state: 'failed',
    failure: `Cannot write to ${join(file, 'backups')}: a part of the path is not a folder`,
  })
})

test('ends at once when the disk is full', async () => {
  const full = new Writable({
    write: (_chunk, _encoding, done) =>
      done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
  })
  const heading = { format: 'botstead changes', madeAt: '', version: '' } as const
  const archive = await writeArchive(
    full,
    createSigner(scene.app.services.secrets),
    heading,
  )
  async function* endless() {
    for (;;) yield randomBytes(100_000)
  }
  await expect(archive.part('tables/a', endless())).rejects.toMatchObject({
    code: 'ENOSPC',
  })
})

/** An archive of a workspace with a file that has no end. */
async function endlessArchive(name: string, isDiskFull = () => false) {
  const { services } = scene.app
  let reads = 0
  let onRead = () => {}
  const reading = new Promise<void>((resolve) => {
    onRead = resolve
  })
  async function* content() {
    yield randomBytes(100_000)
    // The first read measures the file.
    for (onRead(); reads > 1; yield randomBytes(100_000)) await pause(5)
  }
  const runner = startArchiveRunner({
    database: services.database,
    secrets: services.secrets,
    tableRules: services.tableRules,
    log: services.log,
    version: '0.0.0',
    folder: join(folder, name),
    workerId: services.archives.workerId,
    blobs: { read: async () => Readable.from(content(), { highWaterMark: ++reads }) },
    isDiskFull,
    onChange: async () => {},
  })
  const owner = { kind: 'archive', workspaceId: tenant.things.workspace[0]! } as const
  const job = await createArchiveJob(services.database, {
    ...owner,
    hasSecrets: false,
    accountId: scene.accountId,
    maxKept: 10,
    worker: runner.workerId(),
    fileName: archiveFileName('archive', owner.workspaceId),
  })
  runner.start(job, null)
  await reading
  const found = () => findArchiveJob(services.database, owner, job.id)
  return {
    runner,
    found,
    path: `${archives}/${job.id}`,
    files: () => readdir(join(folder, name)),
  }
}
const asTenant = () => ({
  headers: { ...bearing(tenant.token), 'x-workspace-id': tenant.things.workspace[0]! },
})

test('a stopping server ends its archive with the reason, and keeps no part of it', async () => {
  const { runner, found, files } = await endlessArchive('stopping')
  await vi.waitFor(
    async () => expect(Number((await found()).bytes)).toBeGreaterThan(0),
    10_000,
  )
  await runner.stop()
  expect(await found()).toMatchObject({ failure: 'The server stopped before the end' })
  expect(await files()).toEqual([])
})

test('ends an archive before it fills the disk', async () => {
  let isFull = false
  const { runner, found, files } = await endlessArchive('full', () => isFull)
  isFull = true
  await vi.waitFor(
    async () =>
      expect(await found()).toMatchObject({
        failure: 'The disk of the server is nearly full',
      }),
    10_000,
  )
  expect(await files()).toEqual([])
  await runner.stop()
})

test('stops an archive that is deleted, and keeps no part of it', async () => {
  const { runner, files, path } = await endlessArchive('deleted')
  expect((await files()).join()).toMatch(/\.botstead\.part$/)
  expect((await call('DELETE', path, undefined, asTenant())).status).toBe(200)
  await vi.waitFor(async () => expect(await files()).toEqual([]), 10_000)
  await runner.stop()
})

test('removes the partial file of a killed server before the next archive', async () => {
  const workspaceId = scene.workspaceId
  const left = join(folder, 'backups', `${archiveFileName('archive', workspaceId)}.part`)
  const ofOther = join(folder, 'backups', `${archiveFileName('archive', 'other')}.part`)
  for (const file of [left, ofOther]) await writeFile(file, 'part')
  expect((await started(archives, { passphrase: null })).state).toBe('done')
  const names = await readdir(join(folder, 'backups'))
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([basename(ofOther)])
})

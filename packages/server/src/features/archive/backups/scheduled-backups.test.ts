// Scheduled backups: made once by several servers, restored into a temporary database, copied to a
// bucket, and deleted when newer ones exist.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type FakeS3, openFakeS3 } from '../../../../test/support/fake-s3.ts'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import { openS3Blobs } from '../../../core/files/blobs/s3.ts'
import { type ScheduledBackups, startScheduledBackups } from './scheduled-backups.ts'
import { verifyBackupFile } from './verification.ts'

let folder: string
let scene: Scene
let store: FakeS3

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-scheduled-'))
  scene = await openScene({ config: { backupFolder: folder } })
  store = await openFakeS3()
})
afterAll(async () => {
  await scene?.close()
  await store?.close()
  await rm(folder, { recursive: true, force: true })
})

let queries = 0
const query = <Row extends object>(
  text: string,
  values: unknown[] = [],
  { app } = scene,
) => app.services.database.run<Row>(`query ${++queries} of the test`, text, values)

interface Job {
  file_name: string
  failure: string | null
  verified_at: Date | null
  verification_failure: string | null
}
const listJobs = () =>
  query<Job>(
    `select file_name, failure, verified_at, verification_failure from archive_job
    where deleted_at is null and ended_at is not null order by created_at desc`,
  )

/** A schedule is due if its last backup was long ago. */
beforeEach(async () => {
  await query('delete from archive_job')
  for (const name of await readdir(folder)) await rm(join(folder, name))
  store.objects.clear()
  await writeFile(join(folder, 'old.backup'), 'old')
  store.objects.set('old-backup', Buffer.from('old'))
  await query(
    `insert into archive_job
      (id, kind, file_name, has_secrets, worker, host, progress, created_at, ended_at, scheduled_for)
    values ('old', 'backup', 'old.backup', true, 'w', 'h', 1, $1, $1, $1)`,
    [new Date('2020-05-05')],
  )
})

/** Once a year: after the overdue backup, none follows. */
const start = (
  masterKey = scene.masterKey,
  bucket = store.settings,
): ScheduledBackups => {
  const { archives, database } = scene.app.services
  return startScheduledBackups({
    database,
    runner: archives,
    getPlan: () => ({ schedule: '0 0 1 1 *', keep: 1, verifies: true, setAt: null }),
    verify: (file) =>
      verifyBackupFile({ database, connection: scene.connection, masterKey }, file),
    bucket: openS3Blobs(bucket),
    log: pino({ level: 'silent' }),
  })
}

test('makes an overdue backup once, verifies and copies it, and deletes the older one', async () => {
  const servers = [start(), start()]
  await vi.waitFor(
    async () => expect(await readdir(folder)).not.toContain('old.backup'),
    60_000,
  )
  await Promise.all(servers.map((server) => server.stop()))
  const [job, ...others] = await listJobs()
  expect(others).toEqual([])
  expect(job).toMatchObject({ failure: null, verification_failure: null })
  expect(job!.verified_at).toBeInstanceOf(Date)
  expect(await readdir(folder)).toEqual([job!.file_name])
  expect([...store.objects.keys()]).toEqual([job!.file_name.replace('.', '-')])
  expect(
    await query(
      `select from pg_database where datname like 'botstead\\_verification\\_%'`,
    ),
  ).toEqual([])
}, 90_000)

test('keeps older backups if the new one cannot be restored', async () => {
  const server = start(randomBytes(32))
  await vi.waitFor(
    async () =>
      expect((await listJobs())[0]!.verification_failure).toMatch(
        'does not decrypt this backup',
      ),
    60_000,
  )
  const { failure, isOverdue } = await server.read()
  expect(failure?.reason).toMatch(
    /^it cannot be restored: .*does not decrypt this backup/,
  )
  expect(isOverdue).toBe(false)
  await server.stop()
  expect(await readdir(folder)).toHaveLength(2)
  expect([...store.objects.keys()]).toEqual(['old-backup'])
}, 90_000)

test('keeps older backups if the new one cannot be copied', async () => {
  const server = start(scene.masterKey, {
    ...store.settings,
    endpoint: 'http://127.0.0.1:9',
  })
  await vi.waitFor(
    async () =>
      expect((await server.read()).failure?.reason).toMatch(
        /^it is not in the bucket: ./,
      ),
    60_000,
  )
  await server.stop()
  expect(await readdir(folder)).toHaveLength(2)
}, 90_000)

test('verifies nothing without space for a second database', async () => {
  const file = join(folder, 'old.backup')
  const { database } = scene.app.services
  const hasSpaceFor = async (bytes: number) => bytes < 1_000_000
  await expect(
    verifyBackupFile(
      { database, connection: scene.connection, masterKey: scene.masterKey, hasSpaceFor },
      file,
    ),
  ).rejects.toThrow('the disk has no space for a second database')
})

test('shows the state of the backups to the operator', async () => {
  const { archives, database } = scene.app.services
  const read = async () =>
    (await scene.call('GET', '/v1/platform/installation', { headers: scene.admin })).body
      .backups
  const old = '2020-05-05T00:00:00.000Z'
  expect(await read()).toEqual({
    schedule: null,
    nextAt: null,
    failure: null,
    isOverdue: false,
    lastSuccessAt: old,
    lastVerifiedAt: null,
  })
  await query(
    `insert into archive_job (id, kind, file_name, has_secrets, worker, host, created_at, ended_at, failure)
    values ('new', 'backup', 'new.backup', true, 'w', 'h', $1, $1, 'no space'),
      ('dead', 'backup', 'dead.backup', true, 'w', 'h', $2, null, null)`,
    [new Date('2020-06-06'), new Date('2020-06-05')],
  )
  expect(await read()).toMatchObject({
    lastSuccessAt: old,
    failure: { at: '2020-06-06T00:00:00.000Z', reason: 'no space' },
  })
  await query(`delete from archive_job where id = 'new'`)
  expect((await read()).failure.reason).toBe('The server stopped before the end')
  await query(
    `update archive_job set deleted_at = now(), ended_at = now() where id = 'dead'`,
  )
  expect(await read()).toMatchObject({ failure: null, lastSuccessAt: old })
  // Without looking at the schedule first, so before the overdue backup.
  const server = startScheduledBackups({
    database,
    runner: archives,
    getPlan: () => ({ schedule: '0 3 * * *', keep: 1, verifies: false, setAt: null }),
    verify: async () => {},
    bucket: null,
    log: pino({ level: 'silent' }),
  })
  const state = await server.read()
  await server.stop()
  expect(state).toMatchObject({
    isOverdue: true,
    nextAt: new Date('2020-05-05T03:00:00Z'),
  })
})

test('reports the newest backup and the disk in the metrics', async () => {
  const endedAt = new Date('2020-05-05').getTime() / 1000
  const other = await openScene({ config: { backupFolder: folder } })
  try {
    await query(
      `insert into archive_job
        (id, kind, file_name, has_secrets, worker, host, progress, created_at, ended_at, verified_at)
      values ('old', 'backup', 'old.backup', true, 'w', 'h', 1, $1, $1, $1)`,
      [new Date('2020-05-05')],
      other,
    )
    await vi.waitFor(async () => {
      const { body } = await other.call('GET', '/metrics')
      expect(body).toContain(
        `botstead_backup_last_success_timestamp_seconds ${endedAt}\n`,
      )
      expect(body).toContain(
        `botstead_backup_last_verified_timestamp_seconds ${endedAt}\n`,
      )
      expect(body).toContain('botstead_backup_failed 0\n')
      expect(body).toContain('botstead_backup_overdue 0\n')
      expect(body).toMatch(/botstead_disk_free_bytes [1-9]\d+\n/)
    }, 60_000)
  } finally {
    await other.close()
  }
}, 90_000)

// A workspace is exported to an archive (and an installation to a backup) and imported again.
// Afterwards, every reading operation returns the same bytes. Manipulated archives are rejected
// without any effect.
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/support/database.ts'
import {
  alwaysRejected,
  requestFor,
  toAddress,
} from '../../../test/support/operation-requests.ts'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  type ServedOperation,
  servedOperations,
} from '../../../test/support/served-operations.ts'
import {
  asBot,
  bearing,
  digestTenant,
  makeTenant,
  type Tenant,
} from '../../../test/support/tenants.ts'
import { type App, openApp } from '../../app/app.ts'
import { tableRules } from '../../app/tables.ts'
import { createToken } from '../../core/accounts/tokens.ts'
import { openBotSecrets, openSigningSecrets } from '../../core/bots/bot-secrets.ts'
import { openDatabase } from '../../core/db/open.ts'
import { openDiskBlobs } from '../../core/files/blobs/disk.ts'
import { openDatabaseKeys } from '../../core/installation/keys.ts'
import { findMcpServer, openKey } from '../mcp/servers.ts'
import { proveAddress } from '../sign-in/proofs.ts'
import { backUp } from './backups/backup.ts'
import { restore } from './backups/restore.ts'
import { exportWorkspace } from './export.ts'
import { ArchiveError } from './format/archive-error.ts'
import { readTables } from './format/catalog.ts'
import { readArchive, writeArchive } from './format/container.ts'
import { createSigner } from './format/signing.ts'
import { findHoldings } from './format/tenancy.ts'
import { importWorkspace } from './import.ts'

const passphrase = 'correct horse battery staple'
let folder: string
let scene: Scene
let tenant: Tenant
let neighbour: Tenant
/** Another installation, and a tenant there. */
let other: Scene
let stranger: Tenant
/** An account there with the email address of the workspace's owner in upper case. */
const existingAccountId = randomUUID()
let upperCaseEmail: string
let ownerToken: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'botstead-archive-'))
  scene = await openScene()
  neighbour = await makeTenant(scene, 'neighbour')
  tenant = await makeTenant(scene, 'traveller')
  other = await openScene()
  stranger = await makeTenant(other, 'stranger')
  upperCaseEmail = `${tenant.mark.toUpperCase()}@example.org`
  await sql`
    insert into account (id, email, name)
    values (${existingAccountId}, ${upperCaseEmail}, 'Known here')`.execute(
    other.app.services.db,
  )
}, 120_000)
afterAll(async () => {
  await Promise.all([scene?.close(), other?.close()])
  await rm(folder, { recursive: true, force: true })
})

const toDeps = ({ app: { services } }: Scene) => ({
  database: services.database,
  blobs: services.blobs,
  secrets: services.secrets,
  tableRules,
  version: '0.0.0',
})
const openTarget = async (into: Scene) => ({
  ...toDeps(into),
  ...(await openDatabaseKeys(into.app.services.database, into.masterKey)),
})
const exported = (name: string, options: { passphrase: string | null }) =>
  exportWorkspace(
    toDeps(scene),
    tenant.things.workspace[0]!,
    createWriteStream(join(folder, name)),
    options,
  )
const imported = async (
  into: Scene,
  name: string,
  options: { passphrase: string | null; signedBy?: string },
) =>
  importWorkspace(await openTarget(into), join(folder, name), {
    signedBy: null,
    maxBytes: 2 ** 30,
    ...options,
  })

/** Operations that only read. `exportTable` is excluded, because it begins a job. */
const readers = servedOperations.filter(
  ({ method, name, stream }) =>
    method === 'GET' &&
    !stream &&
    !Object.hasOwn(alwaysRejected, name) &&
    !/(getHealth|exportTable)$/.test(name),
)
/** Signatures of addresses and counters of views change with each request. */
const changingParts = /expires=\d+&signature=[\w-]+|"views":\d+/g

async function read({ server }: App, operation: ServedOperation): Promise<string> {
  const given = requestFor(operation, tenant)
  const reply = await server.inject({
    method: 'GET',
    url: toAddress(operation, given),
    headers: given.headers,
  })
  return `${reply.statusCode} ${reply.body}`.replaceAll(changingParts, '')
}
const readAll = async (app = scene.app) =>
  Object.fromEntries(
    await Promise.all(
      readers.map(async (one) => [one.name, await read(app, one)] as const),
    ),
  )

/** Short excerpts instead of the complete answers. */
const differences = (before: Record<string, string>, after: Record<string, string>) =>
  Object.entries(before).flatMap(([name, text]) => {
    const at = [...text].findIndex((sign, nth) => sign !== after[name]![nth])
    const excerpt = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60)
    return text === after[name]
      ? []
      : [`${name}: ${excerpt(text)} / ${excerpt(after[name]!)}`]
  })

/**
 * Waits until nothing is pending, because deliveries change what operations read, and until the
 * queue's depth, which is read from time to time, shows it.
 */
const untilNothingPending = () =>
  expect
    .poll(
      async () => {
        const { rows } = await sql<{ pending: string; dead: string }>`
          select (select count(*) from lane where pending > 0) as pending,
            (select count(*) from delivery where dead_at is not null) as dead`.execute(
          scene.app.services.db,
        )
        const depth = await scene.app.services.queueDepth()
        return Number(rows[0]!.pending) === 0 && depth?.dead === Number(rows[0]!.dead)
      },
      { timeout: 30_000 },
    )
    .toBe(true)

test('a backup restores the same answers, requires its key, and needs an empty database', async () => {
  await untilNothingPending()
  const before = await readAll()
  const { database, blobs, secrets } = toDeps(scene)
  const kept: Record<string, string> = {}
  await backUp(
    { database, blobs, secrets, version: '0.0.0' },
    createWriteStream(join(folder, 'all.backup')),
    { files: {} },
  )
  await backUp(
    { database, blobs, secrets, version: '0.0.0' },
    createWriteStream(join(folder, 'key.backup')),
    {
      files: { 'keys/master.key': Buffer.from(scene.masterKey.toString('hex')) },
    },
  )
  const empty = await emptyDatabase()
  const log = pino({ level: 'silent' })
  const dataFolder = join(folder, 'restored')
  const restored = openDatabase(empty.settings, { log })
  const target = {
    settings: empty.settings,
    database: restored,
    blobs: await openDiskBlobs(join(dataFolder, 'files')),
  }
  const keepFile = async (name: string, content: Buffer) => {
    kept[name] = content.toString()
  }
  const given = (file: string, masterKey: Buffer | null) =>
    restore(target, join(folder, file), { masterKey, keepFile, maxBytes: 2 ** 30 })
  try {
    await expect(given('all.backup', null)).rejects.toThrow(
      'so its secrets cannot be read',
    )
    await expect(given('all.backup', Buffer.alloc(32, 1))).rejects.toThrow(
      'does not decrypt this backup',
    )
    await expect(given('key.backup', Buffer.alloc(32, 1))).rejects.toThrow(
      'does not decrypt this backup',
    )
    expect(
      (
        await restored.run(
          'tables',
          "select from information_schema.tables where table_schema = 'public'",
          [],
        )
      ).length,
    ).toBe(0)

    const whole = await readFile(join(folder, 'all.backup'))
    await writeFile(join(folder, 'cut.backup'), whole.subarray(0, whole.length - 200))
    await expect(given('cut.backup', scene.masterKey)).rejects.toThrow(ArchiveError)
    expect(await filesIn(dataFolder)).toEqual([])
    await given('key.backup', null)
    expect(kept).toEqual({ 'keys/master.key': scene.masterKey.toString('hex') })
    await expect(given('all.backup', scene.masterKey)).rejects.toThrow(
      'The database is not empty',
    )

    const { config } = scene.app.services
    const app = await openApp({
      config: { ...config, dataFolder },
      log,
      connection: empty.settings,
      masterKey: scene.masterKey,
      chatKey: scene.chatKey,
    })
    app.address.api = scene.app.address.api
    try {
      expect(differences(before, await readAll(app))).toEqual([
        expect.stringMatching(/^platform.listArchives: 200.*"archives":\[\]/),
      ])
      const { body } = await app.server.inject({
        method: 'GET',
        url: `/v1/files/${tenant.things.file[0]}`,
        headers: asBot(tenant),
      })
      const { pathname, search } = new URL(JSON.parse(body).file.url)
      expect(
        (await app.server.inject({ method: 'GET', url: pathname + search })).body,
      ).toBe(tenant.mark)
      const written = await app.server.inject({
        method: 'POST',
        url: '/v1/chat/users',
        headers: asBot(tenant),
        payload: { tags: {} },
      })
      expect(written.statusCode).toBe(201)
    } finally {
      await app.close()
    }
  } finally {
    await restored.close()
    await empty.drop()
  }
}, 120_000)

const filesIn = async (path: string) =>
  (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((one) => one.isFile())
    .map(({ name }) => name)

test('an imported workspace gives the same answers as before its deletion', async () => {
  await untilNothingPending()
  const before = await readAll()
  const theirs = await digestTenant(scene, neighbour)
  expect(
    Object.values(before).filter((answer) => answer.startsWith('200')).length,
  ).toBeGreaterThan(80)
  const made = await exported('whole.botstead', { passphrase })
  await exported('bare.botstead', { passphrase: null })
  expect(
    (
      await scene.call('DELETE', `/v1/admin/workspaces/${tenant.things.workspace[0]}`, {
        headers: bearing(tenant.token),
      })
    ).status,
  ).toBe(200)
  expect((await readAll())['admin.listBots']).not.toBe(before['admin.listBots'])
  const { signer } = await imported(scene, 'whole.botstead', { passphrase })
  expect(signer).toBe(made.signer)
  expect(differences(before, await readAll())).toEqual([
    expect.stringMatching(/^admin.getIntegrationShareableId: 200.*404/),
    expect.stringMatching(/^platform.countPersonalData: 200.*webhookRequests.*200/),
    // Log lines get new ids. Webhook requests are not exported.
    expect.stringMatching(/^platform.listLogs: 200.*200/),
    expect.stringMatching(/^platform.listWebhookRequests: 200.*"requests":\[\]/),
    expect.stringMatching(/^platform.getWebhookRequest: 200.*404/),
    // Test users of a shared number can connect again.
    expect.stringMatching(/^platform.getIntegrationUses: .*"sandboxConversations":0/),
    expect.stringMatching(
      /^platform.listSandboxConversations: 200.*"conversations":\[\]/,
    ),
    expect.stringMatching(/^platform.listArchives: 200.*"archives":\[\]/),
    expect.stringMatching(/^platform.listInvitations: 200.*"invitations":\[\]/),
  ])
  expect(await digestTenant(scene, neighbour)).toEqual(theirs)
  // Counters that triggers maintain do not count rows twice.
  const counted = await sql<{ right: boolean }>`
    select c.row_count = (
      select count(*) from table_row r where r.bot_id = c.bot_id and r.bot_table_id = c.bot_table_id) as right
    from table_counter c where c.row_count > 0 and c.bot_id = any(${tenant.things.bot})`.execute(
    scene.app.services.db,
  )
  expect(new Set(counted.rows.map(({ right }) => right))).toEqual(new Set([true]))
}, 120_000)

test('every table of the database is archived or explicitly left out', async () => {
  const session = await scene.app.services.database.connect()
  const tables = await readTables(session).finally(() => session.end())
  // Tables are assigned by workspace_id or bot_id, or by the owner's rule in their table-rules.ts.
  const { holdings, unknown } = findHoldings(tables, tableRules)
  expect(unknown).toEqual([])
  expect(tables.map(({ name }) => name).sort()).toEqual(Object.keys(tableRules).sort())
  // Columns with bytes are either encrypted, and then re-encrypted in an archive, or plain by the
  // table's rules. Rules name only columns that exist.
  const bytes = holdings.flatMap(({ table, rules: { sealed = {}, plainBytes = [] } }) =>
    table.columns
      .filter(
        ({ name, type }) =>
          type === 'bytea' && !sealed[name] && !plainBytes.includes(name),
      )
      .map(({ name }) => `${table.name}.${name}`),
  )
  expect(bytes).toEqual([])
  for (const { name, columns } of tables) {
    const { sealed = {}, plainBytes = [] } = tableRules[name]!
    const known = columns.map((column) => column.name)
    expect(known, name).toEqual(
      expect.arrayContaining([...Object.keys(sealed), ...plainBytes]),
    )
  }
  // Converted tables are processed line by line. Only jsonb never contains line breaks.
  const changed = tables.filter(
    ({ name }) => tableRules[name]?.sealed || name === 'audit_record',
  )
  expect(
    changed.flatMap(({ columns }) => columns.filter(({ type }) => type === 'json')),
  ).toEqual([])
})

interface Change {
  heading?: (heading: Record<string, unknown>) => unknown
  /** Changes the rows of a table. */
  rows?: Record<string, (row: Record<string, never>) => unknown>
  parts?: (
    parts: { path: string; content: Buffer }[],
  ) => { path: string; content: Buffer }[]
}

/** Writes an archive with changed content, signed by another key. */
async function writeForged(
  name: string,
  { heading = (one) => one, rows = {}, parts = (all) => all }: Change,
) {
  const read = await readArchive(
    join(folder, 'bare.botstead'),
    'botstead workspace',
    2 ** 30,
  )
  const all: { path: string; content: Buffer }[] = []
  for await (const { path, content } of read.parts())
    all.push({ path, content: await buffer(content) })
  const changed = parts(all).map(({ path, content }) => {
    const change = rows[path.replace('tables/', '')]
    const lines = content.toString('utf8').split('\n').filter(Boolean)
    return {
      path,
      content: change
        ? Buffer.from(
            lines.map((line) => `${toLine(change(JSON.parse(line)))}\n`).join(''),
          )
        : content,
    }
  })
  const writer = await writeArchive(
    createWriteStream(join(folder, name)),
    createSigner({ derive: () => Buffer.alloc(32, 7) }),
    heading(read.heading as never) as never,
  )
  for (const { path, content } of changed) await writer.part(path, [content] as never)
  await writer.end()
}
const toLine = (row: unknown) => (typeof row === 'string' ? row : JSON.stringify(row))

/** Changes of an archive, with a part of the error. */
function listForgeries(): [string, Change, string][] {
  const [theirWorkspace] = stranger.things.workspace
  const [theirBot] = stranger.things.bot
  const set = (change: object) => (row: object) => ({ ...row, ...change })
  return [
    [
      'a bot of another workspace',
      { rows: { bot: set({ workspace_id: theirWorkspace }) } },
      'Rows of bot in the archive belong to or refer to another workspace',
    ],
    [
      'messages for another bot',
      { rows: { message: set({ bot_id: theirBot }) } },
      'Rows of message in the archive belong to or refer to another workspace',
    ],
    [
      'a membership elsewhere',
      { rows: { workspace_member: set({ workspace_id: theirWorkspace }) } },
      'Rows of workspace_member',
    ],
    [
      'an unknown role',
      { rows: { workspace_member: set({ role: 'god' }) } },
      'Rows of workspace_member',
    ],
    [
      'a private integration of others',
      { rows: { installation: set({ integration_id: stranger.things.integration[0] }) } },
      'Rows of installation',
    ],
    [
      'a personal token',
      {
        rows: {
          token: set({
            account_id: stranger.things.account[0],
            bot_id: null,
            integration_id: null,
            kind: 'pat',
          }),
        },
      },
      'Rows of token',
    ],
    [
      'an id that is taken',
      { rows: { bot: set({ id: theirBot }) } },
      'of bot in the archive already exists here',
    ],
    [
      'a wrong type',
      { rows: { conversation: set({ message_count: 'many' }) } },
      'Rows of conversation in the archive are invalid',
    ],
    [
      'a missing value',
      { rows: { message: set({ payload: null }) } },
      'Rows of message in the archive are invalid',
    ],
    [
      'no JSON',
      { rows: { event: () => '{"bot_id": ' } },
      'Rows of event in the archive are invalid',
    ],
    [
      'endless nesting',
      { rows: { event: () => '['.repeat(100_000) } },
      'Rows of event in the archive are invalid',
    ],
    [
      'no object',
      { rows: { bot: () => '[]' } },
      'Rows of bot in the archive are invalid',
    ],
    [
      'a table of the server',
      {
        heading: (one) => ({ ...one, tables: { worker: ['id'] } }),
        parts: () => [{ path: 'tables/worker', content: Buffer.from('') }],
      },
      'unknown workspace table, "worker"',
    ],
    [
      'an unknown column',
      {
        heading: (one) => ({
          ...one,
          tables: { ...(one.tables as object), bot: ['id", "x'] },
        }),
      },
      'This version of Botstead does not know',
    ],
    [
      'a table twice',
      { parts: (all) => [...all, all.at(-1)!] },
      'has an unexpected part',
    ],
    [
      'a missing table',
      { parts: (all) => all.slice(0, -1) },
      'The archive lacks the tables',
    ],
    [
      'a missing file',
      { parts: (all) => all.filter(({ path }) => !path.startsWith('blobs/')) },
      'Rows of file',
    ],
    [
      'a file of another size',
      {
        parts: (all) =>
          all.map(({ path, content }) => ({
            path: path.replace('blobs/17/', 'blobs/18/'),
            content,
          })),
      },
      'does not match',
    ],
    [
      'a newer schema',
      { heading: (one) => ({ ...one, schema: 999_999 }) },
      'a newer version',
    ],
    [
      'another format',
      { heading: (one) => ({ ...one, format: 'botstead installation' }) },
      'a whole installation',
    ],
    [
      'an invalid heading',
      { heading: (one) => ({ ...one, tables: [] }) },
      'Invalid archive heading',
    ],
    [
      'an account twice',
      { rows: { account: set({ id: 'one-and-the-same' }) } },
      'of account in the archive already exists here',
    ],
    [
      'members without accounts',
      {
        parts: (all) =>
          all.map((part) =>
            part.path === 'tables/account' ? { ...part, content: Buffer.from('') } : part,
          ),
      },
      'Rows of workspace_member',
    ],
    [
      'an invalid address',
      { rows: { account: set({ email: 'nobody' }) } },
      'an invalid email address',
    ],
  ]
}

test('rejects manipulated archives without any effect', async () => {
  const before = await digestTenant(other, stranger)
  for (const [what, change, expectedMessage] of listForgeries()) {
    await writeForged('forged.botstead', change)
    const outcome = await imported(other, 'forged.botstead', { passphrase: null }).then(
      () => 'imported',
      (error: Error) => `${error.constructor.name}: ${error.message}`,
    )
    expect(outcome, what).toContain(expectedMessage)
    expect(outcome, what).toMatch(/^ArchiveError/)
  }
  const whole = await readFile(join(folder, 'bare.botstead'))
  const damaged = {
    'cut.botstead': whole.subarray(0, whole.length / 2),
    'none.botstead': Buffer.from('hello'),
    'empty.botstead': Buffer.alloc(0),
  }
  for (const [name, content] of Object.entries(damaged)) {
    await writeFile(join(folder, name), content)
    await expect(imported(other, name, { passphrase: null }), name).rejects.toThrow(
      ArchiveError,
    )
  }
  await expect(
    importWorkspace(await openTarget(other), join(folder, 'bare.botstead'), {
      passphrase: null,
      signedBy: null,
      maxBytes: 10_000,
    }),
  ).rejects.toThrow('--max-mb')
  expect(await digestTenant(other, stranger)).toEqual(before)
  expect(
    (
      await sql`select from workspace where id = ${tenant.things.workspace[0]!}`.execute(
        other.app.services.db,
      )
    ).rows,
  ).toEqual([])
  expect(
    (
      await sql`select from loose_blob where remove_at > now()`.execute(
        other.app.services.db,
      )
    ).rows,
  ).toEqual([])
}, 120_000)

test('rejects a tar that differs from the written format', async () => {
  const whole = gunzipSync(await readFile(join(folder, 'bare.botstead')))
  const changes: Record<string, (tar: Buffer) => void> = {
    'a link': (tar) => tar.write('2', 156),
    'a path out of the archive': (tar) => tar.write('../../etc/passwd\0', 0),
    'an absolute path': (tar) => tar.write('/etc/passwd\0', 0),
    'an invalid size': (tar) => tar.write('-0000000001\0', 124),
    'a size over all memory': (tar) => tar.write('77777777777\0', 124),
    'one changed byte': (tar) => tar.write('X', 600),
  }
  for (const [what, change] of Object.entries(changes)) {
    const tar = Buffer.from(whole)
    change(tar)
    if (what !== 'one changed byte') signTarHeader(tar)
    await writeFile(join(folder, 'changed.botstead'), gzipSync(tar))
    await expect(
      imported(scene, 'changed.botstead', { passphrase: null }),
      what,
    ).rejects.toThrow(ArchiveError)
  }
})

/** Updates the checksum of the header. */
function signTarHeader(tar: Buffer) {
  tar.write('        ', 148)
  const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0)
  tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
}

test('an archive without secrets contains none, and new ones are created on import', async () => {
  const { firstToken } = await imported(other, 'bare.botstead', { passphrase: null })
  expect(firstToken).toMatchObject({ email: upperCaseEmail })
  ownerToken = firstToken!.value
  const [botId] = tenant.things.bot
  const { db, secrets } = other.app.services
  const bot = await db
    .selectFrom('bot')
    .selectAll()
    .where('id', '=', botId!)
    .executeTakeFirstOrThrow()
  expect(bot).toMatchObject({ secrets: {}, retired_signing_secrets: [] })
  expect((await openSigningSecrets(secrets, bot as never))()[0]).toMatch(/^[\w-]{43}$/)
  expect(
    await db
      .selectFrom('bot_version')
      .select('id')
      .where('bot_id', '=', botId!)
      .execute(),
  ).toEqual([])
}, 120_000)

test('elsewhere, with the passphrase: decrypts secrets, verifies audit records, keeps accounts', async () => {
  const { db, secrets } = other.app.services
  expect(
    (
      await other.call('DELETE', `/v1/admin/workspaces/${tenant.things.workspace[0]}`, {
        headers: bearing(ownerToken),
      })
    ).status,
  ).toBe(200)
  await expect(
    imported(other, 'whole.botstead', { passphrase: 'not the right words' }),
  ).rejects.toThrow('Wrong passphrase')
  await expect(imported(other, 'whole.botstead', { passphrase: null })).rejects.toThrow(
    'specify the passphrase',
  )
  await expect(
    imported(other, 'whole.botstead', { passphrase, signedBy: '0'.repeat(32) }),
  ).rejects.toThrow('is signed by')
  // An owner with a token at this installation gets no new one.
  expect((await imported(other, 'whole.botstead', { passphrase })).firstToken).toBeNull()
  await expect(imported(other, 'whole.botstead', { passphrase })).rejects.toThrow(
    'already exists',
  )

  const headers = {
    ...bearing(ownerToken),
    'x-workspace-id': tenant.things.workspace[0]!,
  }
  const ask = async (url: string, as = headers) =>
    (await other.call('GET', url, { headers: as })).body
  expect((await ask('/v1/admin/account/me')).account).toMatchObject({
    id: existingAccountId,
    displayName: 'Known here',
  })
  expect(await ask('/v1/platform/audit/verification')).toMatchObject({ whole: true })
  const { members } = await ask('/v1/admin/workspace-members')
  expect(members.map(({ email }: { email: string }) => email)).toContain(
    `${tenant.mark}-2@example.org`,
  )
  const [botId] = tenant.things.bot
  const { bot } = await ask(`/v1/admin/bots/${botId}`, {
    ...headers,
    'x-multiple-integrations': 'true',
  } as never)
  expect(bot.integrations.tg.configuration).toEqual({ mark: tenant.mark })
  const sealed = await db
    .selectFrom('bot')
    .select(['id', 'secrets'])
    .where('id', '=', botId!)
    .executeTakeFirstOrThrow()
  expect(await openBotSecrets(secrets, sealed as never)).toEqual({ MARK: tenant.mark })
  expect(await openKey(await findMcpServer(db, botId!, 'docs'), secrets)).toBe(
    tenant.mark,
  )
  const asTheBot = { ...bearing(tenant.botKeys[0]!), 'x-bot-id': botId! }
  const { file } = await ask(`/v1/files/${tenant.things.file[0]}`, asTheBot as never)
  const { pathname, search } = new URL(file.url)
  expect(
    (await other.app.server.inject({ method: 'GET', url: pathname + search })).body,
  ).toBe(tenant.mark)
  expect((await sql`select from loose_blob`.execute(db)).rows).toEqual([])
}, 120_000)

test('a role in an archive is pending for an account here that merely claims the address', async () => {
  const { db } = other.app.services
  const [id] = tenant.things.workspace
  const headers = bearing(ownerToken)
  const removed = await other.call('DELETE', `/v1/admin/workspaces/${id}`, { headers })
  expect(removed.status).toBe(200)
  await sql`update account set email_verified_at = null where id = ${existingAccountId}`.execute(
    db,
  )
  expect(
    (await imported(other, 'bare.botstead', { passphrase: null })).firstToken,
  ).toBeNull()
  const session = async () =>
    (await other.call('GET', '/v1/platform/session', { headers })).body.workspaces
  expect(await session()).toEqual([])
  await db.transaction().execute((trx) => proveAddress(trx, existingAccountId))
  await other.app.services.invalidate({ accountId: existingAccountId })
  const { value } = await createToken(
    db,
    { kind: 'pat', accountId: existingAccountId },
    '',
  )
  const reply = await other.call('GET', '/v1/platform/session', {
    headers: bearing(value),
  })
  expect(reply.body.workspaces).toMatchObject([{ id, role: 'owner' }])
  expect((await other.call('GET', '/v1/platform/session', { headers })).status).toBe(401)
}, 120_000)

test('an import gives away no token of an account with a proved address', async () => {
  const { db } = other.app.services
  const [id] = tenant.things.workspace
  const { value } = await createToken(
    db,
    { kind: 'pat', accountId: existingAccountId },
    '',
  )
  const headers = bearing(value)
  await other.call('DELETE', `/v1/admin/workspaces/${id}`, { headers })
  await sql`delete from token where account_id = ${existingAccountId}`.execute(db)
  expect(
    (await imported(other, 'bare.botstead', { passphrase: null })).firstToken,
  ).toBeNull()
}, 120_000)

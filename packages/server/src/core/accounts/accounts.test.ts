// Accounts, workspaces and tokens on a real database.
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { Database, Db } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { findAccount, updateAccount } from './accounts.ts'
import { bootstrap, firstWorkspaceId } from './bootstrap.ts'
import { checkHandle } from './handles.ts'
import { findRole } from './members.ts'
import { findPreference, setPreference } from './preferences.ts'
import { createTokenValue, tokenKind } from './token-format.ts'
import {
  createToken,
  deleteToken,
  findToken,
  listTokens,
  storeHostedKey,
} from './tokens.ts'
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  updateWorkspace,
} from './workspaces.ts'

let clone: TestDatabase
let database: Database
let db: Db
let accountId: string
/** The results of eight servers that start at the same time. */
let starts: Awaited<ReturnType<typeof bootstrap>>[]

const stranger = 'accnt_stranger'
const failure = (type: string) => expect.objectContaining({ type })

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log: pino({ level: 'silent' }) })
  db = database.db
  starts = await Promise.all(Array.from({ length: 8 }, () => bootstrap(db)))
  accountId = starts[0]!.accountId
  // After the starts, because no start is the first once accounts exist.
  await db
    .insertInto('account')
    .values({ id: stranger, email: 's@example.com', name: null, picture_url: null })
    .execute()
})
afterAll(async () => {
  await database?.close()
  await clone?.drop()
})

test('the first start creates one owner with one token, also in several processes at once', async () => {
  const [token, ...others] = starts.map((start) => start.token).filter(Boolean)
  expect(others).toEqual([])
  expect(new Set(starts.map((start) => start.accountId)).size).toBe(1)
  expect(starts[0]!.workspaceId).toBe(firstWorkspaceId)
  expect(await findToken(db, token!)).toMatchObject({
    kind: 'pat',
    accountId,
    botId: null,
    integrationId: null,
  })
  expect(await findRole(db, firstWorkspaceId, accountId)).toBe('owner')
  expect((await bootstrap(db)).token).toBeNull()
  // Repeated with the same token, because the first answer may be lost.
  expect((await bootstrap(db, token!)).token).toBe(token)
})

describe('tokens', () => {
  test('are validated by their checksum, without a database', () => {
    const token = createTokenValue('bak')
    expect(token).toMatch(/^bp_bak_[0-9A-Za-z]{38}$/)
    expect(tokenKind(token)).toBe('bak')
    const other = token.at(-7) === 'A' ? 'B' : 'A'
    const wrong = [
      '',
      'bp_bak_',
      token.slice(1),
      `${token}0`,
      token.replace('bak', 'pat'),
      `${token.slice(0, -7)}${other}${token.slice(-6)}`,
      `${token}\n`,
      `${token}\0`,
    ]
    for (const text of wrong) expect(tokenKind(text), JSON.stringify(text)).toBeNull()
  })

  test('are derived from a seed, and random without one', () => {
    const seed = randomBytes(32)
    expect(createTokenValue('bak', seed)).toBe(createTokenValue('bak', Buffer.from(seed)))
    expect(createTokenValue('bak')).not.toBe(createTokenValue('bak'))
  })

  test('are found until they are deleted, and their values are not stored', async () => {
    const made = await createToken(db, { kind: 'pat', accountId }, 'laptop')
    const found = await findToken(db, made.value)
    expect(found).toMatchObject({ kind: 'pat', accountId })
    expect(await listTokens(db, { kind: 'pat', accountId })).toContainEqual({
      id: made.id,
      note: 'laptop',
      createdAt: made.createdAt,
    })
    const rows = await db.selectFrom('token').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(made.value)
    await expect(
      deleteToken(db, { kind: 'pat', accountId: stranger }, made.id),
    ).rejects.toEqual(failure('ResourceNotFound'))
    await expect(
      deleteToken(db, { kind: 'bak', botId: accountId }, made.id),
    ).rejects.toEqual(failure('ResourceNotFound'))
    expect(await deleteToken(db, { kind: 'pat', accountId }, made.id)).toBe(found!.hash)
    expect(await findToken(db, made.value)).toBeNull()
    await expect(deleteToken(db, { kind: 'pat', accountId }, made.id)).rejects.toEqual(
      failure('ResourceNotFound'),
    )
  })

  test('are not found when they are unknown or expired', async () => {
    expect(await findToken(db, createTokenValue('pat'))).toBeNull()
    const { id, value } = await createToken(db, { kind: 'pat', accountId }, '')
    await db
      .updateTable('token')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', id)
      .execute()
    expect(await findToken(db, value)).toBeNull()
  })

  test("a hosted bot's key is the same at each start, and not listed", async () => {
    const workspace = await createWorkspace(db, accountId, 'Keys')
    await db
      .insertInto('bot')
      .values({
        id: 'bot_hosted',
        workspace_id: workspace.id,
        name: 'b',
        url: null,
        signing_secret: Buffer.of(1),
        deployed_at: null,
        created_by: null,
      })
      .execute()
    const secret = randomBytes(32)
    const keys = await Promise.all(
      [1, 2, 3].map(() =>
        storeHostedKey(db, { kind: 'bak', botId: 'bot_hosted' }, secret),
      ),
    )
    expect(new Set(keys).size).toBe(1)
    expect(await findToken(db, keys[0]!)).toMatchObject({
      kind: 'bak',
      botId: 'bot_hosted',
    })
    expect(await listTokens(db, { kind: 'bak', botId: 'bot_hosted' })).toEqual([])
  })
})

describe('workspaces', () => {
  test('are visible to their members only', async () => {
    const made = await createWorkspace(db, accountId, 'Mine')
    expect(made).toMatchObject({ name: 'Mine', handle: null, owner_id: accountId })
    expect(await findWorkspace(db, accountId, made.id)).toEqual(made)
    await expect(findWorkspace(db, stranger, made.id)).rejects.toEqual(
      failure('ResourceNotFound'),
    )
    expect(await findRole(db, made.id, stranger)).toBeNull()
    expect(
      (await listWorkspaces(db, stranger, { after: null, limit: 10 })).map(
        (row) => row.id,
      ),
    ).toEqual([])
  })

  test('return the roles of their members and their owner', async () => {
    const made = await createWorkspace(db, accountId, 'Roles')
    await db
      .insertInto('workspace_member')
      .values({ workspace_id: made.id, account_id: stranger, role: 'developer' })
      .execute()
    expect(await findRole(db, made.id, stranger)).toBe('developer')
    expect(await findWorkspace(db, stranger, made.id)).toMatchObject({
      owner_id: accountId,
    })
  })

  test('are listed in pages, newest first, each once', async () => {
    const member = 'accnt_pages'
    await db
      .insertInto('account')
      .values({ id: member, email: 'p@example.com', name: null, picture_url: null })
      .execute()
    const made = await Promise.all(
      Array.from({ length: 7 }, (_, i) => createWorkspace(db, member, `Page ${i}`)),
    )
    const seen: string[] = []
    for (let after: { at: string; id: string } | null = null; ; ) {
      const rows = await listWorkspaces(db, member, { after, limit: 3 })
      if (!rows.length) break
      seen.push(...rows.map((row) => row.id))
      const last = rows.at(-1)!
      after = { at: last.created_at.toISOString(), id: last.id }
    }
    expect(seen).toHaveLength(7)
    expect(new Set(seen)).toEqual(new Set(made.map((row) => row.id)))
  })

  test('a handle belongs to one workspace', async () => {
    const [one, two] = await Promise.all([
      createWorkspace(db, accountId, 'One'),
      createWorkspace(db, stranger, 'Two'),
    ])
    expect(await checkHandle(db, accountId, 'acme')).toEqual({
      available: true,
      suggestions: [],
    })
    await updateWorkspace(db, one.id, {
      handle: 'acme',
      profile: { about: 'We make everything' },
    })
    await expect(
      updateWorkspace(db, two.id, { handle: 'acme', profile: {} }),
    ).rejects.toEqual(failure('AlreadyExists'))
    await updateWorkspace(db, two.id, { handle: 'acme-1', profile: {} })
    expect(await checkHandle(db, accountId, 'acme')).toEqual({
      available: false,
      suggestions: ['acme-2', 'acme-3', 'acme-4'],
      usedBy: one.id,
    })
    expect(await checkHandle(db, stranger, 'acme')).toEqual({
      available: false,
      suggestions: ['acme-2', 'acme-3', 'acme-4'],
    })
    expect(
      (
        await listWorkspaces(db, accountId, { handle: 'acme', after: null, limit: 5 })
      ).map((row) => row.id),
    ).toEqual([one.id])
    await updateWorkspace(db, one.id, {
      name: 'Uno',
      profile: { website: 'https://example.com' },
    })
    expect(await findWorkspace(db, accountId, one.id)).toMatchObject({
      name: 'Uno',
      handle: 'acme',
      profile: { about: 'We make everything', website: 'https://example.com' },
    })
  })
})

describe('accounts', () => {
  test('change only the given fields', async () => {
    expect(await updateAccount(db, stranger, { name: 'Sam' })).toMatchObject({
      name: 'Sam',
      picture_url: null,
    })
    expect(
      await updateAccount(db, stranger, { pictureUrl: 'https://example.com/s.png' }),
    ).toMatchObject({
      name: 'Sam',
      picture_url: 'https://example.com/s.png',
    })
    await expect(findAccount(db, 'accnt_nobody')).rejects.toEqual(
      failure('ResourceNotFound'),
    )
  })

  test.each([[{ theme: 'dark' }], [[1, 2]], ['text'], [0], [false], [null]])(
    'keep the preference %j',
    async (value) => {
      await setPreference(db, { accountId }, 'key', value)
      expect(await findPreference(db, { accountId }, 'key')).toEqual(value)
      expect(await findPreference(db, { accountId: stranger }, 'key')).toBeUndefined()
    },
  )

  test('delete preferences', async () => {
    await setPreference(db, { accountId }, 'key', 1)
    await setPreference(db, { accountId }, 'key', undefined)
    expect(await findPreference(db, { accountId }, 'key')).toBeUndefined()
  })
})

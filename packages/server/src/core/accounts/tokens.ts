// Owns the table token: personal access tokens, bot keys, integration keys. The server shows a
// value once, at creation, and stores its SHA-256. The lookup is by that hash, so it takes the same
// time whether a token exists or not.
import { ApiError, type ApiKey } from '@botstead/contract'
import { sha256 } from '@botstead/lib'
import type { Selectable } from 'kysely'
import type { Db, Schema } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import { createTokenValue, type TokenKind, tokenKind } from './token-format.ts'

type TokenOwner =
  | { kind: 'pat'; accountId: string }
  | { kind: 'bak'; botId: string }
  | { kind: 'iak'; integrationId: string; workspaceId?: string }

/** The identity behind a token. `hash` is in hexadecimal, as `Services.forget` expects it. */
interface FoundToken {
  id: string
  kind: TokenKind
  accountId: string | null
  botId: string | null
  integrationId: string | null
  /** The workspace to which an integration key is restricted; null for all. */
  workspaceId: string | null
  hash: string
}

const idKinds = { pat: 'patoken', bak: 'key', iak: 'integrationKey' } as const

/** `value` is returned only here. */
export async function createToken(
  db: Db,
  owner: TokenOwner,
  note: string,
): Promise<ApiKey & { value: string }> {
  const value = createTokenValue(owner.kind)
  const row = await db
    .insertInto('token')
    .values({
      id: newId(idKinds[owner.kind]),
      kind: owner.kind,
      hash: sha256(value),
      note,
      ...ownerColumns(owner),
    })
    .returning(['id', 'note', 'created_at'])
    .executeTakeFirstOrThrow()
  return { ...toApiKey(row), value }
}

/**
 * Creates the key with which hosted code calls back. It is derived from its owner and `secret`, so
 * all processes derive the same key at every start, and each owner has one row at most. It is not
 * listed.
 */
export async function storeHostedKey(
  db: Db,
  owner: Exclude<TokenOwner, { kind: 'pat' }>,
  secret: Buffer,
): Promise<string> {
  const value = createTokenValue(owner.kind, secret)
  await db
    .insertInto('token')
    .values({
      id: newId(idKinds[owner.kind]),
      kind: owner.kind,
      hash: sha256(value),
      note: 'hosted code',
      internal: true,
      ...ownerColumns(owner),
    })
    .onConflict((on) => on.column('hash').doNothing())
    .execute()
  return value
}

/** Returns null for a malformed, unknown or expired token. */
export async function findToken(db: Db, value: string): Promise<FoundToken | null> {
  if (!tokenKind(value)) return null
  const hash = sha256(value)
  const row = await db
    .selectFrom('token')
    .select(['id', 'kind', 'account_id', 'bot_id', 'integration_id', 'workspace_id'])
    .where('hash', '=', hash)
    .where((is) =>
      is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date())]),
    )
    .executeTakeFirst()
  if (!row) return null
  const owner = {
    accountId: row.account_id,
    botId: row.bot_id,
    integrationId: row.integration_id,
    workspaceId: row.workspace_id,
  }
  return { id: row.id, kind: row.kind, ...owner, hash: hash.toString('hex') }
}

/** Returns the newest first. */
export async function listTokens(db: Db, owner: TokenOwner): Promise<ApiKey[]> {
  const [column, id] = ownerColumn(owner)
  const rows = await db
    .selectFrom('token')
    .select(['id', 'note', 'created_at'])
    .where('kind', '=', owner.kind)
    .where(column, '=', id)
    .where('internal', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(toApiKey)
}

/** Returns the hashes of all keys, unlisted ones included, for `Services.forget`. */
async function listTokenHashes(db: Db, owner: TokenOwner): Promise<string[]> {
  const [column, id] = ownerColumn(owner)
  const rows = await db
    .selectFrom('token')
    .select('hash')
    .where(column, '=', id)
    .execute()
  return rows.map(({ hash }) => hash.toString('hex'))
}

/**
 * Deletes a listed key of a bot or an integration, if `isDeletable` accepts its owner. Returns the hash, for
 * `Services.forget`. Throws ResourceNotFound.
 */
async function deleteKey(
  db: Db,
  kind: 'bak' | 'iak',
  id: string,
  isDeletable: (ownerId: string) => Promise<boolean>,
): Promise<string> {
  const row = await db
    .selectFrom('token')
    .select(['bot_id', 'integration_id'])
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('internal', '=', false)
    .executeTakeFirst()
  const ownerId = row?.bot_id ?? row?.integration_id
  if (!ownerId || !(await isDeletable(ownerId))) throw noToken(id)
  return takeHash(
    id,
    await db.deleteFrom('token').where('id', '=', id).returning('hash').execute(),
  )
}

/** Returns the hash, for `Services.forget`. Throws ResourceNotFound. */
export async function deleteToken(
  db: Db,
  owner: TokenOwner,
  id: string,
): Promise<string> {
  const [column, ownerId] = ownerColumn(owner)
  const rows = await db
    .deleteFrom('token')
    .where('id', '=', id)
    .where('kind', '=', owner.kind)
    .where(column, '=', ownerId)
    .where('internal', '=', false)
    .returning('hash')
    .execute()
  return takeHash(id, rows)
}

function takeHash(id: string, [row]: { hash: Buffer }[]): string {
  if (!row) throw noToken(id)
  return row.hash.toString('hex')
}

const noToken = (id: string) =>
  new ApiError('ResourceNotFound', `Token "${id}" was not found`)

function ownerColumn(
  owner: TokenOwner,
): ['account_id' | 'bot_id' | 'integration_id', string] {
  if (owner.kind === 'pat') return ['account_id', owner.accountId]
  return owner.kind === 'bak'
    ? ['bot_id', owner.botId]
    : ['integration_id', owner.integrationId]
}

const ownerColumns = (owner: TokenOwner) => ({
  account_id: null,
  bot_id: null,
  integration_id: null,
  [ownerColumn(owner)[0]]: ownerColumn(owner)[1],
  workspace_id: ('workspaceId' in owner && owner.workspaceId) || null,
})

const toApiKey = (
  row: Pick<Selectable<Schema['token']>, 'id' | 'note' | 'created_at'>,
): ApiKey => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  note: row.note,
})

/** Personal access tokens, and keys of bots and integrations. */
export const tokenStore = {
  create: createToken,
  delete: deleteKey,
  list: listTokens,
  listHashes: listTokenHashes,
  storeHostedKey,
}

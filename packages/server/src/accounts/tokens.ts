// Owns the table token: personal access tokens, bot keys, integration keys. A value is shown once, when it is made; what is kept is its
// SHA-256, by which it is found, so that looking one up takes the same work whether it exists or not.
import { ApiError } from '@botstead/contract'
import type { Selectable } from 'kysely'
import type { Db } from '../db/open.ts'
import type { Schema } from '../db/schema.ts'
import { newId } from '../lib/ids.ts'
import { sha256 } from '../lib/secrets.ts'
import { makeToken, type TokenKind, tokenKind } from './token-format.ts'

export type Token = Pick<Selectable<Schema['token']>, 'id' | 'note' | 'created_at'>
export type TokenOwner =
  | { kind: 'pat'; accountId: string }
  | { kind: 'bak'; botId: string }
  | { kind: 'iak'; integrationId: string; workspaceId?: string }

/** What a presented token stands for. `hash` is in hexadecimal, as `Services.forget` takes it. */
export interface FoundToken {
  id: string
  kind: TokenKind
  accountId: string | null
  botId: string | null
  integrationId: string | null
  /** An integration key may be good in the bots of one workspace only. */
  workspaceId: string | null
  hash: string
}

const idKinds = { pat: 'patoken', bak: 'key', iak: 'integrationKey' } as const

/** `value` is all that its holder will ever be shown. */
export async function createToken(
  db: Db,
  owner: TokenOwner,
  note: string,
): Promise<Token & { value: string }> {
  const value = makeToken(owner.kind)
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
  return { ...row, value }
}

/**
 * The key that hosted code calls back with. It follows from whose it is and `secret`, so that every process of the server, at every start,
 * arrives at the same one, and no more than one row for each is ever written. It is not listed.
 */
export async function keepHostedKey(
  db: Db,
  owner: Exclude<TokenOwner, { kind: 'pat' }>,
  secret: Buffer,
): Promise<string> {
  const value = makeToken(owner.kind, secret)
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

/** Null for what is not a token, is not known, or has expired. */
export async function findToken(db: Db, value: string): Promise<FoundToken | null> {
  if (!tokenKind(value)) return null
  const hash = sha256(value)
  const row = await db
    .selectFrom('token')
    .select(['id', 'kind', 'account_id', 'bot_id', 'integration_id', 'workspace_id'])
    .where('hash', '=', hash)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', new Date())]))
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

/** Newest first. */
export function listTokens(db: Db, owner: TokenOwner): Promise<Token[]> {
  const [column, id] = ownerColumn(owner)
  return db
    .selectFrom('token')
    .select(['id', 'note', 'created_at'])
    .where('kind', '=', owner.kind)
    .where(column, '=', id)
    .where('internal', '=', false)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Of all its keys, those that are not listed as well: for `Services.forget`. */
export async function listTokenHashes(db: Db, owner: TokenOwner): Promise<string[]> {
  const [column, id] = ownerColumn(owner)
  const rows = await db.selectFrom('token').select('hash').where(column, '=', id).execute()
  return rows.map(({ hash }) => hash.toString('hex'))
}

/** The bot of a listed bot key; null without such a key. */
export async function findKeyBot(db: Db, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('token')
    .select('bot_id')
    .where('id', '=', id)
    .where('kind', '=', 'bak')
    .where('internal', '=', false)
    .executeTakeFirst()
  return row?.bot_id ?? null
}

/** The integration of a listed integration key; null without such a key. */
export async function findKeyIntegration(db: Db, id: string): Promise<string | null> {
  const query = db
    .selectFrom('token')
    .select('integration_id')
    .where('id', '=', id)
    .where('kind', '=', 'iak')
    .where('internal', '=', false)
  return (await query.executeTakeFirst())?.integration_id ?? null
}

/** Returns the hash, for `Services.forget`. Throws ResourceNotFound. */
export async function deleteToken(db: Db, owner: TokenOwner, id: string): Promise<string> {
  const [column, ownerId] = ownerColumn(owner)
  const row = await db
    .deleteFrom('token')
    .where('id', '=', id)
    .where('kind', '=', owner.kind)
    .where(column, '=', ownerId)
    .where('internal', '=', false)
    .returning('hash')
    .executeTakeFirst()
  if (!row) throw noToken(id)
  return row.hash.toString('hex')
}

export const noToken = (id: string) => new ApiError('ResourceNotFound', `Token "${id}" was not found`)

function ownerColumn(owner: TokenOwner): ['account_id' | 'bot_id' | 'integration_id', string] {
  if (owner.kind === 'pat') return ['account_id', owner.accountId]
  return owner.kind === 'bak' ? ['bot_id', owner.botId] : ['integration_id', owner.integrationId]
}

const ownerColumns = (owner: TokenOwner) => ({
  ...{ account_id: null, bot_id: null, integration_id: null, [ownerColumn(owner)[0]]: ownerColumn(owner)[1] },
  workspace_id: ('workspaceId' in owner && owner.workspaceId) || null,
})

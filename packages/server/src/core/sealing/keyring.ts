// Owns the tables root_key and data_key. The master key encrypts the root key, the root key
// encrypts the data keys, and a data key encrypts the secrets of a workspace. A running server
// holds the root key and no longer needs the master key, which may be rotated meanwhile
// (rotation.ts). Data keys are never deleted, so cached ones stay valid while the process runs.
import { randomBytes } from 'node:crypto'
import { decrypt, deriveKey, encrypt, openCache, sha256 } from '@botstead/lib'
import { type Database, statement } from '../db/index.ts'
import {
  type DataKey,
  type DataKeys,
  formerKeyId,
  openSecrets,
  type Secrets,
} from './secrets.ts'

/** Access to secrets of a database from before data keys. */
export interface FormerKey {
  exists(): Promise<boolean>
  opensWith(key: Buffer): Promise<boolean>
}

export interface Keyring {
  secrets: Secrets
  /** The key of the audit log's hash chains. */
  auditKey: Buffer
}

/**
 * Returns null for a master key that does not open this database. The first master key creates the
 * root key.
 */
export async function openKeyring(
  database: Database,
  master: Buffer,
  before: FormerKey,
): Promise<Keyring | null> {
  const root =
    (await findRoot(database, master)) ??
    ((await makeRoot(database, master, before)) ? await findRoot(database, master) : null)
  if (!root) return null
  const keys = dataKeys(database, root)
  return { secrets: openSecrets(root, keys), auditKey: (await keys.of(auditing)).key }
}

const auditing = 'audit records'
const former = 'before data keys'

/** Identifies a master key without revealing it. */
const toMasterName = (master: Buffer) => deriveKey(master, 'name').toString('hex')
const rootBinding = (master: string) => `root_key/${master}`
const keyBinding = (id: Buffer, owner: Buffer) =>
  `data_key/${id.toString('hex')}/${owner.toString('hex')}`

const findRootKeyStatement = statement<{ name: string }>(
  'find-root-key',
  'select wrapped from root_key where master = :name',
)

export async function findRoot(
  database: Database,
  master: Buffer,
): Promise<Buffer | null> {
  const name = toMasterName(master)
  const [row] = await database.run<{ wrapped: Buffer }>(...findRootKeyStatement({ name }))
  return row ? openRoot(master, { master: name, wrapped: row.wrapped }) : null
}

/** Decrypts the root key; returns null when it is sealed with another master key. */
export const openRoot = (
  master: Buffer,
  { master: name, wrapped }: { master: string; wrapped: Buffer },
): Buffer | null =>
  name === toMasterName(master) ? decrypt(master, wrapped, rootBinding(name)) : null

const sealRootKeyStatement = statement<{ name: string; sealed: Buffer }>(
  'seal-root-key',
  'insert into root_key (master, wrapped) values (:name, :sealed) on conflict do nothing',
)

/** Seals the root key with an additional master key. */
export async function sealRoot(
  database: Database,
  root: Buffer,
  master: Buffer,
): Promise<void> {
  const name = toMasterName(master)
  const sealed = encrypt(master, root, rootBinding(name))
  await database.run(...sealRootKeyStatement({ name, sealed }))
}

const keepOnlyRootKeyStatement = statement<{ name: string }>(
  'keep-only-root-key',
  'delete from root_key where master <> :name returning 1',
)

/** Deletes the root key as sealed with other master keys. Returns how many there were. */
export async function keepOnly(database: Database, master: Buffer): Promise<number> {
  return (await database.run(...keepOnlyRootKeyStatement({ name: toMasterName(master) })))
    .length
}

const makeRootKeyAloneStatement = statement(
  'make-root-key-alone',
  `select pg_advisory_xact_lock(hashtext('botstead root key'))`,
)

const anyRootKeyStatement = statement('any-root-key', 'select 1 from root_key limit 1')

/**
 * Creates the root key at the first start with data keys, on one server only. Existing secrets stay
 * as they are. Returns false when another master key is the right one.
 */
async function makeRoot(
  database: Database,
  master: Buffer,
  before: FormerKey,
): Promise<boolean> {
  const isOld = await before.exists()
  const formerKey = deriveKey(master, 'seal')
  if (isOld && !(await before.opensWith(formerKey))) return false
  return database.inTransaction(async (inside) => {
    await inside.run(...makeRootKeyAloneStatement({}))
    const made = await inside.run(...anyRootKeyStatement({}))
    if (made.length) return true
    const root = randomBytes(32)
    await sealRoot(inside, root, master)
    if (!isOld) return true
    await keepKey(inside, root, former, { id: formerKeyId, key: formerKey })
    await keepKey(inside, root, auditing, {
      id: randomBytes(16),
      key: deriveKey(master, 'audit records'),
    })
    return true
  })
}

const remembered = { size: 20_000, ttlMs: 3_600_000 }

/**
 * Uses connections that are held for single statements only, so a caller inside a transaction can
 * wait for them.
 */
function dataKeys(database: Database, root: Buffer): DataKeys {
  const byOwner = openCache(
    async (owner) =>
      (await findKey(database, root, owner)) ?? createKey(database, root, owner),
    remembered,
  )
  const byId = openCache(
    (id) => findWithId(database, root, Buffer.from(id, 'hex')),
    remembered,
  )
  return {
    of: (owner) => byOwner.get(owner),
    withId: (id) => byId.get(id.toString('hex')),
  }
}

interface Row {
  id: string
  owner: Buffer
  wrapped: Buffer
}

const findDataKeyStatement = statement<{ owner: Buffer }>(
  'find-data-key',
  'select id, owner, wrapped from data_key where owner = :owner',
)

async function findKey(
  database: Database,
  root: Buffer,
  owner: string,
): Promise<DataKey | null> {
  const [row] = await database.run<Row>(...findDataKeyStatement({ owner: sha256(owner) }))
  return row ? opened(root, row) : null
}

const openDataKeyStatement = statement<{ id: string }>(
  'open-data-key',
  'select id, owner, wrapped from data_key where id = :id',
)

async function findWithId(
  database: Database,
  root: Buffer,
  id: Buffer,
): Promise<DataKey> {
  const [row] = await database.run<Row>(
    ...openDataKeyStatement({ id: id.toString('hex') }),
  )
  if (!row) throw new Error('Sealed with a data key that this database does not have')
  return opened(root, row)
}

/** Creates a data key; concurrent callers all get the one that was stored first. */
async function createKey(
  database: Database,
  root: Buffer,
  owner: string,
): Promise<DataKey> {
  await keepKey(database, root, owner, { id: randomBytes(16), key: randomBytes(32) })
  return (await findKey(database, root, owner))!
}

const keepStatement = statement<{ id: string; owner: Buffer; wrapped: Buffer }>(
  'keep-data-key',
  `insert into data_key (id, owner, wrapped) values (:id, :owner, :wrapped)
   on conflict do nothing`,
)

async function keepKey(
  database: Database,
  root: Buffer,
  of: string,
  { id, key }: DataKey,
): Promise<void> {
  const owner = sha256(of)
  await database.run(
    ...keepStatement({
      id: id.toString('hex'),
      owner,
      wrapped: encrypt(root, key, keyBinding(id, owner)),
    }),
  )
}

function opened(root: Buffer, { id: text, owner, wrapped }: Row): DataKey {
  const id = Buffer.from(text.replaceAll('-', ''), 'hex')
  return { id, key: decrypt(root, wrapped, keyBinding(id, owner)) }
}

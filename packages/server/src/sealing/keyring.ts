// Owns the tables root_key and data_key. The master key seals the root key, the root key seals the data keys, a data key seals the secrets of a
// workspace. A server that has started holds the root key and needs the master key no more: it may be replaced meanwhile (rotation.ts). Data keys are
// never deleted: one that this process remembers is good for as long as it runs.
import { randomBytes } from 'node:crypto'
import type { Database } from '../db/open.ts'
import { openCache } from '../lib/cache.ts'
import {
  type DataKey,
  type DataKeys,
  decrypt,
  deriveKey,
  encrypt,
  formerKeyId,
  openSecrets,
  type Secrets,
  sha256,
} from '../lib/secrets.ts'

/** What a database of the time before data keys holds. */
export interface Former {
  exists(): Promise<boolean>
  opensWith(key: Buffer): Promise<boolean>
}

export interface Keyring {
  secrets: Secrets
  /** What audit records are chained with. */
  auditKey: Buffer
}

/** Null for a master key that opens nothing of this database. The first one makes the root key. */
export async function openKeyring(
  database: Database,
  master: Buffer,
  before: Former,
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

/** Names a master key, and tells nothing of it. */
const nameOf = (master: Buffer) => deriveKey(master, 'name').toString('hex')
const rootPlace = (master: string) => `root_key/${master}`
const keyPlace = (id: Buffer, owner: Buffer) => `data_key/${id.toString('hex')}/${owner.toString('hex')}`

export async function findRoot(database: Database, master: Buffer): Promise<Buffer | null> {
  const name = nameOf(master)
  const [row] = await database.run<{ wrapped: Buffer }>(
    'find-root-key',
    'select wrapped from root_key where master = $1',
    [name],
  )
  return row ? openRoot(master, { master: name, wrapped: row.wrapped }) : null
}

/** Null for one that is sealed with another master key. */
export const openRoot = (
  master: Buffer,
  { master: name, wrapped }: { master: string; wrapped: Buffer },
): Buffer | null => (name === nameOf(master) ? decrypt(master, wrapped, rootPlace(name)) : null)

/** Sealed with one more master key. */
export async function sealRoot(database: Database, root: Buffer, master: Buffer): Promise<void> {
  const name = nameOf(master)
  const sealed = encrypt(master, root, rootPlace(name))
  await database.run(
    'seal-root-key',
    'insert into root_key (master, wrapped) values ($1, $2) on conflict do nothing',
    [name, sealed],
  )
}

/** No other master key is good any more. How many were. */
export async function keepOnly(database: Database, master: Buffer): Promise<number> {
  return (
    await database.run('keep-only-root-key', 'delete from root_key where master <> $1 returning 1', [
      nameOf(master),
    ])
  ).length
}

/** At the first start with data keys, by one server; false where another master key is the right one. What was sealed before stays what it is. */
async function makeRoot(database: Database, master: Buffer, before: Former): Promise<boolean> {
  const isOld = await before.exists()
  const formerKey = deriveKey(master, 'seal')
  if (isOld && !(await before.opensWith(formerKey))) return false
  return database.inOneTransaction(async (inside) => {
    await inside.run('make-root-key-alone', `select pg_advisory_xact_lock(hashtext('botstead root key'))`, [])
    const made = await inside.run('any-root-key', 'select 1 from root_key limit 1', [])
    if (made.length) return true
    const root = randomBytes(32)
    await sealRoot(inside, root, master)
    if (!isOld) return true
    await keepKey(inside, root, former, { id: formerKeyId, key: formerKey })
    await keepKey(inside, root, auditing, { id: randomBytes(16), key: deriveKey(master, 'audit records') })
    return true
  })
}

const remembered = { size: 20_000, ttlMs: 3_600_000 }

/** Through connections that nobody holds for longer than a statement: who is in a transaction may wait for them. */
function dataKeys(database: Database, root: Buffer): DataKeys {
  const byOwner = openCache(
    async (owner) => (await findOf(database, root, owner)) ?? makeOf(database, root, owner),
    remembered,
  )
  const byId = openCache((id) => findWithId(database, root, Buffer.from(id, 'hex')), remembered)
  return { of: (owner) => byOwner.get(owner), withId: (id) => byId.get(id.toString('hex')) }
}

interface Row {
  id: string
  owner: Buffer
  wrapped: Buffer
}

async function findOf(database: Database, root: Buffer, owner: string): Promise<DataKey | null> {
  const [row] = await database.run<Row>(
    'find-data-key',
    'select id, owner, wrapped from data_key where owner = $1',
    [sha256(owner)],
  )
  return row ? opened(root, row) : null
}

async function findWithId(database: Database, root: Buffer, id: Buffer): Promise<DataKey> {
  const [row] = await database.run<Row>(
    'open-data-key',
    'select id, owner, wrapped from data_key where id = $1',
    [id.toString('hex')],
  )
  if (!row) throw new Error('Sealed with a data key that this database does not have')
  return opened(root, row)
}

/** Of two who make one at once, both get the one that is kept. */
async function makeOf(database: Database, root: Buffer, owner: string): Promise<DataKey> {
  await keepKey(database, root, owner, { id: randomBytes(16), key: randomBytes(32) })
  return (await findOf(database, root, owner))!
}

async function keepKey(database: Database, root: Buffer, of: string, { id, key }: DataKey): Promise<void> {
  const owner = sha256(of)
  await database.run(
    'keep-data-key',
    'insert into data_key (id, owner, wrapped) values ($1, $2, $3) on conflict do nothing',
    [...[id.toString('hex'), owner, encrypt(root, key, keyPlace(id, owner))]],
  )
}

function opened(root: Buffer, { id: text, owner, wrapped }: Row): DataKey {
  const id = Buffer.from(text.replaceAll('-', ''), 'hex')
  return { id, key: decrypt(root, wrapped, keyPlace(id, owner)) }
}

// The keys in <data>/keys, readable by the owner only. The first start creates them.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../infra/config/config.ts'
import type { Database } from '../infra/db/open.ts'
import { decrypt } from '../infra/lib/secrets.ts'
import { StartError } from '../infra/lib/start-error.ts'
import { type Keyring, openKeyring } from '../infra/sealing/keyring.ts'
import { hasWorkspaces } from '../modules/accounts/workspaces.ts'
import { opens } from '../modules/bots/bot-secrets.ts'

interface Keys {
  master: Buffer
  chat: string
}

export async function openKeys({
  dataFolder,
  masterKey,
  chatKey,
}: Pick<Config, 'dataFolder' | 'masterKey' | 'chatKey'>): Promise<Keys> {
  const folder = join(dataFolder, 'keys')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    master: Buffer.from(masterKey ?? (await keepKey(masterFile(dataFolder), masterShape)), 'hex'),
    chat: chatKey ?? (await keepKey(chatFile(dataFolder), /^.+$/)),
  }
}

/** Returns the existing master key, or null; never creates one. */
export async function findMasterKey({
  dataFolder,
  masterKey,
}: Pick<Config, 'dataFolder' | 'masterKey'>): Promise<Buffer | null> {
  const isThere = masterKey !== null || (await isFile(masterFile(dataFolder)))
  return isThere
    ? Buffer.from(masterKey ?? (await keepKey(masterFile(dataFolder), masterShape)), 'hex')
    : null
}

export const isChatKeyPresent = async ({
  dataFolder,
  chatKey,
}: Pick<Config, 'dataFolder' | 'chatKey'>): Promise<boolean> =>
  chatKey !== null || (await isFile(chatFile(dataFolder)))

const isFile = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

const masterShape = /^[0-9a-f]{64}$/

async function keepKey(file: string, shape: RegExp): Promise<string> {
  const known = await readFile(file, 'utf8').catch((error) =>
    error.code === 'ENOENT' ? null : Promise.reject(error),
  )
  if (known === null) return makeKey(file)
  if (!shape.test(known.trim()))
    throw new StartError(
      `The key file ${file} is damaged: restore it from a backup; ` +
        'without it, sealed data cannot be decrypted',
    )
  await checkPermissions(file)
  return known.trim()
}

/**
 * Creates a new master key beside the current one. `put` installs it durably, once the database is
 * sealed with it as well; `drop` deletes it.
 */
export async function prepareMasterKey(
  dataFolder: string,
): Promise<{ key: Buffer; file: string; put: () => Promise<void>; drop: () => Promise<void> }> {
  const file = masterFile(dataFolder)
  const next = `${file}.next`
  const key = Buffer.from(await makeKey(next), 'hex')
  const put = async () => {
    await rename(next, file)
    await syncFolder(dirname(file))
  }
  return { key, file, put, drop: () => rm(next, { force: true }) }
}

/**
 * Syncs a folder, so that a renamed file survives a power failure. Does nothing where folders
 * cannot be opened.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => {})
  await handle?.close()
}

const masterFile = (dataFolder: string) => join(dataFolder, 'keys', 'master.key')
const chatFile = (dataFolder: string) => join(dataFolder, 'keys', 'chat.key')

/** Writes the key atomically and syncs it to disk before it is used. */
async function makeKey(file: string): Promise<string> {
  const key = randomBytes(32).toString('hex')
  const handle = await open(`${file}.new`, 'w', 0o600)
  await handle.writeFile(`${key}\n`)
  await handle.sync()
  await handle.close()
  await chmod(`${file}.new`, 0o600)
  await rename(`${file}.new`, file)
  return key
}

async function checkPermissions(file: string) {
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && mode & 0o077)
    throw new StartError(`The key file ${file} can be read by other users: chmod 600 ${file}`)
}

const otherKey =
  'This database was sealed with another master key: set BOTSTEAD_MASTER_KEY to the key of the server that ' +
  'created it, or copy its <data>/keys/master.key'

/**
 * Opens the keyring that the master key protects. Throws StartError if the key does not match this
 * database.
 */
export async function openKeysOf(database: Database, masterKey: Buffer): Promise<Keyring> {
  const { db } = database
  const keyring = await openKeyring(database, masterKey, {
    exists: () => hasWorkspaces(db),
    opensWith: (key) => opens(db, (sealed, place) => decrypt(key, sealed.subarray(1), place)),
  })
  if (!keyring) throw new StartError(otherKey)
  return keyring
}

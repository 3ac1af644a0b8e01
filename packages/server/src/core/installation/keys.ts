// The keys in <data>/keys, readable by the owner only. The first start creates them.
import { randomBytes } from 'node:crypto'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  decrypt,
  makeFolder,
  renameDurably,
  StartError,
  writeDurably,
} from '@botstead/lib'
import { workspaceStore } from '../accounts/index.ts'
import { botSecrets } from '../bots/index.ts'
import type { Section } from '../config/index.ts'
import type { Database } from '../db/index.ts'
import { type Keyring, openKeyring } from '../sealing/index.ts'

interface Keys {
  master: Buffer
  chat: string
}

export async function openKeys({
  dataFolder,
  masterKey,
  chatKey,
}: Pick<
  Section<'storage'> & Section<'keys'>,
  'dataFolder' | 'masterKey' | 'chatKey'
>): Promise<Keys> {
  const folder = join(dataFolder, 'keys')
  await makeFolder(folder)
  return {
    master: Buffer.from(
      masterKey ?? (await keepKey(masterFile(dataFolder), masterShape)),
      'hex',
    ),
    chat: chatKey ?? (await keepKey(chatFile(dataFolder), /^.+$/)),
  }
}

/** Returns the existing master key, or null; never creates one. */
async function findMasterKey({
  dataFolder,
  masterKey,
}: Pick<
  Section<'storage'> & Section<'keys'>,
  'dataFolder' | 'masterKey'
>): Promise<Buffer | null> {
  const isThere = masterKey !== null || (await isFile(masterFile(dataFolder)))
  return isThere
    ? Buffer.from(
        masterKey ?? (await keepKey(masterFile(dataFolder), masterShape)),
        'hex',
      )
    : null
}

const isChatKeyPresent = async ({
  dataFolder,
  chatKey,
}: Pick<
  Section<'storage'> & Section<'keys'>,
  'dataFolder' | 'chatKey'
>): Promise<boolean> => chatKey !== null || (await isFile(chatFile(dataFolder)))

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
async function prepareMasterKey(dataFolder: string): Promise<{
  key: Buffer
  file: string
  put: () => Promise<void>
  drop: () => Promise<void>
}> {
  const file = masterFile(dataFolder)
  const next = `${file}.next`
  const key = Buffer.from(await makeKey(next), 'hex')
  const put = () => renameDurably(next, file)
  return { key, file, put, drop: () => rm(next, { force: true }) }
}

const masterFile = (dataFolder: string) => join(dataFolder, 'keys', 'master.key')
const chatFile = (dataFolder: string) => join(dataFolder, 'keys', 'chat.key')

/** The key is on disk before it is used. */
async function makeKey(file: string): Promise<string> {
  const key = randomBytes(32).toString('hex')
  await writeDurably(file, `${key}\n`)
  return key
}

async function checkPermissions(file: string) {
  const { mode } = await stat(file)
  if (process.platform !== 'win32' && mode & 0o077)
    throw new StartError(
      `The key file ${file} can be read by other users: chmod 600 ${file}`,
    )
}

const otherKey =
  'This database was sealed with another master key: set BOTSTEAD_MASTER_KEY to the key of the server that ' +
  'created it, or copy its <data>/keys/master.key'

/**
 * Opens the keyring that the master key protects. Throws StartError if the key does not match this
 * database.
 */
export async function openDatabaseKeys(
  database: Database,
  masterKey: Buffer,
): Promise<Keyring> {
  const { db } = database
  const keyring = await openKeyring(database, masterKey, {
    exists: () => workspaceStore.exist(db),
    opensWith: (key) =>
      botSecrets.canBeOpened(db, (sealed, place) =>
        decrypt(key, sealed.subarray(1), place),
      ),
  })
  if (!keyring) throw new StartError(otherKey)
  return keyring
}

/** Keys of the installation: master key, chat key, and those that they open. */
export const installationKeys = {
  findMaster: findMasterKey,
  hasChatKey: isChatKeyPresent,
  openDatabaseKeys,
  open: openKeys,
  prepareMaster: prepareMasterKey,
}

// `botstead keys`: replaces the master key, whether servers run or not. A running server keeps the
// root key in memory; each start needs a master key that is valid at that time.

import { ownCommand, StartError } from '@botstead/lib'
import type { Config } from '../../core/config/index.ts'
import { connections } from '../../core/db/index.ts'
import { installationKeys } from '../../core/installation/index.ts'
import { addMasterKey, rejectOtherMasterKeys } from '../../core/sealing/index.ts'

interface Rotation {
  /** Path of the new key file; null if the key came from the environment. */
  file: string | null
  /** Number of previous keys that are no longer valid. With 0 they are still valid. */
  refused: number
}

/**
 * Writes a new key to the key file, or adds BOTSTEAD_NEW_MASTER_KEY if the key comes from the
 * environment. With `both` the previous key stays valid.
 */
export async function rotateMasterKey(
  config: Config,
  { both }: { both: boolean },
): Promise<Rotation> {
  const newMasterKey = config.newMasterKey
  if (config.masterKey && !newMasterKey)
    throw new StartError(
      'The master key comes from BOTSTEAD_MASTER_KEY: set BOTSTEAD_NEW_MASTER_KEY to the new key',
    )
  const { master } = await installationKeys.open(config)
  return connections.withDatabase(config, async (database) => {
    const next = newMasterKey
      ? { ...inEnvironment, key: Buffer.from(newMasterKey, 'hex') }
      : await installationKeys.prepareMaster(config.dataFolder)
    const isAdded = await addMasterKey(database, master, next.key).catch(explain)
    if (!isAdded) {
      await next.drop()
      throw wrongKey()
    }
    await next.put()
    // A key from the environment stays valid: other servers may still have it in their environment.
    const refused =
      both || newMasterKey ? 0 : await rejectOtherMasterKeys(database, next.key)
    return { file: next.file, refused: refused ?? 0 }
  })
}

const inEnvironment = { file: null, put: async () => {}, drop: async () => {} }

/** Rejects all master keys but the current one. Returns the number of keys that it rejected. */
export async function finishRotation(config: Config): Promise<number> {
  const { master } = await installationKeys.open(config)
  const refused = await connections.withDatabase(config, (database) =>
    rejectOtherMasterKeys(database, master).catch(explain),
  )
  if (refused === null) throw wrongKey()
  return refused
}

const wrongKey = () =>
  new StartError(
    'The master key does not belong to this database, so nothing was changed: provide its current master key',
  )

function explain(error: { code?: string }): never {
  throw error.code === '42P01'
    ? new StartError(
        `The database is not up to date: run "${ownCommand} migrate", start the server once, ` +
          'then retry',
      )
    : error
}

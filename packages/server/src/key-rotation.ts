// `botstead keys`: another master key takes over while servers run, or while none does. They hold the root key since they started; each start needs
// a master key that is good at that time.
import type { Config } from './config.ts'
import { openKeys, prepareMasterKey } from './keys.ts'
import { StartError } from './lib/start-error.ts'
import { addMasterKey, refuseOtherMasterKeys } from './sealing/rotation.ts'
import { withDatabase } from './start.ts'

export interface Rotation {
  /** Where the new key is; null when it was given. */
  file: string | null
  /** How many keys before it are refused now. With 0 they are still good. */
  refused: number
}

/** With a key file, it holds a new key afterwards; a key from the environment is replaced by BOTSTEAD_NEW_MASTER_KEY. `both`: the key before stays good. */
export async function rotateMasterKey(config: Config, { both }: { both: boolean }): Promise<Rotation> {
  const given = config.newMasterKey
  if (config.masterKey && !given)
    throw new StartError(
      'The master key comes from BOTSTEAD_MASTER_KEY: set BOTSTEAD_NEW_MASTER_KEY to the one that takes over',
    )
  const { master } = await openKeys(config)
  return withDatabase(config, async (database) => {
    const next = given
      ? { ...inTheEnvironment, key: Buffer.from(given, 'hex') }
      : await prepareMasterKey(config.dataFolder)
    const isGood = await addMasterKey(database, master, next.key).catch(explain)
    if (!isGood) {
      await next.drop()
      throw notItsKey()
    }
    await next.put()
    // Whose environment has the key before cannot be known from here.
    const refused = both || given ? 0 : await refuseOtherMasterKeys(database, next.key)
    return { file: next.file, refused: refused ?? 0 }
  })
}

const inTheEnvironment = { file: null, put: async () => {}, drop: async () => {} }

/** Only the present master key is good from now on. How many were refused. */
export async function finishRotation(config: Config): Promise<number> {
  const { master } = await openKeys(config)
  const refused = await withDatabase(config, (database) =>
    refuseOtherMasterKeys(database, master).catch(explain),
  )
  if (refused === null) throw notItsKey()
  return refused
}

const notItsKey = () => new StartError('The master key does not open this database: nothing was changed')

function explain(error: { code?: string }): never {
  throw error.code === '42P01'
    ? new StartError('The database is not up to date: botstead migrate, and a start, come first')
    : error
}

// Moves the embedded database to the major version of PostgreSQL that comes with Botstead: opens
// the old cluster with old programs, and a new one beside it in `next`, for a copy of all rows.
// Then the new cluster takes the place of the old one, which stays. The caller holds the data
// folder's lock.
import { readFile, rm, stat, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { renameDurably, StartError, writeDurably } from '@botstead/lib'
import type { ClientConfig } from 'pg'
import type { Logger } from 'pino'
import { createDatabase, databaseName } from './embedded.ts'
import { findAddress } from './embedded-address.ts'
import { type Binaries, findBinaries, findPrograms } from './embedded-binaries.ts'
import {
  type ClusterSetup,
  completeFile,
  nextFolder,
  openFolder,
  prepareCluster,
} from './embedded-cluster.ts'
import { startPostmaster, stopPostmaster } from './embedded-postmaster.ts'
import { findDatabaseUser, type SystemUser } from './embedded-user.ts'

export interface Upgrade {
  /** Major versions. */
  from: string
  to: string
  old: ClientConfig
  next: ClientConfig
  /** Stops both, replaces the old cluster, and returns the folder in which it stays. */
  finish(): Promise<string>
  /** Stops both. The old cluster stays in use. */
  abandon(): Promise<void>
}

/**
 * Opens both clusters, or returns null if the database already has this version. `programs` is the
 * folder of the old version's programs; without it, Debian's are used. Throws StartError.
 */
export async function openUpgrade(
  dataFolder: string,
  log: Logger,
  programs: string | null,
): Promise<Upgrade | null> {
  const folder = join(dataFolder, 'postgres')
  const user = await findDatabaseUser(folder)
  const binaries = await findBinaries(folder, user, log)
  await finishInterrupted(folder)
  const from = (
    await readFile(join(folder, 'cluster', 'PG_VERSION'), 'utf8').catch(() => '')
  ).trim()
  if (!from) throw new StartError(`There is no embedded database in ${folder}`)
  if (from === binaries.major) return null
  const old = await setUp(
    folder,
    dataFolder,
    user,
    await findOldPrograms(from, user, programs),
  )
  const next = await setUpNext(folder, dataFolder, { user, binaries, log })
  const stops: (() => Promise<void>)[] = []
  const abandon = async () => {
    for (const stop of stops.splice(0)) await stop()
  }
  try {
    for (const setup of [old, next]) {
      const postmaster = await startPostmaster(setup, { log })
      stops.push(() => stopPostmaster(setup, postmaster))
    }
    const toConnection = (setup: ClusterSetup) => ({
      ...setup.address.settings,
      database: databaseName,
    })
    await createDatabase(toConnection(next))
    return {
      from,
      to: binaries.major,
      old: toConnection(old),
      next: toConnection(next),
      abandon,
      async finish() {
        await abandon()
        await writeDurably(join(next.folder, completeFile), from)
        return replace(folder, from)
      },
    }
  } catch (error) {
    await abandon()
    throw error
  }
}

const setUp = async (
  folder: string,
  dataFolder: string,
  user: SystemUser | null,
  binaries: Binaries,
): Promise<ClusterSetup> => ({
  folder,
  user,
  binaries,
  settings: [],
  cluster: join(folder, 'cluster'),
  log: join(dataFolder, 'postgres.log'),
  address: await findAddress(folder, user),
})

async function setUpNext(
  folder: string,
  dataFolder: string,
  { user, binaries, log }: { user: SystemUser | null; binaries: Binaries; log: Logger },
) {
  const next = join(folder, nextFolder)
  await rm(next, { recursive: true, force: true })
  await openFolder(next, user)
  const setup = await setUp(next, dataFolder, user, binaries)
  await prepareCluster(setup, log)
  return setup
}

async function findOldPrograms(
  major: string,
  user: SystemUser | null,
  given: string | null,
) {
  const found = await findPrograms(given ?? join('/usr/lib/postgresql', major), user)
  if (typeof found !== 'string' && found.major === major) return found
  const reason = typeof found === 'string' ? found : `it has PostgreSQL ${found.major}`
  throw new StartError(
    `The database was created by PostgreSQL ${major}, whose programs are needed once ` +
      `(${given ?? 'none given'}: ${reason}): install them, and name their folder with --programs`,
  )
}

/** A crash between both renames leaves no cluster, and a complete new one. */
async function finishInterrupted(folder: string) {
  const from = await readFile(join(folder, nextFolder, completeFile), 'utf8').catch(
    () => null,
  )
  if (from !== null) await replace(folder, from)
}

/**
 * The folder `next` is removed last, so that a start in between reports the interrupted upgrade.
 */
async function replace(folder: string, from: string): Promise<string> {
  const [cluster, kept] = [join(folder, 'cluster'), join(folder, `cluster-${from}`)]
  const next = join(folder, nextFolder, 'cluster')
  if (await exists(next)) {
    if (await exists(cluster)) {
      await rm(kept, { recursive: true, force: true })
      await renameDurably(cluster, kept)
    }
    await renameDurably(next, cluster)
  }
  await rm(join(folder, nextFolder), { recursive: true })
  return kept
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

/** Throws StartError unless the disk has space for a second database of this size. */
export async function requireSpace(dataFolder: string, bytes: number) {
  const { bavail, bsize } = await statfs(dataFolder)
  if (bavail * bsize < bytes * 1.1)
    throw new StartError(
      `The upgrade needs ${Math.ceil((bytes * 1.1) / 1e6)} MB in ${dataFolder}, and ` +
        `${Math.floor((bavail * bsize) / 1e6)} MB are free: free disk space`,
    )
}

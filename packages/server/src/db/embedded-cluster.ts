// The database's files. They come into being aside and are renamed when whole, so the folder `cluster` is either absent or complete.
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import { DatabaseError } from './database-error.ts'
import type { Address } from './embedded-address.ts'
import type { Binaries } from './embedded-binaries.ts'
import { give, giveAll, type SystemUser } from './embedded-user.ts'

export interface Installation {
  /** Holds the cluster and the socket; belongs to `user`. */
  folder: string
  cluster: string
  /** Outside the folder: when we are root, we write nothing where an unprivileged user could have put a link. */
  log: string
  user: SystemUser | null
  binaries: Binaries
  address: Address
}

/** PostgreSQL's programs see nothing of our environment: variables like PGPORT or PGOPTIONS would bend them. */
export const cleanEnvironment = () => ({
  PATH: process.env.PATH ?? '',
  TZ: 'UTC',
  ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
})

/**
 * How its programs name the folder they are started in. As another user they may not be able to walk there from the root;
 * the kernel's own link to the working folder needs no walk.
 */
export const ownFolder = (path: string, user: SystemUser | null) =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : path

export async function openFolder(folder: string, user: SystemUser | null) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await chmod(folder, 0o700)
    await give(folder, user)
  } catch (error) {
    throw new DatabaseError(`The folder ${folder} cannot be made: ${(error as Error).message}`, {
      cause: error,
    })
  }
}

export async function prepareCluster(installation: Installation, log: Logger) {
  const { folder, cluster, user, binaries } = installation
  await removeUnfinished(folder)
  if (!(await stat(cluster).catch(() => null))) await createCluster(installation, log)
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  const whole = version && (await stat(join(cluster, 'global', 'pg_control')).catch(() => null))
  if (!whole)
    throw new DatabaseError(
      `The folder ${cluster} is not a whole database: restore it from a backup, or move it away to begin with an empty one`,
    )
  if (version.trim() !== binaries.major) {
    throw new DatabaseError(
      `The database in ${cluster} was made by PostgreSQL ${version.trim()}, and this version of Botstead brings ${binaries.major}: dump it with the version that made it, move the folder away, and restore the dump`,
    )
  }
  await giveAll(cluster, user)
  await chmod(cluster, 0o700)
}

/** Whoever was killed in the middle of a first start left these. The holder of the data folder's lock is the only one who makes them. */
async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith('unfinished-')) await rm(join(folder, name), { recursive: true, force: true })
}

async function createCluster({ folder, cluster, user, binaries, address }: Installation, log: Logger) {
  log.info({ folder: cluster }, 'making the database')
  const aside = await mkdtemp(join(folder, 'unfinished-'))
  await give(aside, user)
  // Only Linux is sure to have the locale C.UTF-8; elsewhere PostgreSQL's built-in one is the same.
  const locale =
    process.platform === 'linux'
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = { ...user, cwd: aside, env: cleanEnvironment() }
  await new Promise<void>((resolve, reject) => {
    execFile(
      binaries.initdb,
      ['-D', ownFolder(aside, user), '-U', 'postgres', ...address.initArguments, '-E', 'UTF8', ...locale],
      options,
      (error, _, stderr) =>
        error
          ? reject(
              new DatabaseError(
                `The database cannot be made in ${folder}: ${stderr.trim().split('\n').at(-1) || error.message}`,
                { cause: error },
              ),
            )
          : resolve(),
    )
  })
  await rename(aside, cluster)
  await syncFolder(folder)
}

/** A rename is durable when the folder that holds the name is on disk. */
async function syncFolder(folder: string) {
  if (process.platform === 'win32') return
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

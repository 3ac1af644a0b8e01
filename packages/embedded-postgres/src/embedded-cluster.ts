// The database's files. They are created in a temporary folder and renamed when complete, so the
// folder `cluster` is absent or complete.
import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, ownCommand, renameDurably, StartError } from '@botstead/lib'
import type { Logger } from 'pino'
import type { ClusterAddress } from './embedded-address.ts'
import type { Binaries } from './embedded-binaries.ts'
import { changeOwner, changeOwnerOfAll, type SystemUser } from './embedded-user.ts'

export interface ClusterSetup {
  /** Contains the cluster and the socket; owned by `user`. */
  folder: string
  cluster: string
  /**
   * Outside of `folder`: as root, never write where an unprivileged user could have placed a link.
   */
  log: string
  user: SystemUser | null
  binaries: Binaries
  address: ClusterAddress
  /** `name=value`, in place of the defaults. */
  settings: string[]
}

/**
 * The environment of PostgreSQL's programs, without variables like PGPORT or PGOPTIONS, which would
 * affect them.
 */
export const cleanEnvironment = () => ({
  PATH: process.env.PATH ?? '',
  TZ: 'UTC',
  ...(process.env.SystemRoot && { SystemRoot: process.env.SystemRoot }),
})

/**
 * Returns how a PostgreSQL program should name its working folder. Its user may lack access to
 * folders on the absolute path; the kernel's link to the working folder avoids that path.
 */
export const ownFolder = (path: string, user: SystemUser | null) =>
  user && process.platform === 'linux' ? '/proc/self/cwd' : path

export async function openFolder(folder: string, user: SystemUser | null) {
  try {
    await makeFolder(folder)
    await chmod(folder, 0o700)
    await changeOwner(folder, user)
  } catch (error) {
    throw new StartError(
      `The folder ${folder} cannot be created: ${(error as Error).message}`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Folder of the new cluster during an upgrade (embedded-upgrade.ts), and the mark that it is
 * complete.
 */
export const nextFolder = 'next'
export const completeFile = 'complete'

export async function prepareCluster(installation: ClusterSetup, log: Logger) {
  const { folder, cluster, user, binaries } = installation
  await removeUnfinished(folder)
  if (await stat(join(folder, nextFolder, completeFile)).catch(() => null))
    throw new StartError(
      `The upgrade of the database in ${folder} was interrupted: run "${ownCommand} upgrade-database" again`,
    )
  if (!(await stat(cluster).catch(() => null))) await createCluster(installation, log)
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => null)
  const complete =
    version && (await stat(join(cluster, 'global', 'pg_control')).catch(() => null))
  if (!complete)
    throw new StartError(
      `The database in ${cluster} is incomplete: restore it from a backup, or move the folder away to ` +
        'start with an empty one',
    )
  if (version.trim() !== binaries.major) {
    throw new StartError(
      `The database in ${cluster} was created by PostgreSQL ${version.trim()}, but this version of ` +
        `Botstead includes ${binaries.major}: run "${ownCommand} upgrade-database" (docs/upgrading.md)`,
    )
  }
  await changeOwnerOfAll(cluster, user)
  await chmod(cluster, 0o700)
}

/**
 * Removes leftovers of an interrupted first start. Only the holder of the data folder's lock
 * creates such folders.
 */
async function removeUnfinished(folder: string) {
  for (const name of await readdir(folder))
    if (name.startsWith('unfinished-'))
      await rm(join(folder, name), { recursive: true, force: true })
}

async function createCluster(
  { folder, cluster, user, binaries, address }: ClusterSetup,
  log: Logger,
) {
  log.info({ folder: cluster }, 'creating the database')
  const aside = await mkdtemp(join(folder, 'unfinished-'))
  await changeOwner(aside, user)
  // C.UTF-8 is certain to exist only on Linux; PostgreSQL's built-in locale is equivalent.
  const locale =
    process.platform === 'linux'
      ? ['--locale=C.UTF-8']
      : ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  const options = { ...user, cwd: aside, env: cleanEnvironment() }
  await new Promise<void>((resolve, reject) => {
    execFile(
      binaries.initdb,
      [
        '-D',
        ownFolder(aside, user),
        '-U',
        'postgres',
        ...address.initArguments,
        '-E',
        'UTF8',
        ...locale,
      ],
      options,
      (error, _, stderr) =>
        error
          ? reject(
              new StartError(
                `The database cannot be created in ${folder}: ` +
                  `${stderr.trim().split('\n').at(-1) || error.message}`,
                { cause: error },
              ),
            )
          : resolve(),
    )
  })
  await renameDurably(aside, cluster)
}

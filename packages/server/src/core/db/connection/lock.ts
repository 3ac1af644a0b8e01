// One server per data folder. In <data folder>/lock each holder creates a file named by a number.
// The highest number counts, and its file stays until a higher one exists. A take-over creates the
// next number, which the file system permits only once. So two processes never hold the lock at
// once, and kill -9 needs no cleanup: a dead holder is overtaken.
import { randomBytes } from 'node:crypto'
import {
  link,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findMachine, isAlive, makeFolder, readProcessStart } from '@botstead/lib'
import { DatabaseError } from './database-error.ts'

interface FolderLock {
  /** Publishes the server's URL for the error message of a second server. */
  announce(url: string): Promise<void>
  release(): Promise<void>
}

/** Another process holds the lock. `isServer` is false while a command works without a server. */
export class FolderInUse extends DatabaseError {
  readonly isServer: boolean

  constructor(message: string, { command }: Holder) {
    super(message)
    this.isServer = command === undefined
  }
}

interface Holder {
  pid: number
  /** Distinguishes processes with the same id. Null where the system does not report it. */
  startedAt: string | null
  /** The scope of the pid: a boot of a host, or a container. */
  place: string
  host: string
  url?: string
  /** The command that works on the folder; absent for a server. */
  command?: string
  released?: true
}

/**
 * Milliseconds between the holder's updates of its file's time, for processes that cannot inspect
 * it.
 */
const beatMs = 1000
const maxSilenceMs = 5000

/**
 * Locks the folder for a server, or for a command without one. Throws FolderInUse when another
 * process holds it, and DatabaseError when the folder is not writable.
 */
export async function lockDataFolder(
  folder: string,
  { command }: { command?: string } = {},
): Promise<FolderLock> {
  const locks = join(folder, 'lock')
  const self: Holder = { ...ownHolder(), ...(command && { command }) }
  try {
    await makeFolder(locks)
    for (;;) {
      const { newest, holder } = await findNewest(locks, self)
      if (holder) throw new FolderInUse(describe(folder, holder, self), holder)
      if (await take(locks, newest + 1, self)) return hold(locks, newest + 1, self)
    }
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    const reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
    throw new DatabaseError(
      `The data folder ${folder} is not writable (${reason}): set BOTSTEAD_DATA to another folder, or ` +
        'change its permissions',
      { cause: error },
    )
  }
}

const ownHolder = (): Holder => ({
  pid: process.pid,
  startedAt: readProcessStart(process.pid),
  place: findMachine(),
  host: hostname(),
})

async function findNewest(locks: string, self: Holder) {
  const newest = Math.max(0, ...(await numbers(locks)))
  return {
    newest,
    holder: newest ? await heldBy(join(locks, String(newest)), self) : null,
  }
}

/** Returns whether a server holds the folder. Takes no lock. */
export async function isServed(folder: string): Promise<boolean> {
  const locks = join(folder, 'lock')
  if (!(await stat(locks).catch(() => null))) return false
  const { holder } = await findNewest(locks, ownHolder())
  return holder !== null && holder.command === undefined
}

function describe(
  folder: string,
  { pid, url, host, place, command }: Holder,
  self: Holder,
) {
  const onHost = place === self.place ? '' : ` on ${host}`
  if (command)
    return (
      `"${command}" (process ${pid}${onHost}) uses the data folder ${folder}: wait for its end, ` +
      'or stop it'
    )
  const atUrl = url ? `, at ${url}` : ''
  const where = `process ${pid}${onHost}${atUrl}`
  return (
    `Another Botstead server uses the data folder ${folder} (${where}): stop it first, or set ` +
    'BOTSTEAD_DATA to another folder'
  )
}

/**
 * Returns false when another process was faster. A process with an outdated list may create a
 * number that existed before; then a higher one exists, and counts.
 */
async function take(locks: string, number: number, self: Holder): Promise<boolean> {
  const aside = await writeAside(locks, self)
  try {
    await link(aside, join(locks, String(number)))
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return false
    throw error
  } finally {
    await rm(aside, { force: true })
  }
  const others = (await readdir(locks)).filter((name) => name !== String(number))
  const overtaken = others.some((name) => Number(name) > number)
  for (const name of overtaken ? [String(number)] : others)
    await rm(join(locks, name), { force: true })
  return !overtaken
}

function hold(locks: string, number: number, self: Holder): FolderLock {
  const file = join(locks, String(number))
  const beating = setInterval(
    () => utimes(file, new Date(), new Date()).catch(() => {}),
    beatMs,
  ).unref()
  const rewrite = async (holder: Holder) => rename(await writeAside(locks, holder), file)
  return {
    announce: (url) => rewrite({ ...self, url }),
    async release() {
      clearInterval(beating)
      // Fails when the folder has been deleted; then there is nothing to release.
      await rewrite({ ...self, released: true }).catch(() => {})
    },
  }
}

/** Writes a temporary file first, so that the final name never has partial content. */
async function writeAside(locks: string, holder: Holder): Promise<string> {
  const aside = join(locks, `new-${randomBytes(8).toString('hex')}`)
  await writeFile(aside, JSON.stringify(holder), { flag: 'wx', mode: 0o600 })
  return aside
}

const numbers = async (locks: string) =>
  (await readdir(locks)).filter((name) => /^\d+$/.test(name)).map(Number)

/** Returns the live holder that a file names, or null. */
async function heldBy(file: string, self: Holder): Promise<Holder | null> {
  const text = await readFile(file, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '{"released":true}'
    throw error
  })
  const holder = parse(text)
  if (holder.released) return null
  if (holder.place === self.place) {
    const startedAt = readProcessStart(holder.pid)
    if (startedAt) return startedAt === holder.startedAt ? holder : null
    if (!isAlive(holder.pid)) return null
  }
  return (await stillBeats(file)) ? holder : null
}

/**
 * A power failure may leave an empty file, which names no holder; then only its updates show that
 * it is in use.
 */
function parse(text: string): Holder {
  try {
    return JSON.parse(text)
  } catch {
    return { pid: 0, startedAt: null, place: '', host: 'an unknown machine' }
  }
}

async function stillBeats(file: string): Promise<boolean> {
  const before = await stat(file).catch(() => null)
  await pause(maxSilenceMs)
  const after = await stat(file).catch(() => null)
  return before?.mtimeMs !== after?.mtimeMs
}

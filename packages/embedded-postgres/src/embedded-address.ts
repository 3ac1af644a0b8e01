// Where the embedded PostgreSQL listens: on a Unix socket that only its own user and root can
// reach, never on the network. On Windows, where that is not possible, on a loopback port with a
// password created at the first start.
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, readFile, realpath } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError, writeDurably } from '@botstead/lib'
import type { ClientConfig } from 'pg'
import { changeOwner, type SystemUser } from './embedded-user.ts'

export interface ClusterAddress {
  /** Connection settings without a database. */
  settings: ClientConfig
  initArguments: string[]
  serverArguments: string[]
}

export async function findAddress(
  folder: string,
  user: SystemUser | null,
): Promise<ClusterAddress> {
  return process.platform === 'win32'
    ? await findPort(folder)
    : await findSocket(folder, user)
}

async function findSocket(
  folder: string,
  user: SystemUser | null,
): Promise<ClusterAddress> {
  const near = join(folder, 'run')
  const isNear = fits(near)
  const host = isNear
    ? near
    : join(
        tmpdir(),
        `botstead-${createHash('sha256')
          .update(await realpath(folder))
          .digest('hex')
          .slice(0, 16)}`,
      )
  if (!fits(host))
    throw new StartError(
      `The paths ${folder} and ${tmpdir()} are both too long for a socket: set BOTSTEAD_DATA or ` +
        'TMPDIR to a shorter one',
    )
  await openSocketFolder(host, user)
  return {
    // Sets every option, so that PGPORT, PGSSLMODE and the like in the environment have no effect.
    settings: { host, port: 5432, user: 'postgres', ssl: false },
    initArguments: ['-A', 'trust'],
    // Relative to the data folder: PostgreSQL's user may lack access to folders on the absolute
    // path.
    serverArguments: [
      '-p',
      '5432',
      '-c',
      'listen_addresses=',
      '-c',
      `unix_socket_directories=${isNear ? '../run' : host}`,
      '-c',
      'unix_socket_permissions=0700',
    ],
  }
}

/**
 * The kernel limits a socket's path to 108 bytes on Linux, 104 elsewhere, including the final NUL.
 */
const fits = (folder: string) =>
  Buffer.byteLength(join(folder, '.s.PGSQL.5432')) <
  (process.platform === 'linux' ? 108 : 104)

/**
 * Rejects a folder that another user has created in the shared temporary folder: its owner could
 * intercept connections.
 */
async function openSocketFolder(host: string, user: SystemUser | null) {
  await mkdir(host, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  const found = await lstat(host)
  const owners = [process.getuid!(), user?.uid]
  if (!found.isDirectory() || !owners.includes(found.uid) || found.mode & 0o077)
    throw new StartError(
      `The folder ${host} must belong to this user and be closed to others: remove it`,
    )
  await changeOwner(host, user)
}

async function findPort(folder: string): Promise<ClusterAddress> {
  const file = join(folder, 'address.json')
  const passwordFile = join(folder, 'password')
  const known = await readFile(file, 'utf8').catch(() => null)
  const { port, password } = known
    ? JSON.parse(known)
    : { port: await findFreePort(), password: randomBytes(24).toString('base64url') }
  if (!known) {
    await writeDurably(passwordFile, password)
    await writeDurably(file, JSON.stringify({ port, password }))
  }
  return {
    settings: { host: '127.0.0.1', port, user: 'postgres', password, ssl: false },
    initArguments: ['-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    serverArguments: ['-p', String(port), '-c', 'listen_addresses=127.0.0.1'],
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        resolve(typeof address === 'object' && address ? address.port : 0),
      )
    })
  })
}

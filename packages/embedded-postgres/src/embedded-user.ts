// The user of the embedded PostgreSQL. It refuses to run as root; a server that runs as root starts
// it as the owner of its folder, initially the system's unprivileged user.
import { execFile } from 'node:child_process'
import { lchown, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@botstead/lib'

export interface SystemUser {
  uid: number
  gid: number
}

/**
 * Returns the user, or null for the current one. The owner of the folder decides, because the
 * unprivileged user has another id on other machines.
 */
export async function findDatabaseUser(folder: string): Promise<SystemUser | null> {
  if (!process.getuid) return null
  const owner = await stat(join(folder, 'cluster')).catch(() =>
    stat(folder).catch(() => null),
  )
  if (process.getuid() === 0)
    return owner && owner.uid !== 0
      ? { uid: owner.uid, gid: owner.gid }
      : await findNobody()
  if (owner && owner.uid !== process.getuid()) {
    throw new StartError(
      `The database in ${folder} belongs to the user with the id ${owner.uid}: start Botstead as root ` +
        'or as that user, or change the owner of the folder',
    )
  }
  return null
}

async function findNobody(): Promise<SystemUser> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const [, uid = '65534', gid = '65534'] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * Returns whether the user may traverse all folders on the path. Below a closed one, such as /root,
 * even the user's own files are inaccessible.
 */
export function canReach(folder: string, user: SystemUser | null): Promise<boolean> {
  if (!user) return Promise.resolve(true)
  return new Promise((resolve) =>
    execFile('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/' }, (error) =>
      resolve(!error),
    ),
  )
}

export async function changeOwner(path: string, user: SystemUser | null) {
  if (user) await lchown(path, user.uid, user.gid)
}

/** Changes the owner of a folder that was restored from a backup or copied by root. */
export async function changeOwnerOfAll(folder: string, user: SystemUser | null) {
  if (!user || (await stat(folder)).uid === user.uid) return
  for (const path of await readdir(folder, { recursive: true }))
    await changeOwner(join(folder, path), user)
  await changeOwner(folder, user)
}

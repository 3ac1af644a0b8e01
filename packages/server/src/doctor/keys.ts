// The keys in the data folder: there, and nobody else's to read.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type Check, finding } from './finding.ts'

async function masterKey({ dataFolder, masterKey }: Config) {
  if (masterKey) return finding('keys', 'the master key comes from BOTSTEAD_MASTER_KEY', true, '')
  const file = join(dataFolder, 'keys', 'master.key')
  const there = await stat(file).catch(() => null)
  if (!there) return finding('keys', 'the master key is made at the first start', true, '')
  return finding(
    'keys',
    'the master key is readable by its owner alone',
    (there.mode & 0o077) === 0,
    `chmod 600 ${file}, and keep a copy of it apart from the backups of the database`,
  )
}

async function keysFolder({ dataFolder }: Config) {
  const folder = join(dataFolder, 'keys')
  const there = await stat(folder).catch(() => null)
  if (!there) return null
  const isOwn = !process.getuid || there.uid === process.getuid()
  const isClosed = isOwn && (there.mode & 0o077) === 0
  return finding(
    'keys',
    "the folder of the keys is its owner's alone",
    isClosed,
    isOwn ? `chmod 700 ${folder}` : `${folder} belongs to another user: chown it`,
  )
}

async function backups({ dataFolder }: Config) {
  const file = join(dataFolder, 'keys', 'master.key')
  if (!(await stat(file).catch(() => null))) return null
  return finding(
    'keys',
    'backups have no keys in them',
    false,
    `keep a copy of ${file} elsewhere: without it no backup can be restored`,
    'advice',
  )
}

async function credentialsFile({ dataFolder }: Config) {
  const file = join(dataFolder, 'credentials.json')
  const there = await stat(file).catch(() => null)
  return (
    there &&
    finding(
      'keys',
      'the first token is readable by its owner alone',
      (there.mode & 0o077) === 0,
      `chmod 600 ${file}`,
    )
  )
}

export const keyChecks: Check[] = [masterKey, keysFolder, credentialsFile, backups]

// Checks that only the owner can read the keys in the data folder.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Section } from '../../../core/config/index.ts'
import { type DoctorCheck, finding } from './finding.ts'

async function masterKey({
  dataFolder,
  masterKey,
}: Section<'keys'> & Section<'storage'>) {
  if (masterKey)
    return finding('keys', 'the master key comes from BOTSTEAD_MASTER_KEY', true, '')
  const file = join(dataFolder, 'keys', 'master.key')
  const there = await stat(file).catch(() => null)
  if (!there) return finding('keys', 'the first start creates the master key', true, '')
  const isClosed = (there.mode & 0o077) === 0
  return finding(
    'keys',
    isClosed
      ? 'only the owner can read the master key'
      : 'other users can read the master key',
    isClosed,
    `chmod 600 ${file}`,
  )
}

async function keysFolder({ dataFolder }: Section<'keys'> & Section<'storage'>) {
  const folder = join(dataFolder, 'keys')
  const there = await stat(folder).catch(() => null)
  if (!there) return null
  const isOwn = !process.getuid || there.uid === process.getuid()
  const isClosed = isOwn && (there.mode & 0o077) === 0
  return finding(
    'keys',
    isClosed
      ? 'only the owner can open the key folder'
      : 'other users can open the key folder',
    isClosed,
    isOwn
      ? `chmod 700 ${folder}`
      : `${folder} belongs to another user: give it to the user that starts the server (chown)`,
  )
}

async function backups({ dataFolder }: Section<'keys'> & Section<'storage'>) {
  const file = join(dataFolder, 'keys', 'master.key')
  if (!(await stat(file).catch(() => null))) return null
  return finding(
    'keys',
    'backups contain no keys by default',
    false,
    `keep a copy of ${file} apart from the backups: without it they cannot be restored`,
    'advice',
  )
}

async function credentialsFile({ dataFolder }: Section<'keys'> & Section<'storage'>) {
  const file = join(dataFolder, 'credentials.json')
  const there = await stat(file).catch(() => null)
  if (!there) return null
  const isClosed = (there.mode & 0o077) === 0
  return finding(
    'keys',
    isClosed
      ? 'only the owner can read the first token'
      : 'other users can read the first token',
    isClosed,
    `chmod 600 ${file}`,
  )
}

export const keyChecks: DoctorCheck[] = [masterKey, keysFolder, credentialsFile, backups]

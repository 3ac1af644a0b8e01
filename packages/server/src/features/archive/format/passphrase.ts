// Encrypts the secrets of an archive with a key derived from a passphrase.
import { randomBytes, scrypt } from 'node:crypto'
import { FairTurns } from '@botstead/lib'
import { secretValues } from '../../../core/sealing/index.ts'
import { ArchiveError } from './archive-error.ts'
import type { ValueOpener, ValueSealer } from './sealed-values.ts'

/** Part of the archive's heading: the salt, and a text to verify a passphrase. */
export interface PassphraseLock {
  salt: string
  check: string
}

const minLength = 12
const location = 'archive.check'

/** Each guess costs a third of a second and 128 MB. */
const settings = { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 }

/** Leaves threads of the pool to files and to passwords. Workspaces take turns. */
const turns = new FairTurns({ capacity: 2, maxPerKey: 1 })

const deriveKey = (passphrase: string, salt: Buffer) =>
  new Promise<Buffer>((resolve, reject) =>
    scrypt(passphrase.normalize('NFC'), salt, 32, settings, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

async function keyInTurn(workspaceId: string, passphrase: string, salt: Buffer) {
  const turn = turns.take(workspaceId)
  await turn.admitted
  return deriveKey(passphrase, salt).finally(turn.leave)
}

/** Derives one key for all secrets of the archive. */
async function toSecrets(workspaceId: string, passphrase: string, salt: Buffer) {
  const one = {
    id: Buffer.alloc(16),
    key: await keyInTurn(workspaceId, passphrase, salt),
  }
  return secretValues.open(one.key, { of: async () => one, withId: async () => one })
}

/** Throws ArchiveError if the passphrase is too short. */
export async function lockWith(
  workspaceId: string,
  passphrase: string,
): Promise<{ secrets: ValueSealer; locked: PassphraseLock }> {
  if (passphrase.length < minLength)
    throw new ArchiveError(`The passphrase must have at least ${minLength} characters`)
  const salt = randomBytes(16)
  const secrets = await toSecrets(workspaceId, passphrase, salt)
  return {
    secrets,
    locked: {
      salt: salt.toString('base64'),
      check: (await secrets.seal(null, '', location)).toString('base64'),
    },
  }
}

/** Throws ArchiveError for a wrong passphrase. */
export async function unlockWith(
  workspaceId: string,
  passphrase: string,
  { salt, check }: PassphraseLock,
): Promise<ValueOpener> {
  const secrets = await toSecrets(workspaceId, passphrase, Buffer.from(salt, 'base64'))
  try {
    await secrets.open(Buffer.from(check, 'base64'), location)
    return secrets
  } catch (error) {
    throw new ArchiveError('Wrong passphrase for this archive', { cause: error })
  }
}

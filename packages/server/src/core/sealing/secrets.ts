// Encrypts secrets with AES-256-GCM under a data key of their workspace; the ciphertext names its
// key. sealing/keyring.ts manages the keys. Other uses derive keys by label, so that no key has two
// purposes.
import { createCipheriv, randomBytes } from 'node:crypto'
import { setImmediate as others } from 'node:timers/promises'
import { ApiError } from '@botstead/contract'
import { decrypt, deriveKey, encrypt } from '@botstead/lib'

export interface Secrets {
  /**
   * Encrypts under the key of a workspace or, for null, of the server. `location` names table,
   * column and row: a ciphertext copied elsewhere, or relabelled with another key, does not
   * decrypt. Pieces are for large content: the event loop runs between them.
   */
  seal(
    workspaceId: string | null,
    plain: string | Buffer[],
    location: string,
  ): Promise<Buffer>
  open(sealed: Buffer, location: string): Promise<string>
  /** Derives a 32-byte key for one purpose. */
  derive(label: string): Buffer
}

export interface DataKey {
  /** 16 bytes. */
  id: Buffer
  key: Buffer
}

/** Data keys, cached: a known key causes no query. */
export interface DataKeys {
  /** Creates the key when there is none. */
  of(owner: string): Promise<DataKey>
  /** Throws when there is no such key. */
  withId(id: Buffer): Promise<DataKey>
}

/** Secrets sealed before data keys existed share one key, which has this id. */
export const formerKeyId = Buffer.from('00000000000000000000000000000001', 'hex')

const former = 1
const scheme = 2

export const openSecrets = (root: Buffer, keys: DataKeys): Secrets => ({
  derive: (label) => deriveKey(root, label),
  async seal(workspaceId, plain, location) {
    const { id, key } = await keys.of(workspaceId ?? '')
    const before = Buffer.concat([Buffer.of(scheme), id])
    if (typeof plain !== 'string')
      return encryptPieces(before, key, plain, boundTo(id, location))
    return Buffer.concat([
      before,
      encrypt(key, Buffer.from(plain), boundTo(id, location)),
    ])
  },
  async open(sealed, location) {
    if (sealed[0] === former)
      return decrypt(
        (await keys.withId(formerKeyId)).key,
        sealed.subarray(1),
        location,
      ).toString()
    if (sealed[0] !== scheme)
      throw new Error(
        `Sealed with a scheme that this version does not know: ${sealed[0]}`,
      )
    const { id, key } = await keys.withId(sealed.subarray(1, 17))
    return decrypt(key, sealed.subarray(17), boundTo(id, location)).toString()
  },
})

const boundTo = (id: Buffer, location: string) =>
  `${scheme} ${id.toString('hex')} ${location}`

/** Encrypts pieces like one text, and prepends `before`. */
async function encryptPieces(
  before: Buffer,
  key: Buffer,
  pieces: Buffer[],
  bound: string,
): Promise<Buffer> {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(bound))
  const tagAt = before.length + iv.length
  let at = tagAt + 16
  const sealed = Buffer.alloc(pieces.reduce((size, piece) => size + piece.length, at))
  before.copy(sealed)
  iv.copy(sealed, before.length)
  for (const piece of pieces) {
    at += cipher.update(piece).copy(sealed, at)
    await others()
  }
  cipher.final()
  cipher.getAuthTag().copy(sealed, tagAt)
  return sealed
}

/** {NAME: ciphertext as base64} */
type SealedSecrets = Record<string, string>

/** Secrets become environment variables `SECRET_NAME`. */
const nameShape = /^[A-Za-z_][A-Za-z0-9_]{0,99}$/

/** Throws InvalidIdentifier for a name that is not a valid environment variable. */
function checkSecretNames(secrets: Record<string, unknown>): void {
  if (!Object.keys(secrets).every((name) => nameShape.test(name)))
    throw new ApiError(
      'InvalidIdentifier',
      'The name of a secret must consist of letters, digits and underscores, and must not begin with a digit',
    )
}

/**
 * Applies a change to sealed secrets; null removes one. `location` names the row. Throws as
 * `checkSecretNames`.
 */
async function sealChange(
  secrets: Secrets,
  workspaceId: string | null,
  location: string,
  now: SealedSecrets,
  change: Record<string, string | null>,
): Promise<SealedSecrets> {
  checkSecretNames(change)
  const merged = new Map(Object.entries(now))
  for (const [name, value] of Object.entries(change)) {
    if (value === null) merged.delete(name)
    else
      merged.set(
        name,
        (await secrets.seal(workspaceId, value, `${location}/${name}`)).toString(
          'base64',
        ),
      )
  }
  return Object.fromEntries(merged)
}

async function openAll(
  secrets: Secrets,
  location: string,
  sealed: SealedSecrets,
): Promise<Record<string, string>> {
  const open = async ([name, value]: [string, string]) =>
    [
      name,
      await secrets.open(Buffer.from(value, 'base64'), `${location}/${name}`),
    ] as const
  return Object.fromEntries(await Promise.all(Object.entries(sealed).map(open)))
}

/** Secret values, stored encrypted. */
export const secretValues = {
  checkNames: checkSecretNames,
  openAll,
  open: openSecrets,
  sealChange,
}

// Who made an archive: each installation has a pair of keys of its own, derived from its master key. Anybody can check a signature, so an archive that
// was changed on its way is refused; whose it is, the fingerprint says to who knows the maker's.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { Secrets } from '../lib/secrets.ts'

export interface Signer {
  /** Base64. */
  publicKey: string
  sign(content: Buffer): string
}

/** What stands before the 32 bytes of an Ed25519 key: in PKCS #8 for a private one, in SPKI for a public one. */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function signerOf(secrets: Pick<Secrets, 'derive'>): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([privatePrefix, secrets.derive('archives')]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicPrefix.length)
    .toString('base64')
  return { publicKey, sign: (content) => sign(null, content, key).toString('base64') }
}

export function isSignedBy(publicKey: string, content: Buffer, signature: string): boolean {
  const bytes = Buffer.from(publicKey, 'base64')
  if (bytes.length !== 32) return false
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
  return verify(null, content, key, Buffer.from(signature, 'base64'))
}

/** Short enough to be compared by eye. */
export const fingerprintOf = (publicKey: string) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32)

// Ed25519 signatures. The fingerprint of a public key identifies its signer to people who know it.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

export interface Signer {
  /** Base64. */
  publicKey: string
  sign(content: Buffer): string
}

/**
 * DER prefixes of the 32 bytes of an Ed25519 key: PKCS #8 for a private key, SPKI for a public one.
 */
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex')

/** `seed` has 32 bytes, and is the private key. */
export function toSigner(seed: Buffer): Signer {
  const key = createPrivateKey({
    key: Buffer.concat([privatePrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const publicKey = createPublicKey(key)
    .export({ format: 'der', type: 'spki' })
    .subarray(publicPrefix.length)
    .toString('base64')
  return { publicKey, sign: (content) => sign(null, content, key).toString('base64') }
}

export function isSignedBy(
  publicKey: string,
  content: Buffer,
  signature: string,
): boolean {
  const bytes = Buffer.from(publicKey, 'base64')
  if (bytes.length !== 32) return false
  const key = createPublicKey({
    key: Buffer.concat([publicPrefix, bytes]),
    format: 'der',
    type: 'spki',
  })
  return verify(null, content, key, Buffer.from(signature, 'base64'))
}

/** Short enough for people to compare. */
export const toFingerprint = (publicKey: string) =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 32)

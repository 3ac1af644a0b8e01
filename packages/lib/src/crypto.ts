// Encryption with AES-256-GCM, derived keys and hashes.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hash,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'

/** Returns initialisation vector, tag and ciphertext. Decryption requires the same `bound`. */
export function encrypt(key: Buffer, plain: Buffer, bound: string): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(bound))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** Throws for another key, another `bound`, or a modified ciphertext. */
export function decrypt(key: Buffer, sealed: Buffer, bound: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12), {
    authTagLength: 16,
  }).setAAD(Buffer.from(bound))
  decipher.setAuthTag(sealed.subarray(12, 28))
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()])
}

export const deriveKey = (from: Buffer, label: string) =>
  Buffer.from(hkdfSync('sha256', from, 'botstead', label, 32))

export const sha256 = (text: string) => hash('sha256', text, 'buffer')

/** Compares in constant time, regardless of lengths. */
export const sameText = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b))

export const hmac = (key: Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest()

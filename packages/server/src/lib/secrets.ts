// Keys and what is sealed with them. One master key; what it is used for is derived from it by a label, so that no key has two uses.
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

export interface Secrets {
  /** AES-256-GCM. `place` names the row and column: a sealed value moved elsewhere does not open. */
  seal(plain: string, place: string): Buffer
  open(sealed: Buffer, place: string): string
  /** A key for one purpose only, 32 bytes. */
  derive(label: string): Buffer
}

export function openSecrets(masterKey: Buffer): Secrets {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', masterKey, 'botstead', label, 32))
  const key = derive('seal')
  return {
    derive,
    seal(plain, place) {
      const iv = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(place))
      const body = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return Buffer.concat([Buffer.of(1), iv, cipher.getAuthTag(), body])
    },
    open(sealed, place) {
      if (sealed[0] !== 1) throw new Error(`Sealed with a scheme that this version does not know: ${sealed[0]}`)
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 13)).setAAD(Buffer.from(place))
      decipher.setAuthTag(sealed.subarray(13, 29))
      return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8')
    },
  }
}

export const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** In constant time, whatever their lengths. */
export const sameText = (a: string, b: string) => timingSafeEqual(sha256(a), sha256(b))

export const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()

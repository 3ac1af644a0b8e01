// User keys of the Chat API: JWTs, HS256 and nothing else, whose claim `id` says who it is. Bots sign with an encryption key of their own
// or share the server's. Verifying is jose's work; a key that was good is remembered, since every request of a client brings the same.
import { jwtVerify, SignJWT } from 'jose'
import { sha256 } from '../lib/secrets.ts'
import type { ChatCaller, UserKeys } from '../services.ts'

const mostRemembered = 20_000
const longestKey = 4_096

export function userKeys(sharedKey: string): UserKeys {
  const remembered = new Map<string, string>()
  const secretOf = (chat: ChatCaller) => new TextEncoder().encode(chat.encryptionKey || sharedKey)

  return {
    make: (chat, id) => new SignJWT({ id }).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).setIssuedAt().sign(secretOf(chat)),
    async read(chat, key) {
      if (key.length > longestKey) return null
      const place = sha256(`${chat.encryptionKey}\n${key}`).toString('base64')
      const known = remembered.get(place)
      if (known !== undefined) return known
      const claims = await jwtVerify(key, secretOf(chat), { algorithms: ['HS256'] }).then(
        ({ payload }) => payload,
        () => null,
      )
      if (typeof claims?.id !== 'string' || claims.id === '' || claims.id.includes('\0') || !claims.id.isWellFormed()) return null
      if (claims.exp === undefined) {
        remembered.set(place, claims.id)
        if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
      }
      return claims.id
    },
  }
}

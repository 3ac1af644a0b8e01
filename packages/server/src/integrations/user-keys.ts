// User keys of the Chat API: JWTs, HS256 and nothing else, whose claim `id` says who it is. Bots sign with an encryption key of their own
// or rely on the server's. The keys that the server hands out are good in one chat only: users choose their ids, so whoever is "ann" in a chat
// of their own must not thereby be the "ann" of another. What the operator signs with the server's key itself is good in every such chat.
// Verifying is jose's work; a key that was good is remembered, since every request of a client brings the same.
import { type JWTVerifyResult, jwtVerify, SignJWT } from 'jose'
import { hmac, sha256 } from '../lib/secrets.ts'
import type { ChatCaller, UserKey, UserKeys } from '../services.ts'

const mostRemembered = 20_000
const longestKey = 4_096
/** The compact form alone, without the padding and line breaks that some decoders let through. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function userKeys(sharedKey: string): UserKeys {
  const remembered = new Map<string, UserKey>()
  const shared = Buffer.from(sharedKey)
  /** The first signs, all are believed. */
  const secretsOf = ({ encryptionKey, webhookId }: ChatCaller): [Uint8Array, ...Uint8Array[]] =>
    encryptionKey ? [Buffer.from(encryptionKey)] : [hmac(shared, `user keys of ${webhookId}`), shared]

  return {
    make: (chat, id) =>
      new SignJWT({ id })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt()
        .sign(secretsOf(chat)[0]),
    async read(chat, key) {
      if (key.length > longestKey || !compact.test(key)) return null
      const place = sha256(`${chat.webhookId}\n${chat.encryptionKey}\n${key}`).toString('base64')
      const before = remembered.get(place)
      if (before !== undefined) return before
      const verified = await verify(key, secretsOf(chat))
      // `crit` asks for what we do not know.
      if (!verified || verified.protectedHeader.crit !== undefined || key.split('.', 2).some(isAmbiguous))
        return null
      const { id, exp } = verified.payload
      if (typeof id !== 'string' || id === '' || id.includes('\0') || !id.isWellFormed()) return null
      const known = { claim: id, isIssued: !chat.encryptionKey && verified.isFirst }
      if (exp === undefined) {
        remembered.set(place, known)
        if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value!)
      }
      return known
    },
  }
}

/** `isFirst`: it was signed with the first of the secrets. */
async function verify(
  key: string,
  secrets: Uint8Array[],
): Promise<(JWTVerifyResult & { isFirst: boolean }) | null> {
  for (const secret of secrets) {
    const verified = await jwtVerify(key, secret, { algorithms: ['HS256'] }).catch(() => null)
    if (verified) return { isFirst: secret === secrets[0], ...verified }
  }
  return null
}

const strictly = new TextDecoder('utf-8', { fatal: true })
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs

/** One reader might take the first of two equal names, or mend broken characters in its own way: then the key means two users. */
function isAmbiguous(part: string): boolean {
  try {
    return hasEqualNames(strictly.decode(Buffer.from(part, 'base64url')))
  } catch {
    return true
  }
}

/** Within one object of a text that is JSON, however the names are escaped. */
function hasEqualNames(json: string): boolean {
  const names: Set<string>[] = []
  for (const [token, isName] of json.matchAll(tokens)) {
    if (token === '{') names.push(new Set())
    else if (token === '}') names.pop()
    else if (isName) {
      const name: string = JSON.parse(token.slice(0, -isName.length))
      if (names.at(-1)?.has(name)) return true
      names.at(-1)?.add(name)
    }
  }
  return false
}

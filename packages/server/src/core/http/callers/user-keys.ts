// User keys of the Chat API: JWTs (HS256 only) with the user in the claim `id`. Bots sign with
// their own encryption key or use the server's. Keys that the server issues are valid in one chat
// only: users choose their ids, so "ann" of one chat must not become "ann" of another. Keys that
// the operator signs with the server's key are valid in every such chat. The library jose verifies;
// valid keys are cached, since every request of a client sends the same key.

import { sha256 } from '@botstead/lib'
import { type JWTVerifyResult, jwtVerify, SignJWT } from 'jose'
import { userKeySecret } from '../../sealing/index.ts'
import type { ChatCaller, SignedAddress, UserKey, UserKeys } from './callers.ts'

const maxCached = 20_000
const maxKeyLength = 4_096
/** Accepts only the compact form, without padding and line breaks, which some decoders tolerate. */
const compact = /^[\w-]+\.[\w-]+\.[\w-]+$/

export function createUserKeys(sharedKey: string): UserKeys {
  const remembered = new Map<string, UserKey>()
  const shared = Buffer.from(sharedKey)
  /** The first secret signs; all verify. */
  const listSecrets = ({
    encryptionKey,
    webhookId,
    carriedKeys,
  }: ChatCaller): [Uint8Array, ...Uint8Array[]] =>
    encryptionKey
      ? [Buffer.from(encryptionKey)]
      : [userKeySecret(sharedKey, webhookId), ...carriedKeys, shared]

  return {
    make(chat, id, expiresAt) {
      const key = new SignJWT({ id })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuedAt()
      if (expiresAt !== undefined) key.setExpirationTime(new Date(expiresAt))
      return key.sign(listSecrets(chat)[0])
    },
    async read(chat, key) {
      if (key.length > maxKeyLength || !compact.test(key)) return null
      const cacheKey = sha256(
        `${chat.webhookId}\n${chat.encryptionKey}\n${key}`,
      ).toString('base64')
      const before = remembered.get(cacheKey)
      if (before !== undefined) return before
      const verified = await verify(key, listSecrets(chat))
      // `crit` requires extensions that this server does not support.
      if (
        !verified ||
        verified.protectedHeader.crit !== undefined ||
        key.split('.', 2).some(isAmbiguous)
      )
        return null
      const { id, exp } = verified.payload
      if (typeof id !== 'string' || id === '' || id.includes('\0') || !id.isWellFormed())
        return null
      const isIssued = !chat.encryptionKey && verified.nth <= chat.carriedKeys.length
      const signedAddresses = isIssued ? [] : readAddresses(verified.payload)
      const known = { claim: id, isIssued, signedAddresses }
      if (exp === undefined) {
        remembered.set(cacheKey, known)
        if (remembered.size > maxCached)
          remembered.delete(remembered.keys().next().value!)
      }
      return known
    },
    async readClaims({ encryptionKey, adminSecret }, token) {
      const secrets = [encryptionKey, adminSecret].filter((secret) => secret !== '')
      if (!compact.test(token) || token.split('.', 2).some(isAmbiguous)) return null
      const verified = await verify(
        token,
        secrets.map((secret) => Buffer.from(secret)),
      )
      if (!verified || verified.protectedHeader.crit !== undefined) return null
      const { iat: _, exp: _until, nbf: _since, ...claims } = verified.payload
      return claims
    },
  }
}

/** Returns the addresses in the standard claims of OpenID Connect. */
function readAddresses(claims: Record<string, unknown>): SignedAddress[] {
  const { email, email_verified, phone_number, phone_number_verified } = claims
  return [
    { kind: 'email' as const, address: email, isVerified: email_verified === true },
    {
      kind: 'phone' as const,
      address: phone_number,
      isVerified: phone_number_verified === true,
    },
  ].flatMap(({ address, ...rest }) =>
    typeof address === 'string' ? [{ ...rest, address }] : [],
  )
}

/** `nth`: signed with this one of the secrets. */
async function verify(
  key: string,
  secrets: Uint8Array[],
): Promise<(JWTVerifyResult & { nth: number }) | null> {
  for (const [nth, secret] of secrets.entries()) {
    const verified = await jwtVerify(key, secret, { algorithms: ['HS256'] }).catch(
      () => null,
    )
    if (verified) return { nth, ...verified }
  }
  return null
}

const strictly = new TextDecoder('utf-8', { fatal: true })
const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/gs

/**
 * Parsers differ on duplicate names and invalid UTF-8: such a key could mean two different users.
 */
function isAmbiguous(part: string): boolean {
  try {
    return hasEqualNames(strictly.decode(Buffer.from(part, 'base64url')))
  } catch {
    return true
  }
}

/**
 * Detects duplicate names within one object of valid JSON text, also when names are escaped
 * differently.
 */
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

// Signed tokens (JWT) by which providers prove that a request is theirs.
import {
  createLocalJWKSet,
  errors,
  type JSONWebKeySet,
  type JWTPayload,
  jwtVerify,
} from 'jose'
import { ChannelError, type Context, type ProviderRequest } from '../channel.ts'
import { toJson } from '../provider-calls.ts'

interface Expected {
  /** Of the provider, for messages. */
  title: string
  /** Where the provider publishes its keys. */
  keysUrl: string
  issuer: string[]
  audience: string[]
}

type Key = JSONWebKeySet['keys'][number]

interface Keys {
  loadedAt: number
  list: Key[]
  find: ReturnType<typeof createLocalJWKSet>
}

const keptMs = 24 * 60 * 60_000
/** A token with an unknown key loads the keys again, but not more often. */
const minRefreshMs = 60_000
const maxKeptUrls = 1_000
const maxKeyBytes = 2 ** 20
const maxTokenLength = 16_384
const clockToleranceSeconds = 5 * 60

const kept = new Map<string, Promise<Keys>>()

/**
 * Returns the claims of the request's bearer token, and the key that signed it. Throws ChannelError: "forged"
 * for a missing or wrong token, "unavailable" if the keys cannot be loaded.
 */
export async function verifyRequest(
  context: Pick<Context, 'request'>,
  { headers }: Pick<ProviderRequest, 'headers'>,
  expected: Expected,
): Promise<{ claims: JWTPayload; key: Key }> {
  const token = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(
    headers.authorization ?? '',
  )?.[1]
  if (!token || token.length > maxTokenLength) throw forged(expected, 'it has no token')
  const keys = await loadKeys(context, expected)
  try {
    return await verify(token, keys, expected)
  } catch (error) {
    const isOld = Date.now() - keys.loadedAt > minRefreshMs
    if (!(error instanceof errors.JWKSNoMatchingKey && isOld))
      throw toForged(error, expected)
  }
  kept.delete(expected.keysUrl)
  const newer = await loadKeys(context, expected)
  return verify(token, newer, expected).catch((error) => {
    throw toForged(error, expected)
  })
}

async function verify(
  token: string,
  { find, list }: Keys,
  { issuer, audience }: Expected,
) {
  const { payload: claims, protectedHeader } = await jwtVerify(token, find, {
    issuer,
    audience,
    algorithms: ['RS256'],
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ['exp'],
  })
  return { claims, key: list.find(({ kid }) => kid === protectedHeader.kid) ?? {} }
}

export const forged = ({ title }: Pick<Expected, 'title'>, reason: string) =>
  new ChannelError('forged', `The request is not from ${title}: ${reason}`)

const reasons: Record<string, string> = {
  aud: 'its token is for another app. Compare the settings with those of the provider.',
  iss: 'somebody else has issued its token',
}

function toForged(error: unknown, expected: Expected): unknown {
  if (error instanceof errors.JWTExpired) return forged(expected, 'its token has expired')
  if (error instanceof errors.JWTClaimValidationFailed)
    return forged(expected, reasons[error.claim] ?? 'its token is wrong')
  return error instanceof errors.JOSEError || error instanceof TypeError
    ? forged(expected, 'its token is wrong')
    : error
}

/** Failures are not kept. */
async function loadKeys(
  context: Pick<Context, 'request'>,
  expected: Expected,
): Promise<Keys> {
  const { keysUrl } = expected
  const found = await kept.get(keysUrl)
  if (found && Date.now() - found.loadedAt < keptMs) return found
  const loaded = fetchKeys(context, expected)
  kept.set(keysUrl, loaded)
  loaded.catch(() => kept.delete(keysUrl))
  const [oldest] = kept.keys()
  if (kept.size > maxKeptUrls && oldest !== undefined) kept.delete(oldest)
  return loaded
}

async function fetchKeys(
  { request }: Pick<Context, 'request'>,
  { keysUrl, title }: Expected,
): Promise<Keys> {
  const response = await request(keysUrl, { timeoutMs: 10_000, maxBytes: maxKeyBytes })
  const { keys: list } = toJson(response) as { keys?: Key[] }
  if (response.status !== 200 || !Array.isArray(list))
    throw new ChannelError(
      'unavailable',
      `${title} does not give its keys at "${keysUrl}"`,
    )
  try {
    return { loadedAt: Date.now(), list, find: createLocalJWKSet({ keys: list }) }
  } catch {
    throw new ChannelError('unavailable', `${title} gives no valid keys at "${keysUrl}"`)
  }
}

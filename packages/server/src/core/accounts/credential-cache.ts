// Caches the subjects of credentials and the roles of accounts, which every request looks up. Changes
// invalidate the entries in all processes at once (`Services.invalidate`).
import type { Role } from '@botstead/contract'
import { type Cache, openCache, sha256 } from '@botstead/lib'
import type { Db } from '../db/index.ts'
import type { CallerFinder, CallerSession, Invalidation } from '../http/index.ts'
import { findOnlyWorkspace, findRole } from './members.ts'
import { findSession } from './sessions.ts'
import { findToken } from './tokens.ts'

type CredentialFinder = Pick<
  CallerFinder,
  'token' | 'knownToken' | 'session' | 'knownSession' | 'role' | 'onlyWorkspace'
>

interface CredentialCache extends CredentialFinder {
  invalidate(what: Invalidation | 'all'): void
}

const settings = { size: 10_000, ttlMs: 30_000 }
/** A separate cache, so that a flood of guesses does not evict valid tokens. */
const invalidSettings = { ...settings, size: 2_000 }
const isKnown = (found: unknown) => found !== null
const parseKey = (key: string) =>
  JSON.parse(key) as [workspaceId: string, accountId: string]

export function openCredentialCache(db: Db): CredentialCache {
  // By hash: the caches hold no tokens and no cookies.
  const values = new Map<string, string>()
  const caches = openCaches(db, values)
  const { tokens, invalid, sessions, invalidSessions, memberships } = caches
  const ofTokens = { values, found: tokens, invalid }
  const ofSessions = { values, found: sessions, invalid: invalidSessions }
  return {
    token: (value) => findByValue(ofTokens, value),
    knownToken: (value) => knownByHash(ofTokens, digest(value)),
    session: (value) => findByValue(ofSessions, value),
    knownSession: (value) => knownByHash(ofSessions, digest(value)),
    role: (...key) => memberships.get(JSON.stringify(key)),
    onlyWorkspace: (accountId) => findOnlyWorkspace(db, accountId),
    invalidate: (what) => invalidate(caches, what),
  }
}

const digest = (value: string) => sha256(value).toString('hex')

interface ByHash<Found> {
  values: Map<string, string>
  found: Cache<Found | null>
  invalid: Cache<null>
}

async function findByValue<Found>(
  caches: ByHash<Found>,
  value: string,
): Promise<Found | null> {
  const { values, found, invalid } = caches
  const hash = digest(value)
  const remembered = knownByHash(caches, hash)
  if (remembered !== undefined) return remembered
  values.set(hash, value)
  const loaded = await found.get(hash).finally(() => values.delete(hash))
  return loaded ?? invalid.get(hash)
}

const knownByHash = <Found>({ found, invalid }: ByHash<Found>, hash: string) =>
  found.peek(hash) ?? invalid.peek(hash)

/** `values` has the tokens of the hashes that are being looked up. */
function openCaches(db: Db, values: ReadonlyMap<string, string>) {
  const known = { ...settings, keeps: isKnown }
  return {
    tokens: openCache((hash) => findToken(db, values.get(hash) ?? ''), known),
    sessions: openCache<CallerSession | null>(
      (hash) => findSession(db, values.get(hash) ?? ''),
      known,
    ),
    invalid: openCache<null>(async () => null, invalidSettings),
    invalidSessions: openCache<null>(async () => null, invalidSettings),
    // A new membership must take effect at once, so missing ones are not cached.
    memberships: openCache<Role | null>((key) => findRole(db, ...parseKey(key)), known),
  }
}

type Caches = ReturnType<typeof openCaches>

function invalidate(caches: Caches, what: Invalidation | 'all'): void {
  const { tokens, invalid, sessions, memberships } = caches
  if (what === 'all') for (const cache of Object.values(caches)) cache.clear()
  else if ('tokenHash' in what) {
    tokens.invalidate((hash) => hash === what.tokenHash)
    sessions.invalidate((hash) => hash === what.tokenHash)
    invalid.invalidate((hash) => hash === what.tokenHash)
  } else if ('accountId' in what) {
    const { accountId } = what
    tokens.invalidate((_, token) => token?.accountId === accountId)
    sessions.invalidate((_, session) => session?.accountId === accountId)
    memberships.invalidate((key) => parseKey(key)[1] === accountId)
  } else if ('workspaceId' in what)
    memberships.invalidate((key) => parseKey(key)[0] === what.workspaceId)
  else if ('integrationId' in what)
    tokens.invalidate((_, token) => token?.integrationId === what.integrationId)
  else if ('botId' in what) tokens.invalidate((_, token) => token?.botId === what.botId)
}

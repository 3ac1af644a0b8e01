// Caches the subjects of credentials and headers, which every request looks up. Changes invalidate
// the entries in all processes at once (`Services.forget`).

import type { Role } from '@botstead/contract'
import { type Cache, openCache, sha256 } from '@botstead/lib'
import { findOnlyWorkspace, findRole, findSession, findToken } from '../../accounts/index.ts'
import { type BotAccess, findBotAccess, isHiddenFrom } from '../../bots/index.ts'
import type { Db } from '../../db/index.ts'
import type { CallerFinder, CallerSession, ChatCaller, Invalidation } from '../../http/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { readCarriedKeys } from '../../sealing/index.ts'
import {
  findChatId,
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
  openConfiguration,
} from './installations.ts'

export interface CallerCache extends CallerFinder {
  invalidate(what: Invalidation | 'all'): void
}

const settings = { size: 10_000, ttlMs: 30_000 }
/** A separate cache, so that a flood of guesses does not evict valid tokens. */
const invalidSettings = { ...settings, size: 2_000 }
const toKey = (...parts: (string | undefined)[]) => JSON.stringify(parts)
const parseKey = (key: string) => JSON.parse(key) as string[]

export function createCallerCache(db: Db, secrets: Secrets): CallerCache {
  // By hash: the caches hold no tokens and no cookies.
  const values = new Map<string, string>()
  const caches = openCaches(db, secrets, values)
  const { tokens, invalid, sessions, invalidSessions } = caches
  const { memberships, botAccess, installations, chats } = caches
  const ofTokens = { values, found: tokens, invalid }
  const ofSessions = { values, found: sessions, invalid: invalidSessions }
  return {
    token: (value) => findByValue(ofTokens, value),
    knownToken: (value) => knownByHash(ofTokens, digest(value)),
    session: (value) => findByValue(ofSessions, value),
    knownSession: (value) => knownByHash(ofSessions, digest(value)),
    // A new membership must take effect at once, so missing ones are not cached.
    role: (workspaceId, accountId) => found(memberships, toKey(workspaceId, accountId)),
    onlyWorkspace: (accountId) => findOnlyWorkspace(db, accountId),
    workspace: async (botId) => (await found(botAccess, botId))?.workspaceId ?? null,
    async isHidden(botId, member) {
      const access = await found(botAccess, botId)
      return access?.workspaceId === member.workspaceId && isHiddenFrom(access, member)
    },
    installation: (botId, { alias, id }) => found(installations, toKey(botId, alias, id)),
    chat: (webhookId) => found(chats, webhookId),
    chatId: async (id) => (id.startsWith('bot_') ? findChatId(db, id) : id),
    invalidate: (what) => invalidate(caches, what),
  }
}

const digest = (value: string) => sha256(value).toString('hex')

interface ByHash<Found> {
  values: Map<string, string>
  found: Cache<Found | null>
  invalid: Cache<null>
}

async function findByValue<Found>(caches: ByHash<Found>, value: string): Promise<Found | null> {
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
function openCaches(db: Db, secrets: Secrets, values: ReadonlyMap<string, string>) {
  return {
    tokens: openCache((hash) => findToken(db, values.get(hash) ?? ''), {
      ...settings,
      keeps: (token) => token !== null,
    }),
    sessions: openCache<CallerSession | null>((hash) => findSession(db, values.get(hash) ?? ''), {
      ...settings,
      keeps: (session) => session !== null,
    }),
    invalid: openCache<null>(async () => null, invalidSettings),
    invalidSessions: openCache<null>(async () => null, invalidSettings),
    memberships: openCache<Role | null>(
      (key) => findRole(db, ...(parseKey(key) as [string, string])),
      settings,
    ),
    botAccess: openCache<BotAccess | null>((botId) => findBotAccess(db, botId), settings),
    installations: openCache(
      (key) => lookUpInstallation(db, ...(parseKey(key) as [string, string?, string?])),
      settings,
    ),
    chats: openCache<ChatCaller | null>(
      (webhookId) => lookUpChat(db, secrets, webhookId),
      settings,
    ),
  }
}

type Caches = ReturnType<typeof openCaches>

function invalidate(caches: Caches, what: Invalidation | 'all') {
  const { tokens, invalid, sessions, memberships, botAccess, installations, chats } = caches
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
    botAccess.invalidate((_, access) => access?.seenBy?.includes(accountId) ?? false)
  } else if ('workspaceId' in what) {
    memberships.invalidate((key) => parseKey(key)[0] === what.workspaceId)
    botAccess.invalidate((_, access) => access?.workspaceId === what.workspaceId)
  } else if ('integrationId' in what) {
    tokens.invalidate((_, token) => token?.integrationId === what.integrationId)
    installations.invalidate((_, found) => found?.integrationId === what.integrationId)
  } else if ('botId' in what) {
    const { botId } = what
    tokens.invalidate((_, token) => token?.botId === botId)
    botAccess.invalidate((key) => key === botId)
    installations.invalidate((key) => parseKey(key)[0] === botId)
    chats.invalidate((_, chat) => chat?.botId === botId)
  }
}

/** Does not cache missing rows: another process may create them at any time. */
async function found<Value>(
  cache: ReturnType<typeof openCache<Value | null>>,
  key: string,
): Promise<Value | null> {
  const value = await cache.get(key)
  if (value === null) cache.invalidate((known) => known === key)
  return value
}

async function lookUpInstallation(
  db: Db,
  botId: string,
  alias?: string | null,
  id?: string | null,
) {
  const findById = () => (id ? findInstallationById(db, botId, id) : null)
  const row = await (alias ? findInstallation(db, botId, alias) : findById())
  // After an upgrade the previous version still has to unregister, and may call the API to clean
  // up.
  if (!row || (id && row.integration_id !== id && row.former_id !== id)) return null
  return { alias: row.alias, integrationId: id ?? row.integration_id, name: row.name }
}

async function lookUpChat(db: Db, secrets: Secrets, webhookId: string): Promise<ChatCaller | null> {
  const row = await findInstallationByWebhook(db, webhookId)
  if (!row?.enabled || !row.builtIn || !isChatName(row.name)) return null
  const configuration = await openConfiguration(secrets, row)
  const { encryptionKey, adminSecret, allowedOrigins, appearance } = configuration
  return {
    botId: row.bot_id,
    alias: row.alias,
    integration: row.name,
    webhookId,
    encryptionKey: typeof encryptionKey === 'string' ? encryptionKey : '',
    carriedKeys: await readCarriedKeys(db, secrets, row.bot_id, 'user_keys', webhookId),
    adminSecret: typeof adminSecret === 'string' ? adminSecret : '',
    allowedOrigins: Array.isArray(allowedOrigins) ? allowedOrigins : [],
    appearance: (appearance ?? {}) as ChatCaller['appearance'],
  }
}

const isChatName = (name: string) => name === 'chat' || name === 'webchat'

// Caches the subjects of credentials (core/accounts/credential-cache.ts) and of headers, which every request
// looks up. Changes invalidate the entries in all processes at once (`Services.invalidate`).

import { openCache } from '@botstead/lib'
import { openCredentialCache } from '../../accounts/index.ts'
import { allowlists } from '../../bots/index.ts'
import type { Db } from '../../db/index.ts'
import type { Caller, CallerFinder, Invalidation } from '../../http/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { carriedKeys } from '../../sealing/index.ts'
import { openConfiguration } from './configurations.ts'
import {
  findChatId,
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
} from './installations.ts'

export interface CallerCache extends CallerFinder {
  invalidate(what: Invalidation | 'all'): void
}

/** Does not cache missing rows: another process may create them at any time. */
const settings = {
  size: 10_000,
  ttlMs: 30_000,
  keeps: (found: unknown) => found !== null,
}
const parseKey = (key: string) => JSON.parse(key) as [string, string?, string?]

export function createCallerCache(db: Db, secrets: Secrets): CallerCache {
  const credentials = openCredentialCache(db)
  const caches = openCaches(db, secrets)
  const { botAccess, installations, chats } = caches
  return {
    ...credentials,
    workspace: async (botId) => (await botAccess.get(botId))?.workspaceId ?? null,
    async isHidden(botId, member) {
      const access = await botAccess.get(botId)
      return (
        access?.workspaceId === member.workspaceId &&
        allowlists.isHiddenFrom(access, member)
      )
    },
    installation: (botId, { alias, id }) =>
      installations.get(JSON.stringify([botId, alias, id])),
    chat: (webhookId) => chats.get(webhookId),
    chatId: async (id) => (id.startsWith('bot_') ? findChatId(db, id) : id),
    invalidate(what) {
      credentials.invalidate(what)
      invalidate(caches, what)
    },
  }
}

const openCaches = (db: Db, secrets: Secrets) => ({
  botAccess: openCache((botId: string) => allowlists.findAccess(db, botId), settings),
  installations: openCache((key) => lookUpInstallation(db, ...parseKey(key)), settings),
  chats: openCache<Caller<'chat'> | null>(
    (webhookId) => lookUpChat(db, secrets, webhookId),
    settings,
  ),
})

type Caches = ReturnType<typeof openCaches>

function invalidate(caches: Caches, what: Invalidation | 'all'): void {
  const { botAccess, installations, chats } = caches
  if (what === 'all') for (const cache of Object.values(caches)) cache.clear()
  else if ('accountId' in what)
    botAccess.invalidate((_, access) => access?.seenBy?.includes(what.accountId) ?? false)
  else if ('workspaceId' in what)
    botAccess.invalidate((_, access) => access?.workspaceId === what.workspaceId)
  else if ('integrationId' in what)
    installations.invalidate((_, found) => found?.integrationId === what.integrationId)
  else if ('botId' in what) {
    const { botId } = what
    botAccess.invalidate((key) => key === botId)
    installations.invalidate((key) => parseKey(key)[0] === botId)
    chats.invalidate((_, chat) => chat?.botId === botId)
  }
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

async function lookUpChat(
  db: Db,
  secrets: Secrets,
  webhookId: string,
): Promise<Caller<'chat'> | null> {
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
    carriedKeys: await carriedKeys.read(db, secrets, row.bot_id, 'user_keys', webhookId),
    adminSecret: typeof adminSecret === 'string' ? adminSecret : '',
    allowedOrigins: Array.isArray(allowedOrigins) ? allowedOrigins : [],
    appearance: (appearance ?? {}) as Caller<'chat'>['appearance'],
  }
}

const isChatName = (name: string) => name === 'chat' || name === 'webchat'

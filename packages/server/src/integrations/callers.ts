// Whom credentials and headers name, remembered: every request asks. What changes is forgotten in every process at once (`Services.forget`).
import type { Role } from '@botstead/contract'
import { findOnlyWorkspace, findRole } from '../accounts/members.ts'
import { findToken } from '../accounts/tokens.ts'
import { type BotDoor, findBotDoor, keepsOut } from '../bots/allowlists.ts'
import type { Db } from '../db/open.ts'
import { openCache } from '../lib/cache.ts'
import { type Secrets, sha256 } from '../lib/secrets.ts'
import type { CallerFinder, ChatCaller, FoundInstallation, FoundToken } from '../services.ts'
import {
  findInstallation,
  findInstallationById,
  findInstallationByWebhook,
  openConfiguration,
} from './installations.ts'

export interface CallerMemory extends CallerFinder {
  forgetToken(hash: string): void
  forgetBot(botId: string): void
  forgetAccount(accountId: string): void
  forgetWorkspace(workspaceId: string): void
  forgetIntegration(integrationId: string): void
  clear(): void
}

const settings = { size: 10_000, ttlMs: 30_000 }
/** Apart from the valid ones, which a flood of guesses must not push out. */
const invalidSettings = { ...settings, size: 2_000 }
const keyOf = (...parts: (string | undefined)[]) => JSON.stringify(parts)
const partsOf = (key: string) => JSON.parse(key) as string[]

export function rememberCallers(db: Db, secrets: Secrets): CallerMemory {
  // By hash: the memory of the process holds no token.
  const values = new Map<string, string>()
  const tokens = openCache<FoundToken | null>((hash) => findToken(db, values.get(hash) ?? ''), {
    ...settings,
    keeps: (token) => token !== null,
  })
  const invalid = openCache<null>(async () => null, invalidSettings)
  const known = (hash: string) => tokens.peek(hash) ?? invalid.peek(hash)
  const memberships = openCache<Role | null>(
    (key) => findRole(db, ...(partsOf(key) as [string, string])),
    settings,
  )
  const doors = openCache<BotDoor | null>((botId) => findBotDoor(db, botId), settings)
  const installations = openCache<FoundInstallation | null>(
    (key) => lookUpInstallation(db, ...(partsOf(key) as [string, string?, string?])),
    settings,
  )
  const chats = openCache<ChatCaller | null>((webhookId) => lookUpChat(db, secrets, webhookId), settings)
  const all = [tokens, invalid, memberships, doors, installations, chats]

  return {
    async token(value) {
      const hash = sha256(value).toString('hex')
      const remembered = known(hash)
      if (remembered !== undefined) return remembered
      values.set(hash, value)
      const token = await tokens.get(hash).finally(() => values.delete(hash))
      return token ?? invalid.get(hash)
    },
    knownToken: (value) => known(sha256(value).toString('hex')),
    // Who was made a member a moment ago must not be told for long that they are not.
    role: (workspaceId, accountId) => found(memberships, keyOf(workspaceId, accountId)),
    onlyWorkspace: (accountId) => findOnlyWorkspace(db, accountId),
    workspace: async (botId) => (await found(doors, botId))?.workspaceId ?? null,
    async isHidden(botId, member) {
      const door = await found(doors, botId)
      return door?.workspaceId === member.workspaceId && keepsOut(door, member)
    },
    installation: (botId, { alias, id }) => found(installations, keyOf(botId, alias, id)),
    chat: (webhookId) => found(chats, webhookId),
    forgetToken(hash) {
      tokens.forget((key) => key === hash)
      invalid.forget((key) => key === hash)
    },
    forgetBot(botId) {
      tokens.forget((_, token) => token?.botId === botId)
      doors.forget((key) => key === botId)
      installations.forget((key) => partsOf(key)[0] === botId)
      chats.forget((_, chat) => chat?.botId === botId)
    },
    forgetAccount(accountId) {
      tokens.forget((_, token) => token?.accountId === accountId)
      memberships.forget((key) => partsOf(key)[1] === accountId)
      doors.forget((_, door) => door?.seenBy?.includes(accountId) ?? false)
    },
    forgetWorkspace(workspaceId) {
      memberships.forget((key) => partsOf(key)[0] === workspaceId)
      doors.forget((_, door) => door?.workspaceId === workspaceId)
    },
    forgetIntegration(integrationId) {
      tokens.forget((_, token) => token?.integrationId === integrationId)
      installations.forget((_, found) => found?.integrationId === integrationId)
    },
    clear() {
      for (const cache of all) cache.clear()
    },
  }
}

/** What does not exist is not remembered: it may be made the next moment, by another process. */
async function found<Value>(
  cache: ReturnType<typeof openCache<Value | null>>,
  key: string,
): Promise<Value | null> {
  const value = await cache.get(key)
  if (value === null) cache.forget((known) => known === key)
  return value
}

async function lookUpInstallation(
  db: Db,
  botId: string,
  alias?: string | null,
  id?: string | null,
): Promise<FoundInstallation | null> {
  const row = alias
    ? await findInstallation(db, botId, alias)
    : id
      ? await findInstallationById(db, botId, id)
      : null
  // After an upgrade the version before is told to unregister, and may have to clean up.
  if (!row || (id && row.integration_id !== id && row.former_id !== id)) return null
  return { alias: row.alias, integrationId: id ?? row.integration_id, name: row.name }
}

async function lookUpChat(db: Db, secrets: Secrets, webhookId: string): Promise<ChatCaller | null> {
  const row = await findInstallationByWebhook(db, webhookId)
  if (!row?.enabled || !row.builtIn || row.name !== 'chat') return null
  const { encryptionKey } = await openConfiguration(secrets, row)
  return {
    botId: row.bot_id,
    alias: row.alias,
    webhookId,
    encryptionKey: typeof encryptionKey === 'string' ? encryptionKey : '',
  }
}

// Who makes a request, and how that is found out. The HTTP layer resolves credentials to these
// callers, and handlers decide by them.
import type { Role } from '@botstead/contract'

export type Invalidation =
  | { botId: string }
  | { integrationId: string }
  | { tokenHash: string }
  | { accountId: string }
  | { workspaceId: string }
  /** Those that the operator makes in the dashboard. */
  | { serverSettings: true }

/** The identity behind a token: exactly one account, bot or integration. */
export interface CallerToken {
  id: string
  accountId: string | null
  botId: string | null
  integrationId: string | null
  /** The only workspace in which an integration key is valid, if it is limited to one. */
  workspaceId: string | null
  /** SHA-256 of the token, in hexadecimal. */
  hash: string
}
/** The identity behind a session's cookie: an account. Times are in milliseconds since 1970. */
export interface CallerSession extends CallerToken {
  accountId: string
  /** Whether the cookie has the value before the last renewal. */
  isPrevious: boolean
  renewedAt: number
  /** When the browser first sent the current value. */
  confirmedAt: number | null
  lastUsedAt: number
}
interface FoundInstallation {
  alias: string
  integrationId: string
  name: string
}

/**
 * Resolves credentials and context headers, cached until `forget`. Returns null for unknown ones.
 */
export interface CallerFinder {
  token(value: string): Promise<CallerToken | null>
  /**
   * Reads the cache only: null for a token that is known to be invalid, undefined for one that is
   * not cached.
   */
  knownToken(value: string): CallerToken | null | undefined
  /** Like `token`, for the value of a session's cookie. */
  session(value: string): Promise<CallerSession | null>
  knownSession(value: string): CallerSession | null | undefined
  role(workspaceId: string, accountId: string): Promise<Role | null>
  /** Returns the workspace of an account that is a member of exactly one; otherwise null. */
  onlyWorkspace(accountId: string): Promise<string | null>
  workspace(botId: string): Promise<string | null>
  /**
   * Returns whether the bot is in the member's workspace but its allow-list excludes the member.
   * The bot must then look nonexistent to the member.
   */
  isHidden(botId: string, member: WorkspaceCaller): Promise<boolean>
  installation(
    botId: string,
    by: { alias: string | undefined; id: string | undefined },
  ): Promise<FoundInstallation | null>
  chat(webhookId: string): Promise<ChatCaller | null>
  /**
   * Returns the webhook id of a bot's webchat, or else of its chat; null without one. Returns other ids
   * unchanged: they are webhook ids.
   */
  chatId(id: string): Promise<string | null>
}

/** User keys of the Chat API: HS256 JWTs with the claim `id`. */
export interface UserKeys {
  /** `expiresAt` is in milliseconds since 1970; by default, the key does not expire. */
  make(chat: ChatCaller, id: string, expiresAt?: number): Promise<string>
  /** Returns null for a key that is not valid for this chat. */
  read(chat: ChatCaller, key: string): Promise<UserKey | null>
  /**
   * Returns the claims of a JWT that the owner signed with a secret of this chat; null for any
   * other.
   */
  readClaims(chat: ChatCaller, token: string): Promise<Record<string, unknown> | null>
}

export interface UserKey {
  /** The claim `id` of the key. */
  claim: string
  /** Whether `make` issued the key, for a user that existed then. */
  isIssued: boolean
  /** In the claims of a key that the operator signed; of an issued one none. */
  signedAddresses: SignedAddress[]
}

export interface SignedAddress {
  kind: 'email' | 'phone'
  address: string
  /** The claim `email_verified` or `phone_number_verified`. */
  isVerified: boolean
}

/** The holder of any token; `introspect` returns its identity. */
export type TokenCaller = Omit<CallerToken, 'id' | 'hash'>
export interface AccountCaller {
  accountId: string
}
export interface WorkspaceCaller extends AccountCaller {
  workspaceId: string
  role: Role
}
/**
 * Acts inside a bot: as the bot itself, or as one of its integrations. Determines the direction of
 * messages, the visible tags and the visible objects.
 */
export interface BotCaller {
  botId: string
  workspaceId: string
  integration: { id: string; alias: string; name: string } | null
  /** The account and role behind a personal access token. */
  account: { accountId: string; role: Role } | null
  /** The event that hosted code was processing when it made this call. */
  cause: string | null
  /** `cause`, unless the code writes its own trace of the event. */
  tracedEvent: string | null
  /** The run of that event's processing, if an earlier run may have begun. */
  run: string | null
  /**
   * The worker that started that run. After another worker takes over its lease, the caller's
   * writes are rejected (queue/fencing.ts).
   */
  fence: string | null
}
/** Knows a chat URL. */
export interface ChatCaller {
  botId: string
  alias: string
  /** The built-in integration. */
  integration: 'chat' | 'webchat'
  webhookId: string
  /** Empty if the server-wide key signs user keys. */
  encryptionKey: string
  /** Keys with which other installations issued user keys, before the bot moved here. */
  carriedKeys: Buffer[]
  /** Permits a caller of the Webchat API to create users and their keys. Empty if there is none. */
  adminSecret: string
  /** How its page looks. */
  appearance: Record<string, unknown>
  /** Origins of the pages that may use the chat; empty for all. */
  allowedOrigins: readonly string[]
}
/**
 * Holds a user key with the claim `id`; with the bot's own encryption key, the user chose that id.
 * The user need not exist.
 */
export interface ChatUserCaller extends ChatCaller, UserKey {}

// What handlers receive. Built once in app.ts, top to bottom; nothing else reaches for globals.
import type { Access, Role } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './db/open.ts'
import type { Deliveries } from './delivery/deliveries.ts'
import type { Invoker } from './delivery/invoker.ts'
import type { PageTokens } from './lib/page-tokens.ts'
import type { Secrets } from './lib/secrets.ts'
import type { MessageWriter } from './messaging/message-writer.ts'
import type { Signals } from './realtime/signals.ts'

export interface Services {
  config: Config
  log: Logger
  db: Db
  database: Database
  secrets: Secrets
  pageTokens: PageTokens
  /** Writes messages with their events, deliveries and signals: the hot path. */
  messages: MessageWriter
  /** Who listens to which conversation, here and in other processes. */
  signals: Signals
  /** The durable queue of what has to reach bots and integrations. */
  deliveries: Deliveries
  /** Calls a bot or an integration and waits for its answer. */
  invoker: Invoker
  blobs: Blobs
  /** Tells every process to forget what it remembers of a bot, an installation, or a token. */
  forget: (what: Forgotten) => Promise<void>
}

export type Forgotten = { botId: string } | { tokenHash: string }

export interface AccountCaller {
  accountId: string
}
export interface WorkspaceCaller extends AccountCaller {
  workspaceId: string
  role: Role
}
/** Acts inside a bot: as the bot itself, or as one of its integrations. Decides direction, view of tags, and what may be seen. */
export interface BotCaller {
  botId: string
  workspaceId: string
  integration: { id: string; alias: string; name: string } | null
  /** With a personal access token: whose. */
  account: { accountId: string; role: Role } | null
  /** The event whose handling makes this call, when hosted code makes it. */
  cause: string | null
}
/** Knows a chat URL. */
export interface ChatCaller {
  botId: string
  alias: string
  webhookId: string
  /** Empty when the server-wide key signs. */
  encryptionKey: string
}
/** Holds a user key: `claim` is the id inside, the user's own choice where it made one. The user need not exist. */
export interface ChatUserCaller extends ChatCaller {
  claim: string
}

interface Callers {
  public: null
  account: AccountCaller
  workspace: WorkspaceCaller
  bot: BotCaller
  chat: ChatCaller
  chatUser: ChatUserCaller
}

export interface Context<Caller> {
  services: Services
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}
export type Contexts = { [A in Access]: Context<Callers[A]> }

// The services that handlers receive. app.ts builds them once, top to bottom; there are no globals.
import type { Access, Health, Role } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Logins } from './audit/logins.ts'
import type { Deed } from './audit/trail.ts'
import type { Anchor, Verification } from './audit/verification.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Config } from './config.ts'
import type { Database, Db } from './db/open.ts'
import type { ActionCache } from './delivery/action-cache.ts'
import type { Invoker } from './delivery/invoker.ts'
import type { KeyedAnswers } from './idempotency/keyed-answers.ts'
import type { ActionRuns } from './insights/action-runs.ts'
import type { Analytics } from './insights/analytics.ts'
import type { Issues } from './insights/issues.ts'
import type { Outgoing } from './invocation/outgoing.ts'
import type { Embedder } from './knowledge/embedder.ts'
import type { Indexer } from './knowledge/indexer.ts'
import type { Cache } from './lib/cache.ts'
import type { FairTurns } from './lib/fair-turns.ts'
import type { PageTokens } from './lib/page-tokens.ts'
import type { Secrets } from './lib/secrets.ts'
import type { Limits } from './limits.ts'
import type { Participation } from './messaging/chat-lookups.ts'
import type { MessageWriter } from './messaging/message-writer.ts'
import type { Backlog } from './queue/backlog.ts'
import type { Queue } from './queue/queue.ts'
import type { LimitedCalls } from './rates/limited-calls.ts'
import type { Rates } from './rates/rates.ts'
import type { Signals } from './realtime/signals.ts'
import type { Computing } from './tables/computing.ts'
import type { TableJobs } from './tables/job-runner.ts'
import type { Metrics } from './telemetry/metrics.ts'
import type { UsageCounter } from './usage/counter.ts'
import type { Vrl } from './vrl/vrl.ts'

export interface Services {
  config: Config
  log: Logger
  metrics: Metrics
  db: Db
  database: Database
  secrets: Secrets
  /** Limits of sizes and counts. */
  limits: Limits
  /** Rate limits. */
  rates: Rates
  /** Limits concurrent credential look-ups for principals with too many invalid credentials. */
  lookUpTurns: FairTurns
  /** Shares request processing equally between bots. */
  requestTurns: FairTurns
  /** Deliveries with a call-back that the server answered with 429. */
  limitedCalls: LimitedCalls
  callers: CallerFinder
  userKeys: UserKeys
  /** Throws Unauthorized if the user of a user key does not exist. */
  checkChatUser: (caller: Pick<ChatUserCaller, 'botId' | 'claim'>) => Promise<void>
  pageTokens: PageTokens
  /**
   * Caches which chat user takes part in which conversation, by their client-side ids. Only a hint: the
   * statement that writes the message checks it.
   */
  participations: Cache<Participation | null>
  /** Writes messages with their events, deliveries and signals: the hot path. */
  messages: MessageWriter
  /** Listeners of conversations, in this process and in others. */
  signals: Signals
  /** The durable queue of deliveries to bots and integrations. */
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  /** Makes this process check for due jobs in `ms` milliseconds, although its next check is later. */
  dueIn: (ms: number) => void
  /** Counts a bot's pending deliveries. */
  backlog: Pick<Backlog, 'of'>
  /** Calls a bot or an integration and waits for the response. */
  invoker: Invoker
  /** Checks URLs that a workspace sets. */
  outgoing: Pick<Outgoing, 'checkUrl'>
  /** Caches outputs of actions that are declared cacheable. */
  actionCache: ActionCache
  /** Records results of action calls, in the background. */
  actionRuns: Pick<ActionRuns, 'record'>
  /** Records problems of a bot for its owner, in the background. */
  issues: Pick<Issues, 'note'>
  analytics: Analytics
  /** Counts a workspace's usage, in the background. */
  usage: Pick<UsageCounter, 'count'>
  /** Runs the VRL scripts of integrations. */
  vrl: Pick<Vrl, 'run'>
  blobs: Blobs
  /** Runs table jobs (imports, exports, column changes) in the background. */
  tableJobs: Pick<TableJobs, 'soon'>
  /** Indexes files for search, in the background. */
  indexer: Pick<Indexer, 'soon'>
  /** Computes the values of computed columns. */
  computing: Pick<Computing, 'soon' | 'compute'>
  /** Embeds search queries, if an embedding model is configured. */
  embedder: Pick<Embedder, 'question'>
  /** Reads the server's health. */
  health: { read(): Promise<Health> }
  /** Returns the URL at which clients reach this server, without a trailing slash. */
  publicUrl: () => string
  /** The audit log. */
  audit: {
    record(database: Database, chains: string[], deed: Deed): Promise<void>
    verify(chain: string, noted: Anchor | null): Promise<Verification>
  }
  /** Records the addresses from which tokens are used. */
  logins: Logins
  /**
   * Runs work in one transaction, with services that write in it. Retries it after a serialization failure,
   * so work must be repeatable.
   */
  whole: <T>(work: (inside: Services) => Promise<T>) => Promise<T>
  /**
   * Performs an operation for hosted code. Rejects its writes after another worker took over the lease of
   * `fence`.
   */
  fenced: <T>(operation: string, fence: string, perform: (services: Services) => Promise<T>) => Promise<T>
  /**
   * Returns whether the operation (`family.name`) has effects outside of the database, such as calls of code,
   * so that it cannot run in one transaction.
   */
  reachesOutside: (operation: string) => boolean
  /** Processes POSTs with an Idempotency-Key. */
  keyedAnswers: KeyedAnswers
  /**
   * Runs a step that must not run in a transaction, such as calling code, which may call back. It runs at
   * once or, in a request with an Idempotency-Key, after the commit. The response does not depend on it.
   */
  afterCommit: (step: (services: Services) => Promise<void>) => Promise<void>
  /**
   * Announces that the request is about to call code and wait for it. A request with an Idempotency-Key then
   * restarts outside of its transaction, because the code might wait for that transaction.
   */
  callsCode: () => void
  /**
   * Invalidates, in every process, the cached data of a bot and its installations, an integration, a token,
   * an account and its memberships, or a workspace and its members.
   */
  forget: (what: Forgotten) => Promise<void>
}

export type { Standing } from './rates/rate.ts'
export type Forgotten =
  | { botId: string }
  | { integrationId: string }
  | { tokenHash: string }
  | { accountId: string }
  | { workspaceId: string }

/** The identity behind a token: exactly one account, bot or integration. */
export interface FoundToken {
  id: string
  accountId: string | null
  botId: string | null
  integrationId: string | null
  /** The only workspace in which an integration key is valid, if it is limited to one. */
  workspaceId: string | null
  /** SHA-256 of the token, in hexadecimal. */
  hash: string
}
export interface FoundInstallation {
  alias: string
  integrationId: string
  name: string
}

/** Resolves credentials and context headers, cached until `forget`. Returns null for unknown ones. */
export interface CallerFinder {
  token(value: string): Promise<FoundToken | null>
  /**
   * Reads the cache only: null for a token that is known to be invalid, undefined for one that is not cached.
   */
  knownToken(value: string): FoundToken | null | undefined
  role(workspaceId: string, accountId: string): Promise<Role | null>
  /** Returns the workspace of an account that is a member of exactly one; otherwise null. */
  onlyWorkspace(accountId: string): Promise<string | null>
  workspace(botId: string): Promise<string | null>
  /**
   * Returns whether the bot is in the member's workspace but its allow-list excludes the member. The bot must
   * then look nonexistent to the member.
   */
  isHidden(botId: string, member: WorkspaceCaller): Promise<boolean>
  installation(
    botId: string,
    by: { alias: string | undefined; id: string | undefined },
  ): Promise<FoundInstallation | null>
  chat(webhookId: string): Promise<ChatCaller | null>
}

/** User keys of the Chat API: HS256 JWTs with the claim `id`. */
export interface UserKeys {
  make(chat: ChatCaller, id: string): Promise<string>
  /** Returns null for a key that is not valid for this chat. */
  read(chat: ChatCaller, key: string): Promise<UserKey | null>
}

export interface UserKey {
  /** The claim `id` of the key. */
  claim: string
  /** Whether `make` issued the key, for a user that existed then. */
  isIssued: boolean
}

/** The holder of any token; `introspect` returns its identity. */
export type TokenCaller = Omit<FoundToken, 'id' | 'hash'>
export interface AccountCaller {
  accountId: string
}
export interface WorkspaceCaller extends AccountCaller {
  workspaceId: string
  role: Role
}
/**
 * Acts inside a bot: as the bot itself, or as one of its integrations. Determines the direction of messages,
 * the visible tags and the visible objects.
 */
export interface BotCaller {
  botId: string
  workspaceId: string
  integration: { id: string; alias: string; name: string } | null
  /** The account and role behind a personal access token. */
  account: { accountId: string; role: Role } | null
  /** The event that hosted code was processing when it made this call. */
  cause: string | null
  /** The run of that event's processing, if an earlier run may have begun. */
  run: string | null
  /**
   * The worker that started that run. After another worker takes over its lease, the caller's writes are
   * rejected (queue/fencing.ts).
   */
  fence: string | null
}
/** Knows a chat URL. */
export interface ChatCaller {
  botId: string
  alias: string
  webhookId: string
  /** Empty if the server-wide key signs user keys. */
  encryptionKey: string
}
/**
 * Holds a user key with the claim `id`; with the bot's own encryption key, the user chose that id. The user
 * need not exist.
 */
export interface ChatUserCaller extends ChatCaller, UserKey {}

interface Callers {
  public: null
  token: TokenCaller
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
  /** The reason why the code that the request deploys does not load. */
  loadError?: string
}
export type Contexts = { [A in Access]: Context<Callers[A]> }

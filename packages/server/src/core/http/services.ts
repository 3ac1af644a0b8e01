// The services of the core, which handlers receive. Handlers of features also receive their feature's
// (features/<name>/services.ts). app/ builds them once, top to bottom; there are no globals.

import type { Access, Health } from '@botstead/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type {
  AccountCaller,
  BotCaller,
  CallerFinder,
  ChatCaller,
  ChatUserCaller,
  Invalidation,
  TokenCaller,
  UserKeys,
  WorkspaceCaller,
} from '../accounts/index.ts'
import type { Anchor, Logins, NewAuditRecord, Verification } from '../audit/index.ts'
import type { Blobs } from '../blobs/index.ts'
import type { Issues } from '../bots/index.ts'
import type { Config, Limits } from '../config/index.ts'
import type { Database, Db } from '../db/index.ts'
import type { ActionCache, Invoker, KeyedResponses } from '../delivery/index.ts'
import type { Cache, FairTurns, PageTokens, RedactorsOf, Secrets } from '../lib/index.ts'
import type { MessageWriter, Participation } from '../messaging/index.ts'
import type { Backlog, Depth, Queue } from '../queue/index.ts'
import type { LimitedCalls, Rates } from '../rates/index.ts'
import type { ChangeFeed, Signals, Stops } from '../realtime/index.ts'
import type { Outgoing } from '../sandbox/index.ts'
import type { Tables } from '../table-rules/index.ts'
import type { Computing, TableCache, TableJobs } from '../tables/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { UsageCounter } from '../usage/index.ts'
import type { Hooks } from './hooks.ts'
import type { ListenerLimits } from './streams/listener-limits.ts'

export interface Services {
  config: Config
  log: Logger
  metrics: Metrics
  db: Db
  database: Database
  secrets: Secrets
  tableRules: Tables
  /** Limits of sizes and counts. */
  limits: Limits
  /** Rate limits. */
  rates: Rates
  /** Limits concurrent credential look-ups for principals with too many invalid credentials. */
  lookUpTurns: FairTurns
  /** Shares request processing equally between bots. */
  requestTurns: FairTurns
  /** Limits open streams per user, conversation and address. */
  listenerLimits: ListenerLimits
  /** Deliveries with a call-back that the server answered with 429. */
  limitedCalls: LimitedCalls
  callers: CallerFinder
  /** Whether the disk has only the space left that the database needs. */
  isDiskFull: () => boolean
  userKeys: UserKeys
  /** Throws Unauthorized if the user of a user key does not exist. */
  checkChatUser: (caller: Pick<ChatUserCaller, 'botId' | 'claim'>) => Promise<void>
  pageTokens: PageTokens
  /**
   * Caches which chat user takes part in which conversation, by their client-side ids. Only a hint:
   * the statement that writes the message checks it.
   */
  participations: Cache<Participation | null>
  /** Writes messages with their events, deliveries and signals: the hot path. */
  messages: MessageWriter
  /** What to redact in data of a bot, from a cache. */
  redactorsOf: RedactorsOf
  /** Listeners of conversations, in this process and in others. */
  signals: Signals
  /** Notes for pages that a workspace's data has changed, here and in other processes. */
  changeFeed: ChangeFeed
  /** Stops of answers, in this process and in others. */
  stops: Stops
  /** The durable queue of deliveries to bots and integrations. */
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  /**
   * Makes this process check for due jobs in `ms` milliseconds, although its next check is later.
   */
  dueIn: (ms: number) => void
  /** Counts a bot's pending deliveries. */
  backlog: Pick<Backlog, 'of'>
  /** Reads the depth of the queue of all bots; null while the database is not available. */
  queueDepth: () => Promise<Depth | null>
  /** Calls a bot or an integration and waits for the response. */
  invoker: Invoker
  /** Checks URLs that a workspace sets. */
  outgoing: Pick<Outgoing, 'checkUrl'>
  /** Caches outputs of actions that are declared cacheable. */
  actionCache: ActionCache
  /** Records problems of a bot for its owner, in the background. */
  issues: Pick<Issues, 'report'>
  /** Counts a workspace's usage, in the background. */
  usage: Pick<UsageCounter, 'count'>
  blobs: Blobs
  /** Finds tables for reads. */
  tableCache: TableCache
  /** Runs table jobs (imports, exports, column changes) in the background. */
  tableJobs: Pick<TableJobs, 'soon'>
  /** Computes the values of computed columns. */
  computing: Pick<Computing, 'soon' | 'compute'>
  /** What features do at events of the core. */
  hooks: Hooks
  /** Reads the server's health; `read` returns what only the operator may see. */
  health: { problems(): Promise<string[]>; read(): Promise<Required<Health>> }
  /** Returns the URL at which clients reach this server, without a trailing slash. */
  publicUrl: () => string
  /** The key with which cookies of sessions are renewed. */
  sessionKey: Buffer
  /** The key of the audit log's chains. */
  auditKey: Buffer
  /** The audit log. */
  audit: {
    record(database: Database, chains: string[], record: NewAuditRecord): Promise<void>
    verify(chain: string, noted: Anchor | null): Promise<Verification>
  }
  /** Records the addresses from which tokens are used. */
  logins: Logins
  /**
   * Runs work in one transaction, with services that write in it. Retries it after a serialization
   * failure, so work must be repeatable.
   */
  inTransaction: <T>(work: (inside: this) => Promise<T>) => Promise<T>
  /**
   * Performs an operation for hosted code. Rejects its writes after another worker took over the
   * lease of `fence`.
   */
  fenced: <T>(
    operation: string,
    fence: string,
    perform: (services: this) => Promise<T>,
  ) => Promise<T>
  /**
   * Returns whether the operation (`family.name`) has effects outside of the database, such as
   * calls of code, so that it cannot run in one transaction.
   */
  runsOutsideTransaction: (operation: string) => boolean
  /** Processes POSTs with an Idempotency-Key. */
  keyedResponses: KeyedResponses<this>
  /**
   * Runs a step that must not run in a transaction, such as calling code, which may call back. It
   * runs at once or, in a request with an Idempotency-Key, after the commit. The response does not
   * depend on it.
   */
  afterCommit: (step: (services: this) => Promise<void>) => Promise<void>
  /**
   * Announces that the request is about to call code and wait for it. A request with an
   * Idempotency-Key then restarts outside of its transaction, because the code might wait for that
   * transaction.
   */
  announceCodeCall: () => void
  /**
   * Invalidates, in every process, the cached data of a bot and its installations, an integration,
   * a token, an account and its memberships, or a workspace and its members.
   */
  invalidate: (what: Invalidation) => Promise<void>
}

export type {
  AccountCaller,
  BotCaller,
  CallerSession,
  CallerToken,
  ChatCaller,
  ChatUserCaller,
  Invalidation,
  TokenCaller,
  WorkspaceCaller,
} from '../accounts/index.ts'
export type { RateStatus } from '../rates/index.ts'

interface Callers {
  public: null
  token: TokenCaller
  account: AccountCaller
  workspace: WorkspaceCaller
  bot: BotCaller
  chat: ChatCaller
  chatUser: ChatUserCaller
}

/** `Own` are services of features. */
export interface Context<Caller, Own = unknown> {
  services: Services & Own
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** The reason why the code that the request deploys does not load. */
  loadError?: string
  /** What the compiler says of scripts in the request that it accepts. */
  scriptWarnings?: string[]
}
export type Contexts<Own = unknown> = { [A in Access]: Context<Callers[A], Own> }

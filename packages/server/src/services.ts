// What handlers receive. Built once in app.ts, top to bottom; nothing else reaches for globals.
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
  /** How large and how many things may be. */
  limits: Limits
  /** How often they may happen. */
  rates: Rates
  /** Look-ups of credentials for principals that showed too many wrong ones. */
  lookUpTurns: FairTurns
  /** Processing of requests, shared equally between bots. */
  requestTurns: FairTurns
  /** Which deliveries had a call-back that was answered 429. */
  limitedCalls: LimitedCalls
  callers: CallerFinder
  userKeys: UserKeys
  pageTokens: PageTokens
  /** Which chat user takes part in which conversation, by the names they go by: a hint that the statement checks which writes the message. */
  participations: Cache<Participation | null>
  /** Writes messages with their events, deliveries and signals: the hot path. */
  messages: MessageWriter
  /** Who listens to which conversation, here and in other processes. */
  signals: Signals
  /** The durable queue of what has to reach bots and integrations. */
  deliveries: Pick<Queue, 'owner' | 'dispatch'>
  /** Something was scheduled that is due in so many milliseconds: this process looks then, and not only when it would have. */
  dueIn: (ms: number) => void
  /** How much waits for a bot. */
  backlog: Pick<Backlog, 'of'>
  /** Calls a bot or an integration and waits for its answer. */
  invoker: Invoker
  /** Checks URLs that a workspace sets. */
  outgoing: Pick<Outgoing, 'checkUrl'>
  /** Outputs of actions that are declared cacheable. */
  actionCache: ActionCache
  /** Notes how calls of actions went; nobody waits for it. */
  actionRuns: Pick<ActionRuns, 'record'>
  /** Notes what goes wrong in a bot, for its owner; nobody waits for it. */
  issues: Pick<Issues, 'note'>
  analytics: Analytics
  /** Counts what happens, for the workspace; nobody waits for it. */
  usage: Pick<UsageCounter, 'count'>
  /** Runs the scripts that integrations bring along. */
  vrl: Pick<Vrl, 'run'>
  blobs: Blobs
  /** What is done to tables while nobody waits. */
  tableJobs: Pick<TableJobs, 'soon'>
  /** Makes files searchable, in the background. */
  indexer: Pick<Indexer, 'soon'>
  /** Makes the values of computed columns. */
  computing: Pick<Computing, 'soon' | 'compute'>
  /** Vectors of questions, where there is a source of them. */
  embedder: Pick<Embedder, 'question'>
  /** How this server is. */
  health: { read(): Promise<Health> }
  /** Where clients reach this server, without a trailing slash. */
  publicUrl: () => string
  /** Who changed what. */
  audit: {
    record(database: Database, chains: string[], deed: Deed): Promise<void>
    verify(chain: string, noted: Anchor | null): Promise<Verification>
  }
  /** Notes from where tokens are used. */
  logins: Logins
  /** Does all of it, or nothing: what it writes by the services that it is given is one transaction. More than once, when the database had to undo it. */
  whole: <T>(work: (inside: Services) => Promise<T>) => Promise<T>
  /** Performs an operation for hosted code, and rejects its writes once the lease of `fence` was taken over. */
  fenced: <T>(operation: string, fence: string, perform: (services: Services) => Promise<T>) => Promise<T>
  /** Whether it may do its work so: not where it waits for code that calls back. `operation` is `family.name`. */
  reachesOutside: (operation: string) => boolean
  /** Answers POSTs that carry an Idempotency-Key. */
  keyedAnswers: KeyedAnswers
  /**
   * Does what must not happen within a transaction: at once, or, in a request with an Idempotency-Key, when all that it wrote is committed.
   * For calling code, which may call back. The answer does not depend on it.
   */
  afterCommit: (step: (services: Services) => Promise<void>) => Promise<void>
  /** Said before a request calls code and waits for it: one with an Idempotency-Key begins anew then, outside of the transaction that the code would wait for. */
  callsCode: () => void
  /** Tells every process to forget what it remembers of a bot and its installations, an integration, a token, an account and its memberships, a workspace and its members. */
  forget: (what: Forgotten) => Promise<void>
}

export type { Standing } from './rates/rate.ts'
export type Forgotten =
  | { botId: string }
  | { integrationId: string }
  | { tokenHash: string }
  | { accountId: string }
  | { workspaceId: string }

/** What a presented token stands for: exactly one account, bot or integration. */
export interface FoundToken {
  id: string
  accountId: string | null
  botId: string | null
  integrationId: string | null
  /** Of an integration key that is good in one workspace only: which. */
  workspaceId: string | null
  /** SHA-256 of it, in hexadecimal. */
  hash: string
}
export interface FoundInstallation {
  alias: string
  integrationId: string
  name: string
}

/** Whom credentials and headers name; remembered until `forget`. Null for what does not exist. */
export interface CallerFinder {
  token(value: string): Promise<FoundToken | null>
  /** From memory: null for one that is known to be wrong, undefined when nothing is known of it. */
  knownToken(value: string): FoundToken | null | undefined
  role(workspaceId: string, accountId: string): Promise<Role | null>
  /** The workspace of an account that is a member of exactly one; null otherwise. */
  onlyWorkspace(accountId: string): Promise<string | null>
  workspace(botId: string): Promise<string | null>
  /** Whether the bot is in the member's workspace, and its allow-list keeps them out: then it is as unknown to them as none. */
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
  /** Null for a key that is not valid here. */
  read(chat: ChatCaller, key: string): Promise<UserKey | null>
}

export interface UserKey {
  /** The id inside. */
  claim: string
  /** `make` has made it, for a user that existed then. */
  isIssued: boolean
}

/** Any token; `introspect` tells what it stands for. */
export type TokenCaller = Omit<FoundToken, 'id' | 'hash'>
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
  /** Of that handling, when it may have been begun before. */
  run: string | null
  /** The worker that began that handling; once its lease is taken over, writes are rejected (queue/fencing.ts). */
  fence: string | null
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
  /** Why the code that the request deploys does not load. */
  loadError?: string
}
export type Contexts = { [A in Access]: Context<Callers[A]> }

// The services that nearly every handler needs. Those of a module or a feature are in its services.ts; a
// handler names them in its type. app/services.ts builds them once, top to bottom; there are no globals.

import type { Access, ChangeNote, Health, Topic } from '@botstead/contract'
import type { FairTurns } from '@botstead/lib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { GetRedactors } from '../compute/index.ts'
import type { Config, Limits } from '../config/index.ts'
import type { Bindings, Database, Db } from '../db/index.ts'
import type { KeyedResponses } from '../idempotency/index.ts'
import type { Secrets } from '../sealing/index.ts'
import type { Metrics } from '../telemetry/index.ts'
import type { AuditLog, Logins } from './audit-log.ts'
import type {
  AccountCaller,
  BotCaller,
  CallerFinder,
  CallerSession,
  ChatCaller,
  ChatUserCaller,
  Invalidation,
  TokenCaller,
  UserKeys,
  WorkspaceCaller,
} from './callers/callers.ts'
import type { PageTokens } from './handlers/page-tokens.ts'
import type { HttpHooks } from './hooks.ts'
import type { Inject } from './operation-calls.ts'
import type { RateServices } from './rates/services.ts'
import type { ListenerLimits } from './streams/listener-limits.ts'

export interface Services {
  config: Config
  log: Logger
  db: Db
  database: Database
  secrets: Secrets
  /** Limits of sizes and counts. */
  limits: Limits
  pageTokens: PageTokens
  /** Resolves credentials and ids of requests, from caches. */
  callers: CallerFinder
  /** Returns the URL at which clients reach this server, without a trailing slash. */
  publicUrl: () => string
  /**
   * Runs work in one transaction, with services that write in it. Retries it after a serialization
   * failure, so work must be repeatable.
   */
  inTransaction: <T>(work: (inside: this) => Promise<T>) => Promise<T>
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

/** What requests need of accounts. core/accounts implements it, which itself handles requests. */
interface Accounts {
  /**
   * Returns the session of the request's cookie, and notes its use. Throws Unauthorized if it has ended, or
   * if the request has no or several credentials.
   */
  verifySession(services: HttpServices, request: FastifyRequest): Promise<CallerSession>
  /** Whether the session has not ended. Does not count as a use. */
  hasSession(db: Db, id: string): Promise<boolean>
  findFirstWorkspaceId(db: Db): Promise<string | null>
}

/** The services of HTTP itself. */
export interface HttpServices extends Services, RateServices {
  /** The audit log. */
  audit: AuditLog
  /** Records the addresses from which tokens are used. */
  logins: Logins
  accounts: Accounts
  userKeys: UserKeys
  /** Throws Unauthorized if the user of a user key does not exist. */
  checkChatUser: (caller: Pick<ChatUserCaller, 'botId' | 'claim'>) => Promise<void>
  metrics: Metrics
  hooks: HttpHooks
  /** Limits concurrent credential look-ups for principals with too many invalid credentials. */
  lookUpTurns: FairTurns
  /** Shares request processing equally between bots. */
  requestTurns: FairTurns
  /** Limits open streams per user, conversation and address. */
  listenerLimits: ListenerLimits
  /** Whether the disk has only the space left that the database needs. */
  isDiskFull: () => boolean
  /** Reads the server's health; `read` returns what only the operator may see. */
  health: { problems(): Promise<string[]>; read(): Promise<Required<Health>> }
  /** Counts a bot's pending deliveries. */
  backlog: { of(botId: string): { count: number; bytes: number } }
  /** Notes for pages that a workspace's data has changed. */
  changeFeed: {
    publish(
      change: Omit<ChangeNote, 'topic'> & { topic: Topic; workspaceId?: string },
    ): void
  }
  /** What to redact in data of a bot, from a cache. */
  getRedactors: GetRedactors
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
  /** Performs a request in this process (operation-calls.ts). Not inside of a transaction. */
  inject: Inject
  /** Processes POSTs with an Idempotency-Key. */
  keyedResponses: KeyedResponses<this>
}

interface Callers {
  public: null
  token: TokenCaller
  account: AccountCaller
  workspace: WorkspaceCaller
  bot: BotCaller
  chat: ChatCaller
  chatUser: ChatUserCaller
}

/** The caller of an operation that has this access. */
export type Caller<Name extends keyof Callers> = Callers[Name]

/** `Own` are services of modules and features. */
export interface Context<Caller, Own = unknown> {
  services: Services & Own
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
  /** The reason why the code that the request deploys does not load. */
  loadError?: string
  /** What the compiler says of scripts in the request that it accepts. */
  scriptWarnings?: string[]
  /** Both for each integration of a request that deploys several. */
  trials?: { loadError?: string; scriptWarnings?: string[] }[]
}
export type Contexts<Own = unknown> = { [A in Access]: Context<Callers[A], Own> }

export const serviceBindings = {
  config: 'unchanged',
  secrets: 'unchanged',
  limits: 'unchanged',
  pageTokens: 'unchanged',
  callers: 'unchanged',
  publicUrl: 'unchanged',
  invalidate: 'deferred',
} satisfies Bindings<Omit<Services, InTransaction>>

/** What leads into a transaction, and is the same in each. */
type InTransaction =
  | 'log'
  | 'db'
  | 'database'
  | 'afterCommit'
  | 'announceCodeCall'
  | 'inTransaction'

type Above = 'audit' | 'logins' | 'backlog' | 'changeFeed' | 'getRedactors'
type Below = keyof (Services & RateServices)

/** Without the services of other modules. */
export const httpBindings = {
  accounts: 'unchanged',
  userKeys: 'unchanged',
  // It only throws.
  checkChatUser: 'immediate',
  metrics: 'unchanged',
  hooks: 'unchanged',
  lookUpTurns: 'unchanged',
  requestTurns: 'unchanged',
  // It throws if there are too many.
  listenerLimits: { enter: 'immediate' },
  isDiskFull: 'unchanged',
  health: 'unchanged',
  fenced: 'unchanged',
  runsOutsideTransaction: 'unchanged',
  inject: 'unchanged',
  keyedResponses: 'unchanged',
} satisfies Bindings<Omit<HttpServices, Above | Below>>

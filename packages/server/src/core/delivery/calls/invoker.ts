// Calls a bot or an integration, hosted here or at a URL, and returns its response.
import { ApiError } from '@botstead/contract'
import { errorId, type Stoppable, storableText, toBytesInSlices } from '@botstead/lib'
import {
  type CodeUnit,
  type HandlerResponse,
  InvocationFailed,
  type LogLinks,
  type Sandbox,
} from '@botstead/sandbox'
import { createTokenValue } from '../../accounts/index.ts'
import { botCode, hostedBotKey, type IssueCode } from '../../bots/index.ts'
import {
  type Equipment,
  findIntegrationCode,
  findIntegrationTarget,
  findSecrets,
  hostedIntegrationKey,
  type IntegrationTarget,
} from '../../catalog/index.ts'
import type { Section } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import type { Secrets } from '../../sealing/index.ts'
import { createCodeRuns, type RunOnce } from './code-runs.ts'
import { type CodeOwner, parseCodeOwner, unitKey } from './hosted-units.ts'
import type { HostingTrust } from './hosting-trust.ts'
import type { HttpTargets, ResponseBytes } from './http-target.ts'
import type { LargeRequests } from './large-requests.ts'
import { type ObservationDeps, observeInvocation } from './observe-invocation.ts'
import { invokeOwnCode, isOwnCode, type OwnCode } from './own-code.ts'
import { botRequest, integrationRequest } from './request.ts'
import type { BotTarget, Targets } from './targets.ts'

export interface Invocation {
  /**
   * The bot, or the integration installed under `alias`. `former` is the version before an upgrade.
   */
  target: { botId: string; alias: string | null; former?: Equipment | undefined }
  operation:
    | 'event_received'
    | 'register'
    | 'unregister'
    | 'ping'
    | 'action_triggered'
    | 'message_created'
    | 'webhook_received'
    | 'create_user'
    | 'create_conversation'
    | 'message_updated'
    | 'conversation_updated'
  /** Value of the header x-bp-type, for bots. */
  type: string
  body: unknown
  /**
   * Id of the event or message that causes the call. Marks all rows that the code writes meanwhile.
   */
  cause: string | null
  /**
   * Identifies this run of the handler if an earlier one may have begun; a repeated write is not
   * stored again.
   */
  run?: string | null
  /**
   * Id of the worker that holds the lease for this call. When the lease is taken over, writes of
   * the code are rejected.
   */
  fence?: string | null | undefined
  /** Ids that are added to the log lines that hosted code writes during the call. */
  about?: LogLinks
  /** Time limit in ms, if it is less than the limit for its kind. */
  timeoutMs?: number
  /** Set if the call may be stopped. */
  stop?: Stoppable
  /** Requests the response as bytes, with a higher size limit. */
  bytes?: ResponseBytes
}

export type Reply = HandlerResponse

export interface Invoker {
  /**
   * Returns the response, regardless of its status. Throws InvocationFailed if there is none: no
   * code, time-out, crash, connection refused.
   */
  invoke(invocation: Invocation): Promise<Reply>
  /**
   * Returns a value that changes with everything that responses depend on beside the request: code,
   * secrets, configuration. Null for a target that does not exist.
   */
  fingerprint(target: { botId: string; alias: string | null }): Promise<string | null>
  /**
   * Loads code with these secrets, as for a call. Returns the reason if it does not load, otherwise
   * null. Throws Forbidden if this server may not run it, Unavailable if the check could not be
   * made.
   */
  tryCode(
    workspaceId: string,
    code: string,
    secrets: Record<string, string>,
  ): Promise<LoadFailure | null>
  /**
   * Runs code once, in a process with nothing of the bot but its memory limit: see code-runs.ts.
   */
  runOnce: RunOnce
  /** Ends the processes of a bot, after a deployment or a deletion. */
  recycle(botId: string): Promise<void>
  /** Ends the processes of an integration's version on this server, in all workspaces. */
  recycleIntegration(integrationId: string): Promise<void>
}

interface LoadFailure {
  message: string
  /** The code loads, but exports no handler. */
  isWithoutHandler: boolean
}

export interface InvokerDeps extends ObservationDeps {
  db: Db
  secrets: Secrets
  config: Pick<Section<'hosting'> & Section<'limits'>, 'botMemoryMb' | 'limits'>
  targets: Targets
  sandbox: Sandbox
  large: LargeRequests
  trust: HostingTrust
  http: HttpTargets
  /** Writes to the log of a bot's or an integration's owner, and notes an issue for a bot. */
  reportToOwner: (owner: CodeOwner, code: IssueCode, message: string) => void
  /** Finds the code of an integration that is part of this server. */
  findOwnCode: (url: string) => OwnCode | null
  /** URLs at which hosted code reaches the API, and third parties reach webhooks. */
  addresses: () => { api: string; webhooks: string }
}

export function createInvoker(deps: InvokerDeps): Invoker {
  return {
    async invoke({ target: { botId, alias, former }, ...invocation }) {
      const { invocationSeconds, integrationSeconds } = deps.config.limits
      const call = {
        ...invocation,
        timeoutMs: minTimeoutMs(
          invocation.timeoutMs,
          alias === null ? invocationSeconds : integrationSeconds,
        ),
      }
      if (alias === null) return invokeBot(deps, botId, call)
      const installed = await (former
        ? findIntegrationTarget(deps.db, deps.secrets, { botId, alias, former })
        : deps.targets.integration(botId, alias))
      if (!installed)
        throw new InvocationFailed('no-code', `No integration "${alias}" is installed`)
      return invokeIntegration(deps, botId, installed, {
        ...call,
        timeoutMs: Math.min(call.timeoutMs, installed.timeoutMs),
      })
    },
    fingerprint: (target) => fingerprint(deps, target),
    tryCode: (...args) => tryCode(deps, ...args),
    runOnce: createCodeRuns(deps),
    recycle: (botId) =>
      deps.sandbox.stopAll((key) => parseCodeOwner(key).botId === botId),
    recycleIntegration: (integrationId) =>
      deps.sandbox.stopAll((key) => parseCodeOwner(key).integrationId === integrationId),
  }
}

async function fingerprint(
  { targets }: InvokerDeps,
  { botId, alias }: { botId: string; alias: string | null },
): Promise<string | null> {
  if (alias === null) {
    const bot = await targets.bot(botId)
    return (
      bot &&
      JSON.stringify([
        bot.id,
        bot.url,
        bot.version,
        bot.addressee.configuration.updatedAt,
      ])
    )
  }
  const found = await targets.integration(botId, alias)
  if (!found) return null
  const { integrationId, url, version, configurationType, configuration } = found
  return JSON.stringify([
    integrationId,
    alias,
    url,
    version,
    configurationType,
    configuration,
  ])
}

/** Uses a bot id and a token that do not exist, because the bot is not deployed yet. */
async function tryCode(
  deps: InvokerDeps,
  workspaceId: string,
  code: string,
  secrets: Record<string, string>,
): Promise<LoadFailure | null> {
  await deps.trust(workspaceId).catch((error) => {
    throw error instanceof InvocationFailed
      ? new ApiError('Forbidden', error.message)
      : error
  })
  const environment = {
    ...commonEnvironment(deps, secrets),
    BP_BOT_ID: 'bot_',
    BP_TOKEN: createTokenValue('bak', Buffer.alloc(32)),
  }
  try {
    const trial = { code: await toBytesInSlices(code), environment }
    await deps.sandbox.tryOut({ ...trial, memoryMb: deps.config.botMemoryMb })
    return null
  } catch (error) {
    if (!(error instanceof InvocationFailed)) throw error
    if (error.retryAfterMs !== null)
      throw new ApiError('Unavailable', `${error.message}: try again`, { cause: error })
    const message = storableText(error.message, 2_000)
    return { message, isWithoutHandler: error.reason === 'no-code' }
  }
}

/** The maximum delay of Node's timers. */
const maxTimerMs = 2_147_483_647
const minTimeoutMs = (ms = Number.POSITIVE_INFINITY, seconds: number) =>
  Math.min(ms, seconds * 1_000, maxTimerMs)

type Call = Omit<Invocation, 'target' | 'timeoutMs'> & { timeoutMs: number }

async function invokeBot(
  deps: InvokerDeps,
  botId: string,
  { operation, type, body, cause, run, fence, about = {}, timeoutMs, stop }: Call,
): Promise<Reply> {
  const bot = await deps.targets.bot(botId)
  if (!bot) throw new InvocationFailed('no-code', 'The bot does not exist')
  if (bot.blocked) throw new InvocationFailed('blocked', 'The bot is blocked')
  const request = botRequest(bot.addressee, { operation, type, body })
  const { url, version } = bot
  const labels = { botId, alias: null, operation, place: url ? 'url' : 'hosted' } as const
  if (url) {
    const target = {
      url,
      workspaceId: bot.workspaceId,
      signingSecrets: bot.signingSecrets(),
    }
    return observeInvocation(deps, labels, request, () =>
      deps.http
        .invoke(target, request, { timeoutMs, stop })
        .catch(reportingNotAllowed(deps, { botId, integrationId: null })),
    )
  }
  if (!version)
    throw new InvocationFailed('no-code', 'The bot has neither code nor a URL')
  return observeInvocation(deps, labels, request, () =>
    deps.sandbox.invoke(toBotUnit(deps, bot, version), request, {
      timeoutMs,
      cause: run ? `${cause};${run}` : cause,
      fence,
      about,
      ...(stop && { stop }),
    }),
  )
}

function toBotUnit(deps: InvokerDeps, bot: BotTarget, version: string): CodeUnit {
  const { db, secrets } = deps
  return {
    key: bot.id,
    version,
    load: async () => {
      await deps.trust(bot.workspaceId)
      return botCode.find(db, bot.id)
    },
    environment: async () => ({
      ...commonEnvironment(deps, bot.secrets),
      BP_BOT_ID: bot.id,
      BP_TOKEN: await hostedBotKey(db, secrets, bot.id),
    }),
    memoryMb: deps.config.botMemoryMb,
  }
}

const commonEnvironment = (
  { addresses }: InvokerDeps,
  secrets: Record<string, string>,
) => ({
  ...Object.fromEntries(
    Object.entries(secrets).map(([name, value]) => [`SECRET_${name}`, value]),
  ),
  BP_API_URL: addresses().api,
  BP_WEBHOOK_URL: addresses().webhooks,
  BP_LOG_FORMAT: 'json',
})

async function invokeIntegration(
  deps: InvokerDeps,
  botId: string,
  installed: IntegrationTarget,
  { operation, body, cause, fence, about = {}, timeoutMs, bytes }: Call,
): Promise<Reply> {
  const { alias, url, signingSecrets, version, integrationId, workspaceId, authorId } =
    installed
  const request = integrationRequest(
    { botId, botUserId: botId, ...installed },
    { operation, body },
  )
  const labels = { botId, alias, operation, place: url ? 'url' : 'hosted' } as const
  if (url && isOwnCode(url)) {
    const call = { botId, installed, operation, body, timeoutMs }
    const own = { ...labels, place: 'hosted' } as const
    return observeInvocation(deps, own, request, () =>
      invokeOwnCode(deps.findOwnCode(url), call),
    )
  }
  if (url)
    return observeInvocation(deps, labels, request, () =>
      deps.http
        .invoke({ url, workspaceId: authorId, signingSecrets }, request, {
          timeoutMs,
          bytes,
        })
        .catch(reportingNotAllowed(deps, { botId: null, integrationId, workspaceId })),
    )
  if (!version)
    throw new InvocationFailed(
      'no-code',
      `The integration "${alias}" has neither code nor a URL`,
    )
  const unit = toIntegrationUnit(deps, installed, version)
  const reply = await observeInvocation(deps, labels, request, () =>
    deps.large.invoke(unit, request, { timeoutMs, cause, fence, about }),
  )
  return operation === 'webhook_received'
    ? withoutError(deps, { botId: null, integrationId, workspaceId }, reply)
    : reply
}

/** Logs for the owner why a URL is not allowed. The caller gets a neutral message. */
const reportingNotAllowed =
  ({ reportToOwner }: InvokerDeps, owner: CodeOwner) =>
  (error: unknown): never => {
    if (error instanceof InvocationFailed && error.reason === 'not-allowed')
      reportToOwner(owner, 'url_not_allowed', error.detail)
    throw error
  }

/**
 * Replaces an error of webhook code by an id. The integration's log shows the error under this id.
 */
function withoutError(deps: InvokerDeps, owner: CodeOwner, reply: Reply): Reply {
  if (!reply.threw) return reply
  const id = errorId(new Date())
  deps.reportToOwner(
    owner,
    'code_failed',
    `A webhook request failed (${id}): ${thrownIn(reply)}`,
  )
  const message = 'The integration failed to handle the request'
  return {
    status: 500,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, code: 500, type: 'Internal', message }),
  }
}

function thrownIn({ body }: Reply): string {
  try {
    return String((JSON.parse(body) as { error?: unknown }).error)
  } catch {
    return 'unknown error'
  }
}

/**
 * Each version has a process per workspace, so that the data of one workspace never is in the
 * memory of another.
 */
function toIntegrationUnit(
  deps: InvokerDeps,
  { integrationId, workspaceId, authorId }: IntegrationTarget,
  version: string,
): CodeUnit {
  const { db, secrets } = deps
  return {
    key: unitKey({ integrationId, workspaceId }),
    version,
    load: async () => {
      await deps.trust(authorId)
      return findIntegrationCode(db, integrationId)
    },
    environment: async () => ({
      ...commonEnvironment(deps, await findSecrets(db, secrets, integrationId)),
      BP_TOKEN: await hostedIntegrationKey(db, secrets, integrationId, workspaceId),
    }),
    memoryMb: deps.config.botMemoryMb,
  }
}

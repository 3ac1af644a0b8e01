// Calls a bot or an integration and waits for its answer, whether its code runs here or lives at a URL.
import { findCode } from '../bots/bot-code.ts'
import { hostedBotKey } from '../bots/bot-keys.ts'
import { validSecrets } from '../bots/bot-secrets.ts'
import type { Config } from '../config.ts'
import type { Db } from '../db/open.ts'
import type { AnswerBytes, HttpTargets } from '../invocation/http-target.ts'
import { InvocationFailed } from '../invocation/invocation.ts'
import { botRequest, integrationRequest } from '../invocation/request.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { CodeUnit, HandlerResponse, LogLinks, Sandbox } from '../sandbox/sandbox.ts'
import type { InvocationMetrics } from '../telemetry/metrics.ts'
import { observeInvocation } from './observe-invocation.ts'
import type { BotTarget, IntegrationTarget, Targets } from './targets.ts'

export interface Invocation {
  /** Who is called: the bot itself, or the integration installed under this alias. */
  target: { botId: string; alias: string | null }
  operation: 'event_received' | 'register' | 'unregister' | 'ping' | 'action_triggered' | 'message_created' | 'webhook_received'
  /** The header x-bp-type, for bots. */
  type: string
  body: unknown
  /** The event or message that this call follows from; marks all that the code writes meanwhile. */
  cause: string | null
  /** Names this run of the handler, when it may have been begun before: what it says again is not written again. */
  run?: string | null
  /** What it is about: lines that hosted code writes meanwhile are found by it. */
  about?: LogLinks
  /** Of its own, where that is less than all of its kind may take. */
  timeoutMs?: number
  /** The answer is wanted as bytes, and may be larger than others. */
  bytes?: AnswerBytes
}

export type Reply = HandlerResponse

export interface Invoker {
  /** The answer as it came, whatever its status. Throws InvocationFailed where there is none: no code, time-out, crash, connection refused. */
  invoke(invocation: Invocation): Promise<Reply>
  /** Ends the processes of a bot: after a new deployment, a deletion. */
  recycle(botId: string): Promise<void>
}

export interface InvokerDeps {
  db: Db
  secrets: Secrets
  config: Pick<Config, 'botMemoryMb' | 'limits'>
  targets: Targets
  sandbox: Sandbox
  http: HttpTargets
  metrics: InvocationMetrics
  /** Where hosted code reaches our API, and where third parties reach its webhooks. */
  addresses: () => { api: string; webhooks: string }
}

export function createInvoker(deps: InvokerDeps): Invoker {
  return {
    invoke({ target: { botId, alias }, ...invocation }) {
      const { invocationSeconds, integrationSeconds } = deps.config.limits
      const call = { ...invocation, timeoutMs: least(invocation.timeoutMs, alias === null ? invocationSeconds : integrationSeconds) }
      return alias === null ? invokeBot(deps, botId, call) : invokeIntegration(deps, botId, alias, call)
    },
    recycle: (botId) => deps.sandbox.stop(botId),
  }
}

/** No timer of Node's runs longer. */
const longestTimer = 2_147_483_647
const least = (ms = Number.POSITIVE_INFINITY, seconds: number) => Math.min(ms, seconds * 1_000, longestTimer)

type Call = Omit<Invocation, 'target' | 'timeoutMs'> & { timeoutMs: number }

async function invokeBot(deps: InvokerDeps, botId: string, { operation, type, body, cause, run, about = {}, timeoutMs }: Call): Promise<Reply> {
  const bot = await deps.targets.bot(botId)
  if (!bot) throw new InvocationFailed('no-code', 'The bot does not exist')
  if (bot.blocked) throw new InvocationFailed('blocked', 'The bot is blocked')
  const request = botRequest(bot.addressee, { operation, type, body })
  const { url, version } = bot
  const told = { botId, alias: null, operation, place: url ? 'url' : 'hosted' } as const
  if (url) {
    const target = { url, signingSecrets: validSecrets(bot.signingSecrets) }
    return observeInvocation(deps.metrics, told, request, () => deps.http.invoke(target, request, { timeoutMs }))
  }
  if (!version) throw new InvocationFailed('no-code', 'The bot has neither code nor a URL')
  return observeInvocation(deps.metrics, told, request, () =>
    deps.sandbox.invoke(codeOf(deps, bot, version), request, { timeoutMs, cause: run ? `${cause};${run}` : cause, about }),
  )
}

function codeOf({ db, secrets, config, addresses }: InvokerDeps, bot: BotTarget, version: string): CodeUnit {
  return {
    key: bot.id,
    version,
    load: async () => (await findCode(db, bot.id))?.code ?? '',
    environment: async () => ({
      BP_API_URL: addresses().api,
      BP_WEBHOOK_URL: addresses().webhooks,
      BP_BOT_ID: bot.id,
      BP_TOKEN: await hostedBotKey(db, secrets, bot.id),
      BP_LOG_FORMAT: 'json',
      ...Object.fromEntries(Object.entries(bot.secrets).map(([name, value]) => [`SECRET_${name}`, value])),
    }),
    memoryMb: config.botMemoryMb,
  }
}

async function invokeIntegration(deps: InvokerDeps, botId: string, alias: string, { operation, body, timeoutMs, bytes }: Call): Promise<Reply> {
  const installed: IntegrationTarget | null = await deps.targets.integration(botId, alias)
  if (!installed) throw new InvocationFailed('no-code', `No integration "${alias}" is installed`)
  if (!installed.url) throw new InvocationFailed('no-code', `The integration "${alias}" has neither code nor a URL`)
  const request = integrationRequest({ botId, botUserId: botId, ...installed }, { operation, body })
  const { url } = installed
  return observeInvocation(deps.metrics, { botId, alias, operation, place: 'url' }, request, () => deps.http.invoke({ url }, request, { timeoutMs, bytes }))
}

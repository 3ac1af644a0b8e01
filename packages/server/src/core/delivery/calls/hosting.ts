// Runs the code of bots and integrations: the sandbox, targets at URLs, and the invoker that calls
// both.
import type { Socket } from 'node:net'
import type { LookUp } from '@botstead/lib'
import { openCache } from '@botstead/lib'
import {
  type Channel,
  createSandbox,
  openRemoteSandbox,
  type SandboxOptions,
  type SandboxStats,
} from '@botstead/sandbox'
import type { Logger } from 'pino'
import { workspaceStore } from '../../accounts/index.ts'
import { createBotLogWriter, type Issues } from '../../bots/index.ts'
import { createIntegrationLogWriter } from '../../catalog/index.ts'
import type { GetRedactors } from '../../compute/index.ts'
import type { Config } from '../../config/index.ts'
import type { Db } from '../../db/index.ts'
import { openOutgoing } from '../../outgoing/index.ts'
import { toCreateThroughIntegration } from '../creations.ts'
import { endingIssues } from '../ending-issues.ts'
import { createColumnCode } from './column-code.ts'
import { parseCodeOwner } from './hosted-units.ts'
import {
  openHostingTrust,
  otherWorkspacesRejected,
  rejectsOtherWorkspaces,
} from './hosting-trust.ts'
import { createHttpTargets } from './http-target.ts'
import { createInvoker, type InvokerDeps } from './invoker.ts'
import { openLargeRequests } from './large-requests.ts'

interface HostingDeps
  extends Pick<
    InvokerDeps,
    'db' | 'secrets' | 'targets' | 'metrics' | 'usage' | 'findOwnCode'
  > {
  config: Config
  log: Logger
  db: Db
  issues: Pick<Issues, 'report'>
  /** Called after log lines of a bot were stored. */
  logged: (botId: string) => void
  /** The API's URL on this machine. */
  api: () => string
  /** Serves the API on a connection of the hosted process with this name. */
  serve: (socket: Socket, processName: string) => void
  find?: SandboxOptions['find'] | undefined
  sandboxChannel?: Channel | undefined
  /** For URLs of workspaces. */
  lookUp?: LookUp | undefined
  getRedactors: GetRedactors
}

const timeoutMessage = 'The code did not respond in time; the server ended its process'

export async function openHosting(parts: HostingDeps) {
  const { config, log, db, targets, issues, api, serve, find } = parts
  const logs = createBotLogWriter(db, log, {
    getRedactors: parts.getRedactors,
    changed: parts.logged,
  })
  const integrationLogs = createIntegrationLogWriter(
    { db, getRedactors: parts.getRedactors },
    log,
  )
  const { reportToOwner, ...listeners } = ownerNotices({ logs, integrationLogs, issues })
  const options = {
    ...listeners,
    minTier: config.sandboxMinTier,
    isTuned: config.botTuning === 'on',
    ...(find && { find }),
    egress: {
      apiUrls: () => [api(), config.publicUrl ?? api()],
      serve,
      reach: config.botNetwork,
    },
  }
  const { sandboxChannel } = parts
  const sandbox = sandboxChannel
    ? await openRemoteSandbox(sandboxChannel, options)
    : await createSandbox(options)
  const stats = () => withRejection(config, sandbox.stats())
  logIsolation(log, stats())
  const { outgoing, isOwners } = openConnections(parts)
  const http = createHttpTargets(outgoing)
  const large = openLargeRequests(sandbox)
  const addresses = () => ({
    api: api(),
    webhooks: `${config.publicUrl ?? api()}/webhooks`,
  })
  const trust = openHostingTrust(db, config, sandbox)
  /** A bot that does not exist has no workspace and no code. */
  const trustBot = async (botId: string) =>
    trust((await targets.bot(botId))?.workspaceId ?? '')
  const invoker = createInvoker({
    ...parts,
    sandbox,
    large,
    http,
    addresses,
    trust,
    reportToOwner,
  })
  return {
    sandbox: { stats, close: (deadlineMs: number) => sandbox.close(deadlineMs) },
    logs,
    outgoing,
    /** Writes to the bot's log, and notes an issue. */
    reportNotAllowed: (botId: string, message: string) =>
      reportToOwner({ botId, integrationId: null }, 'url_not_allowed', message),
    invoker,
    createThroughIntegration: toCreateThroughIntegration(invoker),
    /** Must be called when the members of a workspace change. */
    invalidateTrust: () => isOwners.clear(),
    runColumnCode: createColumnCode(sandbox, {
      memoryMb: config.botMemoryMb,
      trust: trustBot,
    }),
    /** Must be called after all code has stopped. */
    close: () => Promise.all([outgoing.close(), logs.close(), integrationLogs.close()]),
  }
}

/** Opens the connections to URLs of workspaces. `isOwners` caches which workspaces are the operator's. */
function openConnections({ config, db, api, lookUp }: HostingDeps) {
  const isOwners = openCache(
    (workspaceId) => workspaceStore.isOwnedWithFirst(db, workspaceId),
    {
      size: 10_000,
      ttlMs: 60_000,
    },
  )
  const outgoing = openOutgoing({
    isOwners: isOwners.get,
    reach: config.urlNetwork,
    tunnels: () => tunnelAddresses(config, api()),
    lookUp,
  })
  return { outgoing, isOwners }
}

const withRejection = (config: Config, stats: SandboxStats): SandboxStats =>
  rejectsOtherWorkspaces(config, stats)
    ? { ...stats, protections: [...stats.protections, otherWorkspacesRejected] }
    : stats

interface OwnerDeps {
  logs: ReturnType<typeof createBotLogWriter>
  integrationLogs: ReturnType<typeof createIntegrationLogWriter>
  issues: Pick<Issues, 'report'>
}

/** Notifies the owners of code of its log lines and problems. */
function ownerNotices({ logs, integrationLogs, issues }: OwnerDeps) {
  const reportToOwner: InvokerDeps['reportToOwner'] = (owner, code, message) => {
    const line = { level: 'error' as const, message, at: new Date() }
    if (owner.botId === null) return integrationLogs.write(owner, line)
    logs.write(owner.botId, line)
    issues.report(owner.botId, { code, message })
  }
  const onLog: SandboxOptions['onLog'] = (key, line) => {
    const owner = parseCodeOwner(key)
    if (owner.botId === null) integrationLogs.write(owner, line)
    else logs.write(owner.botId, line)
    if (line.dropped)
      issues.report(owner.botId ?? key, { code: 'logs_dropped', message: line.message })
  }
  const onTrouble: NonNullable<SandboxOptions['onTrouble']> = (key, how, reason) => {
    const owner = parseCodeOwner(key)
    const message = how === 'timeout' ? timeoutMessage : reason
    if (owner.botId === null) reportToOwner(owner, endingIssues[how], message)
    else issues.report(owner.botId, { code: endingIssues[how], message })
  }
  return { reportToOwner, onLog, onTrouble }
}

/**
 * Returns the addresses of tunnels: the server's own, its public URL, and `tunnel.` under its
 * domain.
 */
function tunnelAddresses({ host, publicUrl, domain }: Config, api: string) {
  const named = publicUrl ? [new URL(publicUrl)] : []
  const ofDomain = [new URL(api), ...named].flatMap((url) => {
    if (!domain) return []
    const other = new URL(url)
    other.hostname = `tunnel.${domain}`
    return [other]
  })
  return {
    own: new URL(api),
    everywhere: host === '0.0.0.0' || host === '::',
    others: [...named, ...ofDomain],
  }
}

function logIsolation(log: Logger, { tier, protections, missed, refusal }: SandboxStats) {
  if (refusal) log.error({ missed }, refusal)
  else log.info({ tier, protections, missed }, 'isolation of hosted code on this machine')
}

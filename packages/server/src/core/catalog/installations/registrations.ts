// Calls `register` of bots and integrations after a deployment, an installation, a new
// configuration or when a schedule is due, and `unregister` before their removal. It never fails
// for the caller: results are recorded for the owners.

import type { HandlerResponse, InvocationFailed } from '@botstead/sandbox'
import { appendBotLogs, type Issues, type LogDeps } from '../../bots/index.ts'
import type { Equipment, RegistrationCall } from './installation-plan.ts'
import { claimDueRegistrations } from './installation-settings.ts'
import {
  findInstallation,
  listInstallations,
  type PendingRegistrations,
} from './installations.ts'
import { type Attempt, recordRegistration, removeLeaving } from './registration-rows.ts'

interface Invocation {
  /** The bot, or the integration installed under `alias`. */
  target: { botId: string; alias: string | null; former?: Equipment | undefined }
  operation: 'register' | 'unregister'
  type: string
  body: object
  cause: null
  timeoutMs: number
}

interface RegistrationDeps extends LogDeps {
  /** Calls code (core/delivery/calls/invoker.ts). */
  invoker: { invoke(invocation: Invocation): Promise<HandlerResponse> }
  issues: Pick<Issues, 'report' | 'resolveRegistration'>
  /** Returns the URL at which clients reach this server, without a trailing slash. */
  publicUrl: () => string
}

/** Time limit in ms. A deployment responds only after the bot's registration. */
const botTimeoutMs = 30_000
/** Time limit in ms for integrations, which may call slow third parties. */
const integrationTimeoutMs = 60_000

/** Makes the calls that an update of the installed integrations requires, all at the same time. */
async function settleInstallations(
  deps: RegistrationDeps,
  botId: string,
  { attempt, calls }: PendingRegistrations,
): Promise<void> {
  await Promise.all(
    calls.map((call) => settle(deps, { botId, alias: call.alias, attempt }, call)),
  )
}

/** Replaced versions and removed integrations are removed even if their `unregister` fails. */
async function settle(
  deps: RegistrationDeps,
  one: Attempt,
  { former, operation, leaves }: RegistrationCall,
): Promise<void> {
  if (former) await unregisterFormer(deps, one, former)
  if (operation === 'register') return registerIntegration(deps, one)
  const reason = operation && (await unregister(deps, one))
  if (leaves) {
    await removeLeaving(deps.db, one)
    await deps.issues.resolveRegistration(one.botId, one.alias)
  } else
    await recordRegistration(
      deps.db,
      one,
      operation && (reason === null ? 'unregistered' : 'unregistration_failed'),
      reason,
    )
}

/**
 * Periodic task: registers integrations that requested it by `configureIntegration`. Claiming a row
 * sets its next time, so only one process registers each.
 */
export async function registerDue(deps: RegistrationDeps): Promise<void> {
  const due = await claimDueRegistrations(deps.db, new Date(), 20)
  await Promise.all(due.map((one) => registerIntegration(deps, one)))
}

/** Sets the status to `registered`, or to `registration_failed` with the reason. */
async function registerIntegration(deps: RegistrationDeps, one: Attempt): Promise<void> {
  const reason = await callInstalled(deps, one, 'register')
  if (reason !== null)
    deps.issues.report(one.botId, {
      code: 'integration_not_registered',
      message: reason,
      facts: { integration: one.alias },
    })
  await recordRegistration(
    deps.db,
    one,
    reason === null ? 'registered' : 'registration_failed',
    reason,
  )
  if (reason === null) await deps.issues.resolveRegistration(one.botId, one.alias)
}

async function unregister(deps: RegistrationDeps, one: Attempt): Promise<string | null> {
  const reason = await callInstalled(deps, one, 'unregister')
  if (reason !== null)
    await logToBot(deps, one.botId, `unregister of ${one.alias} failed: ${reason}`)
  return reason
}

async function unregisterFormer(
  deps: RegistrationDeps,
  { botId, alias }: Attempt,
  former: Equipment,
): Promise<void> {
  const reason = await callInstalled(deps, { botId, alias }, 'unregister', former)
  if (reason !== null)
    await logToBot(
      deps,
      botId,
      `unregister of the version of ${alias} that was replaced failed: ${reason}`,
    )
}

/** Calls `unregister` of all enabled integrations, before the bot is deleted. Records nothing. */
async function unregisterAll(deps: RegistrationDeps, botId: string): Promise<void> {
  const installed = await listInstallations(deps.db, botId)
  const called = installed.filter(({ enabled, builtIn }) => enabled && !builtIn)
  await Promise.all(
    called.map(({ alias }) => callInstalled(deps, { botId, alias }, 'unregister')),
  )
}

/** Returns null when the call succeeded or there is no code to call; otherwise the reason. */
async function callInstalled(
  { db, invoker, publicUrl, getRedactors }: RegistrationDeps,
  { botId, alias }: Pick<Attempt, 'botId' | 'alias'>,
  operation: 'register' | 'unregister',
  former?: Equipment,
): Promise<string | null> {
  const installed = await findInstallation(db, botId, alias)
  if (!installed || (installed.builtIn && !former)) return null
  const body = { webhookUrl: `${publicUrl()}/webhooks/${installed.webhook_id}` }
  const invocation: Invocation = {
    target: { botId, alias, former },
    operation,
    type: operation,
    body,
    cause: null,
    timeoutMs: integrationTimeoutMs,
  }
  const reason = await call(
    invoker,
    invocation,
    operation === 'unregister' ? ['no-code'] : [],
  )
  const { logs } = await getRedactors(botId)
  return reason && logs ? logs.text(reason) : reason
}

/**
 * Calls `register` of a bot. A failure goes to the bot's log. A bot that has no code yet or is
 * blocked is skipped.
 */
async function registerBot(deps: RegistrationDeps, botId: string): Promise<void> {
  const target = { botId, alias: null }
  const invocation: Invocation = {
    target,
    operation: 'register',
    type: 'register',
    body: {},
    cause: null,
    timeoutMs: botTimeoutMs,
  }
  const { reason, isNoted } = await attempt(deps.invoker, invocation, [
    'no-code',
    'blocked',
  ])
  if (reason === null) return
  if (!isNoted) deps.issues.report(botId, { code: 'register_failed', message: reason })
  await logToBot(deps, botId, `register failed: ${reason}`)
}

const logToBot = (deps: RegistrationDeps, botId: string, message: string) =>
  appendBotLogs(deps, botId, [{ at: new Date(), level: 'error', message }])

const call = async (...options: Parameters<typeof attempt>): Promise<string | null> =>
  (await attempt(...options)).reason

/** `isNoted`: the end of the process, for example code that does not load, is an issue already. */
async function attempt(
  invoker: RegistrationDeps['invoker'],
  invocation: Invocation,
  ignoredReasons: string[],
): Promise<{ reason: string | null; isNoted?: boolean }> {
  try {
    const reply = await invoker.invoke(invocation)
    return { reason: reply.status >= 200 && reply.status < 300 ? null : reasonIn(reply) }
  } catch (error) {
    const {
      reason = '',
      message,
      ending = null,
    } = error as Error & Partial<InvocationFailed>
    return {
      reason: ignoredReasons.includes(reason) ? null : message,
      isNoted: ending !== null,
    }
  }
}

/** SDK errors are `{code, type, id, message}`; the SDK's HTTP server sends `{error}`. */
function reasonIn({ status, body }: HandlerResponse): string {
  try {
    const { message, error } = JSON.parse(body) as { message?: unknown; error?: unknown }
    const text = [message, error].find((text) => typeof text === 'string' && text !== '')
    if (text) return text as string
  } catch {
    // not JSON: use the status
  }
  return `answered ${status}`
}

/** Registrations of integrations with their providers, for each installation. */
export const registrations = {
  registerBot,
  settle: settleInstallations,
  unregisterAll,
}

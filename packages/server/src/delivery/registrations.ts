// Tells bots and integrations that they are, or are no longer, to do their work: `register` after a deployment, an installation, a new
// configuration or when a schedule is due, `unregister` before they go. It never fails for the caller: how it went is recorded where owners look.
import { appendBotLogs } from '../bots/bot-logs.ts'
import type { Equipment, Telling } from '../integrations/installation-plan.ts'
import { findInstallation, type ToTell } from '../integrations/installations.ts'
import { type Attempt, recordRegistration, removeLeaving } from '../integrations/registration-rows.ts'
import type { Services } from '../services.ts'
import type { Invocation, Invoker, Reply } from './invoker.ts'

type Means = Pick<Services, 'db' | 'invoker' | 'issues' | 'publicUrl'>

/** A bot's registration holds up the answer to whoever deploys it. */
const botPatience = 30_000
/** So does an integration's; third parties are slow. */
const integrationPatience = 60_000

/** What remains to be done when an update has changed what is installed, all at the same time. */
export async function settleInstallations(
  means: Means,
  botId: string,
  { attempt, tell }: ToTell,
): Promise<void> {
  await Promise.all(tell.map((telling) => settle(means, { botId, alias: telling.alias, attempt }, telling)))
}

/** A version that is replaced goes whatever its `unregister` says; so does what leaves. */
async function settle(means: Means, one: Attempt, { former, operation, leaves }: Telling): Promise<void> {
  if (former) await unregisterFormer(means, one, former)
  if (operation === 'register') return registerIntegration(means, one)
  const reason = operation && (await unregister(means, one))
  if (leaves) await removeLeaving(means.db, one)
  else
    await recordRegistration(
      means.db,
      one,
      operation && (reason === null ? 'unregistered' : 'unregistration_failed'),
      reason,
    )
}

/** Ends with the status `registered`, or `registration_failed` and the reason. */
export async function registerIntegration(means: Means, one: Attempt): Promise<void> {
  const reason = await tellInstalled(means, one, 'register')
  if (reason !== null)
    means.issues.note(one.botId, {
      code: 'integration_not_registered',
      message: reason,
      facts: { integration: one.alias },
    })
  await recordRegistration(means.db, one, reason === null ? 'registered' : 'registration_failed', reason)
}

async function unregister(means: Means, one: Attempt): Promise<string | null> {
  const reason = await tellInstalled(means, one, 'unregister')
  if (reason !== null) await tellOwner(means, one.botId, `unregister of ${one.alias} failed: ${reason}`)
  return reason
}

async function unregisterFormer(means: Means, { botId, alias }: Attempt, former: Equipment): Promise<void> {
  const reason = await tellInstalled(means, { botId, alias }, 'unregister', former)
  if (reason !== null)
    await tellOwner(means, botId, `unregister of the version of ${alias} that was replaced failed: ${reason}`)
}

/** Before the bot goes, with all that it has: nothing is recorded. */
export const unregisterLast = async (means: Means, botId: string, alias: string) =>
  void (await tellInstalled(means, { botId, alias }, 'unregister'))

/** Null when it went well, or when there was nobody to tell; otherwise why not. */
async function tellInstalled(
  { db, invoker, publicUrl }: Means,
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
    timeoutMs: integrationPatience,
  }
  return call(invoker, invocation, operation === 'unregister' ? ['no-code'] : [])
}

/** A failure goes to the bot's log. A bot that has no code yet, or is blocked, has nothing to register. */
export async function registerBot(means: Means, botId: string): Promise<void> {
  const target = { botId, alias: null }
  const invocation: Invocation = {
    target,
    operation: 'register',
    type: 'register',
    body: {},
    cause: null,
    timeoutMs: botPatience,
  }
  const reason = await call(means.invoker, invocation, ['no-code', 'blocked'])
  if (reason === null) return
  means.issues.note(botId, { code: 'register_failed', message: reason })
  await tellOwner(means, botId, `register failed: ${reason}`)
}

const tellOwner = ({ db }: Means, botId: string, message: string) =>
  appendBotLogs(db, botId, [{ at: new Date(), level: 'error', message }])

async function call(invoker: Invoker, invocation: Invocation, inOrder: string[]): Promise<string | null> {
  try {
    const reply = await invoker.invoke(invocation)
    return reply.status >= 200 && reply.status < 300 ? null : reasonIn(reply)
  } catch (error) {
    const { reason = '', message } = error as Error & { reason?: string }
    return inOrder.includes(reason) ? null : message
  }
}

/** Errors of the SDK are `{code, type, id, message}`; its HTTP server says `{error}`. */
function reasonIn({ status, body }: Reply): string {
  try {
    const { message, error } = JSON.parse(body) as { message?: unknown; error?: unknown }
    const said = [message, error].find((text) => typeof text === 'string' && text !== '')
    if (said) return said as string
  } catch {
    // not JSON: the status has to do
  }
  return `answered ${status}`
}

// Tells bots and integrations that they are, or are no longer, to do their work: `register` after a deployment, an installation, a new
// configuration or when a schedule is due, `unregister` before they go. It never fails for the caller: how it went is recorded where owners look.
import { appendBotLogs } from '../bots/bot-logs.ts'
import { findInstallation, recordRegistration, removeDisabled } from '../integrations/installations.ts'
import type { Services } from '../services.ts'
import type { Invocation, Invoker, Reply } from './invoker.ts'

type Means = Pick<Services, 'db' | 'invoker' | 'publicUrl'>

/** A bot's registration holds up the answer to whoever deploys it. */
const botPatience = 30_000

/** Ends with the status `registered`, or `registration_failed` and the reason. */
export async function registerIntegration(means: Means, botId: string, alias: string): Promise<void> {
  const reason = await tell(means, botId, alias, 'register')
  await recordRegistration(means.db, botId, alias, reason === null ? 'registered' : 'registration_failed', reason)
}

/** Ends with the status `unregistered`, or `unregistration_failed` and the reason. */
export async function unregisterIntegration(means: Means, botId: string, alias: string): Promise<void> {
  const reason = await tell(means, botId, alias, 'unregister')
  await recordRegistration(means.db, botId, alias, reason === null ? 'unregistered' : 'unregistration_failed', reason)
}

async function tell({ db, invoker, publicUrl }: Means, botId: string, alias: string, operation: 'register' | 'unregister'): Promise<string | null> {
  const installed = await findInstallation(db, botId, alias)
  if (!installed || installed.builtIn) return null
  const body = { webhookUrl: `${publicUrl()}/webhooks/${installed.webhook_id}` }
  return call(invoker, { target: { botId, alias }, operation, type: operation, body, cause: null })
}

/** What remains to be done when an update has changed what is installed. Those that leave go whatever their `unregister` says. */
export async function settleInstallations(means: Means, botId: string, todo: { register: string[]; unregister: string[]; leave: string[] }): Promise<void> {
  await Promise.all([
    ...todo.register.map((alias) => registerIntegration(means, botId, alias)),
    ...todo.unregister.map((alias) => unregisterIntegration(means, botId, alias)),
  ])
  await removeDisabled(means.db, botId, todo.leave)
}

/** A failure goes to the bot's log. A bot that has no code yet, or is blocked, has nothing to register. */
export async function registerBot({ db, invoker }: Means, botId: string): Promise<void> {
  const target = { botId, alias: null }
  const reason = await call(invoker, { target, operation: 'register', type: 'register', body: {}, cause: null, timeoutMs: botPatience })
  if (reason !== null) await appendBotLogs(db, botId, [{ at: new Date(), level: 'error', message: `register failed: ${reason}` }])
}

/** Null when it went well, or when there was nobody to call; otherwise why not. */
async function call(invoker: Invoker, invocation: Invocation): Promise<string | null> {
  try {
    const reply = await invoker.invoke(invocation)
    return reply.status < 300 ? null : reasonIn(reply)
  } catch (error) {
    const { reason, message } = error as Error & { reason?: string }
    return reason === 'no-code' || reason === 'blocked' ? null : message
  }
}

/** Errors of the SDK are `{code, type, id, message}`. */
function reasonIn({ status, body }: Reply): string {
  try {
    const { message } = JSON.parse(body) as { message?: unknown }
    if (typeof message === 'string' && message) return message
  } catch {
    // not JSON: the status has to do
  }
  return `answered ${status}`
}

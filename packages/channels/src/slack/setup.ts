// Checks the settings of an app before messages are expected, and names the missing ones.
import { type Account, ChannelError, type Context } from '../channel.ts'
import { call, callWithHeaders } from './api.ts'
import { openConnection } from './socket-mode.ts'

/** Throws ChannelError. */
export async function checkSetup(context: Context): Promise<Account> {
  const { botToken, appToken, signingSecret, receiveBy } = context.configuration
  requireStart(
    'bot token',
    botToken,
    'xoxb-',
    '"OAuth & Permissions" → "Bot User OAuth Token"',
  )
  const { result, headers } = await callWithHeaders<Tested>(context, 'auth.test')
  checkScopes(headers['x-oauth-scopes'])
  const account =
    result.user && result.team ? { name: `@${result.user} (${result.team})` } : {}
  if (receiveBy === 'webhook') {
    requireSecret(signingSecret)
    return account
  }
  requireStart(
    'app-level token',
    appToken,
    'xapp-',
    '"Basic Information" → "App-Level Tokens"',
  )
  await openConnection(context)
  await checkSameApp(context, String(appToken), result.bot_id)
  return account
}

interface Tested {
  bot_id?: string
  user?: string
  team?: string
}

const wrong = (message: string) => new ChannelError('credentials', message)

function requireStart(name: string, token: unknown, start: string, place: string): void {
  if (typeof token === 'string' && token.startsWith(start)) return
  throw wrong(
    `The ${name} begins with "${start}". Copy it from your app at api.slack.com/apps: ${place}.`,
  )
}

function requireSecret(secret: unknown): void {
  if (secret) return
  throw wrong(
    'To receive messages by webhook, the Signing Secret is needed. Copy it from your app at ' +
      'api.slack.com/apps: "Basic Information" → "App Credentials".',
  )
}

/** Slack lists the scopes of the token with each answer. */
function checkScopes(list: string | undefined): void {
  if (!list) return
  const scopes = list.split(',').map((scope) => scope.trim())
  const missing = scopes.includes('chat:write') ? [] : ['chat:write']
  if (
    !scopes.some((scope) =>
      /^(?:im|channels|groups|mpim):history$|^app_mentions:read$/.test(scope),
    )
  )
    missing.push('im:history')
  if (missing.length === 0) return
  throw wrong(
    `The app lacks the scope "${missing.join('" and "')}". Add it at "OAuth & Permissions" → ` +
      '"Bot Token Scopes", and install the app again.',
  )
}

/** An app-level token contains the id of its app: xapp-1-A0123-… */
async function checkSameApp(
  context: Context,
  appToken: string,
  bot?: string,
): Promise<void> {
  const ofToken = /^xapp-\d+-(A[A-Z0-9]+)-/.exec(appToken)?.[1]
  if (!ofToken || !bot) return
  const ofBot = await call<{ bot?: { app_id?: string } }>(context, 'bots.info', {
    bot,
  }).then(
    (answer) => answer.bot?.app_id,
    // Needs a scope that the app may do without.
    () => undefined,
  )
  if (ofBot === undefined || ofBot === ofToken) return
  throw wrong(
    `The two tokens are of different apps: the bot token of "${ofBot}", the app-level token of ` +
      `"${ofToken}". ` +
      'Copy both from the same app.',
  )
}

// What Slack's errors mean, and what to do.
import type { ChannelErrorKind } from '../channel.ts'

const kinds: [RegExp, ChannelErrorKind][] = [
  [
    /^(?:internal_error|fatal_error|service_unavailable|request_timeout|status 5\d\d)$/,
    'unavailable',
  ],
  [
    /^(?:invalid_auth|not_authed|token_revoked|token_expired|account_inactive)$/,
    'credentials',
  ],
  [/^(?:missing_scope|not_allowed_token_type|no_permission)$/, 'credentials'],
]

export const toKind = (error: string): ChannelErrorKind =>
  kinds.find(([pattern]) => pattern.test(error))?.[1] ?? 'rejected'

const tokenPlaces = {
  botToken:
    'bot token. Copy it again from your app at api.slack.com/apps: "OAuth & Permissions" → "Bot ' +
    'User OAuth Token"',
  appToken:
    'app-level token. Copy it again from your app at api.slack.com/apps: "Basic Information" → ' +
    '"App-Level Tokens"',
}

interface Details {
  token: keyof typeof tokenPlaces
  /** The scope that is missing. */
  needed?: string | undefined
  details: string
}

const explanations: [RegExp, (details: Details) => string][] = [
  [
    /^(?:invalid_auth|not_authed)$/,
    ({ token }) => `Slack does not know this ${tokenPlaces[token]}.`,
  ],
  [
    /^(?:token_revoked|account_inactive)$/,
    () =>
      'The app was removed from the workspace, or its token revoked. Install the app again ' +
      '("Install App"), and copy the new token.',
  ],
  [
    /^token_expired$/,
    () =>
      'The token has expired, because token rotation is on. Use an app without token rotation, ' +
      'whose tokens do not expire.',
  ],
  [
    /^not_allowed_token_type$/,
    ({ token }) => `Slack expects another token as ${tokenPlaces[token]}.`,
  ],
  [
    /^missing_scope$/,
    ({ token, needed }) =>
      token === 'appToken'
        ? 'The app-level token lacks the scope "connections:write". Generate another one with it: ' +
          '"Basic Information" → "App-Level Tokens".'
        : `The app lacks the scope "${needed ?? ''}". Add it at "OAuth & Permissions" → "Bot Token ` +
          `Scopes", and install the app again.`,
  ],
  [
    /^(?:not_in_channel|channel_not_found)$/,
    () =>
      'The bot is not in this channel. Invite it there: write /invite and the name of the bot.',
  ],
  [/^is_archived$/, () => 'The channel is archived.'],
  [
    /^(?:messages_tab_disabled|cannot_dm_bot)$/,
    () =>
      'People cannot write to the app. Switch on "App Home" → "Messages Tab", and "Allow users to ' +
      'send messages from the messages tab".',
  ],
  [
    /^restricted_action/,
    () => 'A rule of the workspace or the channel does not let the bot write there.',
  ],
  [
    /socket_mode|^link_disabled$/,
    () => 'Socket Mode is off. Switch it on in your app at "Socket Mode".',
  ],
]

/** Explains the error and its remedy in plain words, with Slack's own word in parentheses. */
export function explain(error: string, details: Details): string {
  const found = explanations.find(([pattern]) => pattern.test(error))
  const own = details.details ? `${error}: ${details.details}` : error
  return found ? `${found[1](details)} (Slack: ${own})` : `Slack: ${own}`
}

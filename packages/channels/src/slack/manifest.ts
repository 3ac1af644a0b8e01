// The manifest from which Slack creates an app (https://docs.slack.dev/reference/app-manifest).
import type { GuideValues } from '../guide.ts'

export const scopes = [
  'chat:write',
  'chat:write.customize',
  'im:history',
  'channels:history',
  'groups:history',
  'users:read',
  'files:read',
  'files:write',
  'reactions:read',
  'reactions:write',
]

export const botEvents = [
  'message.im',
  'message.channels',
  'message.groups',
  'reaction_added',
  'reaction_removed',
]

/** Slack admits 35 and 80 characters. */
const maxName = 35

/** Without an address, and for a connection, the app uses Socket Mode. */
export function makeManifest({
  botName,
  configuration,
  webhookUrl,
}: GuideValues): Uint8Array {
  const name =
    botName
      .replace(/[\p{C}<>]/gu, '')
      .trim()
      .slice(0, maxName) || 'Bot'
  const isByWebhook = configuration.receiveBy === 'webhook' && webhookUrl !== undefined
  const address = isByWebhook ? { request_url: webhookUrl } : {}
  const manifest = {
    display_information: { name },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: name, always_online: true },
    },
    oauth_config: { scopes: { bot: scopes } },
    settings: {
      event_subscriptions: { ...address, bot_events: botEvents },
      interactivity: { is_enabled: true, ...address },
      org_deploy_enabled: false,
      socket_mode_enabled: !isByWebhook,
      token_rotation_enabled: false,
    },
  }
  return Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
}

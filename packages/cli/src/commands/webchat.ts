// `botstead webchat`: prints the HTML that embeds the webchat of a bot, and sets the origins of the
// pages that may use it.
import { openAdmin } from '../admin.ts'
import { type Connecting, readCredentials } from '../credentials.ts'
import { CliError } from '../failure.ts'

interface Installed {
  name: string
  enabled: boolean
  webhookId: string
  configuration: Record<string, unknown>
}

interface WebchatOptions extends Connecting {
  type: string
  origins?: string
  json?: boolean
}

export async function showWebchat(
  botId: string | undefined,
  options: WebchatOptions,
): Promise<void> {
  const id = botId ?? readCredentials()?.botId
  if (!id)
    throw new CliError(
      'a bot id is required: botstead webchat <botId> ("botstead bots" lists the bots)',
    )
  const admin = openAdmin(options)
  const path = `/v1/admin/bots/${encodeURIComponent(id)}`
  const query = new URLSearchParams({ type: options.type })
  const { code } = await admin.ask<{ code: string }>('GET', `${path}/webchat?${query}`)
  const { integrations } = (
    await admin.ask<{ bot: { integrations: Record<string, Installed> } }>('GET', path)
  ).bot
  const [alias, { webhookId: clientId, configuration }] = chatOf(integrations)
  const origins = options.origins?.split(',').flatMap((one) => one.trim() || [])
  if (origins)
    await admin.ask('PUT', path, {
      integrations: {
        [alias]: { configuration: { ...configuration, allowedOrigins: origins } },
      },
    })
  const allowedOrigins = origins ?? (configuration.allowedOrigins as string[] | undefined) ?? []
  if (options.json) console.log(JSON.stringify({ clientId, allowedOrigins, code }))
  else {
    console.log(`Client id        ${clientId}`)
    console.log(`Allowed origins  ${allowedOrigins.join(', ') || 'all'}\n\n${code}`)
  }
}

/** The same choice as that of `getBotWebchat`, which has found one. */
function chatOf(integrations: Record<string, Installed>): [string, Installed] {
  const enabled = Object.entries(integrations).filter(([, { enabled }]) => enabled)
  const named = (wanted: string) => enabled.find(([, { name }]) => name === wanted)
  const found = named('webchat') ?? named('chat')
  if (!found) throw new CliError('the bot has no chat: install the integration "webchat" or "chat"')
  return found
}

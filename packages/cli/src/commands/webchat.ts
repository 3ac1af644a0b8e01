// `botstead webchat`: prints the HTML that embeds the webchat of a bot, and sets the origins of the
// pages that may use it.
import { type Client, chatOf } from '@botstead/client'
import { getBotId, openAdmin } from '../server/admin.ts'
import type { Connecting } from '../server/connection.ts'

interface WebchatOptions extends Connecting {
  type: Parameters<Client['admin']['getBotWebchat']>[0]['query']['type']
  bot?: string
  origins?: string
  json?: boolean
}

export async function showWebchat(
  botId: string | undefined,
  options: WebchatOptions,
): Promise<void> {
  const id = getBotId(botId ?? options.bot, options)
  const { admin } = openAdmin(options).client
  const params = { id }
  const { code } = await admin.getBotWebchat({ params, query: { type: options.type } })
  const { bot } = await admin.getBot({ params })
  // `getBotWebchat` has found one.
  const [alias, { webhookId: clientId, configuration }] = chatOf(bot.integrations)!
  const origins = options.origins?.split(',').flatMap((one) => one.trim() || [])
  if (origins)
    await admin.updateBot({
      params,
      body: {
        integrations: {
          [alias]: { configuration: { ...configuration, allowedOrigins: origins } },
        },
      },
    })
  const allowedOrigins =
    origins ?? (configuration.allowedOrigins as string[] | undefined) ?? []
  if (options.json) console.log(JSON.stringify({ clientId, allowedOrigins, code }))
  else {
    console.log(`Client id        ${clientId}`)
    console.log(`Allowed origins  ${allowedOrigins.join(', ') || 'all'}\n\n${code}`)
  }
}

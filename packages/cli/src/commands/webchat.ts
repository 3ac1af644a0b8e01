// `botstead webchat`: prints the HTML that embeds the webchat of a bot, and sets the origins of the
// pages that may use it.
import { type Client, chatOf } from '@botstead/client'
import { openAdmin } from '../admin.ts'
import { type Connecting, readCredentials } from '../credentials.ts'
import { CliError } from '../failure.ts'

interface WebchatOptions extends Connecting {
  type: Parameters<Client['admin']['getBotWebchat']>[0]['query']['type']
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
        integrations: { [alias]: { configuration: { ...configuration, allowedOrigins: origins } } },
      },
    })
  const allowedOrigins = origins ?? (configuration.allowedOrigins as string[] | undefined) ?? []
  if (options.json) console.log(JSON.stringify({ clientId, allowedOrigins, code }))
  else {
    console.log(`Client id        ${clientId}`)
    console.log(`Allowed origins  ${allowedOrigins.join(', ') || 'all'}\n\n${code}`)
  }
}

// Signs in the commands that call a running server.
import { type Client, RequestError } from '@botstead/client'
import { botsteadCommand, connectingArguments } from './command-parts.ts'
import { type Connecting, dataFolder, readCredentials, serverUrl } from './credentials.ts'
import { CliError } from './failure.ts'
import { openClient } from './server-client.ts'

export type Admin = ReturnType<typeof openAdmin>

type FullBot = Awaited<ReturnType<Client['admin']['getBot']>>['bot']
/** A new or updated bot, without what only `getBot` returns. */
export type Bot = Pick<FullBot, 'id' | 'name' | 'integrations'>

export function openAdmin(options: Connecting) {
  const url = serverUrl(options)
  const known = readCredentials()
  const token = options.token ?? known?.token
  const workspaceId = options.workspace ?? known?.workspaceId
  if (!token || !workspaceId)
    throw new CliError(
      `the folder ${dataFolder()} has no ${token ? 'workspace' : 'token'}: pass --token and ` +
        '--workspace, or set BOTSTEAD_DATA to the data folder of the server that started first',
    )
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'x-multiple-integrations': 'true',
  }
  return {
    url,
    options,
    client: openClient(url, headers),
    /** Returns the client for operations of a bot. */
    as: (botId: string) => openClient(url, { ...headers, 'x-bot-id': botId }),
  }
}

/**
 * Returns the load error of the deployed code; null if the code loads, or if the server does not
 * have this operation.
 */
async function loadErrorOf({ client }: Admin, botId: string): Promise<string | null> {
  const found = await client.platform
    .getBotDeployment({ params: { botId } })
    .catch((error: unknown) => {
      if (error instanceof RequestError && error.status === 404) return null
      throw error
    })
  return found?.deployment?.loadError ?? null
}

/**
 * Returns the chat URL of a bot (the webhook of its chat integration); null without a chat
 * integration.
 */
export function chatUrlOf(url: string, bot: Bot): string | null {
  const chat = Object.values(bot.integrations).find(({ name }) => name === 'chat')
  return chat ? `${url}/chat/${chat.webhookId}` : null
}

/**
 * Returns the URL of the server that has the bot: `url`, or that of another host if the response
 * names it. So it is the new cell if the server forwards the requests of a moved workspace.
 */
function homeOf(url: string, bot: Bot): string {
  const chat = Object.values(bot.integrations).find(({ name }) => name === 'chat')
  const path = `/chat/${chat?.webhookId}`
  const { webhookUrl } = chat ?? {}
  if (!webhookUrl?.endsWith(path) || !URL.canParse(webhookUrl)) return url
  const isSameHost = new URL(webhookUrl).host === new URL(url).host
  return isSameHost ? url : webhookUrl.slice(0, -path.length)
}

/**
 * Prints a deployment. A load error goes to standard error first, so that "Deployed" does not hide
 * it.
 */
export async function reportDeployed(
  admin: Admin,
  bot: Bot,
  { isNew, json }: { isNew: boolean; json: boolean | undefined },
): Promise<void> {
  const loadError = await loadErrorOf(admin, bot.id)
  if (loadError !== null)
    console.error(
      `The code of ${bot.name} (${bot.id}) does not load; fix and redeploy it. ${loadError}`,
    )
  if (json) {
    const chatUrl = chatUrlOf(homeOf(admin.url, bot), bot)
    console.log(
      JSON.stringify({
        id: bot.id,
        name: bot.name,
        isNew,
        chatUrl,
        ...(loadError !== null && { loadError }),
      }),
    )
    return
  }
  console.log(`${isNew ? 'Deployed' : 'Updated'} ${bot.name} (${bot.id})`)
  printChatUrl(admin, bot)
}

export function printChatUrl({ url, options }: Admin, bot: Bot): void {
  const home = homeOf(url, bot)
  const chatUrl = chatUrlOf(home, bot)
  const again = connectingArguments(home === url ? options : { ...options, url: home })
  const ways = chatUrl && [
    `  Chat page  ${home}/talk/${chatUrl.slice(chatUrl.lastIndexOf('/') + 1)}`,
    `  Chat API   ${chatUrl}`,
    `  Terminal   ${botsteadCommand()} chat ${bot.id}${again}`,
    `  Web page   ${botsteadCommand()} webchat ${bot.id}${again}`,
  ]
  console.log(
    ways ? ways.join('\n') : 'The bot has no chat integration; install one to chat with it.',
  )
}

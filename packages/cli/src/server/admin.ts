// Signs in the commands that call a running server.
import { type Client, RequestError } from '@botstead/client'
import { botsteadCommand, connectingArguments } from '../definitions/command-parts.ts'
import { CliError, UsageError } from '../failure.ts'
import { type Connecting, findConnection } from './connection.ts'
import { openClient } from './server-client.ts'

export type Admin = ReturnType<typeof openAdmin>

type FullBot = Awaited<ReturnType<Client['admin']['getBot']>>['bot']
/** A new or updated bot, without what only `getBot` returns. */
export type Bot = Pick<FullBot, 'id' | 'name' | 'integrations'>

/** `scope`: commands about the account need no workspace. */
export function openAdmin(
  options: Connecting,
  scope: 'account' | 'workspace' = 'workspace',
) {
  const { url, token, workspaceId = '' } = findConnection(options)
  if (!token)
    throw new CliError(
      `there is no token for ${url}: sign in with "login ${url}", pass --token, or set BOTSTEAD_DATA ` +
        'to the data folder of the server that started first',
    )
  if (!workspaceId && scope === 'workspace')
    throw new CliError(
      `there is no workspace for ${url}: pass --workspace <id> ("workspaces" lists them)`,
    )
  const headers = {
    authorization: `Bearer ${token}`,
    ...(workspaceId && { 'x-workspace-id': workspaceId }),
    'x-multiple-integrations': 'true',
  }
  return {
    url,
    options,
    workspaceId,
    client: openClient(url, headers),
    /** Returns the client for operations of a bot. */
    as: (botId: string) => openClient(url, { ...headers, 'x-bot-id': botId }),
  }
}

/** Throws for `--bot ""`, such as that of an unset variable: it must not deploy a new bot. */
export function rejectEmptyBot(botId: string | undefined): void {
  if (botId === '')
    throw new UsageError(
      '--bot is empty: pass the id of a bot, or leave it out for a new one',
    )
}

/** Returns the given bot, or the first one of the server. */
export function getBotId(botId: string | undefined, options: Connecting): string {
  const found = botId ?? findConnection(options).botId
  if (found) return found
  throw new UsageError('a bot id is required: pass --bot <id> ("bots" lists the bots)')
}

export const openBot = ({ bot, ...options }: Connecting & { bot?: string }): Client =>
  openAdmin(options).as(getBotId(bot, options))

/**
 * Returns the load error of the deployed code; null if the code loads, or if the server does not
 * have this operation.
 */
async function findLoadError({ client }: Admin, botId: string): Promise<string | null> {
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
export function findChatUrl(url: string, bot: Bot): string | null {
  const chat = Object.values(bot.integrations).find(({ name }) => name === 'chat')
  return chat ? `${url}/chat/${chat.webhookId}` : null
}

/**
 * Returns the URL of the server that has the bot: `url`, or that of another host if the response
 * names it. So it is the new cell if the server forwards the requests of a moved workspace.
 */
export function toHomeUrl(url: string, bot: Bot): string {
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
  const loadError = await findLoadError(admin, bot.id)
  if (loadError !== null)
    console.error(
      `The code of ${bot.name} (${bot.id}) does not load; fix and redeploy it. ${loadError}`,
    )
  if (json) {
    const chatUrl = findChatUrl(toHomeUrl(admin.url, bot), bot)
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
  const home = toHomeUrl(url, bot)
  const chatUrl = findChatUrl(home, bot)
  const again = connectingArguments(home === url ? options : { ...options, server: home })
  const ways = chatUrl && [
    `  Chat page  ${home}/talk/${chatUrl.slice(chatUrl.lastIndexOf('/') + 1)}`,
    `  Chat API   ${chatUrl}`,
    `  Terminal   ${botsteadCommand()} chat ${bot.id}${again}`,
    `  Web page   ${botsteadCommand()} webchat ${bot.id}${again}`,
  ]
  console.log(
    ways
      ? ways.join('\n')
      : 'The bot has no chat integration; install one to chat with it.',
  )
}

// Client of the Admin API for the commands.
import { ApiRejection, call } from './call.ts'
import { connectingArguments } from './command-parts.ts'
import { type Connecting, dataFolder, readCredentials, serverUrl } from './credentials.ts'
import { CliError } from './failure.ts'

export interface Bot {
  id: string
  name: string
  integrations: Record<string, { name: string; webhookId: string; webhookUrl?: string }>
  recurringEvents?: Record<string, object>
}

interface BotSummary {
  id: string
  name: string
  updatedAt: string
}

interface Verification {
  checked: number
  last?: { number: number; hash: string }
  fault?: { number: number; reason: string }
}

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
  const api = `${url}/v1/admin/bots`
  return {
    url,
    options,
    /** Calls any other operation. */
    ask: <Answer>(method: string, path: string, body?: unknown) =>
      call<Answer>(url + path, { method, headers, ...(body !== undefined && { body }) }),
    /** Calls an operation as the bot. */
    askAs: <Answer>(botId: string, path: string, body?: unknown) =>
      call<Answer>(url + path, {
        headers: { ...headers, 'x-bot-id': botId },
        ...(body !== undefined && { method: 'POST', body }),
      }),
    getBot: async (id: string) =>
      (await call<{ bot: Bot }>(`${api}/${encodeURIComponent(id)}`, { headers })).bot,
    createBot: async (body: { name: string; code?: string }) =>
      (await call<{ bot: Bot }>(api, { method: 'POST', headers, body })).bot,
    updateBot: async (id: string, body: { name?: string; code: string }) =>
      (
        await call<{ bot: Bot }>(`${api}/${encodeURIComponent(id)}`, {
          method: 'PUT',
          headers,
          body,
        })
      ).bot,
    /**
     * Returns the load error of the deployed code; null if the code loads, or if the server does
     * not have this operation.
     */
    loadErrorOf: async (id: string): Promise<string | null> => {
      const path = `${url}/v1/platform/bots/${encodeURIComponent(id)}/deployment`
      const found = await call<{ deployment: { loadError?: string } | null }>(path, {
        headers,
      }).catch((error) => {
        if (error instanceof ApiRejection && error.status === 404) return null
        throw error
      })
      return found?.deployment?.loadError ?? null
    },
    verifyAudit: async (noted: { number: string; hash: string } | null) =>
      call<Verification>(
        `${url}/v1/platform/audit/verification${noted ? `?${new URLSearchParams(noted)}` : ''}`,
        { headers, timeoutSeconds: 600 },
      ),
    listBots: async (nextToken?: string) =>
      call<{ bots: BotSummary[]; meta: { nextToken?: string } }>(
        nextToken ? `${api}?nextToken=${encodeURIComponent(nextToken)}` : api,
        { headers },
      ),
  }
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
  admin: ReturnType<typeof openAdmin>,
  bot: Bot,
  { isNew, json }: { isNew: boolean; json: boolean | undefined },
): Promise<void> {
  const loadError = await admin.loadErrorOf(bot.id)
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

export function printChatUrl({ url, options }: ReturnType<typeof openAdmin>, bot: Bot): void {
  const home = homeOf(url, bot)
  const chatUrl = chatUrlOf(home, bot)
  const again = connectingArguments(home === url ? options : { ...options, url: home })
  const ways = chatUrl && [
    `  Chat page  ${home}/talk/${chatUrl.slice(chatUrl.lastIndexOf('/') + 1)}`,
    `  Chat API   ${chatUrl}`,
    `  Terminal   npm run botstead -- chat ${bot.id}${again}`,
    `  Web page   npm run botstead -- webchat ${bot.id}${again}`,
  ]
  console.log(
    ways ? ways.join('\n') : 'The bot has no chat integration; install one to chat with it.',
  )
}

// The measured server: a process with a separate data folder, driven through its public API.
import { randomUUID } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Conversation, Http, type OpenChatServer, talkIn } from './chat.ts'
import { type RunningProgram, startProgram } from './processes.ts'

interface Credentials {
  url: string
  token: string
  workspaceId: string
  botId: string
  webhookId: string
  chatUrl: string
}

export interface RunningServer {
  program: RunningProgram
  credentials: Credentials
  http: Http
  close(): Promise<void>
}

const startMs = 120_000
/** The Node options of `npm start`. */
export const usualOptions = ['--max-semi-space-size=32']

const ownCommand = fileURLToPath(
  new URL('../../packages/cli/dist/bundle/main.js', import.meta.url),
)

/** `command` is the program of another version; by default the one of this clone. */
export async function startServer(
  dataFolder: string,
  nodeOptions: string[] = [],
  settings: NodeJS.ProcessEnv = {},
  stderr?: number,
  command = ownCommand,
): Promise<RunningServer> {
  const { DATABASE_URL, NATS_URL, ...env } = process.env
  const program = await startProgram(
    'the server',
    [...usualOptions, ...nodeOptions, command, 'start'],
    {
      env: {
        ...env,
        BOTSTEAD_PORT: '0',
        BOTSTEAD_HOST: '127.0.0.1',
        BOTSTEAD_DATA: dataFolder,
        BOTSTEAD_LOG_LEVEL: 'error',
        ...settings,
      },
      readyLine: false,
      ...(stderr !== undefined && { stderr }),
    },
  )
  program.child.stdout!.resume()
  try {
    const credentials = await waitForCredentials(program, dataFolder)
    const http = new Http(new URL(credentials.url).origin)
    return {
      program,
      credentials,
      http,
      close: () => http.close().then(() => program.stop()),
    }
  } catch (error) {
    await program.stop()
    throw error
  }
}

/** Waits until the chat of the first bot responds at the URL in the credentials file. */
async function waitForCredentials(
  { child }: RunningProgram,
  dataFolder: string,
): Promise<Credentials> {
  const file = join(dataFolder, 'credentials.json')
  for (const until = Date.now() + startMs; Date.now() < until; await pause(50)) {
    if (child.exitCode !== null)
      throw new Error(`The server exited with code ${child.exitCode}`)
    const credentials = await access(file).then(
      async () => JSON.parse(await readFile(file, 'utf8')) as Credentials,
      () => null,
    )
    if (credentials?.chatUrl && (await answers(`${credentials.chatUrl}/hello`)))
      return credentials
  }
  throw new Error(`The server did not start within ${startMs / 1000} s`)
}

const answers = (url: string) =>
  fetch(url).then(
    (reply) => reply.ok,
    () => false,
  )

/** Returns the bot that the first start deploys. */
export const firstBot = ({ credentials }: RunningServer) => ({
  botId: credentials.botId,
  chatUrl: credentials.chatUrl,
})

interface BotAnswer {
  bot: { id: string; integrations: Record<string, { webhookId: string }> }
}

export async function deployBot(
  { http, credentials }: RunningServer,
  name: string,
  code: string,
) {
  const created = await http.call<BotAnswer>(
    'POST',
    '/v1/admin/bots',
    adminHeaders(credentials),
    {
      name,
      code,
    },
  )
  const { bot } = await http.call<BotAnswer>(
    'GET',
    `/v1/admin/bots/${created.bot.id}`,
    adminHeaders(credentials),
  )
  const { webhookId } = Object.values(bot.integrations)[0]!
  return {
    botId: bot.id,
    chatUrl: credentials.chatUrl.replace(credentials.webhookId, webhookId),
    code,
  }
}

export const adminHeaders = ({ token, workspaceId }: Credentials) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
})

export interface Bot {
  botId: string
  chatUrl: string
  code?: string
  /** Sends each message with an Idempotency-Key. */
  keyed?: true
}

/** Listeners connect to `listening`, which may be another server on the same database. */
export function toChatServer(
  name: string,
  server: RunningServer,
  bot: Bot,
  listening: Http = server.http,
): OpenChatServer {
  const { http, credentials } = server
  const chatPath = new URL(bot.chatUrl).pathname
  const openConversation = async () => {
    const { key } = await http.call<{ key: string }>('POST', `${chatPath}/users`, {}, {})
    const { conversation } = await http.call<{ conversation: { id: string } }>(
      'POST',
      `${chatPath}/conversations`,
      { 'x-user-key': key },
      {},
    )
    return serverConversation(server, bot, listening, {
      chatPath,
      key,
      id: conversation.id,
    })
  }
  return {
    name,
    pids: [server.program.pid],
    openConversation,
    openTalk: async () => talkIn(await openConversation()),
    coolBot: async () =>
      void (await http.call(
        'PUT',
        `/v1/admin/bots/${bot.botId}`,
        adminHeaders(credentials),
        {
          code: bot.code,
        },
      )),
  }
}

function serverConversation(
  { http, credentials }: RunningServer,
  { botId, keyed }: Bot,
  listening: Http,
  { chatPath, key, id }: { chatPath: string; key: string; id: string },
): Conversation {
  const asUser = { 'x-user-key': key }
  const asBot = { authorization: `Bearer ${credentials.token}`, 'x-bot-id': botId }
  const send = (path: string, headers: Record<string, string>, body: object) =>
    http.call(
      'POST',
      path,
      keyed ? { ...headers, 'idempotency-key': randomUUID() } : headers,
      body,
    )
  return {
    id,
    post: async (text) =>
      void (await send(`${chatPath}/messages`, asUser, {
        conversationId: id,
        payload: { type: 'text', text },
      })),
    postAsBot: async (text) =>
      void (await send('/v1/chat/messages', asBot, {
        conversationId: id,
        userId: botId,
        type: 'text',
        payload: { text },
        tags: {},
      })),
    listMessages: async () =>
      (
        await http.call<{ messages: unknown[] }>(
          'GET',
          `${chatPath}/conversations/${id}/messages`,
          asUser,
        )
      ).messages.length,
    listen: (onFrame) =>
      listening.listen(`${chatPath}/conversations/${id}/listen`, asUser, onFrame),
  }
}

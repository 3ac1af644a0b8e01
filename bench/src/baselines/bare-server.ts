import { fileURLToPath } from 'node:url'
import { usualOptions } from '../botstead-server.ts'
import { type Conversation, Http, type OpenChatServer, talkIn } from '../chat.ts'
import type { DatabaseSettings } from '../database.ts'
import { type RunningProgram, startProgram } from '../processes.ts'

interface RunningBareServer extends OpenChatServer {
  program: RunningProgram
  close(): Promise<void>
}

/**
 * Starts the bare program on a separate database. `isShared`: the second baseline, with the Node
 * options of the server.
 */
export async function startBare(
  database: DatabaseSettings,
  isShared = false,
): Promise<RunningBareServer> {
  const name = isShared ? 'bare program, shared commits' : 'bare program'
  const program = await startProgram(
    `the ${name}`,
    [
      ...(isShared ? usualOptions : []),
      fileURLToPath(new URL('./bare.js', import.meta.url)),
    ],
    {
      env: {
        PATH: process.env.PATH,
        BARE_DATABASE: JSON.stringify(database),
        ...(isShared && { BARE_SHARED: '1' }),
      },
      readyLine: true,
    },
  )
  const http = new Http(`http://127.0.0.1:${JSON.parse(program.line).port}`)
  const openConversation = async (): Promise<Conversation> => {
    const { conversation } = await http.call<{ conversation: { id: string } }>(
      'POST',
      '/conversations',
      {},
      {},
    )
    return bareConversation(http, conversation.id)
  }
  return {
    name,
    pids: [program.pid],
    program,
    openConversation,
    openTalk: async () => talkIn(await openConversation()),
    coolBot: async () => void (await http.call('POST', '/bot/stop', {}, {})),
    close: async () => {
      await http.close()
      await program.stop()
    },
  }
}

function bareConversation(http: Http, id: string): Conversation {
  const message = (userId: string, text: string) => ({
    conversationId: id,
    userId,
    payload: { type: 'text', text },
  })
  return {
    id,
    post: async (text) =>
      void (await http.call('POST', '/messages', {}, message('ann', text))),
    postAsBot: async (text) =>
      void (await http.call('POST', '/answers', {}, message('bot', text))),
    listMessages: async () =>
      (await http.call<{ messages: unknown[] }>('GET', `/conversations/${id}/messages`))
        .messages.length,
    listen: (onFrame) => http.listen(`/conversations/${id}/listen`, {}, onFrame),
  }
}

import { fileURLToPath } from 'node:url'
import { type Conversation, Http, type OpenChatServer, talkIn } from './chat.ts'
import type { DatabaseSettings } from './database.ts'
import { type RunningProgram, startProgram } from './processes.ts'

interface RunningBareServer extends OpenChatServer {
  program: RunningProgram
  close(): Promise<void>
}

/** Starts the bare program on a separate database. */
export async function startBare(database: DatabaseSettings): Promise<RunningBareServer> {
  const program = await startProgram(
    'the bare program',
    [fileURLToPath(new URL('./bare.js', import.meta.url))],
    {
      env: { PATH: process.env.PATH, BARE_DATABASE: JSON.stringify(database) },
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
    name: 'bare program',
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
    post: async (text) => void (await http.call('POST', '/messages', {}, message('ann', text))),
    postAsBot: async (text) => void (await http.call('POST', '/answers', {}, message('bot', text))),
    listMessages: async () =>
      (await http.call<{ messages: unknown[] }>('GET', `/conversations/${id}/messages`)).messages
        .length,
    listen: (onFrame) => http.listen(`/conversations/${id}/listen`, {}, onFrame),
  }
}

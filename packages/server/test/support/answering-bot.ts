// A scene with a hosted bot that answers messages with a model, and chat users that listen. The
// first word of a message says how: `stream` reads the model's stream, `whole` waits for its text,
// `silent` sends no message, `stubborn` ignores that its answer was stopped, `plain` echoes.
import { type App, openApp } from '../../src/app/app.ts'
import { openModelProvider, type Reply } from './model-provider.ts'
import { type ModelScene, openModelScene } from './model-scene.ts'
import { openSseReader, type SseReader } from './sse-reader.ts'

export const answeringCode = `
const { BP_API_URL, BP_TOKEN, BP_BOT_ID } = process.env
const headers = {
  authorization: 'Bearer ' + BP_TOKEN, 'x-bot-id': BP_BOT_ID, 'content-type': 'application/json'
}
const post = (path, body) =>
  fetch(BP_API_URL + path, { method: 'POST', headers, body: JSON.stringify(body) })
const send = (conversationId, text, metadata) => post('/v1/chat/messages', {
  conversationId, userId: BP_BOT_ID, type: 'text', tags: {}, payload: { text, metadata }
})
async function generate(body, how) {
  if (how !== 'stream') {
    const reply = await post('/v2/cognitive/generate-text', body)
    const answer = await reply.json()
    if (!reply.ok) throw new Error(answer.message)
    return answer.output
  }
  let text = ''
  for await (const piece of (await post('/v2/cognitive/generate-text-stream', body)).body)
    text += Buffer.from(piece)
  const lines = text.trim().split('\\n').map((line) => JSON.parse(line))
  if (lines.at(-1).error) throw new Error(lines.at(-1).error)
  return lines.map(({ output }) => output ?? '').join('')
}
exports.handler = async (req, { signal }) => {
  if (req.headers['x-bp-operation'] !== 'event_received') return { status: 200 }
  const { event } = JSON.parse(req.body)
  if (event.type !== 'message_created') return { status: 200 }
  const { conversationId } = event
  const { text, metadata } = event.payload.message.payload
  const [how] = text.split(' ')
  const streamId = 'answer to ' + text
  if (how === 'plain') return void (await send(conversationId, text))
  signal.addEventListener('abort', () => console.log('stopped: ' + text))
  const options = { publishTo: { conversationId, streamId } }
  const messages = [{ role: 'user', content: text }]
  if (how === 'stubborn') {
    const wait = new Promise((resolve) => setTimeout(resolve, Number(text.split(' ')[1])))
    await wait
    const { status } = await send(conversationId, 'I do not stop')
    const isOwn = globalThis[Symbol.for('botstead.signal')] === signal
    console.log('rejected: ' + status + ', stopped: ' + (isOwn && signal.aborted))
    return { status: 200 }
  }
  const answer = await generate({ messages, model: 'openai:gpt', options }, how)
  if (how !== 'silent') await send(conversationId, answer, { ...metadata, streamId })
  return { status: 200 }
}`

export interface Talker {
  userId: string
  conversationId: string
  headers: Record<string, string>
  reader: SseReader
  say(text: string): Promise<{ id: string }>
  /** The frames of a type so far. */
  signals(type: string): SseReader['frames']
  /** The messages of the bot that are stored, oldest first. */
  answers(): Promise<string[]>
}

export interface AnsweringScene extends ModelScene {
  apiUrl: string
  provider: Awaited<ReturnType<typeof openModelProvider>>
  /** The model's next replies. */
  replies: Reply[]
  /** Opens a conversation of a new user, who listens at `url`. */
  talk(url?: string): Promise<Talker>
  /** Opens another server on the same database. It has neither models nor hosted code. */
  openOther(): Promise<{ app: App; url: string }>
}

export async function openAnsweringScene(): Promise<AnsweringScene> {
  const replies: Reply[] = []
  const provider = await openModelProvider(() => replies.shift() ?? {})
  const scene = await openModelScene(provider.url, {}, { code: answeringCode })
  const apiUrl = await scene.listen()
  return {
    ...scene,
    apiUrl,
    provider,
    replies,
    talk: (url = apiUrl) => talkIn(scene, url),
    openOther: () => openOther(scene),
    async close() {
      await scene.close()
      await provider.close()
    },
  }
}

async function openOther({ app, connection, masterKey, chatKey }: ModelScene) {
  const other = await openApp({
    config: { ...app.services.config, port: 0, models: null },
    log: app.services.log,
    connection,
    masterKey,
    chatKey,
    findLauncher: async () => ({ launcher: null, missed: [] }),
  })
  return { app: other, url: await other.server.listen({ host: '127.0.0.1', port: 0 }) }
}

async function talkIn(scene: ModelScene, url: string): Promise<Talker> {
  const { id: userId, headers } = await scene.chatUser()
  const chat = `/chat/${scene.webhookId}`
  const made = await scene.call('POST', `${chat}/conversations`, { headers, body: {} })
  const conversationId = made.body.conversation.id as string
  const path = `${chat}/conversations/${conversationId}/listen`
  const reader = openSseReader(() => url + path, headers['x-user-key']!)
  await reader.open()
  return {
    userId,
    conversationId,
    headers,
    reader,
    async say(text) {
      const body = { conversationId, payload: { type: 'text', text } }
      return (await scene.call('POST', `${chat}/messages`, { headers, body })).body
        .message
    },
    signals: (type) => reader.frames.filter((frame) => frame.type === type),
    async answers() {
      const listed = await scene.call(
        'GET',
        `${chat}/conversations/${conversationId}/messages`,
        {
          headers,
        },
      )
      const messages = listed.body.messages as {
        userId: string
        payload: { text: string }
      }[]
      return messages
        .filter((message) => message.userId !== userId)
        .map(({ payload }) => payload.text)
        .reverse()
    },
  }
}

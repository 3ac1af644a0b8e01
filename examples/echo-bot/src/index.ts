// A bot for trying a server. It answers a message type ("image", "carousel" …) with a message of
// that type, "metadata" with the metadata of the message, and "loop" with twenty messages, one per
// second. It repeats any other text.
import { setTimeout as pause } from 'node:timers/promises'
import { Bot } from '@botpress/sdk'
import { type Reply, replyTo, text } from './replies.ts'
import { documents } from './samples.ts'

const bot = new Bot({ actions: {}, plugins: {} })

type Turn = Parameters<Parameters<typeof bot.on.message>[1]>[0]

bot.on.message('*', async (turn) => {
  if (turn.message.type !== 'text')
    return send(turn, text('I only understand text messages'))
  const input = String(turn.message.payload.text)
  const word = input.toLowerCase()
  if (word === 'loop') return count(turn)
  if (word === 'metadata')
    return send(turn, {
      type: 'text',
      payload: { text: 'metadata', metadata: turn.message.payload.metadata ?? {} },
    })
  if (word === 'pdf' || word === 'file')
    return send(turn, await handOut(turn, documents[word]))
  const name = turn.user.name
  await send(
    turn,
    replyTo(word) ?? text(`${name ? `Hi, ${name}` : 'Hi'}! You said: "${input}"`),
  )
})

bot.on.event('chat:custom', async ({ client, event }) => {
  await client.callAction({ type: 'chat:sendEvent', input: event.payload })
})

async function send({ client, ctx, message }: Turn, { type, payload }: Reply) {
  await client.createMessage({
    conversationId: message.conversationId,
    userId: ctx.botId,
    type,
    payload,
    tags: {},
  })
}

async function handOut(
  { client }: Turn,
  { key, title, content }: (typeof documents)['pdf' | 'file'],
): Promise<Reply> {
  const { file } = await client.uploadFile({
    key,
    content,
    accessPolicies: ['public_content'],
  })
  return { type: 'file', payload: { fileUrl: file.url, title } }
}

async function count(turn: Turn) {
  for (let number = 1; number <= 20; number++) {
    if (number > 1) await pause(1000)
    await send(turn, text(`Message ${number}`))
  }
}

export default bot
export const handler = bot.handler

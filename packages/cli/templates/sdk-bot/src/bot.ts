// Answers each text message with the number of its words.
import { Bot } from '@botpress/sdk'

const bot = new Bot({ actions: {}, plugins: {} })

bot.on.message('text', async ({ client, ctx, message }) => {
  await client.createMessage({
    conversationId: message.conversationId,
    userId: ctx.botId,
    type: 'text',
    payload: { text: replyTo(String(message.payload.text)) },
    tags: {},
  })
})

function replyTo(text: string): string {
  const count = text.split(/\s+/).filter(Boolean).length
  return `You wrote ${count} ${count === 1 ? 'word' : 'words'}.`
}

export default bot
export const handler = bot.handler

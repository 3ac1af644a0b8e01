// A bot as its author writes one. It answers with what an action of the integration makes of the
// text.
import { Bot } from '@botpress/sdk'

const bot = new Bot({ actions: {}, register: async () => {}, plugins: {} })
export default bot
export const handler = bot.handler

const answer = async ({ client, ctx, message }) => {
  const { output } = await client.callAction({
    type: 'greeter:greet',
    input: { name: message.payload.text },
  })
  const { conversationId } = message
  const payload = { text: output.greeting }
  await client.createMessage({
    conversationId,
    userId: ctx.botId,
    type: 'text',
    payload,
    tags: {},
  })
}
// In 1.6 handlers were methods of the bot itself, and took every message.
if (bot.on) bot.on.message('*', answer)
else bot.message(answer)

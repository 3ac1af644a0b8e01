// The bot behind the integration: it says what it sees, and asks the desk about tickets.
import { Bot } from '@botpress/sdk'

const bot = new Bot({ actions: {}, plugins: {} })
export default bot
export const handler = bot.handler

bot.on.message('text', async ({ client, ctx, message, conversation, user }) => {
  const seen = {
    said: message.payload.text,
    message: message.tags,
    conversation: conversation.tags,
    user: user.tags,
    name: user.name,
  }
  const said = { conversationId: conversation.id, userId: ctx.botId, type: 'text' }
  // The channel knows no such type.
  if (message.payload.text === 'sing')
    await client.createMessage({
      ...said,
      type: 'song',
      payload: { text: 'la' },
      tags: {},
    })
  await client.createMessage({
    ...said,
    payload: { text: JSON.stringify(seen) },
    tags: { mood: 'good' },
  })
})

bot.on.event('desk:ticketOpened', async ({ client, ctx, event }) => {
  if (!event.conversationId) return
  const said = {
    conversationId: event.conversationId,
    userId: ctx.botId,
    type: 'text',
    tags: {},
  }
  const found = await client
    .callAction({ type: 'desk:lookUp', input: event.payload })
    .catch(({ type, message }) => ({ type, message }))
  await client.createMessage({ ...said, payload: { text: JSON.stringify(found) } })
})

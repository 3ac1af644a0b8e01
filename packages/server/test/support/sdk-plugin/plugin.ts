// A plugin as its author writes one with the official SDK. What it finds out it says in the
// conversation, as JSON.
import { Plugin } from '@botpress/sdk'

// biome-ignore lint/suspicious/noExplicitAny: generated types would give the inputs of its tools; here the server checks them
type Tools = any

export const plugin = new Plugin({
  actions: {
    /** Through the interface: the plugin knows the action by the interface's name alone. */
    open: async ({ input, actions }: Tools) =>
      actions.desk.openTicket({ ticket: input.ticket }),
  },
} as never)

const say = (
  { client, ctx }: Tools,
  conversationId: string,
  act: string,
  result: unknown,
) =>
  client.createMessage({
    conversationId,
    userId: ctx.botId,
    type: 'text',
    tags: {},
    payload: { text: JSON.stringify({ act, result }) },
  })

plugin.on.beforeIncomingMessage('*', async ({ data }: Tools) => ({
  data: { ...data, payload: { ...data.payload, text: `${data.payload.text}!` } },
}))

plugin.on.message(
  'text',
  async ({
    message,
    conversation,
    user,
    states,
    events,
    configuration,
    ...tools
  }: Tools) => {
    const { words } = await states.conversation.memory.getOrSet(conversation.id, {
      words: 0,
    })
    await states.conversation.memory.set(conversation.id, { words: words + 1 })
    await tools.client.updateConversation({
      id: conversation.id,
      tags: { 'support#topic': 'tea' },
    })
    await tools.client.updateUser({ id: user.id, tags: { 'support#rank': 'first' } })
    await events.asked
      .withConversationId(conversation.id)
      .emit({ about: message.payload.text })
    const memory = await states.conversation.memory.get(conversation.id)
    await say(tools, conversation.id, 'message', [
      configuration.greeting,
      message.payload.text,
      memory,
    ])
  },
)

plugin.on.event('asked', async ({ event, ...tools }: Tools) => {
  if (event.conversationId)
    await say(tools, event.conversationId, 'event', [event.type, event.payload])
})

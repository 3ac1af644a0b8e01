// An integration as its author writes one: an action, and a webhook that starts a conversation.
import { Integration } from '@botpress/sdk'

const integration = new Integration({
  register: async () => {},
  unregister: async () => {},
  actions: {
    greet: async ({ input, ctx }) => ({
      greeting: `${ctx.configuration.word} ${input.name}`,
    }),
  },
  channels: { door: { messages: { text: async ({ ack }) => ack({ tags: {} }) } } },
  handler: async ({ client, req }) => {
    const { conversation } = await client.getOrCreateConversation({
      channel: 'door',
      tags: {},
    })
    const { user } = await client.getOrCreateUser({ tags: {} })
    const payload = { text: req.body }
    await client.createMessage({
      type: 'text',
      conversationId: conversation.id,
      userId: user.id,
      payload,
      tags: {},
    })
    return { status: 200, body: conversation.id }
  },
})
export default integration
export const handler = integration.handler

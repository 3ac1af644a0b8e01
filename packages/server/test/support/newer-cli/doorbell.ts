import { Integration } from '@botpress/sdk'

const integration = new Integration({
  async register() {},
  async unregister() {},
  actions: {},
  channels: {
    door: { messages: { text: async ({ ack }) => ack({ tags: { posted: 'yes' } }) } },
  },
  async handler({ client, req }) {
    const { conversation } = await client.getOrCreateConversation({
      channel: 'door',
      tags: { id: 'front' },
    })
    const { user } = await client.getOrCreateUser({ tags: { id: 'visitor' } })
    await client.createMessage({
      type: 'text',
      conversationId: conversation.id,
      userId: user.id,
      payload: { text: req.body ?? '' },
      tags: {},
    })
    return { status: 200, body: conversation.id }
  },
})
export default integration
export const handler = integration.handler

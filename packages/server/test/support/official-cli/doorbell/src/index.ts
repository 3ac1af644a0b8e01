import * as bp from '.botpress'

const where = process.env.WHERE ?? 'hosted'

export default new bp.Integration({
  async register() {},
  async unregister() {},
  actions: {},
  channels: {
    door: { messages: { text: async ({ ack }) => ack({ tags: { posted: where } }) } },
  },
  async handler({ client, req }) {
    const { text } = JSON.parse(req.body ?? '{}')
    const { conversation } = await client.getOrCreateConversation({
      channel: 'door',
      tags: { id: 'front' },
    })
    const { user } = await client.getOrCreateUser({ tags: { id: 'visitor' } })
    await client.createMessage({
      type: 'text',
      conversationId: conversation.id,
      userId: user.id,
      payload: { text },
      tags: {},
    })
    return {
      status: 200,
      body: JSON.stringify({ conversationId: conversation.id, where }),
    }
  },
})

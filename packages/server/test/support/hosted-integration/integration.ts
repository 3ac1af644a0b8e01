// An integration as its author writes one with the official SDK, to be hosted. Its webhook
// responds with its input and its environment.
import { randomUUID } from 'node:crypto'
import { Integration, RuntimeError } from '@botpress/sdk'

/** Another text in another version of the code. */
const edition = 'EDITION'
/** Process ids distinguish nothing: each process may be the first of its namespace. */
const life = randomUUID()

const integration = new Integration({
  async register({ client, ctx, logger, webhookUrl }) {
    const { key } = ctx.configuration as { key: string }
    logger
      .forBot()
      .info(`${edition} registers ${ctx.integrationAlias} with ${key} at ${webhookUrl}`)
    if (key === 'wrong') throw new RuntimeError('The mirror does not know this key')
    await client.configureIntegration({ identifier: `mirror of ${key}` })
    await client.setState({
      type: 'integration',
      id: ctx.integrationId,
      name: 'login',
      payload: { key },
    })
    await client.getOrCreateUser({ tags: { id: 'mirror' } })
  },
  async unregister({ client, ctx, logger }) {
    const { state } = await client.getState({
      type: 'integration',
      id: ctx.integrationId,
      name: 'login',
    })
    logger
      .forBot()
      .info(
        `${edition} unregisters ${ctx.integrationAlias} with ${(ctx.configuration as { key: string }).key}, known as ${state.payload.key}`,
      )
    if (state.payload.key === 'sticky') throw new RuntimeError('The mirror holds on')
  },
  async handler({ req, ctx, client, logger }) {
    if (req.path === '/bring') {
      const { conversation } = await client.getOrCreateConversation({
        channel: 'dm',
        tags: { id: 'room' },
      })
      return { status: 200, body: JSON.stringify({ conversationId: conversation.id }) }
    }
    if (req.path === '/log') {
      console.log('two\nlines')
      logger.withConversationId('conv_1').warn('for its makers')
      logger.withUserId('user_1').forBot().error('for both')
      logger.forBotOnly().info('for the bot only')
    }
    const environment = Object.fromEntries(
      Object.entries(process.env).map(([name, value]) => [
        name,
        name === 'BP_TOKEN' ? value!.slice(0, 7) : value,
      ]),
    )
    return {
      status: 203,
      headers: { 'x-mirror': edition },
      body: JSON.stringify({ req, ctx, environment, edition, life }),
    }
  },
  actions: {
    async reverse({ input, metadata }) {
      if (input.text === 'refuse') throw new RuntimeError('Not this one')
      if (input.text === 'break') throw new Error('What a secret')
      metadata.setCost(0.25)
      return { text: [...input.text].reverse().join('') }
    },
  },
  channels: {
    dm: {
      messages: {
        async text({ client, payload, ack }) {
          await ack({ tags: { id: `out of ${edition}` } })
          await client.createEvent({ type: 'seen', payload: { text: payload.text } })
        },
      },
    },
  },
})

export default integration
export const handler = integration.handler

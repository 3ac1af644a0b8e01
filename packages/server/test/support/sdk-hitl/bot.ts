// A bot whose plugin makes the calls of the plugin `hitl`, in its order: it opens a conversation at
// the help desk, links the two, and relays messages between them while its state is active.
import { Bot, Plugin } from '@botpress/sdk'

// biome-ignore lint/suspicious/noExplicitAny: the inputs of a plugin have generated types
type Tools = any

const activate = async ({ states }: Tools, id: string, hitlActive: boolean) =>
  void (await states.conversation.hitl.set(id, { hitlActive }))
const isActive = async ({ states }: Tools, id: string): Promise<boolean> =>
  (await states.conversation.hitl.getOrSet(id, { hitlActive: false })).hitlActive
const respond = (
  { client, ctx }: Tools,
  conversationId: string,
  text: string,
  userId?: string,
) =>
  client.createMessage({
    conversationId,
    userId: ctx.botId,
    type: 'text',
    tags: {},
    payload: { type: 'text', text, userId },
  })
const link = async (tools: Tools, id: string, tags: Record<string, string>) =>
  tools.client.updateConversation({ id, tags })
const end = (tools: Tools, id: string, reason: string) =>
  Promise.all([
    activate(tools, id, false),
    link(tools, id, { 'hitl#hitlEndReason': reason }),
  ])

async function startHitl({ input, ...tools }: Tools) {
  const { conversationId: upstream, userId, title } = input
  if (await isActive(tools, upstream)) return {}
  await respond(tools, upstream, 'I have escalated this conversation')
  const { user } = await tools.client.getUser({ id: userId })
  const made = await tools.actions.hitl.createUser({ name: user.name })
  await Promise.all([
    tools.client.updateUser({ id: userId, tags: { 'hitl#downstream': made.userId } }),
    tools.client.updateUser({ id: made.userId, tags: { 'hitl#upstream': userId } }),
  ])
  const { messages } = await tools.client.listMessages({ conversationId: upstream })
  const messageHistory = messages.map(({ direction, type, payload }: Tools) => ({
    source:
      direction === 'outgoing' ? { type: 'bot' } : { type: 'user', userId: made.userId },
    type,
    payload,
  }))
  const { conversationId } = await tools.actions.hitl.startHitl({
    title,
    userId: made.userId,
    messageHistory,
  })
  await Promise.all([
    link(tools, upstream, { 'hitl#downstream': conversationId }),
    link(tools, conversationId, { 'hitl#upstream': upstream }),
  ])
  await Promise.all([
    activate(tools, upstream, true),
    activate(tools, conversationId, true),
  ])
  return {}
}

async function stopHitl({ input, ...tools }: Tools) {
  const { conversation } = await tools.client.getConversation({
    id: input.conversationId,
  })
  const downstream = conversation.tags['hitl#downstream']
  await respond(tools, downstream, '( The user has ended the session. )')
  await Promise.all(
    [input.conversationId, downstream].map((id) => end(tools, id, 'close-action-called')),
  )
  await tools.actions.hitl.stopHitl({ conversationId: downstream })
  return {}
}

const plugin = new Plugin({ actions: { startHitl, stopHitl } } as never)

plugin.on.beforeIncomingMessage('*', async ({ data, ...tools }: Tools) => {
  const { conversation } = await tools.client.getConversation({ id: data.conversationId })
  const isDownstream = conversation.integration === 'desk'
  if (!(await isActive(tools, conversation.id))) return { stop: isDownstream }
  const other = conversation.tags[isDownstream ? 'hitl#upstream' : 'hitl#downstream']
  const { user } = await tools.client.getUser({ id: data.userId })
  await respond(tools, other, data.payload.text, user.tags['hitl#downstream'])
  return { stop: true }
})

plugin.on.beforeIncomingEvent(
  'hitl:hitlAssigned' as never,
  async ({ data, ...tools }: Tools) => {
    const { conversationId, userId } = data.payload
    const { conversation } = await tools.client.getConversation({ id: conversationId })
    const upstream = conversation.tags['hitl#upstream']
    const { user } = await tools.client.getUser({ id: userId })
    const agent = { 'hitl#humanAgentId': userId, 'hitl#humanAgentName': user.name }
    await Promise.all([
      respond(tools, upstream, 'A human agent has joined'),
      link(tools, conversationId, agent),
      link(tools, upstream, agent),
    ])
    return { stop: true }
  },
)

plugin.on.beforeIncomingEvent(
  'hitl:hitlStopped' as never,
  async ({ data, ...tools }: Tools) => {
    const { conversationId } = data.payload
    const { conversation } = await tools.client.getConversation({ id: conversationId })
    const upstream = conversation.tags['hitl#upstream']
    await Promise.allSettled([
      respond(tools, upstream, 'The human agent closed the conversation'),
      end(tools, conversationId, 'agent-closed-ticket'),
      end(tools, upstream, 'agent-closed-ticket'),
    ])
    return { stop: true }
  },
)

const bot = new Bot({
  actions: {},
  plugins: {
    hitl: plugin.initialize({
      alias: 'hitl',
      configuration: {},
      integrations: {},
      interfaces: {
        hitl: {
          name: 'hitl',
          version: '2.0.0',
          integrationAlias: 'desk',
          integrationInterfaceAlias: 'hitl',
          entities: {},
          actions: {
            createUser: { name: 'createUser' },
            startHitl: { name: 'openTicket' },
            stopHitl: { name: 'closeTicket' },
          },
          events: {
            hitlAssigned: { name: 'ticketAssigned' },
            hitlStopped: { name: 'ticketClosed' },
          },
          channels: { hitl: { name: 'ticket' } },
        },
      },
    }) as never,
  },
} as never)

bot.on.message('*', async ({ client, ctx, message, conversation, user }: Tools) => {
  const { text } = message.payload
  if (text === 'human')
    return client.callAction({
      type: 'hitl#startHitl',
      input: { title: 'Help', userId: user.id, conversationId: conversation.id },
    })
  return respond({ client, ctx }, conversation.id, `bot: ${text}`)
})

export default bot
export const handler = bot.handler

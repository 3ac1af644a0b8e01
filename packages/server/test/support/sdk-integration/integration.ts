// An integration as its author writes one with the official SDK: a separate HTTP server in a
// separate process. Its webhook responds with the data that it received.
import { Integration, RuntimeError } from '@botpress/sdk'
import { recordCalls } from '../sdk-bot/noted-client.ts'
import { acts, type Call } from './acts.ts'

/** Messages sent to the third party, under the ids that it assigned. */
const desk: object[] = []
/** Calls of register and unregister. */
const registrations: object[] = []

interface Incoming {
  from: string
  room: string
  id: string
  text: string
}

/** The way of old: one after the other. */
async function bring({ client }: Call, { from, room, id, text }: Incoming) {
  const { conversation } = await client.getOrCreateConversation({
    channel: 'dm',
    tags: { id: room },
  })
  const { user } = await client.getOrCreateUser({ tags: { id: from }, name: from })
  const { message } = await client.createMessage({
    conversationId: conversation.id,
    userId: user.id,
    type: 'text',
    payload: { text },
    tags: { id },
  })
  return message
}

/** All at once; duplicates are removed. */
async function bringAtOnce({ client }: Call, { from, room, id, text }: Incoming) {
  const by = { discriminateByTags: ['id'] }
  const { message } = await client.initializeIncomingMessage({
    user: { tags: { id: from }, name: from, ...by },
    conversation: { channel: 'dm', tags: { id: room }, ...by },
    message: { type: 'text', payload: { text }, tags: { id }, ...by },
  })
  return message
}

async function openTicket(
  { client }: Call,
  { room, ticket }: { room: string; ticket: string },
) {
  const { conversation } = await client.getOrCreateConversation({
    channel: 'dm',
    tags: { id: room },
  })
  return client.createEvent({
    type: 'ticketOpened',
    payload: { ticket },
    conversationId: conversation.id,
  })
}

const json = (body: unknown) => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const integration = new Integration({
  async register({ client, ctx, webhookUrl }) {
    registrations.push({
      operation: ctx.operation,
      alias: ctx.integrationAlias,
      webhookUrl,
    })
    const { key } = ctx.configuration as { key: string }
    if (key === 'wrong') throw new RuntimeError('The desk does not know this key')
    await recordCalls(client).configureIntegration({ identifier: `desk of ${key}` })
    await recordCalls(client).setState({
      type: 'integration',
      id: ctx.integrationId,
      name: 'login',
      payload: { key },
    })
  },
  async unregister({ ctx, webhookUrl }) {
    registrations.push({
      operation: ctx.operation,
      alias: ctx.integrationAlias,
      webhookUrl,
    })
  },
  async handler({ req, client, ctx }) {
    const call = { ctx, client: recordCalls(client) }
    const [, what, name = ''] = req.path.split('/')
    const given = () => JSON.parse(req.body!)
    if (what === 'message') return json(await bring(call, given()))
    if (what === 'message-at-once') return json(await bringAtOnce(call, given()))
    if (what === 'ticket') return json(await openTicket(call, given()))
    if (what === 'act') return json(await acts[name]!(call))
    if (what === 'desk') return json({ desk, registrations })
    if (what === 'echo')
      return { status: 418, headers: { 'x-desk': 'yes' }, body: JSON.stringify(req) }
    if (what === 'refuse') throw new RuntimeError('The desk is closed')
    throw new Error('What is this?')
  },
  actions: {
    lookUp: async ({ type, input, metadata, ctx }) => {
      if (input.ticket === 'lost') throw new RuntimeError('No such ticket')
      metadata.setCost(0.01)
      return { title: `${type} ${input.ticket} for ${ctx.integrationAlias}` }
    },
  },
  channels: {
    dm: {
      messages: {
        async text({ type, payload, conversation, message, user, ctx, ack }) {
          const id = `out-${desk.length + 1}`
          const tags = {
            conversation: conversation.tags,
            message: message.tags,
            user: user.tags,
          }
          const place = {
            room: conversation.tags.id,
            channel: conversation.channel,
            alias: ctx.integrationAlias,
          }
          desk.push({
            id,
            messageId: message.id,
            type,
            payload,
            ...place,
            tags,
            isBot: user.id === ctx.botUserId,
            direction: message.direction,
          })
          await ack({ tags: { id } })
        },
      },
    },
  },
})

// Not without the tests.
process.on('disconnect', () => process.exit())
// If the start fails, the process exits with code 1.
void integration
  .start(0)
  .then((server) => process.send!((server.address() as { port: number }).port))

// What the integration does when a third party asks for one of these, and answers with as JSON.
import type { Integration } from '@botpress/sdk'
import { listMethods, performed, toRejection } from '../sdk-bot/noted-client.ts'

export type Call = Pick<Parameters<Integration['props']['handler']>[0], 'client' | 'ctx'>

const getIds = (things: { id: string }[]) => things.map(({ id }) => id)

export const acts: Record<string, (call: Call) => Promise<unknown>> = {
  async users({ client }) {
    const { user } = await client.createUser({ name: 'Ann', tags: { id: 'u1' } })
    const id = user.id
    const found = await client.getOrCreateUser({
      tags: { id: 'u1', lang: 'fr' },
      discriminateByTags: ['id'],
    })
    const { user: updated } = await client.updateUser({
      id,
      name: 'Bea',
      tags: { lang: '' },
    })
    const { users } = await client.listUsers({ tags: { id: 'u1' } })
    const { user: got } = await client.getUser({ id })
    await client.deleteUser({ id })
    const gone = await toRejection(client.getUser({ id }))
    return {
      found: [found.user.id === id, found.user.tags, found.meta],
      updated: [updated.name, updated.tags],
      listed: getIds(users).join() === id,
      got,
      gone,
    }
  },

  async conversations({ client }) {
    const room = { channel: 'dm', tags: { id: 'c1', room: 'r' } }
    const { conversation } = await client.createConversation(room)
    const id = conversation.id
    const found = await client.getOrCreateConversation({
      ...room,
      discriminateByTags: ['id'],
    })
    const { conversation: updated } = await client.updateConversation({
      id,
      tags: { room: 's' },
    })
    const { conversations } = await client.listConversations({ tags: { id: 'c1' } })
    const { conversation: got } = await client.getConversation({ id })
    const undeclared = await toRejection(
      client.updateConversation({ id, tags: { nobodyDeclaredIt: 'x' } }),
    )
    const { user } = await client.createUser({ tags: {} })
    const place = { id, userId: user.id }
    await client.addParticipant(place)
    const { participants } = await client.listParticipants({ id })
    const { participant } = await client.getParticipant(place)
    await client.removeParticipant(place)
    const left = await toRejection(client.getParticipant(place))
    await client.deleteConversation({ id })
    const gone = await toRejection(client.getConversation({ id }))
    const joined = [participant.id === user.id, getIds(participants).includes(user.id)]
    const { integration, channel, tags } = got
    const shown = {
      integration,
      channel,
      tags,
      updated: updated.tags,
      listed: getIds(conversations).join() === id,
    }
    return {
      found: [found.conversation.id === id, found.meta],
      ...shown,
      undeclared,
      joined,
      left,
      gone,
    }
  },

  async messages({ client }) {
    const { user } = await client.createUser({ tags: { id: 'u2' } })
    const { conversation } = await client.createConversation({
      channel: 'dm',
      tags: { id: 'c2' },
    })
    const place = { conversationId: conversation.id, userId: user.id, type: 'text' }
    const { message } = await client.createMessage({
      ...place,
      payload: { text: 'quiet' },
      tags: { id: 'm1' },
    })
    const id = message.id
    const found = await client.getOrCreateMessage({
      ...place,
      payload: { text: 'quiet, please' },
      tags: { id: 'm1' },
    })
    const { message: updated } = await client.updateMessage({ id, tags: { id: 'm2' } })
    const { messages } = await client.listMessages({
      conversationId: conversation.id,
      tags: { id: 'm2' },
    })
    const { message: got } = await client.getMessage({ id })
    const arrived = await client.initializeIncomingMessage({
      user: { tags: { id: 'u2' }, discriminateByTags: ['id'] },
      conversation: { channel: 'dm', tags: { id: 'c2' }, discriminateByTags: ['id'] },
      message: {
        type: 'text',
        payload: { text: 'quiet' },
        tags: { id: 'm2' },
        discriminateByTags: ['id'],
      },
    })
    const same = [
      arrived.user.id === user.id,
      arrived.conversation.id === conversation.id,
      arrived.message?.id === id,
    ]
    const past = {
      ...place,
      payload: { text: 'long ago' },
      tags: { id: 'm0' },
      createdAt: '2020-01-01T00:00:00.000Z',
      discriminateByTags: ['id'],
    }
    const imported = await client._inner.importMessages({ messages: [past] })
    const { tags } = await client._inner.listTagValues({ key: 'id', type: 'message' })
    await client.deleteMessage({ id })
    const gone = await toRejection(client.getMessage({ id }))
    const { direction, payload } = got
    const shown = {
      direction,
      payload,
      updated: updated.tags,
      listed: getIds(messages).join() === id,
      same,
    }
    return {
      found: [found.message.id === id, found.meta],
      ...shown,
      imported: imported.messages[0]!.createdAt,
      tags: tags.map(({ value }) => value),
      gone,
    }
  },

  async events({ client }) {
    const { event } = await client.createEvent({
      type: 'ticketOpened',
      payload: { ticket: '7' },
    })
    const { event: got } = await client.getEvent({ id: event.id })
    const { events } = await client.listEvents({ type: event.type })
    const wrong = await toRejection(
      client.createEvent({ type: 'ticketOpened', payload: { ticket: 7 } }),
    )
    const undeclared = await toRejection(
      client.createEvent({ type: 'nobodyDeclaredIt', payload: {} }),
    )
    return {
      type: got.type,
      payload: got.payload,
      listed: getIds(events).includes(event.id),
      wrong,
      undeclared,
    }
  },

  async states({ client, ctx }) {
    const { conversation } = await client.createConversation({ channel: 'dm', tags: {} })
    const memory = { type: 'conversation', id: conversation.id, name: 'memory' } as const
    const missing = await toRejection(client.getState(memory))
    const { state: first } = await client.getOrSetState({
      ...memory,
      payload: { step: 1 },
    })
    const { state: patched } = await client.patchState({
      ...memory,
      payload: { note: 'a' },
    })
    const wrong = await toRejection(
      client.setState({ ...memory, payload: { step: 'one' } }),
    )
    const { state: set } = await client.setState({ ...memory, payload: { step: 2 } })
    const { state: lasting } = await client._inner.setStateExpiry({
      ...memory,
      expiry: null,
    })
    const { state: login } = await client.getState({
      type: 'integration',
      id: ctx.integrationId,
      name: 'login',
    })
    return {
      missing,
      wrong,
      payloads: [first, patched, set, lasting, login].map(({ payload }) => payload),
    }
  },

  async files({ client }) {
    const { file } = await client.uploadFile({
      key: 'ticket.txt',
      content: 'help',
      contentType: 'text/plain',
      tags: { kind: 'ticket' },
    })
    const { file: got } = await client.getFile({ id: file.id })
    const content = await (await fetch(got.url)).text()
    const { files } = await client.listFiles({ tags: { kind: 'ticket' } })
    const { file: changed } = await client.updateFileMetadata({
      id: file.id,
      tags: { kind: null, by: 'Ann' },
    })
    const { file: announced } = await client.upsertFile({ key: 'ticket.txt', size: 5 })
    await client.deleteFile({ id: file.id })
    return {
      content,
      status: got.status,
      listed: getIds(files).join() === file.id,
      changed: changed.tags,
      announced: announced.id === file.id,
      gone: await toRejection(client.getFile(file)),
    }
  },

  async settings({ client }) {
    const configured = await client.configureIntegration({
      identifier: 'desk-1',
      scheduleRegisterCall: 'weekly',
    })
    const tracked = await client.trackAnalytics({ name: 'tickets', count: 1 })
    const observed = await client._inner.captureObservation({
      name: 'seen',
      data: { a: 1 },
    })
    const forbidden = await toRejection(
      client._inner.callAction({ type: 'lookUp', input: { ticket: '7' } }),
    )
    return { configured, tracked, observed, forbidden }
  },

  async context({ ctx, client }) {
    const { state } = await client.getState({
      type: 'integration',
      id: ctx.integrationId,
      name: 'login',
    })
    return { ...ctx, login: state.payload.key }
  },

  async report({ client }) {
    return { methods: listMethods(client), performed: [...performed] }
  },
}

// What the bot does when a message is one of these words. It answers with the result as JSON.
import type { Bot } from '@botpress/sdk'
import { listMethods, performed, toRejection } from './noted-client.ts'

export type Turn = Parameters<Parameters<Bot['on']['message']>[1]>[0]
type Act = (turn: Turn) => Promise<unknown>

const getIds = (things: { id: string }[]) => things.map(({ id }) => id)

export const acts: Record<string, Act> = {
  async context({ ctx, client, conversation, user, message, event }) {
    const { state } = await client.getState({
      type: 'bot',
      id: ctx.botId,
      name: 'settings',
    })
    const { type, payload } = ctx.configuration as unknown as {
      type: string
      payload: string
    }
    const links =
      [event.conversationId, event.userId, event.messageId].join() ===
      [conversation.id, user.id, message.id].join()
    return {
      operation: ctx.operation,
      type: ctx.type,
      configuration: [type, JSON.parse(payload)],
      registeredAs: state.payload.registeredAs,
      links,
    }
  },

  async conversations({ client }) {
    const tea = { channel: 'channel', integrationName: 'chat', tags: { topic: 'tea' } }
    const { conversation } = await client.createConversation(tea)
    const id = conversation.id
    const found = await client.getOrCreateConversation(tea)
    const { conversation: updated } = await client.updateConversation({
      id,
      tags: { topic: 'coffee' },
    })
    const listed = await client.listConversations({ tags: { topic: 'coffee' } })
    const { conversation: got } = await client.getConversation({ id })
    await client.deleteConversation({ id })
    const gone = await toRejection(client.getConversation({ id }))
    return {
      made: conversation.tags,
      found: [found.conversation.id === id, found.meta],
      updated: updated.tags,
      listed: getIds(listed.conversations),
      got,
      gone,
    }
  },

  async fails() {
    throw new RangeError('It went boom')
  },

  async users({ client }) {
    const { user } = await client.createUser({
      name: 'Ann',
      tags: { vip: 'yes' },
      pictureUrl: 'https://example.org/ann.png',
    })
    const id = user.id
    const found = await client.getOrCreateUser({ tags: { vip: 'yes' } })
    const { user: updated } = await client.updateUser({
      id,
      name: 'Bea',
      tags: { vip: 'very' },
    })
    const listed = await client.listUsers({ tags: { vip: 'very' } })
    const { user: got } = await client.getUser({ id })
    await client.deleteUser({ id })
    const gone = await toRejection(client.getUser({ id }))
    return {
      made: [user.name, user.tags],
      found: [found.user.id === id, found.meta],
      updated: [updated.name, updated.tags],
      listed: getIds(listed.users),
      got,
      gone,
    }
  },

  async participants({ client, conversation, user }) {
    const { user: guest } = await client.createUser({ tags: {} })
    const place = { id: conversation.id, userId: guest.id }
    const { participant: added } = await client.addParticipant(place)
    const { participants } = await client.listParticipants({ id: conversation.id })
    const { participant: got } = await client.getParticipant(place)
    await client.removeParticipant(place)
    const gone = await toRejection(client.getParticipant(place))
    return {
      same: added.id === guest.id && got.id === guest.id,
      user: getIds(participants).includes(user.id),
      guest: getIds(participants).includes(guest.id),
      gone,
    }
  },

  async messages({ client, ctx, conversation }) {
    const said = {
      conversationId: conversation.id,
      userId: ctx.botId,
      type: 'text',
      tags: { mood: 'good' },
    }
    const { message } = await client.createMessage({
      ...said,
      payload: { text: 'first' },
    })
    const found = await client.getOrCreateMessage({
      ...said,
      payload: { text: 'second' },
    })
    const id = message.id
    const { message: updated } = await client.updateMessage({
      id,
      tags: { mood: 'better' },
    })
    const listed = await client.listMessages({
      conversationId: conversation.id,
      tags: { mood: 'better' },
    })
    const { message: got } = await client.getMessage({ id })
    const texts: unknown[] = []
    for await (const { payload } of client._inner.list.messages({
      conversationId: conversation.id,
    }))
      texts.push(payload.text)
    await client.deleteMessage({ id })
    const gone = await toRejection(client.getMessage({ id }))
    const { direction, payload } = got
    return {
      direction,
      payload,
      found: [found.message.id === id, found.meta],
      updated: updated.tags,
      listed: getIds(listed.messages).join() === id,
      texts,
      gone,
    }
  },

  async events({ client, conversation, user }) {
    const about = (word: string) => ({
      type: 'reminder',
      payload: { about: word },
      conversationId: conversation.id,
      userId: user.id,
    })
    const { event } = await client.createEvent(about('tea'))
    await client.createEvent({ ...about('later'), schedule: { delay: 300 } })
    const { event: doomed } = await client.createEvent({
      ...about('never'),
      schedule: { delay: 3_600_000 },
    })
    const listed = await client.listEvents({
      type: 'reminder',
      status: 'scheduled',
      conversationId: conversation.id,
    })
    await client._inner.cancelScheduledEvent({ id: doomed.id })
    const { event: got } = await client.getEvent({ id: doomed.id })
    const { type, payload, conversationId, userId } = event
    const links = conversationId === conversation.id && userId === user.id
    return {
      type,
      payload,
      links,
      doomed: [doomed.status, got.status],
      listed: getIds(listed.events).includes(doomed.id),
    }
  },

  async states({ client, ctx, conversation, user }) {
    const session = {
      type: 'conversation',
      id: conversation.id,
      name: 'session',
    } as const
    const profile = { type: 'user', id: user.id, name: 'profile' } as const
    const missing = await toRejection(client.getState(session))
    const { state: first } = await client.getOrSetState({
      ...session,
      payload: { step: 1 },
    })
    const { state: second } = await client.getOrSetState({
      ...session,
      payload: { step: 2 },
    })
    const { state: patched } = await client.patchState({
      ...session,
      payload: { note: 'a' },
    })
    const wrong = await toRejection(
      client.setState({ ...session, payload: { step: 'one' } }),
    )
    const undeclared = await toRejection(
      client.setState({
        type: 'bot',
        id: ctx.botId,
        name: 'nobodyDeclaredIt',
        payload: {},
      }),
    )
    await client.setState({ ...profile, payload: { language: 'fr' } })
    const { state: got, meta } = await client.getState(profile)
    await client.setState({ ...profile, payload: null })
    const deleted = await toRejection(client.getState(profile))
    await client.setState({
      type: 'bot',
      id: ctx.botId,
      name: 'plugin#queue/1',
      payload: { length: 3 },
    })
    const { state: plugin } = await client.getState({
      type: 'bot',
      id: ctx.botId,
      name: 'plugin#queue/1',
    })
    await client.setState({
      type: 'conversation',
      id: conversation.id,
      name: 'fleeting',
      payload: { word: 'gone' },
    })
    const payloads = [first, second, patched, got, plugin].map(({ payload }) => payload)
    return { missing, wrong, undeclared, deleted, payloads, cached: meta.cached }
  },

  async actions({ client, conversation }) {
    const sum = await client.callAction({ type: 'add', input: { a: 1, b: 2 } })
    const event = await client.callAction({
      type: 'chat:sendEvent',
      input: { conversationId: conversation.id, payload: { b: 2 } },
    })
    const wrong = await toRejection(
      client.callAction({ type: 'add', input: { a: 'one' } }),
    )
    const refused = await toRejection(client.callAction({ type: 'refuse', input: {} }))
    const unknown = await toRejection(
      client.callAction({ type: 'nobody:knows', input: {} }),
    )
    return { sum, event, wrong, refused, unknown }
  },

  async handoff({ client, conversation }) {
    const { output } = await client.callAction({
      type: 'chat:handoff',
      input: { conversationId: conversation.id, reason: 'refund' },
    })
    return output.handoff
  },

  async files({ client }) {
    const { file } = await client.uploadFile({
      key: 'menu.txt',
      content: 'soup',
      contentType: 'text/plain',
      tags: { kind: 'menu' },
      accessPolicies: ['public_content'],
    })
    const { file: got } = await client.getFile({ id: file.id })
    const content = await (await fetch(got.url)).text()
    const listed = await client.listFiles({ tags: { kind: 'menu' } })
    const { file: changed } = await client.updateFileMetadata({
      id: file.id,
      tags: { kind: null },
      metadata: { day: 'Monday' },
    })
    const { file: announced } = await client.upsertFile({ key: 'menu.txt', size: 5 })
    await client.deleteFile({ id: file.id })
    const gone = await toRejection(client.getFile({ id: file.id }))
    return {
      content,
      status: got.status,
      listed: getIds(listed.files).join() === file.id,
      changed: [changed.tags, changed.metadata],
      announced: [announced.id === file.id, announced.status],
      gone,
    }
  },

  async search({ client }) {
    const { file } = await client.uploadFile({
      key: 'dishes.md',
      content: '# Soups\n\nOnions are in the soup of the day.',
      index: true,
    })
    const find = async () =>
      (await client.searchFiles({ query: 'onion soup', tags: {}, withContext: true }))
        .passages
    let passages = await find()
    while (passages.length === 0) {
      await new Promise((resolve) => setTimeout(resolve, 100))
      passages = await find()
    }
    const { file: indexed } = await client.getFile({ id: file.id })
    await client.deleteFile({ id: file.id })
    return {
      status: indexed.status,
      found: passages.map(({ content, file: { key }, context }) => [
        content,
        key,
        context?.length,
      ]),
      gone: await find(),
    }
  },

  async analytics({ client }) {
    return client.trackAnalytics({ name: 'orders', count: 2 })
  },

  async workflows({ client, conversation, user }) {
    const order = { name: 'errand', status: 'listening', tags: { stage: 'new' } } as const
    const { workflow } = await client.createWorkflow({
      ...order,
      input: { dish: 'soup' },
      conversationId: conversation.id,
      userId: user.id,
    })
    const id = workflow.id
    const found = await client.getOrCreateWorkflow(order)
    const { workflow: updated } = await client.updateWorkflow({
      id,
      tags: { stage: 'old' },
      output: { served: 'soup' },
    })
    const listed = await client.listWorkflows({
      name: 'errand',
      tags: { stage: 'old' },
      statuses: ['listening'],
      conversationId: conversation.id,
    })
    const { workflow: got } = await client.getWorkflow({ id })
    await client.deleteWorkflow({ id })
    const gone = await toRejection(client.getWorkflow({ id }))
    const { tags, output } = updated
    return {
      input: got.input,
      found: found.workflow.id === id,
      updated: { tags, output },
      listed: getIds(listed.workflows).join() === id,
      gone,
    }
  },

  /** What becomes of it, the handlers of workflows tell. */
  async order({ workflows, conversation, user, message }) {
    const dish = String(message.payload.text).split(' ')[1] ?? ''
    const timeoutAt = new Date(
      Date.now() + (dish === 'nothing' ? 1_500 : 60_000),
    ).toISOString()
    const place = { conversationId: conversation.id, userId: user.id }
    const { workflow } = await workflows.order!.startNewInstance({
      input: { dish },
      tags: { stage: 'ordered' },
      timeoutAt,
      ...place,
    })
    return { status: workflow.status, tags: workflow.tags, input: workflow.input }
  },

  /** Receives the end or deletion of the workflow that was started inside it. */
  async menu({ client, conversation, user }) {
    const place = { conversationId: conversation.id, userId: user.id }
    const { workflow: menu } = await client.createWorkflow({
      name: 'order',
      status: 'listening',
      input: { dish: 'menu' },
      tags: { stage: 'cooking' },
      ...place,
    })
    const course = { name: 'order', parentWorkflowId: menu.id, ...place } as const
    const { workflow: dessert } = await client.createWorkflow({
      ...course,
      status: 'listening',
      input: { dish: 'dessert' },
    })
    await client.createWorkflow({ ...course, status: 'pending', input: { dish: 'air' } })
    const { workflows } = await client.listWorkflows({ parentWorkflowId: menu.id })
    await client.deleteWorkflow({ id: dessert.id })
    return { menu: menu.id, courses: workflows.length }
  },

  async rows({ client }) {
    const table = 'GuestTable'
    const { rows: added } = await client.createTableRows({
      table,
      rows: [{ name: 'Ann' }, { name: 'Bea', seats: 2 }],
    })
    const { row: first } = await client.getTableRow({ table, id: 1 })
    const { rows: found } = await client.findTableRows({
      table,
      filter: { seats: { $gt: 1 } },
    })
    const { rows: changed } = await client.updateTableRows({
      table,
      rows: [{ id: 1, seats: 4 }],
    })
    const { inserted, updated } = await client.upsertTableRows({
      table,
      keyColumn: 'name',
      rows: [{ name: 'Ann', seats: 5 }, { name: 'Cy' }],
    })
    const { deletedRows } = await client.deleteTableRows({ table, ids: [1, 2] })
    const names = (rows: { [column: string]: unknown }[]) =>
      rows.map(({ name, seats }) => [name, seats])
    return {
      added: names(added),
      first: first.name,
      found: names(found),
      changed: names(changed),
      inserted: names(inserted),
      updated: names(updated),
      deletedRows,
    }
  },

  async report({ client }) {
    return { methods: listMethods(client), performed: [...performed] }
  },
}

// Content of a tenant's bot, created through an integration and through the chat.
import { sql } from 'kysely'
import { vi } from 'vitest'
import { appendBotLogs } from '../../src/core/bots/logs/bot-logs.ts'
import type { Db } from '../../src/core/db/database.ts'
import { newId } from '../../src/core/lib/ids.ts'
import type { Scene } from './scene.ts'
import type { Headers, Tenant, TenantCall } from './tenants.ts'

type MadeInside =
  | 'user'
  | 'conversation'
  | 'message'
  | 'event'
  | 'scheduledEvent'
  | 'workflow'
  | 'deadLetter'
  | 'spareDeadLetter'
  | 'file'
  | 'fileKey'
  | 'knowledgeBase'
  | 'table'
interface Filling {
  call: TenantCall
  mark: string
  named: string
  bot: Headers
  webhookId: string
  things: Omit<
    Tenant['things'],
    | MadeInside
    | 'issue'
    | 'webhookRequest'
    | 'broadcast'
    | 'handoff'
    | 'spareHandoff'
    | 'spareUser'
    | 'erasure'
    | 'note'
    | 'cannedReply'
    | 'curatedAnswer'
    | 'knowledgeCheck'
    | 'knowledgeSource'
    | keyof ChatThings
  >
}

type Made = Pick<Tenant['things'], MadeInside>

/** Conversations through an integration and through the chat, and files. */
export async function fillTenant(
  scene: Scene,
  filling: Filling,
): Promise<Pick<Tenant, 'things' | 'userKey'>> {
  const { call, mark, named, bot, webhookId, things } = filling
  const botId = bot['x-bot-id']!
  const made: Made = {
    user: [],
    conversation: [],
    message: [],
    event: [],
    scheduledEvent: [],
    workflow: [],
    deadLetter: [],
    spareDeadLetter: [],
    file: [],
    fileKey: [],
    knowledgeBase: [],
    table: [],
  }
  await makeUsersAndConversations(filling, made)
  for (const [nth, userId] of made.user.entries()) {
    await converse(scene, filling, made, { nth, userId })
    await makeTable(filling, made, nth)
    await makeFiles(scene, filling, made, { nth, userId })
  }
  const [conversationId] = made.conversation
  for (const as of [bot, throughIntegration(bot)])
    await call('POST', `/v1/chat/states/conversation/${conversationId}/memory`, as, {
      payload: { mark },
    })
  await appendBotLogs(scene.app.services, botId, logLines(mark, conversationId!))
  const issue = [
    ...(await makeIssues(scene, things.bot[0]!, mark)).slice(0, 1),
    ...(await makeIssues(scene, things.bot[1]!, mark)).slice(0, 1),
  ]
  await observe(scene, filling, conversationId!)
  const chat = await fillChat(call, `/chat/${webhookId}`, { mark, named })
  const [, own] = chat.things.chatConversation
  for (let i = 0; i < 2; i++)
    await call('POST', '/v1/chat/actions', bot, {
      type: 'chat:sendEvent',
      input: { conversationId: own, payload: { mark } },
    })
  for (const nth of ['first', 'second'])
    await miss(filling, own!, `missed ${nth} ${mark}`)
  await actionRuns(scene, botId, 2)
  const webhookRequest = await makeWebhookRequests(scene, botId, mark)
  await linkSandbox(scene, botId, mark)
  const handoff = await handOverTwo(filling)
  const spareHandoff = await handOverTwo(filling)
  const broadcast = await planBroadcasts(scene, filling, made.user)
  const notes = await writeNotes(filling, conversationId!)
  const knowledgeSource = await addWebsites(scene, botId, made.knowledgeBase[0]!, mark)
  const more = {
    broadcast,
    handoff,
    spareHandoff,
    knowledgeSource,
    ...notes,
    ...(await eraseUsers(filling)),
  }
  const all = { ...things, ...made, ...chat.things, issue, webhookRequest, ...more }
  return { things: all, userKey: chat.userKey }
}

const throughIntegration = (bot: Headers): Headers => ({
  ...bot,
  'x-integration-alias': 'tg',
})

const logLines = (mark: string, conversationId: string) =>
  ['1', '2'].map(
    (nth) =>
      ({
        at: new Date(),
        level: 'info',
        message: `${mark}-${nth}`,
        conversationId,
      }) as const,
  )

async function makeUsersAndConversations({ call, mark, bot }: Filling, made: Made) {
  const tg = throughIntegration(bot)
  const profile = {
    name: mark,
    pictureUrl: `https://example.org/${mark}.png`,
    properties: { mark },
  }
  for (const nth of ['1', '2']) {
    const tags = { id: `${mark}-${nth}` }
    const { user } = await call('POST', '/v1/chat/users', tg, { tags, ...profile })
    made.user.push(user.id)
    const { conversation } = await call('POST', '/v1/chat/conversations', tg, {
      channel: 'dm',
      tags,
    })
    made.conversation.push(conversation.id)
  }
}

/** Makes a message, events, a workflow and a dead letter of a user in the first conversation. */
async function converse(
  scene: Scene,
  { call, mark, bot }: Filling,
  made: Made,
  { nth, userId }: { nth: number; userId: string },
) {
  const tg = throughIntegration(bot)
  const [conversationId] = made.conversation
  const tags = { id: `${mark}-${nth + 1}` }
  const added = { type: 'added', payload: { content: mark } }
  const make = async (kind: string, body: object) =>
    Object.values(await call('POST', `/v1/chat/${kind}`, tg, body)) as { id: string }[]
  for (const id of made.conversation)
    await call('POST', `/v1/chat/conversations/${id}/participants`, tg, { userId })
  const text = { conversationId, userId, type: 'text', payload: { text: mark }, tags }
  const [message] = await make('messages', text)
  made.message.push(message!.id)
  const [event] = await make('events', { ...added, conversationId, userId })
  made.event.push(event!.id)
  const [scheduled] = await make('events', { ...added, schedule: { delay: 3_600_000 } })
  made.scheduledEvent.push(scheduled!.id)
  const [workflow] = await make('workflows', {
    name: mark,
    status: 'listening',
    tags,
    input: { mark },
    conversationId,
    userId,
    timeoutAt: '2999-01-01',
  })
  made.workflow.push(workflow!.id)
  const [botId, lane] = [bot['x-bot-id']!, `out:${conversationId}`]
  const undelivered = { botId, lane, messageId: message!.id, mark }
  made.deadLetter.push(await giveUp(scene, undelivered))
  made.spareDeadLetter.push(await giveUp(scene, undelivered))
}

async function makeTable({ call, mark, bot }: Filling, made: Made, nth: number) {
  const { table } = await call('POST', '/v1/tables', bot, {
    name: `Mark${nth}Table`,
    schema: { [mark]: { type: 'string', searchable: true } },
    tags: { mark },
  })
  made.table.push(table.id)
  await call('POST', `/v1/tables/${table.id}/rows`, bot, { rows: [{ [mark]: mark }] })
}

async function makeFiles(
  scene: Scene,
  { call, mark, named, bot }: Filling,
  made: Made,
  { nth, userId }: { nth: number; userId: string },
) {
  const key = `${named}/${userId}`
  const id = await upload(scene, call, bot, { key, mark, nth })
  made.fileKey.push(key)
  made.file.push(id)
  await call('PUT', `/v1/files/${id}/passages`, bot, {
    passages: [{ content: `shared ${mark}` }, { content: mark }],
  })
  const base = { name: mark, tags: { mark } }
  const { knowledgeBase } = await call('POST', '/v1/files/knowledge-bases', bot, base)
  made.knowledgeBase.push(knowledgeBase.id)
  // Not the key of an object, so its tags stay.
  await upload(scene, call, bot, { key: `${named}/${nth}`, mark, nth })
}

async function observe(
  { app }: Scene,
  { call, mark, bot }: Filling,
  conversationId: string,
) {
  for (const nth of ['1', '2']) {
    await call('POST', '/v1/chat/analytics', bot, { name: `${mark}-${nth}`, count: 1 })
    await call('POST', '/v1/chat/observations', bot, {
      name: mark,
      data: { mark },
      conversationId,
      traceId: mark,
    })
  }
  await countNodes(app.services.db, bot['x-bot-id']!, mark, conversationId)
}

/** Stores counts, as if traces of flows had been counted. */
async function countNodes(db: Db, botId: string, mark: string, conversationId: string) {
  await sql`insert into flow_progress (bot_id, through, last_id) values (${botId}, now(), '')`.execute(
    db,
  )
  await sql`insert into flow_conversation_day (bot_id, conversation_id, day, nodes, last_node)
    values (${botId}, ${conversationId}, (now() at time zone 'UTC')::date, array['main/a'],
      'main/a')`.execute(db)
  for (const node of ['a', 'b'])
    await sql`insert into flow_node_day (bot_id, flow, node, day, passed, ended)
      values (${botId}, ${mark}, ${node}, (now() at time zone 'UTC')::date, 2, 1)`.execute(
      db,
    )
}

/** Creates a dead letter, as if the integration had rejected the delivery. */
async function giveUp(
  { app }: Scene,
  {
    botId,
    lane,
    messageId,
    mark,
  }: { botId: string; lane: string; messageId: string; mark: string },
): Promise<string> {
  const id = newId('delivery')
  await sql`
    with placed as (
      insert into lane (bot_id, key, last_number) values (${botId}, ${lane}, 1)
      on conflict (bot_id, key) do update set last_number = lane.last_number + 1 returning last_number
    )
    insert into delivery (bot_id, lane, number, id, kind, subject_id, attempts, last_error, dead_at)
    select ${botId}, ${lane}, last_number, ${id}, 'message', ${messageId}, 3, ${mark}, now()
    from placed`.execute(app.services.db)
  return id
}

/** Uses two causes to create two issues. */
async function makeIssues(
  { app }: Scene,
  botId: string,
  mark: string,
): Promise<string[]> {
  for (const nth of ['a', 'b'])
    app.services.issues.report(botId, { code: 'event_failed', message: `${mark}-${nth}` })
  const find = () =>
    app.services.db.selectFrom('issue').select('id').where('bot_id', '=', botId).execute()
  while ((await find()).length < 2)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return (await find()).map(({ id }) => id)
}

async function handOverTwo({ call, mark, bot }: Filling) {
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const { conversation } = await call(
      'POST',
      '/v1/chat/conversations',
      throughIntegration(bot),
      {
        channel: 'dm',
        tags: {},
      },
    )
    const body = {
      conversationId: conversation.id,
      reason: mark,
      botReceives: 'everything',
    }
    const { handoff } = await call('POST', '/v1/platform/handoffs', bot, body)
    await call('PUT', `/v1/platform/handoffs/${handoff.id}`, bot, {
      tags: { 'tg:id': mark },
    })
    ids.push(handoff.id)
  }
  return ids
}

/** Broadcasts that never start, with recipients. Archives leave out running ones. */
async function planBroadcasts(
  { app }: Scene,
  { call, mark, bot }: Filling,
  users: string[],
) {
  const ids: string[] = []
  for (let i = 0; i < 2; i++) {
    const { broadcast } = await call(
      'POST',
      '/v1/platform/broadcasts',
      bot,
      broadcastBody(mark),
    )
    await call('POST', `/v1/platform/broadcasts/${broadcast.id}/stop`, bot)
    ids.push(broadcast.id)
    for (const userId of users)
      await sql`insert into broadcast_recipient (bot_id, broadcast_id, user_id, state, reason)
        values (${bot['x-bot-id']}, ${broadcast.id}, ${userId}, 'skipped', 'opted_out')`.execute(
        app.services.db,
      )
  }
  for (const userId of users)
    await call('POST', '/v1/platform/opt-outs', bot, {
      integration: 'tg',
      channel: 'dm',
      userId,
    })
  return ids
}

export const broadcastBody = (mark: string) => ({
  name: mark,
  audience: { integration: 'tg', channel: 'dm' },
  message: { type: 'text', payload: { text: mark } },
  startAt: '2100-01-01T00:00:00Z',
})

/** The bot says that it cannot answer a question. */
async function miss(
  { call, bot }: Pick<Filling, 'call' | 'bot'>,
  conversationId: string,
  question: string,
) {
  const payload = { text: 'I do not know', metadata: { unanswered: true, question } }
  const userId = bot['x-bot-id']
  const message = { conversationId, userId, type: 'text', payload, tags: {} }
  await call('POST', '/v1/chat/messages', bot, message)
}

async function writeNotes({ call, mark, bot }: Filling, conversationId: string) {
  const made = {
    note: [] as string[],
    cannedReply: [] as string[],
    curatedAnswer: [] as string[],
    knowledgeCheck: [] as string[],
  }
  for (const name of [`first ${mark}`, `second ${mark}`]) {
    const path = `/v1/platform/conversations/${conversationId}/notes`
    made.note.push((await call('POST', path, bot, { text: name })).note.id)
    const reply = await call('POST', '/v1/platform/canned-replies', bot, {
      name,
      text: mark,
    })
    made.cannedReply.push(reply.cannedReply.id)
    const answer = { questions: [name], text: mark }
    const created = await call('POST', '/v1/platform/curated-answers', bot, answer)
    made.curatedAnswer.push(created.curatedAnswer.id)
    const check = { question: name, expectedText: mark }
    const added = await call('POST', '/v1/platform/knowledge-checks', bot, check)
    made.knowledgeCheck.push(added.knowledgeCheck.id)
  }
  return made
}

/** Websites that are not refreshed. */
async function addWebsites({ app }: Scene, botId: string, kbId: string, mark: string) {
  const ids = [newId('knowledgeSource'), newId('knowledgeSource')]
  for (const [nth, id] of ids.entries()) {
    const url = `https://example.org/${mark}/${nth}`
    await sql`insert into knowledge_source (bot_id, id, knowledge_base_id, type, url, schedule,
      max_pages, status, next_at)
      values (${botId}, ${id}, ${kbId}, 'page', ${url}, 'off', 1, 'completed', null)`.execute(
      app.services.db,
    )
    await sql`insert into knowledge_page (bot_id, source_id, url, is_pending, run)
      values (${botId}, ${id}, ${url}, false, 1), (${botId}, ${id}, ${`${url}/more`}, false, 1)`.execute(
      app.services.db,
    )
  }
  return ids
}

/** Users without content: two that are erased, and two that tests may erase. */
async function eraseUsers({ call, mark, bot }: Filling) {
  const made = { spareUser: [] as string[], erasure: [] as string[] }
  for (let i = 0; i < 2; i++) {
    const body = { name: mark, tags: {} }
    made.spareUser.push((await call('POST', '/v1/chat/users', bot, body)).user.id)
    const { user } = await call('POST', '/v1/chat/users', bot, body)
    const path = `/v1/platform/users/${user.id}/erasures`
    const { erasure } = await call('POST', path, bot)
    // Afterwards nothing changes the row.
    await vi.waitFor(async () => {
      const { state } = (await call('GET', `/v1/platform/erasures/${erasure.id}`, bot))
        .erasure
      if (state !== 'done') throw new Error(`The erasure is ${state}`)
    }, 30_000)
    made.erasure.push(erasure.id)
  }
  // Two suggestions that they are one person.
  for (const user of made.spareUser)
    for (const nth of ['first', 'second'])
      await call('POST', `/v1/platform/users/${user}/addresses`, bot, {
        kind: 'id',
        address: `${nth} ${mark}`,
      })
  return made
}

async function makeWebhookRequests({ app }: Scene, botId: string, mark: string) {
  const ids = [newId('webhookRequest'), newId('webhookRequest')]
  const body = { text: mark, bytes: mark.length, isComplete: true }
  const content = JSON.stringify({ query: '', headers: {}, body, response: null })
  for (const id of ids)
    await sql`insert into webhook_request (bot_id, alias, id, at, method, path, status, ms, content)
      values (${botId}, 'tg', ${id}, now(), 'POST', ${`/${mark}`}, 200, 1, ${content}::jsonb)`.execute(
      app.services.db,
    )
  return ids
}

/** Two conversations of the number that bots under test share. */
async function linkSandbox({ app }: Scene, botId: string, mark: string): Promise<void> {
  for (const identifier of [`first ${mark}`, `second ${mark}`])
    await sql`insert into sandbox_conversation (owner, integration, identifier, bot_id, alias)
      values ('', 'telegram', ${identifier}, ${botId}, 'tg')`.execute(app.services.db)
}

/** Waits for records that the server writes asynchronously. */
async function actionRuns({ app }: Scene, botId: string, count: number) {
  const find = () =>
    app.services.db
      .selectFrom('action_run')
      .select('id')
      .where('bot_id', '=', botId)
      .execute()
  while ((await find()).length < count)
    await new Promise((resolve) => setTimeout(resolve, 10))
}

async function upload(
  scene: Scene,
  call: TenantCall,
  bot: Headers,
  { key, mark, nth }: { key: string; mark: string; nth: number },
): Promise<string> {
  const announced = {
    key,
    size: mark.length,
    contentType: 'text/plain',
    tags: { mark, nth: `${mark}-${nth}` },
    metadata: { mark },
  }
  const { file } = await call('PUT', '/v1/files', bot, announced)
  const { pathname, search } = new URL(file.uploadUrl)
  const stored = await fetch((await scene.listen()) + pathname + search, {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: mark,
  })
  if (stored.status !== 200) throw new Error(await stored.text())
  return file.id
}

type ChatThings = Pick<
  Tenant['things'],
  | 'chatUser'
  | 'chosenUser'
  | 'chatConversation'
  | 'chosenConversation'
  | 'chatMessage'
  | 'chatEvent'
  | 'feedback'
>
async function fillChat(
  call: TenantCall,
  url: string,
  { mark, named }: { mark: string; named: string },
): Promise<{ things: ChatThings; userKey: string }> {
  const profile = {
    name: mark,
    profile: mark,
    pictureUrl: `https://example.org/${mark}.png`,
  }
  const { user, key } = await call('POST', `${url}/users`, {}, { id: named, ...profile })
  const { user: guest } = await call('POST', `${url}/users`, {}, profile)
  const as = { 'x-user-key': key }
  const things: ChatThings = {
    chatUser: [guest.id, guest.id],
    chosenUser: [user.id],
    chatConversation: [],
    chosenConversation: [],
    chatMessage: [],
    chatEvent: [],
    feedback: [],
  }
  for (const id of [named, undefined]) {
    const { conversation } = await call('POST', `${url}/conversations`, as, {
      ...(id && { id }),
    })
    things.chatConversation.push(conversation.id)
    if (id) things.chosenConversation.push(id)
    await call('POST', `${url}/conversations/${conversation.id}/participants`, as, {
      userId: guest.id,
    })
    const place = { conversationId: conversation.id }
    for (let i = 0; i < 2; i++)
      things.chatMessage.push(
        (
          await call('POST', `${url}/messages`, as, {
            ...place,
            payload: { type: 'text', text: mark },
            metadata: { mark },
          })
        ).message.id,
      )
    for (const messageId of things.chatMessage.slice(-2)) {
      const rated = `${url}/messages/${messageId}/feedback`
      const opinion = { rating: 'negative', comment: mark }
      things.feedback.push((await call('PUT', rated, as, opinion)).feedback.id)
    }
    things.chatEvent.push(
      (await call('POST', `${url}/events`, as, { ...place, payload: { mark } })).event.id,
    )
  }
  return { things, userKey: key }
}

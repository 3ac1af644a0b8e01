// Content of a tenant's bot, created through an integration and through the chat.
import { sql } from 'kysely'
import { newId } from '../../src/infra/lib/ids.ts'
import { appendBotLogs } from '../../src/modules/bots/bot-logs.ts'
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
  things: Omit<Tenant['things'], MadeInside | 'issue' | keyof ChatThings>
}

/** Conversations through an integration and through the chat, and files. */
export async function fillTenant(
  scene: Scene,
  { call, mark, named, bot, webhookId, things }: Filling,
): Promise<Pick<Tenant, 'things' | 'userKey'>> {
  const tg = { ...bot, 'x-integration-alias': 'tg' }
  const made: Pick<Tenant['things'], MadeInside> = {
    ...{
      user: [],
      conversation: [],
      message: [],
      event: [],
      scheduledEvent: [],
      workflow: [],
      deadLetter: [],
      file: [],
      fileKey: [],
      knowledgeBase: [],
      table: [],
    },
  }
  const picture = {
    name: mark,
    pictureUrl: `https://example.org/${mark}.png`,
    properties: { mark },
  }
  for (const nth of ['1', '2']) {
    made.user.push(
      (await call('POST', '/v1/chat/users', tg, { tags: { id: `${mark}-${nth}` }, ...picture }))
        .user.id,
    )
    made.conversation.push(
      (
        await call('POST', '/v1/chat/conversations', tg, {
          channel: 'dm',
          tags: { id: `${mark}-${nth}` },
        })
      ).conversation.id,
    )
  }
  const [conversationId] = made.conversation
  for (const [nth, userId] of made.user.entries()) {
    for (const id of made.conversation)
      await call('POST', `/v1/chat/conversations/${id}/participants`, tg, { userId })
    const said = {
      conversationId,
      userId,
      type: 'text',
      payload: { text: mark },
      tags: { id: `${mark}-${nth + 1}` },
    }
    made.message.push((await call('POST', '/v1/chat/messages', tg, said)).message.id)
    made.event.push(
      (
        await call('POST', '/v1/chat/events', tg, {
          type: 'added',
          payload: { content: mark },
          conversationId,
          userId,
        })
      ).event.id,
    )
    const later = { type: 'added', payload: { content: mark }, schedule: { delay: 3_600_000 } }
    made.scheduledEvent.push((await call('POST', '/v1/chat/events', tg, later)).event.id)
    const work = {
      name: mark,
      status: 'listening',
      tags: { id: `${mark}-${nth + 1}` },
      input: { mark },
      conversationId,
      userId,
    }
    made.workflow.push(
      (await call('POST', '/v1/chat/workflows', tg, { ...work, timeoutAt: '2999-01-01' })).workflow
        .id,
    )
    made.deadLetter.push(
      await giveUp(scene, {
        botId: bot['x-bot-id']!,
        lane: `out:${conversationId}`,
        messageId: made.message.at(-1)!,
        mark,
      }),
    )
    made.fileKey.push(`${named}/${userId}`)
    const columns = { [mark]: { type: 'string', searchable: true } }
    made.table.push(
      (
        await call('POST', '/v1/tables', bot, {
          name: `Mark${nth}Table`,
          schema: columns,
          tags: { mark },
        })
      ).table.id,
    )
    await call('POST', `/v1/tables/${made.table.at(-1)}/rows`, bot, { rows: [{ [mark]: mark }] })
    made.file.push(await upload(scene, call, bot, { key: `${named}/${userId}`, mark, nth }))
    await call('PUT', `/v1/files/${made.file.at(-1)}/passages`, bot, {
      passages: [{ content: `shared ${mark}` }, { content: mark }],
    })
    made.knowledgeBase.push(
      (await call('POST', '/v1/files/knowledge-bases', bot, { name: mark, tags: { mark } }))
        .knowledgeBase.id,
    )
    // Not the key of an object, so its tags stay.
    await upload(scene, call, bot, { key: `${named}/${nth}`, mark, nth })
  }
  for (const as of [bot, tg])
    await call('POST', `/v1/chat/states/conversation/${conversationId}/memory`, as, {
      payload: { mark },
    })
  const lines = ['1', '2'].map(
    (nth) =>
      ({
        at: new Date(),
        level: 'info',
        message: `${mark}-${nth}`,
        conversationId: conversationId!,
      }) as const,
  )
  await appendBotLogs(scene.app.services.db, bot['x-bot-id']!, lines)
  const issue = [
    ...(await makeIssues(scene, things.bot[0]!, mark)).slice(0, 1),
    ...(await makeIssues(scene, things.bot[1]!, mark)).slice(0, 1),
  ]
  for (const nth of ['1', '2']) {
    await call('POST', '/v1/chat/analytics', bot, { name: `${mark}-${nth}`, count: 1 })
    await call('POST', '/v1/chat/observations', bot, {
      name: mark,
      data: { mark },
      conversationId,
      traceId: mark,
    })
  }
  const chat = await fillChat(call, `/chat/${webhookId}`, { mark, named })
  const [, own] = chat.things.chatConversation
  for (let i = 0; i < 2; i++)
    await call('POST', '/v1/chat/actions', bot, {
      type: 'chat:sendEvent',
      input: { conversationId: own, payload: { mark } },
    })
  await actionRuns(scene, bot['x-bot-id']!, 2)
  return { things: { ...things, ...made, ...chat.things, issue }, userKey: chat.userKey }
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
async function makeIssues({ app }: Scene, botId: string, mark: string): Promise<string[]> {
  for (const nth of ['a', 'b'])
    app.services.issues.report(botId, { code: 'event_failed', message: `${mark}-${nth}` })
  const find = () =>
    app.services.db.selectFrom('issue').select('id').where('bot_id', '=', botId).execute()
  while ((await find()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  return (await find()).map(({ id }) => id)
}

/** Waits for records that the server writes asynchronously. */
async function actionRuns({ app }: Scene, botId: string, count: number) {
  const find = () =>
    app.services.db.selectFrom('action_run').select('id').where('bot_id', '=', botId).execute()
  while ((await find()).length < count) await new Promise((resolve) => setTimeout(resolve, 10))
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
>
async function fillChat(
  call: TenantCall,
  url: string,
  { mark, named }: { mark: string; named: string },
): Promise<{ things: ChatThings; userKey: string }> {
  const profile = { name: mark, profile: mark, pictureUrl: `https://example.org/${mark}.png` }
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
  }
  for (const id of [named, undefined]) {
    const { conversation } = await call('POST', `${url}/conversations`, as, { ...(id && { id }) })
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
    things.chatEvent.push(
      (await call('POST', `${url}/events`, as, { ...place, payload: { mark } })).event.id,
    )
  }
  return { things, userKey: key }
}

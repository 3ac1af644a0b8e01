// Tenants of one server that must learn nothing of each other. Every text of theirs carries their mark, and what they own is known by kind,
// so that a request for any operation can be made of it. Of most kinds there are two: what a test deletes is the second.
import { sql } from 'kysely'
import { createToken } from '../src/accounts/tokens.ts'
import { appendBotLogs } from '../src/bots/bot-logs.ts'
import { appendIntegrationLogs } from '../src/integrations/integration-logs.ts'
import { emptyInterface } from '../src/interfaces/definition.ts'
import { newId, newUuid } from '../src/lib/ids.ts'
import { emptyPlugin } from '../src/plugins/definition.ts'
import { telegram } from './messaging-rows.ts'
import type { Scene } from './scene.ts'

/** What can be named in a request. `chosen…` are ids that a chat client chose; the first chat conversation goes by such a one, too. */
export type Kind =
  | 'account'
  | 'bot'
  | 'botKey'
  | 'botVersion'
  | 'chatConversation'
  | 'chatEvent'
  | 'chatMessage'
  | 'chatUser'
  | 'chosenConversation'
  | 'chosenUser'
  | 'conversation'
  | 'deadLetter'
  | 'event'
  | 'file'
  | 'fileKey'
  | 'handle'
  | 'integration'
  | 'issue'
  | 'integrationKey'
  | 'integrationName'
  | 'installed'
  | 'invitee'
  | 'interface'
  | 'interfaceName'
  | 'knowledgeBase'
  | 'message'
  | 'pat'
  | 'plugin'
  | 'pluginName'
  | 'preference'
  | 'scheduledEvent'
  | 'spareBot'
  | 'table'
  | 'tag'
  | 'user'
  | 'webhook'
  | 'workflow'
  | 'workspace'

export interface Tenant {
  /** In every text of theirs. */
  mark: string
  /** In every name that they gave, and may have to repeat in a request: never in a text. */
  named: string
  things: Record<Kind, string[]>
  token: string
  /** Of an account of theirs that is in no workspace. */
  leaver: string
  /** Of the first bot, and of the second one. */
  botKeys: string[]
  integrationKey: string
  /** Of the first user of the first bot's chat. */
  userKey: string
  /** Of an integration that is no chat, in the first bot. */
  webhookOfIntegration: string
}

export type Headers = Record<string, string>
export const bearing = (token: string): Headers => ({ authorization: `Bearer ${token}` })
export const asAdmin = ({ token, things }: Tenant): Headers => ({ ...bearing(token), 'x-workspace-id': things.workspace[0]! })
export const asBot = ({ token, things }: Tenant): Headers => ({ ...bearing(token), 'x-bot-id': things.bot[0]! })
export const asIntegration = (tenant: Tenant): Headers => ({ ...asBot(tenant), 'x-integration-alias': 'tg' })
export const asChatUser = ({ userKey }: Tenant): Headers => ({ 'x-user-key': userKey })

export async function makeTenant(scene: Scene, name: string): Promise<Tenant> {
  const mark = `mark-of-${name}`
  const named = `named-by-${name}`
  const call = caller(scene)
  const { db } = scene.app.services
  const accountId = newUuid()
  await db
    .insertInto('account')
    .values({ id: accountId, email: `${mark}@example.org`, name: mark, picture_url: `https://example.org/${mark}.png` })
    .execute()
  const { value: token } = await createToken(db, { kind: 'pat', accountId }, mark)
  const account = bearing(token)
  const workspaces = [await call('POST', '/v1/admin/workspaces', account, { name: mark }), await call('POST', '/v1/admin/workspaces', account, { name: mark })]
  const admin = { ...account, 'x-workspace-id': workspaces[0].id }
  await call('PUT', `/v1/admin/workspaces/${workspaces[0].id}`, admin, { handle: named, about: mark, website: `https://example.org/${mark}` })
  await call('POST', `/v1/admin/account/preferences/${named}`, account, { value: { mark } })
  const pats = [await call('POST', '/v1/admin/account/pats', account, { note: mark }), await call('POST', '/v1/admin/account/pats', account, { note: mark })]

  await call('POST', `/v1/admin/workspaces/preferences/${named}`, admin, { value: { mark } })
  const colleague = await call('POST', '/v1/admin/workspace-members', admin, { email: `${mark}-2@example.org`, role: 'developer' })
  const invitee = await call('POST', '/v1/admin/workspace-members', admin, { email: `${mark}-3@example.org`, role: 'viewer' })
  await makePublicWorkspaces(scene)

  const integrationId = await makeIntegration(scene, { workspaceId: workspaces[0].id, mark })
  const bots = [await makeBot(call, admin, mark, integrationId), await makeBot(call, admin, mark, integrationId)]
  const lines = ['1', '2'].map((nth) => ({ at: new Date(), level: 'info', message: `${mark}-${nth}` }))
  await appendIntegrationLogs(scene.app.services.db, integrationId, lines)
  await sql`
    insert into usage_count (workspace_id, type, day, bot_id, value)
    select ${workspaces[0].id}, 'ai_spend', current_date - n, ${bots[0].id}, 1 from generate_series(1, 2) n`.execute(db)
  const { bot: spare } = await call('POST', '/v1/admin/bots', admin, { name: mark })
  const baks = []
  for (const { id } of bots) baks.push(await call('POST', '/v1/admin/bots/baks', admin, { botId: id, note: mark }))
  baks.push(await call('POST', '/v1/admin/bots/baks', admin, { botId: bots[0].id, note: mark }))
  const second = await call('POST', '/v1/admin/integrations', admin, {
    ...{ name: `${named}/second`, version: '1.0.0' },
    ...{ title: mark, secrets: { MARK: mark } },
  })
  const iaks = []
  for (let i = 0; i < 2; i++) iaks.push(await call('POST', '/v1/admin/integrations/iaks', admin, { integrationId, note: mark }))

  const packages = await makePackages(call, admin, { mark, named })
  await shareInHub(scene)

  const versions = []
  for (let i = 0; i < 2; i++) versions.push(await call('POST', `/v1/admin/bots/${bots[0].id}/versions`, admin, { name: mark, description: mark }))

  const bot = { ...account, 'x-bot-id': bots[0].id }
  return {
    ...{ mark, named, token, leaver: await makeLeaver(scene, mark), integrationKey: iaks[0].value, webhookOfIntegration: bots[0].integrations.tg.webhookId },
    botKeys: baks.map(({ value }) => value),
    ...(await fillTenant(scene, {
      ...{ call, mark, named, bot },
      webhookId: bots[0].integrations.chat.webhookId,
      things: {
        ...{ integration: [integrationId, second.integration.id], integrationName: [`${named}/second`], integrationKey: iaks.map(({ id }) => id) },
        ...{
          account: [accountId, colleague.id],
          invitee: [invitee.id],
          workspace: workspaces.map(({ id }) => id),
          handle: [named],
          preference: [named],
        },
        ...packages,
        spareBot: [spare.id],
        ...{ bot: bots.map(({ id }) => id), pat: pats.map(({ pat }) => pat.id), botKey: baks.slice(1).map(({ id }) => id) },
        installed: bots.map(() => integrationId),
        botVersion: versions.map(({ version }) => version.id),
        webhook: bots.map(({ integrations }) => integrations.chat.webhookId),
        tag: [`${mark}-1`, mark],
      },
    })),
  }
}

async function makeLeaver({ app }: Scene, mark: string): Promise<string> {
  const { db } = app.services
  const id = newUuid()
  await db
    .insertInto('account')
    .values({ id, email: `${mark}-leaver@example.org`, name: null, picture_url: null })
    .execute()
  return (await createToken(db, { kind: 'pat', accountId: id }, mark)).value
}

/** Whose workspaces say that they are public: nobody's of whom a test knows anything. */
export const publicWorkspaceId = '22222222-2222-4222-8222-222222222222'
async function makePublicWorkspaces({ app }: Scene) {
  for (const id of [publicWorkspaceId, publicWorkspaceId.replaceAll('2', '3')])
    await sql`insert into workspace (id, name, profile) values (${id}, 'Public', '{"isPublic": true}') on conflict do nothing`.execute(app.services.db)
}

type Call = ReturnType<typeof caller>
/** The body of an answer that must be a good one. */
const caller =
  (scene: Scene) =>
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered
  async (method: 'GET' | 'POST' | 'PUT', url: string, headers: Headers, body?: unknown): Promise<any> => {
    const reply = await scene.call(method, url, { headers, body })
    if (reply.status >= 300) throw new Error(`${method} ${url}: ${JSON.stringify(reply.body)}`)
    return reply.body
  }

/** A private one that only this workspace can install. Its code is nowhere: what is delivered to it fails quietly. */
async function makeIntegration({ app }: Scene, { workspaceId, mark }: { workspaceId: string; mark: string }): Promise<string> {
  const id = newId('integration')
  const definition = JSON.stringify({ ...telegram, title: mark, description: mark })
  await sql`
    insert into integration (id, workspace_id, name, version, url, definition)
    values (${id}, ${workspaceId}, ${`telegram-${mark}`}, '1.0.0', 'http://127.0.0.1:9/', ${definition}::jsonb)`.execute(app.services.db)
  return id
}

type Packages = Pick<Tenant['things'], 'interface' | 'interfaceName' | 'plugin' | 'pluginName'>
/** Private ones; the first plugin works through the first interface. */
async function makePackages(call: Call, admin: Headers, { mark, named }: { mark: string; named: string }): Promise<Packages> {
  const said = { version: '1.0.0', title: mark, description: mark, readme: Buffer.from(mark).toString('base64') }
  const interfaces = []
  for (const nth of [1, 2]) interfaces.push((await call('POST', '/v1/admin/interfaces', admin, { ...said, name: `${named}/interface-${nth}` })).interface)
  const plugins = []
  for (const nth of [1, 2]) {
    const dependencies = nth === 1 ? { interfaces: { used: { id: interfaces[0].id } } } : {}
    const code = { node: mark, browser: mark }
    plugins.push((await call('POST', '/v1/admin/plugins', admin, { ...said, name: `${named}/plugin-${nth}`, code, dependencies })).plugin)
  }
  const ids = (all: { id: string }[]) => all.map(({ id }) => id)
  const names = (all: { name: string }[]) => all.map(({ name }) => name)
  return { interface: ids(interfaces), interfaceName: names(interfaces), plugin: ids(plugins), pluginName: names(plugins) }
}

/** In the hub, of the server's owner: everybody's to see. */
export const shared = { interface: 'ifver_01J000000000000000000SHARED', plugin: 'plugver_01J000000000000000000SHARED', name: 'shared' }
async function shareInHub({ app, workspaceId }: Scene) {
  const { db } = app.services
  for (const kind of ['interface', 'plugin'] as const) {
    const id = shared[kind]
    const definition = JSON.stringify(kind === 'plugin' ? emptyPlugin : emptyInterface)
    await sql`
      with line as (insert into package_line (id, kind, workspace_id, name) values (${id}, ${kind}, ${workspaceId}, ${shared.name}) on conflict do nothing returning id)
      insert into ${sql.table(kind)} (id, workspace_id, line_id, name, version, rank, visibility, definition)
      select one.id, ${workspaceId}, line.id, ${shared.name}, one.version, '', 'public', ${definition}::jsonb
      from line, (values (${id}, '1.0.0'), (${newId(kind)}, '0.1.0')) one (id, version)`.execute(db)
  }
  await sql`insert into plugin_code (plugin_id, platform, code) values (${shared.plugin}, 'node', '') on conflict do nothing`.execute(db)
}

async function makeBot(call: Call, admin: Headers, mark: string, integrationId: string) {
  const byAlias = { ...admin, 'x-multiple-integrations': 'true' }
  const given = { name: mark, description: mark, tags: { mark }, secrets: { MARK: mark }, configuration: { data: { mark } } }
  const { bot } = await call('POST', '/v1/admin/bots', byAlias, { ...given, user: { tags: { mark: {} } } })
  const installed = { tg: { integrationId, enabled: true, configuration: { mark } } }
  const made = (await call('PUT', `/v1/admin/bots/${bot.id}`, byAlias, { integrations: installed })).bot
  await call('POST', `/v1/admin/bots/${bot.id}/integrations/${integrationId}/shareable-id`, admin, {})
  return made
}

type MadeInside = 'user' | 'conversation' | 'message' | 'event' | 'scheduledEvent' | 'workflow' | 'deadLetter' | 'file' | 'fileKey' | 'knowledgeBase' | 'table'
interface Filling {
  call: Call
  mark: string
  named: string
  bot: Headers
  webhookId: string
  things: Omit<Tenant['things'], MadeInside | keyof ChatThings>
}

/** Conversations through an integration and through the chat, and files. */
async function fillTenant(scene: Scene, { call, mark, named, bot, webhookId, things }: Filling): Promise<Pick<Tenant, 'things' | 'userKey'>> {
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
  const picture = { name: mark, pictureUrl: `https://example.org/${mark}.png`, properties: { mark } }
  for (const nth of ['1', '2']) {
    made.user.push((await call('POST', '/v1/chat/users', tg, { tags: { id: `${mark}-${nth}` }, ...picture })).user.id)
    made.conversation.push((await call('POST', '/v1/chat/conversations', tg, { channel: 'dm', tags: { id: `${mark}-${nth}` } })).conversation.id)
  }
  const [conversationId] = made.conversation
  for (const [nth, userId] of made.user.entries()) {
    for (const id of made.conversation) await call('POST', `/v1/chat/conversations/${id}/participants`, tg, { userId })
    const said = { conversationId, userId, type: 'text', payload: { text: mark }, tags: { id: `${mark}-${nth + 1}` } }
    made.message.push((await call('POST', '/v1/chat/messages', tg, said)).message.id)
    made.event.push((await call('POST', '/v1/chat/events', tg, { type: 'added', payload: { content: mark }, conversationId, userId })).event.id)
    const later = { type: 'added', payload: { content: mark }, schedule: { delay: 3_600_000 } }
    made.scheduledEvent.push((await call('POST', '/v1/chat/events', tg, later)).event.id)
    const work = { name: mark, status: 'listening', tags: { id: `${mark}-${nth + 1}` }, input: { mark }, conversationId, userId }
    made.workflow.push((await call('POST', '/v1/chat/workflows', tg, { ...work, timeoutAt: '2999-01-01' })).workflow.id)
    made.deadLetter.push(await giveUp(scene, { botId: bot['x-bot-id']!, lane: `out:${conversationId}`, messageId: made.message.at(-1)!, mark }))
    made.fileKey.push(`${named}/${userId}`)
    const columns = { [mark]: { type: 'string', searchable: true } }
    made.table.push((await call('POST', '/v1/tables', bot, { name: `Mark${nth}Table`, schema: columns, tags: { mark } })).table.id)
    await call('POST', `/v1/tables/${made.table.at(-1)}/rows`, bot, { rows: [{ [mark]: mark }] })
    made.file.push(await upload(scene, call, bot, { key: `${named}/${userId}`, mark, nth }))
    await call('PUT', `/v1/files/${made.file.at(-1)}/passages`, bot, { passages: [{ content: `shared ${mark}` }, { content: mark }] })
    made.knowledgeBase.push((await call('POST', '/v1/files/knowledge-bases', bot, { name: mark, tags: { mark } })).knowledgeBase.id)
    // nobody's key: its tags stay
    await upload(scene, call, bot, { key: `${named}/${nth}`, mark, nth })
  }
  for (const as of [bot, tg]) await call('POST', `/v1/chat/states/conversation/${conversationId}/memory`, as, { payload: { mark } })
  const lines = ['1', '2'].map((nth) => ({ at: new Date(), level: 'info', message: `${mark}-${nth}`, conversationId: conversationId! }) as const)
  await appendBotLogs(scene.app.services.db, bot['x-bot-id']!, lines)
  const issue = [...(await makeIssues(scene, things.bot[0]!, mark)).slice(0, 1), ...(await makeIssues(scene, things.bot[1]!, mark)).slice(0, 1)]
  for (const nth of ['1', '2']) {
    await call('POST', '/v1/chat/analytics', bot, { name: `${mark}-${nth}`, count: 1 })
    await call('POST', '/v1/chat/observations', bot, { name: mark, data: { mark }, conversationId, traceId: mark })
  }
  const chat = await fillChat(call, `/chat/${webhookId}`, { mark, named })
  const [, own] = chat.things.chatConversation
  for (let i = 0; i < 2; i++) await call('POST', '/v1/chat/actions', bot, { type: 'chat:sendEvent', input: { conversationId: own, payload: { mark } } })
  await actionRuns(scene, bot['x-bot-id']!, 2)
  return { things: { ...things, ...made, ...chat.things, issue }, userKey: chat.userKey }
}

/** As if its integration had not taken it. */
async function giveUp({ app }: Scene, { botId, lane, messageId, mark }: { botId: string; lane: string; messageId: string; mark: string }): Promise<string> {
  const id = newId('delivery')
  await sql`
    with placed as (
      insert into lane (bot_id, key, last_number) values (${botId}, ${lane}, 1)
      on conflict (bot_id, key) do update set last_number = lane.last_number + 1 returning last_number
    )
    insert into delivery (bot_id, lane, number, id, kind, subject_id, attempts, last_error, dead_at)
    select ${botId}, ${lane}, last_number, ${id}, 'message', ${messageId}, 3, ${mark}, now() from placed`.execute(app.services.db)
  return id
}

/** Two causes, so that there are two issues. */
async function makeIssues({ app }: Scene, botId: string, mark: string): Promise<string[]> {
  for (const nth of ['a', 'b']) app.services.issues.note(botId, { code: 'event_failed', message: `${mark}-${nth}` })
  const find = () => app.services.db.selectFrom('issue').select('id').where('bot_id', '=', botId).execute()
  while ((await find()).length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
  return (await find()).map(({ id }) => id)
}

/** Nobody waits for them to be written, but for tests. */
async function actionRuns({ app }: Scene, botId: string, count: number) {
  const find = () => app.services.db.selectFrom('action_run').select('id').where('bot_id', '=', botId).execute()
  while ((await find()).length < count) await new Promise((resolve) => setTimeout(resolve, 10))
}

async function upload(scene: Scene, call: Call, bot: Headers, { key, mark, nth }: { key: string; mark: string; nth: number }): Promise<string> {
  const announced = { key, size: mark.length, contentType: 'text/plain', tags: { mark, nth: `${mark}-${nth}` }, metadata: { mark } }
  const { file } = await call('PUT', '/v1/files', bot, announced)
  const { pathname, search } = new URL(file.uploadUrl)
  const stored = await fetch((await scene.listen()) + pathname + search, { method: 'PUT', headers: { 'content-type': 'text/plain' }, body: mark })
  if (stored.status !== 200) throw new Error(await stored.text())
  return file.id
}

type ChatThings = Pick<Tenant['things'], 'chatUser' | 'chosenUser' | 'chatConversation' | 'chosenConversation' | 'chatMessage' | 'chatEvent'>
async function fillChat(call: Call, url: string, { mark, named }: { mark: string; named: string }): Promise<{ things: ChatThings; userKey: string }> {
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
    await call('POST', `${url}/conversations/${conversation.id}/participants`, as, { userId: guest.id })
    const place = { conversationId: conversation.id }
    for (let i = 0; i < 2; i++)
      things.chatMessage.push((await call('POST', `${url}/messages`, as, { ...place, payload: { type: 'text', text: mark }, metadata: { mark } })).message.id)
    things.chatEvent.push((await call('POST', `${url}/events`, as, { ...place, payload: { mark } })).event.id)
  }
  return { things, userKey: key }
}

/** A digest of every row that is theirs, but for the queue's and what deliveries change as time goes by. */
export async function digestOf({ app }: Scene, { things }: Tenant): Promise<Record<string, string>> {
  const { db } = app.services
  const { rows: tables } = await sql<{ name: string; columns: string }>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by column_name) as columns from information_schema.columns
    where table_schema = 'public' and table_name <> all(${['worker', 'lane', 'delivery', 'delivery_attempt', 'bot_log', 'issue', 'issue_event', 'usage_count', 'migration']})
      and (table_name, column_name) not in (('event', 'status'), ('event', 'failure_reason'))
    group by table_name`.execute(db)
  const theirs = [things.account, things.workspace, things.integration, things.bot].flat().map((text) => `%${text}%`)
  const digests = await Promise.all(
    tables.map(async ({ name, columns }) => {
      const row = sql.raw(`row(${columns})::text`)
      const { rows } = await sql<{ digest: string }>`
        select count(*) || ' ' || coalesce(md5(string_agg(${row}, '' order by ${row})), '') as digest from ${sql.table(name)} where ${row} like any(${theirs})
      `.execute(db)
      return [name, rows[0]!.digest] as const
    }),
  )
  return Object.fromEntries(digests)
}

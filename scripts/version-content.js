// The content of the fixtures of versions (version-fixture.js): some of everything, created through the
// API, and the requests that read all of it.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const waitMs = 60_000
export const flowDocument = {
  kind: 'bot',
  version: 1,
  flows: {
    main: {
      variables: { name: { type: 'string' } },
      nodes: {
        start: {
          type: 'start',
          cards: [
            {
              type: 'capture',
              kind: 'text',
              question: 'What is your name?',
              into: 'workflow.name',
            },
            { type: 'send', message: 'Hello {{ workflow.name }}!' },
          ],
        },
      },
    },
  },
}

/**
 * Fills an installation. Returns the requests that read its content, with their answers; the server's origin
 * is replaced by `{{origin}}`.
 */
export async function fill(credentials, deployDocument) {
  const { url, token, workspaceId } = credentials
  const call = caller(url)
  const admin = { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId }
  const asBot = (id) => ({ authorization: `Bearer ${token}`, 'x-bot-id': id })
  const echo = asBot(credentials.botId)
  await makePeople(call, admin, credentials.botId)
  await describeBot(call, admin, credentials.botId)
  const chat = await talk(call, new URL(credentials.chatUrl).pathname, [
    'Hello!',
    'Ünïcödé ✓',
  ])
  const flow = await deployFlows(call, admin, deployDocument)
  const inFlow = await talk(call, flow.chatPath, ['hi', 'Ann'])
  const broken = await failDeliveries(call, admin)
  await remember(call, echo, chat)
  const file = await makeFiles(call, echo)
  await makeTable(call, echo)
  const reads = [
    ...[
      'bots',
      'workspaces',
      'workspace-members',
      'account/me',
      'account/pats',
      'integrations',
    ].map((path) => ({ path: `/v1/admin/${path}`, headers: admin })),
    ...[credentials.botId, flow.id, broken.id].flatMap((id) => [
      { path: `/v1/admin/bots/${id}`, headers: admin },
      { path: `/v1/admin/bots/${id}/issues`, headers: admin },
      ...['users', 'conversations', 'messages', 'events', 'workflows'].map((path) => ({
        path: `/v1/chat/${path}`,
        headers: asBot(id),
      })),
    ]),
    ...[
      { ...chat, path: new URL(credentials.chatUrl).pathname },
      { ...inFlow, path: flow.chatPath },
    ].map(({ path, conversationId, key }) => ({
      path: `${path}/conversations/${conversationId}/messages`,
      headers: { 'x-user-key': key },
    })),
    { path: `/v1/chat/states/user/${chat.userId}/memory`, headers: echo },
    { path: `/v1/chat/conversations/${chat.conversationId}/participants`, headers: echo },
    { path: '/v1/files', headers: echo },
    { path: `/v1/files/${file.id}`, headers: echo },
    { path: `/v1/files/${file.id}/passages`, headers: echo },
    { path: '/v1/files/knowledge-bases', headers: echo },
    { path: '/v1/files/search?query=harbour', headers: echo },
    { path: '/v1/tables', headers: echo },
    { path: '/v1/tables/PlacesTable', headers: echo },
    { method: 'POST', path: '/v1/tables/PlacesTable/rows/find', headers: echo, body: {} },
    { path: '/v1/platform/dead-letters', headers: asBot(broken.id) },
    { path: '/v1/platform/audit/verification', headers: admin },
  ]
  const answers = []
  for (const read of reads) answers.push({ ...read, answer: await call.read(read) })
  return {
    answers,
    chat: { ...chat, path: new URL(credentials.chatUrl).pathname },
    flow: { ...inFlow, path: flow.chatPath },
  }
}

function caller(url) {
  const call = async (method, path, headers, body) => {
    const reply = await fetch(new URL(path, url), {
      method,
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`)
    return text === ''
      ? null
      : JSON.parse(text.replaceAll(new URL(url).origin, '{{origin}}'))
  }
  /** @param {{ method?: string, path: string, headers: object, body?: object }} read */
  call.read = ({ method = 'GET', path, headers, body }) =>
    call(method, path, headers, body)
  call.url = url
  return call
}

async function until(condition) {
  for (const end = Date.now() + waitMs; Date.now() < end; await pause(100)) {
    const found = await condition()
    if (found) return found
  }
  throw new Error(`Nothing came within ${waitMs / 1000} s: ${condition}`)
}

async function makePeople(call, admin, botId) {
  const { id } = await call('POST', '/v1/admin/workspace-members', admin, {
    email: 'ann@example.org',
    role: 'viewer',
  })
  await call('PUT', `/v1/admin/bots/${botId}/allowlist`, admin, {
    setting: 'SELECTED_USERS',
    users: { [id]: true },
  })
  await call('POST', '/v1/admin/account/pats', admin, { note: 'fixture' })
}

const describeBot = (call, admin, botId) =>
  call('PUT', `/v1/admin/bots/${botId}`, admin, {
    description: 'Echoes',
    tags: { team: 'support' },
    user: { tags: { plan: {} } },
    states: {
      memory: {
        type: 'user',
        schema: { type: 'object', properties: { colour: { type: 'string' } } },
      },
    },
    events: { ping: { schema: { type: 'object', additionalProperties: true } } },
    recurringEvents: {
      nightly: { type: 'ping', payload: {}, schedule: { cron: '0 3 * * *' } },
    },
    configuration: { data: { secretive: 'a value' } },
  })

/** Sends texts as a new user, and waits for the answer to each. */
async function talk(call, chatPath, texts) {
  const { user, key } = await call('POST', `${chatPath}/users`, {}, { name: 'Ann' })
  const mine = { 'x-user-key': key }
  const { conversation } = await call('POST', `${chatPath}/conversations`, mine, {})
  const list = async () =>
    (await call('GET', `${chatPath}/conversations/${conversation.id}/messages`, mine))
      .messages
  for (const [nth, text] of texts.entries()) {
    await call('POST', `${chatPath}/messages`, mine, {
      conversationId: conversation.id,
      payload: { type: 'text', text },
    })
    await until(async () => (await list()).length >= 2 * (nth + 1))
  }
  return { userId: user.id, key, conversationId: conversation.id }
}

async function deployFlows(call, admin, deployDocument) {
  await deployDocument()
  const { bots } = await call('GET', '/v1/admin/bots', admin)
  const { id } = bots.find(({ name }) => name === 'flows')
  return { id, chatPath: await findChatPath(call, admin, id) }
}

async function findChatPath(call, admin, botId) {
  const { bot } = await call('GET', `/v1/admin/bots/${botId}`, admin)
  return `/chat/${Object.values(bot.integrations)[0].webhookId}`
}

/** A bot that always fails, with an issue and dead letters. */
async function failDeliveries(call, admin) {
  const failing = createServer((_, response) => response.writeHead(500).end('broken'))
  await once(failing.listen(0, '127.0.0.1'), 'listening')
  const { port } = /** @type {import('node:net').AddressInfo} */ (failing.address())
  const url = `http://127.0.0.1:${port}/`
  try {
    const { bot } = await call('POST', '/v1/admin/bots', admin, { name: 'broken', url })
    const chatPath = await findChatPath(call, admin, bot.id)
    const { key } = await call('POST', `${chatPath}/users`, {}, {})
    const mine = { 'x-user-key': key }
    const { conversation } = await call('POST', `${chatPath}/conversations`, mine, {})
    await call('POST', `${chatPath}/messages`, mine, {
      conversationId: conversation.id,
      payload: { type: 'text', text: 'Do you work?' },
    })
    const asBot = { authorization: admin.authorization, 'x-bot-id': bot.id }
    const count = async (path, headers, name) =>
      (await call('GET', path, headers))[name].length
    await until(() => count('/v1/platform/dead-letters', asBot, 'deadLetters'))
    await until(() => count(`/v1/admin/bots/${bot.id}/issues`, admin, 'issues'))
    return { id: bot.id }
  } finally {
    failing.close()
  }
}

async function remember(call, bot, { userId, conversationId }) {
  await call('POST', `/v1/chat/states/user/${userId}/memory`, bot, {
    payload: { colour: 'blue' },
  })
  await call('PUT', `/v1/chat/users/${userId}`, bot, { tags: { plan: 'free' } })
  await call('POST', '/v1/chat/events', bot, {
    type: 'ping',
    payload: { later: true },
    schedule: { dateTime: '2999-01-01T00:00:00.000Z' },
  })
  await call('POST', '/v1/chat/workflows', bot, {
    name: 'order',
    status: 'listening',
    input: { amount: 3 },
    conversationId,
    userId,
    timeoutAt: '2999-01-01T00:00:00.000Z',
  })
  await call('POST', '/v1/chat/analytics', bot, { name: 'orders', count: 2 })
}

async function makeFiles(call, bot) {
  const { knowledgeBase } = await call('POST', '/v1/files/knowledge-bases', bot, {
    name: 'Guide',
    tags: {},
  })
  const content = 'The harbour opens at seven. The lighthouse is closed in winter.'
  const { file } = await call('PUT', '/v1/files', bot, {
    key: 'guide/harbour.txt',
    size: content.length,
    contentType: 'text/plain',
    index: true,
    tags: { kbId: knowledgeBase.id },
  })
  await fetch(file.uploadUrl.replace('{{origin}}', new URL(call.url).origin), {
    method: 'PUT',
    headers: { 'content-type': 'text/plain' },
    body: content,
  })
  const status = async () => (await call('GET', `/v1/files/${file.id}`, bot)).file.status
  await until(async () => (await status()) === 'indexing_completed')
  return file
}

async function makeTable(call, bot) {
  const { table } = await call('POST', '/v1/tables', bot, {
    name: 'PlacesTable',
    schema: {
      place: { type: 'string', searchable: true },
      people: { type: 'number' },
      open: { type: 'boolean' },
    },
  })
  const rows = Array.from({ length: 20 }, (_, nth) => ({
    place: `Place ${nth}`,
    people: nth * 10,
    open: nth % 2 === 0,
  }))
  await call('POST', `/v1/tables/${table.id}/rows`, bot, { rows })
}

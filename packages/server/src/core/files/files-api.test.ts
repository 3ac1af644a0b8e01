// The Files API through the whole app, with the official client and plain HTTP.
import { createHash } from 'node:crypto'
import { Client } from '@botpress/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'

let scene: Scene
let client: Client
let url: string
beforeAll(async () => {
  scene = await openScene()
  url = await scene.listen()
  client = new Client({
    apiUrl: url,
    token: scene.token,
    botId: scene.botId,
    retry: { retries: 0 },
  })
})
afterAll(() => scene?.close())

test('the official client uploads, finds, lists and deletes', async () => {
  const key = 'a folder/Ärger & Freude #1?.txt'
  const { file } = await client.uploadFile({
    key,
    content: 'Grüße',
    tags: { kind: 'greeting' },
    metadata: { n: 1 },
    accessPolicies: ['public_content'],
    publicContentImmediatelyAccessible: true,
  })
  expect(file).toMatchObject({
    key,
    size: 7,
    contentType: 'text/plain',
    tags: { kind: 'greeting' },
    owner: { type: 'user', id: scene.accountId },
  })
  expect((await client.getFile({ id: file.id })).file).toMatchObject({
    status: 'upload_completed',
    size: 7,
    metadata: { n: 1 },
  })
  expect((await client.getFile({ id: key })).file.id).toBe(file.id)
  const content = await fetch(file.url)
  expect([
    await content.text(),
    content.headers.get('content-security-policy'),
    content.headers.get('cache-control'),
  ]).toEqual(['Grüße', "sandbox; default-src 'none'", 'no-cache'])

  await client.uploadFile({ key: 'other.bin', content: new Uint8Array([1, 2, 3]) })
  expect(
    (await client.listFiles({ tags: { kind: 'greeting' } })).files.map((one) => one.id),
  ).toEqual([file.id])
  for (const [tags, count] of [
    [{ kind: ['greeting', 'x'] }, 1],
    [{ kind: { not: 'greeting' } }, 1],
    [{ kind: { exists: false } }, 1],
    ['{"kind":"greeting"}', 1],
    [{}, 2],
  ] as const)
    expect((await client.listFiles({ tags })).files.length, JSON.stringify(tags)).toBe(
      count,
    )
  await expect(client.listFiles({ tags: { kind: { like: 'g' } } })).rejects.toMatchObject(
    {
      code: 400,
      type: 'InvalidQuery',
    },
  )
  expect(
    (await client.listFiles({ ids: [file.id], sortField: 'key', sortDirection: 'asc' }))
      .files.length,
  ).toBe(1)
  expect((await client.list.files({}).collect()).length).toBe(2)

  expect((await fetch(file.url.replace(file.id, 'a%00b'))).status).toBe(400)
  expect(await client.deleteFile({ id: key })).toEqual({})
  await expect(client.getFile({ id: file.id })).rejects.toMatchObject({
    code: 404,
    type: 'ResourceNotFound',
  })
  expect((await fetch(file.url)).status).toBe(404)
  await client.deleteFile({ id: 'other.bin' })
})

test.each<[string, object, string]>([
  ['a text', { content: 'Grüße' }, 'Grüße'],
  ['bytes', { content: Buffer.from('bytes') }, 'bytes'],
  ['a buffer', { content: new TextEncoder().encode('buffer').buffer }, 'buffer'],
  ['a blob', { content: new Blob(['blob']) }, 'blob'],
  ['what lies at an address', { url: 'here' }, 'at an address'],
])('the official client uploads %s', async (_, options, expected) => {
  if ('url' in options) {
    const { file } = await client.uploadFile({ key: 'the source', content: expected })
    options.url = (await client.getFile({ id: file.id })).file.url
  }
  const { file } = await client.uploadFile({ key: 'of any kind', ...options })
  const { file: found } = await client.getFile({ id: file.id })
  expect([found.status, await (await fetch(found.url)).text()]).toEqual([
    'upload_completed',
    expected,
  ])
})

test('rejects an upload whose content does not match its digest', async () => {
  const { file } = await client.upsertFile({
    key: 'sealed',
    size: 5,
    contentType: 'text/plain',
  })
  const put = (headers: Record<string, string>) =>
    fetch(file.uploadUrl, {
      method: 'PUT',
      headers: { 'content-type': 'text/plain', ...headers },
      body: 'hello',
    })
  const wrong = createHash('sha256').update('hallo').digest('base64')
  expect((await put({ 'x-amz-checksum-sha256': wrong })).status).toBe(400)
  expect((await put({ 'content-digest': `sha-256=:${wrong}:` })).status).toBe(400)
  expect((await client.getFile({ id: file.id })).file.status).toBe('upload_pending')
  const right = createHash('sha256').update('hello').digest('base64')
  expect(
    (
      await put({
        'x-amz-checksum-sha256': right,
        'content-digest': `sha-512=:x:, sha-256=:${right}:`,
      })
    ).status,
  ).toBe(200)
})

test('deletes the files of a user with the user, and counts the stored bytes', async () => {
  const headers = await otherBot()
  const { body } = await scene.call('POST', '/v1/chat/users', {
    headers,
    body: { tags: {} },
  })
  const asUser = { ...(await keyOfBot(headers['x-bot-id'])), 'x-user-id': body.user.id }
  const stored = await upload('their photo', { headers: asUser, content: '12345678' })
  await upload("the bot's", { headers, content: '12' })
  const usage = async (type: string) =>
    (
      await scene.call('GET', `/v1/admin/usages/${headers['x-bot-id']}?type=${type}`, {
        headers: scene.admin,
      })
    ).body.usage
  expect([
    (await usage('storage_count')).value,
    (await usage('file_max_size_bytes')).value,
  ]).toEqual([10, 8])
  expect((await usage('file_max_size_bytes')).quota).toBe(2 ** 30)
  expect(
    (await scene.call('DELETE', `/v1/chat/users/${body.user.id}`, { headers })).status,
  ).toBe(200)
  expect((await scene.call('GET', `/v1/files/${stored}`, { headers })).status).toBe(404)
  expect((await usage('storage_count')).value).toBe(2)
})

test('pages through a list to its end', async () => {
  for (let i = 0; i < 25; i++) await client.upsertFile({ key: `page ${i}`, size: 1 })
  expect((await client.listFiles({})).files.length).toBe(20)
  expect(
    (await client.list.files({}).collect())
      .map((file) => file.key)
      .filter((key) => key.startsWith('page ')).length,
  ).toBe(25)
})

test.each(['GET', 'DELETE'] as const)(
  '%s of a file: no token, a wrong one, another bot, an unknown file, a NUL',
  async (method) => {
    const { body } = await scene.call('PUT', '/v1/files', {
      headers: scene.asBot,
      body: { key: 'kept', size: 1 },
    })
    const path = `/v1/files/${body.file.id}`
    expect(
      (await scene.call(method, path, { headers: { 'x-bot-id': scene.botId } })).status,
    ).toBe(401)
    expect(
      (
        await scene.call(method, path, {
          headers: { ...scene.asBot, authorization: 'Bearer nonsense' },
        })
      ).status,
    ).toBe(401)
    const { body: other } = await scene.call('POST', '/v1/admin/bots', {
      headers: scene.admin,
      body: { name: 'other' },
    })
    const asOther = { ...scene.asBot, 'x-bot-id': other.bot.id }
    expect((await scene.call(method, path, { headers: asOther })).body).toMatchObject({
      code: 404,
      type: 'ResourceNotFound',
    })
    expect(
      (await scene.call(method, '/v1/files/kept', { headers: asOther })).status,
    ).toBe(404)
    expect(
      (await scene.call(method, '/v1/files/nope', { headers: scene.asBot })).status,
    ).toBe(404)
    expect(
      (await scene.call(method, '/v1/files/a%00b', { headers: scene.asBot })).status,
    ).toBe(400)
    expect((await scene.call('GET', path, { headers: scene.asBot })).status).toBe(200)
  },
)

test.each([
  ['no body', undefined],
  ['a body of {}', {}],
])('deleteFile takes %s, and a long key', async (_, body) => {
  const key = 'ü'.repeat(512)
  expect(
    (
      await scene.call('PUT', '/v1/files', {
        headers: scene.asBot,
        body: { key, size: 1 },
      })
    ).status,
  ).toBe(200)
  expect(
    await scene.call('DELETE', `/v1/files/${encodeURIComponent(key)}`, {
      headers: scene.asBot,
      body,
    }),
  ).toEqual({ status: 200, body: {} })
})

test('an integration of the bot sees its own files only', async () => {
  const asChat = { ...scene.asBot, 'x-integration-alias': 'chat' }
  const { body: made } = await scene.call('PUT', '/v1/files', {
    headers: asChat,
    body: { key: 'of the chat', size: 1 },
  })
  expect(made.file.owner).toMatchObject({ type: 'integration', alias: 'chat' })
  expect(
    (await scene.call('GET', '/v1/files', { headers: asChat })).body.files.map(
      (file: { key: string }) => file.key,
    ),
  ).toEqual(['of the chat'])
  expect((await scene.call('GET', '/v1/files/kept', { headers: asChat })).status).toBe(
    404,
  )
  expect(
    (await scene.call('GET', `/v1/files/${made.file.id}`, { headers: scene.asBot }))
      .status,
  ).toBe(200)
})

test.each([
  [{}, 400],
  [{ key: 'k' }, 400],
  [{ key: 'k', size: -1 }, 400],
  [{ key: 'k', size: '1' }, 400],
  [{ key: 'k', size: 1, unknown: true }, 400],
  [{ key: 'k', size: 1, tags: { a: 1 } }, 400],
  [{ key: 'k', size: 1, tags: { a: 'x'.repeat(1001) } }, 400],
  [{ key: 'k', size: 1, accessPolicies: ['everybody'] }, 400],
  [{ key: 'k', size: 1, expiresAt: 'soon' }, 400],
  [{ key: 'k', size: 1, metadata: 'x' }, 400],
  [{ key: 'k\0', size: 1 }, 400],
  [{ key: 'k', size: 2 ** 31 }, 413],
])('upsertFile with %j returns %i', async (body, status) => {
  expect(
    (await scene.call('PUT', '/v1/files', { headers: scene.asBot, body })).status,
  ).toBe(status)
})

/** A file with content. */
async function upload(
  key: string,
  {
    headers = scene.asBot,
    content = 'hello',
    ...more
  }: {
    headers?: Record<string, string>
    content?: string
    [field: string]: unknown
  } = {},
) {
  const { body } = await scene.call('PUT', '/v1/files', {
    headers,
    body: { key, size: Buffer.byteLength(content), contentType: 'text/plain', ...more },
  })
  const { pathname, search } = new URL(body.file.uploadUrl)
  expect(
    (
      await fetch(url + pathname + search, {
        method: 'PUT',
        headers: { 'content-type': 'text/plain' },
        body: content,
      })
    ).status,
  ).toBe(200)
  return body.file.id as string
}
const fetched = (file: { url: string }) => {
  const { pathname, search } = new URL(file.url)
  return fetch(url + pathname + search)
}
const contentAt = async (file: { url: string }) => (await fetched(file)).text()
const asChat = () => ({ ...scene.asBot, 'x-integration-alias': 'chat' })
const change = (id: string, body: object, headers = scene.asBot) =>
  scene.call('PUT', `/v1/files/${encodeURIComponent(id)}`, { headers, body })
const copy = (
  id: string,
  key: string,
  body: object = {},
  headers: Record<string, string> = scene.asBot,
) =>
  scene.call('POST', `/v1/files/${encodeURIComponent(id)}/${encodeURIComponent(key)}`, {
    headers,
    body,
  })
async function otherBot() {
  const { body } = await scene.call('POST', '/v1/admin/bots', {
    headers: scene.admin,
    body: { name: 'other' },
  })
  return { ...scene.asBot, 'x-bot-id': body.bot.id as string }
}
async function keyOfBot(botId = scene.botId) {
  const { body } = await scene.call('POST', '/v1/admin/bots/baks', {
    headers: scene.admin,
    body: { botId },
  })
  return { authorization: `Bearer ${body.value}`, 'x-bot-id': botId }
}

test('updateFileMetadata merges tags and metadata and replaces policies and expiry', async () => {
  const key = 'known things/about me.txt'
  await upload(key, {
    tags: { a: '1', b: '2' },
    metadata: { deep: { x: 1 }, gone: true },
  })
  const { body } = await change(key, {
    tags: { b: null, c: '3', __proto__x: 'y' },
    metadata: { deep: { y: null }, gone: null, n: 0 },
  })
  expect(body.file).toMatchObject({ key, status: 'upload_completed', size: 5 })
  expect([body.file.tags, body.file.metadata]).toEqual([
    { a: '1', c: '3', __proto__x: 'y' },
    { deep: { y: null }, n: 0 },
  ])
  const public_ = await change(key, {
    accessPolicies: ['public_content'],
    expiresAt: '2999-01-01T00:00:00Z',
  })
  expect(public_.body.file).toMatchObject({
    accessPolicies: ['public_content'],
    expiresAt: '2999-01-01T00:00:00.000Z',
    tags: { a: '1' },
  })
  expect(public_.body.file.url).not.toContain('?')
  expect((await change(key, {})).body.file).toMatchObject({
    accessPolicies: ['public_content'],
    expiresAt: '2999-01-01T00:00:00.000Z',
  })
  const private_ = await change(key, { accessPolicies: [], expiresAt: null })
  expect(private_.body.file.expiresAt).toBeUndefined()
  expect((await fetched(public_.body.file)).status).toBe(404)
  expect(await contentAt(private_.body.file)).toBe('hello')
})

test('concurrent updates of metadata all take effect', async () => {
  await upload('contended')
  await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      change('contended', { tags: { [`t${i}`]: 'x' }, metadata: { [`m${i}`]: i } }),
    ),
  )
  const { body } = await scene.call('GET', '/v1/files/contended', {
    headers: scene.asBot,
  })
  expect([
    Object.keys(body.file.tags).length,
    Object.keys(body.file.metadata).length,
  ]).toEqual([10, 10])
})

test('limits the size of metadata and tags', async () => {
  const headers = await otherBot()
  await upload('grows', {
    headers,
    metadata: { first: 'x'.repeat(700_000) },
    tags: Object.fromEntries(Array.from({ length: 999 }, (_, i) => [`${i}`, ''])),
  })
  expect(
    (await change('grows', { metadata: { second: 'x'.repeat(700_000) } }, headers))
      .status,
  ).toBe(413)
  expect(
    (
      await change(
        'grows',
        { metadata: { first: null, second: 'x'.repeat(700_000) } },
        headers,
      )
    ).status,
  ).toBe(200)
  expect((await change('grows', { tags: { a: '', b: '' } }, headers)).status).toBe(413)
  expect((await change('grows', { tags: { a: '' } }, headers)).status).toBe(200)
})

test.each<[object, number]>([
  [{ tags: { a: 1 } }, 400],
  [{ tags: { a: 'x'.repeat(1001) } }, 400],
  [{ metadata: [] }, 400],
  [{ metadata: 'x' }, 400],
  [{ expiresAt: '2020-01-01T00:00:00Z' }, 400],
  [{ expiresAt: 'soon' }, 400],
  [{ accessPolicies: ['everybody'] }, 400],
  [{ key: 'renamed' }, 400],
  [{ tags: Object.fromEntries(Array.from({ length: 1001 }, (_, i) => [i, ''])) }, 413],
])('updateFileMetadata with %j returns %i and changes nothing', async (body, status) => {
  await upload('unchanged', { tags: { a: 'b' } })
  expect((await change('unchanged', body)).status).toBe(status)
  expect(
    (await scene.call('GET', '/v1/files/unchanged', { headers: scene.asBot })).body.file,
  ).toMatchObject({
    tags: { a: 'b' },
    metadata: {},
  })
})

test('copyFile creates a file that is independent of the original', async () => {
  await upload('one/two.txt', {
    tags: { a: 'b' },
    metadata: { n: 1 },
    accessPolicies: ['public_content'],
    expiresAt: '2999-01-01T00:00:00Z',
  })
  const { status, body } = await copy('one/two.txt', '../Zwölf #1.txt')
  expect([status, body.file]).toMatchObject([
    200,
    {
      key: '../Zwölf #1.txt',
      size: 5,
      status: 'upload_completed',
      contentType: 'text/plain',
      tags: { a: 'b' },
      metadata: { n: 1 },
      accessPolicies: ['public_content'],
      expiresAt: '2999-01-01T00:00:00.000Z',
      owner: { type: 'user', id: scene.accountId },
    },
  ])
  await scene.call('DELETE', `/v1/files/${encodeURIComponent('one/two.txt')}`, {
    headers: scene.asBot,
  })
  expect(await contentAt(body.file)).toBe('hello')
})

test('copyFile replaces only files that the caller may write', async () => {
  await upload('source', { content: 'new', tags: { v: '2' } })
  const there = await upload('there', { content: 'old', tags: { v: '1' } })
  expect((await copy('source', 'there')).body).toMatchObject({
    code: 409,
    type: 'AlreadyExists',
  })
  expect((await copy('source', 'there', { overwrite: false })).status).toBe(409)
  expect(
    await contentAt(
      (await scene.call('GET', '/v1/files/there', { headers: scene.asBot })).body.file,
    ),
  ).toBe('old')
  const { body } = await copy('source', 'there', { overwrite: true })
  expect(body.file).toMatchObject({ id: there, tags: { v: '2' }, size: 3 })
  expect(await contentAt(body.file)).toBe('new')
  const itself = await copy('source', 'source', { overwrite: true })
  expect(await contentAt(itself.body.file)).toBe('new')
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => copy('source', 'raced for')),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
})

test.each<[string, string, object, number]>([
  ['nope', 'k', {}, 404],
  ['empty-handed', 'k', {}, 400],
  ['source', 'k\0', {}, 400],
  ['source', 'ü'.repeat(513), {}, 400],
  ['source', 'k', { overwrite: 'yes' }, 400],
])('copyFile of %s to %j with %j returns %i', async (id, key, body, status) => {
  await upload('source')
  await scene.call('PUT', '/v1/files', {
    headers: scene.asBot,
    body: { key: 'empty-handed', size: 1 },
  })
  expect((await copy(id, key, body)).status).toBe(status)
})

test('copyFile copies to another bot if the caller may write there', async () => {
  await upload('shared knowledge', { content: 'facts' })
  const asOther = await otherBot()
  const into = { 'x-destination-bot-id': asOther['x-bot-id'] }
  const { body } = await copy(
    'shared knowledge',
    'taken over',
    {},
    { ...scene.asBot, ...into },
  )
  expect(body.file.botId).toBe(asOther['x-bot-id'])
  expect(
    await contentAt(
      (await scene.call('GET', '/v1/files/taken%20over', { headers: asOther })).body.file,
    ),
  ).toBe('facts')
  expect(
    (await scene.call('GET', '/v1/files/taken%20over', { headers: scene.asBot })).status,
  ).toBe(404)
  expect(
    (await copy('shared knowledge', 'k', {}, { ...(await keyOfBot()), ...into })).status,
  ).toBe(403)
  expect(
    (
      await copy(
        'shared knowledge',
        'k',
        {},
        { ...scene.asBot, 'x-destination-bot-id': 'bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM' },
      )
    ).status,
  ).toBe(404)
  expect(
    (await copy('taken over', 'k', {}, { ...scene.asBot, 'x-destination-bot-id': '' }))
      .status,
  ).toBe(404)
})

test('an integration writes its own files, reads shared ones and lists only their tags', async () => {
  await upload('of the bot', { tags: { secretly: 'x' } })
  await upload('for all', { tags: { open: '1' }, accessPolicies: ['integrations'] })
  await upload('its own', { headers: asChat(), tags: { own: '2' } })
  expect((await change('of the bot', { tags: {} }, asChat())).status).toBe(404)
  expect((await change('for all', { tags: {} }, asChat())).status).toBe(403)
  expect(
    (await change('its own', { tags: { own: '3' } }, asChat())).body.file.tags,
  ).toEqual({
    own: '3',
  })
  expect((await copy('of the bot', 'k', {}, asChat())).status).toBe(404)
  const { body } = await copy('for all', 'for all', {}, asChat())
  expect(body.file.owner).toMatchObject({ type: 'integration', alias: 'chat' })
  const of = async (path: string, headers: Record<string, string>) =>
    (await scene.call('GET', `/v1/files/tags${path}`, { headers })).body
  expect((await of('', asChat())).tags).toEqual(['open', 'own'])
  expect((await of('', scene.asBot)).tags).toEqual(
    expect.arrayContaining(['open', 'own', 'secretly']),
  )
  expect((await of('/own/values', asChat())).values).toEqual(['3'])
  expect((await of('/secretly/values', asChat())).values).toEqual([])
})

test('lists distinct tags and their values in order and in pages', async () => {
  const headers = await otherBot()
  const long = 'l'.repeat(250)
  const tags = [
    '',
    ' ',
    '%',
    "'",
    'Z',
    'a',
    'a/b',
    'b',
    `${long}a`,
    `${long}b`,
    'ä',
    '👩‍🚀',
    ...Array.from({ length: 20 }, (_, i) => `n${i}`),
  ]
  for (let i = 0; i < 3; i++)
    await scene.call('PUT', '/v1/files', {
      headers,
      body: {
        key: `${i}`,
        size: 1,
        tags: Object.fromEntries(tags.map((tag) => [tag, `${long}${i % 2}`])),
      },
    })
  const all = async (path: string, name: 'tags' | 'values') => {
    const found: string[] = []
    let nextToken = ''
    do {
      const { body } = await scene.call(
        'GET',
        `/v1/files/tags${path}?pageSize=7&nextToken=${nextToken}`,
        {
          headers,
        },
      )
      expect(body[name].length).toBeLessThanOrEqual(7)
      found.push(...body[name])
      nextToken = body.meta.nextToken
    } while (nextToken)
    return found
  }
  const listed = await all('', 'tags')
  expect(listed.length).toBe(tags.length)
  expect(new Set(listed)).toEqual(new Set(tags))
  const short = listed.filter((tag) => tag.length < 200)
  expect(short).toEqual(
    [...short].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  for (const tag of ['a/b', `${long}b`, '👩‍🚀'])
    expect(
      (await all(`/${encodeURIComponent(tag)}/values`, 'values')).sort(),
      tag.slice(-20),
    ).toEqual([`${long}0`, `${long}1`])
  expect(await all('/nope/values', 'values')).toEqual([])
  await change('0', { tags: { a: null } }, headers)
  await scene.call('DELETE', '/v1/files/2', { headers })
  expect(await all('/a/values', 'values')).toEqual([`${long}1`])
})

test.each([
  ['PUT', '/v1/files/kept'],
  ['POST', '/v1/files/kept/copied'],
  ['GET', '/v1/files/tags'],
  ['GET', '/v1/files/tags/kind/values'],
] as const)('%s %s: no token, another bot, an unknown one', async (method, path) => {
  await upload('kept', { tags: { kind: 'mine' } })
  const ask = (headers: Record<string, string>) =>
    scene.call(method, path, { headers, ...(method !== 'GET' && { body: {} }) })
  expect((await ask({ 'x-bot-id': scene.botId })).status).toBe(401)
  expect(
    (await ask({ ...scene.asBot, 'x-bot-id': 'bot_01KAJ0ZP5S8V3N7Q4XW2R9TDHM' })).status,
  ).toBe(404)
  const { status, body } = await ask(await otherBot())
  if (method !== 'GET') return expect(status).toBe(404)
  expect(body.tags ?? body.values).toEqual([])
})

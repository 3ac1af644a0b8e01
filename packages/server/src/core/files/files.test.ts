// Files with a real database, disk and socket: rights of signed URLs, permissions, and removal of
// unused content.

import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { ApiError, type File, type UploadableFile } from '@botstead/contract'
import { deriveKey } from '@botstead/lib'
import fastify, { type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import type { AllServices } from '../../app/all-services.ts'
import { createHooks } from '../../app/hooks.ts'
import { toLimits } from '../config/limits.ts'
import type { Database } from '../db/database.ts'
import { openDatabase } from '../db/open.ts'
import { createPageTokens } from '../http/handlers/page-tokens.ts'
import type { Caller } from '../http/index.ts'
import { serveContent } from './api/files/content.ts'
import { files } from './api/files/files.ts'
import { openDiskBlobs } from './blobs/disk.ts'
import { beginUpload, failUploads, finishUpload, removeExpiredFiles } from './uploads.ts'

let clone: TestDatabase
let database: Database
let folder: string
let services: AllServices
let server: FastifyInstance
let origin: string

const log = pino({ level: 'silent' })
const bot: Caller<'bot'> = {
  botId: 'bot_a',
  workspaceId: 'w',
  integration: null,
  account: null,
  cause: null,
  tracedEvent: null,
  run: null,
  fence: null,
}
const stranger: Caller<'bot'> = { ...bot, botId: 'bot_b' }
const telegram: Caller<'bot'> = {
  ...bot,
  integration: { id: 'intver_1', alias: 'telegram', name: 'telegram' },
}
const slack: Caller<'bot'> = {
  ...bot,
  integration: { id: 'intver_2', alias: 'slack', name: 'slack' },
}
const person = (role: NonNullable<Caller<'bot'>['account']>['role']): Caller<'bot'> => ({
  ...bot,
  account: { accountId: 'accnt_1', role },
})

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.settings, { log })
  folder = await mkdtemp(join(tmpdir(), 'botstead-files-'))
  const { db } = database
  await db.insertInto('workspace').values({ id: 'w', name: 'W', handle: null }).execute()
  for (const id of ['bot_a', 'bot_b', 'bot_gone'])
    await db
      .insertInto('bot')
      .values({
        id,
        workspace_id: 'w',
        name: id,
        url: null,
        signing_secret: Buffer.of(1),
        deployed_at: null,
        created_by: null,
      })
      .execute()
  const secrets = { derive: (label: string) => deriveKey(Buffer.alloc(32, 7), label) }
  const blobs = await openDiskBlobs(folder)
  services = {
    db,
    database,
    blobs,
    secrets,
    pageTokens: createPageTokens(secrets.derive('pages')),
    config: { publicUrl: null },
    limits: toLimits('relaxed'),
    hooks: createHooks(),
    log,
    changeFeed: { publish() {} },
    isDiskFull: () => false,
  } as unknown as AllServices
  server = fastify({ routerOptions: { maxParamLength: 5000 } })
  server.setErrorHandler((error, _request, reply) =>
    error instanceof ApiError
      ? reply.code(error.code).send({ type: error.type })
      : reply.code(500).send({ type: String(error) }),
  )
  serveContent(server, services)
  await server.listen({ host: '127.0.0.1', port: 0 })
  origin = `127.0.0.1:${(server.server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await server?.close()
  await database?.close()
  await clone?.drop()
  await rm(folder, { recursive: true, force: true })
})

const toContext = (caller: Caller<'bot'>, headers: Record<string, string> = {}) =>
  ({
    services,
    caller,
    request: { protocol: 'http', host: origin, headers },
    reply: {},
  }) as never
type Announced = Parameters<typeof files.upsertFile>[1]['body']
const announce = async (
  body: Partial<Announced>,
  caller = bot,
  headers = {},
): Promise<UploadableFile> =>
  (
    await files.upsertFile(toContext(caller, headers), {
      body: { key: 'k', size: 5, ...body },
    } as never)
  ).file
const get = async (id: string, caller = bot): Promise<File> =>
  (await files.getFile(toContext(caller), { params: { id } } as never)).file
const list = (query: object = {}, caller = bot) =>
  files.listFiles(toContext(caller), { query } as never)
const remove = (id: string, caller = bot, headers = {}) =>
  files.deleteFile(toContext(caller, headers), { params: { id } } as never)
const put = (
  url: string,
  content: string | Uint8Array,
  headers: Record<string, string> = {},
) =>
  fetch(url, {
    method: 'PUT',
    body: content as BodyInit,
    headers: { 'content-type': 'text/plain', ...headers },
  })
async function upload(
  body: Partial<Announced> & { content?: string },
  caller = bot,
): Promise<File> {
  const { content = 'hello', ...announced } = body
  const file = await announce(
    { contentType: 'text/plain', size: Buffer.byteLength(content), ...announced },
    caller,
  )
  const reply = await put(file.uploadUrl, content, { 'content-type': file.contentType })
  expect(reply.status).toBe(200)
  return get(file.id, caller)
}
const stored = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  ).length
const storedAfterSweep = () =>
  removeExpiredFiles(services.db, services.blobs, new Date()).then(stored)
const failsWith = (type: string) => expect.objectContaining({ type })

describe('an upload', () => {
  test('gives a file its content', async () => {
    const announced = await announce({
      key: 'docs/Überraschung 1.txt',
      contentType: 'text/plain',
      tags: { colour: 'red' },
      metadata: { n: 1 },
    })
    expect(announced).toMatchObject({
      status: 'upload_pending',
      size: null,
      contentType: 'text/plain',
      owner: { type: 'bot', id: 'bot_a' },
      index: false,
      accessPolicies: [],
    })
    expect(
      (await put(announced.uploadUrl, 'hello', { 'x-amz-tagging': 'public=true' }))
        .status,
    ).toBe(200)
    const file = await get('docs/Überraschung 1.txt')
    expect(file).toMatchObject({
      id: announced.id,
      status: 'upload_completed',
      size: 5,
      tags: { colour: 'red' },
      metadata: { n: 1 },
    })
    const reply = await fetch(file.url)
    expect(await reply.text()).toBe('hello')
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/plain',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition':
        `inline; filename="_berraschung 1.txt"; ` +
        `filename*=UTF-8''%C3%9Cberraschung%201.txt`,
      'access-control-allow-origin': '*',
      etag: expect.stringMatching(/^"[0-9a-f]{64}"$/),
    })
  })

  test('must match the announced size, type, file and signature', async () => {
    const { uploadUrl } = await announce({ key: 'exact', contentType: 'text/plain' })
    const changed = (name: string, value: string) => {
      const url = new URL(uploadUrl)
      url.searchParams.set(name, value)
      return url.href
    }
    const other = await announce({ key: 'other', contentType: 'text/plain' })
    const attempts: Record<string, ReturnType<typeof put>> = {
      'another size': put(changed('size', '6'), 'hello!'),
      'another type': put(changed('type', 'text/html'), 'hello', {
        'content-type': 'text/html',
      }),
      'a later expiry': put(changed('expires', String(Date.now() + 9e9)), 'hello'),
      'the upload of another file': put(
        changed('upload', new URL(other.uploadUrl).searchParams.get('upload')!),
        'hello',
      ),
      'another signature': put(changed('signature', 'x'), 'hello'),
      'another bot': put(uploadUrl.replace('bot_a', 'bot_b'), 'hello'),
      'another file': put(uploadUrl.replace(/file_\w+/, other.id), 'hello'),
      'another content-type header': put(uploadUrl, 'hello', {
        'content-type': 'text/html',
      }),
      'a short body': put(uploadUrl, 'hell'),
      'a long body': put(uploadUrl, 'x'.repeat(3_000_000)),
      'no query': put(uploadUrl.split('?')[0]!, 'hello'),
      'a repeated signature': put(`${uploadUrl}&signature=x`, 'hello'),
    }
    const statuses = await Promise.all(
      Object.entries(attempts).map(
        async ([name, reply]) => [name, (await reply).status] as const,
      ),
    )
    expect(Object.fromEntries(statuses)).toEqual(
      Object.fromEntries(Object.keys(attempts).map((name) => [name, 403])),
    )
    expect((await fetch(uploadUrl)).status).toBe(403)
    expect(await get('exact')).toMatchObject({ status: 'upload_pending', size: null })
    expect((await put(uploadUrl, 'hello')).status).toBe(200)
  })

  test('has a URL that expires after one hour', async () => {
    const { uploadUrl } = await announce({ key: 'late' })
    expect(Number(new URL(uploadUrl).searchParams.get('expires'))).toBeLessThanOrEqual(
      Date.now() + 3_600_000,
    )
  })

  test('works once, and not after a newer announcement', async () => {
    const first = await announce({ key: 'once', contentType: 'text/plain' })
    const second = await announce({ key: 'once', contentType: 'text/plain' })
    expect(second.id).toBe(first.id)
    expect(second.uploadUrl).not.toBe(first.uploadUrl)
    expect((await put(first.uploadUrl, 'first')).status).toBe(403)
    expect((await put(second.uploadUrl, 'other')).status).toBe(200)
    expect((await put(second.uploadUrl, 'again')).status).toBe(403)
    expect(await (await fetch((await get('once')).url)).text()).toBe('other')
  })

  test('succeeds once when requests race, and keeps the content of the winner', async () => {
    const content = 'x'.repeat(200_000)
    const { uploadUrl } = await announce({
      key: 'race',
      size: content.length,
      contentType: 'text/plain',
    })
    const replies = await Promise.all([
      put(uploadUrl, content),
      put(uploadUrl, content),
      put(uploadUrl, content),
    ])
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403, 403])
    await removeExpiredFiles(services.db, services.blobs, new Date())
    expect((await (await fetch((await get('race')).url)).text()).length).toBe(
      content.length,
    )
  })

  test('keeps the old content, type and size until the new content is complete', async () => {
    await upload({ key: 'replaced', content: 'old', contentType: 'text/plain' })
    const { uploadUrl } = await announce({
      key: 'replaced',
      size: 4,
      contentType: 'text/html',
    })
    const meanwhile = await get('replaced')
    expect(meanwhile).toMatchObject({
      status: 'upload_pending',
      contentType: 'text/plain',
      size: 3,
    })
    expect(await (await fetch(meanwhile.url)).text()).toBe('old')
    await put(uploadUrl, '<p/>', { 'content-type': 'text/html' })
    expect(await get('replaced')).toMatchObject({
      status: 'upload_completed',
      contentType: 'text/html',
      size: 4,
    })
  })

  test('in chunks must have the announced size, and leaves no content when it is cut', async () => {
    const before = await storedAfterSweep()
    const { uploadUrl } = await announce({
      key: 'chunked',
      size: 10,
      contentType: 'text/plain',
    })
    expect(await send(uploadUrl, ['12345', '678901'])).toBe(413)
    expect(await send(uploadUrl, ['12345'])).toBe(400)
    expect(await send(uploadUrl, ['12345'], { cut: true })).toBe(0)
    await expect.poll(storedAfterSweep).toBe(before)
    expect(await get('chunked')).toMatchObject({ status: 'upload_pending', size: null })
    expect(await send(uploadUrl, ['12345', '67890'])).toBe(200)
  })

  test('that never arrives fails when its URL expires, and the old content stays', async () => {
    const held = await upload({ key: 'held', content: 'old' })
    const announced = [await announce({ key: 'held' }), await announce({ key: 'never' })]
    await failUploads(services.db)
    expect((await get('never')).status).toBe('upload_pending')
    await database.db
      .updateTable('file')
      .set({ upload_until: new Date(Date.now() - 1) })
      .where('upload_until', 'is not', null)
      .execute()
    await Promise.all([failUploads(services.db), failUploads(services.db)])
    for (const { id } of announced)
      expect(await get(id)).toMatchObject({
        status: 'upload_failed',
        failedStatusReason: expect.stringContaining('upload URL expired'),
      })
    expect(await (await fetch((await get('held')).url)).text()).toBe('old')
    expect((await get('held')).size).toBe(held.size)
    const again = await upload({ key: 'never' })
    expect([again.status, again.failedStatusReason]).toEqual([
      'upload_completed',
      undefined,
    ])
  })

  test('that a crash interrupts is removed by the sweep', async () => {
    const later = new Date(Date.now() + 3 * 86_400_000)
    await removeExpiredFiles(services.db, services.blobs, later)
    const before = await stored()
    const { id, uploadUrl } = await announce({
      key: 'crashed',
      contentType: 'text/plain',
    })
    const upload = {
      botId: 'bot_a',
      fileId: id,
      uploadId: new URL(uploadUrl).searchParams.get('upload')!,
      size: 5,
      contentType: 'text/plain',
    }
    const blob = await beginUpload(services.db, upload)
    const { sha256 } = await services.blobs.write(
      blob!,
      Readable.from([Buffer.from('hello')]),
      5,
    )
    expect(await storedAfterSweep()).toBe(before + 1)
    await Promise.all(
      [1, 2, 3].map(() => removeExpiredFiles(services.db, services.blobs, later)),
    )
    expect(await stored()).toBe(before)
    expect(await finishUpload(services, upload, blob!, sha256)).toBe(false)
    expect((await put(uploadUrl, 'hello')).status).toBe(200)
  })

  test('is not attached to a file after its removal has started', async () => {
    const { id, uploadUrl } = await announce({
      key: 'too late',
      contentType: 'text/plain',
    })
    const upload = {
      botId: 'bot_a',
      fileId: id,
      uploadId: new URL(uploadUrl).searchParams.get('upload')!,
      size: 5,
      contentType: 'text/plain',
    }
    const blob = await beginUpload(services.db, upload)
    await database.db
      .updateTable('loose_blob')
      .set({ going: true })
      .where('name', '=', blob!)
      .execute()
    expect(await finishUpload(services, upload, blob!, 'hash')).toBe(false)
    expect((await get('too late')).status).toBe('upload_pending')
  })

  test('can be empty', async () => {
    const file = await upload({ key: 'empty', content: '' })
    expect(file.size).toBe(0)
    expect(await (await fetch(file.url)).text()).toBe('')
  })

  test.each([
    ['an empty key', { key: '' }, 'InvalidPayload'],
    ['a key beyond the index limit', { key: 'k'.repeat(1025) }, 'InvalidPayload'],
    ['a fractional size', { size: 1.5 }, 'InvalidPayload'],
    ['a size beyond the limit', { size: 2 ** 40 }, 'LimitExceeded'],
    [
      'a type that would break the header',
      { contentType: 'text/plain\r\nx: y' },
      'InvalidPayload',
    ],
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'InvalidPayload'],
    ['metadata that is a list', { metadata: [] }, 'InvalidPayload'],
  ])('is rejected with %s', async (_, body, type) => {
    await expect(announce(body)).rejects.toEqual(failsWith(type))
  })

  test('respects the configured limits, at announcement and at change', async () => {
    const inDays = (days: number) =>
      new Date(Date.now() + days * 86_400_000).toISOString()
    services.limits = toLimits('strict', { fileBytes: 10 })
    try {
      const { id } = await announce({ key: 'limited', size: 10, expiresAt: inDays(89) })
      for (const [name, body] of [
        ['size', { size: 11 }],
        ['expiry', { expiresAt: inDays(91) }],
        [
          'tags',
          { tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, ''])) },
        ],
      ] as const)
        await expect(announce({ key: 'limited', ...body }), name).rejects.toEqual(
          failsWith('LimitExceeded'),
        )
      const late = files.updateFileMetadata(toContext(bot), {
        params: { id },
        body: { expiresAt: inDays(91) },
      } as never)
      await expect(late).rejects.toEqual(failsWith('LimitExceeded'))
    } finally {
      services.limits = toLimits('relaxed')
    }
  })

  test('gets its default type from the key', async () => {
    expect((await announce({ key: 'a/b.PNG' })).contentType).toBe('image/png')
    expect((await announce({ key: 'x.__proto__' })).contentType).toBe(
      'application/octet-stream',
    )
  })

  test('answers the CORS preflight of a browser', async () => {
    const { uploadUrl } = await announce({ key: 'browser' })
    const reply = await fetch(uploadUrl, {
      method: 'OPTIONS',
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'PUT' },
    })
    expect([reply.status, reply.headers.get('access-control-allow-methods')]).toEqual([
      204,
      'GET, HEAD, PUT',
    ])
    expect(reply.headers.get('access-control-allow-headers')).toContain('x-amz-tagging')
  })
})

/** Sends a chunked body; returns status 0 when the connection was cut. */
function send(url: string, chunks: string[], { cut = false } = {}): Promise<number> {
  return new Promise((resolve) => {
    const request = httpRequest(
      url,
      { method: 'PUT', headers: { 'content-type': 'text/plain' } },
      (reply) => {
        reply.resume()
        resolve(reply.statusCode!)
      },
    )
    request.on('error', () => resolve(0))
    for (const chunk of chunks) request.write(chunk)
    if (cut) setTimeout(() => request.destroy(), 50)
    else request.end()
  })
}

describe('content', () => {
  test('has a permanent URL if public, and needs a signature otherwise', async () => {
    const open = await upload({ key: 'open', accessPolicies: ['public_content'] })
    expect(open.url).not.toContain('?')
    expect(await (await fetch(open.url)).text()).toBe('hello')
    const closed = await upload({ key: 'closed' })
    expect((await fetch(closed.url.split('?')[0]!)).status).toBe(404)
    expect(
      (
        await fetch(
          closed.url.replace(
            /signature=(.)/,
            (_, first) => `signature=${first === 'A' ? 'B' : 'A'}`,
          ),
        )
      ).status,
    ).toBe(403)
    expect((await fetch(closed.url.replace(closed.id, open.id))).status).toBe(403)
    expect((await put(closed.url, 'hello')).status).toBe(403)
    expect((await fetch(open.url.replace(open.id, closed.id))).status).toBe(404)
    expect((await fetch(open.url.replace('bot_a', 'bot_b'))).status).toBe(404)
  })

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'text/javascript',
    'APPLICATION/JAVASCRIPT',
    'text/html; charset=utf-8',
  ])('of type %s is sent as an attachment', async (contentType) => {
    const { url } = await upload({
      key: 'active',
      contentType,
      content: '<script>alert(1)</script>',
    })
    expect((await fetch(url)).headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  test.each([
    ['bytes=0-1', 206, 'ab', 'bytes 0-1/6'],
    ['bytes=2-', 206, 'cdef', 'bytes 2-5/6'],
    ['bytes=-2', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=4-99', 206, 'ef', 'bytes 4-5/6'],
    ['bytes=-99', 206, 'abcdef', 'bytes 0-5/6'],
    ['bytes=6-', 416, '', 'bytes */6'],
    ['bytes=-0', 416, '', 'bytes */6'],
    ['bytes=3-2', 200, 'abcdef', null],
    ['bytes=0-0,2-2', 200, 'abcdef', null],
    ['lines=1-2', 200, 'abcdef', null],
  ])('with Range %s', async (range, status, text, contentRange) => {
    const { url } = await upload({ key: 'ranges', content: 'abcdef' })
    const reply = await fetch(url, { headers: { range } })
    expect([
      reply.status,
      await reply.text(),
      reply.headers.get('content-range'),
    ]).toEqual([status, text, contentRange])
  })

  test('is not sent again if unchanged, nor for HEAD', async () => {
    const { url } = await upload({ key: 'cached', content: 'abcdef' })
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      '6',
      '',
    ])
    const etag = head.headers.get('etag')!
    expect(
      (await fetch(url, { headers: { 'if-none-match': `W/${etag}, "x"` } })).status,
    ).toBe(304)
    expect(
      (await fetch(url, { headers: { range: 'bytes=0-0', 'if-range': '"older"' } }))
        .status,
    ).toBe(200)
  })
})

describe('permissions', () => {
  test("a bot cannot see another bot's files", async () => {
    const file = await upload({ key: 'mine' })
    for (const id of [file.id, 'mine']) {
      await expect(get(id, stranger), id).rejects.toEqual(failsWith('ResourceNotFound'))
      await expect(remove(id, stranger), id).rejects.toEqual(
        failsWith('ResourceNotFound'),
      )
    }
    expect((await list({ ids: [file.id] }, stranger)).files).toEqual([])
    expect((await announce({ key: 'mine' }, stranger)).id).not.toBe(file.id)
  })

  test('an integration has its own files and keys, and reads shared files', async () => {
    await upload({ key: 'same', content: 'bot' })
    const own = await upload({ key: 'same', content: 'telegram' }, telegram)
    const shared = await upload({ key: 'shared', accessPolicies: ['integrations'] })
    expect(own.owner).toEqual({
      type: 'integration',
      id: 'intver_1',
      alias: 'telegram',
      name: 'telegram',
    })
    expect((await get('same', telegram)).id).toBe(own.id)
    expect((await get('same')).id).not.toBe(own.id)
    expect((await get(own.id)).id).toBe(own.id)
    await expect(get('same', slack)).rejects.toEqual(failsWith('ResourceNotFound'))
    expect((await list({}, slack)).files.map((file) => file.key)).toEqual(['shared'])
    expect((await get('shared', slack)).id).toBe(shared.id)
    await expect(remove('shared', slack)).rejects.toEqual(failsWith('Forbidden'))
    await expect(remove(own.id, slack)).rejects.toEqual(failsWith('ResourceNotFound'))
    expect(await remove('same', telegram)).toEqual({})
    expect((await get('same')).size).toBe(3)
  })

  test.each([
    ['billing', false, false],
    ['viewer', true, false],
    ['agent', false, false],
    ['developer', true, true],
    ['manager', true, true],
    ['administrator', true, true],
    ['owner', true, true],
  ] as const)(
    'a person with the role %s can read: %s, write: %s',
    async (role, reads, writes) => {
      const key = `of ${role}`
      await upload({ key })
      const allowed = (attempt: Promise<unknown>) =>
        attempt.then(
          () => true,
          (error) => error.type !== 'Forbidden',
        )
      expect([
        await allowed(get(key, person(role))),
        await allowed(list({}, person(role))),
      ]).toEqual([reads, reads])
      expect(await allowed(announce({ key: `${key}, new` }, person(role)))).toBe(writes)
      expect(
        await allowed(remove(key, bot, { 'x-user-role': role, 'x-user-id': 'u' })),
      ).toBe(writes)
      if (!reads || writes) return
      await expect(remove(key, person(role), { 'x-user-role': 'owner' })).rejects.toEqual(
        failsWith('Forbidden'),
      )
    },
  )

  test('an editor sees, replaces and deletes documents, and no other file', async () => {
    const editor = person('editor')
    const table = await upload({ key: 'tables/orders.csv', content: 'secret' })
    const document = await announce({ key: 'guide.md', index: true }, editor)
    const inBase = await announce({ key: 'draft.md', tags: { kbId: 'kb_1' } }, editor)
    const listed = (await list({}, editor)).files.map(({ id }) => id)
    expect(listed).toEqual(expect.arrayContaining([document.id, inBase.id]))
    expect(listed).not.toContain(table.id)
    expect((await get(document.id, editor)).id).toBe(document.id)
    for (const idOrKey of [table.id, table.key]) {
      await expect(get(idOrKey, editor)).rejects.toEqual(failsWith('ResourceNotFound'))
      await expect(remove(idOrKey, editor)).rejects.toEqual(failsWith('ResourceNotFound'))
      const claim = { 'x-user-role': 'editor' }
      await expect(remove(idOrKey, bot, claim)).rejects.toEqual(
        failsWith('ResourceNotFound'),
      )
    }
    // Searchable, it would show its content.
    await expect(announce({ key: table.key, index: true }, editor)).rejects.toEqual(
      failsWith('InvalidPayload'),
    )
    await expect(announce({ key: 'private' }, editor)).rejects.toEqual(
      failsWith('InvalidPayload'),
    )
    expect(await get(table.id)).toMatchObject({ key: table.key, index: false, size: 6 })
    expect(await remove(document.id, editor)).toEqual({})
  })

  test('a file created by a person has that person as owner', async () => {
    expect((await announce({ key: 'by person' }, person('developer'))).owner).toEqual({
      type: 'user',
      id: 'accnt_1',
    })
    expect(
      (await announce({ key: 'for person' }, bot, { 'x-user-id': 'accnt_2' })).owner,
    ).toEqual({
      type: 'user',
      id: 'accnt_2',
    })
    await expect(
      announce({ key: 'x' }, bot, { 'x-user-role': 'emperor' }),
    ).rejects.toEqual(failsWith('InvalidPayload'))
  })
})

describe('a listing', () => {
  const of = { ...stranger, botId: 'bot_b' }
  beforeAll(async () => {
    await database.db.deleteFrom('file').where('bot_id', '=', 'bot_b').execute()
    for (let i = 0; i < 45; i++)
      await announce(
        {
          key: `n${String(i).padStart(2, '0')}`,
          tags: { parity: i % 2 ? 'odd' : 'even', ...(i < 3 && { first: 'yes' }) },
          index: i === 7,
        },
        of,
      )
  })

  test.each(['key', 'size', 'createdAt', 'updatedAt', 'status'] as const)(
    'sorted by %s has each file once, page by page',
    async (sortField) => {
      for (const sortDirection of ['asc', 'desc'] as const) {
        const keys: string[] = []
        let nextToken: string | undefined
        do {
          const page = await list({ sortField, sortDirection, nextToken }, of)
          expect(page.files.length, sortDirection).toBeLessThanOrEqual(20)
          keys.push(...page.files.map((file) => file.key))
          nextToken = page.meta.nextToken
        } while (nextToken)
        expect(new Set(keys).size, sortDirection).toBe(45)
        expect(keys.length, sortDirection).toBe(45)
        if (sortField === 'key')
          expect(keys, sortDirection).toEqual(
            sortDirection === 'asc' ? [...keys].sort() : [...keys].sort().reverse(),
          )
      }
    },
  )

  test('is newest first, in pages of twenty or the requested size', async () => {
    expect((await list({}, of)).files[0]?.key).toBe('n44')
    expect((await list({}, of)).files.length).toBe(20)
    expect((await list({ pageSize: 45 }, of)).meta).toEqual({})
  })

  test.each([
    [{ first: 'yes' }, 3],
    [{ first: 'yes', parity: 'odd' }, 1],
    [{ parity: ['odd', 'even'] }, 45],
    [{ parity: { in: ['odd'] } }, 22],
    [{ parity: { not: 'odd' } }, 23],
    [{ first: { not: ['yes'] } }, 42],
    [{ first: { exists: true } }, 3],
    [{ first: { exists: false } }, 42],
    [{ __proto__x: 'y' }, 0],
    [{}, 45],
  ])('filters by tags %j', async (tags, count) => {
    expect(
      (await list({ tags: JSON.stringify(tags), pageSize: 100 }, of)).files.length,
    ).toBe(count)
  })

  test.each([
    '{',
    '[]',
    '1',
    '{"a":1}',
    '{"a":{"like":"b"}}',
    '{"a":"\\u0000"}',
    '{"a":{"in":"b","not":"c"}}',
    '{"\\ud800":"a"}',
  ])('rejects the tags %s', async (tags) => {
    await expect(list({ tags }, of)).rejects.toEqual(failsWith('InvalidQuery'))
  })

  test('filters by ids and index, and rejects a token of another listing', async () => {
    const { files: all, meta } = await list({}, of)
    expect(
      (await list({ ids: [all[3]!.id, 'nope'] }, of)).files.map((file) => file.id),
    ).toEqual([all[3]!.id])
    expect((await list({ ids: [] }, of)).files).toEqual([])
    expect((await list({ indexed: true }, of)).files.map((file) => file.key)).toEqual([
      'n07',
    ])
    await expect(
      list({ nextToken: meta.nextToken, sortField: 'key' }, of),
    ).rejects.toEqual(failsWith('InvalidQuery'))
    await expect(list({ nextToken: meta.nextToken }, bot)).rejects.toEqual(
      failsWith('InvalidQuery'),
    )
  })
})

describe('deletion of a file', () => {
  test.each([
    '../../etc/passwd',
    '..',
    'a/../b',
    'a\\b',
    'CON',
    '%2e%2e',
    'file_01KAJ0ZP5S8V3N7Q4XW2R9TDHM',
    '👩‍🚀',
    "'; drop table file; --",
    'a\nb',
  ])('deletes by the key %j', async (key) => {
    const before = await stored()
    const file = await upload({ key })
    expect((await fetch(file.url)).status).toBe(200)
    expect(await remove(key)).toEqual({})
    expect(await stored()).toBe(before)
    expect((await fetch(file.url)).status).toBe(404)
    await expect(get(key)).rejects.toEqual(failsWith('ResourceNotFound'))
    await expect(remove(key)).rejects.toEqual(failsWith('ResourceNotFound'))
  })

  test('prefers an id to a key of the same form', async () => {
    const target = await upload({ key: 'target' })
    const decoy = await upload({ key: target.id })
    await remove(target.id)
    expect((await get(target.id)).id).toBe(decoy.id)
  })

  test('deletes an expired file and its content', async () => {
    const before = await stored()
    const file = await upload({
      key: 'brief',
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
      accessPolicies: ['public_content'],
    })
    await database.db
      .updateTable('file')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', file.id)
      .execute()
    await expect(get('brief')).rejects.toEqual(failsWith('ResourceNotFound'))
    expect((await fetch(file.url)).status).toBe(404)
    const again = await announce({ key: 'brief' })
    expect(again).toMatchObject({ size: null, status: 'upload_pending' })
    expect((await fetch(file.url)).status).toBe(404)
    await database.db
      .updateTable('file')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', file.id)
      .execute()
    await removeExpiredFiles(services.db, services.blobs, new Date())
    expect(
      await database.db
        .selectFrom('file')
        .select('id')
        .where('id', '=', file.id)
        .execute(),
    ).toEqual([])
    expect(await stored()).toBe(before)
  })

  test('continues with other files when the content of one cannot be removed, and retries it', async () => {
    await removeExpiredFiles(services.db, services.blobs, new Date(Date.now() + 60_000))
    const before = await stored()
    for (let i = 0; i < 25; i++) await upload({ key: `stuck ${i}` }, stranger)
    const { rows } = await sql<{
      blob: string
    }>`delete from file where bot_id = 'bot_b' and key like 'stuck %' returning blob`.execute(
      database.db,
    )
    const stuck = rows.at(3)!.blob
    const failing = {
      ...services.blobs,
      remove: (name: string) =>
        name === stuck ? Promise.reject(new Error('busy')) : services.blobs.remove(name),
    }
    await expect(removeExpiredFiles(services.db, failing, new Date())).rejects.toThrow(
      'busy',
    )
    expect(await stored()).toBe(before + 1)
    await removeExpiredFiles(
      services.db,
      services.blobs,
      new Date(Date.now() + 11 * 60_000),
    )
    expect(await stored()).toBe(before)
  })

  test('deletes files with their bot', async () => {
    const before = await stored()
    await upload({ key: 'k' }, { ...bot, botId: 'bot_gone' })
    await database.db.deleteFrom('bot').where('id', '=', 'bot_gone').execute()
    expect(await stored()).toBe(before + 1)
    await removeExpiredFiles(services.db, services.blobs, new Date(Date.now() + 1000))
    expect(await stored()).toBe(before)
  })
})

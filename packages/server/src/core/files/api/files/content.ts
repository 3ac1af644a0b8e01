// Uploads and downloads of files. The signed URL is the permission; no token is needed
// (files/content-urls.ts). Content is streamed, never fully in memory. It is untrusted: browsers
// must neither run it nor guess its type.

import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { ApiError } from '@botstead/contract'
import { essence, isShowable } from '@botstead/lib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  byteRange,
  drain,
  type HttpServices,
  rejectFullDisk,
} from '../../../http/index.ts'
import { rejectUnstorableAddress } from '../../../lib/index.ts'
import { fencing } from '../../../queue/index.ts'
import { carriedKeys } from '../../../sealing/index.ts'
import { BlobNotFound, type Blobs } from '../../blobs/blobs.ts'
import {
  contentPath,
  isSigned,
  type SignedQuery,
  type Upload,
} from '../../content-urls.ts'
import { type FileContent, findContent } from '../../files.ts'
import type { BlobServices, FileServices } from '../../services.ts'
import { beginUpload, finishUpload, releaseBlob } from '../../uploads.ts'

type Own = BlobServices & FileServices & HttpServices

interface Params {
  botId: string
  fileId: string
}
type ContentRequest = FastifyRequest<{
  Params: Params
  Querystring: Record<string, unknown>
}>

const idleMs = 60_000
/** Minimum average speed of an upload; a slower one is aborted. */
const minBytesPerSecond = 10_000
const route = `${contentPath}/:botId/:fileId`

export function serveContent(server: FastifyInstance, services: Own) {
  server.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The handler reads the stream itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook(
      'onRequest',
      async (_request, reply) => void reply.headers(openToBrowsers),
    )
    scope.options(route, async (_request, reply) =>
      reply.code(204).headers(preflight).send(),
    )
    scope.put(route, {
      handler: (request, reply) => receive(services, request as ContentRequest, reply),
    })
    // Handles HEAD itself: Fastify's own handler would report a length of zero.
    scope.route({
      method: ['GET', 'HEAD'],
      url: route,
      exposeHeadRoute: false,
      handler: (request, reply) => serve(services, request as ContentRequest, reply),
    })
  })
}

/** Allows any page to use these URLs: the URL is the permission, and cookies have no effect. */
const openToBrowsers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'accept-ranges, content-disposition, content-length, content-range, etag',
  'cross-origin-resource-policy': 'cross-origin',
}
const preflight = {
  'access-control-allow-methods': 'GET, HEAD, PUT',
  'access-control-allow-headers':
    'content-type, content-digest, x-amz-checksum-sha256, x-amz-tagging, range, if-range, if-none-match',
  'access-control-max-age': '86400',
}

async function receive(services: Own, request: ContentRequest, reply: FastifyReply) {
  // Closes a connection that is idle for this long.
  request.raw.setTimeout(idleMs)
  try {
    const upload = await permittedUpload(services, request)
    rejectFullDisk(services)
    await store(services, upload, request.raw, request.headers)
    return reply.code(200).send()
  } catch (error) {
    // A response before the body's end would look like a broken connection to the client.
    if (!(await drain(request.raw))) reply.header('connection', 'close')
    throw request.raw.errored
      ? new ApiError(
          'InvalidPayload',
          'The connection closed before the whole content arrived',
          {
            cause: error,
          },
        )
      : error
  }
}

/**
 * Returns the upload that the URL permits. Throws Forbidden if the URL is invalid or expired, or
 * the request does not match it.
 */
async function permittedUpload(
  services: Own,
  { params, query: rawQuery, headers }: ContentRequest,
): Promise<Upload> {
  const query = signedQuery(rawQuery)
  const forbid = (reason: string) => new ApiError('Forbidden', reason)
  if (!(await isPermitted(services, 'PUT', params, query)))
    throw forbid('This upload URL is invalid or has expired: call `upsertFile` again')
  const upload = {
    ...params,
    uploadId: query.upload!,
    size: Number(query.size),
    contentType: query.type!,
  }
  if (headers['content-encoding'] !== undefined)
    throw new ApiError(
      'UnsupportedMediaType',
      'Send the content without `content-encoding`',
    )
  if (essence(headers['content-type'] ?? '') !== essence(upload.contentType))
    throw forbid(`This upload URL requires \`content-type: ${upload.contentType}\``)
  const announced =
    headers['content-length'] ??
    (headers['transfer-encoding'] === undefined ? '0' : undefined)
  if (announced !== undefined && Number(announced) !== upload.size)
    throw forbid(`This upload URL requires ${upload.size} bytes of content`)
  return upload
}

/** Whether this installation signed the URL, or the one from which the bot has moved here. */
async function isPermitted(
  { secrets, db }: Pick<Own, 'secrets' | 'db'>,
  method: 'GET' | 'PUT',
  { botId, fileId }: Params,
  query: SignedQuery,
): Promise<boolean> {
  const isSignedWith = (key?: Buffer) =>
    isSigned(secrets, method, botId, fileId, query, undefined, key)
  if (isSignedWith()) return true
  if (!(Number(query.expires) > Date.now())) return false
  return (await carriedKeys.read(db, secrets, botId, 'content')).some(isSignedWith)
}

/** Ignores repeated and nested parameters, which signed URLs never have. */
function signedQuery(query: Record<string, unknown>): SignedQuery {
  const names = ['upload', 'size', 'type', 'expires', 'signature'] as const
  return Object.fromEntries(
    names.flatMap((name) =>
      typeof query[name] === 'string' ? [[name, query[name]]] : [],
    ),
  )
}

/** Returns the SHA-256 of the content in base64, from the header of S3 or of RFC 9530. */
function claimedDigest(headers: IncomingHttpHeaders): string | undefined {
  const claim =
    headers['x-amz-checksum-sha256'] ??
    /(?:^|,)\s*sha-256=:([\w+/=]*):/.exec(String(headers['content-digest'] ?? ''))?.[1]
  return claim === undefined ? undefined : String(claim)
}

async function store(
  services: Own,
  upload: Upload,
  body: IncomingMessage,
  headers: IncomingHttpHeaders,
) {
  const digest = claimedDigest(headers)
  const fence = headers['x-botstead-fence']
  const { db, blobs, hooks, changeFeed } = services
  const blob = await beginUpload(db, upload)
  if (!blob) throw used()
  const tooSlow = setTimeout(
    () => body.destroy(),
    Math.min(idleMs + (upload.size / minBytesPerSecond) * 1000, 2 ** 31 - 1),
  )
  try {
    const { sha256 } = await blobs.write(
      blob,
      Readable.from(exactly(body, upload.size), { objectMode: false }),
      upload.size,
    )
    if (digest !== undefined && digest !== Buffer.from(sha256, 'hex').toString('base64'))
      throw new ApiError(
        'InvalidPayload',
        'The content does not match the SHA-256 digest in the headers',
      )
    if (
      !(await finishUpload(
        services,
        upload,
        blob,
        sha256,
        fencing.unfenced(fence?.toString()),
      ))
    )
      throw used()
    for (const note of hooks.fileStored) note()
    changeFeed.publish({ topic: 'files', botId: upload.botId, id: upload.fileId })
  } catch (error) {
    await releaseBlob(db, blob)
    throw error
  } finally {
    clearTimeout(tooSlow)
  }
}

const used = () =>
  new ApiError(
    'Forbidden',
    'This upload URL was already used, or replaced by a newer one: call `upsertFile` again',
  )

/** Counts bytes: chunked bodies do not announce their length. */
async function* exactly(body: IncomingMessage, size: number) {
  let remaining = size
  for await (const chunk of body.iterator({
    destroyOnReturn: false,
  }) as AsyncIterable<Buffer>) {
    remaining -= chunk.length
    if (remaining < 0)
      throw new ApiError(
        'PayloadTooLarge',
        `More than the announced ${size} bytes arrived`,
      )
    yield chunk
  }
  if (remaining > 0)
    throw new ApiError(
      'InvalidPayload',
      `Only ${size - remaining} of the announced ${size} bytes arrived`,
    )
}

async function serve(services: Own, request: ContentRequest, reply: FastifyReply) {
  const { db, blobs } = services
  const { params, headers, method } = request
  const query = signedQuery(request.query)
  rejectUnstorableAddress({ params })
  const signed = query.signature !== undefined
  if (signed && !(await isPermitted(services, 'GET', params, query)))
    throw new ApiError(
      'Forbidden',
      'This URL is invalid or has expired: request a new one',
    )
  const content = await findContent(db, params.botId, params.fileId, {
    publicOnly: !signed,
  })
  const etag = `"${content.checksum}"`
  reply.headers(safely(content)).headers({
    etag,
    'accept-ranges': 'bytes',
    'cache-control': signed ? 'private, no-cache' : 'no-cache',
  })
  if (namesTag(headers['if-none-match'], etag)) return reply.code(304).send()

  const wanted =
    headers['if-range'] === undefined || headers['if-range'] === etag
      ? headers.range
      : undefined
  const range = byteRange(wanted, content.size)
  if (range === 'unsatisfiable')
    return reply.code(416).header('content-range', `bytes */${content.size}`).send()
  if (range)
    reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${content.size}`)
  const length = range ? range.end - range.start + 1 : content.size
  reply.header('content-length', length).header('content-type', content.contentType)
  if (method === 'HEAD' || length === 0) return reply.send()
  return reply.send(await opened(blobs, content, range))
}

/** Opens the content before the response begins, so that missing content fails with 404. */
function opened(
  blobs: Blobs,
  { blob }: FileContent,
  range: { start: number; end: number } | null,
): Promise<Readable> {
  return blobs.read(blob, range ?? undefined).catch((error) => {
    throw error instanceof BlobNotFound
      ? new ApiError('ResourceNotFound', 'The content of the file was not found', {
          cause: error,
        })
      : error
  })
}

const safely = ({ contentType, key }: FileContent) => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'content-disposition': `${isShowable(contentType) ? 'inline' : 'attachment'}; ${fileName(key)}`,
})

/** Returns the key's last segment, in ASCII for old clients and in UTF-8 for others (RFC 6266). */
function fileName(key: string): string {
  const name = key.split('/').at(-1) || 'file'
  const ascii = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `filename="${ascii}"; filename*=UTF-8''${encoded}`
}

const namesTag = (header: string | undefined, etag: string) =>
  header
    ?.split(',')
    .some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*') ?? false

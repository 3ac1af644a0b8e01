// Reads bodies: counts bytes as they arrive, so that the limit holds to the byte however they are framed, and lets nothing in that
// the database or JavaScript cannot hold. What is too large is read to its end before the answer, or the caller would see a broken pipe instead.
import { ApiError } from '@botstead/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Past this, or this long, an oversized body is not read on. */
const drainBytes = 64 * 1_048_576
const drainMs = 5_000
const idleMs = 60_000
/** Deepest nesting of objects and arrays. */
const mostDepth = 64

export function readBodies(server: FastifyInstance) {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser('*', async (request: FastifyRequest, stream: NodeJS.ReadableStream) => {
    if (request.routeOptions.config.rawBody) return stream
    refuseEncodings(request)
    const bytes = await readAll(stream as never, request.routeOptions.config.bodyLimit ?? 1_048_576)
    if (bytes.length === 0) return undefined
    refuseOtherTypes(request)
    return parseJson(bytes)
  })
}

function refuseEncodings({ headers }: FastifyRequest) {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new ApiError('UnsupportedMediaType', 'Bodies are sent as they are, without Content-Encoding')
}

function refuseOtherTypes({ headers }: FastifyRequest) {
  const type = (headers['content-type'] ?? 'application/json').split(';')[0]!.trim().toLowerCase()
  if (type !== 'application/json' && !type.endsWith('+json')) throw new ApiError('UnsupportedMediaType', 'Bodies are JSON: content-type application/json')
}

/** Throws PayloadTooLarge past the limit, and RequestTimeout when nothing comes for a minute. */
export function readAll(stream: NodeJS.ReadableStream & { destroyed?: boolean }, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const deadline = setTimeout(tooSlow, idleMs)
    let drainUntil: NodeJS.Timeout | null = null

    function end(settle: () => void) {
      clearTimeout(deadline)
      if (drainUntil) clearTimeout(drainUntil)
      stream.removeListener('data', onData)
      settle()
    }
    function tooSlow() {
      end(() => reject(new ApiError('RequestTimeout', 'The body did not arrive in time')))
    }
    const tooLarge = () => end(() => reject(new ApiError('PayloadTooLarge', `The body is larger than ${limit} bytes`)))

    function onData(chunk: Buffer) {
      size += chunk.length
      deadline.refresh()
      if (size <= limit) return void chunks.push(chunk)
      chunks.length = 0
      drainUntil ??= setTimeout(tooLarge, drainMs)
      if (size > drainBytes + limit) tooLarge()
    }
    stream.on('data', onData)
    stream.on('end', () => (size > limit ? tooLarge() : end(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))))
    stream.on('error', (error) => end(() => reject(new ApiError('InvalidPayload', 'The body broke off', { cause: error }))))
    stream.on('close', () => end(() => reject(new ApiError('InvalidPayload', 'The body broke off'))))
  })
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws InvalidPayload for what is not JSON, and for JSON that cannot be kept. */
export function parseJson(bytes: Buffer): unknown {
  const text = decode(bytes)
  refuseDepth(text)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new ApiError('InvalidPayload', `The body is not JSON: ${(error as Error).message}`)
  }
  if (suspicious.test(text)) refuseUnstorable(value, '')
  return value
}

function decode(bytes: Buffer): string {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    throw new ApiError('InvalidPayload', 'The body is not UTF-8')
  }
  if (text.charCodeAt(0) === 0xfeff) throw new ApiError('InvalidPayload', 'The body begins with a byte order mark')
  return text
}

/** Counted before parsing: JSON.parse would manage, JSON.stringify and PostgreSQL would not. */
function refuseDepth(text: string) {
  let depth = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 123 || char === 91) {
      if (++depth > mostDepth) throw new ApiError('InvalidPayload', `The body is nested deeper than ${mostDepth} levels`)
    } else if (char === 125 || char === 93) depth--
  }
}

/** Escapes (that may hide anything), prototype keys, and numbers with an exponent or of more than 300 digits. Most bodies have none of these. */
const suspicious = /\\u|__proto__|\d[eE]|\d{300}/

function refuseUnstorable(value: unknown, path: string) {
  if (typeof value === 'string') refuseText(value, path)
  else if (typeof value === 'number' && !Number.isFinite(value)) throw new ApiError('InvalidPayload', `${path || 'The body'} is a number too large to keep`)
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) refuseUnstorable(item, `${path}/${i}`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, item] of Object.entries(value)) {
      if (key === '__proto__') throw new ApiError('InvalidPayload', `${path || 'The body'} has a key that is not allowed: __proto__`)
      refuseText(key, path)
      refuseUnstorable(item, `${path}/${key}`)
    }
  }
}

function refuseText(text: string, path: string) {
  if (text.includes('\0')) throw new ApiError('InvalidPayload', `${path || 'The body'} holds a NUL character, which cannot be kept`)
  if (!text.isWellFormed()) throw new ApiError('InvalidPayload', `${path || 'The body'} holds half a character (a lone surrogate), which cannot be kept`)
}

/** The same for what comes in the address. */
export function refuseUnstorableText(values: Record<string, unknown> | undefined, where: string) {
  for (const [key, value] of Object.entries(values ?? {})) if (typeof value === 'string') refuseText(value, `${where} ${key}`)
}

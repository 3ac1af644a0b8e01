// Blobs in a bucket of an S3-compatible store. Path-style addresses work with all of them.
// Invariant: an object is complete or absent, which the store guarantees for a PUT with a declared
// length. The hash is computed while sending (UNSIGNED-PAYLOAD).
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ApiError } from '@botstead/contract'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import type { S3Settings } from '../../config/index.ts'
import { BlobNotFound, type Blobs, checkedName } from './blobs.ts'

type Answer = Dispatcher.ResponseData
type Method = 'GET' | 'PUT' | 'DELETE'
interface RequestOptions {
  headers?: Record<string, string>
  body?: Readable
}

class Bucket implements Blobs {
  readonly #agent = new Agent({
    connect: { timeout: 10_000 },
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  })
  readonly #settings: S3Settings

  constructor(settings: S3Settings) {
    this.#settings = settings
  }

  async write(name: string, content: Readable, size: number) {
    const passing = new Passing(content)
    const sent = this.#request('PUT', name, {
      headers: { 'content-length': String(size) },
      body: Readable.from(passing.chunks(), { objectMode: false }),
    })
    const { body } = await sent.catch((error) => {
      throw passing.cut ?? error
    })
    await body.dump()
    return { sha256: passing.hash.digest('hex') }
  }

  async read(name: string, range?: { start: number; end: number }) {
    const { body } = await this.#request(
      'GET',
      name,
      range && { headers: { range: `bytes=${range.start}-${range.end}` } },
    )
    return body
  }

  async copy(name: string, to: string) {
    const source = `/${this.#settings.bucket}/${checkedName(name)}`
    const { body } = await this.#request('PUT', to, {
      headers: { 'content-length': '0', 'x-amz-copy-source': source },
    })
    // S3 may report a copy that failed midway in the body of a 200 response.
    const reply = await text(body)
    if (reply.includes('<Error>')) throw toError(200, reply)
  }

  async remove(name: string) {
    const { body } = await this.#request('DELETE', name).catch((error) => {
      if (error instanceof BlobNotFound) return { body: null }
      throw error
    })
    await body?.dump()
  }

  /**
   * Sends a request. Throws BlobNotFound, and Unavailable for any other failure. The caller must
   * consume or dump the body.
   */
  async #request(
    method: Method,
    name: string,
    { headers = {}, body }: RequestOptions = {},
  ): Promise<Answer> {
    const signed = await this.#sign(method, name, headers)
    const { origin, pathname, search } = signed.url
    const request = {
      origin,
      path: pathname + search,
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
    }
    const answer = await this.#agent.request(request).catch((error) => {
      throw failed('could not be reached', error)
    })
    if (answer.statusCode < 300) return answer
    throw toError(answer.statusCode, await text(answer.body).catch(() => ''))
  }

  #sign(method: Method, name: string, headers: Record<string, string>) {
    const { endpoint, bucket, ...credentials } = this.#settings
    return new AwsV4Signer({
      ...credentials,
      method,
      url: `${endpoint}/${bucket}/${checkedName(name)}`,
      headers: { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      service: 's3',
    }).sign()
  }
}

export const openS3Blobs = (settings: S3Settings): Blobs => new Bucket(settings)

/**
 * Hashes content while it is sent. `cut` is the error of the content itself, which is not the
 * store's fault.
 */
class Passing {
  readonly hash = createHash('sha256')
  cut: unknown
  readonly #content: Readable

  constructor(content: Readable) {
    this.#content = content
  }

  async *chunks() {
    try {
      for await (const chunk of this.#content as AsyncIterable<Buffer>) {
        this.hash.update(chunk)
        yield chunk
      }
    } catch (error) {
      this.cut = error
      throw error
    }
  }
}

/** A missing bucket is a configuration error, not a missing blob. */
function toError(status: number, body: string) {
  const code = /<Code>(\w+)<\/Code>/.exec(body)?.[1] ?? 'no code'
  return code === 'NoSuchKey' ? new BlobNotFound() : failed(`answered ${status} ${code}`)
}

const failed = (what: string, cause?: unknown) =>
  new ApiError('Unavailable', 'The file storage is unavailable; try again later', {
    cause: new Error(`The store ${what}`, { cause }),
  })

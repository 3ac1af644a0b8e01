// Blobs in a bucket of an S3-compatible store, addressed by path, so that any of them will do. Invariant: an object is there whole or not at all, which the
// store promises for a PUT whose length was announced. The body is not hashed before it is sent: it is hashed on its way.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ApiError } from '@botstead/contract'
import { AwsV4Signer } from 'aws4fetch'
import { Agent, type Dispatcher } from 'undici'
import { type Blobs, checkedName, NoSuchBlob } from './blobs.ts'

export interface S3Settings {
  /** Of the store, without the bucket and without a slash at the end. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
}

type Answer = Dispatcher.ResponseData
interface Asked {
  headers?: Record<string, string>
  body?: Readable
}

export function openS3Blobs({ endpoint, bucket, ...credentials }: S3Settings): Blobs {
  const agent = new Agent({ connect: { timeout: 10_000 }, headersTimeout: 120_000, bodyTimeout: 120_000 })
  const place = (name: string) => `${endpoint}/${bucket}/${checkedName(name)}`

  /** Throws NoSuchBlob, and Unavailable for all else that is not as it should be. The caller reads the body, or throws it away. */
  async function ask(
    method: 'GET' | 'PUT' | 'DELETE',
    name: string,
    { headers = {}, body }: Asked = {},
  ): Promise<Answer> {
    const unsigned = { ...headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }
    const signed = await new AwsV4Signer({
      ...credentials,
      method,
      url: place(name),
      headers: unsigned,
      service: 's3',
    }).sign()
    const { origin, pathname, search } = signed.url
    const request = {
      origin,
      path: pathname + search,
      method,
      headers: Object.fromEntries(signed.headers),
      body: body ?? null,
    }
    const answer = await agent.request(request).catch((error) => {
      throw failed('could not be reached', error)
    })
    if (answer.statusCode < 300) return answer
    throw refusal(answer.statusCode, await text(answer.body).catch(() => ''))
  }

  return {
    async write(name, content, size) {
      const passing = new Passing(content)
      const sent = ask('PUT', name, {
        headers: { 'content-length': String(size) },
        body: Readable.from(passing.chunks(), { objectMode: false }),
      })
      const { body } = await sent.catch((error) => {
        throw passing.cut ?? error
      })
      await body.dump()
      return { sha256: passing.hash.digest('hex') }
    },
    async read(name, range) {
      const { body } = await ask(
        'GET',
        name,
        range && { headers: { range: `bytes=${range.start}-${range.end}` } },
      )
      return body
    },
    async copy(name, to) {
      const { body } = await ask('PUT', to, {
        headers: { 'content-length': '0', 'x-amz-copy-source': `/${bucket}/${checkedName(name)}` },
      })
      // a copy that fails when it was begun already says so with a 200
      const said = await text(body)
      if (said.includes('<Error>')) throw refusal(200, said)
    },
    async remove(name) {
      const { body } = await ask('DELETE', name).catch((error) => {
        if (error instanceof NoSuchBlob) return { body: null }
        throw error
      })
      await body?.dump()
    },
  }
}

/** Content on its way. That it breaks off is not the store's fault. */
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

/** A bucket that is not there is the operator's affair, and not a file that is gone. */
function refusal(status: number, said: string) {
  const code = /<Code>(\w+)<\/Code>/.exec(said)?.[1] ?? 'no code'
  return code === 'NoSuchKey' ? new NoSuchBlob() : failed(`answered ${status} ${code}`)
}

const failed = (what: string, cause?: unknown) =>
  new ApiError('Unavailable', 'The content of files is out of reach just now', {
    cause: new Error(`The store ${what}`, { cause }),
  })

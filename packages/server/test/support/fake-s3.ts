// A minimal S3-compatible store. It verifies every signature, requires a content length, shows only
// complete objects, and can simulate failures.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { S3Settings } from '../../src/core/config/index.ts'

export interface FakeS3 {
  settings: S3Settings
  objects: Map<string, Buffer>
  /** The error for the next request: a status, or an error inside a 200 as S3 sends it. */
  fail(status: number, code: string): void
  close(): Promise<void>
}

const secretAccessKey = 'the+secret/of=the bucket'
const region = 'eu-north-7'

export async function openFakeS3(): Promise<FakeS3> {
  const objects = new Map<string, Buffer>()
  let failure: { status: number; code: string } | null = null
  const server = createServer(async (request, reply) => {
    const answer = (status: number, body: string | Buffer = '', headers = {}) =>
      void reply.writeHead(status, headers).end(body)
    const refuse = (status: number, code: string) =>
      answer(status, `<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
    try {
      const [, bucket, name = ''] = new URL(request.url!, 'http://s3').pathname.split('/')
      if (request.headers.authorization !== authorizationFor(request))
        return refuse(403, 'SignatureDoesNotMatch')
      if (bucket !== 'the-bucket') return refuse(404, 'NoSuchBucket')
      if (failure) {
        const { status, code } = failure
        failure = null
        return refuse(status, code)
      }
      const source = request.headers['x-amz-copy-source']
      if (request.method === 'PUT' && typeof source === 'string') {
        const content = objects.get(source.replace('/the-bucket/', ''))
        if (!content) return refuse(404, 'NoSuchKey')
        objects.set(name, content)
        return answer(200, '<CopyObjectResult/>')
      }
      if (request.method === 'PUT') {
        if (request.headers['content-length'] === undefined)
          return refuse(411, 'MissingContentLength')
        objects.set(name, await buffer(request))
        return answer(200)
      }
      const content = objects.get(name)
      if (!content) return refuse(404, 'NoSuchKey')
      if (request.method === 'DELETE') {
        objects.delete(name)
        return answer(204)
      }
      const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
      if (start === undefined) return answer(200, content)
      answer(206, content.subarray(Number(start), Number(end) + 1))
    } catch {
      // The body was cut, so store no object.
      reply.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    settings: {
      endpoint,
      region,
      bucket: 'the-bucket',
      accessKeyId: 'the-id',
      secretAccessKey,
    },
    objects,
    fail: (status, code) => {
      failure = { status, code }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Computes a Signature Version 4 for a path that needs no escaping. */
function authorizationFor({ method, url, headers }: IncomingMessage): string {
  const signed = /SignedHeaders=([\w;-]+)/.exec(headers.authorization ?? '')?.[1] ?? ''
  const at = String(headers['x-amz-date'])
  const moment = Date.parse(
    at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
  )
  if (!signed.split(';').includes('host') || !(Math.abs(Date.now() - moment) < 900_000))
    return ''
  const named = signed
    .split(';')
    .map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = [
    method,
    url,
    '',
    named.join(''),
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${at.slice(0, 8)}/${region}/s3/aws4_request`
  const text = [
    'AWS4-HMAC-SHA256',
    at,
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n')
  const key = scope
    .split('/')
    .reduce<Buffer>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      Buffer.from(`AWS4${secretAccessKey}`),
    )
  const signature = createHmac('sha256', key).update(text).digest('hex')
  return `AWS4-HMAC-SHA256 Credential=the-id/${scope}, SignedHeaders=${signed}, Signature=${signature}`
}

// The `fetch` that the packages of providers get. It has fewer steps than Node's: half of the time
// of a call. Requests end with their signal, and redirects are errors, so that a key goes to the
// configured host only.
import { Readable } from 'node:stream'
import { Agent, type Dispatcher } from 'undici'

/** Sends a request; `Outgoing` of the sandbox has the same form, with rules for addresses. */
export type Send = (
  url: string,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
) => Promise<Dispatcher.ResponseData>

interface Transport {
  send: Send
  close(): Promise<void>
}

const connectTimeoutMs = 10_000

/** Without rules for addresses: the operator configures the URLs. */
export function openTransport(): Transport {
  const agent = new Agent({
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs },
  })
  return {
    async send(url, options) {
      const { origin, pathname, search } = new URL(url)
      return agent.request({ ...options, origin, path: pathname + search })
    },
    close: () => agent.destroy(),
  }
}

export const toFetch = (send: Send): typeof fetch =>
  (async (input, init = {}) => {
    const { body, type } = await readBody(init.body)
    const answer = await send(String(input), {
      method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
      headers: { ...toHeaders(init.headers), ...(type && { 'content-type': type }) },
      body,
      signal: init.signal ?? null,
    })
    // An aborted request ends its body with an error, which may have no reader.
    answer.body.on('error', () => {})
    const stream = isEmpty(answer.statusCode) ? null : Readable.toWeb(answer.body)
    return new Response(stream as ConstructorParameters<typeof Response>[0], {
      status: answer.statusCode,
      headers: toHeaders(answer.headers),
    })
  }) as typeof fetch

const isEmpty = (status: number) => status === 204 || status === 304

function toHeaders(headers: unknown): Record<string, string> {
  if (headers instanceof Headers) return Object.fromEntries(headers)
  const entries = Object.entries(
    (headers ?? {}) as Record<string, string | string[] | undefined>,
  )
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  )
}

/** Texts pass unchanged; forms with files are read into memory, and have their own type. */
async function readBody(
  body: unknown,
): Promise<{ body: string | Buffer | null; type: string | null }> {
  if (body === undefined || body === null) return { body: null, type: null }
  if (typeof body === 'string') return { body, type: null }
  const form = new Response(body as ConstructorParameters<typeof Response>[0])
  return {
    body: Buffer.from(await form.arrayBuffer()),
    type: form.headers.get('content-type'),
  }
}

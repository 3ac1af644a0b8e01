// Requests of axios to our API are the same with and without its adapter: on the wire, in their
// responses, and in their errors.
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluate } from './code.ts'
import { settings } from './settings.ts'
import { tune } from './tuned-code.ts'

// biome-ignore lint/suspicious/noExplicitAny: axios comes from a bundle.
type Axios = any
let server: Server
let other: Server
let api: string
let axios: { plain: Axios; tuned: Axios }
let bundle: string
let onSilent = () => {}
const seen: {
  method: string
  url: string
  headers: Record<string, unknown>
  body: string
}[] = []

async function listen(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const made = createServer(respond).listen(0, '127.0.0.1')
  await once(made, 'listening')
  return { made, url: `http://127.0.0.1:${(made.address() as AddressInfo).port}` }
}

const replies: Record<
  string,
  (response: ServerResponse, request: IncomingMessage) => void
> = {
  '/json': (response) =>
    response.writeHead(201, 'Made', { 'x-a': ['1', '2'] }).end('{"a":"ü"}'),
  '/bom': (response) => response.end('\uFEFF{"a":1}'),
  '/empty': (response) => response.writeHead(204).end(),
  '/text': (response) => response.end('not JSON'),
  '/missing': (response) => response.writeHead(404).end('{"code":404}'),
  '/down': (response) => response.writeHead(503).end('down'),
  '/zipped': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":2}')),
  '/moved': (response) => response.writeHead(307, { location: '/json' }).end(),
  '/see': (response) => response.writeHead(303, { location: '/json' }).end(),
  '/circle': (response) => response.writeHead(302, { location: '/circle' }).end(),
  '/unchanged': (response) => response.writeHead(304).end(),
  '/broken': (response) => {
    response.writeHead(200, { 'content-length': '100' }).write('{"a"')
    setTimeout(() => response.destroy(), 20)
  },
  '/invalid': (response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).write('{"a"')
    setTimeout(() => response.socket?.end('not a chunk\r\n'), 20)
  },
  '/closed': (response) => response.destroy(),
  '/stalled': (response) =>
    void response.writeHead(200, { 'content-length': '9' }).write('{'),
  '/silent': () => onSilent(),
  '/long': (response) => response.end('x'.repeat(200_000)),
}

beforeAll(async () => {
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const { method = '', url = '', headers } = request
    seen.push({ method, url, headers: { ...headers, host: '' }, body })
    const reply = replies[new URL(url, api).pathname.replace('/v1', '')]
    reply?.(response, request)
  }
  const [first, second] = await Promise.all([listen(respond), listen(respond)])
  ;[server, other] = [first.made, second.made]
  api = first.url
  settings.apiOrigin = api
  const { outputFiles } = await build({
    stdin: {
      contents: 'export { default } from "axios"; export const handler = () => {}',
      resolveDir: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
    },
    bundle: true,
    platform: 'node',
    target: 'es2020',
    format: 'cjs',
    minify: true,
    keepNames: true,
    write: false,
  })
  bundle = outputFiles[0]!.text
  const load = (isTuned: boolean) =>
    (evaluate([Buffer.from(bundle)], isTuned) as { default: Axios }).default
  axios = { plain: load(false), tuned: load(true) }
  // Its headers are those of the following requests.
  await axios.tuned.get(`${api}/json`)
})

afterAll(() => {
  for (const one of [server, other]) {
    one?.closeAllConnections()
    one?.close()
  }
})

type Options = Record<string, unknown> & { url: string }
/** Whether follow-redirects made the request. */
const isSlow = (
  request: { _redirectable?: unknown; _currentRequest?: unknown } | undefined,
) => !!(request?._redirectable ?? request?._currentRequest)

async function outcome(client: Axios, { url, abort, ...given }: Options) {
  seen.length = 0
  const stop = new AbortController()
  if (abort === 'before') stop.abort()
  onSilent = () => stop.abort()
  const options = {
    url,
    baseURL: `${api}/v1`,
    ...given,
    ...(abort !== undefined && { signal: stop.signal }),
  }
  try {
    const { status, statusText, headers, data, request, config } =
      await client.request(options)
    const { responseUrl } = request.res
    const result = { status, statusText, headers: toText(headers), data, responseUrl }
    return { slow: isSlow(request), result, config: toText(config), seen: [...seen] }
  } catch (error) {
    const { name, message, code, status, config, response, cause } = error as Axios
    const isError = {
      axios: error instanceof client.AxiosError,
      cancel: client.isCancel(error),
    }
    const result = { name, message, code, status, ...isError, cause: cause?.message }
    const { data, headers } = response ?? {}
    return {
      slow: null,
      result: { ...result, data, headers: toText(headers) },
      config: toText(config),
      seen: [...seen],
    }
  }
}
const toText = (value: unknown) =>
  JSON.stringify(value ?? null).replace(/"date":"[^"]*"|"keep-alive":"[^"]*"/g, '')

const post = {
  method: 'post',
  data: { text: 'Grüße', list: [1] },
  headers: { 'X-Own': 'a', authorization: 'Bearer b' },
}

/** `fast`: made without the adapter of axios. */
test.each<[name: string, options: Options, isFast: boolean]>([
  ['JSON with a reply', { url: '/json', ...post, timeout: 5_000 }, true],
  ['GET with a query', { url: '/json?a=b%20c&d=é#e' }, true],
  ['absolute URL', { url: 'API/json', timeout: 0 }, true],
  [
    'text and its type',
    { url: '/text', method: 'put', data: 'x', responseType: 'text' },
    true,
  ],
  ['byte order mark', { url: '/bom' }, true],
  ['no content', { url: '/empty', method: 'delete' }, true],
  [
    'own user agent',
    { url: '/json', headers: { 'User-Agent': 'me', 'Accept-Encoding': 'br' } },
    true,
  ],
  ['no user agent', { url: '/json', headers: { 'User-Agent': false } }, true],
  ['HEAD', { url: '/json', method: 'head' }, true],
  ['no check of the status', { url: '/json', validateStatus: null }, true],
  [
    'limits that hold',
    { url: '/json', ...post, maxBodyLength: 100, maxContentLength: 100 },
    true,
  ],
  [
    'unread compression',
    { url: '/zipped', decompress: false, responseType: 'text' },
    false,
  ],
  ['compression', { url: '/zipped' }, false],
  ['parameters', { url: '/json', params: { a: [1, 2] } }, false],
  ['credentials', { url: '/json', auth: { username: 'ü', password: 'p' } }, false],
  ['bytes', { url: '/json', responseType: 'arraybuffer' }, false],
  ['body of bytes', { url: '/json', method: 'post', data: Buffer.from('a') }, false],
  ['redirect with its body', { url: '/moved', ...post }, false],
  ['redirect to a GET', { url: '/see', ...post }, false],
  [
    'signal that is not used',
    { url: '/json', signal: new AbortController().signal },
    false,
  ],
  ['allowed error', { url: '/missing', validateStatus: () => true }, false],
  ['non-ASCII header', { url: '/json', headers: { 'x-b': 'naïve' } }, false],
])('returns the same response: %s', async (_name, options, isFast) => {
  const given = { ...options, url: options.url.replace('API', `${api}/v1`) }
  const [plain, tuned] = [
    await outcome(axios.plain, given),
    await outcome(axios.tuned, given),
  ]
  expect(plain.slow).toBe(true)
  expect(tuned).toEqual({ ...plain, slow: !isFast })
  expect(seen.length).toBeGreaterThan(0)
})

test.each<[name: string, options: Options, error: Record<string, unknown>]>([
  ['404', { url: '/missing', ...post }, { code: 'ERR_BAD_REQUEST', status: 404 }],
  ['503', { url: '/down' }, { code: 'ERR_BAD_RESPONSE', status: 503 }],
  ['304', { url: '/unchanged' }, { code: 'ERR_BAD_RESPONSE' }],
  ['own check', { url: '/json', validateStatus: () => false }, { status: 201 }],
  [
    'no JSON',
    { url: '/text', responseType: 'json', transitional: { silentJSONParsing: false } },
    { code: 'ERR_BAD_RESPONSE' },
  ],
  ['redirects in a circle', { url: '/circle' }, { code: 'ERR_FR_TOO_MANY_REDIRECTS' }],
  ['no redirects', { url: '/moved', maxRedirects: 0 }, { status: 307 }],
  ['time-out', { url: '/silent', ...post, timeout: 300 }, { code: 'ECONNABORTED' }],
  [
    'clarified time-out',
    { url: '/silent', timeout: 300, transitional: { clarifyTimeoutError: true } },
    { code: 'ETIMEDOUT' },
  ],
  [
    'own text of a time-out',
    { url: '/silent', timeout: 300, timeoutErrorMessage: 'late' },
    { message: 'late' },
  ],
  [
    'time-out within the body',
    { url: '/stalled', timeout: 300 },
    { message: 'stream has been aborted' },
  ],
  [
    'connection that ends early',
    { url: '/broken' },
    { message: 'stream has been aborted' },
  ],
  ['body that is not HTTP', { url: '/invalid' }, { code: 'HPE_INVALID_CHUNK_SIZE' }],
  ['closed connection', { url: '/closed', ...post }, { code: 'ECONNRESET' }],
  [
    'long response',
    { url: '/long', maxContentLength: 1_000 },
    { code: 'ERR_BAD_RESPONSE' },
  ],
  [
    'long request',
    { url: '/json', ...post, maxBodyLength: 3 },
    { code: 'ERR_BAD_REQUEST' },
  ],
  [
    'signal',
    { url: '/silent', abort: 'on arrival' },
    { code: 'ERR_CANCELED', cancel: true },
  ],
  [
    'signal before',
    { url: '/json', abort: 'before' },
    { code: 'ERR_CANCELED', cancel: true },
  ],
  ['header that is not valid', { url: '/json', headers: { 'a b': 'c' } }, {}],
])('throws the same error: %s', async (_name, options, error) => {
  const [plain, tuned] = [
    await outcome(axios.plain, options),
    await outcome(axios.tuned, options),
  ]
  expect(tuned).toEqual(plain)
  expect(tuned.result).toMatchObject(error)
})

test('leaves requests to other servers, and through a proxy, to axios', async () => {
  const { port } = other.address() as AddressInfo
  const elsewhere = { url: '/json', baseURL: `http://127.0.0.1:${port}` }
  expect(await outcome(axios.tuned, elsewhere)).toMatchObject({
    slow: true,
    result: { status: 201 },
  })
  process.env.http_proxy = `http://127.0.0.1:${port}`
  try {
    expect(await outcome(axios.tuned, { url: '/json' })).toMatchObject({ slow: true })
    expect(seen[0]?.url).toMatch(/^http:/)
  } finally {
    delete process.env.http_proxy
  }
  settings.apiOrigin = null
  expect(await outcome(axios.tuned, { url: '/json' })).toMatchObject({ slow: true })
  settings.apiOrigin = api
})

test('a server that does not exist', async () => {
  const closed = await listen(() => {})
  closed.made.close()
  settings.apiOrigin = closed.url
  const given = { url: '/json', baseURL: closed.url, ...post }
  const plain = await outcome(axios.plain, given)
  expect(plain.result).toMatchObject({ code: 'ECONNREFUSED', axios: true })
  expect(await outcome(axios.tuned, given)).toEqual(plain)
  settings.apiOrigin = api
})

test('replaces texts of the same length, and only those of known bundles', () => {
  const tuned = tune(bundle)
  expect(tuned).not.toBe(bundle)
  expect(tuned.length).toBe(bundle.length)
  expect(tuned.split('\n').map((line) => line.length)).toEqual(
    bundle.split('\n').map((line) => line.length),
  )
  expect(tune(tuned)).toBe(tuned)
  // A second copy of axios.
  const twice = tune(`${bundle}\n${bundle}`)
  expect(twice).toContain('$botstead_name')
  expect(twice).not.toContain('$bs_h')
  const helper = 'n=(e,t)=>d(e,"name",{value:t,configurable:!0})'
  for (const code of [
    `exports.a = 'var d=Object.defineProperty;var ${helper};'`,
    `"use strict";var d=Object.defineProperties;var ${helper};`,
    `"use strict";var d=Object.defineProperty;var n=(e,t)=>d(t,"name",{value:t,configurable:!0});`,
    `exports.a = 'transitional:a,adapter:["xhr","http","fetch"],transformRequest:'`,
  ])
    expect(tune(code)).toBe(code)
  const short = `"use strict";var d=Object.defineProperty;var ${helper};exports.a='${helper}'`
  expect(tune(short)).toBe(
    short.replace(
      'd(e,"name",{value:t,configurable:!0})',
      '$botstead_name(e,t)'.padEnd(37),
    ),
  )
})

// Sends the requests of axios to our API without its adapter and follow-redirects, which take a third
// of the time of an SDK bot. Only plain requests with plain responses: the adapter of the bundle makes
// all others. It also gets each request that fails, as it stands, so that errors and redirects are its
// own.
import http, { type ClientRequest, IncomingMessage } from 'node:http'
import { settings } from './settings.ts'

type Adapter = (config: Config) => Promise<unknown>
interface Config extends Record<string, unknown> {
  headers: Headers
  validateStatus?: ((status: number) => boolean) | null
}
/** The headers of axios. */
interface Headers {
  constructor: new (headers: http.IncomingHttpHeaders) => unknown
  has(name: string): boolean
  get(name: string): unknown
  set(name: string, value: string, replaces: false): void
  normalize(): Headers
  toJSON(): Record<string, unknown>
}
/** A request as axios would send it. */
interface Plain {
  config: Config
  url: URL
  method: string
  headers: Record<string, string>
  body: Buffer | null
}
/** The body as far as it has arrived. */
interface Arrived {
  response: IncomingMessage
  chunks: Buffer[]
  /** Of the request, after which no more arrives. */
  error?: Error
}

/** The adapters of axios in the bundle, by name. */
const originals = new Map<unknown, Adapter>()
/** The default headers of axios, which are known after its first request. */
let defaults: [name: string, value: string][] | null = null

/** In place of `Object.defineProperty`, with which axios names its adapters. */
export function noteAdapter(
  adapter: Adapter,
  key: string,
  descriptor: PropertyDescriptor,
): Adapter {
  originals.set(descriptor.value, adapter)
  return Object.defineProperty(adapter, key, descriptor)
}

/** In place of the first adapter, `xhr`, which exists only where code has made XMLHttpRequest. */
export const adaptAxios: Adapter & { toJSON(): string } = Object.assign(
  (config: Config) => {
    const plain = originals.has('xhr') ? null : toPlain(config)
    return plain ? send(plain) : callOriginal(config)
  },
  // As errors of axios show their configuration.
  { toJSON: () => 'xhr' },
)

function callOriginal(config: Config): Promise<unknown> {
  const original = originals.get('xhr') ?? originals.get('http')
  const isNew =
    isFromAxios(config) && !defaultNames.some((name) => config.headers.has(name))
  const response = original!(config)
  if (!isNew) return response
  const found = defaultNames.map((name): [string, unknown] => [
    name,
    config.headers.get(name),
  ])
  if (found.every((header): header is [string, string] => typeof header[1] === 'string'))
    defaults ??= found
  return response
}
const defaultNames = ['User-Agent', 'Accept-Encoding']
/** Code can also call an adapter itself. */
const isFromAxios = ({ headers }: Config) => typeof headers?.toJSON === 'function'

type Check = (value: unknown) => boolean
const any: Check = () => true
const isLimit: Check = (value) => typeof value === 'number' && value >= -1
/** Options that change nothing here, each with its values. Another one leaves the request to axios. */
const options = new Map<string, Check>([
  ...[
    'adapter',
    'axios-retry',
    'baseURL',
    'env',
    'headers',
    'httpAgent',
    'httpsAgent',
    'method',
    'transformRequest',
    'transformResponse',
    'url',
    'withCredentials',
    'xsrfCookieName',
    'xsrfHeaderName',
  ].map((name): [string, Check] => [name, any]),
  ['allowAbsoluteUrls', (value) => value === true],
  ['data', (value) => typeof value === 'string'],
  ['decompress', (value) => typeof value === 'boolean'],
  ['maxBodyLength', isLimit],
  ['maxContentLength', isLimit],
  ['responseType', (value) => value === 'json' || value === 'text'],
  ['timeout', (value) => Number.isInteger(value) && (value as number) >= 0],
  [
    'transitional',
    (value) =>
      !(value as { advertiseZstdAcceptEncoding?: unknown })?.advertiseZstdAcceptEncoding,
  ],
  ['validateStatus', (value) => typeof value === 'function'],
])

/** Returns null for a request that axios must send. */
function toPlain(config: Config): Plain | null {
  if (!defaults || !isFromAxios(config) || usesProxy(config)) return null
  for (const name in config) {
    const value = config[name]
    if (value !== undefined && value !== null && !options.get(name)?.(value)) return null
  }
  const url = toUrl(config)
  if (!url || typeof config.method !== 'string' || config.validateStatus === undefined)
    return null
  const body = config.data ? Buffer.from(config.data as string) : null
  if (body && isOver(body.length, config.maxBodyLength)) return null
  const headers = toHeaders(config.headers.normalize(), body, defaults)
  return headers && { config, url, method: config.method.toUpperCase(), headers, body }
}

const isOver = (bytes: number, max: unknown) =>
  typeof max === 'number' && max > -1 && bytes > max

const proxies = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']

function usesProxy({ httpAgent }: Config): boolean {
  const { options } = (httpAgent ?? http.globalAgent) as {
    options?: { proxyEnv?: unknown }
  }
  return !!options?.proxyEnv || proxies.some((name) => process.env[name])
}

function toUrl({ baseURL, url }: Config): URL | null {
  if (typeof url !== 'string' || !settings.apiOrigin?.startsWith('http:')) return null
  const isRelative = /^\/(?!\/)/.test(url) && typeof baseURL === 'string'
  const text = isRelative ? `${baseURL.replace(/\/+$/, '')}${url}` : url
  if (!text.startsWith(settings.apiOrigin) || !URL.canParse(text)) return null
  const parsed = new URL(text)
  return parsed.origin === settings.apiOrigin && !parsed.username && !parsed.password
    ? parsed
    : null
}

/** Sets the default headers as axios does, also in the configuration. */
function toHeaders(
  headers: Headers,
  body: Buffer | null,
  [agent, encoding]: [name: string, value: string][],
): Plain['headers'] | null {
  headers.set(...agent!, false)
  if (body) headers.set('Content-Length', body.length as unknown as string, false)
  headers.set(...encoding!, false)
  const sent = headers.toJSON()
  for (const name in sent)
    if (!/^[!-~](?:[ -~]*[!-~])?$/.test(String(sent[name]))) return null
  return Object.values(sent).some(Array.isArray) ? null : (sent as Plain['headers'])
}

function send(plain: Plain): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const { config, url, method, headers, body } = plain
    const limit = Number(config.timeout ?? 0)
    let request: ClientRequest
    try {
      request = http.request({
        protocol: url.protocol,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: url.pathname + url.search,
        method,
        headers,
        agent: config.httpAgent as http.Agent | undefined,
      })
    } catch {
      // Nothing was sent. The errors of axios are its own.
      return resolve(callOriginal(config))
    }
    const timer = limit > 0 ? setTimeout(onTimeout, limit) : null
    let arrived: Arrived | null = null
    function onTimeout() {
      request.off('error', onError).on('error', () => {})
      request.destroy()
      if (!arrived) resolve(timeOut(config, request))
    }
    function onError(error: Error) {
      if (timer) clearTimeout(timer)
      request.off('error', onError).on('error', () => {})
      if (arrived) arrived.error = error
      else resolve(replay(config, request, () => request.emit('error', error)))
    }
    request.on('error', onError)
    request.on('response', (response) => {
      if (!isPlain(response)) {
        if (timer) clearTimeout(timer)
        request.off('error', onError)
        return resolve(replay(config, request, (receive) => receive(response)))
      }
      arrived = { response, chunks: [] }
      receive(plain, request, arrived, timer).then(resolve, reject)
    })
    request.end(body ?? undefined)
  })
}

/** Others are redirects or errors, or are decoded. */
const isPlain = ({ statusCode = 0, headers }: IncomingMessage) =>
  statusCode >= 200 && statusCode < 300 && !headers['content-encoding']

function receive(
  { config, url }: Plain,
  request: ClientRequest,
  arrived: Arrived,
  timer: NodeJS.Timeout | null,
): Promise<unknown> {
  const { response, chunks } = arrived
  let bytes = 0
  return new Promise((resolve) => {
    // The limit is now between two parts of the body.
    timer?.refresh()
    const giveUp = () => {
      if (timer) clearTimeout(timer)
      response.off('end', finish).off('aborted', giveUp).off('data', take)
      resolve(replay(config, request, (receive) => repeatBody(arrived, request, receive)))
    }
    const take = (chunk: Buffer) => {
      timer?.refresh()
      chunks.push(chunk)
      bytes += chunk.length
      if (!isOver(bytes, config.maxContentLength)) return
      giveUp()
      response.destroy()
    }
    const finish = () => {
      if (timer) clearTimeout(timer)
      const { validateStatus, headers } = config
      if (validateStatus && !validateStatus(response.statusCode!)) return giveUp()
      const { origin, pathname, search } = url
      Object.assign(response, { responseUrl: origin + pathname + search, redirects: [] })
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve({
        status: response.statusCode,
        statusText: response.statusMessage,
        headers: new headers.constructor(response.headers),
        config,
        request,
        data: body.toString().replace(/^\uFEFF/, ''),
      })
    }
    response
      .on('data', take)
      .on('end', finish)
      .on('aborted', giveUp)
      .on('error', () => {})
  })
}

/**
 * Lets axios and follow-redirects continue a request that was sent: the next one that they make,
 * at once, is this one. Then `go` gives them its end.
 */
function replay(
  config: Config,
  request: ClientRequest,
  go: (receive: (response: IncomingMessage) => void) => void,
): Promise<unknown> {
  const { request: make } = http
  const sent = toSent(request)
  http.request = ((_options: unknown, receive: (response: IncomingMessage) => void) => {
    process.nextTick(() => go(receive))
    return sent
  }) as unknown as typeof http.request
  try {
    return callOriginal(config)
  } finally {
    http.request = make
  }
}

/** The request, which takes no second body. */
const toSent = (request: ClientRequest) =>
  Object.assign(request, { write: () => true, end: () => request })

/** A response that ends early, after the same body. */
function repeatBody(
  { response, chunks, error }: Arrived,
  request: ClientRequest,
  receive: (response: IncomingMessage) => void,
): void {
  const { statusCode, statusMessage, headers, rawHeaders, complete, socket } = response
  const repeated = new IncomingMessage(socket)
  Object.assign(repeated, { statusCode, statusMessage, headers, rawHeaders, complete })
  Object.assign(repeated, { req: request })
  receive(repeated)
  for (const chunk of chunks) repeated.push(chunk)
  if (complete) repeated.push(null)
  else
    setImmediate(() => (error ? request.emit('error', error) : repeated.emit('aborted')))
}

/** Axios creates its error for a request that is over its limit of time at once. */
function timeOut(config: Config, request: ClientRequest): Promise<unknown> {
  const over = toSent(request)
  over.setTimeout = (_milliseconds: number, callback?: () => void) => {
    if (callback) process.nextTick(callback)
    return over
  }
  config.transport = { request: () => over }
  try {
    return callOriginal(config)
  } finally {
    delete config.transport
  }
}

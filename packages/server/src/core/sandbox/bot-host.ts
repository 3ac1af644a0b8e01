// Runs INSIDE the child process and loads the code of a bot or an integration. The server passes
// this file to `node` on stdin, because the child may be unable to read files. So this is a single
// file that imports only built-in modules. File descriptor 3 is the socket to the server; stdout and
// stderr belong to the hosted code. This file is not a security boundary: hosted code can change
// everything here, so the server validates all output.
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'
import http, { type ClientRequest } from 'node:http'
import https from 'node:https'
import { createRequire, isBuiltin, syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import os from 'node:os'
import { StringDecoder } from 'node:string_decoder'
import tls from 'node:tls'
import v8 from 'node:v8'
import vm from 'node:vm'
import type { EgressSocketInside, FromHost, SentResponse, ToHost } from './runner/frames.ts'
import type { HandlerRequest } from './sandbox.ts'

/** `deadline`: by this process's clock. */
type Invoke = ToHost & { type: 'invoke' } & { deadline: number }
type Handler = (request: HandlerRequest, context: ServerlessContext) => unknown

/**
 * The second argument of a serverless handler. Agents (`@botpress/runtime`) read it. It has no
 * `client`: SDK bots would use it in place of the client that they create themselves.
 */
interface ServerlessContext {
  functionName: string
  functionVersion: string
  memoryLimitInMB: string
  getRemainingTimeInMillis(): number
  /** Aborts when the user stops the answer. */
  readonly signal: AbortSignal
}

const causeHeader = 'x-botstead-cause'
const fenceHeader = 'x-botstead-fence'
/**
 * Headers that each call to our API carries: the causing event or message, the worker's fence, and
 * the trace.
 */
type Marks = [name: string, value: string][]
/**
 * The current invocation. Log lines are attributed to its number. There is only one store, because
 * each AsyncLocalStorage slows down every callback.
 */
const invocations = new AsyncLocalStorage<Invocation>()

interface Invocation {
  id: number
  marks: Marks
  stop: Stop
  /** The log entry of the error that the SDK's response hides. */
  hiddenError?: string
}

/** Creates its controller when it is needed: one takes five microseconds. */
class Stop {
  #controller: AbortController | null = null

  get controller(): AbortController {
    this.#controller ??= new AbortController()
    return this.#controller
  }
}
/** Of the running invocations, by number. */
const stops = new Map<number, Stop>()
const socket = new net.Socket({ fd: 3, readable: true, writable: true })
let apiOrigin: string | null = null
let handler: Handler = () => undefined
let responseBytes = 0
let memoryMb = 0
let functionName = 'botstead'

function send(message: FromHost): void {
  const text = JSON.stringify(message)
  const length = Buffer.byteLength(text)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeUInt32BE(length)
  frame.write(text, 4)
  socket.write(frame)
}

function listen(): void {
  let chunks: Buffer[] = []
  let size = 0
  let wanted = 4
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size < wanted) return
    let buffered = Buffer.concat(chunks)
    for (;;) {
      const length = buffered.length < 4 ? 0 : buffered.readUInt32BE()
      wanted = 4 + (length & 0x7fff_ffff)
      if (buffered.length < 4 || buffered.length < wanted) break
      const frame = buffered.subarray(4, wanted)
      buffered = buffered.subarray(wanted)
      if (length > 0x7fff_ffff) receivePiece(frame.readUInt32BE(), frame.subarray(4))
      else receive(JSON.parse(frame.toString('utf8')))
    }
    chunks = [buffered]
    size = buffered.length
  })
  // The server has closed the connection.
  for (const event of ['end', 'close', 'error']) socket.on(event, () => process.exit(0))
}

/** Reports the cause before the process exits; the server itself sees only the exit code. */
process.on('uncaughtExceptionMonitor', (error, origin) => {
  if (error !== forgetting)
    send({
      type: 'dying',
      message:
        `${origin === 'unhandledRejection' ? 'unhandled rejection' : 'uncaught'}: ${describe(error)}`.slice(
          0,
          10_000,
        ),
    })
})

const forgetting = new Error('Stopped code')

/**
 * Lets bots that interrupt slow user code reset Node's async context tracking. With
 * AsyncLocalStorage, Node keeps a stack of async contexts. Interrupting a loop behind an `await`
 * corrupts it, and Node aborts the process when it detects that. Only an uncaught exception makes
 * Node start a new stack.
 */
function offerToForget(): void {
  const { _fatalException: handle } = process as {
    _fatalException?: (error: Error, isRejection: boolean) => void
  }
  const value = () => {
    if (!handle || process.hasUncaughtExceptionCaptureCallback()) return
    process.setUncaughtExceptionCaptureCallback(() => {})
    handle.call(process, forgetting, false)
    process.setUncaughtExceptionCaptureCallback(null)
  }
  Object.defineProperty(globalThis, Symbol.for('botstead.forgetContexts'), { value })
}

function receive(message: ToHost): void {
  if (message.type === 'load') load(message)
  else if (message.type === 'compile') compile()
  else if (message.type === 'cancel') stops.get(message.id)?.controller.abort()
  else begin({ ...message, deadline: performance.now() + message.timeoutMs })
}

function begin(message: Invoke): void {
  if (message.inPieces)
    bodies.set(message.id, { message, texts: [], decoder: new StringDecoder('utf8') })
  else invoke(message)
}

function invoke(message: Invoke): void {
  const { id, deadline } = message
  const stop = new Stop()
  stops.set(id, stop)
  void invocations.run({ id, marks: marksOf(message), stop }, async () => {
    await answer(message, contextUntil(deadline, stop))
    stops.delete(id)
  })
}

/** The signal of the current invocation, for code that does not get the context. */
function offerSignal(): void {
  const get = () => invocations.getStore()?.stop.controller.signal
  Object.defineProperty(globalThis, Symbol.for('botstead.signal'), { get })
}

const contextUntil = (deadline: number, stop: Stop): ServerlessContext => ({
  get signal() {
    return stop.controller.signal
  },
  functionName,
  functionVersion: '$LATEST',
  memoryLimitInMB: String(memoryMb),
  getRemainingTimeInMillis: () => Math.max(0, Math.floor(deadline - performance.now())),
})

interface Arriving {
  message: Invoke
  texts: string[]
  decoder: StringDecoder
}
const bodies = new Map<number, Arriving>()
/** As in frames.ts. */
const attachmentOf = 0
/** Of the next message: the code and, if known, the compiled code. */
let attachments: Buffer[] = []

/**
 * Decodes pieces as they arrive, so that bytes and text are never both held in full. An empty piece
 * ends the body.
 */
function receivePiece(id: number, piece: Buffer): void {
  if (id === attachmentOf) return void attachments.push(piece)
  const arriving = bodies.get(id)
  if (!arriving) return
  const { message, texts, decoder } = arriving
  if (piece.length > 0) return void texts.push(decoder.write(piece))
  bodies.delete(id)
  const body = [...texts.splice(0), decoder.end()].join('')
  invoke({ ...message, request: { ...message.request, body } })
}

function marksOf({ cause, fence, request: { headers } }: Invoke): Marks {
  const { traceparent, tracestate } = headers
  const given: [string, string | null | undefined][] = [
    [causeHeader, cause],
    [fenceHeader, fence],
    ['traceparent', traceparent],
    ['tracestate', tracestate],
  ]
  return given.filter((mark): mark is [string, string] => !!mark[1])
}

const newline = 10
function lastOf(chunk: unknown) {
  if (typeof chunk === 'string') return chunk.charCodeAt(chunk.length - 1) || undefined
  return chunk instanceof Uint8Array ? chunk.at(-1) : undefined
}

/**
 * Prefixes each line with the number of the invocation that writes it, or with an empty mark;
 * logs.ts removes the prefix. On stderr every write has a mark, so that logs.ts detects where an
 * entry begins.
 */
function markLines(): void {
  for (const stream of [process.stdout, process.stderr]) {
    const plain = stream.write.bind(stream) as (chunk: unknown, ...rest: unknown[]) => boolean
    let [atStart, last] = [true, 0]
    stream.write = (chunk: unknown, ...rest: unknown[]) => {
      const invocation = invocations.getStore()
      const id = invocation?.id ?? 0
      if (invocation && typeof chunk === 'string' && chunk.includes(hidingMessage))
        invocation.hiddenError = chunk
      if (atStart && (id || last || stream === process.stderr)) plain(`\u001e${id || ''}\u001e`)
      if (atStart) last = id
      const end =
        typeof chunk === 'string' && typeof rest[0] === 'string'
          ? Buffer.from(chunk, rest[0] as BufferEncoding).at(-1)
          : lastOf(chunk)
      if (end !== undefined) atStart = end === newline
      return plain(chunk, ...rest)
    }
  }
}

function load(message: ToHost & { type: 'load' }): void {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, message.environment)
  responseBytes = message.responseBytes
  memoryMb = message.memoryMb
  functionName = message.environment.AWS_LAMBDA_FUNCTION_NAME ?? functionName
  apiOrigin = originOf(message.environment.BP_API_URL)
  if (message.egressSocket) goThrough(message.egressSocket)
  try {
    const found = findHandler(evaluate())
    if (found) handler = found
    send(
      found
        ? { type: 'loaded' }
        : {
            type: 'not-loaded',
            reason: 'no-code',
            message: 'The code exports no function named "handler"',
          },
    )
  } catch (error) {
    send({
      type: 'not-loaded',
      reason: 'crash',
      message: `The code cannot be loaded: ${describe(error)}`,
    })
  }
}

function evaluate(): unknown {
  const builtin = createRequire('file:///bot.cjs')
  const require = (name: string) => {
    if (isBuiltin(name)) return builtin(name)
    throw Object.assign(
      new Error(
        `Cannot find module '${name}': hosted code is one file, with its dependencies bundled`,
      ),
      { code: 'MODULE_NOT_FOUND' },
    )
  }
  const module = { exports: {} as unknown }
  const run = createScript().runInThisContext() as (...parameters: unknown[]) => void
  run.call(
    module.exports,
    module.exports,
    Object.assign(require, { resolve: (name: string) => name, cache: {} }),
    module,
    '/bot.cjs',
    '/',
  )
  return module.exports
}

const before = '(function (exports, require, module, __filename, __dirname) {'

/**
 * Creates a script of the attached code. V8 rejects cached data that belongs to another source text
 * and compiles normally.
 */
function createScript(): vm.Script {
  const [code = '', cachedData] = attachments
  attachments = []
  return new vm.Script(`${before}${String(code).replace(/^#!.*/, '')}\n})`, {
    filename: 'bot.cjs',
    columnOffset: -before.length,
    ...(cachedData && { cachedData }),
    importModuleDynamically: vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
}

/**
 * Compiles all functions eagerly. Restores the default flags first: V8 accepts cached data only
 * under equal flags.
 */
function compile(): void {
  v8.setFlagsFromString('--no-lazy')
  const script = createScript()
  v8.setFlagsFromString('--lazy')
  send({ type: 'compiled', compiled: script.createCachedData().toString('base64') })
}

/**
 * Replaces `os.userInfo`: the process's user may be missing from /etc/passwd, or may be the
 * operator.
 */
function nameUser(): void {
  const { uid, gid } = { uid: process.getuid?.() ?? -1, gid: process.getgid?.() ?? -1 }
  const userInfo = (options?: { encoding?: string }) => {
    const text = (value: string) => (options?.encoding === 'buffer' ? Buffer.from(value) : value)
    return { uid, gid, username: text('bot'), homedir: text(os.homedir()), shell: null }
  }
  Object.assign(os, { userInfo })
}

/**
 * Replaces `process.memoryUsage` where the process has no /proc, from which Node reads the resident
 * memory: the maximum so far takes its place.
 */
function measureWithoutProc(): void {
  try {
    process.memoryUsage.rss()
    return
  } catch {
    // No /proc.
  }
  const rss = () => process.resourceUsage().maxRSS * 1024
  const memoryUsage = () => {
    const { total_heap_size, used_heap_size, external_memory } = v8.getHeapStatistics()
    return {
      rss: rss(),
      heapTotal: total_heap_size,
      heapUsed: used_heap_size,
      external: external_memory,
      arrayBuffers: 0,
    }
  }
  process.memoryUsage = Object.assign(memoryUsage, { rss })
}

/** Loads the modules that bundles commonly import, while the process is idle. */
function loadAhead(): void {
  const builtin = createRequire('file:///bot.cjs')
  for (const name of [
    'assert',
    'crypto',
    'http2',
    'os',
    'querystring',
    'stream',
    'string_decoder',
    'timers/promises',
    'tty',
    'url',
    'util',
    'zlib',
  ])
    builtin(name)
}

function findHandler(exported: unknown): Handler | null {
  for (const owner of [exported, (exported as { default?: unknown } | null)?.default]) {
    const found = (owner as { handler?: unknown } | null | undefined)?.handler
    if (typeof found === 'function')
      return (request, context) => found.call(owner, request, context)
  }
  return null
}

async function answer({ id, request }: Invoke, context: ServerlessContext): Promise<void> {
  const response = await respond(request, context)
  const bytes = Buffer.byteLength(response.body)
  if (bytes <= responseBytes) send({ type: 'answered', id, response })
  else
    send({
      type: 'too-large',
      id,
      message: `The response has ${bytes} bytes; the limit is ${responseBytes}`,
    })
}

/** Applies the defaults of the SDK's own HTTP server, and its response to a thrown error. */
async function respond(request: HandlerRequest, context: ServerlessContext): Promise<SentResponse> {
  try {
    const result = ((await handler(request, context)) ?? {}) as {
      status?: unknown
      headers?: unknown
      body?: unknown
    }
    return {
      status: validStatus(result.status ?? 200),
      headers: textHeaders(result.headers),
      ...withHiddenError(request, bodyOf(result.body ?? emptyBody(request))),
    }
  } catch (error) {
    console.error(error)
    return {
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ error: describe(error), ...stackOf(error) }),
      threw: true,
    }
  }
}

/**
 * The response to a third party stays empty: some send any text on to people. Other responses are
 * read as JSON.
 */
const emptyBody = ({ headers }: HandlerRequest) =>
  headers['x-bp-operation'] === 'webhook_received' ? '' : '{}'

/** The SDK's response to an unexpected error of a bot. It logs the error behind this text. */
const hidingMessage = 'An unexpected error occurred in the bot.'

/**
 * Puts the error into the response, without its stack. Only for events and `register`: their
 * responses are for the server, those of actions are for the caller.
 */
function withHiddenError(
  { headers }: HandlerRequest,
  response: Pick<SentResponse, 'body' | 'base64'>,
): Pick<SentResponse, 'body' | 'base64'> {
  const logged = invocations.getStore()?.hiddenError
  const operation = headers['x-bp-operation']
  if (!logged || (operation !== 'event_received' && operation !== 'register')) return response
  try {
    const reply = JSON.parse(response.body)
    if (reply.message !== hidingMessage) return response
    const text: string = logged.startsWith('{') ? JSON.parse(logged).msg : logged
    const [error] = text
      .slice(text.indexOf(hidingMessage) + hidingMessage.length)
      .split('\n    at ')
    const message = error?.trim() || hidingMessage
    return { body: JSON.stringify({ ...reply, message }) }
  } catch {
    return response
  }
}

function validStatus(status: unknown): number {
  if (Number.isInteger(status) && (status as number) >= 200 && (status as number) <= 599)
    return status as number
  throw new TypeError(
    `The handler returned the status ${String(status)}: return an integer from 200 to 599`,
  )
}

function textHeaders(given: unknown): Record<string, string> {
  const entries = Object.entries((given ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    entries
      .filter(([, value]) => value !== undefined && value !== null)
      .map(([name, value]) => [name, String(value)]),
  )
}

/** Encodes bytes as base64, because frames are JSON text. */
function bodyOf(body: unknown): Pick<SentResponse, 'body' | 'base64'> {
  if (typeof body === 'string') return { body }
  return body instanceof Uint8Array
    ? { body: Buffer.from(body).toString('base64'), base64: true }
    : { body: JSON.stringify(body) }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/** The stack is shown only to the bot's owner. */
const stackOf = (error: unknown) =>
  error instanceof Error && typeof error.stack === 'string'
    ? { stack: error.stack.slice(0, 20_000) }
    : {}

/** Caches the last URL, because most calls of `http` go to the same URL. */
let lastUrl: { text: string; origin: string | null } = { text: '', origin: null }

function originOf(url: unknown): string | null {
  const text = String(url)
  if (text !== lastUrl.text)
    lastUrl = { text, origin: URL.canParse(text) ? new URL(text).origin : null }
  return lastUrl.origin
}

/**
 * Adds the invocation's headers to every call to our API, with any HTTP client; calls to other
 * servers stay unchanged.
 */
function markCalls(): void {
  for (const module of [http, https]) markRequests(module)
  syncBuiltinESMExports()
  markFetch()
  // Covers bundled copies of undici and clients built on it.
  subscribe('undici:request:create', (message) => {
    const { request } = message as {
      request: { origin: unknown; headers: unknown; addHeader(name: string, value: string): void }
    }
    const present = String(request.headers).toLowerCase()
    mark(request.origin, {
      has: (name) => present.includes(name),
      set: (name, value) => request.addHeader(name, value),
    })
  })
}

/**
 * Adds the headers to a call to our API. Code that does its own tracing keeps its `traceparent` and
 * `tracestate`.
 */
function mark(
  url: unknown,
  headers: { has(name: string): boolean; set(name: string, value: string): void },
): void {
  const ours = invocations.getStore()?.marks ?? []
  if (ours.length === 0 || originOf(url) !== apiOrigin) return
  const tracesItself = headers.has('traceparent')
  for (const [name, value] of ours)
    if (name.startsWith('x-botstead-') ? !headers.has(name) : !tracesItself)
      headers.set(name, value)
}

function markRequests(module: typeof http | typeof https): void {
  const plain = module.request as (...parameters: unknown[]) => ClientRequest
  const request = (...parameters: unknown[]) => {
    const made = plain(...parameters)
    const headers = {
      has: (name: string) => made.hasHeader(name),
      set: (name: string, value: string) => void made.setHeader(name, value),
    }
    if (!made.headersSent) mark(`${made.protocol}//${made.getHeader('host')}`, headers)
    return made
  }
  const get = (...parameters: unknown[]) => {
    const made = request(...parameters)
    made.end()
    return made
  }
  Object.assign(module, { request, get })
}

function markFetch(): void {
  const plain = globalThis.fetch
  globalThis.fetch = (input, init) => {
    const original = input instanceof Request ? input : null
    if (!invocations.getStore()?.marks.length || originOf(original?.url ?? input) !== apiOrigin)
      return plain(input, init)
    const headers = new Headers(init?.headers ?? original?.headers)
    mark(original?.url ?? input, headers)
    return plain(input, { ...init, headers })
  }
}

/**
 * Routes connections through the egress socket (egress.ts). A process without network routes all
 * connections, any other only those to our API. The API identifies the process by this socket.
 * Every HTTP client calls one of the two functions that are replaced here.
 */
function goThrough({ path, isOnlyWay }: EgressSocketInside): void {
  const isDirect = (options: Connect['options']) => options.path || !(isOnlyWay || isApi(options))
  const connect = net.Socket.prototype.connect as (
    this: net.Socket,
    ...parameters: unknown[]
  ) => net.Socket
  const connectSecurely = tls.connect as (...parameters: unknown[]) => tls.TLSSocket
  function through(this: net.Socket, ...parameters: unknown[]): net.Socket {
    const { options, listener } = readConnect(parameters)
    if (isDirect(options)) return connect.apply(this, parameters)
    connect.call(this, { ...options, path }, ...(listener ? [listener] : []))
    knock(this, { host: String(options.host || 'localhost'), port: Number(options.port) })
    return this
  }
  net.Socket.prototype.connect = through as typeof net.Socket.prototype.connect
  tls.connect = ((...parameters: unknown[]) => {
    const { options, listener } = readConnect(parameters)
    if (options.path || options.socket || !isOnlyWay) return connectSecurely(...parameters)
    // Pass an unconnected socket, so that TLS starts only after the egress socket has replied.
    const plain = new net.Socket()
    const secure = connectSecurely({ ...options, socket: plain }, ...(listener ? [listener] : []))
    if (options.timeout) secure.setTimeout(Number(options.timeout))
    secure.once('close', () => plain.destroy())
    plain.connect({ host: String(options.host || 'localhost'), port: Number(options.port) })
    return secure
  }) as typeof tls.connect
  syncBuiltinESMExports()
}

function isApi({ host, port }: Connect['options']): boolean {
  if (!apiOrigin?.startsWith('http:')) return false
  const api = new URL(apiOrigin)
  return (
    Number(api.port || 80) === Number(port) &&
    (host || 'localhost') === api.hostname.replace(/^\[(.*)\]$/, '$1')
  )
}

interface Connect {
  options: Record<string, unknown>
  listener: unknown
}

/**
 * Parses the argument forms of Node's `connect`, including `(options, listener)`,
 * `(port, host, options, listener)`, `(path, listener)` and an array of options and listener.
 */
function readConnect(parameters: unknown[]): Connect {
  const [first, second] = parameters
  if (Array.isArray(first)) return { options: first[0], listener: first[1] }
  const listener = parameters.findLast((one) => typeof one === 'function')
  const given = parameters.find((one) => typeof one === 'object' && one !== null) ?? {}
  if (first === given) return { options: first as Connect['options'], listener }
  const isPath = typeof first === 'string' && !(Number(first) >= 0)
  return {
    options: {
      ...given,
      ...(isPath
        ? { path: first }
        : { port: first, ...(typeof second === 'string' && { host: second }) }),
    },
    listener,
  }
}

/** Sends the target to the egress socket, and delays the `connect` event until it has replied. */
function knock(socket: net.Socket, target: { host: string; port: number }): void {
  const emit = socket.emit as (...event: unknown[]) => boolean
  const { push } = socket
  let reply = Buffer.alloc(0)
  const release = () => Object.assign(socket, { emit, push })
  socket.emit = (name: string, ...values: unknown[]) => {
    if (name === 'ready') return true
    if (name !== 'connect') return emit.call(socket, name, ...values)
    // Written directly: the code's own writes are queued until `connect`.
    socket._write(`${JSON.stringify(target)}\n`, 'latin1', () => {})
    socket._read(0)
    return true
  }
  socket.push = (chunk: Buffer | null) => {
    reply = chunk ? Buffer.concat([reply, chunk]) : reply
    const end = reply.indexOf('\n')
    if (chunk && end < 0) return true
    release()
    const { code, message, wait } = chunk
      ? JSON.parse(reply.toString('utf8', 0, end))
      : { code: 'ECONNRESET', message: 'The connection was closed' }
    if (code) {
      socket.destroy(
        Object.assign(new Error(message), {
          code,
          syscall: 'connect',
          address: target.host,
          port: target.port,
        }),
      )
      return false
    }
    if (wait) socket._write('\n', 'latin1', () => {})
    emit.call(socket, 'connect')
    emit.call(socket, 'ready')
    return end + 1 < reply.length ? socket.push(reply.subarray(end + 1)) : true
  }
}

nameUser()
markCalls()
markLines()
offerToForget()
measureWithoutProc()
offerSignal()
listen()
loadAhead()
send({ type: 'ready' })

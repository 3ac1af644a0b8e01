// Routes connections of the code through the egress socket (egress.ts).
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import type { EgressSocketInside } from '../runner/frames.ts'
import { settings } from './settings.ts'

/**
 * Routes connections through the egress socket (egress.ts). A process without network routes all
 * connections, any other only those to our API. The API identifies the process by this socket.
 * Every HTTP client calls one of the two functions that are replaced here.
 */
export function goThrough({ path, isOnlyWay }: EgressSocketInside): void {
  const isDirect = (options: Connect['options']) =>
    options.path || !(isOnlyWay || isApi(options))
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
    if (options.path || options.socket || !isOnlyWay)
      return connectSecurely(...parameters)
    // Pass an unconnected socket, so that TLS starts only after the egress socket has replied.
    const plain = new net.Socket()
    const secure = connectSecurely(
      { ...options, socket: plain },
      ...(listener ? [listener] : []),
    )
    if (options.timeout) secure.setTimeout(Number(options.timeout))
    secure.once('close', () => plain.destroy())
    plain.connect({
      host: String(options.host || 'localhost'),
      port: Number(options.port),
    })
    return secure
  }) as typeof tls.connect
  syncBuiltinESMExports()
}

function isApi({ host, port }: Connect['options']): boolean {
  if (!settings.apiOrigin?.startsWith('http:')) return false
  const api = new URL(settings.apiOrigin)
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

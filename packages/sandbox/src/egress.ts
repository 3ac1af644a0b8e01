// Network access for hosted code in a namespace without a network. Each process gets a Unix socket,
// its egress socket, and sends the target of each connection as the first line (bot-host.ts).
// Connections to our own API are handed to the HTTP server directly. For other targets, this module
// resolves the name, checks the addresses, and connects to exactly those addresses. The namespace
// has no other way out.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  rmSync,
} from 'node:fs'
import { connect, createServer, isIP, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { lookUpWithin } from '@botstead/lib'

export interface EgressOptions {
  /** The URLs of our API that hosted code and other clients use. */
  apiUrls: () => string[]
  /**
   * Handles a connection to our API. `processName` is unique per process and equal for all its
   * connections.
   */
  serve: (socket: Socket, processName: string) => void
  /** Returns whether hosted code may connect to this address. */
  reach: (address: string) => boolean
}

export interface Egress {
  /** Opens a socket for one process; `user` becomes the owner of the socket file. */
  open(user: number | null): EgressSocket
  close(): void
}
interface EgressSocket {
  path: string
  close(): void
}

interface Target {
  host: string
  port: number
}

/** Equals the limit of open files per process (isolation.ts). */
const maxConnections = 256
const maxTargetBytes = 1024
const timeoutMs = 10_000

export function createEgress(options: EgressOptions): Egress {
  removeLeftovers()
  let folder = makeFolder()
  const egressSockets = new Set<EgressSocket>()
  return {
    open(user) {
      // Cleaners of temporary folders delete empty ones.
      if (!existsSync(folder)) folder = makeFolder()
      const egressSocket = openEgressSocket(
        join(folder, randomBytes(9).toString('base64url')),
        user,
        options,
      )
      egressSockets.add(egressSocket)
      return {
        path: egressSocket.path,
        close() {
          egressSockets.delete(egressSocket)
          egressSocket.close()
        },
      }
    },
    close() {
      for (const egressSocket of egressSockets) egressSocket.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates a folder that other users may traverse but not list. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711)
  return folder
}

function openEgressSocket(
  path: string,
  user: number | null,
  options: EgressOptions,
): EgressSocket {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    readTarget(socket, (target) => admit(socket, target, path, options))
  })
  server.maxConnections = maxConnections
  server.on('error', () => {})
  server.listen(path)
  chmodSync(path, 0o600)
  if (user !== null) chownSync(path, user, user)
  return {
    path,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

/**
 * Reads the first line, the target `{"host","port"}` as JSON. The client must not send more before
 * the reply.
 */
function readTarget(socket: Socket, go: (target: Target) => void): void {
  let line = ''
  const receive = (chunk: Buffer) => {
    line += chunk.toString('latin1')
    if (line.length > maxTargetBytes) return void socket.destroy()
    if (!line.includes('\n')) return
    const target = parseTarget(line)
    if (!target) return void socket.destroy()
    socket.off('data', receive).setTimeout(0).off('timeout', giveUp)
    go(target)
  }
  const giveUp = () => socket.destroy()
  socket.on('data', receive).setTimeout(timeoutMs, giveUp)
}

function parseTarget(line: string): Target | null {
  try {
    const { host, port } = JSON.parse(line)
    const fits =
      typeof host === 'string' &&
      /^[\w.:%[\]-]{1,253}$/.test(host) &&
      Number.isInteger(port) &&
      port > 0 &&
      port < 65_536
    return fits ? { host: host.replace(/^\[(.*)\]$/, '$1'), port } : null
  } catch {
    return null
  }
}

function admit(
  socket: Socket,
  target: Target,
  processName: string,
  { apiUrls, serve, reach }: EgressOptions,
): void {
  const ours = apiUrls()
    .map((url) => new URL(url))
    .find((url) => isAt(url, target))
  if (ours?.protocol === 'http:') {
    socket.write('{}\n')
    serve(socket, processName)
  } else goOut(socket, target, ours ? () => true : reach)
}

function isAt({ hostname, port: given, protocol }: URL, { host, port }: Target): boolean {
  const name = hostname.replace(/^\[(.*)\]$/, '$1')
  const isNamed =
    host.toLowerCase() === name || (host === 'localhost' && /^(127\.|::1$)/.test(name))
  return isNamed && port === Number(given || (protocol === 'http:' ? 80 : 443))
}

function goOut(
  socket: Socket,
  { host, port }: Target,
  reach: EgressOptions['reach'],
): void {
  if (isIP(host) && !reach(host)) {
    refuse(socket, forbidden(host))
    return
  }
  socket.pause()
  const there = connect({
    host,
    port,
    lookup: lookUpWithin(reach, forbidden),
    allowHalfOpen: true,
  })
  const fail = (error: NodeJS.ErrnoException) => refuse(socket, error)
  there.setTimeout(timeoutMs, () =>
    there.destroy(
      Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), {
        code: 'ETIMEDOUT',
      }),
    ),
  )
  socket.once('close', () => there.destroy())
  there.once('error', fail)
  there.once('connect', () => {
    there.setTimeout(0).off('error', fail)
    there.on('error', () => {})
    socket.write('{"wait":true}\n')
    whenReady(socket, () => {
      pipeline(socket, there, () => {})
      pipeline(there, socket, () => {})
    })
  })
}

/**
 * Calls `go` after the client has confirmed our reply with a newline; otherwise data from the
 * target could arrive together with the reply, and the client would lose it.
 */
function whenReady(socket: Socket, go: () => void): void {
  socket.once('data', (chunk) => {
    socket.pause()
    if (chunk.length > 1) socket.unshift(chunk.subarray(1))
    go()
  })
  socket.resume()
}

const forbidden = (host: string) =>
  Object.assign(
    new Error(
      `connect EACCES ${host}: hosted code may not connect to this address (see BOTSTEAD_BOT_NETWORK)`,
    ),
    { code: 'EACCES' },
  )

function refuse(socket: Socket, { code, message }: NodeJS.ErrnoException): void {
  socket.end(`${JSON.stringify({ code: code ?? 'ECONNREFUSED', message })}\n`)
}

const prefix = 'botstead-egress-'

/** Removes the folders of servers that were killed. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) && Number(name.slice(prefix.length).split('-')[0])
    if (!pid || isAlive(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Owned by another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

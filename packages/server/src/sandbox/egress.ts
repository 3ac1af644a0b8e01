// The way out for hosted code that has no network of its own: each process gets a socket in the file system, its door, and says at each connection where it
// wants to go (bot-host.ts). Our own API is answered on the spot, without another hop; everywhere else names are looked up here, the addresses are checked,
// and those very addresses are connected to. Who does not ask gets nowhere: there is no other way out of the namespace.
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect, createServer, isIP, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { lookUpWithin } from '../lib/names.ts'

export interface EgressOptions {
  /** Where our API is, as hosted code and other clients are told. */
  apiUrls: () => string[]
  /** Takes over a connection to our API; `processName` is the same for all connections of one process, and of that process alone. */
  serve: (socket: Socket, processName: string) => void
  /** Whether hosted code may connect to this address. */
  reach: (address: string) => boolean
}

export interface Egress {
  /** A door for one process, and for this user where one is named. */
  open(user: number | null): Door
  close(): void
}
export interface Door {
  path: string
  close(): void
}

interface Target {
  host: string
  port: number
}

/** As many as a process may have open files (way.ts). */
const connectionsMost = 256
const targetBytesMost = 1024
const patienceMs = 10_000

export function createEgress(options: EgressOptions): Egress {
  removeLeftovers()
  let folder = makeFolder()
  const doors = new Set<Door>()
  return {
    open(user) {
      // Who cleans up such places takes an empty one away.
      if (!existsSync(folder)) folder = makeFolder()
      const door = openDoor(join(folder, randomBytes(9).toString('base64url')), user, options)
      doors.add(door)
      return {
        path: door.path,
        close() {
          doors.delete(door)
          door.close()
        },
      }
    },
    close() {
      for (const door of doors) door.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Others may pass through, and open what is theirs; they cannot list it. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
  chmodSync(folder, 0o711)
  return folder
}

function openDoor(path: string, user: number | null, options: EgressOptions): Door {
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => {})
    readTarget(socket, (target) => admit(socket, target, path, options))
  })
  server.maxConnections = connectionsMost
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

/** The first line says where to: {"host","port"} as JSON. Nothing may follow before it was answered. */
function readTarget(socket: Socket, go: (target: Target) => void): void {
  let said = ''
  const hear = (chunk: Buffer) => {
    said += chunk.toString('latin1')
    if (said.length > targetBytesMost) return void socket.destroy()
    if (!said.includes('\n')) return
    const target = parseTarget(said)
    if (!target) return void socket.destroy()
    socket.off('data', hear).setTimeout(0).off('timeout', giveUp)
    go(target)
  }
  const giveUp = () => socket.destroy()
  socket.on('data', hear).setTimeout(patienceMs, giveUp)
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
  const isNamed = host.toLowerCase() === name || (host === 'localhost' && /^(127\.|::1$)/.test(name))
  return isNamed && port === Number(given || (protocol === 'http:' ? 80 : 443))
}

function goOut(socket: Socket, { host, port }: Target, reach: EgressOptions['reach']): void {
  if (isIP(host) && !reach(host)) {
    refuse(socket, forbidden(host))
    return
  }
  socket.pause()
  const there = connect({ host, port, lookup: lookUpWithin(reach, forbidden), allowHalfOpen: true })
  const fail = (error: NodeJS.ErrnoException) => refuse(socket, error)
  there.setTimeout(patienceMs, () =>
    there.destroy(Object.assign(new Error(`connect ETIMEDOUT ${host}:${port}`), { code: 'ETIMEDOUT' })),
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

/** Nothing that the other side says first may come together with our answer: who takes the socket over inside would miss it. A line break says go on. */
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
      `connect EACCES ${host}: hosted code may not go there (BOTSTEAD_BOT_NETWORK says where it may)`,
    ),
    { code: 'EACCES' },
  )

function refuse(socket: Socket, { code, message }: NodeJS.ErrnoException): void {
  socket.end(`${JSON.stringify({ code: code ?? 'ECONNREFUSED', message })}\n`)
}

const prefix = 'botstead-doors-'

/** A server that was killed leaves its folder behind. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) && Number(name.slice(prefix.length).split('-')[0])
    if (!pid || isAlive(pid)) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // Another user's.
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

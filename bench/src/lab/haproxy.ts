// HAProxy in front of two servers, or of two PostgreSQL clusters.
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startProgram } from '../processes.ts'
import type { Cluster } from './cluster.ts'
import { requireProgram } from './programs.ts'
import { findFreePort } from './servers.ts'

interface Proxy {
  port: number
  close(): Promise<void>
}

interface ServerProxy extends Proxy {
  /**
   * Sends new requests to the other servers, and waits for the responses to earlier ones. Streams
   * stay until the server ends them.
   */
  drain(nth: number): Promise<void>
  resume(nth: number): Promise<void>
}

/** Distributes requests over servers. Has no checks, which would time out on a busy machine. */
export async function proxyServers(folder: string, origins: string[]): Promise<ServerProxy> {
  const servers = origins.map((origin, nth) => `server s${nth} ${new URL(origin).host}`)
  const proxy = await startProxy(folder, [
    'mode http',
    'balance roundrobin',
    'timeout server 1h',
    // A connection that is kept open could close just when it is used again.
    'option http-server-close',
    'use_backend streams if { path_end /listen }',
    ...servers,
    'backend streams',
    'mode http',
    'timeout server 1h',
    ...servers,
  ])
  const set = async (nth: number, state: string) => {
    for (const backend of ['proxy', 'streams'])
      await command(socketIn(folder), `set server ${backend}/s${nth} state ${state}`)
  }
  const drain = async (nth: number) => {
    await set(nth, 'drain')
    while ((await countRequests(folder, nth)) > 0) await pause(100)
  }
  return { ...proxy, drain, resume: (nth) => set(nth, 'ready') }
}

/** Returns how many requests the server has not answered yet, without streams. */
async function countRequests(folder: string, nth: number): Promise<number> {
  const lines = (await command(socketIn(folder), 'show stat')).split('\n')
  const fields = lines.map((line) => line.split(','))
  return Number(fields.find(([proxy, server]) => proxy === 'proxy' && server === `s${nth}`)![4])
}

const socketIn = (folder: string) => `${folder}/haproxy.sock`

/** Sends a command to HAProxy and returns its response. */
async function command(path: string, text: string): Promise<string> {
  const socket = connect(path)
  socket.end(`${text}\n`)
  let response = ''
  for await (const chunk of socket.setEncoding('utf8')) response += chunk
  return response
}

/** Connects to the cluster that is the primary. Closes connections to one that no longer is. */
export async function proxyPrimary(folder: string, clusters: CurrentCluster[]): Promise<Proxy> {
  const checks = await Promise.all(clusters.map(openRoleCheck))
  const servers = clusters.map(
    ({ port }, nth) => `server s${nth} 127.0.0.1:${port} check port ${checks[nth]!.port}`,
  )
  const proxy = await startProxy(folder, [
    'mode tcp',
    'timeout server 1h',
    'option httpchk GET /',
    'default-server inter 200ms fall 1 rise 1 on-marked-down shutdown-sessions',
    ...servers,
  ])
  const close = async () => {
    await proxy.close()
    for (const check of checks) check.close()
  }
  return { port: proxy.port, close }
}

/** The cluster at a port; it is replaced after a failover. */
export interface CurrentCluster {
  port: number
  cluster: Cluster
}

/** Answers 200 while the cluster is the primary, as the agents of PostgreSQL clusters do. */
async function openRoleCheck(current: CurrentCluster) {
  const server = createServer(async (_, reply) => {
    reply.writeHead((await current.cluster.isPrimary()) ? 200 : 503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { port, close: () => server.close().closeAllConnections() }
}

async function startProxy(folder: string, listen: string[]): Promise<Proxy> {
  const program = requireProgram('haproxy', 'haproxy')
  const port = await findFreePort()
  const lines = [
    'global',
    `  stats socket ${socketIn(folder)} mode 600 level admin`,
    'defaults',
    '  timeout connect 1s',
    '  timeout client 1h',
    '  timeout check 2s',
    'listen proxy',
    `  bind 127.0.0.1:${port}`,
    ...listen.map((line) => `  ${line}`),
  ]
  const file = `${folder}/haproxy.cfg`
  await writeFile(file, `${lines.join('\n')}\n`)
  const log = await open(`${folder}/haproxy.log`, 'a')
  const running = await startProgram('HAProxy', ['-db', '-f', file], {
    env: {},
    readyLine: false,
    program,
    stderr: log.fd,
  }).finally(() => log.close())
  running.child.stdout!.resume()
  // Until then it considers all servers as up.
  await pause(1_000)
  return { port, close: () => running.stop() }
}

// HAProxy in front of two servers, or of two PostgreSQL clusters.
import { open, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startProgram } from '../processes.ts'
import type { Cluster } from './cluster.ts'
import { requireProgram } from './programs.ts'
import { findFreePort } from './servers.ts'

interface Proxy {
  port: number
  close(): Promise<void>
}

/** All requests of a person to the same server, as far as it is ready; others in turn. */
export const byPerson = ['balance hdr(x-user-key)', 'hash-type consistent']

/** Distributes requests over the servers that are ready. Repeats no request. */
export function proxyServers(
  folder: string,
  origins: string[],
  balance = ['balance roundrobin'],
): Promise<Proxy> {
  return startProxy(folder, [
    'mode http',
    ...balance,
    'retries 0',
    'timeout server 1h',
    'option httpchk GET /readyz',
    // A busy machine is late with checks, and its database does not always respond.
    'timeout check 10s',
    'default-server check inter 500ms fall 3 rise 1',
    ...origins.map((origin, nth) => `server s${nth} ${new URL(origin).host}`),
  ])
}

/** Connects to the cluster that is the primary. Closes connections to one that no longer is. */
export async function proxyPrimary(
  folder: string,
  clusters: CurrentCluster[],
): Promise<Proxy> {
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
  const port = await findFreePort()
  const lines = [
    'defaults',
    '  timeout connect 1s',
    '  timeout client 1h',
    '  timeout check 2s',
    'listen proxy',
    `  bind 127.0.0.1:${port}`,
    ...listen.map((line) => `  ${line}`),
  ]
  return runProxy(folder, `${lines.join('\n')}\n`, port)
}

/** Runs HAProxy with a file that listens on the port. */
export async function runProxy(
  folder: string,
  text: string,
  port: number,
): Promise<Proxy> {
  const program = requireProgram('haproxy', 'haproxy')
  const file = `${folder}/haproxy.cfg`
  await writeFile(file, text)
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

// A TCP proxy before PostgreSQL that breaks connections: before a connection is made, as a proxy
// without a server, and when a statement passes.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ConnectionSettings } from '../../src/core/db/database.ts'

interface CutOptions {
  times?: number
  arrives?: boolean
  /** Only in a transaction with this text. */
  after?: string
  /** Called before the connection breaks; after the database has done what arrives. */
  onCut?: () => void
}

export interface BreakingProxy {
  port: number
  /** Settings that lead through the proxy. */
  settings: ConnectionSettings
  /** Accepts connections and closes them, or leads to the database again. */
  setRefusing(isRefusing: boolean): void
  /**
   * Breaks the connection of the next `times` messages of clients that contain the text: after the
   * database has received it, or without it.
   */
  cutAt(text: string, options?: CutOptions): void
  /** Returns how many messages were cut. */
  cuts(): number
  /** Breaks all connections. */
  cutAll(): void
  close(): Promise<void>
}

export async function openBreakingProxy(
  target: ConnectionSettings,
): Promise<BreakingProxy> {
  const sockets = new Set<Socket>()
  let isRefusing = false
  let cuts = 0
  let cut: CutOptions & { text: string; times: number } = { text: '', times: 0 }
  const server = createServer((client) => {
    client.on('error', () => {})
    if (isRefusing) return void client.destroy()
    const { host, port } = toAddress(target)
    const onward = host.startsWith('/')
      ? connect(join(host, `.s.PGSQL.${port}`))
      : connect({ host, port })
    sockets.add(client)
    let isCutting = false
    let transaction = ''
    const end = () => {
      sockets.delete(client)
      client.destroy()
      onward.destroy()
    }
    onward.on('error', end).on('close', end)
    client.on('close', end)
    client.on('data', (part: Buffer) => {
      transaction += part.toString('latin1')
      const isCut =
        cut.times > 0 && part.includes(cut.text) && transaction.includes(cut.after ?? '')
      if (part.includes('commit')) transaction = ''
      const { arrives, onCut } = cut
      if (isCut) {
        cut.times--
        cuts++
      }
      if (!isCut || arrives) onward.write(part)
      if (!isCut) return
      isCutting = true
      if (!arrives) onCut?.()
      setTimeout(
        () => {
          if (arrives) onCut?.()
          end()
        },
        arrives ? 100 : 0,
      )
    })
    onward.on('data', (part) => client.writable && !isCutting && client.write(part))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const cutAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    settings: through(target, port),
    setRefusing: (value) => (isRefusing = value),
    cutAt: (text, options = {}) => (cut = { times: 1, ...options, text }),
    cuts: () => cuts,
    cutAll,
    async close() {
      cutAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function toAddress({ connectionString, host, port }: ConnectionSettings) {
  if (!connectionString) return { host: String(host), port: Number(port ?? 5432) }
  const url = new URL(connectionString)
  return { host: url.hostname, port: Number(url.port || 5432) }
}

function through(target: ConnectionSettings, port: number): ConnectionSettings {
  const { connectionString, ...settings } = target
  if (!connectionString) return { ...settings, host: '127.0.0.1', port, ssl: false }
  const url = new URL(connectionString)
  url.host = `127.0.0.1:${port}`
  return { ...settings, connectionString: url.href }
}

// Opens several servers on one database, apart from each other or behind HAProxy.
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Bot,
  deployBot,
  type RunningServer,
  startServer,
  toChatServer,
} from './botstead-server.ts'
import { Http, type OpenChatServer } from './chat.ts'
import { type Cluster, createDatabase, type DatabaseSettings } from './database.ts'
import { byPerson, proxyServers } from './lab/haproxy.ts'
import { findFreePort } from './lab/servers.ts'

export interface Installation {
  name: string
  servers: RunningServer[]
  database: DatabaseSettings
  /** Through HAProxy. */
  proxied: OpenChatServer
  bot: Bot
  restart(nth: number): Promise<void>
  close(): Promise<void>
}

/**
 * `apart`: each server has its own database and its own people. `person`: HAProxy sends
 * all requests of a person to the same server. `any`: requests and listeners reach any server.
 */
export const routings = ['apart', 'person', 'any'] as const
type Routing = (typeof routings)[number]

export function toName(count: number, routing: Routing): string {
  if (count === 1) return '1 server'
  if (routing === 'apart') return `${count} installations of one server`
  return `${count} servers, ${routing === 'any' ? 'round robin' : 'by person'}`
}

interface Opening {
  cluster: Cluster
  folder: string
  code: string
  count: number
  routing: Routing
}

export async function openApart({ count, ...opening }: Opening): Promise<Installation> {
  const parts: Installation[] = []
  for (let nth = 0; nth < count; nth++)
    parts.push(await openInstallation({ ...opening, count: 1 }, `_${count}_${nth}`))
  let talks = 0
  const [first] = parts as [Installation]
  return {
    ...first,
    name: toName(count, 'apart'),
    proxied: {
      ...first.proxied,
      openTalk: () => parts[talks++ % count]!.proxied.openTalk(),
      pids: parts.flatMap(({ proxied }) => proxied.pids),
    },
    servers: parts.flatMap(({ servers }) => servers),
    close: async () => void (await Promise.all(parts.map((part) => part.close()))),
  }
}

/** Starts servers with shared keys and files. The first creates the first bot. */
export async function openInstallation(
  { cluster, folder, code, count, routing }: Opening,
  suffix = '',
): Promise<Installation> {
  const database = await createDatabase(cluster, `servers_${count}_${routing}${suffix}`)
  const settings = {
    DATABASE_URL: toUrl(database),
    BOTSTEAD_MASTER_KEY: randomBytes(32).toString('hex'),
    BOTSTEAD_CHAT_KEY: randomBytes(32).toString('hex'),
    BOTSTEAD_DRAIN_SECONDS: '5',
  }
  const own = join(folder, `servers-${count}-${routing}${suffix}`)
  const files = join(own, 'files')
  await mkdir(files, { recursive: true, mode: 0o700 })
  const servers: RunningServer[] = []
  const start = async (nth: number, port: number) => {
    const data = join(own, String(nth))
    servers[nth] = await startServer(data, [], {
      ...settings,
      BOTSTEAD_PORT: String(port),
    })
  }
  for (let nth = 0; nth < count; nth++) {
    const data = join(own, String(nth))
    await mkdir(data, { mode: 0o700 })
    await symlink(files, join(data, 'files'))
    const port = await findFreePort()
    if (nth > 0) await copyCredentials(join(own, '0'), data, port)
    await start(nth, port)
  }
  const ports = servers.map(({ credentials }) => Number(new URL(credentials.url).port))
  const proxy = await proxyServers(
    own,
    servers.map(({ credentials }) => credentials.url),
    routing === 'person' ? byPerson : undefined,
  )
  const http = new Http(`http://127.0.0.1:${proxy.port}`)
  const [first] = servers as [RunningServer]
  const bot = await deployBot(first, 'plain', code)
  const through = toChatServer(`${count} behind HAProxy`, { ...first, http }, bot)
  return {
    name: toName(count, routing),
    servers,
    database,
    bot,
    proxied: {
      ...through,
      get pids() {
        return servers.map(({ program }) => program.pid)
      },
    },
    async restart(nth) {
      await servers[nth]!.close()
      await start(nth, ports[nth]!)
    },
    async close() {
      await http.close()
      await proxy.close()
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** Only the first server knows the first token. */
async function copyCredentials(from: string, to: string, port: number) {
  const file = 'credentials.json'
  const text = await readFile(join(from, file), 'utf8')
  const { url } = JSON.parse(text) as { url: string }
  await writeFile(join(to, file), text.replaceAll(url, `http://127.0.0.1:${port}`), {
    mode: 0o600,
  })
}

function toUrl({ host, port, user, database }: DatabaseSettings) {
  return `postgresql:///${database}?${new URLSearchParams({ host, port: String(port), user })}`
}

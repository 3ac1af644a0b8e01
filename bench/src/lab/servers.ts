// Servers with a fixed port and data folder, so that they can be killed and started again.
import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type RunningServer, startServer } from '../botstead-server.ts'
import { call } from './http.ts'
import { fillFolder } from './installation.ts'

interface LabServerOptions {
  folder: string
  port: number
  settings?: NodeJS.ProcessEnv
  nodeOptions?: string[]
  /** The program of another version, until `upgrade`. */
  command?: string
}

/** Enough retries that a delivery survives several kills; short, so that queues empty soon. */
const commonSettings = {
  BOTSTEAD_RETRY_SECONDS: '0.2,0.5,1,2,4,8',
  BOTSTEAD_LOG_LEVEL: 'warn',
}
const readyMs = 60_000

export class LabServer {
  readonly folder: string
  readonly origin: string
  #options: LabServerOptions
  #running: RunningServer | null = null

  constructor(options: LabServerOptions) {
    this.#options = options
    this.folder = options.folder
    this.origin = `http://127.0.0.1:${options.port}`
  }

  get running(): RunningServer {
    if (!this.#running) throw new Error(`The server of ${this.folder} does not run`)
    return this.#running
  }

  get pid(): number {
    return this.running.program.pid
  }

  async start() {
    const { folder, port, settings, nodeOptions, command } = this.#options
    const log = await open(`${folder}.log`, 'a')
    const env = { BOTSTEAD_PORT: String(port), ...commonSettings, ...settings }
    try {
      this.#running = await startServer(folder, nodeOptions, env, log.fd, command)
    } finally {
      await log.close()
    }
    await this.ready()
  }

  /** Whether the next start is one of another version. */
  get isOlder(): boolean {
    return this.#options.command !== undefined
  }

  /** Starts this version from now on. */
  upgrade() {
    const { command, ...options } = this.#options
    this.#options = options
  }

  async ready() {
    for (
      const until = performance.now() + readyMs;
      performance.now() < until;
      await pause(20)
    )
      if ((await call('GET', `${this.origin}/readyz`)).status === 200) return
    throw new Error(`The server of ${this.folder} is not ready after ${readyMs / 1000} s`)
  }

  /** Sends a signal that ends the process, and returns its exit code. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const { program, http } = this.running
    const { child } = program
    const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const code = child.kill(signal) ? await exited : child.exitCode
    this.#running = null
    await http.close()
    return code
  }

  async close() {
    await this.#running?.close()
  }
}

export interface Pair {
  servers: [LabServer, LabServer]
  close(): Promise<void>
}

/**
 * Starts two servers on one database, with shared keys and a shared folder of file contents; with `recorded`,
 * those of a recorded installation.
 */
export async function startPair(
  folder: string,
  databaseUrl: string,
  own: (
    data: string,
  ) => Pick<LabServerOptions, 'settings' | 'nodeOptions' | 'command'> = () => ({}),
  recorded?: string,
): Promise<Pair> {
  const shared = {
    DATABASE_URL: databaseUrl,
    BOTSTEAD_LEASE_SECONDS: '2',
    ...(!recorded && {
      BOTSTEAD_MASTER_KEY: randomBytes(32).toString('hex'),
      BOTSTEAD_CHAT_KEY: randomBytes(32).toString('hex'),
    }),
  }
  const files = join(folder, 'files')
  await mkdir(files, { mode: 0o700 })
  const create = async (nth: number) => {
    const data = join(folder, `server-${nth}`)
    await mkdir(data, { mode: 0o700 })
    await symlink(files, join(data, 'files'))
    const { settings, ...options } = own(data)
    const port = await findFreePort()
    if (recorded) await fillFolder(recorded, data, `http://127.0.0.1:${port}`)
    return new LabServer({
      folder: data,
      port,
      settings: { ...shared, ...settings },
      ...options,
    })
  }
  const servers: Pair['servers'] = [await create(1), await create(2)]
  const close = async () =>
    void (await Promise.all(servers.map((server) => server.close())))
  try {
    await servers[0].start()
    if (!recorded) await copyCredentials(servers[0], servers[1])
    await servers[1].start()
    return { servers, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** The first server alone knows the first token; the other needs it to be driven like the first. */
async function copyCredentials(from: LabServer, to: LabServer) {
  const text = await readFile(join(from.folder, 'credentials.json'), 'utf8')
  await writeFile(
    join(to.folder, 'credentials.json'),
    text.replaceAll(from.origin, to.origin),
    {
      mode: 0o600,
    },
  )
}

export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const listener = createServer().once('error', reject)
    listener.listen(0, '127.0.0.1', () => {
      const { port } = listener.address() as AddressInfo
      listener.close(() => resolve(port))
    })
  })
}

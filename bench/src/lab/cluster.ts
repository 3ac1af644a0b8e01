// PostgreSQL clusters of the laboratory, from installed programs: a primary, and a standby that
// confirms each commit before the primary does.
import { execFile, execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { listDescendants, type RunningProgram, startProgram } from '../processes.ts'

const run = promisify(execFile)
const readyMs = 60_000
/** For a small machine. Acknowledged writes are on disk, as PostgreSQL has it by default. */
const settings = [
  'shared_buffers=128MB',
  'max_connections=200',
  'autovacuum_naptime=1s',
  'jit=off',
]

interface Setup {
  /** Folder of PostgreSQL's programs. */
  programs: string
  folder: string
  port: number
  password: string
  /** Null for the current one: PostgreSQL rejects root. */
  user: { uid: number; gid: number } | null
}

export class Cluster {
  readonly #setup: Setup
  #program: RunningProgram | null = null

  private constructor(setup: Setup) {
    this.#setup = setup
  }

  /** Creates and starts a cluster with the database `botstead`. */
  static async create(programs: string, folder: string, port: number): Promise<Cluster> {
    const user = findUser()
    const password = randomBytes(16).toString('hex')
    const cluster = new Cluster({ programs, folder, port, password, user })
    await cluster.#makeFolder()
    const passwordFile = `${folder}.password`
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (user) await chown(passwordFile, user.uid, user.gid)
    const access = ['-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`]
    await cluster.#run('initdb', [
      '-D',
      folder,
      ...access,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
    ])
    await rm(passwordFile)
    await cluster.start()
    await cluster.query('create database botstead', 'postgres')
    return cluster
  }

  /** Copies a running primary. The new standby is not started yet. */
  static async createStandby(
    primary: Cluster,
    folder: string,
    port: number,
  ): Promise<Cluster> {
    const standby = new Cluster({ ...primary.#setup, folder, port })
    await standby.#makeFolder()
    await standby.#run('pg_basebackup', [
      '-D',
      folder,
      '-d',
      primary.url('postgres'),
      '--write-recovery-conf',
      '--checkpoint=fast',
      '--wal-method=stream',
    ])
    return standby
  }

  url(database = 'botstead', port = this.#setup.port) {
    return `postgres://postgres:${this.#setup.password}@127.0.0.1:${port}/${database}`
  }

  async start() {
    const { programs, folder, port, user } = this.#setup
    const log = await open(`${folder}.log`, 'a')
    const address = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`]
    const options = [...settings, ...address].flatMap((setting) => ['-c', setting])
    try {
      this.#program = await startProgram(
        'PostgreSQL',
        ['-D', folder, '-p', String(port), ...options],
        {
          env: {},
          cwd: '/',
          readyLine: false,
          program: join(programs, 'postgres'),
          stderr: log.fd,
          ...(user && { user }),
        },
      )
    } finally {
      await log.close()
    }
    this.#program.child.stdout!.resume()
    await this.#waitUntil('select 1')
  }

  /** Makes each commit wait for a standby, and waits until the standby confirms commits. */
  async requireStandby() {
    await this.query("alter system set synchronous_standby_names = '*'")
    await this.query('select pg_reload_conf()')
    await this.#waitUntil("select 1 from pg_stat_replication where sync_state = 'sync'")
  }

  /** Makes a standby the primary. Its commits wait for no standby yet. */
  async promote() {
    await this.query('select pg_promote()')
    await this.#waitUntil('select 1 where not pg_is_in_recovery()')
    await this.query("alter system set synchronous_standby_names = ''")
    await this.query('select pg_reload_conf()')
  }

  /** Ends every process at once, like a machine that loses power. */
  async kill() {
    const { pid, child } = this.#program!
    const exited = new Promise((resolve) => child.once('exit', resolve))
    // The children would exit one by one after the death of the main process.
    for (const one of [pid, ...listDescendants(pid)]) signal(one, 'SIGKILL')
    await exited
    this.#program = null
  }

  async close() {
    if (!this.#program) return
    const { pid, child } = this.#program
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = new Promise((resolve) => child.once('exit', resolve))
    signal(pid, 'SIGINT')
    await Promise.race([exited, pause(10_000, null, { ref: false })])
    await this.#program.stop()
  }

  async isPrimary(): Promise<boolean> {
    const rows = await this.query('select 1 where not pg_is_in_recovery()').catch(
      () => [],
    )
    return rows.length > 0
  }

  async query(text: string, database = 'postgres'): Promise<unknown[]> {
    const client = new pg.Client({
      connectionString: this.url(database),
      connectionTimeoutMillis: 2_000,
    })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  async #waitUntil(query: string) {
    for (
      const until = performance.now() + readyMs;
      performance.now() < until;
      await pause(50)
    )
      if ((await this.query(query).catch(() => [])).length > 0) return
    throw new Error(`PostgreSQL: no row of "${query}" within ${readyMs / 1000} s`)
  }

  async #makeFolder() {
    const { folder, user } = this.#setup
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { mode: 0o700 })
    if (user) await chown(folder, user.uid, user.gid)
  }

  async #run(program: string, args: string[]) {
    const { programs, user } = this.#setup
    await run(join(programs, program), args, { ...user, env: {}, cwd: '/' })
  }
}

/** Returns PostgreSQL's user if this process runs as root, which PostgreSQL rejects; else null. */
export function findUser() {
  if (process.getuid?.() !== 0) return null
  const name = ['postgres', 'nobody'].find(
    (candidate) => readId('-u', candidate) !== null,
  )!
  return { uid: readId('-u', name)!, gid: readId('-g', name)! }
}

function readId(flag: '-u' | '-g', name: string): number | null {
  try {
    return Number(
      execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }),
    )
  } catch {
    return null
  }
}

export function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

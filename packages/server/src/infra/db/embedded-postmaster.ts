// The PostgreSQL process of one cluster: finds a running one, starts, awaits and stops it. It
// survives the server (after a kill, the next server takes it over), so it has its own session and
// writes its output to a file.
import { execFile, spawn } from 'node:child_process'
import { copyFile, open, readFile, readlink, realpath, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Logger } from 'pino'
import { isAlive } from '../lib/process-life.ts'
import { DatabaseError } from './database-error.ts'
import { type ClusterSetup, cleanEnvironment, ownFolder } from './embedded-cluster.ts'

/** Acknowledged writes must be on disk; the other settings suit small machines. */
const options = [
  'fsync=on',
  'synchronous_commit=on',
  'full_page_writes=on',
  'shared_buffers=128MB',
  'max_connections=200',
  // Tables can grow from empty to large within minutes; the planner needs fresh statistics soon.
  // Each round starts a process, and one round per second vacuumed the queue's tables in each.
  'autovacuum_naptime=15s',
  'jit=off',
  'cluster_name=botstead',
  'log_timezone=UTC',
]
const maxLogBytes = 8 * 1024 * 1024
/**
 * How long a live process may take to open its socket, in milliseconds. Recovery is unlimited: then
 * the server replies that it is starting.
 */
const timeoutMs = 20_000

/** Returns the pid of a PostgreSQL that serves the cluster: a running one, or a new one. */
export async function startPostmaster(installation: ClusterSetup, log: Logger): Promise<number> {
  for (const begun = Date.now(); ; await pause(200)) {
    const running = await findRunning(installation)
    if (running && (await becomesReady(installation, running, log))) {
      log.info({ pid: running }, 'using the database process that was still running')
      return running
    }
    await limitLogSize(installation)
    const past = (await stat(installation.log).catch(() => null))?.size ?? 0
    const { pid, killedBy } = await start(installation)
    if (await becomesReady(installation, pid, log)) return pid
    const reason = await lastWords(installation, past)
    // An operator's pg_ctl was faster, or only PostgreSQL's main process was killed and the others
    // end after their current statement.
    if (
      /already exists|pre-existing shared memory block/.test(reason) &&
      Date.now() - begun < timeoutMs
    )
      continue
    const sentence = `The database in ${installation.cluster} does not start: ${reason}`
    throw new DatabaseError(sentence, { cause: await killedBy() })
  }
}

/** Fast shutdown: rolls back running transactions; committed ones are on disk. */
export async function stopPostmaster({ cluster, binaries }: ClusterSetup, pid: number) {
  if (process.platform === 'win32')
    await promisify(execFile)(binaries.pgCtl, ['stop', '-D', cluster, '-m', 'fast', '-w'])
  else signal(pid, 'SIGINT')
  for (let waited = 0; isAlive(pid); waited += 20) {
    // Immediate shutdown: the next start recovers from the WAL without loss of committed data.
    if (waited === 15_000) signal(pid, 'SIGQUIT')
    await pause(20)
  }
}

/** Rotates the log. PostgreSQL appends, so the file can be truncated while open. */
export async function limitLogSize({ log }: ClusterSetup) {
  if (((await stat(log).catch(() => null))?.size ?? 0) < maxLogBytes) return
  await copyFile(log, `${log}.1`)
  await truncate(log)
}

async function findRunning(installation: ClusterSetup): Promise<number | null> {
  const { cluster } = installation
  const pid = await readPid(cluster)
  if (pid && isAlive(pid) && (await worksIn(pid, cluster))) return pid
  if ((await probe(installation)) !== 'silent') {
    // Another container shares the folder; its process ids mean nothing here.
    throw new DatabaseError(
      `Another machine or container runs a database on ${cluster}: stop that one first`,
    )
  }
  if (pid && process.platform === 'linux') await removeStaleFiles(installation)
  return null
}

/**
 * PostgreSQL removes them itself, unless the pid in them belongs to another new process, which is
 * common in containers.
 */
async function removeStaleFiles({ cluster, address }: ClusterSetup) {
  await rm(join(cluster, 'postmaster.pid'), { force: true })
  await rm(join(String(address.settings.host), '.s.PGSQL.5432.lock'), { force: true })
}

async function readPid(cluster: string): Promise<number | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return Number.parseInt(text, 10) || null
}

/**
 * Returns whether the process runs in the cluster's folder. Only Linux can check that; on other
 * systems the pid suffices.
 */
async function worksIn(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return true
  return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === (await realpath(cluster))
}

interface Started {
  pid: number
  /** Resolves to an error when a signal ended it; undefined when it exited by itself. */
  killedBy: () => Promise<Error | undefined>
}

async function start(installation: ClusterSetup): Promise<Started> {
  const { cluster, user, binaries, address } = installation
  // PostgreSQL takes the last of several values.
  const values = [...options, ...installation.settings].flatMap((option) => ['-c', option])
  const output = await open(installation.log, 'a', 0o600)
  const settings = [...address.serverArguments, ...values]
  const child = spawn(binaries.postgres, ['-D', ownFolder(cluster, user), ...settings], {
    ...user,
    cwd: cluster,
    env: cleanEnvironment(),
    detached: true,
    windowsHide: true,
    stdio: ['ignore', output.fd, output.fd],
  })
  await new Promise((resolve, reject) =>
    child.once('spawn', resolve).once('error', reject),
  ).finally(() => output.close())
  child.unref()
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => resolve(signal)),
  )
  const killedBy = async () => {
    const signal = await Promise.race([ended, pause(1_000, null, { ref: false })])
    return signal
      ? Object.assign(new Error(`PostgreSQL was ended by ${signal}`), { signal })
      : undefined
  }
  return { pid: child.pid!, killedBy }
}

/** Returns false when the process ended before it was ready. */
async function becomesReady(
  installation: ClusterSetup,
  pid: number,
  log: Logger,
): Promise<boolean> {
  let silentSince = Date.now()
  let loggedAt = Date.now()
  for (;;) {
    const answer = await probe(installation)
    if (answer === 'ready') return isAlive(pid)
    if (!isAlive(pid)) return false
    const now = Date.now()
    if (answer === 'starting') silentSince = now
    if (now - silentSince > timeoutMs)
      throw new DatabaseError(
        `PostgreSQL (process ${pid}) runs on ${installation.cluster} but does not respond: stop that process`,
      )
    if (now - loggedAt > 5000) {
      log.info('waiting for the database to recover from an unclean shutdown')
      loggedAt = now
    }
    await pause(20)
  }
}

async function probe({ address }: ClusterSetup): Promise<'ready' | 'starting' | 'silent'> {
  const client = new pg.Client({
    ...address.settings,
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return 'ready'
  } catch (error) {
    const { code } = error as { code?: string }
    // 57P03: starting up, or shutting down. Any other SQLSTATE, such as "too many connections",
    // comes from a working server.
    if (code === '57P03') return 'starting'
    return /^[0-9A-Z]{5}$/.test(code ?? '') && !code?.startsWith('E') ? 'ready' : 'silent'
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Returns why it ended, from the part of the log past the given length. Messages for clients are
 * irrelevant.
 */
async function lastWords({ log }: ClusterSetup, past: number): Promise<string> {
  const written = (await readFile(log)).subarray(past).toString()
  const fatal = written
    .split('\n')
    .findLast(
      (line) =>
        /(FATAL|PANIC): /.test(line) && !/the database system is|terminating connection/.test(line),
    )
  return fatal?.replace(/^.*?(FATAL|PANIC): +/, '') ?? `see ${log}`
}

function signal(pid: number, name: NodeJS.Signals) {
  try {
    process.kill(pid, name)
  } catch {
    // The process has already ended.
  }
}

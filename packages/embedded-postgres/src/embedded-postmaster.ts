// The PostgreSQL of one cluster: finds a running one, starts, awaits and stops it
// (embedded-process.ts). It survives the server (after a kill, the next server takes it over), so it has
// its own session and writes its output to a file.
import { spawn } from 'node:child_process'
import { copyFile, open, readFile, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { StartError } from '@botstead/lib'
import pg from 'pg'
import type { Logger } from 'pino'
import { type ClusterSetup, cleanEnvironment, ownFolder } from './embedded-cluster.ts'
import {
  endPostmaster,
  findPostmaster,
  identify,
  isMeasured,
  isRunning,
  type Postmaster,
  watchProgress,
} from './embedded-process.ts'

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
 * How long a process may do nothing before it is ready, in milliseconds: after the answer that it
 * starts or stops, which a hanging one gives for ever, and without an answer.
 */
const maxIdleMs = { starting: 5_000, silent: 20_000 }
/** The same where its work cannot be measured. */
const maxUnmeasuredMs = 60_000
/** How long the processes of an ended PostgreSQL may take to end, in milliseconds. */
const leftoverMs = 20_000

interface StartDeps {
  log: Logger
  /** Ends the wait for a PostgreSQL that is not ready. */
  signal?: AbortSignal | undefined
}

/**
 * Returns a PostgreSQL that serves the cluster: a running one, or a new one. After `signal`, it may
 * not be ready.
 */
export async function startPostmaster(
  installation: ClusterSetup,
  deps: StartDeps,
): Promise<Postmaster> {
  for (let retriesUntil = 0; ; await pause(200)) {
    const running = await findRunning(installation)
    if (running) {
      if ((await becomesReady(installation, running, deps)) === 'ended') continue
      deps.log.info(
        { pid: running.pid },
        'using the database process that was still running',
      )
      return running
    }
    retriesUntil ||= Date.now() + leftoverMs
    await limitLogSize(installation)
    const past = (await stat(installation.log).catch(() => null))?.size ?? 0
    const { postmaster, killedBy } = await start(installation)
    if ((await becomesReady(installation, postmaster, deps)) !== 'ended')
      return postmaster
    const reason = await lastWords(installation, past)
    // An operator's pg_ctl was faster, or only PostgreSQL's main process was killed and the others
    // end after their current statement.
    if (
      /already exists|pre-existing shared memory block/.test(reason) &&
      Date.now() < retriesUntil
    )
      continue
    const sentence = `The database in ${installation.cluster} does not start: ${reason}`
    throw new StartError(sentence, { cause: await killedBy() })
  }
}

/** Stops it within about 5 s. */
export async function stopPostmaster(
  setup: ClusterSetup,
  postmaster: Postmaster,
): Promise<void> {
  const answer = await Promise.race([probe(setup), pause(500)])
  await endPostmaster(setup, postmaster, { isReady: answer === 'ready' })
}

/** Rotates the log. PostgreSQL appends, so the file can be truncated while open. */
export async function limitLogSize({ log }: ClusterSetup) {
  if (((await stat(log).catch(() => null))?.size ?? 0) < maxLogBytes) return
  await copyFile(log, `${log}.1`)
  await truncate(log)
}

async function findRunning(installation: ClusterSetup): Promise<Postmaster | null> {
  const found = await findPostmaster(installation.cluster)
  if (found) return found
  if ((await probe(installation)) !== 'silent') {
    // Another container shares the folder; its process ids mean nothing here.
    throw new StartError(
      `Another machine or container runs a database on ${installation.cluster}: stop that one first`,
    )
  }
  if (process.platform === 'linux') await removeStaleFiles(installation)
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

interface Started {
  postmaster: Postmaster
  /** Resolves to an error when a signal ended it; undefined when it exited by itself. */
  killedBy: () => Promise<Error | undefined>
}

async function start(installation: ClusterSetup): Promise<Started> {
  const { cluster, user, binaries, address } = installation
  // PostgreSQL takes the last of several values.
  const values = [...options, ...installation.settings].flatMap((option) => [
    '-c',
    option,
  ])
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
  return { postmaster: identify(child.pid!), killedBy }
}

/**
 * Returns 'ended' when the process ended before it was ready, or made no progress for some seconds
 * and was ended here; 'aborted' after `signal`.
 */
async function becomesReady(
  installation: ClusterSetup,
  postmaster: Postmaster,
  { log, signal }: StartDeps,
): Promise<'ready' | 'ended' | 'aborted'> {
  const works = watchProgress(installation, postmaster)
  let [workedAt, loggedAt] = [Date.now(), Date.now()]
  for (let pauseMs = 20; ; pauseMs = Math.min(1.2 * pauseMs, 250)) {
    const answer = await probe(installation)
    if (!isRunning(postmaster)) return 'ended'
    if (answer === 'ready') return 'ready'
    if (signal?.aborted) return 'aborted'
    const now = Date.now()
    if (works()) workedAt = now
    const limitMs = isMeasured(postmaster) ? maxIdleMs[answer] : maxUnmeasuredMs
    if (now - workedAt > limitMs) {
      log.warn(
        { pid: postmaster.pid, folder: installation.cluster, answer },
        'the database process makes no progress: ending it, and starting another one',
      )
      await endPostmaster(installation, postmaster, { isReady: false })
      return 'ended'
    }
    if (now - loggedAt > 5000) {
      log.info('waiting for the database to recover from an unclean shutdown')
      loggedAt = now
    }
    await pause(pauseMs)
  }
}

async function probe({
  address,
}: ClusterSetup): Promise<'ready' | 'starting' | 'silent'> {
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
        /(FATAL|PANIC): /.test(line) &&
        !/the database system is|terminating connection/.test(line),
    )
  return fatal?.replace(/^.*?(FATAL|PANIC): +/, '') ?? `see ${log}`
}

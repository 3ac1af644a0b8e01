// This process as a worker: one lease covers all of its lanes. A thread renews it and watches the
// other workers (lease.ts). This side registers, answers the thread's pings and receives its
// messages. When its lanes were released, a worker takes a new id.
import { Worker as Thread } from 'node:worker_threads'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Database, lazyOptions } from '../db/index.ts'
import { newId } from '../lib/index.ts'
import type { LeaseMessage, LeaseOptions } from './lease.ts'
import {
  announceFreed,
  deleteWorker,
  findProcessStart,
  hasDied,
  isNeighbour,
  type Run,
  registerWorker,
  releaseWorkers,
  renewWorker,
} from './worker-rows.ts'

export interface Worker {
  readonly id: string
  /** Whether no other process is alive, so that notifications can be skipped. */
  readonly alone: boolean
  /** Notes that another process is alive. */
  noticeOther(): void
  /** Notifies the other processes that this one has released lanes. */
  announceFreed(): Promise<void>
  stop(): Promise<void>
}

interface WorkerOptions {
  log: Logger
  /** A silent process keeps its lanes for this long; it renews five times as often. */
  leaseSeconds: number
  /** The id changed: this worker no longer owns its former lanes. */
  onLeaseLost: () => void
  /** There are free lanes, of a dead or a stopping worker. */
  onLeaseReleased: () => void
}

export async function startWorker(
  database: Database,
  { log, leaseSeconds, onLeaseLost, onLeaseReleased }: WorkerOptions,
): Promise<Worker> {
  const processStart = findProcessStart()
  const run: Run = (name, text, values) => database.lazily(name, text, values)
  let id = newId('worker')
  await registerWorker(run, id, leaseSeconds, processStart)
  let alone = await isAlone(run, id, leaseSeconds, processStart)
  let isReachable = true

  const take = (news: LeaseMessage) => {
    if (news.type === 'others') {
      isReachable = true
      alone = news.count === 0
    } else if (news.type === 'freed') onLeaseReleased()
    else if (news.type === 'lost') {
      log.warn(
        { reason: reasons[news.reason] },
        'this server lost its lease: other servers can claim its lanes',
      )
      id = news.id
      alone = false
      onLeaseLost()
    } else if (news.type === 'unreachable') {
      alone = false
      if (isReachable)
        log.warn(
          { databaseReason: news.message },
          'the lease cannot be renewed: retrying',
        )
      isReachable = false
    }
  }
  const thread = keepThread(
    () => ({
      settings: { ...database.settings, options: lazyOptions },
      id,
      leaseSeconds,
      processStart,
    }),
    { log, take },
  )

  return {
    get id() {
      return id
    },
    get alone() {
      return alone
    },
    noticeOther() {
      alone = false
    },
    async announceFreed() {
      if (!alone) await announceFreed(run, id)
    },
    async stop() {
      await thread.stop()
      await deleteWorker(run, id)
      if (!alone) await announceFreed(run, id)
    },
  }
}

const reasons = {
  expired: 'it did not renew its lease in time',
  hung: 'its event loop was blocked',
}

/**
 * Releases the lanes of dead processes on this machine first, so that after kill -9 and a restart
 * no lane waits for the lease to expire.
 */
async function isAlone(run: Run, id: string, leaseSeconds: number, processStart: string) {
  const { others } = await renewWorker(run, id, leaseSeconds)
  const dead = others.filter(
    (other) => isNeighbour(other) && hasDied(other, processStart),
  )
  await releaseWorkers(run, id, { dead: dead.map((one) => one.id), expired: true })
  return others.every((other) => dead.includes(other) || other.remainingMs <= 0)
}

/** The compiled file, also when the server runs from its sources. */
const threadFile = new URL('../../../dist/workers/lease-thread.js', import.meta.url)
const restartMs = 500
const stopMs = 2_000

/**
 * Runs the thread that keeps the lease, and restarts it if it ends. It does not keep the process
 * alive.
 */
function keepThread(
  options: () => LeaseOptions,
  { log, take }: { log: Logger; take: (news: LeaseMessage) => void },
) {
  let isStopped = false
  let restart: NodeJS.Timeout | undefined
  let ended: Promise<unknown> = Promise.resolve()
  let thread = start()

  function start() {
    const started = new Thread(threadFile, {
      workerData: options(),
      resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 8 },
    })
    started.unref()
    started.on('message', (news: LeaseMessage) => {
      if (isStopped) return
      if (news.type === 'ping') started.postMessage('pong')
      else take(news)
    })
    started.on('error', (error) =>
      log.error({ err: error }, 'the lease thread failed; restarting it'),
    )
    ended = new Promise((resolve) => started.once('exit', resolve))
    started.once('exit', () => {
      if (!isStopped)
        restart = setTimeout(() => {
          thread = start()
        }, restartMs).unref()
    })
    return started
  }

  return {
    async stop() {
      isStopped = true
      clearTimeout(restart)
      thread.postMessage('stop')
      const timer = setTimeout(() => void thread.terminate(), stopMs)
      await ended
      clearTimeout(timer)
    },
  }
}

/** Returns a condition for other statements: the worker that `id` names is alive. */
const isAliveWorker = (id: string) =>
  `exists (select from worker w where w.id = ${id} and w.alive_until > now())`

/**
 * Returns a condition for other statements: the row is free, by the column with its owner. A row of
 * this worker counts as free, since the caller excludes the rows it is working on and the rest was
 * lost with a connection.
 */
const isFree = (column: string, workerId: string): RawBuilder<boolean> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} = ${workerId}
    or not ${sql.raw(isAliveWorker(column))})`

/** Workers: the leases of processes. */
export const workers = {
  isAlive: isAliveWorker,
  isFree,
  start: startWorker,
}

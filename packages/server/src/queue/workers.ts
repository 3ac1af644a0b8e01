// This process as a worker: the lease of all its lanes at once. A thread keeps it and watches over the others (lease.ts); this side registers, answers
// the thread's pings, and learns from it what changes. A worker whose lanes were released takes a new id.
import { Worker as Thread } from 'node:worker_threads'
import { type RawBuilder, sql } from 'kysely'
import type { Logger } from 'pino'
import { type Database, lazySession } from '../db/open.ts'
import { newId } from '../lib/ids.ts'
import type { LeaseNews, LeaseOptions } from './lease.ts'
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
  /** No other process is alive: there is nobody to tell. */
  readonly alone: boolean
  /** Another process says that it is there. */
  noticeOther(): void
  /** Tells the others that this process has given lanes back. */
  announceFreed(): Promise<void>
  stop(): Promise<void>
}

export interface WorkerOptions {
  log: Logger
  /** How long a silent process keeps its lanes; it renews five times as often. */
  leaseSeconds: number
  /** The id had to change: what this process had is not its own any more. */
  lost: () => void
  /** There are free lanes, of a dead worker or of one that stops. */
  freed: () => void
}

export async function startWorker(
  database: Database,
  { log, leaseSeconds, lost, freed }: WorkerOptions,
): Promise<Worker> {
  const processStart = findProcessStart()
  const run: Run = (name, text, values) => database.lazily(name, text, values) as never
  let id = newId('worker')
  await registerWorker(run, id, leaseSeconds, processStart)
  let alone = await isAlone(run, id, leaseSeconds, processStart)
  let isReachable = true

  const take = (news: LeaseNews) => {
    if (news.type === 'others') {
      isReachable = true
      alone = news.count === 0
    } else if (news.type === 'freed') freed()
    else if (news.type === 'lost') {
      log.warn(
        { reason: reasons[news.reason] },
        'the other servers took this one for dead: it lost its conversations',
      )
      id = news.id
      alone = false
      lost()
    } else if (news.type === 'unreachable') {
      alone = false
      if (isReachable) log.warn({ reason: news.message }, 'the lease cannot be renewed: retrying')
      isReachable = false
    }
  }
  const thread = keepThread(
    () => ({ settings: { ...database.settings, options: lazySession }, id, leaseSeconds, processStart }),
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

/** Releases the lanes of dead processes of this machine first: after kill -9 and a new start nothing waits for the lease. */
async function isAlone(run: Run, id: string, leaseSeconds: number, processStart: string) {
  const { others } = await renewWorker(run, id, leaseSeconds)
  const dead = others.filter((other) => isNeighbour(other) && hasDied(other, processStart))
  await releaseWorkers(run, id, { dead: dead.map((one) => one.id), expired: true })
  return others.every((other) => dead.includes(other) || other.remainingMs <= 0)
}

/** Compiled, also when the server itself runs from its sources. */
const threadFile = new URL('../../dist/queue/lease-thread.js', import.meta.url)
const restartMs = 500
const stopMs = 2_000

/** Runs the thread that keeps the lease, and starts it again should it end. It keeps no process alive. */
function keepThread(
  options: () => LeaseOptions,
  { log, take }: { log: Logger; take: (news: LeaseNews) => void },
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
    started.on('message', (news: LeaseNews) => {
      if (isStopped) return
      if (news.type === 'ping') started.postMessage('pong')
      else take(news)
    })
    started.on('error', (error) => log.error({ err: error }, 'the thread that keeps the lease failed'))
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
      const tooLong = setTimeout(() => void thread.terminate(), stopMs)
      await ended
      clearTimeout(tooLong)
    },
  }
}

/** For other statements: whether the worker that `id` names is alive. */
export const isAliveWorker = (id: string) =>
  `exists (select from worker w where w.id = ${id} and w.alive_until > now())`

/**
 * For other statements: whether nobody works on it, by the column that says who does. What this worker had it may have again: whoever asks leaves out
 * what is in its hands, and the rest was lost on the way.
 */
export const isFree = (column: string, workerId: string): RawBuilder<boolean> =>
  sql`(${sql.ref(column)} is null or ${sql.ref(column)} = ${workerId} or not ${sql.raw(isAliveWorker(column))})`

// Opens the parts that move workspaces: the relocations that requests look up, and the work of the
// source.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Database } from '../../../core/db/index.ts'
import type { Invoker } from '../../../core/delivery/index.ts'
import type { Blobs } from '../../../core/files/index.ts'
import { type Events, version } from '../../../core/installation/index.ts'
import type { Queue, Worker } from '../../../core/queue/index.ts'
import type { Signals } from '../../../core/realtime/index.ts'
import type { Secrets } from '../../../core/sealing/index.ts'
import type { Tables } from '../../../core/table-rules/index.ts'
import { startMoves } from './driver.ts'
import { Relocations } from './relocations.ts'
import { endPause, pauseMs } from './stop.ts'

export interface MoveDeps {
  database: Database
  tableRules: Tables
  secrets: Secrets
  worker: Pick<Worker, 'id'>
  blobs: Blobs
  chatKey: string
  log: Logger
  events: Events
  signals: Pick<Signals, 'cutEverywhere'>
  queue: Pick<Queue, 'rest' | 'isBusy'>
  invoker: Pick<Invoker, 'recycle'>
}

export async function openMoves(deps: MoveDeps) {
  const { database, blobs, secrets, tableRules, chatKey, log, worker, events } = deps
  const { queue, signals, invoker } = deps
  const relocations = new Relocations(
    database,
    {
      onResting: (botIds) => queue.rest(botIds),
      async whenQuiet(botIds) {
        const until = performance.now() + pauseMs
        while (queue.isBusy(botIds) && performance.now() < until) await pause(10)
      },
      onGone(botIds) {
        for (const botId of botIds) {
          signals.cutEverywhere(botId, null)
          void invoker.recycle(botId).catch(() => {})
        }
      },
      endPause: (moveId) => endPause(database, moveId, worker.id),
    },
    log,
  )
  await relocations.refresh()
  const moves = startMoves({
    database,
    blobs,
    secrets,
    tableRules,
    chatKey,
    version,
    log,
  })
  const onMoves = () => {
    void relocations.refresh().catch(() => {}) // it is repeated every second
    moves.soon()
  }
  events.on('onMoves', onMoves)
  events.on('onConnectionError', onMoves)
  return { relocations, stop: () => Promise.all([moves.stop(), relocations.stop()]) }
}

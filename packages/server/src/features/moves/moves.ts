// Opens the parts that move workspaces: the relocations that requests look up, and the work of the
// source.
import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Delivery } from '../../app/delivery.ts'
import type { Events } from '../../app/events.ts'
import type { Opened, Storage } from '../../app/storage.ts'
import { version } from '../../app/version.ts'
import type { Blobs } from '../../core/blobs/blobs.ts'
import { startMoves } from './driver.ts'
import { Relocations } from './relocations.ts'
import { endPause, pauseMs } from './stop.ts'

interface Deps extends Storage {
  delivery: Delivery
  events: Events
  blobs: Blobs
  chatKey: string
  log: Logger
}

export type Moves = Awaited<ReturnType<typeof openMoves>>

export async function openMoves(deps: Deps, opened: Opened) {
  const { database, blobs, secrets, tableRules, chatKey, log, worker, delivery, events } = deps
  const { queue, signals, hosting } = delivery
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
          void hosting.invoker.recycle(botId).catch(() => {})
        }
      },
      endPause: (moveId) => endPause(database, moveId, worker.id),
    },
    log,
  )
  await relocations.refresh()
  const moves = startMoves({ database, blobs, secrets, tableRules, chatKey, version, log })
  const onMoves = () => {
    void relocations.refresh().catch(() => {}) // it is repeated every second
    moves.soon()
  }
  events.on('onMoves', onMoves)
  events.on('onConnectionError', onMoves)
  const stop = () => Promise.all([moves.stop(), relocations.stop()])
  opened.push(stop)
  return { relocations, stop }
}

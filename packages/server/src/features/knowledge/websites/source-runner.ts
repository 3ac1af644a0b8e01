// Refreshes sources in the background, a few at a time in each process: claims a source, does a part
// of its refresh, and releases it, so that slow or large websites do not delay the others.

import { PeriodicTask } from '@botstead/lib'
import type { Logger } from 'pino'
import type { Outgoing } from '../../../core/outgoing/index.ts'
import { type RefreshDeps, refresh } from './refreshing.ts'
import { openSite, type RobotsCache } from './site.ts'
import {
  claimSource,
  endRefresh,
  releaseSource,
  SourceLost,
  type SourceRow,
} from './sources.ts'

export interface SourceRunner {
  /** Looks for sources now instead of at the next poll. */
  soon(): void
  stop(): Promise<void>
}

interface RunnerDeps extends Omit<RefreshDeps, 'site' | 'signal' | 'onStep'> {
  log: Logger
  workerId: () => string
  outgoing: Pick<Outgoing, 'for'>
  /** Returns null after the bot was deleted. */
  workspaceOf: (botId: string) => Promise<string | null>
  indexer: { soon(): void }
  /** Called when a source or one of its pages has changed. */
  onChange?: (source: { botId: string; id: string }) => void
}

const concurrency = 4
/** Number of claims without progress before the refresh fails. */
const maxAttempts = 5
const paceMs = 5_000

export function startSourceRunner(deps: RunnerDeps): SourceRunner {
  const { db, log, workerId } = deps
  const cache: RobotsCache = new Map()
  const working = new Map<string, Promise<void>>()
  const stopping = new AbortController()
  const begin = (source: SourceRow) => {
    const done = work(deps, source, { cache, signal: stopping.signal })
      .catch((error) => {
        if (!(error instanceof SourceLost))
          log.warn({ err: error }, 'cannot save the outcome of a refresh')
      })
      .then(() => {
        deps.onChange?.({ botId: source.bot_id, id: source.id })
        working.delete(source.bot_id)
        looking.within(0)
      })
    working.set(source.bot_id, done)
  }
  const look = async () => {
    while (working.size < concurrency && !stopping.signal.aborted) {
      const source = await claimSource(db, workerId(), [...working.keys()])
      if (!source) return
      begin(source)
    }
  }
  const failed = (error: unknown) => log.warn({ err: error }, 'cannot query for websites')
  const looking = new PeriodicTask({ task: look, paceMs, failed })
  return {
    soon: () => looking.within(0),
    async stop() {
      stopping.abort()
      await looking.stop()
      await Promise.all(working.values())
    },
  }
}

/** Does a part of the refresh, and releases the source. Throws SourceLost. */
async function work(
  deps: RunnerDeps,
  source: SourceRow,
  { cache, signal }: { cache: RobotsCache; signal: AbortSignal },
): Promise<void> {
  const { db, log } = deps
  const { bot_id: botId, id, attempts } = source
  try {
    // only after crashes of the worker: a reported error ends the refresh earlier
    if (attempts > maxAttempts) throw new Error('the processes ended that refreshed it')
    const workspaceId = await deps.workspaceOf(botId)
    if (workspaceId === null) throw new SourceLost()
    const send = await deps.outgoing.for(workspaceId)
    const site = openSite({ sourceId: id, send, signal, cache })
    const onStep = (hasChangedFile: boolean) => {
      if (hasChangedFile) deps.indexer.soon()
      deps.onChange?.({ botId, id })
    }
    const pauseMs = await refresh({ ...deps, site, signal, onStep }, source)
    if (pauseMs !== null) await releaseSource(db, source, pauseMs)
  } catch (error) {
    if (error instanceof SourceLost) throw error
    if (signal.aborted) await releaseSource(db, source, 0)
    else {
      log.warn({ err: error, sourceId: id, botId }, 'the refresh of a website failed')
      if (attempts < maxAttempts) await releaseSource(db, source, attempts * 10_000, true)
      else await endRefresh(db, source, 'Internal server error; see the server log')
    }
  }
}

// Works on the requests to copilots: a few at a time on each server, each with a lease.
import { ApiError } from '@botstead/contract'
import { PeriodicTask } from '@botstead/lib'
import { botStore } from '../../../core/bots/index.ts'
import {
  createOperationCalls,
  type HttpServices,
  lendCaller,
} from '../../../core/http/index.ts'
import type { ModelServices } from '../../models/index.ts'
import { openDraftCopy } from './copilot-tools.ts'
import { work } from './rounds.ts'
import { claimRun, endRun, type RunRow, releaseLease, renewLease } from './runs.ts'

type Deps = HttpServices & ModelServices

const note = ({ changeFeed }: Deps, { bot_id: botId }: RunRow) =>
  changeFeed.publish({ topic: 'copilot', botId })

interface CopilotRunner {
  stop(): Promise<void>
}

const atATime = 4
const renewMs = 3_000

export function startCopilot(deps: Deps): CopilotRunner {
  const running = new Map<AbortController, Promise<void>>()
  let isStopped = false
  const begin = (row: RunRow) => {
    const stop = new AbortController()
    const done = run(deps, row, stop).finally(() => running.delete(stop))
    running.set(stop, done)
  }
  const task = new PeriodicTask({
    async task() {
      while (running.size < atATime && !isStopped) {
        const row = await claimRun(deps.db)
        if (!row) return
        begin(row)
      }
    },
    paceMs: 1_000,
    failed: (error) =>
      deps.log.warn({ err: error }, 'cannot look for requests to copilots'),
  })
  return {
    async stop() {
      isStopped = true
      await task.stop()
      for (const stop of running.keys()) stop.abort()
      await Promise.all(running.values())
    },
  }
}

/** Never rejects. */
async function run(deps: Deps, row: RunRow, stop: AbortController): Promise<void> {
  const { db, log } = deps
  const renewing = setInterval(() => {
    renewLease(db, row).then(
      (isHeld) => isHeld || stop.abort(),
      () => {}, // the lease ends by itself
    )
  }, renewMs)
  const lent = lendCaller(row.created_by)
  try {
    const context = await openContext(deps, row, lent.authorization)
    const { models } = deps
    const changed = () => note(deps, row)
    await work({ db, models, row, context, signal: stop.signal, changed })
  } catch (error) {
    await end(deps, row, stop.signal, error).catch((failure) =>
      log.error({ err: failure, botId: row.bot_id }, 'cannot end a request to a copilot'),
    )
  } finally {
    lent.end()
    clearInterval(renewing)
    note(deps, row)
  }
}

async function openContext(services: Deps, row: RunRow, authorization: string) {
  const bot = await botStore.findById(services.db, row.bot_id)
  if (!bot) throw new ApiError('ResourceNotFound', 'The bot was deleted')
  const { workspace_id: workspaceId } = bot
  const { inject } = services
  const call = createOperationCalls({
    inject,
    authorization,
    workspaceId,
    address: '127.0.0.1',
  })
  const base = { text: row.base_text, format: row.format as 'JSON' | 'YAML' }
  const drafts = openDraftCopy(base, row.text)
  return { call, workspaceId, accountId: row.created_by, drafts, services }
}

/** A server that stops leaves the request to another one. */
async function end(
  { db, log }: Deps,
  row: RunRow,
  { aborted }: AbortSignal,
  error: unknown,
): Promise<void> {
  if (aborted) return void (await releaseLease(db, row))
  const isKnown = error instanceof ApiError && error.type !== 'Internal'
  if (!isKnown)
    log.error({ err: error, botId: row.bot_id }, 'a request to a copilot failed')
  const failure = isKnown ? error.message : 'The server failed; its log has the reason'
  await endRun(db, row, { state: 'failed', failure })
}

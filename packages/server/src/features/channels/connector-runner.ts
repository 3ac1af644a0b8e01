// Keeps the connections of channels that this server owns: claims those that no living server has, and ends
// those whose configuration has changed. A connection that fails begins again, later and later.
import { setTimeout as pause } from 'node:timers/promises'
import { ChannelError } from '@botstead/channels'
import { PeriodicTask } from '@botstead/lib'
import { outages } from '../../core/db/index.ts'
import { storeArrivals } from './arrivals.ts'
import { type OpenChannel, openChannel } from './channel-context.ts'
import {
  type Claim,
  ConnectorLost,
  type ConnectorRow,
  findCursor,
  holdConnectors,
  releaseConnectors,
  saveCursor,
  saveState,
} from './connectors.ts'
import type { ChannelDeps } from './deps.ts'

export interface ConnectorRunner {
  /** Looks for connections now. */
  soon(): void
  stop(): Promise<void>
}

interface RunnerDeps extends ChannelDeps {
  /** A connection works again (null), or does not for a reason. */
  onState: (botId: string, alias: string, reason: string | null) => Promise<void>
}

const paceMs = 1_000
const claimsPerLook = 200
const firstPauseMs = 1_000
const maxPauseMs = 60_000
const stopMs = 2_000

interface Running {
  generation: number
  worker: string
  stopping: AbortController
  ended: Promise<void>
}

const toKey = ({ bot_id, alias }: Pick<ConnectorRow, 'bot_id' | 'alias'>) =>
  `${bot_id}/${alias}`

export function startConnectors(deps: RunnerDeps): ConnectorRunner {
  const { db, log, workerId } = deps
  const running = new Map<string, Running>()
  const begin = (row: ConnectorRow, worker: string) => {
    const key = toKey(row)
    const stopping = new AbortController()
    const claim = {
      botId: row.bot_id,
      alias: row.alias,
      generation: row.generation,
      worker,
    }
    const ended = runConnector(deps, claim, stopping.signal)
      .catch((error) => {
        if (!(error instanceof ConnectorLost))
          log.warn({ err: error, botId: row.bot_id }, 'a connection of a channel ended')
      })
      .then(() => {
        if (running.get(key)?.stopping === stopping) running.delete(key)
      })
    running.set(key, { generation: row.generation, worker, stopping, ended })
  }
  const look = async () => {
    const worker = workerId()
    const held = await holdConnectors(db, worker, claimsPerLook)
    const rows = new Map(held.map((row) => [toKey(row), row]))
    for (const [key, one] of running) {
      const row = rows.get(key)
      if (row?.generation === one.generation && one.worker === worker) continue
      one.stopping.abort()
      running.delete(key)
    }
    for (const [key, row] of rows) if (!running.has(key)) begin(row, worker)
  }
  const failed = (error: unknown) => {
    if (!outages.isUnavailable(error))
      log.warn({ err: error }, 'cannot look for connections')
  }
  const looking = new PeriodicTask({ task: look, paceMs, failed })
  return {
    soon: () => looking.within(0),
    async stop() {
      await looking.stop()
      for (const { stopping } of running.values()) stopping.abort()
      await Promise.race([
        Promise.all([...running.values()].map(({ ended }) => ended)),
        pause(stopMs),
      ])
      await releaseConnectors(db, workerId()).catch(failed)
    },
  }
}

/** Connects until the signal aborts. Throws ConnectorLost. */
async function runConnector(
  deps: RunnerDeps,
  claim: Claim,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      const opened = await openInstalled(deps, claim, signal)
      await receive(deps, claim, opened, () => {
        failures = 0
      })
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof ConnectorLost) throw error
      await noteFailure(deps, claim, error, ++failures)
      await pause(toPause(error, failures), undefined, { signal }).catch(() => {})
    }
  }
}

async function openInstalled(
  deps: RunnerDeps,
  { botId, alias }: Claim,
  signal: AbortSignal,
): Promise<OpenChannel> {
  const installed = await deps.targets.integration(botId, alias)
  const opened = installed && (await openChannel(deps, { botId, installed }, signal))
  if (!opened) throw new ConnectorLost()
  return opened
}

/** Stores what arrives. Ends when the provider ends the connection, which then begins again. */
async function receive(
  deps: RunnerDeps,
  claim: Claim,
  { entry, channel, context }: OpenChannel,
  onConnected: () => void,
): Promise<void> {
  const { botId, alias } = claim
  const receiver = { botId, alias, hasNoButtons: entry.hasNoButtons ?? false }
  let isConnected = false
  if (!channel.connect) throw new ConnectorLost()
  // After an error, the transaction of the last batch may have been committed.
  const position = await findCursor(deps.db, claim)
  for await (const { arrivals, cursor } of channel.connect(context, position)) {
    if (!isConnected) {
      await saveState(deps.db, claim, 'connected')
      await deps.onState(botId, alias, null)
      isConnected = true
      onConnected()
    }
    if (arrivals.length > 0 || cursor !== null)
      await storeArrivals(deps, receiver, arrivals, async (db) => {
        if (cursor !== null) await saveCursor(db, claim, cursor)
      })
  }
}

/** A provider may be away for a moment. */
const failuresBeforeState = 3

async function noteFailure(
  deps: RunnerDeps,
  claim: Claim,
  error: unknown,
  failures: number,
): Promise<void> {
  const { botId, alias } = claim
  const isExpected = error instanceof ChannelError
  if (!isExpected)
    deps.log.warn({ err: error, botId, alias }, 'a connection of a channel failed')
  const reason = isExpected ? error.message : 'Internal server error; see the server log'
  await saveState(deps.db, claim, 'failing', reason).catch((failure) => {
    if (failure instanceof ConnectorLost || !outages.isUnavailable(failure)) throw failure
  })
  const isLasting = isExpected && error.kind !== 'unavailable' && error.kind !== 'limited'
  if (isLasting || failures >= failuresBeforeState)
    await deps.onState(botId, alias, reason)
}

function toPause(error: unknown, failures: number): number {
  // A wrong token does not become right by itself.
  if (error instanceof ChannelError && error.kind === 'credentials') return maxPauseMs
  const wanted = (error instanceof ChannelError && error.retryAfterMs) || 0
  return Math.max(wanted, Math.min(firstPauseMs * 2 ** (failures - 1), maxPauseMs))
}

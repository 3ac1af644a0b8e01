// Gauges that are read from the running parts on each scrape; nothing is counted in between.
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Sandbox } from '@botstead/sandbox'
import type { Database } from '../core/db/index.ts'
import { openStreams } from '../core/http/index.ts'
import type { DiskWatch } from '../core/installation/index.ts'
import type { Queue } from '../core/queue/index.ts'
import type { Metrics } from '../core/telemetry/index.ts'
import type { BackupState } from '../features/archive/index.ts'
import type { AllServices } from './all-services.ts'

type Registry = Metrics['registry']
type Depth = NonNullable<Awaited<ReturnType<AllServices['queueDepth']>>>

/** Bots that get a sample each: those with the most deliveries. */
const maxBots = 20

interface GaugeSources {
  queue: Pick<Queue, 'stats'>
  sandbox: Pick<Sandbox, 'stats'>
  pools: Database['pools']
  webSockets: () => number
  tunnels: () => number
  depth: () => Promise<Depth | null>
  backups: () => BackupState | null
  disk: DiskWatch['space']
}

export interface Gauges {
  /** Returns all metrics as text. */
  text(): Promise<string>
  close(): void
}

export function openGauges(registry: Registry, parts: GaugeSources): Gauges {
  let depth: Depth | null = null
  depthGauges(registry, () => depth)
  botGauges(registry, () => depth)
  queueGauges(registry, parts)
  partGauges(registry, parts)
  installationGauges(registry, parts)
  const stopProcess = processGauges(registry)
  return {
    async text() {
      depth = await parts.depth()
      return registry.text()
    },
    close: stopProcess,
  }
}

function depthGauges(registry: Registry, depth: () => Depth | null) {
  const overall = (name: string, help: string, of: (depth: Depth) => number) =>
    registry.gauge(`botstead_${name}`, `${help}; over all processes`, () =>
      samples(depth(), (found) => [{ value: of(found) }]),
    )
  overall(
    'queue_waiting_deliveries',
    'Pending and running deliveries',
    (found) => found.waiting,
  )
  overall(
    'queue_waiting_lanes',
    'Lanes (ordered queues of one conversation each) with pending deliveries',
    (found) => found.lanes,
  )
  overall(
    'queue_oldest_seconds',
    'Age of the oldest pending delivery',
    (found) => found.oldestSeconds,
  )
  overall(
    'dead_letters',
    'Dead letters: deliveries whose retries are exhausted',
    (found) => found.dead,
  )
}

function botGauges(registry: Registry, depth: () => Depth | null) {
  const byBot = <Value>(
    name: string,
    help: string,
    bots: (depth: Depth) => Map<string, Value>,
    of: (value: Value) => number,
  ) =>
    registry.gauge(
      `botstead_bot_${name}`,
      `${help}; the bots with the highest values, over all processes`,
      () =>
        samples(depth(), (found) =>
          [...bots(found)]
            .slice(0, maxBots)
            .map(([bot, value]) => ({ labels: { bot }, value: of(value) })),
        ),
    )
  const bots = ({ bots }: Depth) => bots
  byBot(
    'queue_waiting_deliveries',
    'Pending and running deliveries',
    bots,
    (one) => one.waiting,
  )
  byBot(
    'queue_oldest_seconds',
    'Age of the oldest pending delivery',
    bots,
    (one) => one.oldestSeconds,
  )
  byBot(
    'dead_letters',
    'Dead letters: deliveries whose retries are exhausted',
    ({ botsDead }) => botsDead,
    (dead) => dead,
  )
}

function queueGauges(registry: Registry, { queue }: GaugeSources) {
  registry.gauge(
    'botstead_queue_lanes',
    'Lanes that this process has in memory',
    () => queue.stats.lanes,
  )
  registry.gauge(
    'botstead_queue_running',
    'Deliveries that this process is running',
    () => queue.stats.running,
  )
  registry.gauge(
    'botstead_queue_held',
    'Deliveries that this process holds in memory',
    () => queue.stats.held,
  )
}

/** Returns no samples while the database does not respond. */
const samples = <Sample>(
  depth: Depth | null,
  of: (depth: Depth) => Sample[],
): Sample[] => (depth ? of(depth) : [])

function partGauges(
  registry: Registry,
  { sandbox, pools, webSockets, tunnels }: GaugeSources,
) {
  registry.gauge('botstead_listeners', 'Open listener streams', () => [
    { labels: { transport: 'sse' }, value: openStreams() },
    { labels: { transport: 'websocket' }, value: webSockets() },
  ])
  registry.gauge(
    'botstead_tunnels',
    'Open tunnels to bots and integrations under development',
    tunnels,
  )
  registry.gauge(
    'botstead_sandbox_processes',
    'Processes of hosted code',
    () => sandbox.stats().processes,
  )
  registry.gauge(
    'botstead_sandbox_running',
    'Calls that hosted code is processing',
    () => sandbox.stats().running,
  )
  registry.total(
    'botstead_sandbox_starts_total',
    'Processes started for hosted code',
    () => sandbox.stats().coldStarts,
  )
  registry.total(
    'botstead_sandbox_ends_total',
    'Processes of hosted code that crashed or were ended, by cause',
    () => {
      const { crashes, kills } = sandbox.stats()
      return Object.entries({ crash: crashes, ...kills }).map(([cause, value]) => ({
        labels: { cause },
        value,
      }))
    },
  )
  registry.gauge(
    'botstead_database_connections',
    'Database connections, and statements waiting for one',
    () =>
      pools().flatMap(({ name, ...states }) =>
        Object.entries(states).map(([state, value]) => ({
          labels: { pool: name, state: stateNames[state]! },
          value,
        })),
      ),
  )
}
const stateNames: Record<string, string> = {
  inUse: 'in_use',
  idle: 'idle',
  waiting: 'waiting',
}

/** Without samples until there is a backup, and until the disk was read. */
function installationGauges(registry: Registry, { backups, disk }: GaugeSources) {
  const time = (name: string, help: string, at: () => Date | null | undefined) =>
    registry.gauge(`botstead_backup_last_${name}_timestamp_seconds`, help, () => {
      const found = at()
      return found ? [{ value: found.getTime() / 1000 }] : []
    })
  time(
    'success',
    'End of the newest backup, in Unix seconds',
    () => backups()?.lastSuccessAt,
  )
  time(
    'verified',
    'When the newest verified backup was restored into a temporary database, in Unix seconds',
    () => backups()?.lastVerifiedAt,
  )
  const flag = (name: string, help: string, of: (state: BackupState) => boolean) =>
    registry.gauge(`botstead_backup_${name}`, help, () => {
      const state = backups()
      return state ? [{ value: Number(of(state)) }] : []
    })
  flag('failed', '1 if the newest backup failed, or its verification or copy', (state) =>
    Boolean(state.failure),
  )
  flag(
    'overdue',
    '1 if the newest backup is older than two periods of the schedule',
    (state) => state.isOverdue,
  )
  const bytes = (name: string, help: string, figure: 'freeBytes' | 'totalBytes') =>
    registry.gauge(`botstead_disk_${name}_bytes`, help, () => {
      const space = disk()
      return space ? [{ value: space[figure] }] : []
    })
  bytes('free', 'Free space of the disk of the data folder', 'freeBytes')
  bytes('size', 'Size of the disk of the data folder', 'totalBytes')
}

/** Uses the names that Node dashboards expect. */
function processGauges(registry: Registry): () => void {
  const delays = monitorEventLoopDelay({ resolution: 20 })
  delays.enable()
  const startedAt = Date.now() / 1000 - process.uptime()
  const seconds = (nanoseconds: number) =>
    Number.isNaN(nanoseconds) ? 0 : nanoseconds / 1e9
  registry.total('process_cpu_seconds_total', 'CPU time', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  registry.gauge(
    'process_start_time_seconds',
    'Start time of the process, in Unix seconds',
    () => startedAt,
  )
  registry.gauge('process_resident_memory_bytes', 'Memory of the process', () =>
    process.memoryUsage.rss(),
  )
  registry.gauge(
    'nodejs_heap_size_used_bytes',
    'JavaScript heap in use',
    () => process.memoryUsage().heapUsed,
  )
  registry.gauge(
    'nodejs_eventloop_lag_mean_seconds',
    'Mean event loop delay since the previous scrape',
    () => seconds(delays.mean),
  )
  registry.gauge(
    'nodejs_eventloop_lag_p99_seconds',
    '99th percentile of the event loop delay',
    () => seconds(delays.percentile(99)),
  )
  registry.gauge(
    'nodejs_eventloop_lag_max_seconds',
    'Longest event loop delay since the previous scrape',
    () => {
      const longest = seconds(delays.max)
      delays.reset()
      return longest
    },
  )
  return () => void delays.disable()
}

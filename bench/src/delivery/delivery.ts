// Deliveries per second, and the time from commit to handler, compared with graphile-worker on the
// same cluster.
import { setTimeout as pause } from 'node:timers/promises'
import { openGraphileQueue } from '../baselines/graphile-queue.ts'
import { type Cluster, createDatabase } from '../database.ts'
import {
  digits,
  median,
  printTable,
  progress,
  quantile,
  ratio,
  shuffled,
  spread,
} from '../report.ts'
import { openBotsteadQueue } from './botstead-queue.ts'
import { type DeliveryTarget, Watch } from './delivery-target.ts'

interface DeliveryPlan {
  conversations: number[]
  rounds: number
  roundMs: number
}

/** Concurrent deliveries: enough to saturate both queues, without a backlog. */
const maxOpen = 200
/** Pause between two deliveries of the latency measurement. */
const restMs = 1

interface Result {
  perSecond: number[]
  busy: number[]
  alone: number[]
}

export async function measureDelivery(cluster: Cluster, plan: DeliveryPlan) {
  const maxConversations = Math.max(...plan.conversations)
  const ours = await openBotsteadQueue(
    'Botstead',
    await createDatabase(cluster, 'delivery'),
    maxConversations,
  )
  const rival = await openGraphileQueue(await createDatabase(cluster, 'graphile'), {
    ordered: true,
  })
  const looseRival = await openGraphileQueue(
    await createDatabase(cluster, 'graphile_loose'),
    {
      ordered: false,
    },
  )
  try {
    for (const conversations of plan.conversations)
      await compare([rival, looseRival, ours], conversations, plan)
  } finally {
    await Promise.all([ours, rival, looseRival].map((target) => target.close()))
  }
}

async function compare(
  targets: DeliveryTarget[],
  conversations: number,
  { rounds, roundMs }: DeliveryPlan,
) {
  progress(`deliveries, ${conversations} conversations`)
  const watches = new Map(targets.map((target) => [target, new Watch(target)]))
  const results = new Map<DeliveryTarget, Result>(
    targets.map((target) => [target, { perSecond: [], busy: [], alone: [] }]),
  )
  for (const watch of watches.values()) await runBusy(watch, conversations, roundMs / 2)
  for (let round = 0; round < rounds; round++) {
    for (const target of shuffled(targets)) {
      const result = results.get(target)!
      const busy = await runBusy(watches.get(target)!, conversations, roundMs)
      result.perSecond.push(busy.perSecond)
      result.busy.push(...busy.latencies)
      result.alone.push(...(await runAlone(watches.get(target)!, conversations, roundMs)))
    }
  }
  const rival = results.get(targets[0]!)!
  const ms = (values: number[], q: number) => digits(quantile(values, q))
  printTable(
    `Deliveries, ${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`,
    [
      '',
      'per second, median (range)',
      `relative to ${targets[0]!.name}`,
      'commit to handler, one at a time: p50 ms',
      'p99 ms',
      `${maxOpen} at a time: p50 ms`,
      'p99 ms',
    ],
    targets.map((target) => {
      const { perSecond, busy, alone } = results.get(target)!
      const rate = ratio(median(perSecond), median(rival.perSecond))
      return [
        target.name,
        spread(perSecond),
        rate,
        ms(alone, 0.5),
        ms(alone, 0.99),
        ms(busy, 0.5),
        ms(busy, 0.99),
      ]
    }),
  )
}

/** Delivers at full load, to all conversations in turn. */
export async function runBusy(watch: Watch, conversations: number, roundMs: number) {
  const latencies: number[] = []
  const begin = performance.now()
  let next = 0
  const producer = async () => {
    while (performance.now() < begin + roundMs) {
      const { committedAt, startedAt } = await watch.deliver(next++ % conversations)
      latencies.push(Math.max(0, startedAt - committedAt))
    }
  }
  await Promise.all(Array.from({ length: maxOpen }, producer))
  return { perSecond: (latencies.length * 1000) / (performance.now() - begin), latencies }
}

/** Delivers one at a time. */
export async function runAlone(watch: Watch, conversations: number, roundMs: number) {
  const latencies: number[] = []
  const begin = performance.now()
  for (let next = 0; performance.now() < begin + roundMs; next++) {
    const { committedAt, startedAt } = await watch.deliver(next % conversations)
    latencies.push(Math.max(0, startedAt - committedAt))
    await pause(restMs)
  }
  return latencies
}

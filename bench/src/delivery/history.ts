// Finished deliveries, and pending deliveries of other bots, must not slow deliveries: compares an
// empty database, one with a long history, and one with the backlog of a bot that does not answer.

import {
  type Cluster,
  createDatabase,
  type DatabaseSettings,
  withClient,
} from '../database.ts'
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
import { type BotsteadQueue, botId, openBotsteadQueue } from './botstead-queue.ts'
import { runAlone, runBusy } from './delivery.ts'
import { Watch } from './delivery-target.ts'

interface HistoryPlan {
  finished: number
  waiting: number
  rounds: number
  roundMs: number
}

const conversations = 100

interface Measured {
  name: string
  settings: DatabaseSettings
  queue: BotsteadQueue
  watch: Watch
  perSecond: number[]
  alone: number[]
  depthMs: number[]
}

/** Uses one database per case, so that the rounds can alternate. */
export async function measureHistory(cluster: Cluster, plan: HistoryPlan) {
  const finished = `${plan.finished.toLocaleString('en')} finished`
  const waiting = `${plan.waiting.toLocaleString('en')} pending for a bot that does not answer`
  const measured: Measured[] = []
  const open = async (
    name: string,
    database: string,
    ...fill: ((settings: DatabaseSettings) => Promise<void>)[]
  ) => {
    progress(`a database with ${name}`)
    const settings = await createDatabase(cluster, database)
    const queue = await openBotsteadQueue(name, settings, conversations)
    for (const step of fill) await step(settings)
    const one: Measured = {
      name,
      settings,
      queue,
      watch: new Watch(queue),
      perSecond: [],
      alone: [],
      depthMs: [],
    }
    measured.push(one)
    return one
  }
  try {
    const past = (settings: DatabaseSettings) => finish(settings, plan.finished)
    await open('nothing else', 'history_none')
    await open(finished, 'history_past', past)
    const full = await open(`${finished}, ${waiting}`, 'history_full', past, (settings) =>
      wait(settings, plan.waiting),
    )
    progress('deliveries with a history')
    for (const one of measured) await runBusy(one.watch, conversations, plan.roundMs)
    for (let round = 0; round < plan.rounds; round++)
      for (const one of shuffled(measured)) await measure(one, plan)
    report(measured, await drain(full, plan.waiting))
  } finally {
    await Promise.all(measured.map(({ queue }) => queue.close()))
  }
}

async function measure(
  { watch, queue, perSecond, alone, depthMs }: Measured,
  { roundMs }: HistoryPlan,
) {
  perSecond.push((await runBusy(watch, conversations, roundMs)).perSecond)
  alone.push(...(await runAlone(watch, conversations, roundMs)))
  const from = performance.now()
  await queue.readDepth()
  depthMs.push(performance.now() - from)
}

function report(measured: Measured[], drainedPerSecond: number) {
  const base = measured[0]!
  printTable(
    'Deliveries of Botstead with finished and pending deliveries in the database',
    [
      'database with',
      'per second, median (range)',
      'relative to an empty database',
      'commit to handler: p50 ms',
      'p99 ms',
      'queue depth for /metrics, ms',
    ],
    measured.map(({ name, perSecond, alone, depthMs }) => {
      const rate = ratio(median(perSecond), median(base.perSecond))
      return [
        name,
        spread(perSecond),
        rate,
        digits(quantile(alone, 0.5)),
        digits(quantile(alone, 0.99)),
        digits(median(depthMs)),
      ]
    }),
    [
      `When that bot answers again, the server works off its backlog at ${digits(drainedPerSecond)} ` +
        'deliveries per second.',
    ],
  )
}

/** Inserts lanes and events of finished deliveries. */
const finish = (settings: DatabaseSettings, count: number) =>
  withClient(settings, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into lane (bot_id, key, last_number) select '${botId}', 'conv_past_' || i, 1
        from generate_series(1, $1::int) i`,
      [count],
    )
    await client.query(
      `insert into event (bot_id, id, type, conversation_id, status) select '${botId}', 'evt_past_' || i,
        'message_created', 'conv_past_' || i, 'processed' from generate_series(1, $1::int) i`,
      [count],
    )
    await settle(client)
  })

const wait = (settings: DatabaseSettings, count: number) =>
  withClient(settings, async (client) => {
    await client.query(
      `insert into delivery (bot_id, lane, number, id, kind, subject_id) select 'bot_slow', 'conv_' || i, 1,
        'dlv_' || i, 'event', 'evt_' || i from generate_series(1, $1::int) i`,
      [count],
    )
    await client.query(
      `insert into lane (bot_id, key, pending, last_number) select 'bot_slow', 'conv_' || i, 1, 1
        from generate_series(1, $1::int) i`,
      [count],
    )
    await settle(client)
  })

/** Vacuums and writes a checkpoint now, so that neither runs during a measurement. */
async function settle(client: { query(text: string): Promise<unknown> }) {
  await client.query('vacuum analyze lane, event, delivery')
  await client.query('checkpoint')
}

/** Lets the bot answer; returns the rate of its deliveries until the last one. */
async function drain({ queue, settings }: Measured, count: number): Promise<number> {
  progress('working off the backlog')
  queue.letOthersGo()
  const begin = performance.now()
  return withClient(settings, async (client) => {
    for (;;) {
      const { rows } = await client.query(
        `select exists (select from delivery where bot_id = 'bot_slow') as some`,
      )
      if (!rows[0].some) return (count * 1000) / (performance.now() - begin)
      // Polling more often would slow the deliveries.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
}

// What is over, and what waits for somebody else, must cost the others nothing: the same deliveries in an empty database, in one with a long
// history, and beside the backlog of a bot that does not answer.
import { botId, openBotsteadQueue } from './botstead-queue.ts'
import { type Cluster, createDatabase, type DatabaseSettings, withClient } from './database.ts'
import { runAlone, runBusy } from './delivery.ts'
import { Watch } from './delivery-place.ts'
import { digits, median, progress, quantile, ratio, spread, table } from './report.ts'

export interface HistoryPlan {
  finished: number
  waiting: number
  rounds: number
  roundMs: number
}

const conversations = 100

interface Measured {
  name: string
  perSecond: number[]
  alone: number[]
}

export async function measureHistory(cluster: Cluster, plan: HistoryPlan) {
  const settings = await createDatabase(cluster, 'history')
  const queue = await openBotsteadQueue('Botstead', settings, conversations)
  const held: (() => void)[] = []
  queue.onOther = () => new Promise((resolve) => held.push(resolve))
  const letGo = () => {
    queue.onOther = async () => {}
    for (const resolve of held) resolve()
  }
  try {
    const watch = new Watch(queue)
    await runBusy(watch, conversations, plan.roundMs)
    const measured = [await measure('nothing else', watch, plan)]
    progress(`${plan.finished} finished deliveries`)
    await finish(settings, plan.finished)
    const finished = `${plan.finished.toLocaleString('en')} finished`
    measured.push(await measure(finished, watch, plan))
    progress(`${plan.waiting} waiting deliveries`)
    await wait(settings, plan.waiting)
    measured.push(await measure(`${finished}, ${plan.waiting.toLocaleString('en')} waiting for a bot that does not answer`, watch, plan))
    report(measured, await drain(settings, plan.waiting, letGo))
  } finally {
    letGo()
    await queue.close()
  }
}

async function measure(name: string, watch: Watch, { rounds, roundMs }: HistoryPlan): Promise<Measured> {
  progress(`deliveries beside: ${name}`)
  const measured: Measured = { name, perSecond: [], alone: [] }
  for (let round = 0; round < rounds; round++) {
    measured.perSecond.push((await runBusy(watch, conversations, roundMs)).perSecond)
    measured.alone.push(...(await runAlone(watch, conversations, roundMs)))
  }
  return measured
}

function report(measured: Measured[], drainedPerSecond: number) {
  const base = measured[0]!
  table(
    'Deliveries of Botstead beside what is over, and what waits',
    ['beside', 'a second, median (range)', 'of an empty database', 'commit to handler: p50 ms', 'p99 ms'],
    measured.map(({ name, perSecond, alone }) => {
      const rate = ratio(median(perSecond), median(base.perSecond))
      return [name, spread(perSecond), rate, digits(quantile(alone, 0.5)), digits(quantile(alone, 0.99))]
    }),
    [`When that bot answers again, its backlog goes at ${digits(drainedPerSecond)} deliveries a second.`],
  )
}

/** What is over has left its lane and its event. */
const finish = (settings: DatabaseSettings, count: number) =>
  withClient(settings, async (client) => {
    await client.query('set session_replication_role = replica')
    await client.query(`insert into lane (bot_id, key, last_number) select '${botId}', 'conv_past_' || i, 1 from generate_series(1, $1::int) i`, [count])
    await client.query(
      `insert into event (bot_id, id, type, conversation_id, status) select '${botId}', 'evt_past_' || i, 'message_created', 'conv_past_' || i, 'processed' from generate_series(1, $1::int) i`,
      [count],
    )
    await client.query('analyze lane, event, delivery')
  })

const wait = (settings: DatabaseSettings, count: number) =>
  withClient(settings, async (client) => {
    await client.query(
      `insert into delivery (bot_id, lane, number, id, kind, subject_id) select 'bot_slow', 'conv_' || i, 1, 'dlv_' || i, 'event', 'evt_' || i from generate_series(1, $1::int) i`,
      [count],
    )
    await client.query(`insert into lane (bot_id, key, pending, last_number) select 'bot_slow', 'conv_' || i, 1, 1 from generate_series(1, $1::int) i`, [count])
    await client.query('analyze lane, event, delivery')
  })

/** From the moment that the bot answers, to the last of its deliveries. */
function drain(settings: DatabaseSettings, count: number, letGo: () => void): Promise<number> {
  progress('the backlog is worked off')
  const begin = performance.now()
  letGo()
  return withClient(settings, async (client) => {
    for (;;) {
      const { rows } = await client.query(`select exists (select from delivery where bot_id = 'bot_slow') as some`)
      if (!rows[0].some) return (count * 1000) / (performance.now() - begin)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
}

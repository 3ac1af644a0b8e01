// One experiment: people talk while faults are injected; then everything must come to rest, and the
// audit compares it.
import { setMaxListeners } from 'node:events'
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { adminHeaders } from '../botstead-server.ts'
import { progress } from '../report.ts'
import {
  auditPerson,
  availability,
  countFailures,
  nothingBroken,
  type StoredMessage,
  unexplainedErrors,
} from './audits/audit.ts'
import { type Bots, openBots } from './bots.ts'
import { Faults } from './faults.ts'
import { call, demand } from './http.ts'
import { arrive, listen, type Person, talk } from './people.ts'
import { createRandom } from './random.ts'
import type { LabServer } from './servers.ts'
import type { Stage } from './stage.ts'

export interface Plan {
  name: string
  seed: number
  minutes: number
  /** Messages per second. */
  rate?: number
}

const peopleCount = 20
const ratePerCore = 80
/** People talk this long before the first fault and after the last. */
const calmMs = 2_000
/** How long to wait without any progress. */
const restMs = 60_000
/** The server counts its queue at most once in this time. */
const countedMs = 6_000

/** Returns whether every promise was kept. */
export async function runExperiment(stage: Stage, plan: Plan): Promise<boolean> {
  const bots = await openBots(stage.servers[0]!.running, stage.origins)
  const stopListening = new AbortController()
  setMaxListeners(0, stopListening.signal)
  try {
    const people = await gather(stage.origins[0]!, bots)
    const faults = new Faults(createRandom(plan.seed), plan.minutes * 60_000)
    const listening = people.map((one) =>
      listen(one, stage.origins, stopListening.signal),
    )
    const busy = await underLoad(stage, plan, people, faults)
    const waiting = await comeToRest(stage, () =>
      people.reduce((sum, person) => sum + person.frames.length, 0),
    )
    stopListening.abort()
    await Promise.all(listening)
    return await report(stage, { plan, people, bots, faults, busy, waiting })
  } finally {
    stopListening.abort()
    bots.close()
  }
}

async function gather(origin: string, bots: Bots): Promise<Person[]> {
  const people: Person[] = []
  for (let who = 0; who < peopleCount; who++) {
    const { chatPath } = bots.all[who % bots.all.length]!
    people.push(await arrive(origin, { name: `p${who}`, chatPath, keyed: who % 4 >= 2 }))
  }
  return people
}

/** Lets people talk while faults are injected. Returns the busy share of the machine's processors. */
async function underLoad(stage: Stage, plan: Plan, people: Person[], faults: Faults) {
  const rate = plan.rate ?? ratePerCore * availableParallelism()
  const stop = new AbortController()
  const giveUp = new AbortController()
  setMaxListeners(0, stop.signal)
  const busyBefore = processorTimes()
  const talking = people.map((person, who) =>
    talk(person, {
      origins: stage.origins,
      patienceMs: stage.patienceMs,
      chance: createRandom(plan.seed + 1 + who),
      pauseMs: (1000 * people.length) / rate,
      stop: stop.signal,
      giveUp: giveUp.signal,
    }),
  )
  await pause(calmMs)
  try {
    await faults.inject(stage.faults, stage.pauseMs)
    await pause(calmMs)
    setTimeout(() => giveUp.abort(), restMs).unref()
  } catch (error) {
    giveUp.abort()
    throw error
  } finally {
    stop.abort()
  }
  const busyAfter = processorTimes()
  await Promise.all(talking)
  return (busyAfter.busy - busyBefore.busy) / (busyAfter.all - busyBefore.all)
}

function processorTimes() {
  const times = cpus().map(({ times }) => times)
  const idle = times.reduce((sum, one) => sum + one.idle, 0)
  const all = times
    .flatMap((one) => Object.values(one))
    .reduce((sum, one) => sum + one, 0)
  return { busy: all - idle, all }
}

/**
 * Waits until people receive nothing more and the queue is empty. Gives up when neither changes
 * any more. Returns the number of deliveries that are still pending.
 */
export async function comeToRest(
  stage: Pick<Stage, 'servers'>,
  countReceived: () => number,
): Promise<number> {
  let since = performance.now()
  for (let before = -1; performance.now() < since + restMs; await pause(countedMs)) {
    const received = countReceived()
    if (received !== before) since = performance.now()
    else if ((await countPending(stage)) === 0) return 0
    before = received
  }
  for (const server of stage.servers)
    for (const line of (await readMetrics(server)).match(
      /^botstead_(queue|database)_.*$/gm,
    ) ?? [])
      progress(`${server.origin}: ${line}`)
  return countPending(stage)
}

async function countPending({ servers }: Pick<Stage, 'servers'>): Promise<number> {
  const text = await readMetrics(servers[0]!)
  return Number(
    /^botstead_queue_waiting_deliveries (\d+)$/m.exec(text)?.[1] ?? Number.NaN,
  )
}

const readMetrics = async ({ origin }: LabServer) =>
  (await fetch(`${origin}/metrics`)).text()

interface Outcome {
  plan: Plan
  people: Person[]
  bots: Bots
  faults: Faults
  busy: number
  waiting: number
}

async function report(
  stage: Stage,
  { plan, people, bots, faults, busy, waiting }: Outcome,
) {
  const broken = nothingBroken()
  for (const person of people)
    auditPerson(
      person,
      await listStored(stage.origins[0]!, person),
      faults.outages,
      broken,
    )
  for (const person of people) printUnexplained(person, faults)
  const sent = people.flatMap((person) => person.sent)
  const messages = sent.filter(({ messageId }) => messageId !== null).length
  const injected = Object.values(faults.counts).reduce((sum, count) => sum + count, 0)
  const findings = (await stage.findings?.(people, faults.injected)) ?? {
    promises: {},
    measurements: {},
  }
  const promises = {
    ...broken,
    waiting,
    deadLetters: await countDeadLetters(stage, bots.all),
    ...findings.promises,
  }
  // A run without messages or faults shows nothing.
  const isKept =
    messages > 0 && injected > 0 && Object.values(promises).every((n) => n === 0)
  const { name: experiment, seed, minutes } = plan
  const line = {
    experiment,
    seed,
    minutes,
    isKept,
    messages,
    unacknowledged: sent.length - messages,
    faults: injected,
    ...faults.counts,
    ...promises,
    redelivered: bots.received.length - new Set(bots.received).size,
    failures: countFailures(people),
    ...availability(people),
    processorShare: Math.round(busy * 100) / 100,
    ...findings.measurements,
  }
  process.stdout.write(`${JSON.stringify(line)}\n`)
  return isKept
}

function printUnexplained(person: Person, faults: Faults) {
  for (const { at, answeredAt, status, reason } of unexplainedErrors(
    person,
    faults.outages,
  )) {
    const took = `after ${Math.round(answeredAt - at)} ms`
    progress(`${faults.timeOf(at)}: ${person.name} got ${status} ${took}: ${reason}`)
  }
}

interface MessagePage {
  messages: { id: string; userId: string; payload: { text: string } }[]
  meta: { nextToken?: string }
}

/** Returns the messages of the person's conversation, oldest first. */
async function listStored(origin: string, person: Person): Promise<StoredMessage[]> {
  const { chatPath, conversationId, key } = person
  const stored: StoredMessage[] = []
  for (let token: string | undefined = ''; token !== undefined; ) {
    const query = `pageSize=1000${token && `&nextToken=${encodeURIComponent(token)}`}`
    const url = `${origin}${chatPath}/conversations/${conversationId}/messages?${query}`
    const page: MessagePage = await demand('GET', url, { 'x-user-key': key })
    for (const { id, userId, payload } of page.messages)
      stored.push({ id, userId, text: payload.text })
    token = page.meta.nextToken
  }
  return stored.reverse()
}

export async function countDeadLetters(
  { servers }: Pick<Stage, 'servers'>,
  bots: { botId: string }[],
): Promise<number> {
  const { credentials } = servers[0]!.running
  let count = 0
  for (const { botId } of bots) {
    const headers = { ...adminHeaders(credentials), 'x-bot-id': botId }
    const url = `${servers[0]!.origin}/v1/platform/dead-letters`
    const { body } = await call<{ deadLetters: { reason?: string }[] }>(
      'GET',
      url,
      headers,
    )
    for (const letter of body!.deadLetters)
      progress(`dead letter: ${JSON.stringify(letter)}`)
    count += body!.deadLetters.length
  }
  return count
}

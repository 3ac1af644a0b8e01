// Many workflows run on two servers that are killed again and again: each workflow finishes, none
// forks, every step runs, and timeouts happen once. CRASH_KILLS=100 for a long run; SEED=… repeats
// a run.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase, type TestDatabase } from '../../../test/support/database.ts'
import { runQuery, waitUntilDrained } from '../../../test/support/delivery-audit.ts'
import { createRandom, seed } from '../../../test/support/random.ts'
import {
  type RunningServer,
  runServer,
  setBotUrl,
  settingsOfMany,
} from '../../../test/support/running-server.ts'
import {
  openWorkflowBot,
  type ReceivedUpdate,
  type WorkflowBot,
} from '../../../test/support/workflow-bot.ts'

const kills = Number(process.env.CRASH_KILLS ?? 2)
const atOnce = 8
const workflows = kills * atOnce
const steps = 8
const childSteps = 3

let database: TestDatabase
let bot: WorkflowBot
let one: RunningServer
let other: RunningServer
let headers: Record<string, string>
const chance = createRandom()

beforeAll(async () => {
  console.log(`SEED=${seed}`)
  database = await cloneDatabase()
  bot = await openWorkflowBot()
  const env = settingsOfMany(database)
  one = await runServer(env)
  const { token, workspaceId, botId } = one.credentials
  headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-bot-id': botId,
    'x-workspace-id': workspaceId,
  }
  await setBotUrl(one, bot.url)
  other = await runServer(env)
}, 90_000)
afterAll(async () => {
  await Promise.all([one?.remove(), other?.remove()])
  await database?.drop()
  await bot?.close()
}, 60_000)

/** Sends a request to the first server that answers; the requests here are repeatable. */
async function call(
  method: string,
  path: string,
  body: object,
): Promise<{ workflow: { id: string } }> {
  for (const until = Date.now() + 30_000; ; ) {
    for (const { credentials } of [one, other]) {
      const reply = await fetch(`${credentials.url}/v1/chat/${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      }).catch(() => null)
      if (reply && reply.status < 500) {
        expect([reply.status, path]).toEqual([
          reply.status < 300 ? reply.status : 200,
          path,
        ])
        return (await reply.json()) as { workflow: { id: string } }
      }
    }
    if (Date.now() > until) throw new Error(`No server answers ${method} ${path}`)
    await pause(50)
  }
}

/** Returns the step number of an event in its workflow; a repeated delivery has the same number. */
const findStep = ({ workflowId, id }: ReceivedUpdate) =>
  1 +
  [
    ...new Set(
      bot
        .of(workflowId!)
        .flatMap((delivery) =>
          delivery.update === 'workflow_started' ||
          delivery.update === 'workflow_continued'
            ? [delivery.id]
            : [],
        ),
    ),
  ].indexOf(id)

/** Handles a step. A parent waits for its child in the middle; every step is repeatable. */
async function work(delivery: ReceivedUpdate) {
  if (delivery.update !== 'workflow_started' && delivery.update !== 'workflow_continued')
    return
  await pause(chance.between(20, 300))
  const id = delivery.workflowId!
  const step = findStep(delivery)
  const { name } = delivery.event.payload.workflow
  const isWoken = name === 'parent' && step === steps / 2 + 1
  if (step === 1 || isWoken)
    return void (await call('PUT', `workflows/${id}`, {
      status: 'in_progress',
      eventId: delivery.id,
    }))
  if (step === (name === 'child' ? childSteps : steps))
    return void (await call('PUT', `workflows/${id}`, {
      status: 'completed',
      output: { step },
    }))
  if (name === 'child' || step !== steps / 2) return
  await call('PUT', `workflows/${id}`, { status: 'listening' })
  await call('POST', 'workflows/get-or-create', {
    name: 'child',
    status: 'pending',
    parentWorkflowId: id,
    tags: { of: id },
    timeoutAt: '2999-01-01',
  })
}

test('every workflow finishes with all its steps while servers are killed', {
  timeout: 120_000 + kills * 10_000,
}, async () => {
  bot.behave(work)
  const make = (i: number) =>
    call('POST', 'workflows/get-or-create', {
      name: 'parent',
      status: 'pending',
      tags: { i: String(i) },
      timeoutAt: '2999-01-01',
    })
  const wait = (i: number) =>
    call('POST', 'workflows/get-or-create', {
      name: 'late',
      status: 'listening',
      tags: { i: String(i) },
      timeoutAt: new Date(Date.now() + chance.between(0, 5_000)).toISOString(),
    })
  // Some workflows always run when a server is killed, mostly on the server that started them.
  for (let kill = 0; kill < kills; kill++) {
    await Promise.all(
      Array.from({ length: atOnce }, (_, i) =>
        Promise.all([make(kill * atOnce + i), wait(kill * atOnce + i)]),
      ),
    )
    await pause(chance.between(50, 1_500))
    const victim = chance.next() < 0.75 ? one : other
    await victim.stop('SIGKILL')
    await pause(chance.between(0, 300))
    await victim.start()
  }
  await expect
    .poll(
      async () =>
        (
          await runQuery<{ n: number }>(
            database.settings,
            `select count(*)::int as n from workflow where completed_at is null and status <> 'timedout'`,
          )
        )[0]!.n,
      {
        timeout: 60_000,
        interval: 200,
      },
    )
    .toBe(0)
  await waitUntilDrained(database.settings, 20_000)

  const rows = await runQuery<{
    name: string
    status: string
    failure_reason: string | null
    events: string[]
    ids: string[]
    causes: string[]
    unhandled: number
  }>(
    database.settings,
    `select w.name, w.status, w.failure_reason, array_agg(e.payload ->> 'type' order by e.id) as events,
       array_agg(e.id order by e.id) as ids, array_agg(e.cause order by e.id) as causes,
       count(*) filter (
         where e.status <> 'processed' and e.failure_reason is distinct from 'The workflow has ended'
       )::int as unhandled
     from workflow w join event e on e.workflow_id = w.id group by w.bot_id, w.id`,
  )
  const continued = (n: number) => Array<string>(n).fill('workflow_continued')
  const expected: Record<string, string[]> = {
    child: ['workflow_started', ...continued(childSteps - 1)],
    parent: [
      'workflow_started',
      ...continued(steps / 2 - 1),
      'child_workflow_finished',
      ...continued(steps / 2),
    ],
    late: ['workflow_timedout'],
  }
  expect(rows).toHaveLength(3 * workflows)
  // The last step, delivered again after a kill, finds the workflow ended.
  for (const { name, status, failure_reason, events, unhandled } of rows) {
    expect({ name, status, failure_reason, events, unhandled }).toEqual({
      name,
      status: name === 'late' ? 'timedout' : 'completed',
      failure_reason: null,
      events: expected[name],
      unhandled: 0,
    })
  }
  // Each event causes at most one other.
  for (const { name, ids, causes } of rows.filter(({ name }) => name === 'child'))
    expect([name, causes.slice(1)]).toEqual([name, ids.slice(0, -1)])
  const deliveredIds = bot.received.map(({ id }) => id)
  console.log(
    JSON.stringify({
      delivered: deliveredIds.length,
      events: new Set(deliveredIds).size,
      kills,
    }),
  )
  expect(new Set(deliveredIds)).toEqual(new Set(rows.flatMap(({ ids }) => ids)))
})

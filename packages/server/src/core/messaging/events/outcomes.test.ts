// Successes of first attempts are recorded by shorter statements than all other outcomes. They must
// leave the same rows.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openScene, type Scene } from '../../../../test/support/scene.ts'
import type { Database } from '../../db/database.ts'
import type { DeliveryOutcome, Settled } from '../../queue/deliveries.ts'
import { recordOutcomes } from './outcomes.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene.close())

const me = 'worker_of_this_test'

interface Case {
  lane: string
  number: number
  owner: string | null
  kind?: 'message'
  outcome: DeliveryOutcome
}

const done: DeliveryOutcome = { result: 'done' }
const ignored: DeliveryOutcome = {
  result: 'ignored',
  reason: `Not wanted: ${'é'.repeat(600)}`,
}
const cases: [string, Case[]][] = [
  ['one success', [{ lane: 'a', number: 1, owner: me, outcome: done }]],
  ['one ignored event', [{ lane: 'a', number: 1, owner: me, outcome: ignored }]],
  ['one message', [{ lane: 'a', number: 1, owner: me, kind: 'message', outcome: done }]],
  ['a lane without an owner', [{ lane: 'a', number: 1, owner: null, outcome: done }]],
  [
    'a lane of another worker',
    [{ lane: 'a', number: 1, owner: 'worker_other', outcome: done }],
  ],
  [
    'a delivery that another worker has ended',
    [{ lane: 'a', number: 3, owner: me, outcome: done }],
  ],
  [
    'several outcomes in several lanes',
    [
      { lane: 'b', number: 1, owner: me, outcome: done },
      { lane: 'a', number: 1, owner: me, outcome: ignored },
      { lane: 'b', number: 2, owner: me, outcome: done },
      { lane: 'c', number: 1, owner: 'worker_other', outcome: done },
      { lane: 'd', number: 1, owner: null, kind: 'message', outcome: done },
    ],
  ],
]

/**
 * Returns what the statement answers, and the rows that it leaves; the transaction is rolled back.
 */
async function record(ended: Case[], isFromEnqueueing: boolean) {
  const rollback = new Error('roll back')
  let result: unknown
  const work = async (inside: Database) => {
    const owners = new Map(ended.map(({ lane, owner }) => [lane, owner]))
    for (const [lane, owner] of owners) await insertLane(inside, lane, owner)
    const settled = ended.map((one) => toSettled(one, isFromEnqueueing))
    const answer = await recordOutcomes(inside, me, settled)
    result = {
      answer: answer.sort((a, b) => a.lane.localeCompare(b.lane)),
      rows: await findRows(inside),
    }
    throw rollback
  }
  await scene.app.services.database.inTransaction(work).catch((error) => {
    if (error !== rollback) throw error
  })
  return result
}

/** Inserts a lane with two deliveries, of an event each. */
async function insertLane(inside: Database, lane: string, owner: string | null) {
  await inside.run(
    'test-lane',
    'insert into lane (bot_id, key, owner, pending, last_number) values ($1, $2, $3, 2, 2)',
    [scene.botId, lane, owner],
  )
  await inside.run(
    'test-events',
    `with event as (insert into event (bot_id, id, type) select $1, $2 || n, 'message_created'
       from generate_series(1, 2) n)
     insert into delivery (bot_id, lane, number, id, kind, subject_id)
     select $1, $2, n, 'dlv_' || $2 || n, 'event', $2 || n from generate_series(1, 2) n`,
    [scene.botId, lane],
  )
}

const toSettled = (
  { lane, number, kind = undefined, outcome }: Case,
  isFromEnqueueing: boolean,
) =>
  ({
    delivery: {
      botId: scene.botId,
      lane,
      number: String(number),
      id: `dlv_${lane}${number}`,
      kind: kind ?? 'event',
      subjectId: `${lane}${number}`,
      owner: me,
      ...(isFromEnqueueing && { ahead: 0 }),
    },
    outcome,
    attempts: 1,
    startedAt: new Date(),
    ms: 1,
  }) as Settled

async function findRows(inside: Database) {
  const [lanes, deliveries, events] = await Promise.all(
    [
      'select key, owner, pending from lane where bot_id = $1 order by key',
      'select lane, number from delivery where bot_id = $1 order by lane, number',
      "select id, status, failure_reason from event where bot_id = $1 and type = 'message_created' order by id",
    ].map((text, index) => inside.run(`test-rows-${index}`, text, [scene.botId])),
  )
  return { lanes, deliveries, events }
}

test.each(cases)(
  'the statement for successes leaves the same rows: %s',
  async (_, ended) => {
    const expected = await record(ended, false)
    expect(await record(ended, true)).toEqual(expected)
  },
)

test('a success ends its delivery, its event and its turn in the lane', async () => {
  const ended: Case[] = [
    { lane: 'a', number: 1, owner: me, outcome: done },
    { lane: 'b', number: 1, owner: 'worker_other', outcome: done },
  ]
  expect(await record(ended, true)).toMatchObject({
    rows: {
      lanes: [
        { key: 'a', owner: me, pending: 1 },
        { key: 'b', owner: 'worker_other', pending: 2 },
      ],
      deliveries: [
        { lane: 'a', number: '2' },
        { lane: 'b', number: '1' },
        { lane: 'b', number: '2' },
      ],
      events: [
        { id: 'a1', status: 'processed' },
        ...['a2', 'b1', 'b2'].map((id) => ({ id, status: 'pending' })),
      ],
    },
  })
})

// The workflow loop: events that the bot receives and their order until the workflow ends, for all
// responses of the bot and other events meanwhile.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openScene, type Scene } from '../../../test/support/scene.ts'
import {
  openWorkflowBot,
  type ReceivedUpdate,
  type WorkflowBot,
} from '../../../test/support/workflow-bot.ts'

let scene: Scene
let bot: WorkflowBot

beforeAll(async () => {
  bot = await openWorkflowBot()
  scene = await openScene()
  await scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
    headers: scene.admin,
    body: { url: bot.url },
  })
}, 60_000)
afterAll(async () => {
  await scene?.close()
  await bot?.close()
})
beforeEach(() => {
  bot.received.length = 0
  bot.behave(() => 200)
})

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) =>
  scene.call(method, `/v1/chat/${path}`, { headers: scene.asBot, ...(body && { body }) })
async function create(input: object = {}) {
  const { status, body } = await call('POST', 'workflows', {
    name: 'job',
    status: 'pending',
    ...input,
  })
  expect(status).toBe(201)
  return body.workflow
}
const update = async (id: string, change: object) => {
  const { status, body } = await call('PUT', `workflows/${id}`, change)
  expect([status, body]).toMatchObject([200, {}])
  return body.workflow
}
const get = async (id: string) => (await call('GET', `workflows/${id}`)).body.workflow
const acknowledge = ({ workflowId, id }: ReceivedUpdate) =>
  update(workflowId!, { status: 'in_progress', eventId: id })
const expectStatus = (id: string, status: string) =>
  vi.waitFor(async () => expect(await get(id)).toMatchObject({ status }), 10_000)
const updates = (id: string) => bot.of(id).map(({ update, type }) => update ?? type)
const expectUpdates = (id: string, expected: string[]) =>
  vi.waitFor(() => expect(updates(id)).toEqual(expected), 10_000)
/** Waits long enough for an unwanted event to arrive. */
const waitForStrayEvents = () => pause(400)

/** Handles the n-th update of a workflow by the n-th handler. */
function steps(...handlers: ((delivery: ReceivedUpdate) => unknown)[]) {
  bot.behave(async (delivery) => {
    const nth = bot
      .of(delivery.workflowId!)
      .filter(({ type, id }) => type === 'workflow_update' && id !== delivery.id).length
    const status = await handlers[nth]?.(delivery)
    return typeof status === 'number' ? status : 200
  })
}

test('is started, acknowledged and continued until the bot completes it', async () => {
  steps(
    acknowledge,
    () => {},
    ({ workflowId }) => update(workflowId!, { status: 'completed', output: { sum: 3 } }),
  )
  const { id } = await create({ input: { a: 1 }, tags: { kind: 'sum' } })
  await expectStatus(id, 'completed')
  expect(await get(id)).toMatchObject({
    output: { sum: 3 },
    input: { a: 1 },
    completedAt: expect.any(String),
  })
  await waitForStrayEvents()
  expect(updates(id)).toEqual([
    'workflow_started',
    'workflow_continued',
    'workflow_continued',
  ])
  await vi.waitFor(async () => {
    const { events } = (await call('GET', `events?workflowId=${id}`)).body
    expect(
      events.map(({ status, workflowId }: { status: string; workflowId: string }) => [
        status,
        workflowId,
      ]),
    ).toEqual(Array(3).fill(['processed', id]))
  })
  expect(new Set(bot.of(id).map(({ id }) => id)).size).toBe(3)
})

test('an update contains the current workflow, its conversation and its user', async () => {
  const { body } = await call('POST', 'conversations', { channel: 'channel', tags: {} })
  const { body: created } = await call('POST', 'users', { tags: {}, name: 'Ann' })
  steps(({ workflowId }) => update(workflowId!, { status: 'completed' }))
  const made = await create({
    conversationId: body.conversation.id,
    userId: created.user.id,
    tags: { a: 'b' },
  })
  await expectStatus(made.id, 'completed')
  const [{ event }] = bot.of(made.id) as [ReceivedUpdate]
  expect(event).toMatchObject({
    type: 'workflow_update',
    workflowId: made.id,
    conversationId: body.conversation.id,
    userId: created.user.id,
    status: 'pending',
  })
  expect(event.payload).toEqual({
    type: 'workflow_started',
    workflow: made,
    conversation: body.conversation,
    user: created.user,
  })
  const stored = (await call('GET', `events/${event.id}`)).body.event
  expect(stored.payload.workflow).toEqual(await get(made.id))
})

test('fails without acknowledgement after three more deliveries', async () => {
  const { id } = await create()
  await expectStatus(id, 'failed')
  expect(updates(id)).toEqual(Array(4).fill('workflow_started'))
  expect(await get(id)).toMatchObject({
    failureReason: expect.stringContaining('acknowledged'),
    completedAt: expect.any(String),
  })
  await waitForStrayEvents()
  expect(updates(id)).toHaveLength(4)
})

test('a late acknowledgement resets the count of missed ones', async () => {
  steps(
    () => {},
    () => {},
    () => {},
    acknowledge,
    () => {},
    ({ workflowId }) => update(workflowId!, { status: 'completed' }),
  )
  const { id } = await create()
  await expectStatus(id, 'completed')
  expect(updates(id)).toEqual([
    ...Array(4).fill('workflow_started'),
    'workflow_continued',
    'workflow_continued',
  ])
})

describe('a handler that fails', () => {
  test('with 4xx fails the workflow at once, with the reason', async () => {
    steps(() => 400)
    const { id } = await create()
    await expectStatus(id, 'failed')
    expect((await get(id)).failureReason).toBe('status 400')
    await waitForStrayEvents()
    expect(updates(id)).toEqual(['workflow_started'])
  })

  test('with 5xx gets the same event again, then fails the workflow', async () => {
    bot.behave(async (delivery) => {
      await acknowledge(delivery)
      return 500
    })
    const { id } = await create()
    await expectStatus(id, 'failed')
    expect((await get(id)).failureReason).toBe('status 500')
    expect(updates(id)).toEqual(Array(3).fill('workflow_started'))
    expect(new Set(bot.of(id).map(({ id }) => id)).size).toBe(1)
    expect(bot.of(id).map(({ event }) => event.payload.workflow.status)).toEqual([
      'pending',
      'in_progress',
      'in_progress',
    ])
  })

  test('once continues the workflow normally', async () => {
    let tries = 0
    bot.behave(async (delivery) => {
      if (++tries === 1) return 503
      await update(delivery.workflowId!, {
        status: tries === 2 ? 'in_progress' : 'completed',
        eventId: delivery.id,
      })
    })
    const { id } = await create()
    await expectStatus(id, 'completed')
    expect(updates(id)).toEqual([
      'workflow_started',
      'workflow_started',
      'workflow_continued',
    ])
  })

  test('because the bot is blocked fails the workflow, with the reason', async () => {
    const change = (blocked: boolean) =>
      scene.call('PUT', `/v1/admin/bots/${scene.botId}`, {
        headers: scene.admin,
        body: { blocked },
      })
    await change(true)
    const { id } = await create()
    await expectStatus(id, 'failed')
    await change(false)
    expect((await get(id)).failureReason).toBe('The bot is blocked')
  })
})

describe('listening', () => {
  test('delivers a linked event first, then continues the workflow', async () => {
    const { id } = await create({ status: 'listening' })
    await waitForStrayEvents()
    expect(updates(id)).toEqual([])
    steps(({ workflowId }) => update(workflowId!, { status: 'listening' }))
    const { body } = await call('POST', 'events', {
      type: 'answer',
      payload: { a: 1 },
      workflowId: id,
    })
    expect(body.event.workflowId).toBe(id)
    await expectUpdates(id, ['answer', 'workflow_continued'])
    await call('POST', 'events', { type: 'second', payload: {}, workflowId: id })
    await expectUpdates(id, [
      'answer',
      'workflow_continued',
      'second',
      'workflow_continued',
    ])
    await waitForStrayEvents()
    expect(bot.of(id)).toHaveLength(4)
    expect((await get(id)).status).toBe('listening')
  })

  test('delivers several events in order and continues the workflow afterwards', async () => {
    const { id } = await create({ status: 'listening' })
    for (const type of ['one', 'two', 'three'])
      await call('POST', 'events', { type, payload: {}, workflowId: id })
    await vi.waitFor(() => expect(updates(id).at(-1)).toBe('workflow_continued'))
    await waitForStrayEvents()
    expect(updates(id).filter((type) => type !== 'workflow_continued')).toEqual([
      'one',
      'two',
      'three',
    ])
    expect(updates(id).at(-1)).toBe('workflow_continued')
  })

  test('continues after a linked event that the bot rejects', async () => {
    const { id } = await create({ status: 'listening' })
    bot.behave(({ type }) => (type === 'bad' ? 400 : 200))
    await call('POST', 'events', { type: 'bad', payload: {}, workflowId: id })
    await expectUpdates(id, ['bad', 'workflow_continued'])
  })

  test('continues after a scheduled event when it is due', async () => {
    const { id } = await create({ status: 'listening' })
    await call('POST', 'events', {
      type: 'later',
      payload: {},
      workflowId: id,
      schedule: { delay: 300 },
    })
    await pause(100)
    expect(updates(id)).toEqual([])
    await expectUpdates(id, ['later', 'workflow_continued'])
  })

  test('delivers events of a running workflow without starting a second loop', async () => {
    let go = () => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    steps(
      async (delivery) => {
        await acknowledge(delivery)
        await gate
      },
      () => {},
      ({ workflowId }) => update(workflowId!, { status: 'completed' }),
    )
    const { id } = await create()
    await expectUpdates(id, ['workflow_started'])
    for (const type of ['one', 'two'])
      await call('POST', 'events', { type, payload: {}, workflowId: id })
    go()
    await expectStatus(id, 'completed')
    await waitForStrayEvents()
    expect(updates(id)).toEqual([
      'workflow_started',
      'one',
      'two',
      'workflow_continued',
      'workflow_continued',
    ])
  })
})

describe('set to in_progress from outside the loop', () => {
  test('continues a paused workflow', async () => {
    const { id } = await create({ status: 'listening' })
    await update(id, { status: 'paused' })
    await call('POST', 'events', { type: 'meanwhile', payload: {}, workflowId: id })
    await expectUpdates(id, ['meanwhile'])
    await waitForStrayEvents()
    expect(updates(id)).toEqual(['meanwhile'])
    steps(({ workflowId }) => update(workflowId!, { status: 'completed' }))
    await update(id, { status: 'in_progress' })
    await expectStatus(id, 'completed')
    expect(updates(id)).toEqual(['meanwhile', 'workflow_continued'])
  })

  test('a workflow created by a handler continues after the handler and fails with it', async () => {
    const { body } = await call('POST', 'conversations', { channel: 'channel', tags: {} })
    const ids: Record<string, string> = {}
    bot.behave(async ({ type, event, workflowId, update: kind }) => {
      if (kind) return void (await update(workflowId!, { status: 'completed' }))
      ids[type] = (await create({ status: 'in_progress', eventId: event.id })).id
      await pause(100)
      return type === 'bad' ? 400 : 200
    })
    for (const type of ['good', 'bad'])
      await call('POST', 'events', {
        type,
        payload: {},
        conversationId: body.conversation.id,
      })
    await vi.waitFor(() => expect(Object.keys(ids)).toEqual(['good', 'bad']))
    await expectStatus(ids.good!, 'completed')
    expect(updates(ids.good!)).toEqual(['workflow_continued'])
    const good = bot.received.find(({ type }) => type === 'good')!
    expect(bot.of(ids.good!)[0]!.at).toBeGreaterThan(good.answeredAt!)
    await expectStatus(ids.bad!, 'failed')
    expect((await get(ids.bad!)).failureReason).toBe('status 400')
  })
})

describe('children', () => {
  test.each(['completed', 'failed', 'cancelled'])(
    'a %s child continues its parent',
    async (status) => {
      const parent = await create({ status: 'listening' })
      const child = await create({
        status: 'listening',
        parentWorkflowId: parent.id,
        tags: { a: 'b' },
      })
      const ended = await update(child.id, { status, output: { a: 1 } })
      await expectUpdates(parent.id, ['child_workflow_finished', 'workflow_continued'])
      const [finished] = bot.of(parent.id) as [ReceivedUpdate]
      expect(finished.event.payload).toMatchObject({
        childWorkflow: ended,
        workflow: { id: parent.id },
      })
      expect(ended.output).toEqual(status === 'cancelled' ? {} : { a: 1 })
    },
  )

  test('a timed-out, unacknowledged or deleted child sends an event to its parent', async () => {
    const parent = await create({ status: 'listening' })
    await update(parent.id, { status: 'paused' })
    const link = { parentWorkflowId: parent.id }
    const late = await create({
      status: 'listening',
      ...link,
      timeoutAt: new Date(Date.now() + 50).toISOString(),
    })
    await expectStatus(late.id, 'timedout')
    await expectUpdates(parent.id, ['child_workflow_finished'])
    const idle = await create(link)
    await expectStatus(idle.id, 'failed')
    await expectUpdates(parent.id, ['child_workflow_finished', 'child_workflow_finished'])
    const gone = await create({ status: 'listening', ...link })
    expect((await call('DELETE', `workflows/${gone.id}`)).status).toBe(200)
    await expectUpdates(parent.id, [
      'child_workflow_finished',
      'child_workflow_finished',
      'child_workflow_deleted',
    ])
    const children = bot
      .of(parent.id)
      .map(({ event }) => [
        event.payload.childWorkflow.id,
        event.payload.childWorkflow.status,
      ])
    expect(children).toEqual([
      [late.id, 'timedout'],
      [idle.id, 'failed'],
      [gone.id, 'listening'],
    ])
  })

  test('an ended or deleted parent gets no event, and its children continue', async () => {
    const parent = await create({ status: 'listening' })
    const [one, other] = [
      await create({ status: 'listening', parentWorkflowId: parent.id }),
      await create({ status: 'listening', parentWorkflowId: parent.id }),
    ]
    await update(parent.id, { status: 'completed' })
    await update(one.id, { status: 'completed' })
    await call('DELETE', `workflows/${parent.id}`)
    expect(
      (await update(other.id, { status: 'completed' })).parentWorkflowId,
    ).toBeUndefined()
    await waitForStrayEvents()
    expect(bot.of(parent.id)).toEqual([])
  })
})

describe('timeout', () => {
  const inHundredMs = () => ({ timeoutAt: new Date(Date.now() + 100).toISOString() })

  test('sends an event, in which the bot may fail the workflow', async () => {
    steps(({ workflowId }) =>
      update(workflowId!, { status: 'failed', failureReason: 'too slow' }),
    )
    const { id } = await create({ status: 'listening', ...inHundredMs() })
    await expectStatus(id, 'failed')
    expect(updates(id)).toEqual(['workflow_timedout'])
    expect(bot.of(id)[0]!.event.payload.workflow.status).toBe('timedout')
    expect(await get(id)).toMatchObject({
      failureReason: 'too slow',
      completedAt: expect.any(String),
    })
  })

  test('during a handler sends its event after the handler and stops the loop', async () => {
    steps(async (delivery) => {
      await acknowledge(delivery)
      await vi.waitFor(
        async () => expect((await get(delivery.workflowId!)).status).toBe('timedout'),
        5_000,
      )
    })
    const { id } = await create(inHundredMs())
    await expectUpdates(id, ['workflow_started', 'workflow_timedout'])
    await waitForStrayEvents()
    expect(updates(id)).toHaveLength(2)
    expect((await get(id)).status).toBe('timedout')
  })

  test('can be moved', async () => {
    const { id } = await create({ status: 'listening', ...inHundredMs() })
    await update(id, { timeoutAt: '2999-01-01' })
    await pause(1_500)
    expect((await get(id)).status).toBe('listening')
    await update(id, { timeoutAt: '2001-01-01' })
    await expectStatus(id, 'timedout')
  })
})

test('steps without a change are delivered with growing pauses', async () => {
  let isIdle = true
  bot.behave(async (delivery) => {
    if (delivery.update === 'workflow_started') await acknowledge(delivery)
    else if (!isIdle) await update(delivery.workflowId!, { status: 'completed' })
  })
  const { id } = await create()
  await vi.waitFor(() => expect(bot.of(id).length).toBeGreaterThan(16), 10_000)
  const gaps = bot.of(id).map(({ at }, i, all) => at - (all[i - 1]?.at ?? at))
  // Minimum pauses in milliseconds, independent of the machine.
  for (const [i, minimum] of [10, 20, 40, 80, 160].entries())
    expect(gaps[i + 12], `pause ${i + 12}`).toBeGreaterThanOrEqual(minimum - 2)
  isIdle = false
  await expectStatus(id, 'completed')
})

test('deletion during a handler stops the loop and deletes the events', async () => {
  steps(async (delivery) => {
    await acknowledge(delivery)
    await call('DELETE', `workflows/${delivery.workflowId}`)
  })
  const { id } = await create()
  await expectUpdates(id, ['workflow_started'])
  await waitForStrayEvents()
  expect(updates(id)).toHaveLength(1)
  expect((await call('GET', `events?workflowId=${id}`)).body.events).toEqual([])
})

test('runs one step of a workflow at a time and many workflows in parallel', async () => {
  const running = new Map<string, number>()
  let maxPerWorkflow = 0
  let maxInParallel = 0
  const rounds = 6
  bot.behave(async (delivery) => {
    const id = delivery.workflowId!
    running.set(id, (running.get(id) ?? 0) + 1)
    maxPerWorkflow = Math.max(maxPerWorkflow, running.get(id)!)
    maxInParallel = Math.max(
      maxInParallel,
      [...running.values()].filter((n) => n > 0).length,
    )
    await pause(5)
    const nth = bot.of(id).filter(({ update }) => update).length
    if (delivery.update)
      await update(
        id,
        nth >= rounds
          ? { status: 'completed' }
          : { status: 'in_progress', eventId: delivery.id },
      )
    running.set(id, running.get(id)! - 1)
  })
  const made = await Promise.all(Array.from({ length: 12 }, () => create()))
  await Promise.all(
    made.flatMap(({ id }) =>
      [1, 2, 3, 4].map((n) =>
        call('POST', 'events', { type: `poke-${n}`, payload: {}, workflowId: id }),
      ),
    ),
  )
  for (const { id } of made) await expectStatus(id, 'completed')
  expect(maxPerWorkflow).toBe(1)
  expect(maxInParallel).toBeGreaterThan(1)
  for (const { id } of made)
    expect(bot.of(id).filter(({ update }) => update)).toHaveLength(rounds)
})
